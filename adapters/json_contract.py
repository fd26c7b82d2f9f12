"""Reading and Reply -> the JSON of the published contracts, and the JSON Schema (2020-12) of a reply.

Each object is declared once, key by key, as it is printed; its schema follows from the declaration.
Keys may be added, and none is renamed. Offsets are half-open, in Unicode code points of the article's text.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Any

import retrieval
from bot import messages, model, sentence_links, verdicts
from bot.ask.model import Band
from bot.commands.clip import FORMS
from bot.commands.comparison import RULES
from bot.outline import notices, outline
from bot.verbatim import collapse

Object = dict[str, Any]
Schema = dict[str, Any]
REFERENCE = re.compile(r"#/\$defs/(\w+)")
SURROGATE = re.compile("[\ud800-\udfff]")


def line(value: Object) -> str:
    """Return JSON on one line, in ASCII where it holds a lone surrogate, which no encoding can carry."""
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if SURROGATE.search(text) else text


def reading(value: retrieval.Reading, left_out: Iterable[retrieval.LeftOut] | None = None) -> Object:
    """Return what ``stet read --json`` prints for an article; ``left_out`` where its file was read."""
    article = value.article
    beside = {} if left_out is None else {"left_out": [{"kind": part.kind, "text": part.text} for part in left_out]}
    return {
        "article_id": article.id,
        **attributes(article, "path title source published digest"),
        "sentences": [_sentence(passage, value) for passage in value.passages],
        "notices": [_caveat(caveat, value) for caveat in value.notices],
        **beside,
    }


def attributes(value: object, names: str) -> Object:
    """Return the named attributes; days and times in ISO 8601."""
    parts = {name: getattr(value, name) for name in names.split()}
    return {name: part.isoformat() if isinstance(part, date) else part for name, part in parts.items()}


def _place(span: retrieval.Span) -> Object:
    return {"start": span.start, "end": span.end}


def _sentence(passage: retrieval.Passage, value: retrieval.Reading) -> Object:
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


def _mention(mention: retrieval.Mention, text: str) -> Object:
    return {
        "text": mention.span.of(text),
        **attributes(mention, "name kind"),
        **_place(mention.span),
        "role": mention.role.of(text) if mention.role else None,
    }


def _attribution(attribution: retrieval.Attribution) -> Object:
    return {
        **attributes(attribution, "speaker voice manner"),
        "start": attribution.span.start if attribution.span else None,
        "end": attribution.span.end if attribution.span else None,
        "rule": attribution.rule,
        "anonymity": [attribution.anonymity.start, attribution.anonymity.end] if attribution.anonymity else None,
    }


def _caveat(caveat: retrieval.Caveat, value: retrieval.Reading) -> Object:
    """Return the sentence that holds the caveat; ``words`` are the caveat itself."""
    sentence = value.passages[caveat.sentence].sentence.span
    return {
        "text": collapse(sentence.of(value.article.text)),
        **attributes(caveat, "kind verifier"),
        **_place(sentence),
        "words": caveat.span.of(value.article.text),
        "rule": caveat.rule,
    }


def export(value: retrieval.Reading) -> Object:
    """Return a line of ``stet export`` (docs/export.md), which ``stet add`` reads; the article's text is in it once."""
    article = value.article
    return {
        "format": retrieval.EXPORT_FORMAT,
        **attributes(article, "id path digest title source published url author wire embargo text"),
        "layout": [{**_place(part.span), "kind": part.kind} for part in article.layout],
        "sentences": [_exported_sentence(passage) for passage in value.passages],
        "caveats": [
            {
                **_place(caveat.span),
                **attributes(caveat, "sentence kind verifier"),
                "covers": list(caveat.covers),
                "may_cover": list(caveat.possible),
                "whole_article": caveat.is_notice,
            }
            for caveat in value.caveats
        ],
    }


def _exported_sentence(passage: retrieval.Passage) -> Object:
    attribution = passage.attribution
    return {
        **_place(passage.sentence.span),
        "boilerplate": passage.sentence.boilerplate is not None,
        "quotation": passage.sentence.quotation,
        **attributes(passage, "voice speaker"),
        "manner": attribution.manner if attribution else None,
        "cue": _place(attribution.span) if attribution and attribution.span else None,
        "denial": {"speaker": passage.denial.speaker} if passage.denial else None,
        "names": [{**_place(each.span), "name": each.name, "kind": each.kind} for each in passage.mentions],
    }


def reply(value: model.Reply | model.Proof) -> Object:
    """Return what ``--json`` prints for a reply; a proof as one object, as the assistants' tool has it."""
    return _encode(_SHAPES.get(type(value)) or type(value).__name__.lower(), value)


def proof_lines(value: model.Proof) -> Iterator[Object]:
    """Yield what ``stet proof --json`` prints: each finding, and last the summary."""
    found = reply(value)
    yield from found["findings"]
    yield {"kind": "summary", **found["summary"]}


def citation(value: model.Citation) -> Object:
    return _encode("citation", value)


def reply_schema(kinds: Iterable[str]) -> Schema:
    """Return the schema of a reply of one of ``kinds``, with the definitions that it needs and no others."""
    roots = tuple(kinds)
    needed = list(roots)  # grows while it is gone through
    for name in needed:
        references = dict.fromkeys(REFERENCE.findall(json.dumps(DEFINITIONS[name].schema)))
        needed += [reference for reference in references if reference not in needed]
    return {
        "type": "object",
        "anyOf": [_ref(kind).schema for kind in roots],
        "$defs": {name: DEFINITIONS[name].schema for name in needed},
    }


@dataclass(frozen=True, slots=True)
class JsonShape:
    """A kind of JSON value: its schema, and how a value of the model becomes one.

    Of a key, ``source`` gets its value of the model; without one, that is the attribute of the key's own name. An
    ``optional`` key is left out where its value is false.
    """

    schema: Schema
    encode: Callable[[Any], Any] = lambda value: value
    source: Callable[[Any], Any] | None = None
    optional: bool = False


def _key(
    shape: JsonShape, source: str | Callable[[Any], Any] | None = None, *, optional: bool = False, description: str = ""
) -> JsonShape:
    schema = {**shape.schema, "description": description} if description else shape.schema
    getter = attrgetter(source) if isinstance(source, str) else source
    return JsonShape(schema, shape.encode, getter or shape.source, optional)


def _encode(name: str, value: object) -> Object:
    encoded: Object = DEFINITIONS[name].encode(value)
    return encoded


def _ref(name: str) -> JsonShape:
    return JsonShape({"$ref": f"#/$defs/{name}"}, lambda value: _encode(name, value))


def _each(shape: JsonShape, **bounds: int) -> JsonShape:
    return JsonShape({"type": "array", "items": shape.schema, **bounds}, lambda values: [*map(shape.encode, values)])


def _or_null(shape: JsonShape) -> JsonShape:
    return JsonShape(
        {"anyOf": [shape.schema, {"type": "null"}]}, lambda value: None if value is None else shape.encode(value)
    )


def _one_of(values: Iterable[str]) -> JsonShape:
    return JsonShape({"enum": [str(value) for value in values]})


def _pair(**items: object) -> Schema:
    return {"type": "array", **items, "minItems": 2, "maxItems": 2}


def _constant(shape: JsonShape, value: object) -> JsonShape:
    return _key(shape, lambda _: value)


def _object(description: str, keys: dict[str, JsonShape]) -> JsonShape:
    getters = {name: key.source or attrgetter(name) for name, key in keys.items()}

    def encode(value: object) -> Object:
        parts = ((name, key, getters[name](value)) for name, key in keys.items())
        return {name: key.encode(part) for name, key, part in parts if part or not key.optional}

    return JsonShape(
        {
            "description": description,
            "type": "object",
            "properties": {name: key.schema for name, key in keys.items()},
            "required": [name for name, key in keys.items() if not key.optional],
        },
        encode,
    )


def _kind(kind: str) -> JsonShape:
    return _constant(JsonShape({"const": kind}), kind)


_TEXT = JsonShape({"type": "string"})
_SPOKEN = JsonShape(_TEXT.schema, lambda text: messages.in_words(text, "`{}`"))  # by the bot, in its own voice
_MAYBE_TEXT = JsonShape({"type": ["string", "null"]})
_NUMBER = JsonShape({"type": "integer", "minimum": 0})
_DAY = JsonShape({"type": "string", "format": "date"}, date.isoformat)
_TRUE = JsonShape({"const": True})
_FLAG = JsonShape({"type": "boolean"})
_PLACE = JsonShape(_pair(items=_NUMBER.schema), lambda span: [span.start, span.end])
_TEXTS = _each(_TEXT)
_EXTRACTS = _each(_ref("extract"))
_NO_EXTRACTS = _constant(_each(_ref("extract"), maxItems=0), ())
_NO_TEXTS = _constant(_TEXTS, ())
_NOTICES = _key(
    _each(_ref("notice")),
    lambda value: notices(value.extracts if isinstance(value, model.Clipping) else outline(value).all_extracts),
)


def _with_state(extract: Any) -> Object:  # noqa: ANN401 - an Extract, as every encoder takes its own
    """Add what the commands ``context`` and ``copy`` take to speak of this extract."""
    return {**_encode("extract", extract), "state": sentence_links.encode([sentence_links.address(extract)])}


def _match(match: Any) -> Object:  # noqa: ANN401 - a Match of a quotation, an Extract beside anything else
    if not isinstance(match, model.Match):
        return _encode("extract", match)
    return {**_encode("extract", match.extract), **_DIFFERENCE.encode(match)}


_DIFFERENCE = _object(
    "What became of each run of words between the article and the quotation.",
    {"difference": _each(JsonShape(_pair(prefixItems=[_one_of(model.Change).schema, _TEXT.schema]), list))},
)
_CLAIMED = _object(
    "Who is claimed to have said it, and whether the article has it so.",
    {"name": _TEXT, "verdict": _key(_one_of(model.Agreement), "agreement"), "in_article": _MAYBE_TEXT},
)
_CONTEXT = _object(
    "The words that turn or limit a quotation, how, and the sentence that has them.",
    {"words": _TEXT, "kind": _one_of(model.ContextKind), "sentence": _ref("extract")},
)
_COMPARED: dict[str, JsonShape] = {
    "not_compared": _key(_TEXTS, description="The pasted words that were compared with nothing: say which."),
    "claimed_speaker": _key(_or_null(_CLAIMED), "claimed"),
    "freedoms": _key(
        _each(_one_of(model.QuotationLiberty)), description="What differs without altering the quotation."
    ),
    "context": _key(_or_null(_CONTEXT), description="What turns or limits the words where they stand."),
    "searched": _or_null(_object("How much was looked through.", {"articles": _NUMBER, "outlets": _NUMBER})),
    "rules": _constant(_TEXT, RULES),
}
_VERDICT = _key(_one_of(model.Verdict), "verdict")
_CHECKED = _object("The verdict on a quotation.", {"kind": _VERDICT, "quote": _TEXT, **_COMPARED})
_LINES = _object(
    "Lines and extracts under a heading; of a quotation that was checked, with its verdict.",
    {
        "heading": _TEXT,
        "lines": _each(_SPOKEN),
        "extracts": _EXTRACTS,
        "marked": _or_null(_NUMBER),
        "cited": _key(_each(_ref("citation")), optional=True),
        "counts": _key(
            _each(JsonShape(_pair(prefixItems=[_TEXT.schema, _NUMBER.schema]), lambda row: [*row[:2]])),
            optional=True,
            description="Labels with their numbers.",
        ),
    },
)
_SECTION = JsonShape(
    {**_LINES.schema, "properties": {**_LINES.schema["properties"], **_CHECKED.schema["properties"]}},
    lambda value: {**_LINES.encode(value), **(_CHECKED.encode(value.check) if value.check else {})},
)
_SURE = _key(_FLAG, description="Where false, say so before anything else.")
_BAND = _key(_one_of(Band), description="An answer; probably one; the closest match, which may not answer; or none.")
_MORE = _key(_TEXT, description="What the tool more takes to show the next extracts; empty where there are none.")
_ANSWER: dict[str, JsonShape] = {
    "kind": _kind("answer"),
    "message": _MAYBE_TEXT,
    "sure": _SURE,
    "band": _BAND,
    "confidence": _key(
        JsonShape({"type": ["number", "null"], "minimum": 0, "maximum": 1}),
        description="How probable it is that a right answer is among the extracts.",
    ),
    "extracts": _each(JsonShape(_ref("extract").schema, _with_state), minItems=1),
    "more": _MORE,
    "notices": _NOTICES,
    **dict.fromkeys(("looked_for", "not_found"), _TEXTS),
}
_ENTITY_KIND = _one_of(retrieval.Kind)
_BESIDE = _each(_object("Who is named beside them.", {"name": _TEXT, "sentences": _NUMBER, "extract": _ref("extract")}))
_CANDIDATES = _each(
    _object("One who may be meant.", {"name": _TEXT, "entity_kind": _key(_ENTITY_KIND, "kind"), "articles": _NUMBER})
)

DEFINITIONS: dict[str, JsonShape] = {
    "citation": _object(
        "The place of words: the article, and the offsets in its text, in code points.",
        {
            **dict.fromkeys(("article_id", "path"), _TEXT),
            **dict.fromkeys(("source", "title"), _MAYBE_TEXT),
            "published": _or_null(_DAY),
            "url": _MAYBE_TEXT,
            "start": _key(_NUMBER, "span.start"),
            "end": _key(_NUMBER, "span.end"),
            "digest": _key(_TEXT, description="SHA-256 of the text."),
            "corrected": _key(_DAY, optional=True),
            "superseded": _key(_TRUE, optional=True),
        },
    ),
    "caveat": _object(
        "What the outlet says was not verified, word for word: the extract is never quoted without it.",
        {
            "text": _TEXT,
            "kind": _one_of(retrieval.CaveatKind),
            "verifier": _MAYBE_TEXT,
            "start": _key(_NUMBER, "citation.span.start"),
            "end": _key(_NUMBER, "citation.span.end"),
        },
    ),
    "extract": _object(
        "One sentence of an article, word for word, with who says it, its source, and its caveats.",
        {
            "text": _TEXT,
            "answer": _key(_or_null(_PLACE), description="The words of the text that answer, where these are clear."),
            "before": _or_null(_ref("extract")),
            "speaker": _MAYBE_TEXT,
            "voice": _one_of(retrieval.Voice),
            "citation": _ref("citation"),
            "caveats": _each(_ref("caveat")),
            "denials": _constant(JsonShape({"type": "array"}, list), ()),  # which denial is of which claim is not known
            "state": _key(_TEXT, lambda _: "", optional=True),  # see _with_state
        },
    ),
    "notice": _object(
        "A caveat, word for word, on an article as a whole, or one that may cover an extract.",
        {"text": _TEXT, "citation": _ref("citation"), "why": _one_of(model.NoticeReason)},
    ),
    "answer": _object("Sentences of the articles, best first.", _ANSWER),
    "no_answer": _object(
        "Nothing answers.",
        {
            **_ANSWER,
            "kind": _kind("no_answer"),
            "message": _SPOKEN,
            "sure": _key(_SURE, lambda _: False),
            "extracts": _NO_EXTRACTS,
            "more": _key(_MORE, description="What the tool more takes to show the closest matches."),
            "articles": _key(
                _each(_ref("citation")), optional=True, description="Those that mention the name asked about."
            ),
        },
    ),
    "message": _object(
        "Words of the program's own: help, a refusal, what went wrong.",
        {
            "kind": _kind("message"),
            "message": _key(_SPOKEN, "text"),
            "extracts": _NO_EXTRACTS,
            "notices": _constant(_NOTICES, ()),
            **dict.fromkeys(("looked_for", "not_found"), _NO_TEXTS),
        },
    ),
    "listing": _object(
        "Several things under headings.",
        {"kind": _kind("listing"), "title": _TEXT, "sections": _each(_SECTION), "notices": _NOTICES},
    ),
    "clipping": _object(
        "A quotation as it is pasted elsewhere; ``extract`` is its first sentence.",
        {
            "kind": _kind("clipping"),
            "text": _TEXT,
            "form": _one_of(FORMS),
            "extract": _ref("extract"),
            "extracts": _EXTRACTS,
            "notices": _NOTICES,
        },
    ),
    "entity": _object(
        "Somebody or something that the articles name.",
        {
            "kind": _kind("entity"),
            "name": _MAYBE_TEXT,
            "entity_kind": _key(_or_null(_ENTITY_KIND), "kind"),
            "variants": _TEXTS,
            **dict.fromkeys(("roles", "said", "about"), _EXTRACTS),
            "with": _key(_BESIDE, "company"),
            "articles": _each(_ref("citation")),
            "described": _each(_object("What an article calls them.", {"text": _TEXT, "citation": _ref("citation")})),
            **dict.fromkeys(("in_all", "said_in_all"), _NUMBER),
            **dict.fromkeys(("may_be_several", "brief"), _key(_TRUE, optional=True)),
            "more": _key(_MORE, optional=True),
            "candidates": _constant(_CANDIDATES, ()),
            "notices": _NOTICES,
        },
    ),
    "candidates": _object(
        "Those who may be meant; in no_answer, those whose names are nearest.",
        {
            "kind": _key(
                _one_of(("candidates", "no_answer")), lambda value: "candidates" if value.found else "no_answer"
            ),
            "name": _constant(_MAYBE_TEXT, None),
            "entity_kind": _constant(_or_null(_ENTITY_KIND), None),
            "variants": _NO_TEXTS,
            **dict.fromkeys(("roles", "said", "about"), _constant(_EXTRACTS, ())),
            "with": _constant(_BESIDE, ()),
            "articles": _constant(_each(_ref("citation")), ()),
            "message": _TEXT,
            "candidates": _CANDIDATES,
        },
    ),
    "check": _object(
        "A quotation compared with the articles.",
        {
            "kind": _VERDICT,
            "quote": _TEXT,
            "message": _key(_TEXT, verdicts.message),
            "what": _key(
                _TEXT,
                lambda value: verdicts.explanation(value) if value.verdict is model.Verdict.UNCHECKED else "",
                optional=True,
                description="Why it could not be compared.",
            ),
            "matches": _each(JsonShape({"allOf": [_ref("extract").schema, _DIFFERENCE.schema]}, _match)),
            **_COMPARED,
            "left_out": _key(_NUMBER, description="How many of the article's words an ellipsis replaces."),
            "goes_on": _key(
                _or_null(_ref("extract")),
                lambda value: (
                    value.context.sentence
                    if value.context and value.context.kind is model.ContextKind.TAKEN_BACK
                    else None
                ),
                description="The next sentence, where it takes the quotation back.",
            ),
            "punctuation": _key(
                _TRUE, lambda value: model.QuotationLiberty.PUNCTUATION in value.freedoms, optional=True
            ),
            "notices": _NOTICES,
        },
    ),
    "finding": _object(
        "A point of a draft, in its place: a quotation with its verdict, or what differs from the articles.",
        {
            "kind": _key(_one_of(model.FindingKind)),
            "start": _key(_NUMBER, "span.start"),
            "end": _key(_NUMBER, "span.end"),
            "text": _TEXT,
            "verdict": _key(
                _or_null(_one_of(model.Verdict)), lambda value: value.check.verdict if value.check else None
            ),
            "claimed_speaker": _key(_or_null(_CLAIMED), lambda value: value.check.claimed if value.check else None),
            "what": _key(_TEXT, description="What differs, and from what, in a sentence."),
            "confidence": JsonShape({"type": "number", "minimum": 0, "maximum": 1}),
            "matches": _key(
                _each(JsonShape({"allOf": [_ref("extract").schema]}, _match)),
                lambda value: value.check.matches if value.check else value.extracts,
            ),
            "to_check": _key(_FLAG, lambda value: not value.is_correct, description="False where all is right."),
        },
    ),
    "proof": _object(
        "What was found in a draft, in its order.",
        {
            "kind": _kind("proof"),
            "findings": _each(_ref("finding")),
            "left_out": _key(_TEXTS, description="Quotations that are too long to be checked."),
            "summary": _key(
                _object(
                    "How much was looked at, and how many findings are to be checked.",
                    {
                        "quotations": _NUMBER,
                        "findings": _key(_NUMBER, lambda value: len(value.to_check)),
                        "words": _NUMBER,
                    },
                ),
                lambda value: value,
            ),
            "notices": _key(_each(_ref("notice")), lambda value: notices(value.extracts)),
        },
    ),
}
_SHAPES = {model.NoAnswer: "no_answer", model.Card: "entity"}  # the others are named as their types are
