"""Reading and Reply -> the JSON of the published contract: one object a line, keys as named there."""

from __future__ import annotations

import json
from typing import Any, assert_never

from bot import state
from bot.model import (
    Answer,
    Candidates,
    Card,
    Check,
    Citation,
    Clipping,
    Extract,
    Listing,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
)
from bot.notices import notices
from bot.outline import outline
from bot.verbatim import collapse
from retrieval import Attribution, Caveat, Mention, Passage, Reading, Span

Object = dict[str, Any]


def line(value: Object) -> str:
    """Return ``value`` on one line; what no encoding can carry (a lone surrogate) is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def reading(value: Reading) -> Object:
    """Return what ``stet read --json`` prints for an article."""
    article = value.article
    return {
        "article_id": article.id,
        "path": article.path,
        "title": article.title,
        "source": article.source,
        "published": article.published.isoformat() if article.published else None,
        "digest": article.digest,
        "sentences": [_sentence(passage, value) for passage in value.passages],
        "notices": [_caveat(caveat, value) for caveat in value.notices],
    }


def _place(span: Span) -> Object:
    return {"start": span.start, "end": span.end}


def _sentence(passage: Passage, value: Reading) -> Object:
    text = value.article.text
    sentence = passage.sentence
    return {
        **_place(sentence.span),
        "text": sentence.span.of(text),
        "boilerplate": sentence.boilerplate is not None,
        "mentions": [_mention(mention, text) for mention in passage.mentions],
        "attribution": _attribution(passage.attribution) if passage.attribution else None,
        "denial": {"speaker": passage.denial.speaker, "of": None} if passage.denial else None,
        "quotation": sentence.quotation,
        "caveats": [_caveat(caveat, value) for caveat in passage.caveats],
        "possible_caveats": [_caveat(caveat, value) for caveat in passage.possible_caveats],
        "is_caveat": passage.is_caveat,
    }


def _mention(mention: Mention, text: str) -> Object:
    return {
        "text": mention.span.of(text),
        "name": mention.name,
        "kind": mention.kind,
        **_place(mention.span),
        "role": mention.role.of(text) if mention.role else None,
    }


def _attribution(attribution: Attribution) -> Object:
    return {
        "speaker": attribution.speaker,
        "voice": attribution.voice,
        "manner": attribution.manner,
        "start": attribution.span.start if attribution.span else None,
        "end": attribution.span.end if attribution.span else None,
        "rule": attribution.rule,
    }


def _caveat(caveat: Caveat, value: Reading) -> Object:
    """Return the whole sentence that holds the caveat, at its place; ``words`` are the very words in it."""
    sentence = value.passages[caveat.sentence].sentence.span
    return {
        "text": collapse(sentence.of(value.article.text)),
        "kind": caveat.kind,
        "verifier": caveat.verifier,
        **_place(sentence),
        "words": caveat.span.of(value.article.text),
        "rule": caveat.rule,
    }


def reply(value: Reply) -> Object:
    """Return what ``--json`` prints for a reply."""
    match value:
        case Answer():
            return _answer("answer", value.extracts, value, value.more, sure=value.sure)
        case NoAnswer():
            return _answer("no_answer", (), value)
        case Message():
            return {"kind": "message", "message": value.text, **_NOTHING}
        case Listing():
            told: Object = {"title": value.title, "sections": [_section(s) for s in value.sections]}
            return {"kind": "listing", **told, **_notices(value)}
        case Clipping():
            told = {"text": value.text, "form": value.form, "extract": extract(value.extract)}
            return {"kind": "clipping", **told, **_notices(value)}
        case Check():
            return {**_check(value), **_notices(value)}
        case Card():
            return {"kind": "entity", **_card(value), "candidates": [], **_notices(value)}
        case Candidates():
            return _candidates(value)
    assert_never(value)


_NOTHING: Object = {"extracts": [], "notices": [], "looked_for": [], "not_found": []}


def _answer(
    kind: str, extracts: tuple[Extract, ...], value: Answer | NoAnswer, more: str = "", *, sure: bool = False
) -> Object:
    return {
        "kind": kind,
        "message": value.message,
        "sure": sure,
        "confidence": value.confidence,
        "extracts": [{**extract(e), "state": _state(e)} for e in extracts],
        "more": more,
        **_notices(value),
        "looked_for": list(value.looked_for),
        "not_found": list(value.not_found),
    }


def _state(value: Extract) -> str:
    """Return what ``context`` and ``copy`` take to speak of this extract."""
    return state.encode([state.address(value.citation, value.index)])


def _section(value: Section) -> Object:
    return {
        "heading": value.heading,
        "lines": list(value.lines),
        "extracts": [extract(e) for e in value.extracts],
        "marked": value.marked,
        **({"cited": [citation(c) for c in value.cited]} if value.cited else {}),
    }


def _check(value: Check) -> Object:
    matches = [
        {**extract(match.extract), "difference": [[change, words] for change, words in match.difference]}
        for match in value.matches
    ]
    told: Object = {"kind": value.verdict, "quote": value.quote, "message": value.message, "matches": matches}
    return told | ({"punctuation": True} if value.punctuation else {})


def _card(value: Card) -> Object:
    return {
        "name": value.name,
        "entity_kind": value.kind,
        "variants": list(value.variants),
        "roles": [extract(e) for e in value.roles],
        "said": [extract(e) for e in value.said],
        "about": [extract(e) for e in value.about],
        "with": [{"name": c.name, "sentences": c.sentences, "extract": extract(c.extract)} for c in value.company],
        "articles": [citation(c) for c in value.articles],
        "described": [{"text": role.text, "citation": citation(role.citation)} for role in value.described],
        "in_all": value.in_all,
        "said_in_all": value.said_in_all,
    }


def _candidates(value: Candidates) -> Object:
    listed = [{"name": c.name, "entity_kind": c.kind, "articles": c.articles} for c in value.candidates]
    nobody: Object = {"name": None, "entity_kind": None, "variants": [], "roles": [], "said": [], "about": []}
    nobody |= {"with": [], "articles": []}
    kind = "candidates" if value.found else "no_answer"
    return {"kind": kind, **nobody, "message": value.message, "candidates": listed}


def extract(value: Extract) -> Object:
    """Return one extract, with the one before it inside where there is one."""
    return {
        "text": value.text,
        "answer": [value.answer.start, value.answer.end] if value.answer else None,
        "before": extract(value.before) if value.before else None,
        "speaker": value.speaker,
        "voice": value.voice,
        "citation": citation(value.citation),
        "caveats": [_quoted_caveat(c) for c in value.caveats],
        "denials": [],  # of the contract; which denial is of which claim is not told
    }


def citation(value: Citation) -> Object:
    """Return where words stand."""
    return {
        "article_id": value.article_id,
        "path": value.path,
        "source": value.source,
        "title": value.title,
        "published": value.published.isoformat() if value.published else None,
        "url": value.url,
        **_place(value.span),
        "digest": value.digest,
        **({"corrected": value.corrected.isoformat()} if value.corrected else {}),
        **({"superseded": True} if value.superseded else {}),
    }


def _quoted_caveat(value: QuotedCaveat) -> Object:
    return {"text": value.text, "kind": value.kind, "verifier": value.verifier, **_place(value.citation.span)}


def _notices(value: Reply) -> Object:
    quoted = (value.extract,) if isinstance(value, Clipping) else outline(value).all_extracts
    return {"notices": [_notice(n) for n in notices(quoted)]}


def _notice(value: Notice) -> Object:
    return {"text": value.text, "citation": citation(value.citation), "why": value.why}
