"""What a trained pipeline found beside the rules."""

from __future__ import annotations

from dataclasses import replace

from retrieval.model import Article, Kind, Span
from retrieval.names.mentions import find_names
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def read(text: str, *entities: tuple[Kind, str]) -> list[tuple[str, Kind, str]]:
    """Return words, kind and rule of each mention where a pipeline found ``entities``."""
    doc = parse(text)
    places = tuple((kind, Span(text.index(words), text.index(words) + len(words))) for kind, words in entities)
    found = find_names(lay_out(Article("a", text), replace(doc, entities=places)))
    return [(m.span.of(text), m.kind, m.rule) for row in found for m in row]


def test_a_pipeline_adds_names_without_titles_or_possessives() -> None:
    """What the rules did not see is a mention, trimmed as theirs are."""
    assert read("they met the tamm family’s lawyer.", (Kind.PERSON, "the tamm family’s")) == [
        ("tamm family", Kind.PERSON, "pipeline")
    ]


def test_a_pipeline_settles_a_doubtful_kind_only() -> None:
    """A sure kind stands, a doubtful one yields."""
    text = "They asked Kalduva twice in Oslo."
    assert read(text)[0] == ("Kalduva", Kind.ORG, "rest")
    assert read(text, (Kind.PERSON, "Kalduva"), (Kind.ORG, "Oslo")) == [
        ("Kalduva", Kind.PERSON, "pipeline"),
        ("Oslo", Kind.PLACE, "place"),
    ]


def test_a_pipeline_never_makes_an_empty_name() -> None:
    """An article and a possessive alone are nobody."""
    assert read("it was the 's of it.", (Kind.PERSON, "the 's")) == []
