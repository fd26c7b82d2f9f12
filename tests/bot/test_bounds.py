"""The last that is taken and the first that is not: of what is asked, offered, cut and told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import messages, verbatim, verdicts
from bot.model import Answer, Check, Message, Notice, NoticeReason, Question, Verdict
from bot.notices import not_yet_shown
from retrieval.limits import QUESTION
from tests.stock import FERRY, holdings, service

WHEEL = "was anybody at the wheel"
CREW = tuple(f"Ada {name}son" for name in "Ab Bo Cor Dag Ed Fin Gus Han Iv Jon Kar Lar Max Nil Ol".split())
MANY = tuple(
    replace(FERRY, id=f"{name}{ship}", text=f"{name} {ship} left the port.")
    for name in CREW
    for ship in ("Lund", "Berg")
)


def test_a_question_is_as_long_as_it_may_be() -> None:
    asking = service()
    fits = WHEEL.ljust(QUESTION, "?")
    assert isinstance(asking.answer(Question(fits)), Answer)
    assert asking.answer(Question(f"{fits}?")) == Message(messages.TOO_LONG)
    assert list(asking.explain(Question(fits)))
    assert list(asking.explain(Question(WHEEL, previous=fits)))
    assert not list(asking.explain(Question(f"{fits}?")))
    assert not list(asking.explain(Question(WHEEL, previous=f"{fits}?")))


def test_twenty_five_names_are_offered_unless_another_number_is_asked_for() -> None:
    asking = service(MANY)
    assert len(asking.complete_names("Ada")) == 25
    assert len(asking.complete_names("Ada", 26)) == 26
    assert len(asking.complete_names("Ada", question=Question("Ada"))) == 25


@pytest.mark.parametrize(("length", "cut"), [(200, False), (201, True)])
def test_words_that_are_told_back_have_two_hundred_characters(length: int, *, cut: bool) -> None:
    for verdict, not_compared in ((Verdict.ABSENT, ()), (Verdict.PARTIAL, ("y",))):
        assert ("…" in verdicts.message(Check(verdict, "x" * length, (), not_compared))) is cut


def test_a_notice_that_was_told_on_an_extract_is_told_no_more() -> None:
    held = holdings()
    told = verbatim.extract(held.archive, FERRY.id, 2)
    first = verbatim.extract(held.archive, FERRY.id, 0)
    assert told is not None
    assert first is not None
    (caveat,) = told.caveats
    first = replace(first, caveats=())
    due = Notice(caveat.text, caveat.kind, caveat.verifier, caveat.citation, NoticeReason.POSSIBLE)
    needing = replace(first, notices=(due,))
    assert not_yet_shown([due], [told]) == []
    assert not_yet_shown([due], [first]) == [due]
    assert not_yet_shown([due], [told, needing]) == []
    assert not_yet_shown([due], [needing, told]) == [due]
    assert not_yet_shown([due], [replace(first, before=told)]) == []
    assert not_yet_shown([due], [verbatim.extract(held.archive, FERRY.id, 4), needing]) == []


def test_a_sentence_is_found_by_its_version_and_by_where_it_begins() -> None:
    held = holdings()
    article = held.archive.reading(FERRY.id).article
    for passage in held.archive.reading(FERRY.id).passages:
        found = verbatim.as_shown(held.archive, FERRY.id, article.digest, passage.sentence.span.start)
        assert (found.index, found.citation.superseded) == (passage.sentence.index, False)
        assert verbatim.as_shown(held.archive, FERRY.id, article.digest, passage.sentence.span.start + 1) is None
