"""Articles -> their readings, with names joined over all of them; what an earlier start has read is not read again.

An article's own reading is kept by itself, what each name is called over all articles beside the index. Where both
are kept, a reading is taken from its file when it is asked for: who asks one question looks into a few articles, and
waits neither for the others nor for what reads them to be loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import cast

from retrieval.cache.digest_store import DigestStore
from retrieval.cache.index_parts import UNKEPT, KeptParts, Part, Parts
from retrieval.cache.reading_cache import KeptReadings
from retrieval.errors import UnreadArticleError
from retrieval.model import Article, Kind, Mention, Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Called, with_names

NAMES = "names joined"  # the part that says what each name is called over all articles
DIGEST = 32  # bytes


@dataclass(frozen=True, slots=True)
class Cache:
    """The files of earlier starts: each article's reading, and what was built of all of them.

    ``model`` names the spaCy pipeline that is used too.
    """

    readings: KeptReadings
    indexes: DigestStore
    model: str = ""


class Library(Mapping[str, Reading]):
    """The readings of articles by their ids, in the order of the articles; read when asked for, and then held.

    ``parts`` is where the index of just these articles is kept.
    """

    def __init__(
        self, articles: Iterable[Article], read: Callable[[Article], Reading], parts: Parts, *, holds: bool = True
    ) -> None:
        self.articles = {article.id: article for article in articles}
        self.parts = parts
        self._read = read
        self._holds = holds
        self._held: dict[str, Reading] = {}

    def unheld(self) -> Library:
        """Return the same, each taken anew whenever it is asked for: who goes through all of them holds none."""
        return Library(self.articles.values(), self._read, self.parts, holds=False)

    def __getitem__(self, article_id: str) -> Reading:
        if article_id in self._held:
            return self._held[article_id]
        reading = self._read(self.articles[article_id])
        if self._holds:
            self._held[article_id] = reading
        return reading

    def __iter__(self) -> Iterator[str]:
        return iter(self.articles)

    def __len__(self) -> int:
        return len(self.articles)


def read_library(
    articles: Sequence[Article],
    aliases: Aliases,
    advance: Callable[[], None],
    on_error: Callable[[UnreadArticleError], None],
    cache: Cache,
) -> Library:
    """Return what ``read_all`` does, from ``cache`` where it has been read before; what is read now is kept there."""
    reader = _Reader(cache)
    held = reader.read(articles, advance, on_error)
    parts = KeptParts(cache.indexes, _key(held, aliases, cache.readings))
    called = _called(parts)
    if called is not None:
        return Library(held, reader.called(called), parts)
    return _joined([reader(article) for article in held], aliases, on_error, parts)


def _joined(
    own: Sequence[Reading], aliases: Aliases, on_error: Callable[[UnreadArticleError], None], parts: Parts
) -> Library:
    from retrieval.pipeline import join_names  # noqa: PLC0415 - a tenth of a second, where nothing has to be read

    joined = join_names(own, aliases, on_error)
    if len(joined) < len(own):  # it is said again on each start which of them cannot be joined
        return library_of(joined)
    parts.put(NAMES, _part(own, joined))
    return library_of(joined, parts)


def library_of(readings: Iterable[Reading], parts: Parts = UNKEPT) -> Library:
    """Return what has been read already."""
    by_id = {reading.article.id: reading for reading in readings}
    return Library([reading.article for reading in by_id.values()], lambda article: by_id[article.id], parts)


class _Reader:
    """Gives an article's own reading: one that is kept, one of this start, or, where both are gone, a new one."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._fresh: dict[str, Reading] = {}

    def read(
        self, articles: Sequence[Article], advance: Callable[[], None], on_error: Callable[[UnreadArticleError], None]
    ) -> list[Article]:
        """Read what is not kept; return the articles of which there is a reading now."""
        kept = self._cache.readings
        known = {article.id for article, is_kept in zip(articles, kept.known(articles), strict=True) if is_kept}
        for _ in known:
            advance()
        left = [article for article in articles if article.id not in known]
        if left:
            self._read(left, advance, on_error)
        return [article for article in articles if article.id in known or article.id in self._fresh]

    def _read(
        self, left: Sequence[Article], advance: Callable[[], None], on_error: Callable[[UnreadArticleError], None]
    ) -> None:
        from retrieval.pipeline import read_apart, stages_of  # noqa: PLC0415 - as above

        stages = stages_of(self._cache.model)
        for reading in read_apart(left, advance, on_error, stages, self._cache.readings.put):
            self._fresh[reading.article.id] = reading

    def __call__(self, article: Article) -> Reading:
        return self._fresh.get(article.id) or self._cache.readings.get([article])[0] or self._read_again(article)

    def _read_again(self, article: Article) -> Reading:
        """Read what was kept and is damaged, or gone since."""
        from retrieval.pipeline import read_one, stages_of  # noqa: PLC0415 - as above

        return read_one(article, stages_of(self._cache.model))

    def called(self, called: Called) -> Callable[[Article], Reading]:
        """Return what gives readings in which names are what they are over all articles."""

        def read(article: Article) -> Reading:
            return with_names(self(article), called)

        return read


def _key(articles: Sequence[Article], aliases: Aliases, readings: KeptReadings) -> bytes:
    """Return the digest of all that an index is built from, in whatever order the articles came."""
    digest = blake2b(json.dumps((aliases.same, aliases.different)).encode(), digest_size=DIGEST)
    for key in sorted(readings.key(article) for article in articles):
        digest.update(key)
    return digest.digest()


def _part(own: Sequence[Reading], joined: Sequence[Reading]) -> Part:
    pairs = zip(_mentions(own), _mentions(joined), strict=True)
    changes = {(one.name, one.kind): (other.name, other.kind) for one, other in pairs if one is not other}
    return {"called": [(*before, *after) for before, after in changes.items()]}


def _mentions(readings: Sequence[Reading]) -> Iterator[Mention]:
    return (mention for reading in readings for passage in reading.passages for mention in passage.mentions)


def _called(parts: Parts) -> Called | None:
    """Return what names are called over all articles; None where that is not kept."""
    found = parts.get(NAMES)
    if found is None:
        return None
    kinds = {kind.value: kind for kind in Kind}
    try:
        rows = cast("Sequence[tuple[str, str, str, str]]", found["called"])
        return {(name, kinds[kind]): (other, kinds[of]) for name, kind, other, of in rows}
    except (LookupError, TypeError, ValueError):  # whatever it is, it is no part of ours
        return None
