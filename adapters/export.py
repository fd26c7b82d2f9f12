"""Reading -> what others build on: a line of the export (docs/export.md), or annotations of W3C's Web Annotation model.

Offsets are half-open, in Unicode code points of the article's text, as that model has them too. No word of an article
is written anew: all is places in its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from bot.citing import opens
from retrieval import Caveat, Passage, Reading, Span

Object = dict[str, Any]

FORMAT = "stet-reading/1"  # of which docs/reading.v1.schema.json is the schema
CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 32  # characters on either side of a quotation, by which it is told from the same words elsewhere
POSSIBLE = "possible"


def reading(value: Reading) -> Object:
    """Return an article as it was read; the schema says what each key is."""
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


def web_annotations(value: Reading) -> Iterator[Object]:
    """Yield each caveat on what it covers, and, tagged as possible, on what it may cover."""
    for caveat in value.caveats:
        if caveat.covers or caveat.is_notice:
            yield _annotation(value, caveat, caveat.covers)
        if caveat.possible:
            yield _annotation(value, caveat, caveat.possible, (POSSIBLE,))


def _annotation(value: Reading, caveat: Caveat, covered: Sequence[int], tags: Sequence[str] = ()) -> Object:
    """Return the caveat's whole sentence on each sentence covered, or on the article where there is none."""
    words = value.passages[caveat.sentence].sentence.span.of(value.article.text)
    text = {"type": "TextualBody", "value": words, "format": "text/plain", "language": "en", "purpose": "assessing"}
    source = _source(value)
    name = f"{source['id']} {caveat.span.start} {' '.join((*tags, *map(str, covered)))}"
    made: Object = {
        "@context": CONTEXT,
        "id": uuid5(NAMESPACE_URL, name).urn,
        "type": "Annotation",
        "motivation": "assessing",
        "body": [text, *({"type": "TextualBody", "value": tag, "purpose": "tagging"} for tag in tags)],
        "target": [_target(value, source, index) for index in covered] or [source],
    }
    outlet = value.article.source
    return made | ({"creator": {"type": "Organization", "name": outlet}} if outlet else {})


def _source(value: Reading) -> Object:
    """Return the article's text, of this version; ``via`` is where it was published."""
    article = value.article
    address = f"stet://article/{quote(article.id, safe='', errors='replace')}?sha256={article.digest}"
    text: Object = {"id": address, "type": "Text", "format": "text/plain", "language": "en"}
    return text | ({"via": article.url} if article.url and opens(article.url) else {})


def _target(value: Reading, source: Object, index: int) -> Object:
    text, span = value.article.text, value.passages[index].sentence.span
    quoted = {
        "type": "TextQuoteSelector",
        "exact": span.of(text),
        "prefix": text[max(0, span.start - AROUND) : span.start],
        "suffix": text[span.end : span.end + AROUND],
    }
    place = {"type": "TextPositionSelector", **_place(span)}
    return {"type": "SpecificResource", "source": source, "selector": [place, quoted]}
