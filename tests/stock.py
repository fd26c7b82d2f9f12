"""A stock of articles for tests: own prose on invented events."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from bot.channels import Policy
from bot.command import Library
from bot.service import QuestionService
from retrieval.archive.archive import WritableArchive, open_archive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from tests.support.tables import articles

FERRY, BRIDGE = articles(__file__).values()


def written(folder: Path) -> Path:
    """Write both into a new folder, as plain texts that say nothing else of themselves; return it."""
    folder.mkdir(parents=True)
    for article in (FERRY, BRIDGE):
        (folder / article.id).write_text(article.text, encoding="utf-8")
    return folder


T = TypeVar("T")
read = cache(read_one)  # each article once in a run of the tests


def expect(kind: type[T], found: object) -> T:
    assert isinstance(found, kind), found
    return found


def archive_of(*texts: str) -> WritableArchive:
    """Return an archive of articles with these texts, called by the letters of the alphabet."""
    return open_archive([read(Article(chr(ord("a") + n), text)) for n, text in enumerate(texts)])


def caveated(reading: Reading, covers: Iterable[int] = (), possible: Iterable[int] = ()) -> Reading:
    """Return a reading whose caveat covers these sentences, surely or possibly, and no other."""
    caveat = replace(reading.caveats[0], covers=tuple(covers), possible=tuple(possible))
    passages = (
        replace(p, caveats=(caveat,) * (i in caveat.covers), possible_caveats=(caveat,) * (i in caveat.possible))
        for i, p in enumerate(reading.passages)
    )
    return replace(reading, passages=tuple(passages), caveats=(caveat,))


def holdings(articles: Iterable[Article] = (FERRY, BRIDGE)) -> Library:
    return Library(open_archive([read(article) for article in articles]))


def service(articles: Iterable[Article] = (FERRY, BRIDGE), policy: Policy | None = None) -> QuestionService:
    return QuestionService(holdings(articles), policy or Policy())
