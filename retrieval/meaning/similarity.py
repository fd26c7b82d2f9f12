"""A question and sentences -> how near each sentence is to it in meaning, each sentence encoded once in its life."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import islice

from retrieval.meaning.codes import Cosines, cosines, encoded
from retrieval.meaning.encoder import Encoder, encodable
from retrieval.meaning.kept import Kept

AT_HAND = 16_384  # codes in memory, the last used: about 10 MB
SLICE = 4  # sentences encoded at a time while idle: a tenth of a second at most, and then somebody may ask
DIGEST = 16  # bytes


class Similarity:
    """Cosines by one encoder, in front of what is kept. Safe to call from several threads at once."""

    def __init__(self, encoder: Encoder, kept: Kept | None = None) -> None:
        self._encoder = encoder
        self._kept = kept
        self._lock = threading.Lock()
        self._at_hand: OrderedDict[bytes, bytes] = OrderedDict()

    def similarities(self, question: str, sentences: Sequence[str]) -> Cosines:
        """Return the cosine of each sentence with the question, shape (sentences,).

        Those never met are encoded and kept; the figures are the same to the bit whether they were or not.
        """
        texts = [encodable(sentence) for sentence in sentences]
        digests = [self._digest(text) for text in texts]
        codes = self._codes(dict(zip(digests, texts, strict=True)))
        asked = encoded(self._encoder.question(encodable(question))[None])[0]
        return cosines(asked, [codes[digest] for digest in digests])

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        """Encode and keep the sentences that are not kept, a few at a time, until ``stop``; return how many were."""
        made, rest = 0, iter(sentences)
        while not stop.is_set() and (some := [encodable(text) for text in islice(rest, SLICE)]):
            wanted = {self._digest(text): text for text in some}
            missing = wanted.keys() - self._known(wanted).keys()
            self._make({digest: wanted[digest] for digest in wanted if digest in missing})
            made += len(missing)
        return made

    def _codes(self, wanted: dict[bytes, str]) -> dict[bytes, bytes]:
        known = self._known(wanted)
        return known | self._make({digest: text for digest, text in wanted.items() if digest not in known})

    def _known(self, wanted: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the codes at hand or kept."""
        digests = list(wanted)
        with self._lock:
            found = {digest: self._at_hand[digest] for digest in digests if digest in self._at_hand}
            for digest in found:
                self._at_hand.move_to_end(digest)
        missing = [digest for digest in digests if digest not in found]
        if self._kept and missing:
            kept = self._kept.get(missing)
            self._put_at_hand(kept)
            found |= kept
        return found

    def _make(self, wanted: dict[bytes, str]) -> dict[bytes, bytes]:
        """Encode, and keep."""
        if not wanted:
            return {}
        made = dict(zip(wanted, encoded(self._encoder.sentences(list(wanted.values()))), strict=True))
        self._put_at_hand(made)
        if self._kept:
            self._kept.put(made)
        return made

    def _put_at_hand(self, codes: dict[bytes, bytes]) -> None:
        with self._lock:
            self._at_hand.update(codes)
            while len(self._at_hand) > AT_HAND:
                self._at_hand.popitem(last=False)

    def _digest(self, text: str) -> bytes:
        """Return what a code is kept under: another model makes other codes of the same text."""
        return blake2b(text.encode(), digest_size=DIGEST, key=self._encoder.name.encode()[:64]).digest()
