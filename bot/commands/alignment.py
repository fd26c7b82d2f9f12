"""A quotation and the articles as rows of words, and the places of the one in the others.

Letters, figures and signs such as "$" and "%" are words; marks, spaces and dashes are none, and cut none: pasted words
have lost them. A word is compared as one character, so that no quotation makes the search for words in a row slow.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, takewhile
from operator import attrgetter
from typing import NamedTuple

from retrieval import Reading, bare_text

SHORTEST = 3  # words in a row that are a piece rather than chance
NEARBY = 5  # words apart within which two pieces are of one place, even across a full stop

_FIRST = 0x100  # the number of the character of a quotation's first word
_OTHER = "\0"  # a word that the quotation has not
_BETWEEN = "\1"  # what no quotation has either

DOTS = r"(?:…|\.\s?\.\s?\.)"
TURNING = "\u202b\u202d\u202e\u2067"  # show what is behind them in another order
VISIBLE = {ord(mark): f"‹U+{ord(mark):04X}›" for mark in TURNING}
_DASH = "[-‐‑‒–−]"
_CURRENCY = "$¢£¤¥֏؋৳฿៛\u20a0-\u20cf"
FIGURE = rf"\s?[{_CURRENCY}]?\s?{_DASH}?[.,]?\d"
_NOON = r"[apAP]\.?[mM]"
_VOWELS = "".join(c for c in map(chr, range(0x590, 0x1E00)) if unicodedata.category(c)[0] == "M")  # of other scripts
_LETTERS = rf"[^\W_]+(?:[{_VOWELS}]+[^\W_]*)*"
_WORD = re.compile(
    rf"\[[^\W\d_]\]{_LETTERS}"  # "[T]he"
    r"|(?<![^\W_])(?:[^\W\d_]\.)+[^\W\d_](?![^\W_])\.?"  # "U.S."
    rf"|(?<![\w.,:])\d{{1,2}}(?:[.:]\d\d)?(?=\s?{_NOON}\b)|(?<=\d){_NOON}\b\.?"  # "10:30 a.m.", also "10.30am"
    # "1,500", "1.5m", ".5" and "don't"
    rf"|(?:(?<![\w.,;:!?…)\]%”’»])[.,](?=\d))?{_LETTERS}"
    rf"(?:(?<=\d)[.,](?=\d){_LETTERS}|['’ʼ`]{_LETTERS})*"
    rf"|(?<![^\s(\[\"“„‘'{_CURRENCY}<>≤≥=≈~+×÷±]){_DASH}(?=(?:[{_CURRENCY}]\s?)?[.,]?\d)"  # a minus
    r"|(?P<range>(?<=\d)(?:[-‐‑‒–—―−]|\s?[-‐‑‒–—―−]\s)(?=\d))"
    rf"|[<>~](?={FIGURE})|(?<=\d)[<>/]|(?<=\d\s)[<>/]|/(?={FIGURE})|#(?=\s?\d)|\+/{_DASH}"
    rf"|[{_CURRENCY}%‰‱٪+=&@§°^×÷±′-‴⁄№{TURNING}"
    r"\u207a-\u207c\u208a-\u208c\u2100-\u214f\u2200-\u22ff\u24b6-\u24e9\u2a00-\u2aff\u3200-\u33ff]"
    r"|(?<=\d)(?:[^\w\s.,…\"“”„‟«»‹›‘’'‚‛`´()\[\]]|_)+(?=\d)"  # "1:2", "1·2"
)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\w*])|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")
_THOUSANDS = re.compile(r"\A[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?![\d,])")
_OPENING = re.compile(r"[.!?:;…\n\"“„«‘'\[(•*]")
_NO_STOPS = str.maketrans(dict.fromkeys(".[]"))
_PLAIN = str.maketrans(dict.fromkeys("’ʼ`", "'") | dict.fromkeys("‐‑‒–−", "-"))
_FULL_WIDTH = {
    number: plain
    for number in (*range(0xFE50, 0xFE6C), *range(0xFF01, 0xFF5F), *range(0xFFE0, 0xFFE7))
    if len(plain := unicodedata.normalize("NFKC", chr(number))) == 1
}


class Word(NamedTuple):
    """A word at its place. ``form`` is what it is compared by, ``cased`` the same with its capitals.

    ``opens`` where it begins a sentence, a quotation or a line, so that its first capital does not count.
    """

    form: str
    cased: str
    start: int
    end: int
    opens: bool

    def is_like(self, other: Word) -> bool:
        """Return whether the two are one word, but for a capital at the start."""
        if self.cased == other.cased:
            return True
        return self.form == other.form and (self.opens or other.opens) and self.cased[1:] == other.cased[1:]


def quote_words(text: str, begin: int = 0) -> tuple[Word, ...]:
    """Return the words of ``text`` in order; ``begin`` is added to their places."""
    bare = bare_text(text, TURNING)
    read = (bare.text if bare else text).translate(_FULL_WIDTH)
    found: list[Word] = []
    before = 0
    for match in _WORD.finditer(read):
        opens = not found or match[0][0] == "[" or _OPENING.search(read, before, match.start()) is not None
        start, end = match.span()
        cased = "--" if match.lastgroup else match[0]
        if bare:  # with the marks that strike a letter out
            start, end = bare.starts[start], bare.ends[end - 1]
            cased = cased if match.lastgroup else "".join(c for c in text[start:end] if not _is_invisible(c))
        found.append(_word(cased, begin + start, begin + end, opens=opens))
        before = match.end()
    return tuple(found)


def _word(cased: str, start: int, end: int, *, opens: bool) -> Word:
    if not cased.isascii() or not cased.isalpha():
        cased = unicodedata.normalize("NFC", cased.replace("[", "").replace("]", ""))
        cased = unicodedata.normalize("NFC", "".join(map(_compatible, cased))).translate(_PLAIN)
        if any(map(str.isdigit, cased)):
            cased = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), cased.replace(":", "."))
        else:
            cased = cased.replace(".", "")
    return Word(cased.casefold(), cased, start, end, opens)


@lru_cache(maxsize=1 << 12)
def _compatible(character: str) -> str:
    """Return a character as it is compared: a raised or lowered one is another, and so is a fraction."""
    plain = unicodedata.normalize("NFKC", character)
    if sign := {"<super>": "^", "<sub>": "_"}.get(unicodedata.decomposition(character).partition(" ")[0]):
        return sign + plain
    return character if unicodedata.category(character) == "No" else plain


def _is_invisible(character: str) -> bool:
    is_selector = "\ufe00" <= character <= "\ufe0f" or character == "\u034f"
    return is_selector or (unicodedata.category(character) == "Cf" and character not in TURNING)


def code_for(words: Sequence[Word]) -> Callable[[Sequence[Word]], str]:
    """Return what writes words as a string, a character each; what is no word of the quotation is all one character."""
    forms = dict.fromkeys(word.form for word in words)
    characters = {form: chr(_FIRST + number) for number, form in enumerate(forms)}
    return lambda encoded: "".join([characters.get(word.form, _OTHER) for word in encoded])


@dataclass(frozen=True)
class ComparedArticle:
    """An article with its words, and what encodes them."""

    reading: Reading
    code: Callable[[Sequence[Word]], str]

    @cached_property
    def text(self) -> str:
        """The article's text with the marks of Markdown's links and emphasis as spaces, each character in its place."""
        blanked = _LINK.sub(lambda link: f" {link[1]}".ljust(len(link[0])), self.reading.article.text)
        return _EMPHASIS.sub(lambda mark: " " * len(mark[0]), blanked)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The article's words; where no space is between two sentences, the one ends in no word of the other."""
        text = self.text
        cuts = [0, *(passage.sentence.span.start for passage in self.reading.passages), len(text)]
        return tuple([word for start, end in pairwise(cuts) for word in quote_words(text[start:end], start)])

    def may_have(self, words: Sequence[Word]) -> bool:
        """Return whether the article may have all these words: a look at its letters, which costs little."""
        letters = unicodedata.normalize("NFKC", self.reading.article.text).translate(_NO_STOPS).casefold()
        plain = {word.form for word in words if word.form.isascii() and word.form.isalpha()}
        return bare_text(self.reading.article.text) is not None or all(form in letters for form in plain)

    @cached_property
    def coded(self) -> str:
        return self.code(self.words)

    @cached_property
    def starts(self) -> Sequence[int]:
        """The number of the first word of each sentence, and last the number of all words."""
        begins = [passage.sentence.span.start for passage in self.reading.passages]
        return [*(bisect_left(self.words, begin, key=attrgetter("start")) for begin in begins), len(self.words)]

    def places(self, coded: str) -> Iterator[int]:
        """Yield the number of each word from which on the words are those of ``coded``."""
        at = self.coded.find(coded)
        while at >= 0:
            yield at
            at = self.coded.find(coded, at + 1)

    def sentences(self, first: int, last: int) -> tuple[int, ...]:
        """Return the indexes of the sentences that the words from ``first`` to before ``last`` are in."""
        start, end = self.words[first].start, self.words[last - 1].end
        at = bisect_right(self.reading.passages, start, key=lambda passage: passage.sentence.span.end)
        sentences = (passage.sentence for passage in self.reading.passages[at:])
        return tuple(each.index for each in takewhile(lambda sentence: sentence.span.start < end, sentences))


@dataclass(frozen=True, slots=True)
class Piece:
    """``length`` words of the quotation from ``start``, found in ``source`` from word ``at``."""

    source: ComparedArticle
    start: int
    at: int
    length: int

    @property
    def words(self) -> Sequence[Word]:
        return self.source.words[self.at : self.end]

    @property
    def coded(self) -> str:
        return self.source.coded[self.at : self.end]

    @property
    def end(self) -> int:
        return self.at + self.length

    def continues(self, before: Piece) -> bool:
        """Return whether this is of the same place as the piece before: the same sentence, or a few words on."""
        if self.source is not before.source or self.at < before.end:
            return False
        return self.at - before.end <= NEARBY or bool(
            {*self.source.sentences(self.at, self.end)} & {*self.source.sentences(before.at, before.end)}
        )


def pieces(quoted: str, sources: Sequence[ComparedArticle]) -> tuple[Piece, ...]:
    """Return the pieces of a quotation, a character a word, in order; words in no piece are left between them.

    Each is as long as can be, and where it continues the piece before, else at the first place that has it.
    """
    text = _BETWEEN.join(source.coded for source in sources)  # nothing runs from one article into the next
    begins = [0, *accumulate(len(source.coded) + len(_BETWEEN) for source in sources)]
    found: list[Piece] = []
    start = 0
    while start < len(quoted):
        # a longer run is nowhere before the first place of a shorter one
        length, at = 0, 0
        while start + length < len(quoted) and (next_at := text.find(quoted[start : start + length + 1], at)) >= 0:
            length, at = length + 1, next_at
        if length < min(SHORTEST, len(quoted)):
            start += 1
            continue
        number = bisect_right(begins, at) - 1
        piece = Piece(sources[number], start, at - begins[number], length)
        if found:
            before = found[-1]
            nearer = before.source.coded.find(quoted[start : start + length], before.end)
            then = Piece(before.source, start, nearer, length)
            piece = then if nearer >= 0 and then.continues(before) else piece
        found.append(piece)
        start += length
    return tuple(found)
