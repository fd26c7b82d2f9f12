"""A process that is killed while articles are edited, embargoed, released and removed: what may be seen stays so."""

from __future__ import annotations

import random
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from adapters.articles import erase_what_is_removed
from retrieval import Article, PersistentArchive
from tests.adapters.edits import ARTICLES, VERSIONS, opened, settings, step, text, word
from tests.retrieval.archive.test_stateful import Model, Versions
from tests.support.program import PROJECT

pytestmark = pytest.mark.rest

SEED = 11


def modelled(steps: int, now: datetime) -> dict[str, Versions]:
    """Return what the model of the archive has after so many steps, by names of articles."""
    model = Model()
    for each in (step(SEED, number) for number in range(steps)):
        model.publish_due(each.at)
        if not each.removed:
            model.add(Article(each.name, text(each.article, each.version), embargo=each.embargo), each.at)
        elif each.name in model.articles:
            model.remove(each.name)
    model.publish_due(now)
    return model.articles


def seen(archive: PersistentArchive, article: int) -> list[str]:
    name = f"{article}.txt"
    digests = {Article(name, text(article, v)).digest: text(article, v) for v in range(VERSIONS)}
    try:
        shown = [digests[version.digest] for version in archive.history(name)]
    except KeyError:
        shown = []
    keys = {each for each in digests.values() if archive.addressed(Article(name, each).key)}
    assert keys == set(shown)
    return shown


def left(folder: Path) -> set[str]:
    content = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file()).lower()
    return {word(a, v) for a in range(ARTICLES) for v in range(VERSIONS) if word(a, v).encode() in content}


def killed(folder: Path, first: int, chance: random.Random) -> int:
    """Kill a process that goes on from a step, some time after it has done a few; return the next step."""
    command = [sys.executable, "-m", "tests.adapters.edits", str(folder), str(SEED), str(first)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as editing:
        said = [int(editing.stdout.readline()) for _ in range(chance.randint(1, 4))]
        with suppress(subprocess.TimeoutExpired):
            editing.wait(chance.uniform(0, 0.3))
        editing.kill()
        said += [int(line) for line in editing.stdout.read().split("\n")[:-1]]
    return said[-1] + 1


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.soak)])
def test_a_killed_process_publishes_nothing_and_leaves_no_word(tmp_path: Path, kills: int) -> None:
    (tmp_path / "copy").mkdir()
    chance, done = random.Random(SEED), 0  # noqa: S311
    for _ in range(kills):
        done = killed(tmp_path, done, chance)
        now = step(SEED, done).at
        with opened(tmp_path, now) as archive:
            archive.publish_due()
            erase_what_is_removed(settings(tmp_path), archive)
            archive.retirements.publish_removals()
            assert archive.fault() == ""
            assert archive.damaged() == ()
            shown = [seen(archive, article) for article in range(ARTICLES)]
            waiting = {article.text for article in archive.waiting()}
        before, after = modelled(done, now), modelled(done + 1, now)
        expected: set[str] = set()
        for article in range(ARTICLES):
            name, mine = f"{article}.txt", waiting & {text(article, version) for version in range(VERSIONS)}
            models = (before, after) if name == step(SEED, done).name else (before,)
            [versions, *_] = [
                each
                for each in (model.get(name, Versions()) for model in models)
                if [public.text for public, _ in each.public] == shown[article]
                and mine == ({each.waiting.text} if each.waiting else set())
            ]
            expected |= {each.text for each in versions.stored}
        allowed = {word(a, v) for a in range(ARTICLES) for v in range(VERSIONS) if text(a, v) in expected}
        assert left(tmp_path / "kept") <= allowed
