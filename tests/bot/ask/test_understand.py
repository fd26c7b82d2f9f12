"""Question -> analysis: what is looked for, in the words of the articles."""

from dataclasses import replace

import pytest

from bot.ask.model import Analysis
from bot.ask.understand import MOST, boilerplate_kinds, spelling_notes, understand, written_out
from bot.model import Question
from retrieval.archive.interface import Archive
from retrieval.model import Boilerplate
from retrieval.text.terms import terms
from tests.stock import archive_of
from tests.support.tables import cases

TEXT = (
    "The ferry to Lisbon sank before COP27 opened. Harbour master Ines Lindqvist asked for an inquiry. "
    "Fires burn in New York. F-16 jets flew over. Some wore T-shirts."
)
ARCHIVE = archive_of(TEXT)


def asked(question: str, archive: Archive = ARCHIVE) -> Analysis:
    return understand(Question(question), archive)


def weights(question: str, archive: Archive = ARCHIVE) -> dict[str, float]:
    return dict(asked(question, archive).query.terms)


def test_every_content_word_is_looked_for_once() -> None:
    assert weights("was the ferry the ferry to lisbon") == {"ferri": 1.0, "lisbon": 1.0}


@pytest.mark.parametrize("question", ["what is lindqvist's age", "lindqvist age", "salary of lindqvist"])
def test_a_noun_that_names_the_type_of_answer_is_not_missed(question: str) -> None:
    found = asked(question)
    assert [word for word, _ in found.words] == ["lindqvist"]
    assert [word for word, _ in asked("what is the length of the ferry").words] == ["length", "ferry"]
    held = archive_of("The reason for the delay is not known.")
    assert [word for word, _ in asked("reason for the delay", held).words] == ["reason", "delay"]


def test_abbreviations_are_met_joined_and_split() -> None:
    assert "cop27" in weights("COP27")
    assert "cop27" in weights("cop 27")
    assert {"f", "16"} <= weights("F16").keys()
    assert {"york", "new"} <= weights("fires in NY").keys()


def test_furniture_that_articles_have_counts_for_a_fifth_and_for_nothing_where_none_has_it() -> None:
    assert weights("need a quote on the ferry pls") == {"ferri": 1.0}
    assert weights("who asked about the ferry")["ferri"] == 1.0
    archive = archive_of("The statement names a ferry.")
    assert weights("statement on the ferry", archive) == {"statement": 0.2, "ferri": 1.0}


def test_a_question_without_end_is_cut() -> None:
    assert MOST == 40
    assert len(asked(" ".join(f"word{n}" for n in range(39))).words) == 39
    assert len(asked(" ".join(f"word{n}" for n in range(200))).words) == 40


@cases("question, name, weight")
def test_a_word_counts_by_how_surely_it_is_the_articles(question: str, name: str, weight: float | None) -> None:
    assert weights(question).get(name) == weight


HELICOPTERS = archive_of(
    "The helicopter fell near the harbour. Irwin watched the harbour burn. “Sucha day,” the Norwegian said.",
    "A helicopter crashed in Oxley. Irwin and the liner's Norwegian captain left. The liner sank.",
)


@cases("question, read_as, offered")
def test_a_word_that_no_article_has_is_never_replaced_without_a_word(question: str, read_as: str, offered: str) -> None:
    analysis = asked(question, HELICOPTERS)
    assert (analysis.wording, analysis.offered) == (read_as or question, offered)
    assert bool(spelling_notes(analysis)) is bool(read_as or offered)
    if read_as:
        assert replace(analysis, read_as=()) == asked(read_as, HELICOPTERS)
    else:
        own = {name for word in question.lower().split() for name in terms(word)}
        assert dict(analysis.query.terms).keys() <= own


@pytest.mark.parametrize(("asked_for", "found"), [("xxharbour", True), ("xxliner", True), ("xxquay", False)])
def test_a_word_written_to_another_is_found_by_its_end(asked_for: str, *, found: bool) -> None:
    assert (len(weights(asked_for, archive_of("The liner sank off the harbour. The quay burned."))) > 1) is found


@pytest.mark.parametrize("measure", ["many", "old", "few"])
def test_every_measure_behind_how_is_no_word_to_find(measure: str) -> None:
    archive = archive_of(f"The ferry and the {measure} quay burned.")
    assert weights(f"how {measure} ferry", archive) == {"ferri": 1.0}
    assert set(terms(measure)) <= weights(f"ferry {measure} quay", archive).keys()


@cases("asked, kinds", Boilerplate)
def test_what_stands_around_the_report_answers_where_it_is_asked_for(
    asked: str, kinds: tuple[Boilerplate, ...]
) -> None:
    assert boilerplate_kinds(asked) == {*kinds}


def meant(words: str, text: str = "", more: tuple[tuple[str, str], ...] = ()) -> list[str]:
    return [" ".join(full) for _, full in written_out(tuple(words.split()), text or words, more)]


def test_shorthand_is_written_out_beside_the_askers_words() -> None:
    assert meant("un chief and the fm") == ["un secretary general", "and", "the", "foreign minister"]
    assert [short for short, _ in written_out(("un", "chief"), "un chief")] == ["un chief"]
    assert meant("fm", more=(("fm", "frequency modulation"),)) == ["frequency modulation"]


def test_a_shorthand_of_the_newsrooms_own_may_have_any_number_of_words() -> None:
    more = (("big four bank bosses", "bank chiefs"), ("big four", "banks"))
    assert meant("what did the big four bank bosses say", more=more) == ["what", "did", "the", "bank chiefs", "say"]
    assert meant("big four bank", more=more) == ["banks", "bank"]


@cases("text, expected")
def test_a_states_code_is_its_name_in_capitals_only(text: str, expected: tuple[str, ...]) -> None:
    assert (*meant(text.lower().replace(",", ""), text),) == expected


@pytest.mark.parametrize("word", ["tell", "remind", "of", "behind"])
def test_us_is_a_pronoun_behind_a_verb_or_a_preposition(word: str) -> None:
    assert meant(f"{word} us more") == [word, "us", "more"]
    assert meant("did us troops") == ["did", "usa united states", "troops"]
