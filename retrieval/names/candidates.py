"""Pieces with what stands around them, and what is judged of them."""

from __future__ import annotations

from typing import NamedTuple

from retrieval.model import Kind
from retrieval.names.pieces import Piece
from retrieval.names.runs import Word


class Verdict(NamedTuple):
    """A kind, none where it is no name; ``sure`` where nothing else in the article can change it."""

    kind: Kind | None
    sure: bool = True


class Candidate(NamedTuple):
    """A piece with what stands around it.

    ``opens`` where it opens a sentence, a quotation or a line; ``lower`` and ``capital`` are the words that the
    article has in lower case, and in upper case within a sentence.
    """

    piece: Piece
    texts: tuple[str, ...]
    earlier: str
    before: str
    after: str
    beyond: str
    opens: bool
    lower: frozenset[str]
    capital: frozenset[str]

    @property
    def name(self) -> str:
        """The words as one string."""
        return " ".join(self.texts)

    @property
    def single(self) -> bool:
        """Whether it is one word."""
        return len(self.texts) == 1


def candidate(words: list[Word], piece: Piece, lower: frozenset[str], capital: frozenset[str]) -> Candidate:
    """Return ``piece`` with its neighbours."""
    before = words[piece.first - 1].text if piece.first else ""
    after, beyond = (words[i].text if i < len(words) else "" for i in (piece.last + 1, piece.last + 2))
    earlier = words[piece.first - 2].text if piece.first > 1 else ""
    texts = tuple(w.text for w in words[piece.first : piece.last + 1])
    return Candidate(piece, texts, earlier, before, after, beyond, not before[-1:].isalnum(), lower, capital)
