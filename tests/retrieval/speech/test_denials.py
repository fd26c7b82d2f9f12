from __future__ import annotations

from textwrap import dedent

import pytest

from retrieval.model import Article, Denial
from retrieval.pipeline import read_one
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.speech.denied_features import Denying, Line, features, model
from tests.retrieval.copy_desk import lay
from tests.retrieval.denial_passages import PASSAGES

ACCUSATION = "Sudland accused Norland of sinking a ferry and killing nine passengers."


def read(*sentences: str) -> tuple[Denial | None, ...]:
    """Return the denials in made-up copy."""
    layout = lay(*sentences)
    return find_denials(layout, attribute(layout))


def denies(sentence: str) -> bool:
    """Return whether a sentence that follows an accusation is taken for a denial by Norland."""
    denial = read(ACCUSATION, "The sea was calm.", sentence)[2]
    return denial is not None and denial.speaker == "Norland"


@pytest.mark.parametrize(
    "sentence",
    [
        "Norland denied responsibility for the ferry.",
        "Norland has denied that it sank the ferry.",
        "Norland denied rights abuses on the ferry.",
        "Norland denied claims about services on the ferry.",
        "Norland denied funding the raid on the ferry.",
        "Norland denied any care was withheld on the ferry.",
        "Norland denied that any passenger of the ferry had been raped.",
        "Ann Lee warned that Norland — which denies sinking the ferry — was arming.",
        "The sinking of the ferry was planned, a claim that Norland denies.",
        "The sinking of the ferry was planned, a claim denied by Norland.",
    ],
)
def test_a_denial_is_known_with_its_denier(sentence: str) -> None:
    """Whoever denies is the subject of the verb or its agent, and not who accuses or who reports it."""
    assert denies(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Norland neither confirmed nor denied the ferry story.",
        "Norland did not deny that it sank the ferry.",
        "Norland was denied entry to the talks.",
        "Norland denied a request to tour the ferry.",
        "Norland denied ferrymen their rights.",
        "Norland denied the ferrymen a rest.",
        "Norland lost its suit, and denying coverage for the ferry was unlawful.",
        "There is no denying that Norland sank the ferry.",
        "Norland rejected a plan for a new pier.",
        "Norland rejected the offer of a truce.",
        "Norland dismissed its harbour master.",
        "Norland could deny that it sank the ferry.",
        "Norland said the sinking of the ferry was staged.",
        "Norland said no passengers of the ferry had been harmed.",
        "The ferry lay in disputed waters.",
        "The ferry was old.",
    ],
)
def test_refusals_and_other_noes_are_no_denial(sentence: str) -> None:
    """To withhold, to turn down, to leave open, or to say no of something contradicts nobody."""
    assert read(ACCUSATION, sentence)[1] is None


def test_a_denial_of_nothing_in_the_article_points_nowhere() -> None:
    """Where no sentence tells what is denied, none is said to be denied; where nobody is named, nobody denies."""
    assert read("The tide was high.", "Norland denied that it had been late.")[1] == Denial("Norland", None, "denies")


@pytest.mark.parametrize(
    "sentence",
    [
        "A probe found that a Norland mine sank the ferry, though Norland denied any involvement.",
        "Sudland says that Norland sank the ferry, which Norland denies.",
    ],
)
def test_a_claim_in_the_sentence_of_its_denial_is_looked_for_nowhere_else(sentence: str) -> None:
    """Such a sentence tells both; beside its neighbour it would tell that the neighbour is denied."""
    assert read(ACCUSATION, sentence)[1] == Denial("Norland", None, "denies")


def test_nobody_denies_what_is_said_after() -> None:
    """What a denial denies stands in it or before it."""
    found = read("Norland denied sinking the ferry.", ACCUSATION)
    assert found[0] == Denial("Norland", None, "denies")


def test_boilerplate_denies_nothing() -> None:
    """A caption is not part of the report."""
    assert read(ACCUSATION, "#Norland denied sinking the ferry.")[1] is None


@pytest.mark.parametrize("text", ["Norland denied it. ", "It said no one stole it. ", "They denied that. "])
def test_many_denials_are_read_in_linear_time(text: str) -> None:
    """A thousand denials point at what is near, and are done at once."""
    assert len(read(*[text.strip()] * 1000)) == 1000


def test_a_denial_is_not_paired_with_a_charge_of_something_else() -> None:
    """That both are about the accused is not enough: a word of what is denied is, or pointing at what stands before."""
    charge = "Sudland accused Norland of sinking a ferry."
    assert read(charge, "Norland denied that it had raised the tolls.")[1] == Denial("Norland", None, "denies")
    assert read(charge, "Norland denied it.")[1] == Denial("Norland", 0, "denies")


def test_the_subject_denies_and_not_who_speaks_in_the_clause_below() -> None:
    """Whoever stands before the verb is the denier; a thing that denies can speak."""
    found = read("The observatory denied that anyone on the team had said so.")
    assert found[0] == Denial("The observatory", None, "denies")


def reading(name: str) -> tuple[Denial | None, list[str]]:
    """Return the denial of a passage, and its lines."""
    lines = dedent(PASSAGES[name]).strip("\n").splitlines()
    passages = read_one(Article("a", " ".join(line[2:] for line in lines))).passages
    return passages[next(i for i, line in enumerate(lines) if line[0] == "=")].denial, lines


def paired(name: str) -> bool:
    """Return whether the denial of a passage is paired with the line that is marked as denied."""
    denial, lines = reading(name)
    return denial is not None and denial.of is not None and lines[denial.of][0] == "+"


def wrong(name: str) -> bool:
    """Return whether the denial of a passage is paired with a line that it does not deny."""
    denial, lines = reading(name)
    return denial is not None and denial.of is not None and lines[denial.of][0] != "+"


def test_no_denial_is_paired_with_what_it_does_not_deny() -> None:
    """A pair that is not sure is not made: the denial stands by itself."""
    assert not list(filter(wrong, PASSAGES))


def test_a_denial_is_paired_by_party_act_and_place() -> None:
    """An accusation just before, in the same matter, by another."""
    assert paired("it")


def test_more_in_common_makes_a_pair_likelier() -> None:
    """What is learned is a probability."""
    denial = Line(3, "The line denied that its boats leaked.", frozenset({"line", "boat", "leak"}), said=True)
    denying = Denying(denial, frozenset({"line"}), frozenset({"boat", "leak"}), aside=False, rarity={})
    less, more = (
        features(denying, Line(2, "It was said.", frozenset(topic), said=True)) or {}
        for topic in (("boat",), ("boat", "leak"))
    )
    assert 0 < model().probability(less) < model().probability(more) < 1
    assert features(denying, Line(2, "It was said.", frozenset(), said=True)) is None
