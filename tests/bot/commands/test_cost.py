"""What a command looks at: what has the name or the words, and not the whole archive."""

from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from bot.command import Library
from bot.model import Card
from bot.service import QuestionService
from retrieval import cache
from retrieval.archive import versions
from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_separately
from tests.stock import expect

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
    "who ada roe; said ada roe; said two passengers; said ada roe about quay; unverified ; unverified boats; "
    "disputed boats; disputed quay; sources boats"
).split("; ")
NOBODY = "who TYPO; who 1; who marta quost; said zz qq; disputed zyzzyva; sources zyzzyva".split("; ")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "archive.sqlite"
    with closing(PersistentArchive(path)) as fresh:
        fresh.add(tuple(read_separately(ARTICLES)))
    return path


@pytest.fixture
def archive(file: Path) -> Iterator[PersistentArchive]:
    with closing(PersistentArchive(file)) as opened:
        yield opened


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []

    def decode(article: Article, code: bytes) -> Reading:
        found.append(article.id)
        return cache.decode(article, code)

    monkeypatch.setattr(versions, "decode", decode)
    return found


def ask(archive: PersistentArchive, line: str) -> None:
    command, _, words = line.partition(" ")
    QuestionService(Library(archive)).command_in_full(command, words)


@pytest.mark.parametrize("line", ASKED)
def test_only_what_is_shown_is_decoded_and_only_once(archive: PersistentArchive, decoded: list[str], line: str) -> None:
    ask(archive, line)
    assert set(decoded) <= {"00.txt", "01.txt", "02.txt"}
    assert len(decoded) == len(set(decoded))


@pytest.mark.parametrize("line", NOBODY)
def test_for_what_is_not_there_nothing_is_decoded(archive: PersistentArchive, decoded: list[str], line: str) -> None:
    ask(archive, line)
    assert decoded == []


def test_articles_without_a_title_are_decoded_once_to_be_named(tmp_path: Path, decoded: list[str]) -> None:
    berths = [Article(f"{number:02}.txt", f"Ada Roe opened berth {number} on Friday.") for number in range(OTHERS)]
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as held:
        held.add(tuple(read_separately(berths)))
        decoded.clear()
        card = expect(Card, QuestionService(Library(held)).command_in_full("who", "ada roe"))
        assert [each.opening for each in card.articles] == [each.text for each in berths]
        assert len(decoded) == OTHERS
