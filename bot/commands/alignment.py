"""A quotation's words -> the pieces of it that stand in a row somewhere in the articles.

Longest first from the left: one piece is an exact quotation, pieces a word apart one that was altered, pieces from
different places one that was stitched together.

Words are compared as the characters of a string, one for each word of the quotation, so that a search for words in a
row is a search of one string in another, which no quotation makes slow.

Text -> its words as a comparison of quotations sees them: typography gone, everything else kept.

Quotation marks, white space and the kind of a dash do not count; letters, digits, stops and commas do. These are not
the tokens that articles are read by: what is pasted is no copy (marks are lost, "don't" has a typewriter's apostrophe),
and a word must be the same on both sides whatever marks stand around it, so marks never decide where it is cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import NamedTuple

from retrieval import Reading, bare_text

SHORTEST = 3  # words in a row that are a piece rather than chance
NEARBY = 5  # words apart within which two pieces are of one place, even across a full stop

_FIRST = 0x100  # the number of the character of a quotation's first word
_OTHER = "\0"  # a word that the quotation has not
_BETWEEN = "\1"  # what no quotation has either


class Code:
    """The characters that stand for the words of a quotation."""

    def __init__(self, words: Sequence[Word]) -> None:
        forms = dict.fromkeys(word.form for word in words)
        self._characters = {form: chr(_FIRST + number) for number, form in enumerate(forms)}

    def of(self, words: Sequence[Word]) -> str:
        """Return words as a string, a character each; what the quotation has not is all one."""
        return "".join([self._characters.get(word.form, _OTHER) for word in words])


@dataclass(frozen=True)
class Source:
    """An article with its words, and the characters that stand for them."""

    reading: Reading
    code: Code

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The article's words."""
        return quote_words(self.reading.article.text)

    @cached_property
    def coded(self) -> str:
        """The article's words, a character each."""
        return self.code.of(self.words)

    @cached_property
    def unpunctuated(self) -> Sequence[int]:
        """The numbers of the words that are no punctuation."""
        return [number for number, word in enumerate(self.words) if not word.is_punctuation]

    @cached_property
    def starts(self) -> Sequence[int]:
        """The number of the first word of each sentence, and last the number of all words."""
        begin = [word.start for word in self.words]
        return [bisect_left(begin, p.sentence.span.start) for p in self.reading.passages] + [len(self.words)]

    def sentences(self, first: int, last: int) -> tuple[int, ...]:
        """Return the indexes of the sentences that the words from ``first`` to before ``last`` stand in.

        The stop of the sentence before is not one of these words, though a run may begin with it.
        """
        first = next((n for n in range(first, last) if not self.words[n].is_punctuation), first)
        start, end = self.words[first].start, self.words[last - 1].end
        at = bisect_right(self._ends, start)
        spans = ((p.sentence.index, p.sentence.span) for p in self.reading.passages[at:])
        return tuple(index for index, _ in takewhile(lambda found: found[1].start < end, spans))

    @cached_property
    def _ends(self) -> Sequence[int]:
        return [p.sentence.span.end for p in self.reading.passages]


@dataclass(frozen=True, slots=True)
class Piece:
    """``length`` words of the quotation from ``start``, found in ``source`` from word ``at``."""

    source: Source
    start: int
    at: int
    length: int

    @property
    def words(self) -> Sequence[Word]:
        """The words in the article."""
        return self.source.words[self.at : self.end]

    @property
    def end(self) -> int:
        """The number of the first word of the article after it."""
        return self.at + self.length

    def continues(self, before: Piece) -> bool:
        """Return whether this is of the same place as the piece before: the same sentence, or a few words on."""
        if self.source is not before.source or self.at < before.end:
            return False
        return self.at - before.end <= NEARBY or bool(
            {*self.source.sentences(self.at, self.end)} & {*self.source.sentences(before.at, before.end)}
        )


def pieces(quoted: str, sources: Sequence[Source]) -> tuple[Piece, ...]:
    """Return the pieces of a quotation, a character a word, in order; words in no piece are left between them."""
    everywhere = _Everywhere(sources)
    found: list[Piece] = []
    start = 0
    while start < len(quoted):
        length = everywhere.longest(quoted, start)
        if length >= min(SHORTEST, len(quoted)):
            found.append(everywhere.piece(quoted, start, length, found[-1] if found else None))
            start += length
        else:
            start += 1
    return tuple(found)


class _Everywhere:
    """All articles as one string, in which nothing runs from one into the next."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._text = _BETWEEN.join(source.coded for source in sources)
        lengths = (len(source.coded) + len(_BETWEEN) for source in sources)
        self._begins = [0, *accumulate(lengths)]
        self._shortest = frozenset(self._text[at : at + SHORTEST] for at in range(len(self._text)))

    def longest(self, quoted: str, start: int) -> int:
        """Return how many characters of ``quoted`` from ``start`` on stand in a row somewhere."""
        most = len(quoted) - start
        if most >= SHORTEST and quoted[start : start + SHORTEST] not in self._shortest:
            return 0
        # What stands in a row holds all that is shorter, and most of it is short.
        end = SHORTEST
        while end < most and quoted[start : start + end] in self._text:
            end *= 2
        return bisect_left(
            range(1, min(end, most) + 1), x=True, key=lambda n: quoted[start : start + n] not in self._text
        )

    def piece(self, quoted: str, start: int, length: int, before: Piece | None) -> Piece:
        """Return the place of that many characters: where it continues the piece before, else the first."""
        wanted = quoted[start : start + length]
        if before:
            at = before.source.coded.find(wanted, before.end)
            piece = Piece(before.source, start, at, length)
            if at >= 0 and piece.continues(before):
                return piece
        at = self._text.find(wanted)
        number = bisect_right(self._begins, at) - 1
        return Piece(self._sources[number], start, at - self._begins[number], length)


_DOTS = r"(?:…|\.\s?\.\s?\.)"
# words with their inner apostrophes, hyphens and digits; an ellipsis, in brackets or not; any other mark by itself
_WORD = re.compile(rf"\w+(?:['’.,\-‐‑]\w+)*|\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS}|[^\w\s]")
_ELLIPSIS = re.compile(rf"[\[(]?\s*{_DOTS}\s*[\])]?")
_MARKS = frozenset("\"“”„‟«»‘’'‚‛`´")
_DASHES = dict.fromkeys("‐‑‒–—―−", "-")
_ENDS = frozenset(".,;:!?…")
_PUNCTUATION = _ENDS | frozenset("-()[]{}/")
_PLAIN = str.maketrans({"’": "'", "‐": "-", "‑": "-"})


class Word(NamedTuple):
    """A word at its place; ``form`` is what it is compared by, ``cased`` the same with its capitals."""

    form: str
    cased: str
    start: int
    end: int

    @property
    def is_punctuation(self) -> bool:
        """Whether it is a stop, a comma, a dash, a bracket or the like."""
        return self.form in _PUNCTUATION


def quote_words(text: str) -> tuple[Word, ...]:
    """Return the words of ``text``, with stops and commas, without quotation marks."""
    bare = bare_text(text)
    found = tuple([_word(match) for match in _WORD.finditer(bare.text if bare else text) if match[0] not in _MARKS])
    return (
        found
        if bare is None
        else tuple([word._replace(start=bare.starts[word.start], end=bare.ends[word.end - 1]) for word in found])
    )


def _word(match: re.Match[str]) -> Word:
    cased = match[0]
    if not cased.isalnum():
        cased = "…" if _ELLIPSIS.fullmatch(cased) else _DASHES.get(cased, cased).translate(_PLAIN)
    return Word(cased.casefold(), cased, *match.span())


def trimmed(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the tokens without stops and commas at either end: a quotation is cut there to fit its new sentence."""
    start, end = 0, len(words)
    while end and words[end - 1].form in _ENDS:
        end -= 1
    while start < end and words[start].form in _ENDS:
        start += 1
    return words[start:end]
