"""The guides are followed to the letter: for Slack and Discord, with the vendors' other ends on loopback; for servers.

``python3 -m venv`` and ``pip`` need a package index: of their lines only the names of the extras are tried.
What is pressed on the vendors' own pages is tried nowhere.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from adapters import json_contract
from adapters.answer_record import new_record
from adapters.articles import open_service
from adapters.channel_rules import read_channels, unknown_sources
from adapters.mcp.server import TOOLS
from adapters.settings import TABLE, load
from adapters.storage.store import Store
from bot.model import Asker, Place, Question
from bot.service import QuestionService
from tests import shelf
from tests.emulators.discord import DiscordEmulator
from tests.emulators.slack import Slack
from tests.postgres import Cluster
from tests.stock import written
from tests.support.program import end, launch

PROJECT = Path(__file__).parents[1]
SLACK, DISCORD = ((PROJECT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("slack", "discord"))
DEPLOY = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
UNIT = PROJECT / "deploy" / "stet.service"
QUESTIONS = ("how many people were on board the ferry?", "/who Marta Lindqvist", "what will repairs cost?")
TOKENS = {"slack": ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"), "discord": ("DISCORD_TOKEN",)}
GUIDES = pytest.mark.parametrize(("platform", "guide"), [("slack", SLACK), ("discord", DISCORD)], ids=tuple(TOKENS))


def shell(guide: str) -> list[str]:
    lines = re.findall(r"(?m)^    (\S.*)$", guide)
    return [line for line in lines if not re.match(r"[A-Z_]+=", line)]


def bare(machine: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(machine), "PYTHONPATH": str(PROJECT)}


def run(script: str, folder: Path, given: dict[str, str]) -> tuple[int, str]:
    """Run commands; return status and what is told."""
    command = ["/bin/sh", "-ec", script]
    done = subprocess.run(command, capture_output=True, text=True, env=given, cwd=folder, check=False)
    return done.returncode, done.stdout + done.stderr


def follow(line: str, machine: Path, **more: str) -> tuple[int, str]:
    """Run a command of a document on such a machine."""
    line = line.replace("/where/the/articles/are", str(machine / "articles"))
    return run(re.sub("^stet ", f"{sys.executable} -m adapters ", line), machine, bare(machine) | more)


@pytest.mark.soak
@GUIDES
def test_the_commands_lead_to_your_articles_and_to_the_tokens(platform: str, guide: str, tmp_path: Path) -> None:
    """One after the other, in a folder of their own; what a token is missing for is named, and none is invented."""
    written(tmp_path / "articles")
    add, check, start = (line for line in shell(guide) if line.startswith("stet "))
    status, told = follow(add, tmp_path)
    assert (status, "2 added" in told) == (0, True), told
    status, told = follow(check, tmp_path)
    assert "Articles: from the archive." in told
    assert all(token in told.split(f"{platform.title()}: not set up")[1] for token in TOKENS[platform]), told
    status, told = follow(start, tmp_path)
    missing = [name for name in TOKENS[platform] if f"\n  {name}: " not in told]
    assert (status, "Traceback" in told, missing) == (2, False, []), told


@pytest.mark.rest
@GUIDES
async def test_with_tokens_they_lead_to_a_bot_that_is_ready(platform: str, guide: str, tmp_path: Path) -> None:
    async with Slack() as slack, DiscordEmulator() as discord:
        given = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app_token, **discord.environment}
        lines = (f"{token}={given.pop(token)}\n" for token in TOKENS[platform])
        (tmp_path / ".env").write_text("".join(lines), encoding="utf-8")
        ends = {"SLACK_API_URL": slack.url} | {name: url for name, url in given.items() if "TOKEN" not in name}
        ends |= {"STET_ARTICLES": str(written(tmp_path / "articles")), "STET_ENCODER": "none"}  # read sooner
        closing = re.findall("`(chmod [^`]+)`", guide)[0]
        check, start = (line for line in shell(guide) if line in ("stet check", f"stet {platform}"))
        for line in (closing, check):
            status, told = await asyncio.to_thread(follow, line, tmp_path, **ends)
            assert status == 0, told
        assert f"{platform.title()}: every token is set." in told
        assert "Other users of this machine" not in told
        bot, line = await launch(tmp_path, bare(tmp_path) | ends, *start.split()[1:])
        status, ready = await end(bot), line.strip()
        assert (f"`{ready}`" in guide, ready.startswith(f"stet: {platform} ready"), status) == (True, True, 0)


@GUIDES
def test_every_setting_that_is_named_exists_and_what_is_installed_is_an_extra(platform: str, guide: str) -> None:
    named = set(re.findall(r"\b(?:STET|SLACK|DISCORD)_[A-Z_]*[A-Z]\b", guide))
    assert named >= set(TOKENS[platform])
    assert named - {row.name for row in TABLE} == set()
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = next(line for line in shell(guide) if line.startswith("pip install")).split("[")[1].split("]")[0]
    assert {platform} <= {*installed.split(",")} <= extras.keys()


def test_the_guide_to_assistants_lists_every_tool_with_what_it_takes() -> None:
    guide = (PROJECT / "docs" / "assistants.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.*?) \|", guide)
    takes = {name: [argument.name for argument in tool.arguments] for name, tool in TOOLS.items()}
    assert {name: re.findall(r"`(\w+)`", cell) for name, cell in rows} == takes


def test_the_outlets_of_an_example_are_those_of_the_samples(tmp_path: Path) -> None:
    samples = {outlet.source for outlet in shelf.service(shelf.readings(shelf.SEEDS)).library.archive.outlets()}
    for document in ("channels", "assistants"):
        rules, guide = tmp_path / "channels.toml", (PROJECT / "docs" / f"{document}.md").read_text(encoding="utf-8")
        rules.write_text(guide.split("```toml\n")[1].split("```")[0], encoding="utf-8")
        channels = read_channels(load({"STET_CHANNELS": str(rules)}, tmp_path / "none"))
        assert [*unknown_sources(channels, samples)] == [], document


def test_the_guide_names_the_manifests_scopes_and_commands() -> None:
    """Those that are needed in one table, those that an admin may leave out in another; and no command besides."""
    manifest = json.loads((PROJECT / "docs" / re.findall(r"\(([^()]*manifest\.json)\)", SLACK)[0]).read_text())
    scopes = manifest["oauth_config"]["scopes"]
    needed, optional = (
        set(re.findall(r"`([a-z_]+(?::[a-z]+)?)`", "".join(re.findall(r"(?m)^(\|[^|]+\|)", part))))
        for part in SLACK.split("### What it may do")[1].split("## 2.")[0].split("| what is lost")
    )
    assert optional == set(scopes["bot_optional"])
    assert needed == set(scopes["bot"]) - optional
    commands = {command["command"] for command in manifest["features"]["slash_commands"]}
    assert set(re.findall(r"`(/[a-z]+)(?= |`)", SLACK)) - {"/healthz", "/readyz", "/invite"} == commands


# -- docs/deploy.md: the unit file, backup and restore, of a file and of a database ------------------------------------


def carry_out(name: str, state: str = "", **places: str) -> None:
    """Run the commands between two marks of the document, with other places in them."""
    found = re.search(f"<!-- {name} -->\n(.*?)<!-- /{name} -->", DEPLOY, re.DOTALL)
    assert found
    text = re.sub(r"(?m)^    ", "", found[1])
    for place, other in places.items():
        text = text.replace(f"/var/{place}/stet", other)
    status, told = run(text, Path.cwd(), {**os.environ, "STET_STATE": state})
    assert status == 0, told


def need(*programs: str) -> None:
    """Skip the test where a program is missing."""
    if missing := [program for program in programs if not shutil.which(program)]:
        pytest.skip(f"{missing} is not installed")


@pytest.mark.rest
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    need("systemd-analyze")
    unit = UNIT.read_text(encoding="utf-8").replace("/opt/stet/current/.venv/bin/stet", "/bin/true")
    assert "/bin/true run" in unit
    copy = tmp_path / "stet.service"
    copy.write_text(unit, encoding="utf-8")
    status, told = run(f"systemd-analyze verify --man=no {copy}", tmp_path, {**os.environ})
    assert (status, "stet.service" in told) == (0, False)


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


@pytest.mark.rest
def test_a_machine_restored_from_its_backup_answers_the_same(tmp_path: Path) -> None:
    """By the document's own commands, onto an empty machine: the same answers byte for byte, though paths differ."""
    need("sqlite3", "tar")
    first, second, backup = (str(tmp_path / name) for name in ("first", "second", "backup"))
    written(Path(first, "articles"))
    state = f"{first}/state.sqlite"
    answered(Path(first), state)
    with Store(state):  # it runs meanwhile
        carry_out("backup", lib=first, backups=backup)
    shutil.move(first, tmp_path / "lost")
    carry_out("restore", lib=second, backups=backup)
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
    carry_out("dump", before, backups=str(backup))
    carry_out("load", after, backups=str(backup))
    with Store(after) as store:
        assert store.last_answers(9) == kept
        assert store.record_answer(kept[0][1]) == len(QUESTIONS) + 1
