"""Real articles, read by the same rules as any: nothing raises, nothing is out of its place.

A few of two thousand, more in `make nightly`; `make soak` reads all of them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import pytest

from adapters import json_contract
from retrieval.errors import UnreadArticleError
from retrieval.intake.articles import load_articles
from retrieval.model import Article, Caveat, Passage, Reading, Span
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import join_names, raise_error, read_all, read_separately
from tests.shared import shared
from tests.shelf import read as kept
from tests.support.nightly import examples

pytestmark = pytest.mark.rest

Read = tuple[tuple[Article, ...], tuple[Reading, ...], list[UnreadArticleError]]

ALL = 2_000
LISTED = re.compile(r", | and ")  # names of two or more who say it together


@pytest.fixture(
    scope="module",
    params=[pytest.param(examples(160, 80), id="some"), pytest.param(1, id="all", marks=pytest.mark.soak)],
)
def read(request: pytest.FixtureRequest) -> Read:
    loaded = load_articles([shared("data", "corpus", "news_2000.jsonl")])
    assert loaded.rejected == ()
    assert len(loaded.articles) == ALL
    articles, errors = loaded.articles[:: request.param], list[UnreadArticleError]()
    if request.param == 1:
        return articles, read_all(articles, on_error=errors.append), errors
    return articles, join_names([*map(kept, articles)], NO_ALIASES, errors.append), errors


def test_every_article_is_read(read: Read) -> None:
    articles, readings, errors = read
    assert [f"{error.article}: {error}" for error in errors] == []
    assert [reading.article for reading in readings] == list(articles)


def test_what_is_read_stands_where_it_is_said_to(read: Read) -> None:
    assert [f"{reading.article.id}: {fault}" for reading in read[1] for fault in _faults(reading)] == []


def test_the_same_bytes_come_of_them_in_any_order_and_twice(read: Read) -> None:
    """They are read once more from the last to the first, by other processes than before; of a few, each fifth is."""
    articles = read[0][::-1]
    anew = read_separately(articles if len(articles) == ALL else articles[::5], on_error=[].append)
    told = {reading.article.id: reading for reading in anew}
    again = join_names([told.get(each.id) or kept(each) for each in articles], NO_ALIASES, raise_error)
    assert _digests(again) == _digests(read[1])


def _digests(readings: Iterable[Reading]) -> dict[str, str]:
    printed = ((reading.article.id, json_contract.line(json_contract.reading(reading))) for reading in readings)
    return {name: hashlib.sha256(line.encode()).hexdigest() for name, line in printed}


def _faults(reading: Reading) -> Iterator[str]:
    yield from _sentence_faults(reading)
    for passage in reading.passages:
        yield from (f"sentence {passage.sentence.index}: {fault}" for fault in _passage_faults(passage, reading))
    for caveat in reading.caveats:
        yield from (f"caveat in {caveat.sentence}: {fault}" for fault in _caveat_faults(caveat, reading.passages))
    line = json.loads(json_contract.line(json_contract.reading(reading)))
    text = reading.article.text
    if any(row["text"] != text[row["start"] : row["end"]] for row in line["sentences"]):
        yield "what is printed of a sentence is not the text at its place"
    if line["digest"] != hashlib.sha256(text.encode()).hexdigest():
        yield "the digest is not the text's"


def _sentence_faults(reading: Reading) -> Iterator[str]:
    text, spans = reading.article.text, [passage.sentence.span for passage in reading.passages]
    if [passage.sentence.index for passage in reading.passages] != list(range(len(spans))):
        yield "sentences are not counted from 0"
    if any(after.start < before.end for before, after in pairwise(spans)):
        yield "sentences overlap"
    gaps = pairwise((0, *(edge for span in spans for edge in (span.start, span.end)), len(text)))
    between = [text[start:end] for number, (start, end) in enumerate(gaps) if number % 2 == 0]
    # a literal backslash-n belongs to no sentence
    if any(map(str.isalnum, "".join(between).replace("\\n", ""))):
        yield "a letter or a figure is in no sentence"
    if any(span.of(text) != span.of(text).strip() for span in spans):
        yield "a sentence begins or ends with white space"


def _passage_faults(passage: Passage, reading: Reading) -> Iterator[str]:
    text, here = reading.article.text, passage.sentence.span
    for mention in passage.mentions:
        if not _inside(mention.span, here) or not mention.span.of(text).strip() or not mention.name.strip():
            yield f"a mention is not of its words: {mention.name}"
    if any(after.span.start < before.span.end for before, after in pairwise(passage.mentions)):
        yield "mentions overlap"
    said = passage.attribution
    if said and said.span and not _inside(said.span, here):
        yield "a cue stands outside its sentence"
    words = "".join(text.split())
    if said and said.speaker and not all("".join(name.split()) in words for name in LISTED.split(said.speaker)):
        yield f"a speaker is spelt as nowhere in the article: {said.speaker}"
    own = (c.sentence for c in reading.caveats if c.by_outlet)
    if passage.is_caveat != (passage.sentence.index in own):
        yield "the caveat's own sentence is not marked"
    if passage.caveats != tuple(c for c in reading.caveats if passage.sentence.index in c.covers):
        yield "a caveat covers another sentence than it says"


def _caveat_faults(caveat: Caveat, passages: Sequence[Passage]) -> Iterator[str]:
    indexes = (*caveat.covers, *caveat.possible)
    if not 0 <= caveat.sentence < len(passages) or not all(0 <= index < len(passages) for index in indexes):
        yield "it is of no sentence"
    elif not _inside(caveat.span, passages[caveat.sentence].sentence.span):
        yield "its words stand outside its sentence"
    if list(caveat.covers) != sorted(set(caveat.covers)) or set(caveat.covers) & set(caveat.possible):
        yield "a sentence is covered twice"


def _inside(span: Span, outer: Span) -> bool:
    return outer.start <= span.start < span.end <= outer.end
