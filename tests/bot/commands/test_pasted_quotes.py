"""Messages as people paste them: the quotations in them are checked, each for itself, and nothing else is."""

from __future__ import annotations

import pytest

from bot.commands.pasted_quotes import check
from bot.desk import Desk
from bot.model import Check, Listing, Message, Question, Verdict
from retrieval.limits import MESSAGE, QUESTION
from tests import stock

ARTICLE = stock.Article(
    id="quay.txt",
    title="The old quay",
    source="The Sandholm Echo",
    text=(
        "“The quay will stand for another hundred years,” said Petra Halloran, the harbour engineer.\n\n"
        "Oskar Brandt, who keeps the lighthouse, told the Echo that the ladders had rusted through.\n\n"
        "“Nobody has painted the railings since the great storm of the spring,” Mr Brandt said.\n"
    ),
)
QUAY = "The quay will stand for another hundred years"
RAILINGS = "Nobody has painted the railings since the great storm of the spring"
HOLDINGS = stock.desk((ARTICLE,)).holdings


def checked(text: str) -> Check:
    """Return the one check of a message."""
    found = check(HOLDINGS, text)
    assert isinstance(found, Check), found
    return found


@pytest.mark.parametrize(
    "text",
    [
        QUAY,
        f"“{QUAY}”",
        f'Morning all, can somebody tell me whether "{QUAY}" is right? Thanks!',
        f"We have “{QUAY},” in the second paragraph – is that ours?",
        f"> {QUAY}\nIs this what she said?",
        f"«{QUAY}» steht bei uns, stimmt das?",
        f"ok so the line is: “{QUAY}” (the so-called “engineer”) lol",
    ],
)
def test_a_quotation_is_found_among_other_words(text: str) -> None:
    """In any marks, in a block, alone, with chatter around it."""
    assert checked(text).verdict is Verdict.EXACT


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"“{QUAY}” — Petra Halloran", Verdict.EXACT),
        (f"Is it true? “{QUAY},” said Petra Halloran. Asking for the desk", Verdict.EXACT),
        (f"Is it true? “{QUAY},” said Oskar Brandt. Asking for the desk", Verdict.MISATTRIBUTED),
        (f"so Oskar Brandt said “{QUAY}” yesterday?", Verdict.MISATTRIBUTED),
        (f"Oskar Brandt: “{QUAY}” – can we run it?", Verdict.MISATTRIBUTED),
        (f"Please look at this: “{QUAY}”, Wilma Unknown says", Verdict.EXACT),
        (f"Oskar Brandt wants to know whether “{QUAY}” is right", Verdict.EXACT),
    ],
)
def test_the_name_beside_a_quotation_is_its_speaker(text: str, verdict: Verdict) -> None:
    """Where somebody whom the articles name is said to have said it; who only stands near has not."""
    assert checked(text).verdict is verdict


def test_several_quotations_are_checked_each_for_itself() -> None:
    """Under words that say which is which."""
    found = check(HOLDINGS, f"One: “{QUAY}”. Two: “{RAILINGS}”. Three: “the ferry never came in again at all”.")
    assert isinstance(found, Listing)
    assert found.title == "3 quotations checked, each for itself"
    heads = [section.heading for section in found.sections]
    assert heads[0].startswith(f"“{QUAY}” Exact")
    assert heads[1].startswith(f"“{RAILINGS}” Exact")
    assert heads[2].startswith("“the ferry never came in again at all” Absent")
    assert [len(section.extracts) for section in found.sections] == [1, 1, 0]


def test_without_marks_the_longest_run_that_stands_in_an_article_is_named() -> None:
    """And nothing is said of the other words but that nothing was found of them."""
    found = checked(f"hi, I remember her saying that {QUAY.lower()} or something, it was in the spring I think")
    assert found.verdict is Verdict.EXACT
    assert "hundred years” Of the others nothing was found." in found.message


def test_what_is_absent_is_named() -> None:
    """The words that were looked for, and no others."""
    found = checked("hello, did we ever print “the tide took the whole market with it”?")
    assert found.verdict is Verdict.ABSENT
    assert found.message.endswith("“the tide took the whole market with it”")


def test_a_long_message_is_looked_through_for_its_quotations() -> None:
    """Whatever its length; without marks it is too long to check."""
    desk = Desk(HOLDINGS)
    long = "We had a long talk about harbours. " * (QUESTION // 20)
    found = desk.command("verify", f"{long} “{QUAY}” {long}", Question(""))
    assert isinstance(found, Check)
    assert found.verdict is Verdict.EXACT
    assert isinstance(desk.answer(Question(f"verify {long} “{QUAY}”")), Check)
    assert isinstance(desk.command("verify", long, Question("")), Message)
    assert isinstance(desk.command("verify", "x" * (MESSAGE + 1), Question("")), Message)


def test_many_quotations_are_counted() -> None:
    """The first few are checked, and what is left is said."""
    found = check(HOLDINGS, " and ".join(f"“{QUAY} number {n}”" for n in range(8)))
    assert isinstance(found, Listing)
    assert found.sections[-1].lines == ("… and 3 more quotations.",)
