"""What is typed so far, completed: names and articles, each once, and the likeliest of nothing typed."""

from __future__ import annotations

from bot.channels import Allowed, Policy
from bot.command import Argument
from bot.model import Asker, Place, Question
from retrieval.pipeline import read_one
from tests import stock
from tests.support.tables import articles

ARTICLES = (*articles(__file__).values(), stock.FERRY)
SERVICE = stock.service(ARTICLES)


def values(argument: Argument, typed: str) -> list[str]:
    return [one.value for one in SERVICE.autocomplete(argument, typed, 25)]


def test_each_bearer_of_a_name_is_offered_once_and_of_nothing_typed_those_in_most_articles() -> None:
    assert values(Argument.NAME, "lindh") == ["Agata Lindholm"]
    assert values(Argument.NAME, "zzz") == []
    assert values(Argument.NAME, "")[:2] == ["Rupert Vane", "Agata Lindholm"]
    assert "Rupert Vane" in values(Argument.NAME, " ")


def test_who_was_in_a_removed_article_alone_is_offered_no_more() -> None:
    service = stock.service(ARTICLES)
    service.autocomplete(Argument.NAME, "", 25)
    service.library.archive.remove("weir.txt")
    assert "Agata Lindholm" not in [one.value for one in service.autocomplete(Argument.NAME, "", 25)]
    service.library.archive.add([read_one(ARTICLES[0])])
    assert "Agata Lindholm" in [one.value for one in service.autocomplete(Argument.NAME, "", 25)]


def test_articles_are_offered_by_title_newest_first() -> None:
    assert values(Argument.ARTICLE, "weir") == ["weir.txt", "undated.txt"]
    assert values(Argument.ARTICLE, "")[-1] == "undated.txt"
    [one] = SERVICE.autocomplete(Argument.ARTICLE, "of old", 25)
    assert one.label.startswith("A weir of old")


def test_nothing_else_is_completed_and_nobody_refused_is_offered_anything() -> None:
    assert SERVICE.autocomplete(Argument.WORDS, "weir", 25) == ()
    closed = stock.service(ARTICLES, Policy((("slack", Allowed(people=("U1",))),)))
    stranger = Question("", None, Asker("U2"), Place("slack"))
    assert closed.autocomplete(Argument.ARTICLE, "", 25, stranger) == ()
