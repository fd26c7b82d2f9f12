"""Reading -> a line of the export (docs/export.md).

Offsets are half-open, in Unicode code points of the article's text, which is in the line once.
"""

from __future__ import annotations

from typing import Any

from retrieval import Caveat, Passage, Reading, Span

Object = dict[str, Any]

FORMAT = "stet-reading/1"  # its schema: docs/reading.v1.schema.json


def reading(value: Reading) -> Object:
    article = value.article
    return {
        "format": FORMAT,
        "id": article.id,
        "digest": article.digest,
        "title": article.title,
        "source": article.source,
        "published": article.published.isoformat() if article.published else None,
        "url": article.url,
        "text": article.text,
        "sentences": [_sentence(passage) for passage in value.passages],
        "caveats": [_caveat(caveat) for caveat in value.caveats],
    }


def _place(span: Span) -> Object:
    return {"start": span.start, "end": span.end}


def _sentence(passage: Passage) -> Object:
    attribution = passage.attribution
    return {
        **_place(passage.sentence.span),
        "boilerplate": passage.sentence.boilerplate is not None,
        "quotation": passage.sentence.quotation,
        "voice": passage.voice,
        "speaker": passage.speaker,
        "manner": attribution.manner if attribution else None,
        "cue": _place(attribution.span) if attribution and attribution.span else None,
        "denial": {"speaker": passage.denial.speaker} if passage.denial else None,
        "names": [{**_place(each.span), "name": each.name, "kind": each.kind} for each in passage.mentions],
    }


def _caveat(caveat: Caveat) -> Object:
    return {
        **_place(caveat.span),
        "sentence": caveat.sentence,
        "kind": caveat.kind,
        "verifier": caveat.verifier,
        "covers": list(caveat.covers),
        "may_cover": list(caveat.possible),
        "whole_article": caveat.is_notice,
    }
