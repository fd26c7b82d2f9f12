"""Articles for the page: some that it must show and never obey, and one of three versions."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

from adapters.page.addresses import DAY_SECONDS
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.support.tables import articles

SCRIPT = "<script>document.title='taken'</script>"
WORD = "w" * 40_000

MARKUP = replace(articles(__file__)["markup"], id="mark/up & <b>.txt")
TURNED = articles(__file__)["turned"]
LONG = Article(id="long.txt", text=f"The clerk read out {WORD} to the room. Nobody in the room objected to that.")
HOSTILE = (MARKUP, TURNED, LONG)


MORNING = datetime(2031, 5, 9, 8, tzinfo=UTC)
FIRST = replace(articles(__file__)["ferry"], id="ferry")
SECOND = replace(FIRST, text=FIRST.text.replace("212 people", "214 people"))
THIRD = replace(
    FIRST,
    text=SECOND.text.replace("“Nobody was at the wheel,”", "“A boy was at the wheel,”").replace(
        "Divers will go down on Monday.", "The harbour stays closed. The <b>tug</b> arrived at dawn."
    ),
)
VERSIONS = (FIRST, SECOND, THIRD)


@contextmanager
def archive_of(versions: Sequence[Article], folder: Path) -> Iterator[tuple[PersistentArchive, SimpleNamespace]]:
    """Yield an archive to which a version was added each day, and its clock: the days ``passed`` since the first."""
    days = SimpleNamespace(passed=0)
    opened = PersistentArchive(folder / "archive.sqlite", now=lambda: MORNING.timestamp() + DAY_SECONDS * days.passed)
    with closing(opened) as archive:
        for days.passed, article in enumerate(versions):
            archive.add([read_one(article)])
        yield archive, days


@contextmanager
def corrected(folder: Path, versions: Sequence[Article] = VERSIONS) -> Iterator[QuestionService]:
    with archive_of(versions, folder) as (archive, _):
        yield QuestionService(Library(archive))
