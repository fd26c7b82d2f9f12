"""A newsroom's day by a seed: versions, embargoes, a followed folder, answers and removals, one after another.

``python -m tests.adapters.edits FOLDER SEED FIRST`` does what comes from the number ``FIRST`` on, and says of each that
it is done; it may be killed at any moment, and does the one under way again.
"""

from __future__ import annotations

import os
import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from platformdirs import user_cache_path

from adapters.answer_record import new_record
from adapters.articles import erase_what_is_removed
from adapters.settings import Settings, load
from adapters.storage.store import Store
from bot.command import Library
from bot.model import Asker, Place, Question
from bot.service import QuestionService
from retrieval import Article, Fetcher, Follower, PersistentArchive, WritableArchive, read_one

ARTICLES, VERSIONS = 6, 5
DIRECT = ARTICLES // 2  # from which number on an article comes by the folder
BEGIN = datetime(2024, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Step:
    """What is done to an article at a time: version and embargo are set, or it is ``removed``."""

    at: datetime
    article: int
    version: int
    embargo: datetime | None
    removed: bool

    @property
    def name(self) -> str:
        return f"{self.article}.txt"


def word(article: int, version: int) -> str:
    return f"zq{'abcdef'[article]}{'klmnp'[version]}vx"


def text(article: int, version: int) -> str:
    name = word(article, version).capitalize()
    return f"The dam at {name} holds, Ada {name} said on Friday. Nobody was hurt."


def step(seed: int, number: int) -> Step:
    """Return what is done as the one with this number, an hour after the one before."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311
    at = BEGIN + number * HOUR
    embargo = chance.choice((None, -2, 1, 3, 9))
    ends = None if embargo is None else at + embargo * HOUR
    return Step(at, chance.randrange(ARTICLES), chance.randrange(VERSIONS), ends, chance.random() < 0.15)


def settings(folder: Path) -> Settings:
    os.environ["XDG_CACHE_HOME"] = f"{folder}/kept"
    return load({"STET_STATE": f"{folder}/kept/state.sqlite"}, folder)


@contextmanager
def opened(folder: Path, now: datetime) -> Iterator[PersistentArchive]:
    with closing(PersistentArchive(folder / "kept" / "archive.sqlite", now=now.timestamp)) as archive:
        yield archive


def do(folder: Path, each: Step) -> None:
    keeping = settings(folder)
    with opened(folder, each.at) as archive:
        archive.publish_due()
        file = folder / "copy" / each.name
        if each.removed:
            file.unlink(missing_ok=True)
            with suppress(KeyError):
                archive.remove(each.name)
        elif each.article < DIRECT:
            reading = read_one(Article(each.name, text(each.article, each.version), embargo=each.embargo))
            if not archive.known([reading.article])[0]:
                archive.add([reading])
        else:
            head = f"---\nid: {each.name}\nembargo: {each.embargo.isoformat()}\n---\n" if each.embargo else ""
            written = file.with_suffix(".new")
            written.write_text(head + text(each.article, each.version), encoding="utf-8")
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
        note(keeping, archive, each.name)


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


if __name__ == "__main__":
    place, seed, first = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for number in count(first):
        do(place, step(seed, number))
        print(number, flush=True)  # noqa: T201 - the line that others wait for
