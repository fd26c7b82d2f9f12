"""How a lasting archive grows and answers: adding, commands, and a single ``stet ask``."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benches.newsroom import Newsroom, newsroom, real
from benches.sizes import judge, sized
from benches.test_start import judge_kept
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_one
from retrieval.processes import collect_rarely

HELD = sized(40_000, 20)
MORE = sized(1_000, 4)
REAL = sized(2_000, 8)  # articles that are read; the others are variants of them
TOGETHER = 256  # articles that are put in at once, as `stet add` does
TIMES = 1.8  # what reading more articles takes, beside which they are added; here each has a copy for every round
ONE_MORE = 0.1  # seconds that adding one article takes over reading it
COMMAND = (300.0, 1_000.0)  # milliseconds of a command, at 2,000 articles and at all of them
TOPICS = ("", "police", "government", "killed", "election results", "zyzzyva")
COMMAND_SECONDS = 0.8  # of a whole `stet ask` beside numpy's import, at 40,000 articles
QUESTION = ("-m", "adapters", "ask", "how many were buried in mass graves")


@pytest.fixture(scope="module")
def room() -> Newsroom:
    return newsroom(real(REAL), HELD)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, room: Newsroom) -> Iterator[PersistentArchive]:
    made = os.environ.get("STET_BENCH_ARCHIVE")
    lasting = PersistentArchive(Path(made) if made else tmp_path_factory.mktemp("archive") / "archive.sqlite")
    collect_rarely()
    for start in range(sum(outlet.articles for outlet in lasting.outlets()), HELD, TOGETHER):
        lasting.add(list(room.variants(start, min(TOGETHER, HELD - start))))
    yield lasting
    lasting.close()


def test_more_articles_take_little_more_than_reading_them(archive: PersistentArchive, room: Newsroom) -> None:
    fresh = [reading.article for reading in room.variants(HELD, MORE + 1)]
    began = time.process_time()
    own = [read_one(article) for article in fresh]
    reading = (time.process_time() - began) * MORE / (MORE + 1)
    began = time.process_time()
    for start in range(0, MORE, TOGETHER):
        archive.add(own[start : min(start + TOGETHER, MORE)])
    adding = time.process_time() - began
    began = time.process_time()
    archive.add([own[-1]])
    one = time.process_time() - began
    print(
        f"\n{archive.vocabulary().size()} sentences: {MORE} more are read in {reading:.2f} s of a core and added"
        f" in {adding:.2f} s; one alone in {1000 * one:.0f} ms; the file has {archive.path.stat().st_size // 10**6} MB"
    )
    for article in fresh:
        archive.remove(article.id)
    judge(reading + adding, TIMES * reading)
    judge(one, ONE_MORE)


@pytest.mark.parametrize("many", [False, True])
def test_commands_look_at_what_has_the_name(
    request: pytest.FixtureRequest, room: Newsroom, tmp_path: Path, *, many: bool
) -> None:
    with closing(PersistentArchive(tmp_path / "few.sqlite")) as few:
        if not many:
            few.add(list(room.variants(0, REAL)))
        held = request.getfixturevalue("archive") if many else few
        service = QuestionService(Library(held))
        asked = [(command, name) for command in ("who", "said") for name in _names(held)]
        asked += [(command, words) for command in ("unverified", "disputed", "sources") for words in TOPICS]
        taken: dict[str, list[float]] = {}
        held.register().beginning("a")
        for command, words in asked:
            act = _taken(lambda command=command, words=words: service.command_in_full(command, words))
            taken.setdefault(command, []).append(act)
        print(f"\n{sum(outlet.articles for outlet in held.outlets())} articles")
        for command, times in taken.items():
            median, most = statistics.median(times), max(times)
            print(f"{command:12} median {median:6.0f} ms, most {most:6.0f} ms")
        for times in taken.values():
            judge(statistics.median(times), COMMAND[many])


def _names(archive: PersistentArchive) -> list[str]:
    often = sorted(archive.register().entities(), key=lambda entity: (-len(entity.articles), entity.name))
    places = (0, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
    return [*(often[place].name for place in places if place < len(often)), "TYPO", "1", "martin lundkvistson"]


def _taken(act: Callable[[], object]) -> float:
    began = time.thread_time()
    act()
    return 1000 * (time.thread_time() - began)


def test_an_answer_from_a_large_archive_is_soon_there(
    archive: PersistentArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_ARCHIVE", str(archive.path))
    judge_kept(QUESTION, COMMAND_SECONDS)
