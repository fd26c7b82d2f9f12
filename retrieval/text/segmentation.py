"""Article -> its layout: quotations and sentences at their exact offsets.

A text is cut into blocks, a block where something that is no prose was run into it, and the rest where a stop ends a
sentence. Together the sentences hold every letter and digit of the text, but for literal backslash-n's.

Things are run in because web copy loses its line breaks: an advertisement, a link to another story or a heading is then
in the middle of a paragraph, often with no space on either side. A dateline is at the head of one.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

from retrieval.model import Article, Boilerplate, Quotation, Sentence, Span
from retrieval.text import boilerplate
from retrieval.text.blocks import Layout, find_blocks, touching
from retrieval.text.boilerplate import Surroundings, classify
from retrieval.text.quotations import Marks, find_marks
from retrieval.text.sentence_ends import STARTERS, find_stops, judge
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
    for limit, why in [*_cuts(copy.text, block), (block.end, "end of block")]:
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
    for quotation in quotations:
        shared = touching(spans, quotation.span)
        if len(shared) > 1 or any(quotation.span.contains(spans[i]) for i in shared):
            for i in shared:
                numbers[i] = quotation.number if numbers[i] is None else numbers[i]
    return numbers


_NOTES = (boilerplate.CORRECTION, boilerplate.EARLIER_POST)  # of corrections: the first goes on to the end of its block


def _with_boilerplate(article: Article, sentences: list[Sentence], copy: _Copy) -> Iterator[Sentence]:
    inside = {quotation.number: quotation.span for quotation in copy.marks.quotations}
    captions = frozenset(_captions(copy))
    note: re.Pattern[str] | None = None
    before, in_comments = "", False
    for number, group in groupby(sentences, key=lambda sentence: sentence.paragraph):
        block = [(sentence, _short(article.text, sentence.span)) for sentence in group]
        # behind a credit that was run into the prose, the prose goes on
        has_credit = number in captions or any(
            boilerplate.PICTURE.match(words) and sentence.rule != "run-in credit" for sentence, words in block
        )
        whole = copy.blocks[number]
        is_gallery = boilerplate.GALLERY.search(article.text, whole.start, whole.end) is not None
        for sentence, words in block:
            surroundings = Surroundings(
                block=number,
                blocks=len(copy.blocks),
                sentences=len(block),
                rule=sentence.rule,
                title=article.title,
                has_credit=has_credit,
                is_gallery=is_gallery,
                after_quotation=before.endswith(_CLOSING_MARKS),
            )
            quoted = sentence.quotation is not None and inside[sentence.quotation].contains(sentence.span)
            in_comments = in_comments or boilerplate.COMMENTS.match(words) is not None
            goes_on = note is not None and sentence is not block[0][0]
            if not goes_on or not (note is boilerplate.CORRECTION or boilerplate.TAKEN_BACK.match(words)):
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
            boilerplate.PICTURE.match(_short(copy.text, following))
            or boilerplate.PHOTOGRAPH_AT.match(following.of(copy.text))
        ):
            yield i


def _short(text: str, span: Span) -> str:
    """Return the words of a span, white space collapsed; "" where they are too many to be boilerplate."""
    return " ".join(span.of(text).split()) if span.end - span.start <= _LONGEST_BOILERPLATE else ""


_ADVERTISEMENT = re.compile(
    r"(?<![A-Z])(?:SKIP )?ADVERTISEMENT(?: - CONTINUE READING BELOW)?(?=[A-Z][a-z]|[^A-Za-z]|$)"
    r"|(?<=[.!?\"”’'])\s?Advertisement(?=[A-Z]| [A-Z][a-z]* [a-z])"
)
_LINK = re.compile(
    r"(?:(?<![\w|])|(?<=[a-z])|(?<=_))(?:(?i:also )?(?:READ|Read|read)(?i: also| more)? ?\|"
    r"|(?<=[.!?\"”’']) ?(?:(?i:also read)|(?:READ|Read)(?i: also| more)): )"
)
# Where one word ends and the next begins with no space between, as only a lost line break leaves it ("seaThe", not
# "YouTube"), and the end of a sentence, beyond which no headline goes.
_SEAM = re.compile(r"(?<=[^\W\d_A-Z]{3})(?=[A-Z])|(?<=[\w.!?][\"”’'])(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])")
_SENTENCE_END = re.compile(r"[.!?…][\"”’')]*\s")
_SEAM_REACH = 300
# A heading of the kind of "Salem’s answer", at the head of a line or behind a sentence.
_HEADING = re.compile(
    r"(?:(?<=[.!?…\"”’')]\s)|(?<!.))(?=[A-Z])(?:The )?(?P<owner>\w+)['’]s(?: [a-z][\w-]*){1,3}:\s+(?=[A-Z])"
)
# Characters of a block in which a dateline is looked for.
_HEAD_OF_BLOCK = 150

_PLACE = r"[A-Z][A-Z.'’-]{2,}(?:[ /-][A-Z][A-Z.'’-]+){0,2}"
_REST = r"(?:, (?:[A-Z][\w.'’-]*)(?: [A-Z0-9][\w.'’-]*)*){0,3}"
_AGENCY = r"(?: ?\((?:[A-Z][\w&.]*)(?: [A-Z][\w&.]*){0,3}\))"
_DASH = r"\s?(?:--|[-–—])\s+(?=[\"“‘'A-Z0-9])"
_DATELINE = re.compile(
    r"\((?:[A-Z]{2,6}|Reuters|Bloomberg)\)\s?(?:(?:--|[-–—])\s+)?(?=[\"“‘'A-Z])"
    rf"|{_PLACE}{_REST}{_AGENCY}?{_DASH}"
    rf"|[A-Z][a-z]+(?: [A-Z][a-z]+){{0,2}}{_REST}{_AGENCY}{_DASH}"
    r"|(?:(?i:date|published|updated|posted)(?i: on)?:?\s+)?(?:19|20)\d\d-[01]\d-[0-3]\d\s+(?=[\"“‘'A-Z])"
)

# Characters of a text's head: headline, date and caption run into the first sentence.
_HEAD_OF_TEXT = 500
_SHORTEST_HEADLINE = 25  # characters
_CREDIT = re.compile(
    rf"(?<![\w(]){boilerplate.PHOTOGRAPH}|(?:Image|Media|Video) copyright [^\n]{{0,40}}?(?=Image caption)"
)
_STAFF_CREDIT = re.compile(
    rf"{boilerplate.OPEN}(?:[Rr]eporting|[Ee]diting|[Ww]riting) by [^()\n]{{0,200}}?{boilerplate.CLOSE} ?"
)

SentenceCut = tuple[int, str]  # a place where a sentence must end, and the rule that found it


def _cuts(text: str, block: Span) -> list[SentenceCut]:
    """Find the cuts inside ``block`` in order, one a place; where two rules cut at one place, the later names it."""
    # most blocks hold none of the signs, and to look for them costs far less than the patterns
    rules = [rule for signs, rule in _RULES if any(text.find(sign, block.start, block.end) >= 0 for sign in signs)]
    cuts = {at: name for rule in rules for at, name in rule(text, block) if block.start < at < block.end}
    return sorted(cuts.items())


def _links(text: str, block: Span) -> Iterator[SentenceCut]:
    for match in _LINK.finditer(text, block.start, block.end):
        # the headline ends where the prose goes on with no space, if no sentence ends before
        limit = min(block.end, match.end() + _SEAM_REACH)
        stop = _SENTENCE_END.search(text, match.end(), limit)
        if seam := _SEAM.search(text, match.end(), stop.start() if stop else limit):
            yield match.start(), "run-in link"
            yield seam.start(), "run-in link"


def _headings(text: str, block: Span) -> Iterator[SentenceCut]:
    for match in _HEADING.finditer(text, block.start, block.end):
        # a headline may have a colon as well, and "Here’s why:" is a clause
        if match.start() and match["owner"].lower() not in STARTERS:
            yield match.end(), "run-in heading"


def _datelines(text: str, block: Span) -> Iterator[SentenceCut]:
    if match := _DATELINE.match(text, block.start, min(block.end, block.start + _HEAD_OF_BLOCK)):
        yield match.end(), "dateline"


def _tops(text: str, block: Span) -> Iterator[SentenceCut]:
    """Cut behind what was run together at the head of the text: a headline, then the date, then the agency."""
    if block.start >= _HEAD_OF_TEXT:
        return
    limit = min(block.end, block.start + _HEAD_OF_TEXT)
    if not text[: block.start].strip():
        headline = boilerplate.HEADLINE_END.search(text, block.start + _SHORTEST_HEADLINE, limit)
        stop = _SENTENCE_END.search(text, block.start, limit)
        if headline and not (stop and stop.start() < headline.start()):
            yield headline.start(), "run-in title"
    for pattern in (boilerplate.STAMP, boilerplate.AGENCY_DATELINE):
        if match := pattern.search(text, block.start, limit):
            yield match.end(), "dateline"


def _cut_out(pattern: re.Pattern[str], what: str, before: str = "") -> Callable[[str, Span], Iterator[SentenceCut]]:
    """Make the rule that cuts before and after every match."""

    def rule(text: str, block: Span) -> Iterator[SentenceCut]:
        for match in pattern.finditer(text, block.start, block.end):
            yield match.start(), before or what
            yield match.end(), what

    return rule


# Each rule, with signs of which the block must have one.
_RULES: tuple[tuple[tuple[str, ...], Callable[[str, Span], Iterator[SentenceCut]]], ...] = (
    (("DVERTISEMENT", "dvertisement"), _cut_out(_ADVERTISEMENT, "run-in advertisement")),
    (("|", ": "), _links),
    (("’s ", "'s "), _headings),
    (("(@",), _cut_out(boilerplate.POSTER, "run-in by-line", "before a by-line")),
    (("Photo", "photo", "Image"), _cut_out(_CREDIT, "run-in credit", "before a credit")),
    (("diting by", "eporting by", "riting by"), _cut_out(_STAFF_CREDIT, "run-in credit", "before a credit")),
    (("",), _tops),
    (("",), _datelines),
)
