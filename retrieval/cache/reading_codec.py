"""Readings <-> bytes: rows of JSON, so that a file that somebody else wrote can lie and do nothing else.

The article itself is not encoded: who decodes has it, and the code is stored under its digest.
A caveat is there once, and passages refer to it by number. How it was scored is not stored.
A checksum comes first: a changed byte may be a valid reading too, without a caveat.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from retrieval.model import (
    Article,
    Attribution,
    Boilerplate,
    Caveat,
    CaveatKind,
    Denial,
    Kind,
    Manner,
    Mention,
    Passage,
    Reading,
    Sentence,
    Span,
    Voice,
)

CHECKSUM = 8  # digits in front
Row = Sequence[Any]  # what JSON holds shows when something is made of it

# by their values: an enumeration's own call takes several times as long
_BOILERPLATE = {kind.value: kind for kind in Boilerplate}
_KINDS = {kind.value: kind for kind in Kind}
_VOICES = {voice.value: voice for voice in Voice}
_MANNERS = {manner.value: manner for manner in Manner}


def encode(reading: Reading) -> bytes:
    numbers = {caveat: number for number, caveat in enumerate(reading.caveats)}
    rows = [[_caveat_row(caveat) for caveat in reading.caveats], [_row(each, numbers) for each in reading.passages]]
    code = json.dumps(rows, separators=(",", ":")).encode()
    return _checksum(reading.article, code) + code


def is_whole(article: Article, code: bytes) -> bool:
    """Return whether ``code`` is as it was made of a reading of ``article``."""
    return code[:CHECKSUM] == _checksum(article, code[CHECKSUM:])


def _checksum(article: Article, code: bytes) -> bytes:
    return b"%08x" % crc32(code, crc32(article.digest.encode()))


def decode(article: Article, code: bytes) -> Reading:
    """Return the reading of ``article``; ``ValueError`` where ``code`` is none of it."""
    if not is_whole(article, code):
        raise ValueError(f"no reading of {article.id}")
    try:
        caveat_rows, rows = json.loads(code[CHECKSUM:])
        caveats = tuple([_caveat(row) for row in caveat_rows])
        passages = tuple([_passage(article.id, index, row, caveats) for index, row in enumerate(rows)])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise ValueError(f"no reading of {article.id}") from error
    if any(passage.sentence.span.end > len(article.text) for passage in passages):
        raise ValueError(f"a reading of another text than that of {article.id}")
    return Reading(article, passages, caveats)


def _row(passage: Passage, numbers: dict[Caveat, int]) -> Row:
    sentence = passage.sentence
    return (
        *_places(sentence.span),
        sentence.paragraph,
        sentence.boilerplate,
        sentence.quotation,
        sentence.rule,
        [(*_places(m.span), m.kind, m.name, m.rule, *_places(m.role)) for m in passage.mentions],
        _attribution_row(passage.attribution),
        passage.denial and (passage.denial.speaker, passage.denial.rule),
        [numbers[caveat] for caveat in passage.caveats],
        [numbers[caveat] for caveat in passage.possible_caveats],
        int(passage.is_caveat),
    )


def _passage(article_id: str, index: int, row: Row, caveats: tuple[Caveat, ...]) -> Passage:
    start, end, paragraph, boilerplate, quotation, rule, mentions, attribution, denial, own, possible, is_caveat = row
    kind = None if boilerplate is None else _BOILERPLATE[boilerplate]
    sentence = Sentence(article_id, index, Span(start, end), paragraph, kind, quotation, rule)
    return Passage(
        sentence=sentence,
        mentions=tuple([_mention(*each) for each in mentions]),
        attribution=_attribution(attribution) if attribution else None,
        caveats=tuple([caveats[number] for number in own]),
        denial=Denial(*denial) if denial else None,
        is_caveat=bool(is_caveat),
        possible_caveats=tuple([caveats[number] for number in possible]),
    )


def _places(span: Span | None) -> tuple[int, ...]:
    return (span.start, span.end) if span else ()


def _mention(start: int, end: int, kind: str, name: str, rule: str, *role: int) -> Mention:
    return Mention(_KINDS[kind], name, Span(start, end), Span(*role) if role else None, rule)


def _attribution_row(found: Attribution | None) -> Row | None:
    if found is None:
        return None
    row = (found.speaker, found.voice, found.manner, found.rule)
    if found.anonymity is None:
        return (*row, *_places(found.span))
    return (*row, _places(found.span), _places(found.anonymity))


def _attribution(row: Row) -> Attribution:
    speaker, voice, manner, rule, *places = row
    # the cue's two offsets, or two pairs: the cue's and those of the reason for anonymity
    cue, anonymity = places if places and isinstance(places[0], list) else (places, ())
    spans = [Span(*place) if place else None for place in (cue, anonymity)]
    return Attribution(speaker, _VOICES[voice], _MANNERS[manner], spans[0], rule, anonymity=spans[1])


def _caveat_row(found: Caveat) -> Row:
    return (found.kind, found.sentence, *_places(found.span), found.covers, found.possible, found.verifier, found.rule)


def _caveat(row: Row) -> Caveat:
    kind, sentence, start, end, covers, possible, verifier, rule = row
    return Caveat(CaveatKind(kind), sentence, Span(start, end), tuple(covers), verifier, rule, tuple(possible))
