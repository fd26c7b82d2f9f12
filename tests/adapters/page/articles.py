"""Articles for the page: some that it must show and never obey, and one of three versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one

SCRIPT = "<script>document.title='taken'</script>"
WORD = "w" * 40_000

MARKUP = Article(
    id="mark/up & <b>.txt",
    title=f"A title with {SCRIPT} in it",
    url="javascript:document.title='taken'",
    source="\" onmouseover=\"document.title='taken'",
    author="<img src=x onerror=document.title='taken'>",
    text=(
        f"The harbour master said the pier {SCRIPT} would stay shut. "
        "“<img src=x onerror=\"document.title='taken'\"> is what I saw,” said Ida </p></li></article> Holm.\n\n"
        "<a href=\"javascript:document.title='taken'\">The crew</a> left at noon {{ 7 * 7 }} {% raw %} &amp; &#60;.\n\n"
        "The accounts </style><script>document.title='taken'</script> could not be independently verified."
    ),
)
TURNED = Article(
    id="turned.txt",
    title="Turned \u202eround",
    text="The council said \u202etfel ot thgir\u202c was the way out. A \x00 bell \x07 rang \x1b[31m in red today.",
)
LONG = Article(id="long.txt", text=f"The clerk read out {WORD} to the room. Nobody in the room objected to that.")
HOSTILE = (MARKUP, TURNED, LONG)


MORNING = datetime(2031, 5, 9, 8, tzinfo=UTC)
HERALD = "The Pellmarsh Herald"
FIRST = Article(
    id="ferry",
    title="Ferry aground",
    source=HERALD,
    text=(
        "A ferry with 212 people on board ran aground off Sandholm on Friday.\n\n"
        "“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher. "
        "The account could not be independently verified.\n\n"
        "The shipping line, Norfar, denied that the wheel had been unmanned.\n\n"
        "Divers will go down on Monday."
    ),
)
SECOND = replace(FIRST, text=FIRST.text.replace("212 people", "214 people"))
THIRD = replace(
    FIRST,
    text=SECOND.text.replace("“Nobody was at the wheel,”", "“A boy was at the wheel,”").replace(
        "Divers will go down on Monday.", "The harbour stays closed. The <b>tug</b> arrived at dawn."
    ),
)
VERSIONS = (FIRST, SECOND, THIRD)


class Days:
    """A clock that a test sets by days from the first morning."""

    def __init__(self) -> None:
        self.passed = 0.0

    def __call__(self) -> float:
        return (MORNING + timedelta(days=self.passed)).timestamp()


@contextmanager
def archive_of(versions: Sequence[Article], folder: Path) -> Iterator[tuple[PersistentArchive, Days]]:
    days = Days()
    with closing(PersistentArchive(folder / "archive.sqlite", now=days)) as archive:
        for number, article in enumerate(versions):
            days.passed = number
            archive.add([read_one(article)])
        yield archive, days


@contextmanager
def corrected(folder: Path, versions: Sequence[Article] = VERSIONS) -> Iterator[QuestionService]:
    with archive_of(versions, folder) as (archive, _):
        yield QuestionService(Library(archive))
