"""Does a sentence hold the type of answer that is asked for."""

from dataclasses import replace

from bot.ask.answer_types import SentenceView, answer_span, holds
from bot.ask.model import Analysis, AnswerType
from bot.ask.understand import types_of
from retrieval.model import Article, Denial
from retrieval.pipeline import read_all, read_one
from retrieval.search import Query
from retrieval.text.terms import terms, words
from tests.support.tables import cases


def held(kind: AnswerType, text: str, question: str = "") -> float:
    (reading,) = read_all([Article("a", text)])
    return holds(kind, SentenceView(text, reading.passages[0], frozenset(terms(question))))


@cases("kind, text, question, value", AnswerType)
def test_what_half_holds_an_answer_is_worth_a_half_and_what_is_asked_about_is_none(
    kind: AnswerType, text: str, question: str, value: float
) -> None:
    assert held(kind, text, question) == value


def test_a_denial_and_a_caveat_are_known_by_what_was_read() -> None:
    text = "“The cliff was blown up,” said Ada Roe. The claim could not be verified. Trams ran late."
    (reading,) = read_all([Article("a", text)])
    claim, caveat, trams = (SentenceView("It fell.", passage, frozenset()) for passage in reading.passages)
    assert [holds(AnswerType.VERIFICATION, view) for view in (claim, caveat, trams)] == [0.6, 1.0, 0.0]
    denying = replace(trams, passage=replace(trams.passage, denial=Denial("Omar Diaz")))
    assert [holds(AnswerType.DENIAL, view) for view in (trams, denying)] == [-0.2, 1.0]


@cases("kind, sentence, words, others", AnswerType)
def test_a_word_of_each_kind_of_answer_is_known(kind: AnswerType, sentence: str, words: str, others: str) -> None:
    assert [word for word in words.split() if held(kind, sentence.format(word.replace("_", " "))) < 1.0] == []
    assert [word for word in others.split() if held(kind, sentence.format(word.replace("_", " "))) == 1.0] == []


def test_a_sentence_in_the_middle_of_a_quotation_is_one() -> None:
    text = "“We shouted. Nobody came. The sea was dark,” said Ines Roe."
    (reading,) = read_all([Article("a", text)])
    middle = reading.passages[1]
    assert holds(AnswerType.QUOTATION, SentenceView("Nobody came.", middle, frozenset())) == 1.0


@cases("question, text, answer")
def test_what_one_thing_can_be_is_told_and_what_several_can_be_is_not(question: str, text: str, answer: str) -> None:
    (passage,) = read_one(Article("a", text)).passages
    span = answer_span(Analysis(question, Query(), types=types_of(words(question))), text, passage.mentions)
    assert (span.of(text) if span else "") == answer


@cases("question, kind, none", AnswerType)
def test_the_question_word_decides_the_type_and_another_word_does_not(
    question: str, kind: AnswerType, none: AnswerType | None
) -> None:
    found = types_of(words(question))
    assert found[0] is kind
    assert none not in found
