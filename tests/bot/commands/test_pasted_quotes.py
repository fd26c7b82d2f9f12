"""Messages as people paste them: the quotations in them are checked, each for itself, and nothing else is."""

from __future__ import annotations

import pytest

from bot.commands.pasted_quotes import check
from bot.model import Check, Listing, Message, Question, Verdict
from bot.service import QuestionService
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
HOLDINGS = stock.service((ARTICLE,)).holdings


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
    "text",
    [
        f"*{QUAY}*",
        f"_{QUAY}_",
        f"~{QUAY}~",
        f"`{QUAY}`",
        f"**_{QUAY}_**",
        QUAY.replace("another", "*another*"),
        f"• {QUAY}",
        f"- {QUAY}",
        f"1. {QUAY}",
        f"2) _{QUAY}_",
        f"> *{QUAY}*",
        f"*Petra Halloran*: _{QUAY}_",
        f"did we print “_{QUAY}_” or not?",
    ],
)
def test_marks_of_emphasis_and_lists_are_no_words(text: str) -> None:
    """Newsrooms italicise what they quote."""
    assert checked(text).verdict is Verdict.EXACT


def test_marks_that_the_article_has_are_words() -> None:
    """They are compared as they stand there first."""
    article = stock.Article("a.txt", "The sign read: *no mooring* after nine.")
    found = check(stock.service((article,)).holdings, "The sign read: *no mooring* after nine")
    assert isinstance(found, Check)
    assert (found.verdict, found.punctuation) == (Verdict.EXACT, False)


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
    service = QuestionService(HOLDINGS)
    long = "We had a long talk about harbours. " * (QUESTION // 20)
    found = service.command("verify", f"{long} “{QUAY}” {long}", Question(""))
    assert isinstance(found, Check)
    assert found.verdict is Verdict.EXACT
    assert isinstance(service.answer(Question(f"verify {long} “{QUAY}”")), Check)
    assert isinstance(service.command("verify", long, Question("")), Message)
    assert isinstance(service.command("verify", "x" * (MESSAGE + 1), Question("")), Message)


def test_many_quotations_are_counted() -> None:
    """The first few are checked, and what is left is said."""
    found = check(HOLDINGS, " and ".join(f"“{QUAY} number {n}”" for n in range(8)))
    assert isinstance(found, Listing)
    assert found.sections[-1].lines == ("… and 3 more quotations.",)


@pytest.mark.parametrize(("marked", "single"), [("The quay will", True), ("The quay", False)])
def test_three_words_in_marks_are_a_quotation(marked: str, single: bool) -> None:  # noqa: FBT001
    """Fewer are a name, a title or a word at arm's length."""
    found = check(HOLDINGS, f"“{RAILINGS}” and “{marked}”, is it so?")
    assert isinstance(found, Listing) is single


@pytest.mark.parametrize(
    ("words", "found"), [("stand for another hundred years", True), ("for another hundred years", False)]
)
def test_five_words_in_a_row_are_no_accident(words: str, found: bool) -> None:  # noqa: FBT001
    """Of a message without marks, fewer say nothing."""
    verdict = checked(f"hi all, my gran lived {words} or so beside that bakery, I believe").verdict
    assert (verdict is Verdict.EXACT) is found


@pytest.mark.parametrize(("gap", "verdict"), [(12, Verdict.MISATTRIBUTED), (80, Verdict.EXACT)])
def test_a_name_stands_beside_a_quotation_within_sixty_characters(gap: int, verdict: Verdict) -> None:
    """One that is farther off is somebody else."""
    assert checked(f"so “{QUAY}” {' ' * gap} — Oskar Brandt, or what?").verdict is verdict


@pytest.mark.parametrize("before", [35, 36])
def test_the_sixty_characters_end_with_the_name(before: int) -> None:
    """A name that begins before them is not read in part."""
    text = f"Oskar Brandt said, {'x' * before} “{QUAY}” ok?"
    expected = Verdict.MISATTRIBUTED if before <= 28 else Verdict.EXACT
    assert checked(text).verdict is expected


def test_a_message_may_have_forty_thousand_characters_and_a_question_two_thousand() -> None:
    """One more is refused."""
    service = QuestionService(HOLDINGS)
    fits = f"“{QUAY}”".ljust(40_000, ".")
    assert isinstance(service.command("verify", fits, Question("")), Check)
    assert isinstance(service.command("verify", f"{fits}.", Question("")), Message)
    asked = "who keeps the lighthouse".ljust(2_000, "?")
    assert not isinstance(service.answer(Question(asked)), Message)
    assert isinstance(service.answer(Question(f"{asked}?")), Message)
