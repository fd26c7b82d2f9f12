"""The JSON that is printed: it fits its schema, and its places give the words. test_drawings.py has every key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adapters import json_contract
from bot.model import Message, Question, Reply
from retrieval import version_key
from tests.stock import BRIDGE, FERRY, holdings, service

KEY = version_key(FERRY.id, FERRY.digest)


def _replies() -> dict[str, Reply]:
    answering = service()
    asked = Question("")
    return {
        "answer": answering.answer(Question("who was at the wheel")),
        "no answer": answering.answer(Question("who won the chess olympiad")),
        "message": Message("Hello."),
        "card": answering.command("who", "Marta Lindqvist", asked),
        "candidates": answering.command("who", "Zebedee Quux", asked),
        "check": answering.command("verify", "Nobody was at the helm", asked),
        "listing": answering.command("unverified", "", asked),
        "context": answering.command("context", f"{KEY}.2", asked),
        "clipping": answering.command("copy", f"{KEY}.2", asked),
    }


REPLIES = _replies()


def test_the_places_of_an_answer_give_its_words() -> None:
    for extract in json_contract.reply(REPLIES["answer"])["extracts"]:
        cited = extract["citation"]
        text = {FERRY.id: FERRY, BRIDGE.id: BRIDGE}[cited["article_id"]].text
        assert text[cited["start"] : cited["end"]] == extract["text"]
        for caveat in extract["caveats"]:
            assert text[caveat["start"] : caveat["end"]] == caveat["text"]


def test_a_reading_has_the_keys_of_the_contract() -> None:
    (ferry,) = [json_contract.reading(holdings().archive.reading(FERRY.id))]
    assert set(ferry) == {"article_id", "path", "title", "source", "published", "digest", "sentences", "notices"}
    assert ferry["published"] == "2031-05-09"
    for sentence in ferry["sentences"]:
        assert FERRY.text[sentence["start"] : sentence["end"]] == sentence["text"]
        for mention in sentence["mentions"]:
            assert FERRY.text[mention["start"] : mention["end"]] == mention["text"]
        for caveat in sentence["caveats"]:
            assert FERRY.text[caveat["start"] : caveat["end"]] == caveat["text"]
            assert caveat["words"] in caveat["text"]


def test_what_no_encoding_can_carry_is_escaped() -> None:
    assert json_contract.line({"text": "a\ud800b"}) == '{"text": "a\\ud800b"}'
    assert json_contract.line({"text": "ä"}) == '{"text": "ä"}'


@pytest.mark.parametrize("kind", REPLIES)
def test_every_key_that_is_printed_is_declared(kind: str) -> None:
    printed = json.loads(json_contract.line(json_contract.reply(REPLIES[kind])))
    schema = json_contract.reply_schema(json_contract.DEFINITIONS)
    strict = closed(schema)
    if kind == "check":  # a match has the keys of an extract, and one more
        strict["$defs"]["extract"] = schema["$defs"]["extract"]
        strict["$defs"]["check"]["properties"]["matches"] = schema["$defs"]["check"]["properties"]["matches"]
    Draft202012Validator(strict).validate(printed)


def closed(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: closed(part) for key, part in schema.items()}
    return strict | ({"additionalProperties": False} if "properties" in schema else {})
