"""Pieces with what stands around them, and what is judged of them."""

from __future__ import annotations

from typing import NamedTuple

from retrieval.model import Kind
from retrieval.names.name_parts import NamePart
from retrieval.names.runs import Word


class Verdict(NamedTuple):
    """A kind, none where it is no name; ``sure`` where nothing else in the article can change it."""

    kind: Kind | None
    sure: bool = True


class Candidate(NamedTuple):
    """A piece with what stands around it.

    ``name`` is its words as one string, ``single`` where it is one word.
    ``opens`` where it opens a sentence, a quotation or a line; ``lower`` and ``capital`` are the words that the
    article has in lower case, and in upper case within a sentence.
    """

    piece: NamePart
    texts: tuple[str, ...]
    name: str
    single: bool
    earlier: str
    before: str
    after: str
    beyond: str
    opens: bool
    lower: frozenset[str]
    capital: frozenset[str]


def candidate(words: list[Word], piece: NamePart, lower: frozenset[str], capital: frozenset[str]) -> Candidate:
    """Return ``piece`` with its neighbours."""
    texts = tuple([w.text for w in words[piece.first : piece.last + 1]])
    before = words[piece.first - 1].text if piece.first else ""
    following = words[piece.last + 1 : piece.last + 3]
    return Candidate(
        piece,
        texts,
        name=" ".join(texts),
        single=len(texts) == 1,
        earlier=words[piece.first - 2].text if piece.first > 1 else "",
        before=before,
        after=following[0].text if following else "",
        beyond=following[1].text if len(following) > 1 else "",
        opens=not before[-1:].isalnum(),
        lower=lower,
        capital=capital,
    )
