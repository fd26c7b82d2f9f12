"""A text -> its tokens: words with their offsets, and what later stages mark them with; and patterns of them.

``parse`` splits the text with spaCy's tokenizer for English, without its pipeline; nothing else uses spaCy.
``Tokens`` are plain tuples, so that no rule pays for spaCy's objects; the rules of names, speech and caveats all read
them, an article's or a sentence's.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from retrieval.lexicon.word_classes import classes
from retrieval.model import Mention, Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# spaCy refuses longer texts as a guard against parsers that need memory; a tokeniser needs none.
MAX_LENGTH = 50_000_000
UNBROKEN = 500  # characters without a white space: no word, and no address, is as long
PIECE = 50  # characters of such a run that are split into tokens at once
_UNBROKEN = re.compile(rf"\S{{{UNBROKEN},}}")

GLUE = "\N{HYPHEN}"  # what a hyphen inside a word is in ``lower``: it separates nothing
FARTHEST = 60  # tokens searched for the end of a clause; more are no clause, and cost time
_STOPS = frozenset((",", ";", ":", "(", ")", "[", "]", "…", "...", ".", "!", "?", "—"))
_CONJUNCTIONS = classes("clause_openers")
_MARKS = frozenset(("-", "–", "--", "'", "‘", "’", '"', "“", "”"))
_CLOSING_MARKS = ".,;:!?)]\"”’'"
_BREAKING = "\N{BROKEN BAR}"  # precedes a token that separates two clauses
_CLASSES = {"ANY": rf"{_BREAKING}?\S+", "PLAIN": rf"(?!{_BREAKING})\S+"}
_OFTEN = re.compile(r"(?:[*+?]|\{\d+,\d+\})\??$")  # how often an item occurs


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text, or of a part of it: ``words[i]`` is at ``starts[i]`` to ``ends[i]``.

    ``lower`` are the words in lower case. White space is no token. All offsets are code points of ``text``.

    ``sentences`` are the tokens of each sentence, and ``quoted`` is 1 inside quotation marks, the marks included, once
    ``at_sentences`` has laid the text out. ``named`` is 1 inside a name; ``opening`` and ``ending`` map the first and
    the last token of a mention to its other end and to the mention, once ``with_names`` has marked them.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    lower: tuple[str, ...]
    sentences: tuple[range, ...] = ()
    quoted: bytes = b""
    named: bytes = b""
    opening: Mapping[int, tuple[int, Mention]] = field(default_factory=dict)
    ending: Mapping[int, tuple[int, Mention]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)

    def word(self, i: int) -> str:
        """Token ``i`` in lower case; "" before the first and after the last."""
        return self.lower[i] if 0 <= i < len(self.lower) else ""

    def is_quoted(self, i: int) -> bool:
        return 0 <= i < len(self.quoted) and bool(self.quoted[i])

    def span(self, first: int, stop: int) -> Span:
        return Span(self.starts[first], self.ends[stop - 1])

    def spelt(self, first: int, stop: int) -> str:
        """Return the text of the tokens from ``first`` to before ``stop``, white space collapsed."""
        return " ".join(self.text[self.starts[first] : self.ends[stop - 1]].split())

    def within(self, span: Span) -> range:
        """Return the tokens that begin in ``span``."""
        return range(bisect_left(self.starts, span.start), bisect_left(self.starts, span.end))

    def sentence_at(self, i: int) -> int:
        return bisect_right(self.sentences, i, key=lambda line: line.start) - 1

    def window(self, tokens: range) -> Tokens:
        """Return some tokens by themselves, counted from 0: a rule that reads them can look at no other."""
        part = slice(tokens.start, tokens.stop)
        return Tokens(
            self.text,
            self.words[part],
            self.starts[part],
            self.ends[part],
            self.lower[part],
            quoted=self.quoted[part],
            named=self.named[part],
        )

    def before(self, i: int, reach: int) -> range:
        """Return the ``reach`` tokens before ``i``, nearest first."""
        return range(i - 1, max(-1, i - 1 - reach), -1)

    def after(self, i: int, reach: int) -> range:
        """Return the ``reach`` tokens after ``i``, nearest first."""
        return range(i + 1, min(len(self), i + 1 + reach))

    def back_over(self, i: int, passes: Callable[[str], bool]) -> int:
        """Find the beginning of the unbroken run of words that ``passes`` accepts and that ends before ``i``."""
        return next((j + 1 for j in self.before(i, FARTHEST) if not passes(self.lower[j])), max(0, i - FARTHEST))

    def breaks(self, i: int) -> bool:
        """Whether token ``i`` separates two clauses: a stop, a dash that joins no word, a conjunction."""
        word = self.lower[i]
        if word in _STOPS or word in _CONJUNCTIONS:
            return True
        if word not in _MARKS:
            return False
        is_tight = i > 0 and self.ends[i - 1] == self.starts[i]
        possessive = self.words[i] in "'’" and self.lower[i - 1].endswith("s")
        joins = is_tight and (possessive or (i + 1 < len(self) and self.ends[i] == self.starts[i + 1]))
        return not joins

    def clause_start(self, end: int) -> int:
        """Find the beginning of the clause that ends before ``end``, back to the nearest break."""
        return next((i + 1 for i in self.before(end, FARTHEST) if self.breaks(i)), max(0, end - FARTHEST))

    def clause_end(self, start: int) -> int:
        """Find the end of the clause from ``start``, at the nearest break."""
        return next((i for i in self.after(start - 1, FARTHEST) if self.breaks(i)), min(len(self), start + FARTHEST))

    def without(self, unread: Sequence[Span]) -> Tokens:
        """Drop the tokens in these spans, which no stage is to read."""
        if not unread:
            return self
        tokens = self._cut({edge for span in unread for edge in (span.start, span.end)})
        dropped = {i for span in unread for i in tokens.within(span)}
        return tokens_at(
            self.text, [(tokens.starts[i], tokens.ends[i]) for i in range(len(tokens)) if i not in dropped]
        )

    def at_sentences(self, sentences: Iterable[Span], quotations: Iterable[Span]) -> Tokens:
        """Mark sentences and quotations. A token that runs over the edge of a sentence ("church.About") is cut."""
        spans = tuple(sentences)
        tokens = self._cut({edge for span in spans for edge in (span.start, span.end)})
        return replace(
            tokens,
            sentences=tuple([tokens.within(span) for span in spans]),
            quoted=_flags(len(tokens), [tokens.within(span) for span in quotations]),
        )

    def with_names(self, mentions: Iterable[Mention]) -> Tokens:
        names = [(tokens, mention) for mention in mentions if (tokens := self.within(mention.span))]
        return replace(
            self,
            named=_flags(len(self), [tokens for tokens, _ in names]),
            opening={tokens[0]: (tokens[-1], mention) for tokens, mention in names},
            ending={tokens[-1]: (tokens[0], mention) for tokens, mention in names},
        )

    def _cut(self, edges: set[int]) -> Tokens:
        """Cut the tokens that run over one of ``edges``; the marks that close the part before it are cut off too."""
        inside: set[int] = set()
        for edge in edges.difference(self.starts, self.ends):
            i = bisect_left(self.starts, edge) - 1
            if i >= 0 and edge < self.ends[i]:
                bare = len(self.text[self.starts[i] : edge].rstrip(_CLOSING_MARKS))
                inside.update(range(self.starts[i] + bare if bare else edge, edge + 1))
        if not inside:
            return self
        starts = sorted(inside.union(self.starts))
        return tokens_at(self.text, list(zip(starts, sorted(inside.union(self.ends)), strict=True)))


def tokens_at(text: str, places: Sequence[tuple[int, int]]) -> Tokens:
    words = tuple([text[start:end] for start, end in places])
    starts, ends = tuple([start for start, _ in places]), tuple([end for _, end in places])
    lower = [word.lower() for word in words]
    if "-" in words:
        for i in [i for i, word in enumerate(words[1:-1], 1) if word == "-"]:
            if ends[i - 1] == starts[i] and ends[i] == starts[i + 1]:
                lower[i] = GLUE
    return Tokens(text, words, starts, ends, tuple(lower))


def _flags(length: int, marked: Iterable[range]) -> bytes:
    """Return a byte for each of ``length`` tokens: 1 in one of the ranges ``marked``, else 0."""
    flags = bytearray(length)
    for tokens in marked:
        flags[tokens.start : tokens.stop] = b"\x01" * len(tokens)
    return bytes(flags)


@lru_cache(maxsize=1)
def tokenizer() -> Language:
    """Load spaCy's tokenizer for English, without work that changes no token.

    For each new word it would compute a dozen features, and search words of letters alone for punctuation.
    Without the first, reading takes 5 % less CPU time (300 news articles, three runs), without the second 12 %, without
    both 16 %.
    """
    import spacy  # noqa: PLC0415 - half a second that `stet --help` must not pay
    from spacy.vocab import Vocab  # noqa: PLC0415 - the same

    nlp = spacy.blank("en", vocab=Vocab())
    nlp.max_length = MAX_LENGTH
    splitter: Any = nlp.tokenizer
    # each change goes through all the rules again, so they are removed meanwhile
    rules, splitter.rules = splitter.rules, {}
    for search in ("prefix_search", "suffix_search", "infix_finditer", "url_match"):
        setattr(splitter, search, _skip_letters(getattr(splitter, search), () if search == "infix_finditer" else None))
    splitter.rules = rules
    return nlp


def _skip_letters(search: Callable[[str], object], no_match: object) -> Callable[[str], object]:
    """Skip the search in words of letters alone: no pattern of spaCy's matches there."""
    return lambda word: no_match if word.isascii() and word.isalpha() else search(word)


def parse(text: str) -> Tokens:
    nlp = tokenizer()
    places = lru_cache(lambda piece: _places(nlp.make_doc(piece)))  # a run without white space often repeats itself
    return tokens_at(
        text,
        [(piece.start + start, piece.start + end) for piece in _pieces(text) for start, end in places(piece.of(text))],
    )


def _places(doc: Doc) -> list[tuple[int, int]]:
    """Return the start and end of each token but white space; by one call, not an object for each."""
    text, rows = doc.text, doc.to_array(["IDX", "LENGTH"]).tolist()
    return [(start, start + length) for start, length in rows if not text[start : start + length].isspace()]


def _pieces(text: str) -> Iterator[Span]:
    """Yield the text undivided, but for runs without a space in pieces: spaCy's time is quadratic in a run."""
    done = 0
    for run in _UNBROKEN.finditer(text):
        if run.start() > done:
            yield Span(done, run.start())
        yield from (Span(at, min(at + PIECE, run.end())) for at in range(run.start(), run.end(), PIECE))
        done = run.end()
    if done < len(text):
        yield Span(done, len(text))


def one_of(words: Iterable[str], *endings: str) -> str:
    """Make a class, for patterns, of ``words`` and of all words with these endings."""
    return "|".join([*map(re.escape, sorted(words)), *(rf"\S*{ending}" for ending in endings)])


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A sentence as patterns read it: its words, and where each begins in ``text``."""

    text: str
    places: tuple[int, ...]


def line_of(tokens: Tokens) -> TokenLine:
    words = [f"{_BREAKING * tokens.breaks(i)}{word} " for i, word in enumerate(tokens.lower)]
    return TokenLine("".join(words), tuple(accumulate(map(len, words), initial=0)))


class TokenPattern:
    """A pattern of words and classes of words, which can be matched before a token or from it on.

    ``AUX* not|never LINK{0,8}`` is a row of tokens: each item is a word, or several between ``|``, or a class in
    capitals, with ``?``, ``*``, ``+`` or ``{m,n}`` behind it as in regular expressions. ``ANY`` is any token, ``PLAIN``
    any that separates no two clauses, ``BREAK`` one that does, or the sentence's start. ``(name … )`` names a part,
    ``(?= … )`` looks ahead. What is before ``~`` must precede the match and is no part of it. A pattern becomes one
    regular expression over the sentence's words, so that a look at a token costs no call.
    """

    def __init__(self, notation: str, classes: Mapping[str, str]) -> None:
        known = {**_CLASSES, **classes}
        context, _, matched = notation.rpartition("~")
        before, inside = ("".join([_compiled(item, known) for item in part.split()]) for part in (context, matched))
        self._regex = re.compile(rf"(?<!\S){before}(?P<match>{inside})")
        self._at_end = re.compile(rf"{self._regex.pattern}\Z")

    def before(self, line: TokenLine, i: int) -> dict[str, range] | None:
        """Return the parts of the longest match that ends right before token ``i``; all of it is called ``match``."""
        return _parts(line, self._at_end.search(line.text, line.places[max(0, i - FARTHEST)], line.places[i]))

    def after(self, line: TokenLine, i: int) -> dict[str, range] | None:
        """Return the parts of the match that begins with token ``i``."""
        return _parts(line, self._regex.match(line.text, line.places[i]))


def _compiled(item: str, classes: Mapping[str, str]) -> str:
    if item[0] in "()":
        return f"(?P<{item[1:]}>" if item[1:].isalpha() else item
    if item == "BREAK":
        return rf"(?:\A|{_BREAKING}\S+ )"
    words = _OFTEN.sub("", item)
    often = item.removeprefix(words)
    meant = "|".join([classes[word] if word.isupper() else re.escape(word) for word in words.split("|")])
    mark = "" if words in _CLASSES else f"{_BREAKING}?"
    return f"(?:{mark}(?:{meant}) ){often}"


def _parts(line: TokenLine, match: re.Match[str] | None) -> dict[str, range] | None:
    if match is None:
        return None
    spans = {name: match.span(name) for name, part in match.groupdict().items() if part is not None}
    return {
        name: range(bisect_left(line.places, start), bisect_left(line.places, end))
        for name, (start, end) in spans.items()
    }
