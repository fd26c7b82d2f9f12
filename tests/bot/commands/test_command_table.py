"""Which lines are commands, and which are questions that begin as one; and what completes an argument."""

import pytest

from bot import messages
from bot.channels import Allowed, Policy
from bot.command import Argument, Library
from bot.commands.command_table import TABLE, asked_by_name, find, parse_command
from bot.errors import UnknownCommandError
from bot.model import Asker, Message, Place, Question
from retrieval.pipeline import read_one
from tests import stock
from tests.stock import archive_of, holdings
from tests.support.tables import articles, cases

HOLDINGS = holdings()


@cases("text")
def test_a_question_that_begins_as_a_command_is_a_question(text: str) -> None:
    assert parse_command(HOLDINGS, text) is None


@cases("text, name, argument")
def test_a_line_that_can_be_nothing_else_is_a_command(text: str, name: str, argument: str) -> None:
    found = parse_command(HOLDINGS, text)
    assert (found.command.name, found.argument) == (name, argument)


@pytest.mark.parametrize("text", ["help", "help me", "Help us, please!"])
def test_who_asks_for_help_gets_all_of_it(text: str) -> None:
    found = parse_command(HOLDINGS, text)
    offered = [row for row in TABLE if row.argument is not Argument.STATE]
    assert found.command.run(HOLDINGS, found.argument) == Message(messages.help_all(offered))


@pytest.mark.parametrize(("topic", "known"), [("harbour market fire", True), ("harbour market fire brigade", False)])
def test_a_topic_without_a_slash_has_three_words_at_most(topic: str, known: bool) -> None:  # noqa: FBT001
    assert (parse_command(HOLDINGS, f"unverified {topic}") is not None) is known


@pytest.mark.parametrize(("typed", "nearest"), [("con", "context"), ("verfy", "verify"), ("arts", ""), ("zzz", "")])
def test_a_misspelt_command_is_told_the_one_that_is_near(typed: str, nearest: str) -> None:
    with pytest.raises(UnknownCommandError) as refused:
        find(typed)
    assert str(refused.value) == nearest


def test_no_pronoun_is_a_name_however_like_one_it_sounds() -> None:
    library = Library(archive_of("John Yoo said the ferry was late. John Yoo, 60, is a pilot."))
    assert all(asked_by_name(library, text) for text in ("who is John Yoo", "who is Yoo", "what did Yoo say"))
    assert not any(asked_by_name(library, text) for text in ("who are you", "what did you say", "who is it"))


@cases("text, argument")
def test_a_question_for_caveats_is_the_command(text: str, argument: str | None) -> None:
    found = asked_by_name(HOLDINGS, text)
    assert (found and (found.command.name, found.argument)) == (None if argument is None else ("unverified", argument))


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
