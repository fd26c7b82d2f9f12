"""Articles -> a lasting archive: what is new or has changed is read and put in, and the rest costs nothing.

A few articles at a time are put in together: who is stopped has lost no more than these, and reads them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retrieval.archive.lasting.archive import LastingArchive
from retrieval.collector import seldom_collected
from retrieval.errors import UnreadArticleError
from retrieval.model import Article


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of articles, by their ids: new ones, new versions, and those that were held as they are."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]


def take_in(
    archive: LastingArchive,
    articles: Sequence[Article],
    model: str,
    advance: Callable[[], None],
    on_error: Callable[[UnreadArticleError], None],
) -> Taken:
    """Put articles into the archive, each under the id by which it is held already; ``model`` is as for reading.

    ``advance`` is called after each article, ``on_error`` with each that could not be read.
    """
    identified = archive.identified(articles)
    known = archive.known(identified)
    for _ in filter(None, known):
        advance()
    left = [article for article, is_known in zip(identified, known, strict=True) if not is_known]
    before = {article.id for article in left if archive.meant(article.id)}
    put: tuple[str, ...] = ()
    if left:
        from retrieval.pipeline import read_apart, stages_of  # noqa: PLC0415 - loads every rule

        with seldom_collected():
            read = read_apart(left, advance, on_error, stages_of(model), archive.add)
            put = tuple(reading.article.id for reading in read)
    return Taken(
        added=tuple(article_id for article_id in put if article_id not in before),
        changed=tuple(article_id for article_id in put if article_id in before),
        unchanged=tuple(article.id for article, is_known in zip(identified, known, strict=True) if is_known),
    )
