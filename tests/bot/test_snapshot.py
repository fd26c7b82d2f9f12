"""A question reads one state of the archive, whatever is added, changed and removed while it is answered."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache, partial
from itertools import cycle, islice, product
from pathlib import Path

import pytest

from bot import messages, verbatim
from bot.command import Library
from bot.model import Question, Reply
from bot.outline import outline
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive, WritableArchive, open_archive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.search import Query, Scope
from retrieval.text.terms import term

TEXTS = {
    "ferries.txt": "Three ferries sank at Norby on Monday, Ann Smith said. “Nobody was on board,” Ann Smith said.",
    "council.txt": "The council met in the old hall. It will plant roses, Tom Orly said. The hall was full.",
    "bread.txt": "Bread was sold for nine crowns at Norby, Tom Orly said. “It is too dear,” Ann Smith said.",
}
AHEAD = ("", "This was added later. And so was this, Eva Holt said. ")
QUESTIONS = ("how many ferries sank at Norby", "who met in the old hall")
ASKED = (*QUESTIONS, "/said Ann Smith", "/said Tom Orly", "/who Ann Smith")
LEFT_OUT = len(AHEAD)  # in the place of the number of a version

Seen = tuple[object, ...]


@cache
def version(article_id: str, number: int) -> Reading:
    return read_one(Article(article_id, AHEAD[number] + TEXTS[article_id], source="The Norby Post"))


def seen(reply: Reply) -> Seen:
    listing = outline(reply)
    return (listing.title, *((each.text, each.speaker) for each in listing.all_extracts))


@cache
def right_replies() -> dict[str, frozenset[Seen]]:
    found: dict[str, set[Seen]] = {asked: set() for asked in ASKED}
    for numbers in product(range(LEFT_OUT + 1), repeat=len(TEXTS)):
        held = [version(each, n) for each, n in zip(TEXTS, numbers, strict=True) if n != LEFT_OUT]
        with closing(open_archive(held)) as archive:
            for asked, replies in found.items():
                replies.add(seen(QuestionService(Library(archive)).answer(Question(asked))))
    return {asked: frozenset(replies) for asked, replies in found.items()}


def keep_writing(archive: WritableArchive, article_id: str, stop: threading.Event, faults: list[BaseException]) -> None:
    """Put in one version of an article after the other, with its removal in between."""
    try:
        for number in cycle((1, 0, LEFT_OUT, 1, LEFT_OUT, 0)):
            if stop.is_set():
                break
            if number == LEFT_OUT:
                archive.remove(article_id)
            else:
                archive.add([version(article_id, number)])
    except BaseException as fault:  # noqa: BLE001 - whatever it is, the test tells it
        faults.append(fault)


def wrong_replies(archive: WritableArchive, first: int, number: int) -> Iterator[tuple[str, Seen]]:
    service = QuestionService(Library(archive))
    for asked in islice(cycle(ASKED), first, first + number):
        reply = seen(service.answer(Question(asked)))
        if reply not in right_replies()[asked]:
            yield asked, reply


def in_threads(*acts: Callable[[], object]) -> list[threading.Thread]:
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.parametrize("in_memory", [False, True], ids=["file", "memory"])
@pytest.mark.parametrize(
    "number", [pytest.param(8, marks=pytest.mark.rest), pytest.param(10_000, marks=pytest.mark.soak)]
)
def test_every_reply_beside_three_writers_is_of_one_state(tmp_path: Path, number: int, *, in_memory: bool) -> None:
    right_replies()
    assert (messages.FAILED,) not in frozenset().union(*right_replies().values())
    stop, wrong, faults = threading.Event(), list[tuple[str, Seen]](), list[BaseException]()
    with ExitStack() as stack:
        path = tmp_path / "archive.sqlite"
        archive = stack.enter_context(closing(WritableArchive(None if in_memory else path)))
        archive.add([version(each, 0) for each in TEXTS])
        own = [archive if in_memory else stack.enter_context(closing(PersistentArchive(path))) for _ in TEXTS]
        writing = in_threads(*(partial(keep_writing, *each, stop, faults) for each in zip(own, TEXTS, strict=True)))
        askers = in_threads(*(lambda n=n: wrong.extend(wrong_replies(archive, n, number // 4)) for n in range(4)))
        for thread in askers:
            thread.join()
        stop.set()
        for thread in writing:
            thread.join()
    assert (faults, wrong) == ([], [])


@pytest.mark.parametrize("path", ["archive.sqlite", None])
def test_in_a_snapshot_nothing_that_is_written_meanwhile_is_seen(tmp_path: Path, path: str | None) -> None:
    archive = WritableArchive(tmp_path / path if path else None)
    archive.add([version("ferries.txt", 0)])
    query = Query(((term("norby"), 1.0), (term("council"), 1.0)))

    def write() -> None:
        archive.add([version("ferries.txt", 1), version("council.txt", 0)])

    with archive.snapshot() as view:
        [hit, *_] = view.search(query, 5)
        [writing] = in_threads(write)
        if path:
            writing.join()
        assert view.article("ferries.txt").digest == hit.digest == version("ferries.txt", 0).article.digest
        assert [each.id for each in view.articles()] == ["ferries.txt"]
        assert {each.article_id for each in view.search(query, 5)} == {"ferries.txt"}
        assert view.register().named(["tom", "orly"]) == view.scoped(Scope()).register().named(["tom", "orly"]) == ()
    writing.join()
    assert {each.article_id for each in archive.search(query, 5)} == {"ferries.txt", "council.txt"}
    assert archive.register().named(["tom", "orly"])
    archive.close()


def test_of_another_version_than_the_one_it_was_found_in_nothing_is_quoted() -> None:
    archive = open_archive([version("ferries.txt", 0)])
    [hit, *_] = archive.search(Query(((term("norby"), 1.0),)), 5)
    archive.add([version("ferries.txt", 1)])
    assert verbatim.extract(archive, hit.article_id, 0)
    assert verbatim.extract(archive, hit.article_id, 0, digest=hit.digest) is None


def test_searches_in_two_threads_run_at_once(tmp_path: Path) -> None:
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        archive.add([version("ferries.txt", 0)])
        both = threading.Barrier(2, timeout=10)
        found: list[int] = []

        def look() -> None:
            with archive.snapshot() as view:
                both.wait()
                found.append(len(view.search(Query(((term("norby"), 1.0),)), 5)))
                both.wait()

        for thread in in_threads(look, look):
            thread.join()
        assert found == [2, 2]
