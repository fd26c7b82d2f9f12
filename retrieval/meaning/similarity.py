"""A question and sentences -> how near each sentence is to it in meaning, each sentence encoded once in its life."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from time import monotonic

from retrieval.cache.digest_store import DigestStore
from retrieval.meaning.encoder import Cosines, Encoder, cosines, encodable, encoded

CACHED_CODES = 16_384  # codes in memory, the last used: about 10 MB
SLICE = 4  # sentences encoded at a time while idle: a tenth of a second, after which somebody may have asked
WRITTEN = 64  # sentences stored at a time while idle: a transaction each would write the file many times over
QUIET = 1.0  # seconds without a question after which the program is idle
DIGEST = 16  # bytes of a digest


class Similarity:
    """Cosines by one encoder, with a cache and a store of codes. Safe to call from several threads at once."""

    def __init__(self, encoder: Encoder, store: DigestStore | None = None, cached_codes: int = CACHED_CODES) -> None:
        self._encoder = encoder
        self._key = blake2b(encoder.name.encode(), digest_size=DIGEST).digest()
        self._store = store
        self._lock = threading.Lock()
        self._limit = cached_codes
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()
        self._asking = 0
        self._asked_at = monotonic()
        self._lookups = Counter({"memory": 0, "file": 0, "encoder": 0})

    def lookups(self) -> dict[str, int]:
        """Return how many vectors questions wanted that were in memory, in the file, or had to be encoded."""
        with self._lock:
            return dict(self._lookups)

    def similarities(self, question: str, sentences: Sequence[str]) -> Cosines:
        """Return the cosine of each sentence with the question, shape (sentences,).

        New ones are encoded and stored; the figures are the same to the bit whether they were or not.
        """
        with self._asked():
            wanted = [self._named(sentence) for sentence in sentences]
            codes = self._codes(dict(wanted))
            asked = encoded(self._encoder.question(encodable(question))[None])[0]
            return cosines(asked, [codes[digest] for digest, _ in wanted])

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        """Encode and store what is missing, a few at a time while nobody asks, until ``stop``; return how many."""
        made, rest = 0, islice(sentences, self._room())
        while self._idle(stop) and (some := dict(self._named(text) for text in islice(rest, WRITTEN))):
            known = self._known(some)
            codes = self._made_slowly([pair for pair in some.items() if pair[0] not in known], stop)
            self._keep(codes)
            made += len(codes)
        return made

    def forget(self, sentences: Iterable[str]) -> None:
        digests = [self._named(sentence)[0] for sentence in sentences]
        with self._lock:
            for digest in digests:
                self._cache.pop(digest, None)
        if self._store:
            self._store.discard(digests)

    def _room(self) -> int:
        """Return how many can be stored: more would push out those filled first, to be filled again next time."""
        return self._store.bound if self._store and self._store.usable() else self._limit

    def _made_slowly(self, wanted: Sequence[tuple[bytes, str]], stop: threading.Event) -> dict[bytes, bytes]:
        """Encode in small slices, and begin none after ``stop``."""
        made: dict[bytes, bytes] = {}
        while len(made) < len(wanted) and self._idle(stop):
            made |= self._make(dict(wanted[len(made) : len(made) + SLICE]))
        return made

    def _idle(self, stop: threading.Event) -> bool:
        """Wait until nobody has asked for a while; return whether to go on."""
        while (left := self._until_quiet()) > 0:
            if stop.wait(left):
                return False
        return not stop.is_set()

    def _until_quiet(self) -> float:
        with self._lock:
            return QUIET if self._asking else self._asked_at + QUIET - monotonic()

    @contextmanager
    def _asked(self) -> Iterator[None]:
        with self._lock:
            self._asking += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking -= 1
                self._asked_at = monotonic()

    def _codes(self, wanted: dict[bytes, str]) -> dict[bytes, bytes]:
        """Return the codes of sentences by digest, from memory, from the file, or encoded now."""
        with self._lock:
            cached = sum(digest in self._cache for digest in wanted)
        known = self._known(wanted)
        made = self._make({digest: text for digest, text in wanted.items() if digest not in known})
        with self._lock:
            self._lookups.update(memory=cached, file=len(known) - cached, encoder=len(made))
        self._cache_codes(known | made)
        if self._store:
            self._store.put(made)
        return known | made

    def _known(self, wanted: Iterable[bytes]) -> dict[bytes, bytes]:
        with self._lock:
            known = {digest: self._cache[digest] for digest in wanted if digest in self._cache}
        missing = [digest for digest in wanted if digest not in known]
        return known | self._store.get(missing) if self._store and missing else known

    def _make(self, wanted: dict[bytes, str]) -> dict[bytes, bytes]:
        if not wanted:
            return {}
        return dict(zip(wanted, encoded(self._encoder.sentences(list(wanted.values()))), strict=True))

    def _keep(self, codes: dict[bytes, bytes]) -> None:
        """Keep codes in the file, or in memory without one."""
        if self._store and self._store.usable():
            self._store.put(codes)
        else:
            self._cache_codes(codes)

    def _cache_codes(self, codes: dict[bytes, bytes]) -> None:
        with self._lock:
            self._cache.update(codes)
            for digest in codes:
                self._cache.move_to_end(digest)
            while len(self._cache) > self._limit:
                self._cache.popitem(last=False)

    def _named(self, sentence: str) -> tuple[bytes, str]:
        """Return the key of a sentence's code, which depends on the model, and the text to encode."""
        text = encodable(sentence)
        return blake2b(text.encode(), digest_size=DIGEST, key=self._key).digest(), text
