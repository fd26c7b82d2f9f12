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


@cases("kind, text, value", AnswerType)
def test_what_half_holds_an_answer_is_worth_a_half(kind: AnswerType, text: str, value: float) -> None:
    assert held(kind, text) == value


@cases("kind, text, question, value", AnswerType)
def test_what_is_asked_about_is_no_answer(kind: AnswerType, text: str, question: str, value: float) -> None:
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


def told(question: str, text: str) -> str:
    (passage,) = read_one(Article("a", text)).passages
    span = answer_span(Analysis(question, Query(), types=types_of(words(question))), text, passage.mentions)
    return span.of(text) if span else ""


@cases("question, text, answer")
def test_what_one_thing_can_be_is_told(question: str, text: str, answer: str) -> None:
    assert told(question, text) == answer


@cases("question, text")
def test_what_several_things_can_be_is_not(question: str, text: str) -> None:
    assert not told(question, text)


@cases("question, kind", AnswerType)
def test_the_type_is_read_from_the_words(question: str, kind: AnswerType) -> None:
    assert types_of(words(question))[0] is kind


@cases("question, kind, none", AnswerType)
def test_a_word_does_not_decide_where_the_question_word_does(question: str, kind: AnswerType, none: AnswerType) -> None:
    found = types_of(words(question))
    assert found[0] is kind
    assert none not in found
