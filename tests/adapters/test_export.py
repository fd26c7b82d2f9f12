"""The export: it fits its schema, and its offsets give the words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adapters import json_contract
from retrieval.model import Reading
from tests.adapters.program import Stet
from tests.adapters.test_json_contract import closed
from tests.shelf import FIXTURES, SEEDS, readings
from tests.stock import BRIDGE, FERRY, holdings

pytestmark = pytest.mark.rest

DOCS = Path(json_contract.__file__).parents[1] / "docs"


def fits(name: str) -> Draft202012Validator:
    schema = closed(json.loads((DOCS / name).read_text(encoding="utf-8")))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


READING = fits("reading.v1.schema.json")


def every() -> Iterator[Reading]:
    yield from (holdings().archive.reading(article.id) for article in (FERRY, BRIDGE))
    yield from (*readings(SEEDS), *readings(FIXTURES))


def test_a_reading_fits_its_schema_and_its_places_give_the_words() -> None:
    for reading in every():
        shown = json.loads(json_contract.line(json_contract.export(reading)))
        READING.validate(shown)
        text, usual = shown["text"], json_contract.reading(reading)
        assert hashlib.sha256(text.encode()).hexdigest() == shown["digest"]
        for sentence, same in zip(shown["sentences"], usual["sentences"], strict=True):
            assert text[sentence["start"] : sentence["end"]] == same["text"]
            names = [(text[name["start"] : name["end"]], name["name"]) for name in sentence["names"]]
            assert names == [(mention["text"], mention["name"]) for mention in same["mentions"]]
            assert (sentence["speaker"], sentence["voice"]) == _said(same["attribution"])


def _said(attribution: dict[str, Any] | None) -> tuple[str | None, str]:
    return (attribution["speaker"], attribution["voice"]) if attribution else (None, "outlet")


def test_a_caveat_says_what_it_covers() -> None:
    seen = 0
    for reading in every():
        shown, usual = json_contract.export(reading), json_contract.reading(reading)
        for kind, listed in (("covers", "caveats"), ("may_cover", "possible_caveats")):
            pairs = [
                (index, shown["text"][caveat["start"] : caveat["end"]])
                for caveat in shown["caveats"]
                for index in caveat[kind]
            ]
            expected = [(n, c["words"]) for n, sentence in enumerate(usual["sentences"]) for c in sentence[listed]]
            assert sorted(pairs) == sorted(expected)
            seen += len(pairs)
        whole = [shown["text"][c["start"] : c["end"]] for c in shown["caveats"] if c["whole_article"]]
        assert whole == [notice["words"] for notice in usual["notices"]]
    assert seen > 50


def test_what_does_not_fit_is_noticed() -> None:
    good = json_contract.export(holdings().archive.reading(FERRY.id))
    for wrong in ({"digest": "x"}, {"format": "stet-reading/2"}, {"more": 1}, {"published": "soon"}):
        assert not READING.is_valid(deepcopy(good) | wrong)
    assert READING.is_valid(good)


def test_the_command_prints_a_line_for_each(stet: Stet, folder: Path) -> None:
    status, out, _ = stet("export", "--articles", folder)
    assert (status, [json.loads(line)["id"] for line in out.splitlines()]) == (0, ["bridge.txt", "ferry.txt"])
    one = stet("export", "--jsonl", "--articles", folder, "--source", "The Sandholm Echo")[1]
    assert [json.loads(line)["id"] for line in one.splitlines()] == ["ferry.txt"]
