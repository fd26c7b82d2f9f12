"""A process that is killed while articles are edited, embargoed, released and removed: what may be seen stays so.

The process is this module: ``python -m tests.adapters.test_edits_killed FOLDER FIRST`` does a newsroom's day (versions,
embargoes, a followed folder, answers and removals) from the number ``FIRST`` on, and says of each that it is done; it
may be killed at any moment, and does the one under way again.
"""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from adapters.answer_record import new_record
from adapters.articles import erase_what_is_removed
from adapters.settings import Settings, load
from adapters.storage.store import Store
from bot.command import Library
from bot.model import Asker, Place, Question
from bot.service import QuestionService
from retrieval import Article, Fetcher, Follower, PersistentArchive, WritableArchive, read_one
from tests.retrieval.archive.test_stateful import Model, Versions
from tests.support.nightly import examples
from tests.support.program import PROJECT

pytestmark = pytest.mark.rest

SEED = 11
ARTICLES, VERSIONS = 6, 5
DIRECT = ARTICLES // 2  # from which number on an article comes by the folder
BEGIN = datetime(2024, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Step:
    """What is done at a time: a version of an article is put in, or the article is ``removed``."""

    at: datetime
    article: Article
    removed: bool


def word(article: int, version: int) -> str:
    return f"zq{'abcdef'[article]}{'klmnp'[version]}vx"


def text(article: int, version: int) -> str:
    name = word(article, version).capitalize()
    return f"The dam at {name} holds, Ada {name} said on Friday. Nobody was hurt."


TEXTS = {word(article, version): text(article, version) for article in range(ARTICLES) for version in range(VERSIONS)}


def step(number: int) -> Step:
    """Return what is done as the one with this number, an hour after the one before."""
    chance = random.Random(f"{SEED} {number}")  # noqa: S311
    at = BEGIN + number * HOUR
    embargo = chance.choice((None, -2, 1, 3, 9))
    ends = None if embargo is None else at + embargo * HOUR
    number, version = chance.randrange(ARTICLES), chance.randrange(VERSIONS)
    return Step(at, Article(f"{number}.txt", text(number, version), embargo=ends), chance.random() < 0.15)


def settings(folder: Path) -> Settings:
    os.environ["XDG_CACHE_HOME"] = f"{folder}/kept"
    return load({"STET_STATE": f"{folder}/kept/state.sqlite"}, folder)


@contextmanager
def opened(folder: Path, now: datetime) -> Iterator[PersistentArchive]:
    with closing(PersistentArchive(folder / "kept" / "archive.sqlite", now=now.timestamp)) as archive:
        yield archive


def do(folder: Path, each: Step) -> None:
    keeping, article = settings(folder), each.article
    with opened(folder, each.at) as archive:
        archive.publish_due()
        file = folder / "copy" / article.id
        if each.removed:
            file.unlink(missing_ok=True)
            with suppress(KeyError):
                archive.remove(article.id)
        elif int(file.stem) < DIRECT:
            if not archive.known([article])[0]:
                archive.add([read_one(article)])
        else:
            head = f"---\nid: {article.id}\nembargo: {article.embargo.isoformat()}\n---\n" if article.embargo else ""
            written = file.with_suffix(".new")
            written.write_text(head + article.text, encoding="utf-8")
            written.replace(file)
            with closing(sqlite3.connect(archive.path)) as lease, lease:  # who followed last may have been killed
                lease.execute("DELETE FROM facts WHERE name = 'follower'")
            with closing(Follower(archive, Fetcher(), now=each.at.timestamp)) as follower:
                follower.follow(str(file.parent))
                for feed in archive.subscriptions.every():
                    archive.subscriptions.put(replace(feed, due=0.0))
                list(follower.look())
        erase_what_is_removed(keeping, archive)
        archive.retirements.publish_removals()
        note(keeping, archive, article.id)


def note(keeping: Settings, archive: PersistentArchive, name: str) -> None:
    with suppress(KeyError):
        reading = archive.reading(name)
        question = Question("who said that the dam holds?", asker=Asker("page"), place=Place("page"))
        reply = QuestionService(Library(archive)).answer(question)
        with Store(keeping.state, keeping.keep_days) as store:
            store.record_answer(new_record(question, "what was said?", reply))
        asked_folder = user_cache_path("stet") / "readings" / f"readings-{'0' * 16}.sqlite"
        with closing(WritableArchive(asked_folder)) as kept:
            kept.add([reading])


def modelled(steps: int, now: datetime) -> dict[str, Versions]:
    """Return what the model of the archive has after so many steps, by names of articles."""
    model = Model()
    for each in (step(number) for number in range(steps)):
        model.publish_due(each.at)
        if not each.removed:
            model.add(each.article, each.at)
        elif each.article.id in model.articles:
            model.remove(each.article.id)
    model.publish_due(now)
    return model.articles


def seen(archive: PersistentArchive, article: int) -> list[str]:
    name = f"{article}.txt"
    digests = {Article(name, text(article, v)).digest: text(article, v) for v in range(VERSIONS)}
    shown: list[str] = []
    with suppress(KeyError):
        shown = [digests[version.digest] for version in archive.history(name)]
    keys = {each for each in digests.values() if archive.addressed(Article(name, each).key)}
    assert keys == set(shown)
    return shown


def killed(folder: Path, first: int, chance: random.Random) -> int:
    """Kill a process that goes on from a step, some time after it has done a few; return the next step."""
    command = [sys.executable, "-m", "tests.adapters.test_edits_killed", str(folder), str(first)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as editing:
        said = [int(editing.stdout.readline()) for _ in range(chance.randint(1, 4))]
        with suppress(subprocess.TimeoutExpired):
            editing.wait(chance.uniform(0, 0.3))
        editing.kill()
        said += [int(line) for line in editing.stdout.read().split("\n")[:-1]]
    return said[-1] + 1


@pytest.mark.parametrize("kills", [examples(2, 3), pytest.param(60, marks=pytest.mark.soak)])
def test_a_killed_process_publishes_nothing_and_leaves_no_word(tmp_path: Path, kills: int) -> None:
    (tmp_path / "copy").mkdir()
    chance, done = random.Random(SEED), 0  # noqa: S311
    for _ in range(kills):
        done = killed(tmp_path, done, chance)
        now = step(done).at
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
            models = (before, after) if name == step(done).article.id else (before,)
            [versions, *_] = [
                each
                for each in (model.get(name, Versions()) for model in models)
                if [public.text for public, _ in each.public] == shown[article]
                and mine == ({each.waiting.text} if each.waiting else set())
            ]
            expected |= {each.text for each in versions.stored}
        content = b"".join(file.read_bytes() for file in (tmp_path / "kept").rglob("*") if file.is_file()).lower()
        assert [word for word, text in TEXTS.items() if text not in expected and word.encode() in content] == []


if __name__ == "__main__":
    for number in count(int(sys.argv[2])):
        do(Path(sys.argv[1]), step(number))
        print(number, flush=True)  # noqa: T201 - the line that others wait for
