"""Which sentences a caveat covers: over our own passages, whose lines are marked by an editor.

How caveats are worded and what they cover is in ``readings/caveats.toml``; here is what that table can't say.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from retrieval.caveats import scope
from retrieval.caveats.scope import CERTAIN, DENIED, FOUND, MOST_KNOWN, POSSIBLE, SPOKEN, SURE, with_scope
from retrieval.intake.articles import load_articles
from retrieval.model import Article, Caveat, CaveatKind, Passage, Reading, Span
from retrieval.models.caveat_model import CaveatGuess
from retrieval.pipeline import read_one
from tests.retrieval.passages import CAVEATS, text_of
from tests.shared import shared

LEAST = 0.8  # of the sentences due, those on which the caveat surely is
MOST = 0.07  # of the others, those on which it is put all the same


@cache
def _read(name: str) -> Reading:
    return read_one(Article("a", text_of(CAVEATS[name])))


def _marked(name: str) -> Iterator[tuple[str, Passage]]:
    """Give the passages with the mark of their line; a line may hold several."""
    reading = _read(name)
    for line in filter(None, CAVEATS[name]):
        start = reading.article.text.index(line[2:])
        held = [p for p in reading.passages if start <= p.sentence.span.start < start + len(line) - 2]
        assert held, line
        yield from ((line, passage) for passage in held)


@pytest.mark.parametrize("name", CAVEATS)
def test_a_sentence_that_a_caveat_is_about_is_never_bare(name: str) -> None:
    for line, passage in _marked(name):
        assert line[0] != "+" or passage.caveats or passage.possible_caveats, line
        assert line[0] != "=" or passage.is_caveat, line


def test_hardly_any_sentence_borrows_a_caveat() -> None:
    spared = [passage for name in CAVEATS for line, passage in _marked(name) if line[0] == "-"]
    assert sum(bool(passage.caveats) for passage in spared) <= MOST * len(spared)


def test_most_caveats_stand_on_the_sentences_they_are_about() -> None:
    due = [passage for name in CAVEATS for line, passage in _marked(name) if line[0] == "+"]
    assert sum(bool(passage.caveats) for passage in due) >= LEAST * len(due)


@pytest.mark.parametrize("name", CAVEATS)
def test_a_caveat_covers_each_sentence_once(name: str) -> None:
    reading = _read(name)
    for caveat in reading.caveats:
        for band in (caveat.covers, caveat.possible):
            assert list(band) == sorted(set(band))
            assert set(band) <= set(range(len(reading.passages)))
        assert set(caveat.covers).isdisjoint(caveat.possible)


SPEAKERS = (None, "Ada Roe", "Ada Roe", None, None, None, "Ada Roe", "Ada Roe")  # of the sentences 0 to 7


@pytest.mark.parametrize(
    ("likely", "covers", "possible"),
    [
        ({0: SURE, 3: SURE - 0.01, 6: CERTAIN, 7: CERTAIN - 0.01}, (0, 5, 6), (3, 7)),
        ({0: POSSIBLE, 3: POSSIBLE - 0.01, 4: 1.0}, (5,), (0,)),  # 4 is not open to it
        ({1: 0.0, 2: SPOKEN}, (1, 2, 5), ()),
        ({1: 0.0, 2: SPOKEN - 0.01}, (2, 5), ()),
        ({6: 0.0, 7: CERTAIN}, (5, 7), ()),
    ],
)
def test_a_caveat_covers_what_the_model_is_sure_of(
    likely: dict[int, float], covers: tuple[int, ...], possible: tuple[int, ...]
) -> None:
    guess = CaveatGuess("own", 1.0, (*sorted({**likely, 5: 0.0}.items()),))
    found = with_scope(Caveat(CaveatKind.OWN, 5, Span(0, 1), (5,)), guess, frozenset(range(8)) - {4}, SPEAKERS)
    assert (found.covers, found.possible) == (covers, possible)


def test_a_caveat_on_a_claim_beside_it_hardly_covers_another() -> None:
    guess = CaveatGuess("inline", 1.0, ((0, CERTAIN), (1, CERTAIN - 0.01), (5, 1.0)))
    found = with_scope(
        Caveat(CaveatKind.INLINE, 5, Span(0, 1), (5,)), guess, frozenset(range(5)), SPEAKERS, has_claim=True
    )
    assert (found.covers, found.possible) == ((0, 5), (1,))


TOLD = "Residents said ten had died."
AGREES, DOUBTS = FOUND, FOUND - 0.01


@pytest.mark.parametrize(
    ("text", "probability", "share", "covers"),
    [
        ("Reuters could not determine who had fired.", AGREES, SURE, (0,)),
        ("Reuters could not determine who had fired.", DOUBTS, SURE, ()),
        ("The army denied the claims, which Reuters could not verify.", AGREES, SURE, (0,)),  # its own is a denial
        (
            "Bo Lee said the army left, but Reuters could not verify that claim.",
            DOUBTS,
            SURE,
            (1,),
        ),  # which is beside it
        ("Bo Lee said the army left, but Reuters could not verify that claim.", AGREES, SURE, (0, 1)),
        ("Police have not confirmed the reports.", AGREES, DENIED, ()),
    ],
)
def test_a_rule_limits_a_caveat_that_the_model_doubts(
    monkeypatch: pytest.MonkeyPatch, text: str, probability: float, share: float, covers: tuple[int, ...]
) -> None:
    guess = CaveatGuess("own", probability, ((0, share), (1, share)))
    monkeypatch.setattr(scope, "_looking", lambda *_: lambda *_, **__: guess)
    caveats = read_one(Article("a", f"{TOLD} {text}")).caveats
    assert [caveat.covers for caveat in caveats if caveat.sentence == 1] == [covers]


# Where the sentences begin that the caveats of the five reports cover; they cover no other.
COVERED = {"000": (749, 938, 1110, 1243, 1400), "001": (), "002": (), "003": (), "004": (17, 134, 620, 777)}


def test_the_five_reports_have_their_caveats_where_they_are_due() -> None:
    readings = [read_one(article) for article in load_articles([shared("seeds")]).articles]
    found = {r.article.id[:3]: tuple(p.sentence.span.start for p in r.passages if p.caveats) for r in readings}
    assert found == COVERED


def test_an_outlet_is_known_by_the_source_of_the_article() -> None:
    outlets = {"BBC News": "BBC", "NPR Online News": "NPR", "Lantern (translated copy)": "Lantern"}
    outlets |= {"The Harbour Lantern": "Harbour Lantern"}
    for source, verifier in outlets.items():
        (caveat,) = read_one(Article("a", f"The {verifier} could not verify the claim.", source=source)).caveats
        assert (caveat.kind, caveat.verifier) == ("own", verifier)


@pytest.mark.rest
def test_of_very_many_caveats_the_first_have_their_scope() -> None:
    claim = "The rebels said they had sunk a boat. The claim could not be independently verified.\n\n"
    reading = read_one(Article("a", claim * (MOST_KNOWN + 3)))
    assert all(passage.is_caveat for passage in reading.passages[1::2])
    assert all(passage.caveats for passage in reading.passages[: 2 * MOST_KNOWN : 2])


def test_captions_take_no_caveat_its_scope() -> None:
    captions = "\n\nThe quay after the storm. The photo could not be verified. (Ada Roe/Agency)" * (MOST_KNOWN + 1)
    claim = "The rebels said they had sunk a boat. The claim could not be independently verified."
    (first, *_) = read_one(Article("a", f"{claim}{captions}")).passages
    assert first.caveats
