"""Article -> its layout: quotations and sentences at their exact place.

A text is cut into blocks, a block where something was run into it, and what is left where a stop ends a sentence.
Together the sentences hold every letter and digit of the text, but for literal backslash-n's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from retrieval.model import Article, Boilerplate, Quotation, Sentence, Span
from retrieval.text.blocks import Layout, find_blocks, layout_of
from retrieval.text.boilerplate import (
    Place,
    begins_with_credit,
    classify,
    is_gallery,
    is_picture_credit,
    opens_comments,
)
from retrieval.text.quotations import Marks, find_marks
from retrieval.text.run_ins import find_cuts
from retrieval.text.sentence_ends import judge
from retrieval.text.stops import find_stops
from retrieval.text.tokens import Tokens

# A credit, an advertisement, a link, even a caption is short; what is longer is the report.
_LONGEST_BOILERPLATE = 500
_CLOSING = ('"', "”", "''", "’")


@dataclass(frozen=True, slots=True)
class _Copy:
    """A text with what is known of it before it is cut.

    ``captions`` are the numbers of the blocks that caption a picture, ``asides`` the lists of links inside sentences.
    """

    text: str
    blocks: tuple[Span, ...]
    marks: Marks
    captions: frozenset[int]
    asides: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence before it is known what it is: its place, its block, and the rule that ended it."""

    span: Span
    block: int
    rule: str


def lay_out(article: Article, tokens: Tokens) -> Layout:
    """Return ``article`` cut into sentences, its quotations found and its boilerplate marked."""
    blocks = find_blocks(article.text)
    marks = find_marks(article.text, blocks)
    captions = frozenset(_captions(article.text, blocks))
    asides = find_asides(article.text)
    copy = _Copy(article.text, blocks, marks, captions, asides)
    pieces = [piece for i in range(len(blocks)) for piece in _cut(copy, i)]
    shared = _shared_quotations([piece.span for piece in pieces], marks.quotations)
    sentences = [
        Sentence(article.id, i, piece.span, piece.block, quotation=shared[i], rule=piece.rule)
        for i, piece in enumerate(pieces)
    ]
    return layout_of(article, tokens.without(asides), marks.quotations, tuple(_marked(article, sentences, copy)))


def _captions(text: str, blocks: tuple[Span, ...]) -> Iterator[int]:
    """Yield the blocks that are captions: the next line is a picture credit and nothing else."""
    for i, (block, following) in enumerate(pairwise(blocks)):
        near = text.count("\n", block.end, following.start) == 1
        if near and (is_picture_credit(_short(text, following)) or begins_with_credit(following.of(text))):
            yield i


def _short(text: str, span: Span) -> str:
    """Return the words at ``span``, white space collapsed; "" where they are too many to be boilerplate."""
    return " ".join(span.of(text).split()) if span.end - span.start <= _LONGEST_BOILERPLATE else ""


def _cut(copy: _Copy, number: int) -> Iterator[_Piece]:
    """Yield the pieces of a block; one without a letter or digit belongs to the piece before it, or else after it."""
    held: _Piece | None = None
    for start, end, rule in _edges(copy, number):
        words = copy.text[start:end]
        begin, finish = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
        if held is None:
            held = _Piece(Span(begin, finish), number, rule) if begin < finish else None
        elif not _says_something(words):
            held = replace(held, span=Span(held.span.start, max(held.span.end, finish)))
        elif not _says_something(held.span.of(copy.text)):
            held = _Piece(Span(held.span.start, finish), number, rule)
        else:
            yield held
            held = _Piece(Span(begin, finish), number, rule)
    if held and _says_something(held.span.of(copy.text)):
        yield held


def _says_something(words: str) -> bool:
    return any(map(str.isalnum, words))


def _edges(copy: _Copy, number: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and rule of each piece of a block; together they are the block."""
    block = copy.blocks[number]
    begin = block.start
    cuts = [(cut.at, cut.rule) for cut in find_cuts(copy.text, block)]
    for limit, why in [*cuts, (block.end, "end of block")]:
        for end, rule in _stops(copy, begin, limit, why):
            yield begin, end, rule
            begin = end


def _stops(copy: _Copy, begin: int, limit: int, why: str) -> Iterator[tuple[int, str]]:
    """Yield where sentences end between two cuts; each end is the start of the next."""
    for stop in find_stops(copy.text, begin, limit, copy.marks):
        ends, rule = judge(stop)
        if ends and not any(aside.start < stop.start < aside.end for aside in copy.asides):
            yield stop.then, rule
    yield limit, why


def _shared_quotations(spans: list[Span], quotations: tuple[Quotation, ...]) -> list[int | None]:
    """Return for each sentence the number of the quotation that it shares, or that it stands in."""
    found: list[int | None] = [None] * len(spans)
    first = 0
    for quotation in quotations:
        while first < len(spans) and spans[first].end <= quotation.span.start:
            first += 1
        last = first
        while last + 1 < len(spans) and spans[last + 1].start < quotation.span.end:
            last += 1
        if last > first or (first < len(spans) and quotation.span.contains(spans[first])):
            for i in range(first, last + 1):
                found[i] = quotation.number if found[i] is None else found[i]
    return found


def _marked(article: Article, sentences: list[Sentence], copy: _Copy) -> Iterator[Sentence]:
    """Yield the sentences with their kind of boilerplate."""
    inside = {quotation.number: quotation.span for quotation in copy.marks.quotations}
    before, commented = "", False
    for number, group in groupby(sentences, key=lambda sentence: sentence.paragraph):
        block = [(sentence, _short(article.text, sentence.span)) for sentence in group]
        # behind a credit that was run into the prose, the prose goes on
        own = any(is_picture_credit(words) and sentence.rule != "run-in credit" for sentence, words in block)
        credited = number in copy.captions or own
        gallery = is_gallery(copy.blocks[number].of(article.text))
        for sentence, words in block:
            signs = before.endswith(_CLOSING)
            place = Place(number, len(copy.blocks), len(block), sentence.rule, article.title, credited, gallery, signs)
            quoted = sentence.quotation is not None and inside[sentence.quotation].contains(sentence.span)
            commented = commented or opens_comments(words)
            kind, rule = (Boilerplate.CALL, "comment") if commented else classify(words, place, quoted=quoted)
            yield replace(sentence, boilerplate=kind, rule=rule) if kind else sentence
            before = words


# Lists of links that a page put inside a sentence, behind a name, begin with the name anew, glued to the first
# headline, and end in the button that shows more: "Sen. Ann Bell Ann Ruth BellFerry sinks Mayor resigns MORE (D-Mass.)
# said". The words stay in the text and in the sentence, but no stage reads them.
_END = " MORE"
_LONGEST = 900
_LIST = re.compile(
    r"(?P<last>[^\W\d_][\w’'-]{2,30})(?P<list> ?(?:[A-Z(][\w.()’'-]{0,20} ){0,6}?(?P=last)(?=[^\sa-z’'.,;:!?)-])"
    rf"[^\n]{{1,{_LONGEST}}}?{_END}\b)"
)


def find_asides(text: str) -> tuple[Span, ...]:
    """Return the lists of links in order; none overlaps another."""
    if _END not in text:
        return ()
    return tuple([Span(match.start("list"), match.end("list")) for match in _LIST.finditer(text)])
