from __future__ import annotations

import pytest

from retrieval.model import Denial
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from tests.retrieval.made_up_copy import lay

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
        "Norland denied their requests for a rest.",
        "The requests of the ferrymen were denied.",
        "Norland lost its suit, and denying coverage for the ferry was unlawful.",
        "There is no denying that Norland sank the ferry.",
        "Norland rejected a plan for a new pier.",
        "Norland rejected the offer of a truce.",
        "Norland dismissed its harbour master.",
        "Norland could deny that it sank the ferry.",
        "Norland said the sinking of the ferry was staged.",
        "Norland said no passengers of the ferry had been harmed.",
        "The ferry lay in disputed waters.",
        "The pilot of the ferry has been denied a berth eleven times.",
        "Norland’s wish to sail at night was denied.",
        "The court denied the crew’s appeal for an earlier hearing.",
        "The ferry was old.",
    ],
)
def test_refusals_and_other_noes_are_no_denial(sentence: str) -> None:
    assert read(ACCUSATION, sentence)[1] is None


def test_boilerplate_denies_nothing() -> None:
    assert read(ACCUSATION, "#Norland denied sinking the ferry.")[1] is None


@pytest.mark.parametrize("text", ["Norland denied it. ", "It said no one stole it. ", "They denied that. "])
def test_many_denials_are_read_in_linear_time(text: str) -> None:
    assert len(read(*[text.strip()] * 1000)) == 1000


@pytest.mark.parametrize(
    ("sentence", "denier"),
    [
        ("Sudland blamed the crew, a claim Norland denies.", "Norland"),
        ("The group issued a statement Tuesday, however, denying that it sank the ferry.", None),
    ],
)
def test_a_denier_is_one_phrase(sentence: str, denier: str | None) -> None:
    found = read(ACCUSATION, sentence)[1]
    assert found is not None
    assert found.speaker == denier


def test_the_subject_denies_and_not_who_speaks_in_the_clause_below() -> None:
    found = read("The observatory denied that anyone on the team had said so.")
    assert found[0] == Denial("The observatory", "denies")
