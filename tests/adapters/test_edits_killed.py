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
from tests.support.program import PROJECT

pytestmark = pytest.mark.rest

SEED = 11


class Model:
    """The versions of one article that may be seen, and the one that waits."""

    def __init__(self) -> None:
        self.earlier: list[str] = []
        self.current: str | None = None
        self.waiting: tuple[str, datetime] | None = None

    def publish(self, text: str) -> None:
        if self.current not in (None, text):
            self.earlier.append(str(self.current))
        self.current = text

    def wait(self, now: datetime) -> None:
        if self.waiting and self.waiting[1] <= now:
            self.publish(self.waiting[0])
            self.waiting = None

    def put(self, text: str, embargo: datetime | None, now: datetime) -> None:
        self.waiting = None
        if not embargo or embargo <= now:
            self.publish(text)
            return
        self.waiting = (text, embargo)
        if text == self.current:  # what was public is so no more
            self.current = None

    @property
    def seen(self) -> list[str]:
        return [*self.earlier, self.current] if self.current else []

    @property
    def texts(self) -> set[str]:
        return {*self.earlier, *filter(None, (self.current, self.waiting and self.waiting[0]))}


def modelled(steps: int, now: datetime) -> list[Model]:
    models = [Model() for _ in range(ARTICLES)]
    for each in (step(SEED, number) for number in range(steps)):
        for model in models:
            model.wait(each.at)
        if each.removed:
            models[each.article] = Model()
        else:
            models[each.article].put(text(each.article, each.version), each.embargo, each.at)
    for model in models:
        model.wait(now)
    return models


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
        one = step(SEED, done).article
        expected: set[str] = set()
        for article in range(ARTICLES):
            models = (before[article], after[article]) if article == one else (before[article],)
            mine = waiting & {text(article, version) for version in range(VERSIONS)}
            [model, *_] = [
                m for m in models if m.seen == shown[article] and mine == ({m.waiting[0]} if m.waiting else set())
            ]
            expected |= model.texts
        allowed = {word(a, v) for a in range(ARTICLES) for v in range(VERSIONS) if text(a, v) in expected}
        assert left(tmp_path / "kept") <= allowed
