"""Articles -> the readings that an earlier start made of them; readings -> kept for the next.

What is kept is each article's own reading, which no other article changes: names are joined over all of them after.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from retrieval.cache.digest_store import Contents, DigestStore
from retrieval.cache.fingerprint import installed, program_version
from retrieval.cache.reading_codec import decode, encode
from retrieval.model import Article, Reading

log = logging.getLogger(__name__)

# a reading takes about 5 kB
READINGS = Contents("readings", "STET_READINGS", 0x53745265, 100_000)
DIGEST = 16  # bytes


def reader_of(model: str = "") -> str:
    """Return what names all that a reading depends on beside its article; ``model`` is as for reading."""
    return "\n".join((program_version(), model, installed(model) if model else ""))


class KeptReadings:
    """Readings in a file, by all that they depend on: the article, the program, and the pipeline that is used too."""

    def __init__(self, kept: DigestStore, model: str = "") -> None:
        self._kept = kept
        self._reader = reader_of(model)

    def get(self, articles: Sequence[Article]) -> tuple[Reading | None, ...]:
        """Return the reading of each article, None where none is kept."""
        keys = [self.key(article) for article in articles]
        codes = self._kept.get(keys)
        return tuple([_decoded(article, codes.get(key)) for article, key in zip(articles, keys, strict=True)])

    def known(self, articles: Sequence[Article]) -> tuple[bool, ...]:
        """Return, for each article, whether a reading of it is kept."""
        keys = [self.key(article) for article in articles]
        held = self._kept.has(keys)
        return tuple([key in held for key in keys])

    def put(self, readings: Iterable[Reading]) -> None:
        """Keep readings, each as its article alone was read."""
        self._kept.put({self.key(reading.article): encode(reading) for reading in readings})

    def key(self, article: Article) -> bytes:
        """Return what a reading of ``article`` stands under; where it was found makes no difference."""
        published = article.published.isoformat() if article.published else None
        told = (article.id, article.digest, article.title, article.source, article.url, published)
        row = json.dumps((self._reader, *told, article.author, article.wire))
        return blake2b(row.encode(), digest_size=DIGEST).digest()


def _decoded(article: Article, code: bytes | None) -> Reading | None:
    try:
        return decode(article, code) if code else None
    except ValueError as error:
        log.debug("read again: %s", error)
        return None


def is_known_pipeline(model: str) -> bool:
    """Return whether a spaCy pipeline is identified by its version; one in a folder may change at any time."""
    return not model or bool(installed(model))
