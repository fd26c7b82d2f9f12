"""The line that says what was found leads with the worst of it."""

from dataclasses import replace

import pytest

from bot.commands.verify import check
from bot.model import Check, Verdict
from bot.outline import outline
from bot.verdicts import Lead, heading, label, lead_of, message, title
from tests import stock
from tests.stock import expect
from tests.support.tables import cases, rows

TEXT = (
    "“The quay stays shut for a year,” said Ines Lund, the harbour master. Heavy rain had fallen on the quay.\n\n"
    "“The rope was cut on purpose,” said Ada Quill. The Echo could not verify that.\n\n"
    "The boat sank at once, Oskar Brandt said. That is not true.\n\n"
    "“I don’t believe that the mast was rotten,” said Ines Lund."
)
HOLDINGS = stock.holdings([stock.Article("quay.txt", TEXT), stock.BRIDGE])


def found(text: str) -> Check:
    return expect(Check, check(HOLDINGS, text))


@cases("text, lead, words", Lead)
def test_the_worst_comes_first(text: str, lead: Lead, words: str) -> None:
    checked = found(text)
    assert (lead_of(checked), label(checked)) == (lead, words)
    for line in (title(checked), heading(checked)):
        assert line.startswith(f"{lead.sign} {words}")
    assert message(checked).startswith(f"{words}: ")


def test_every_lead_has_a_sign_and_a_word_of_its_own() -> None:
    assert {lead for _, lead, _ in rows(__file__, "the_worst_comes_first", Lead)} == {*Lead} - {Lead.UNCHECKED}
    assert len({lead.sign for lead in Lead}) == len({lead.word for lead in Lead}) == len(Lead)


@cases("text, end")
def test_a_line_says_what_was_found(text: str, end: str) -> None:
    assert message(found(text)).endswith(end)


def test_a_difference_over_several_sentences_is_drawn_once() -> None:
    checked = found("The quay stays open for a year, said Ines Lund, the harbour master. Heavy rain had fallen")
    assert [bool(match.difference) for match in checked.matches] == [True, True]
    assert [bool(section.difference) for section in outline(checked).sections] == [True, False]


def test_what_the_article_takes_back_is_shown() -> None:
    checked = found("“The boat sank at once”")
    assert checked.context
    assert checked.context.sentence.text == "That is not true."
    with pytest.raises(ValueError, match="out of context"):
        replace(checked, verdict=Verdict.EXACT)


@pytest.mark.parametrize(("length", "cut"), [(200, False), (201, True)])
def test_words_that_are_told_back_have_two_hundred_characters(length: int, *, cut: bool) -> None:
    for verdict, not_compared in ((Verdict.ABSENT, ()), (Verdict.PARTIAL, ("y",))):
        assert ("…" in message(Check(verdict, "x" * length, (), not_compared))) is cut
