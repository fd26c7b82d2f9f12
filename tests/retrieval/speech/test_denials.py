from __future__ import annotations

from textwrap import dedent

import pytest

from retrieval.model import Article, Denial
from retrieval.pipeline import read_one
from retrieval.speech.attribution import attribute
from retrieval.speech.denial_features import Line, probability
from retrieval.speech.denials import find_denials
from tests.retrieval.copy_desk import lay
from tests.retrieval.denial_passages import PASSAGES

ACCUSATION = "Sudland accused Norland of sinking a ferry and killing nine passengers."


def read(*sentences: str) -> tuple[Denial | None, ...]:
    """Return the denials in made-up copy."""
    layout = lay(*sentences)
    return find_denials(layout, attribute(layout))


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("Norland denied responsibility for the ferry.", "denies"),
        ("Norland has denied that it sank the ferry.", "denies"),
        ("Norland denied rights abuses on the ferry.", "denies"),
        ("Norland denied claims about services on the ferry.", "denies"),
        ("Norland denied funding the raid on the ferry.", "denies"),
        ("Norland denied loan fraud over the ferry.", "denies"),
        ("Norland denied withholding treatment from anybody on the ferry.", "denies"),
        ("Norland denied any care was withheld on the ferry.", "denies"),
        ("Norland said the sinking of the ferry was staged.", "calls it fake"),
        ("Norland said the sinking of the ferry was staged and filmed.", "calls it fake"),
        ("Norland called the sinking of the ferry a staged attack.", "calls it fake"),
        ("Norland rejected the accusation over the ferry.", "denies"),
        ("Norland dismissed the ferry story as a fairy tale.", "denies"),
        ("Norland denied that any passenger of the ferry had been raped.", "denies"),
        ("Norland described the ferry footage as “another staged performance”.", "calls it fake"),
        ("Norland claimed, without proof, that the ferry story was invented.", "calls it fake"),
        ("Norland tried to paint the ferry story as a “provocation”.", "calls it fake"),
        ("Norland said no passengers of the ferry had been harmed.", "did no such thing"),
        ("Norland insisted it had not fired at the ferry.", "did no such thing"),
        ("Norland answered the ferry story with denials.", "rebuts"),
        ("At noon, Norland tried to discredit the ferry story.", "rebuts"),
        ("Norland said its navy was not involved in the loss of the ferry.", "did no such thing"),
    ],
)
def test_a_denial_knows_the_denier_and_the_sentence_denied(sentence: str, rule: str) -> None:
    """In any wording, an accused party's denial points at the accusation."""
    assert read(ACCUSATION, "The sea was calm.", sentence)[2] == Denial("Norland", 0, rule)


def test_a_denial_in_a_relative_clause_belongs_to_the_name_before_it() -> None:
    """The speaker of the sentence is not the one who denies."""
    found = read(ACCUSATION, "Ann Lee warned that Norland — which denies sinking the ferry — was arming.")
    assert found[1] == Denial("Norland", 0, "denies")


@pytest.mark.parametrize(
    "sentence",
    [
        "Norland neither confirmed nor denied the ferry story.",
        "Norland did not deny that it sank the ferry.",
        "Norland was denied entry to the talks.",
        "Norland denied a request to tour the ferry.",
        "Norland denied ferrymen their rights.",
        "Norland lost its suit, and denying coverage for the ferry was unlawful.",
        "There is no denying that Norland sank the ferry.",
        "Norland was led by a man who denied climate change on the ferry.",
        "Norland said it had staged 24 races for the ferry.",
        "Norland said it had staged a race for the ferry.",
        "Norland rejected a plan for a new pier.",
        "Norland dismissed its harbour master.",
        "Norland could deny that it sank the ferry.",
        "Norland called the ferry race a rigged game.",
        "Most of Norland's statements on the ferry were false.",
        "Sudland said no passenger of the ferry was insured.",
        "Norland said it did not share the hopes of the harbour.",
        "The ferry was old.",
    ],
)
def test_refusals_and_other_noes_are_no_denial(sentence: str) -> None:
    """Not to deny, to turn down, or to say no of something else denies nothing."""
    assert read(ACCUSATION, sentence)[1] is None


def test_a_denial_of_nothing_in_the_article_points_nowhere() -> None:
    """Where no sentence accuses, none is said to be denied; where nobody is named, nobody denies."""
    assert read("The tide was high.", "Norland denied that it had been late.")[1] == Denial("Norland", None, "denies")
    assert read("It was denied.")[0] == Denial(None, None, "denies")


def test_boilerplate_denies_nothing() -> None:
    """A caption is not part of the report."""
    assert read(ACCUSATION, "#Norland denied sinking the ferry.")[1] is None


def test_a_ministry_that_goes_by_its_denies_for_the_party_before() -> None:
    """Such as "its ministry" and "the statement" carry no name: the accused is whoever spoke before."""
    found = read(
        ACCUSATION,
        "Norland said the sea was calm.",
        "Its ministry described the ferry story as fake.",
        "A statement said the ferry story was staged.",
    )
    assert found[2:] == (Denial("Its ministry", 0, "calls it fake"), Denial("Norland", 0, "calls it fake"))


def test_a_ministry_of_nobody_accused_denies_nothing() -> None:
    """To call a thing fake is a denial only in the mouth of one accused."""
    assert read(ACCUSATION, "The tide was high.", "Its ministry described the coin as fake.")[2] is None
    assert read(ACCUSATION, "It is a fake.", "They painted the coin as a fake.") == (None, None, None)


@pytest.mark.parametrize("text", ["Norland denied it. ", "It said no one stole it. ", "They denied that. "])
def test_many_denials_are_read_in_linear_time(text: str) -> None:
    """A thousand denials point at what is near, and are done at once."""
    assert len(read(*[text.strip()] * 1000)) == 1000


def test_a_denial_is_not_paired_with_a_charge_of_something_else() -> None:
    """That both are about the accused is not enough: two words in common are, or standing side by side."""
    charge = "Sudland accused Norland of sinking a ferry."
    between = ("The sea was calm.", "The tide was high.", "The sky was grey.", "The wind was low.")
    assert read(charge, *between, "Norland denied that it had raised the tolls.")[5] == Denial(
        "Norland", None, "denies"
    )
    assert read(charge, "Norland denied it.")[1] == Denial("Norland", 0, "denies")


def test_the_subject_denies_and_not_who_speaks_in_the_clause_below() -> None:
    """Whoever stands before the verb is the denier; a thing that denies can speak."""
    found = read("The observatory denied that anyone on the team had said so.")
    assert found[0] == Denial("The observatory", None, "denies")


def paired(name: str) -> bool:
    """Return whether the denial of a passage is paired with the line that is marked as denied, or with none."""
    lines = dedent(PASSAGES[name]).strip("\n").splitlines()
    reading = read_one(Article("a", " ".join(line[2:] for line in lines)))
    denial = reading.passages[next(i for i, line in enumerate(lines) if line[0] == "=")].denial
    return denial is not None and denial.of == next((i for i, line in enumerate(lines) if line[0] == "+"), None)


def test_most_denials_are_paired_with_what_they_deny() -> None:
    """In copy that shares words with its denial, and in copy that shares none."""
    wrong = [name for name in PASSAGES if not paired(name)]
    assert len(wrong) <= 0.25 * len(PASSAGES), wrong


@pytest.mark.parametrize("name", ["shells and guns", "two charges, the other one", "something that is told nowhere"])
def test_a_denial_is_paired_by_party_act_and_place(name: str) -> None:
    """Guns answer for shells; of two charges the words decide; and what nobody said is denied of nothing."""
    assert paired(name)


def test_every_judgement_on_a_denial_is_between_its_bounds() -> None:
    """What is learned is a probability, and more in common makes it greater."""
    denial = Line(3, "The line denied it.", frozenset({"line", "boats"}), said=True)
    less, more = (Line(2, "It was said.", frozenset(topic), said=True) for topic in ((), ("boats",)))
    assert 0 < probability(denial, less, frozenset()) < probability(denial, more, frozenset()) < 1
