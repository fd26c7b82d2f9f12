"""Article -> its layout: quotations and sentences at their exact offsets.

A text is cut into blocks, a block where something was run into it, and the rest where a stop ends a sentence.
Together the sentences hold every letter and digit of the text, but for literal backslash-n's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

from retrieval.model import Article, Boilerplate, Quotation, Sentence, Span
from retrieval.text import boilerplate_patterns as patterns
from retrieval.text.blocks import Layout, find_blocks
from retrieval.text.boilerplate import Surroundings, classify
from retrieval.text.quotations import Marks, find_marks
from retrieval.text.run_ins import find_cuts
from retrieval.text.sentence_ends import find_stops, judge
from retrieval.text.tokens import Tokens

# Characters: a credit, an advertisement, a link, even a caption is short; what is longer is the report.
_LONGEST_BOILERPLATE = 500
_CLOSING_MARKS = ('"', "”", "''", "’")

# Lists of links that a page put inside a sentence, behind a name, begin with the name again, glued to the first
# headline, and end in the button that shows more: "Sen. Ann Bell Ann Ruth BellFerry sinks Mayor resigns MORE (D-Mass.)
# said". The words stay in the text and in the sentence, but no stage reads them.
_END_OF_LIST = " MORE"
_LONGEST_LIST = 900  # characters
_LIST = re.compile(
    r"\b(?P<last>[^\W\d_][\w’'-]{2,30})(?P<list> ?(?:[A-Z(][\w.()’'-]{0,20} ){0,6}?(?P=last)(?=[^\sa-z’'.,;:!?)-])"
    rf"[^\n]{{1,{_LONGEST_LIST}}}?{_END_OF_LIST}\b)"
)


@dataclass(frozen=True, slots=True)
class _Copy:
    """A text with what is known of it before it is cut; ``link_lists`` are inside sentences."""

    text: str
    blocks: tuple[Span, ...]
    marks: Marks
    link_lists: tuple[Span, ...]


def lay_out(article: Article, tokens: Tokens) -> Layout:
    """Cut an article into sentences, find its quotations and mark its boilerplate."""
    blocks = find_blocks(article.text)
    lists = _LIST.finditer(article.text) if _END_OF_LIST in article.text else ()
    link_lists = tuple([Span(match.start("list"), match.end("list")) for match in lists])
    copy = _Copy(article.text, blocks, find_marks(article.text, blocks), link_lists)
    pieces = [(block, span, rule) for block in range(len(blocks)) for span, rule in _pieces(copy, block)]
    shared = _shared_quotations([span for _, span, _ in pieces], copy.marks.quotations)
    sentences = [
        Sentence(article.id, i, span, block, quotation=shared[i], rule=rule)
        for i, (block, span, rule) in enumerate(pieces)
    ]
    marked = tuple(_with_boilerplate(article, sentences, copy))
    quotations = copy.marks.quotations
    marks = [sentence.span for sentence in marked], [quotation.span for quotation in quotations]
    return Layout(article, tokens.without(copy.link_lists).at_sentences(*marks), quotations, marked)


def _pieces(copy: _Copy, number: int) -> Iterator[tuple[Span, str]]:
    """Yield the pieces of a block, each with the rule that ended it.

    One without a letter or digit belongs to the piece before it, or else after it.
    """
    span: Span | None = None
    rule = ""
    for start, end, why in _edges(copy, number):
        words = copy.text[start:end]
        begin, finish = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
        if span and not _has_words(words):
            span = Span(span.start, max(span.end, finish))
            continue
        if span and _has_words(span.of(copy.text)):
            yield span, rule
        elif span:
            begin = span.start
        span, rule = Span(begin, finish) if begin < finish else None, why
    if span and _has_words(span.of(copy.text)):
        yield span, rule


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _edges(copy: _Copy, number: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and rule of each piece of a block; together they are the block."""
    block = copy.blocks[number]
    begin = block.start
    for limit, why in [*find_cuts(copy.text, block), (block.end, "end of block")]:
        for stop in find_stops(copy.text, begin, limit, copy.marks):
            ends, rule = judge(stop)
            if ends and not _is_inside(stop.start, copy.link_lists):
                yield begin, stop.then, rule
                begin = stop.then
        yield begin, limit, why
        begin = limit


def _is_inside(at: int, spans: tuple[Span, ...]) -> bool:
    """Return whether a place is behind the start of one of ``spans``, which are in order, and before its end."""
    before = bisect_left(spans, at, key=attrgetter("start"))
    return before > 0 and at < spans[before - 1].end


def _shared_quotations(spans: list[Span], quotations: tuple[Quotation, ...]) -> list[int | None]:
    """For each sentence the number of the quotation that it shares with others, or that it is inside."""
    numbers: list[int | None] = [None] * len(spans)
    first = 0
    for quotation in quotations:
        while first < len(spans) and spans[first].end <= quotation.span.start:
            first += 1
        last = first
        while last + 1 < len(spans) and spans[last + 1].start < quotation.span.end:
            last += 1
        if last > first or (first < len(spans) and quotation.span.contains(spans[first])):
            for i in range(first, last + 1):
                numbers[i] = quotation.number if numbers[i] is None else numbers[i]
    return numbers


_NOTES = (patterns.CORRECTION, patterns.EARLIER_POST)  # of corrections: the first goes on to the end of its block


def _with_boilerplate(article: Article, sentences: list[Sentence], copy: _Copy) -> Iterator[Sentence]:
    inside = {quotation.number: quotation.span for quotation in copy.marks.quotations}
    captions = frozenset(_captions(copy))
    note: re.Pattern[str] | None = None
    before, in_comments = "", False
    for number, group in groupby(sentences, key=lambda sentence: sentence.paragraph):
        block = [(sentence, _short(article.text, sentence.span)) for sentence in group]
        # behind a credit that was run into the prose, the prose goes on
        has_credit = number in captions or any(
            patterns.PICTURE.match(words) and sentence.rule != "run-in credit" for sentence, words in block
        )
        gallery = patterns.GALLERY.search(article.text, copy.blocks[number].start, copy.blocks[number].end) is not None
        for sentence, words in block:
            surroundings = Surroundings(
                block=number,
                blocks=len(copy.blocks),
                sentences=len(block),
                rule=sentence.rule,
                title=article.title,
                has_credit=has_credit,
                is_gallery=gallery,
                after_quotation=before.endswith(_CLOSING_MARKS),
            )
            quoted = sentence.quotation is not None and inside[sentence.quotation].contains(sentence.span)
            in_comments = in_comments or patterns.COMMENTS.match(words) is not None
            goes_on = note is not None and sentence is not block[0][0]
            if not goes_on or not (note is patterns.CORRECTION or patterns.TAKEN_BACK.match(words)):
                note = None if quoted else next((own for own in _NOTES if own.match(words)), None)
            kind, rule = (Boilerplate.CALL, "comment") if in_comments else classify(words, surroundings, quoted=quoted)
            if note and not in_comments:
                kind, rule = Boilerplate.CORRECTION, "correction note"
            yield replace(sentence, boilerplate=kind, rule=rule) if kind else sentence
            before = words


def _captions(copy: _Copy) -> Iterator[int]:
    """Yield the numbers of blocks that are captions: the next line is a picture credit and nothing else."""
    for i, (block, following) in enumerate(pairwise(copy.blocks)):
        if copy.text.count("\n", block.end, following.start) == 1 and (
            patterns.PICTURE.match(_short(copy.text, following))
            or patterns.PHOTOGRAPH_AT.match(following.of(copy.text))
        ):
            yield i


def _short(text: str, span: Span) -> str:
    """Return the words of a span, white space collapsed; "" where they are too many to be boilerplate."""
    return " ".join(span.of(text).split()) if span.end - span.start <= _LONGEST_BOILERPLATE else ""
