"""What speaks for and against a sentence being covered, held to the letter over small passages.

``test_scope_features.toml`` holds the passages as they were read once and looked over; a feature without a number is 1,
numbers have two decimals. A change that means to change a feature changes the line with it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from retrieval.caveats.detection import contexts
from retrieval.caveats.scope import CaveatContext, eligible, features
from retrieval.model import Article
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


@dataclass(frozen=True, slots=True)
class Case:
    """A passage with one caveat or more, of which the first is judged.

    ``object`` is what could not be stood up, ``context`` where it stands; ``features`` are the sentences' by their
    places, and a sentence that no caveat can be about has none.
    """

    name: str
    text: str
    object: str
    context: str
    features: dict[str, str]


TABLE = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
CASES = tuple(Case(**row) for row in tomllib.loads(TABLE)["passages"])
FLAGS = ("often", "access_restricted", "past", "plural", "sides")


def context_of(text: str) -> CaveatContext:
    """Return the first caveat of ``text`` among its sentences."""
    layout = lay_out(Article("a", text, source="The Courier"), parse(text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    return contexts(layout, attributions, find_denials(layout, attributions))[0][1]


def describe_object(context: CaveatContext) -> str:
    """Return what is known of the object: its kind, what is true of it, and whose it is."""
    known = context.object
    owner = [f"of {' '.join(sorted(known.owner))}"] if known.owner else []
    topic = [f"about {' '.join(sorted(known.topic))}"] if known.topic else []
    return ", ".join([known.kind, *(flag for flag in FLAGS if getattr(known, flag)), *owner, *topic])


def describe_context(context: CaveatContext) -> str:
    """Return what is known of the sentences around the caveat, by their places."""
    known = {"anchor": [] if context.anchor is None else [context.anchor.index], "side": sorted(context.side)}
    return ", ".join(f"{name} {' '.join(map(str, places))}" for name, places in known.items() if places)


def describe_features(context: CaveatContext) -> dict[str, str]:
    """Return the features of every sentence that a caveat can be about, by its place."""
    places = [place for place in range(len(context.ground)) if eligible(context, place)]
    return {
        str(place): "; ".join(
            name if value == 1 else f"{name} {value:.2f}" for name, value in features(context, place).items()
        )
        for place in places
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_could_not_be_stood_up_is_known_with_what_stands_around_and_each_sentences_features(case: Case) -> None:
    context = context_of(case.text)
    assert describe_object(context) == case.object
    assert describe_context(context) == case.context
    assert describe_features(context) == case.features


def test_neither_side_is_nobodys_name() -> None:
    assert not context_of("The mayor said ten boats sank. Neither side's account could be verified.").object.owner
