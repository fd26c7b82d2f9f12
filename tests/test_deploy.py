"""What ``docs/deploy.md`` says is tried: the unit file, backup and restore, of a file and of a database."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from adapters import json_contract
from adapters.answer_record import new_record
from adapters.articles import open_service
from adapters.settings import TABLE, load
from adapters.storage.store import Store
from bot.model import Asker, Place, Question
from bot.service import QuestionService
from tests.postgres import Cluster
from tests.stock import written

pytestmark = pytest.mark.rest

PROJECT = Path(__file__).parents[1]
DEPLOY = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
UNIT = PROJECT / "deploy" / "stet.service"
QUESTIONS = ("how many people were on board the ferry?", "/who Marta Lindqvist", "what will repairs cost?")


def commands(name: str, **places: str) -> str:
    """Return the commands between two marks of the document, with other places in them."""
    found = re.search(f"<!-- {name} -->\n(.*?)<!-- /{name} -->", DEPLOY, re.DOTALL)
    assert found
    text = re.sub(r"(?m)^    ", "", found[1])
    for place, other in places.items():
        text = text.replace(f"/var/{place}/stet", other)
    return text


def run(script: str, **environment: str) -> None:
    given = {**os.environ, **environment}
    done = subprocess.run(["/bin/sh", "-ec", script], capture_output=True, text=True, env=given, check=False)
    assert done.returncode == 0, done.stderr


def need(*programs: str) -> None:
    """Skip the test where a program is missing."""
    if missing := [program for program in programs if not shutil.which(program)]:
        pytest.skip(f"{missing} is not installed")


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    need("systemd-analyze")
    unit = UNIT.read_text(encoding="utf-8").replace("/opt/stet/current/.venv/bin/stet", "/bin/true")
    assert "/bin/true run" in unit
    copy = tmp_path / "stet.service"
    copy.write_text(unit, encoding="utf-8")
    command = ["systemd-analyze", "verify", "--man=no", str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if "stet.service" in line]
    assert (done.returncode, told) == (0, [])


def test_the_unit_sets_what_there_is() -> None:
    known = {row.name for row in TABLE}
    assert set(re.findall(r"^Environment=(STET_\w+)=", UNIT.read_text(encoding="utf-8"), re.MULTILINE)) <= known
    assert set(re.findall(r"\bSTET_[A-Z_]+[A-Z]", DEPLOY)) <= known


def opened(machine: Path) -> QuestionService:
    return open_service(load({"STET_ARTICLES": str(machine / "articles"), "STET_ENCODER": "none"}, machine / "none"))


def answered(machine: Path, state: str) -> None:
    service = opened(machine)
    with Store(state) as store:
        for words in QUESTIONS:
            question = Question(words, asker=Asker("U1"), place=Place("slack", "T1", "C1"))
            store.record_answer(new_record(question, words, service.answer(question)))


def test_a_machine_restored_from_its_backup_answers_the_same(tmp_path: Path) -> None:
    """By the document's own commands, onto an empty machine: the same answers byte for byte, though paths differ."""
    need("sqlite3", "tar")
    first, second, backup = (str(tmp_path / name) for name in ("first", "second", "backup"))
    written(Path(first, "articles"))
    state = f"{first}/state.sqlite"
    answered(Path(first), state)
    with Store(state):  # it runs meanwhile
        run(commands("backup", lib=first, backups=backup))
    shutil.move(first, tmp_path / "lost")
    run(commands("restore", lib=second, backups=backup))
    shutil.move(second, first)  # an empty machine has the same places
    service = opened(Path(first))
    with Store(state) as store:
        kept = {given.question: given.reply for _, given in store.last_answers(len(QUESTIONS))}
    assert kept == {
        words: json_contract.line(json_contract.reply(service.answer(Question(words)))) for words in QUESTIONS
    }


def test_a_database_restored_from_its_dump_has_it_all(server: Cluster, tmp_path: Path) -> None:
    need("pg_dump", "pg_restore")
    machine, backup = tmp_path / "machine", tmp_path / "backup"
    backup.mkdir()
    written(machine / "articles")
    before, after = server.database(), server.database()
    answered(machine, before)
    with Store(before) as store:
        kept = store.last_answers(9)
    run(commands("dump", backups=str(backup)), STET_STATE=before)
    run(commands("load", backups=str(backup)), STET_STATE=after)
    with Store(after) as store:
        assert store.last_answers(9) == kept
        assert store.record_answer(kept[0][1]) == len(QUESTIONS) + 1
