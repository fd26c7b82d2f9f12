"""Which boilerplate may answer a question."""

from __future__ import annotations

import pytest

from bot.ask.understand import boilerplate_kinds
from retrieval.model import Boilerplate

WRITTEN = frozenset({Boilerplate.CREDIT, Boilerplate.BYLINE})
PICTURED = frozenset({Boilerplate.CREDIT, Boilerplate.CAPTION})
DATED = frozenset({Boilerplate.DATELINE})


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        *((f"who {verb} the ferry story", WRITTEN) for verb in "wrote reported contributed edited".split()),
        *((f"who helped {verb} on the ferry", WRITTEN) for verb in "with report write".split()),
        *((f"{noun} on the ferry", WRITTEN) for noun in "contributors byline by-line credit credits credited".split()),
        *((f"{noun} on the ferry", WRITTEN) for noun in ("author of the piece", "journalists on", "journalist behind")),
        *((f"any {noun} of the ferry", PICTURED) for noun in "photo photos picture pictures image images".split()),
        *((f"any {noun} of the ferry", PICTURED) for noun in "pix pic pics photographer photographers caption".split()),
        *((f"when was it {word}", DATED) for word in "published dated".split()),
        *((f"{noun} of the ferry story", DATED) for noun in ("publication date", "dateline")),
        ("who filed the ferry story", WRITTEN | DATED),
        ("who took the photo and who wrote it", WRITTEN | PICTURED),
    ],
)
def test_what_stands_around_the_report_answers_where_it_is_asked_for(asked: str, kinds: frozenset[Boilerplate]) -> None:
    assert boilerplate_kinds(asked) == kinds


@pytest.mark.parametrize(
    "asked",
    ["who sank the ferry", "who helped the crew", "the author of a book", "was the pictured ferry old", "update", ""],
)
def test_nothing_of_it_answers_any_other_question(asked: str) -> None:
    assert boilerplate_kinds(asked) == frozenset()
