"""What the bot says in its own voice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import messages, verbatim
from bot.model import QuotedDenial
from retrieval.model import Voice
from tests.stock import holdings


@pytest.mark.parametrize(
    ("speaker", "said"),
    [
        ("A reporter for the Echo", "Seen by a reporter for the Echo"),
        ("Reporters from the Quill", "Seen by reporters from the Quill"),
        ("Echo journalists", "Seen by Echo journalists"),
        ("Anatol Reyes", "Seen by Anatol Reyes"),
        (None, "Seen by reporters"),
    ],
)
def test_who_saw_it_runs_on_in_the_sentence(speaker: str | None, said: str) -> None:
    """A capital that only began a sentence goes; a name keeps its own."""
    extract = verbatim.extract(holdings().archive, "ferry.txt", 0)
    assert extract is not None
    assert messages.speaker(replace(extract, voice=Voice.OBSERVED, speaker=speaker)) == said


@pytest.mark.parametrize(
    ("speaker", "said"),
    [("The ship's owner", "Denied by the ship's owner:"), ("Norfar", "Denied by Norfar:"), (None, "Denied:")],
)
def test_who_denies_runs_on_in_the_sentence(speaker: str | None, said: str) -> None:
    """As who saw it does."""
    extract = verbatim.extract(holdings().archive, "ferry.txt", 0)
    assert extract is not None
    assert messages.denied(QuotedDenial("No.", speaker, extract.citation, 0)) == said
