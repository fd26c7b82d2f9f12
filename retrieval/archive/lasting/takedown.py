"""An article that is to go -> what else is to be seen to: its copies, and the sentences that vectors are kept of."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.archive.near_duplicates import origins
from retrieval.errors import ArchiveError, StaleIndexError
from retrieval.model import Reading
from retrieval.search import Archive, Query

RARE = 64  # of an article's words, by which its copies are looked for
NEAR = 1_000  # sentences that are looked at for it


def copies(archive: Archive, article_id: str) -> tuple[str, ...]:
    """Return the ids of the articles that are copies of this one, as far as they share its rarer words."""
    try:
        held = archive.searchable(article_id)
    except (KeyError, ArchiveError, StaleIndexError):  # under an embargo, damaged, or of another program
        return ()
    counts = archive.frequencies({term for sentence in held for term in sentence.own})
    rare = sorted(counts, key=lambda term: (counts[term], term))[:RARE]
    hits = archive.search(Query(tuple((term, 1.0) for term in rare)), NEAR)
    stories = origins([archive.reading(other) for other in {article_id, *(hit.article_id for hit in hits)}])
    [story] = (story.articles for story in stories if article_id in story.articles)
    return tuple(other for other in story if other != article_id)


def sentences(versions: Iterable[Reading]) -> tuple[str, ...]:
    """Return the sentences of versions of an article, as they stand there."""
    return tuple(p.sentence.span.of(reading.article.text) for reading in versions for p in reading.passages)
