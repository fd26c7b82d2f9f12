"""The place of a quotation in an article -> what turns or limits it there, and whose voice it is in."""

from __future__ import annotations

import re

from bot import verbatim
from bot.commands.alignment import Piece
from bot.commands.governing import governor, takes_back
from bot.model import ContextKind, QuotationContext
from retrieval import VERBS, Archive, Boilerplate, Force, Passage, Reading, Span, Voice, quoted_spans

LEAST = 4  # words of a quotation: fewer state nothing that could be turned
NEAR = 6  # words before inner quotation marks, of which one may say that somebody speaks
BEFORE = 60  # characters before a quotation in which somebody may be said to quote another

_WORD = re.compile(r"[\w’']+")
_INNER = re.compile(r"(?<!\w)['‘](?=\w)|[’'](?!\w)")
_READS = frozenset({"read", "reads", "reading", "goes", "went"})  # "the sign read ‘…’"
_QUOTING = re.compile(
    r"\b(?:quot|cit|paraphras|echo|recit|repeat|borrow)ing\b(?!.*\b(?:and|but) )|\bin the words of\b"
    r"|\b(?:false|wrong|mistaken)ly \w+"
    r"|\breading (?:out )?from\b|\bread (?:out|aloud) (?:from )?(?:a|an|the|his|her|their)\b",
    re.IGNORECASE,
)


def context_of(archive: Archive, place: Piece) -> QuotationContext | None:
    """Return what turns or limits the words of ``place`` in their own sentence, the next one or a correction."""
    reading, text = place.source.reading, place.source.reading.article.text
    if (note := place.source.correction(place.at)) is not None:
        goes_on = any(p.sentence.boilerplate is Boilerplate.CORRECTION for p in reading.passages[note + 1 : note + 2])
        return _taken_back(archive, reading, note + goes_on)
    indexes = place.source.sentences(place.at, place.end)
    start, end = place.words[0].start, place.words[-1].end
    for index in dict.fromkeys((*indexes[:1], *indexes[-1:]) if place.length >= LEAST else ()):
        span = reading.passages[index].sentence.span
        found = governor(span.of(text), max(start, span.start) - span.start, min(end, span.end) - span.start)
        if found:
            words = verbatim.collapse(span.of(text)[found.start : found.end]).strip(" ,:“”\"'‘’`")
            extract = verbatim.extract(archive, reading.article.id, index)
            return QuotationContext(found.kind, words, extract) if extract and words else None
    after = indexes[-1] + 1 if indexes else len(reading.passages)
    if after < len(reading.passages) and _takes_back(text, reading.passages[after - 1], reading.passages[after]):
        return _taken_back(archive, reading, after)
    return None


def _taken_back(archive: Archive, reading: Reading, index: int) -> QuotationContext | None:
    extract = verbatim.extract(archive, reading.article.id, index)
    return QuotationContext(ContextKind.TAKEN_BACK, extract.text, extract) if extract else None


def _takes_back(text: str, passage: Passage, after: Passage) -> bool:
    """Return whether the next sentence, by the same speaker or the outlet, says that *this* is not so."""
    if after.sentence.boilerplate or after.sentence.paragraph > passage.sentence.paragraph + 1:
        return False
    words = after.sentence.span.of(text).lstrip("“\"'‘")
    is_theirs = after.voice is Voice.OUTLET or (after.speaker is not None and after.speaker == passage.speaker)
    names_them = passage.speaker is not None and passage.speaker.split()[-1] in words.split()[:4]
    return (is_theirs or names_them) and takes_back(words)


def is_spoken_under(place: Piece, context: QuotationContext) -> bool:
    """Return whether what turns the words is said by their speaker: it is in the same quotation marks."""
    if context.kind in (ContextKind.TAKEN_BACK, ContextKind.LIMITED):
        return context.kind is ContextKind.LIMITED
    text, start = place.source.reading.article.text, place.words[0].start
    around = next((span for span in quoted_spans(text) if span.start <= start < span.end), None)
    if around is None:
        return context.kind is not ContextKind.DENIED and context.kind is not ContextKind.REPORTED
    begin = max(around.start, start - len(context.sentence.text))
    return context.words.split()[-1] in text[begin:start]


def is_by_another_voice(place: Piece) -> bool:
    """Return whether the words stand in inner quotation marks behind a verb of saying, or are said to be quoted."""
    text, start = place.source.reading.article.text, place.words[0].start
    index = place.source.sentences(place.at, place.end)
    span = place.source.reading.passages[index[0]].sentence.span if index else Span(start, start + 1)
    before = text[span.start : start]
    outer = max(before.rfind("“"), before.find('"'), before.rfind("«"))
    if outer >= 0:
        marks = list(_INNER.finditer(text, span.start + outer + 1, start + 1))
        if marks and (marks[-1][0] == "‘" or (marks[-1][0] == "'" and len(marks) % 2)):
            ahead = text[span.start + outer : marks[-1].start()].rstrip()
            last = _WORD.findall(ahead)[-NEAR if ahead.endswith((",", ":")) else -1 :]
            return any(
                word.lower() in _READS or ((verb := VERBS.get(word.lower())) and verb.force is Force.SAYING)
                for word in last
            )
    head = before[:outer] if outer >= 0 else ""
    return _QUOTING.search(head[-BEFORE:]) is not None
