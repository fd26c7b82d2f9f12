"""JSON Schema (2020-12) of what ``adapters.machine`` prints for a reply: what each tool declares that it returns.

As the contract has it, further keys may come, and none is renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.commands.clip import FORMS
from bot.model import Change, NoticeReason, Verdict
from retrieval import CaveatKind, Kind, Voice

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
DAY: Schema = {"type": "string", "format": "date"}
NUMBER: Schema = {"type": "integer", "minimum": 0}


def replies(kinds: Iterable[str]) -> Schema:
    """Return the schema of a reply that is of one of ``kinds``, with the definitions it rests on and no others."""
    roots = tuple(kinds)
    needed = dict.fromkeys(name for kind in roots for name in _reached(kind))
    return {
        "type": "object",
        "anyOf": [_ref(kind) for kind in roots],
        "$defs": {name: DEFINITIONS[name] for name in needed},
    }


def _reached(name: str, known: frozenset[str] = frozenset()) -> Iterator[str]:
    if name in known:
        return
    yield name
    for other in _named(DEFINITIONS[name]):
        yield from _reached(other, known | {name})


def _named(schema: object) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from _named(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _named(part)


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _each(schema: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": schema, **bounds}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(values: Iterable[str]) -> Schema:
    return {"enum": [str(value) for value in values]}


def _object(description: str, optional: Schema | None = None, /, **properties: Schema) -> Schema:
    return {
        "description": description,
        "type": "object",
        "properties": properties | (optional or {}),
        "required": list(properties),
    }


def _told(text: str, schema: Schema) -> Schema:
    return {**schema, "description": text}


_EXTRACTS = _each(_ref("extract"))
_NONE = _each(_ref("extract"), maxItems=0)
_NOTICES = _each(_ref("notice"))
_PLACE = {"start": NUMBER, "end": NUMBER}
_SOUGHT = {"notices": _NOTICES, "looked_for": _each(TEXT), "not_found": _each(TEXT)}
_WEIGHED: Schema = {
    "message": MAYBE_TEXT,
    "sure": _told("Where false, say so before anything else.", {"type": "boolean"}),
    "confidence": _told(
        "How probable it is that a right answer is among the extracts.",
        {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    ),
    "more": _told("What the tool more takes to show the next extracts; empty where there are none.", TEXT),
}
_WHO: Schema = {
    "name": MAYBE_TEXT,
    "entity_kind": _or_null(_one_of(Kind)),
    "variants": _each(TEXT),
    "roles": _EXTRACTS,
    "said": _EXTRACTS,
    "about": _EXTRACTS,
    "with": _each(_object("Who is named beside them.", name=TEXT, sentences=NUMBER, extract=_ref("extract"))),
    "articles": _each(_ref("citation")),
    "candidates": _each(_object("One who may be meant.", name=TEXT, entity_kind=_one_of(Kind), articles=NUMBER)),
}

DEFINITIONS: dict[str, Schema] = {
    "citation": _object(
        "Where words stand: the article, and their place in its text, in code points.",
        {"corrected": DAY, "superseded": {"const": True}},
        article_id=TEXT,
        path=TEXT,
        source=MAYBE_TEXT,
        title=MAYBE_TEXT,
        published=_or_null(DAY),
        url=MAYBE_TEXT,
        **_PLACE,
        digest=_told("SHA-256 of the text.", TEXT),
    ),
    "caveat": _object(
        "What the outlet says was not verified, word for word: the extract is never quoted without it.",
        text=TEXT,
        kind=_one_of(CaveatKind),
        verifier=MAYBE_TEXT,
        **_PLACE,
    ),
    "extract": _object(
        "One sentence of an article, word for word, with who says it, where it stands, and its caveats.",
        {"state": TEXT},
        text=TEXT,
        before=_or_null(_ref("extract")),
        speaker=MAYBE_TEXT,
        voice=_one_of(Voice),
        citation=_ref("citation"),
        caveats=_each(_ref("caveat")),
        denials={"type": "array"},
    ),
    "notice": _object(
        "A caveat, word for word, on an article as a whole, or one that may cover an extract.",
        text=TEXT,
        citation=_ref("citation"),
        why=_one_of(NoticeReason),
    ),
    "answer": _object(
        "Sentences of the articles, best first.",
        kind={"const": "answer"},
        **_WEIGHED,
        extracts=_each(_ref("extract"), minItems=1),
        **_SOUGHT,
    ),
    "no_answer": _object("Nothing was found.", kind={"const": "no_answer"}, **_WEIGHED, extracts=_NONE, **_SOUGHT),
    "message": _object(
        "Words of the program's own: help, a refusal, what went wrong.",
        kind={"const": "message"},
        message=TEXT,
        extracts=_NONE,
        **_SOUGHT,
    ),
    "listing": _object(
        "Several things under headings.",
        kind={"const": "listing"},
        title=TEXT,
        sections=_each(
            _object(
                "Lines and extracts under a heading.",
                heading=TEXT,
                lines=_each(TEXT),
                extracts=_EXTRACTS,
                marked=_or_null(NUMBER),
            )
        ),
        notices=_NOTICES,
    ),
    "clipping": _object(
        "An extract as it is pasted elsewhere.",
        kind={"const": "clipping"},
        text=TEXT,
        form=_one_of(FORMS),
        extract=_ref("extract"),
        notices=_NOTICES,
    ),
    "entity": _object(
        "Somebody or something that the articles name.",
        kind={"const": "entity"},
        **_WHO,
        described=_each(_object("What an article calls them.", text=TEXT, citation=_ref("citation"))),
        in_all=NUMBER,
        said_in_all=NUMBER,
        notices=_NOTICES,
    ),
    "candidates": _object(
        "Those who may be meant; in no_answer, those whose names are nearest.",
        kind=_one_of(("candidates", "no_answer")),
        **_WHO,
        message=TEXT,
    ),
    "check": _object(
        "A quotation held against the articles.",
        {"punctuation": {"const": True}},
        kind=_one_of(Verdict),
        quote=TEXT,
        message=TEXT,
        matches=_each(
            {
                "allOf": [
                    _ref("extract"),
                    _object(
                        "What became of each run of words between the article and the quotation.",
                        difference=_each(
                            {"type": "array", "prefixItems": [_one_of(Change), TEXT], "minItems": 2, "maxItems": 2}
                        ),
                    ),
                ]
            }
        ),
        notices=_NOTICES,
    ),
}
