"""Standing questions: what is told of an article that comes in, and what only looks like it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from bot.command import Library
from bot.model import Answer, Listing, Message
from bot.sentence_links import address, encode
from bot.standing_questions import due, news_reply
from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.stock import BRIDGE, FERRY, expect
from tests.support.tables import cases

DAY = date(2031, 6, 1)
MINE = "Rescuers at the Corrow mine brought out 14 miners alive on Monday, the mine's owner said."
LEVY = "The council of Oxley voted on Tuesday to end the levy on river boats."


def came_in(tmp_path: Path, *articles: Article) -> Library:
    archive = PersistentArchive(tmp_path / "archive.sqlite")
    for article in (FERRY, BRIDGE, *articles):
        archive.add([read_one(article)])
    return Library(archive)


def new(text: str, **particulars: str) -> Article:
    return Article("new.txt", text, source="Daily Quill", published=DAY, **particulars)


def news(tmp_path: Path, words: str, *articles: Article) -> list[str]:
    found = due(came_in(tmp_path, *articles), words, {articles[-1].id})
    return [extract.text for extract in found.get(articles[-1].id, ())]


@cases("words, text, is_news")
def test_what_answers_or_is_said_is_news_and_what_only_looks_like_it_is_none(
    words: str, text: str, tmp_path: Path, *, is_news: bool
) -> None:
    assert news(tmp_path, words, new(text)) == ([text] if is_news else [])


def test_what_an_earlier_version_had_is_no_news(tmp_path: Path) -> None:
    question = "how many miners were brought out of the corrow mine"
    first = new(MINE)
    assert news(tmp_path / "same", question, first, new(f"{MINE} It rained.")) == []
    later = MINE.replace("14", "17")
    assert news(tmp_path / "changed", question, first, new(later)) == [later]
    said = "“The weir holds,” said Ada Venn. "
    again = new(f"{said} “It was tested,” she said.")
    assert news(tmp_path / "name", "Ada Venn", new(said), again) == ["“It was tested,” she said."]


def test_what_is_told_carries_its_caveat_and_its_article(tmp_path: Path) -> None:
    doubted = new(f"{MINE} The figure could not be independently verified.")
    holdings = came_in(tmp_path, doubted, replace(new(LEVY), id="levy.txt"))
    miners, levy = "how many miners were brought out of the corrow mine", "what did oxley council vote to end"
    one = (miners, found(holdings, miners, "new.txt"))
    other = (levy, found(holdings, levy, "levy.txt"))
    reply = expect(Answer, news_reply(holdings, [one]))
    assert reply.message == f"New on “{miners}”:"
    assert [(e.text, e.citation.article_id, bool(e.caveats)) for e in reply.extracts] == [(MINE, "new.txt", True)]
    several = expect(Listing, news_reply(holdings, [one, other]))
    assert [[e.text for e in section.extracts] for section in several.sections] == [[MINE], [LEVY]]
    archive = expect(PersistentArchive, holdings.archive)
    archive.add([read_one(new(MINE.replace("14", "17")))])
    assert isinstance(news_reply(holdings, [one, other]), Answer)
    archive.remove("levy.txt")
    assert isinstance(news_reply(holdings, [one, other]), Message)


def found(holdings: Library, words: str, article_id: str) -> str:
    extracts = due(holdings, words, {article_id})[article_id]
    return encode(map(address, extracts))
