"""What a command looks at: what has the name or the words, and not the whole archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.command import Holdings
from bot.commands.who import SHOWN
from bot.desk import Desk
from bot.model import Card
from retrieval.archive.archive import LastingArchive, open_archive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_apart

OTHERS = 30
FEW = (
    "Ada Roe, the mayor of Oxley, said the quay would open. “It is safe,” Ada Roe said. Omar Diaz denied it.",
    "Soldiers had burned two boats at the quay, residents said. The claims could not be independently verified.",
    "Pavel Dorn met Ada Roe. The two passengers said that 12 boats were lost. Ines Lund said that 14 boats were lost.",
)
ARTICLES = [
    Article(f"{number:02}.txt", text, source="The Gull", published=date(2031, 5, 1) + timedelta(number))
    for number, text in enumerate(
        (*FEW, *(f"Marta Quist{n} sold {n} lamps at the market on Friday." for n in range(OTHERS)))
    )
]
ASKED = (
    ("who", "ada roe"),
    ("said", "ada roe"),
    ("said", "two passengers"),
    ("said", "ada roe about quay"),
    ("unverified", ""),
    ("unverified", "boats"),
    ("disputed", "boats"),
    ("disputed", "quay"),
    ("sources", "boats"),
)
NOBODY = (
    ("who", "TYPO"),
    ("who", "1"),
    ("who", "marta quost"),
    ("said", "zz qq"),
    ("disputed", "zyzzyva"),
    ("sources", "zyzzyva"),
)


class Counted(LastingArchive):
    """An archive that knows which of its readings were decoded."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.decoded: list[int] = []

    def _read(self, number: int) -> Reading:
        self.decoded.append(number)
        return super()._read(number)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    """Return an archive of a few articles among many."""
    with closing(Counted(tmp_path_factory.mktemp("archive") / "archive.sqlite")) as held:
        held.add(tuple(read_apart(ARTICLES)))
        yield held


@pytest.mark.parametrize(("command", "words"), ASKED)
def test_only_what_is_shown_is_decoded(archive: Counted, command: str, words: str) -> None:
    """Each once, however often the command goes through what has the name."""
    archive.decoded.clear()
    archive._forget()
    Desk(Holdings(archive)).whole(command, words)
    shown = set(archive.decoded)
    assert shown <= {1, 2, 3}
    assert len(archive.decoded) == len(shown)


@pytest.mark.parametrize(("command", "words"), NOBODY)
def test_for_what_is_not_there_nothing_is_decoded(archive: Counted, command: str, words: str) -> None:
    """A misspelt name, a number, or words of no article."""
    archive.decoded.clear()
    archive._forget()
    Desk(Holdings(archive)).whole(command, words)
    assert archive.decoded == []


@pytest.mark.parametrize(("command", "words"), [*ASKED, *NOBODY])
def test_what_is_said_is_what_is_said_of_all_in_memory(archive: Counted, command: str, words: str) -> None:
    """By the same articles, all of which are looked at there."""
    in_memory = Desk(Holdings(open_archive(read_apart(ARTICLES))))
    told, held = Desk(Holdings(archive)).whole(command, words), in_memory.whole(command, words)
    assert command == "sources" or told == held


def test_articles_without_a_title_are_not_decoded_to_be_named(tmp_path: Path) -> None:
    """A card lists every article by its opening words, and decodes those alone whose sentences it shows."""
    berths = [Article(f"{number:02}.txt", f"Ada Roe opened berth {number} on Friday.") for number in range(OTHERS)]
    with closing(Counted(tmp_path / "archive.sqlite")) as held:
        held.add(tuple(read_apart(berths)))
        card = Desk(Holdings(held)).whole("who", "ada roe")
        assert isinstance(card, Card)
        assert [each.opening for each in card.articles] == [each.text for each in berths]
        assert len(held.decoded) == SHOWN
