"""Copies of one wire story are one origin, and a caveat that one of them dropped is flagged."""

from collections.abc import Sequence

import pytest

from retrieval.archive.archive import open_archive
from retrieval.archive.near_duplicates import MOST, Lost, Origin, _bands, _shingles, origins_of
from retrieval.model import Article, Caveat, CaveatKind, Passage, Reading, Sentence, Span
from retrieval.pipeline import read_one

OPENING = "Armed men stopped a convoy of eleven grain lorries outside Kelmar before dawn on Tuesday."
DRIVERS = "Three drivers said by telephone that the men had worn the grey uniforms of the border guard."
CAVEAT = "Their accounts could not be independently verified."
CARGO = "The lorries were carrying 240 tonnes of wheat for villages that had been cut off since the spring floods."
MINISTER = "Interior minister Ilya Voss said an inquiry had been opened and that nobody in uniform was above the law."
ROADS = "Two of the three roads into the valley have been closed to traffic since the first week of March."
ENDING = "Aid workers in the district say that stocks of flour will last for nine days at the most."

WIRE = (OPENING, DRIVERS, CAVEAT, CARGO, MINISTER, ROADS, ENDING)
TRIMMED = (OPENING, DRIVERS, CAVEAT, CARGO, MINISTER)
REORDERED = ("GRAIN CONVOY HELD UP\n\n" + CARGO, OPENING, DRIVERS, MINISTER, ENDING)
ANOTHER = (
    "Grain lorries bound for the flooded valley were held up near Kelmar early on Tuesday, the district council said.",
    "It put the loss at 240 tonnes of wheat.",
    "Councillor Ane Torp blamed the border guard, which did not answer questions.",
    "Flour is expected to run out within ten days.",
)


def reading(name: str, sentences: tuple[str, ...]) -> Reading:
    """Return an article of ``sentences`` in which ``CAVEAT``, if it is there, covers ``DRIVERS``."""
    text = " ".join(sentences)
    spans = [Span(text.index(s), text.index(s) + len(s)) for s in sentences]
    caveats: tuple[Caveat, ...] = ()
    if CAVEAT in sentences:
        at = sentences.index(CAVEAT)
        caveats = (Caveat(CaveatKind.OWN, at, spans[at], (sentences.index(DRIVERS),)),)
    passages = tuple(Passage(Sentence(name, i, span, 0)) for i, span in enumerate(spans))
    return Reading(Article(name, text), passages, caveats)


def origins(readings: Sequence[Reading]) -> tuple[Origin, ...]:
    by_id = {reading.article.id: reading for reading in readings}
    return origins_of(open_archive(readings).listed(), by_id.__getitem__)


def test_three_versions_of_one_story_are_one_origin_and_another_story_is_another() -> None:
    """Trimmed, re-ordered and re-headed copies belong together; a second report of the same event does not."""
    files = {"wire.txt": WIRE, "trimmed.txt": TRIMMED, "reordered.txt": REORDERED, "another.txt": ANOTHER}
    found = origins([reading(name, sentences) for name, sentences in files.items()])
    assert [origin.articles for origin in found] == [("another.txt",), ("reordered.txt", "trimmed.txt", "wire.txt")]


def test_a_copy_that_dropped_the_caveat_of_a_claim_that_it_repeats_is_flagged() -> None:
    """Where the claim is not repeated, its caveat need not be; and an outlet may put the same caution in its words."""
    without = (OPENING, CARGO, MINISTER, ROADS, ENDING)
    caution = "The Kelmar Gazette has not confirmed what the drivers said."
    own = reading("own.txt", (OPENING, DRIVERS, caution, CARGO, MINISTER))
    caveat = Caveat(CaveatKind.OWN, 2, own.passages[2].sentence.span, (1,), "The Kelmar Gazette")
    wire = reading("wire.txt", WIRE)
    for copy, lost in (
        (reading("reordered.txt", REORDERED), (Lost("reordered.txt", "wire.txt", wire.caveats[0]),)),
        (reading("short.txt", without), ()),
        (Reading(own.article, own.passages, (caveat,)), ()),
    ):
        (found,) = origins([wire, copy])
        assert found.lost == lost, copy.article.id


def same(one: str, other: str) -> bool:
    return len(origins([read_one(Article("a", one)), read_one(Article("b", other))])) == 1


def test_five_words_in_a_row_are_compared_and_bands_are_those_of_datasketch_that_archives_hold() -> None:
    assert same("It rained in Kelmar today.", "It rained in Kelmar today.")
    assert not same("It rained in Kelmar.", "It rained in Kelmar.")
    first = (41262217437011869, 53178384130270732, 7743747959551543)
    assert _bands(_shingles("one two three four five six seven"))[:3] == first


def test_a_copy_has_half_of_the_shorter_ones_runs_of_five_words() -> None:
    story = "Armed men stopped a convoy of eleven grain lorries outside Kelmar before dawn Tuesday".split()
    assert len(story) == 14
    for shared, copied in ((9, True), (8, False)):
        other = [*story[:shared], *(f"other{n}" for n in range(14 - shared))]
        assert same(" ".join(story), " ".join(other)) is copied


@pytest.mark.rest
def test_very_many_articles_of_nearly_one_text_are_one_story_at_linear_cost() -> None:
    """Each is compared with the newest alone; so many copies as a real story has are all compared."""
    readings = [reading(f"{i:03}.txt", (*WIRE, f"It is report {i}.")) for i in range(4 * MOST)]
    archive, ids = open_archive(readings), [found.article.id for found in readings]
    assert sum(len(each.copies) for each in archive.listed()) < 2 * MOST * len(ids)
    (story,) = origins(readings)
    assert story.articles == tuple(ids)
    assert [len(each.copies) for each in open_archive(readings[:MOST]).listed()] == [MOST - 1] * MOST
