"""The JSON that is printed and exported: it fits, and its places give the words. test_drawings.py has each key."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adapters import json_contract
from adapters.articles import archive_path
from adapters.settings import load
from bot.model import Check
from retrieval import PersistentArchive
from retrieval.model import Article, Reading
from tests.shelf import FIXTURES, SEEDS, readings
from tests.stock import BRIDGE, FERRY, holdings
from tests.support.program import Stet
from tests.support.replies import KINDS

DOCS = Path(json_contract.__file__).parents[1] / "docs"


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


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_that_is_printed_is_declared(kind: str) -> None:
    printed = json.loads(json_contract.line(json_contract.reply(KINDS[kind])))
    schema = json_contract.reply_schema(json_contract.DEFINITIONS)
    strict = closed(schema)
    if isinstance(KINDS[kind], Check) or kind == "several checks":  # a match has the keys of an extract, and one more
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


SCHEMA = closed(json.loads((DOCS / "reading.v1.schema.json").read_text(encoding="utf-8")))
READING = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)


def every() -> Iterator[Reading]:
    yield from (holdings().archive.reading(article.id) for article in (FERRY, BRIDGE))
    yield from (*readings(SEEDS), *readings(FIXTURES))


@pytest.mark.rest
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
            said = same["attribution"] or {"speaker": None, "voice": "outlet"}
            assert (sentence["speaker"], sentence["voice"]) == (said["speaker"], said["voice"])


@pytest.mark.rest
def test_a_caveat_says_what_it_covers() -> None:
    seen = 0
    for reading in every():
        shown, usual = json_contract.export(reading), json_contract.reading(reading)
        for kind, listed in (("covers", "caveats"), ("may_cover", "possible_caveats")):
            pairs = [(n, shown["text"][c["start"] : c["end"]]) for c in shown["caveats"] for n in c[kind]]
            expected = [(n, c["words"]) for n, sentence in enumerate(usual["sentences"]) for c in sentence[listed]]
            assert sorted(pairs) == sorted(expected)
            seen += len(pairs)
        whole = [shown["text"][c["start"] : c["end"]] for c in shown["caveats"] if c["whole_article"]]
        assert whole == [notice["words"] for notice in usual["notices"]]
    assert seen > 50


@pytest.mark.rest
def test_what_does_not_fit_is_noticed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    good = json_contract.export(holdings().archive.reading(FERRY.id))
    for wrong in ({"digest": "x"}, {"format": "stet-reading/2"}, {"more": 1}, {"published": "soon"}):
        assert not READING.is_valid(deepcopy(good) | wrong)
    assert READING.is_valid(good)


@pytest.mark.rest
def test_the_command_prints_a_line_for_each(stet: Stet, folder: Path) -> None:
    status, out, _ = stet("export", "--articles", folder)
    assert (status, [json.loads(line)["id"] for line in out.splitlines()]) == (0, ["bridge.txt", "ferry.txt"])
    one = stet("export", "--articles", folder, "--source", "The Sandholm Echo")[1]
    assert [json.loads(line)["id"] for line in one.splitlines()] == ["ferry.txt"]


@pytest.mark.rest
def test_a_new_archive_is_filled_from_what_the_old_one_exports(stet: Stet, tmp_path: Path) -> None:
    """Embargoes hold in the new one, also that of a new version of a public article."""
    until = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    desk = tmp_path / "desk"
    desk.mkdir()
    articles = {
        "dated": "published: 2024-05-09\nurl: https://g.example/quay\nsource: The Gull\nauthor: Ada Venn\nwire: Nord",
        "undated": "id: own-id\ntitle: Nothing new",
        "past": "embargo: 2024-05-09T18:00+02:00",
        "waiting": f"embargo: {until}\nurl: https://g.example/later",
        "revised": "published: 2024-05-10",
    }
    for name, keys in articles.items():
        (desk / f"{name}.md").write_text(
            f"---\n{keys}\n---\nThe {name} quay is closed, Ada Venn said.\n\n(It **was**.)\n"
        )
    assert stet("add", desk)[0] == 0
    keys = f"published: 2024-05-11\nembargo: {until}"
    (desk / "revised.md").write_text(f"---\n{keys}\n---\nThe quay is open again, Ada Venn said.\n")
    assert stet("add", desk)[1].startswith("0 added, 1 changed, 4 unchanged")
    for name, options in (("public", ()), ("embargoed", ("--embargoed",))):
        status, out, _ = stet("export", *options)
        assert (status, name == "public", "open again" in out) in {(0, True, False), (0, False, True)}
        (tmp_path / f"{name}.jsonl").write_text(out, encoding="utf-8")
    old = contents(archive_path(load()))
    stet = partial(stet, STET_ARCHIVE=tmp_path / "new.sqlite")
    assert stet("add", tmp_path / "public.jsonl")[1].startswith("4 added, 0 changed, 0 unchanged")
    assert stet("add", tmp_path / "embargoed.jsonl")[1].startswith("1 added, 1 changed, 0 unchanged")
    assert contents(tmp_path / "new.sqlite") == old
    assert [len(each) for each in old] == [4, 2]
    assert {part.span.of(article.text) for article in old[0] for part in article.layout} == {"was"}
    assert stet("add", desk)[1].startswith("0 added, 0 changed, 5 unchanged")


def contents(path: Path) -> tuple[list[Article], list[Article]]:
    with closing(PersistentArchive(path)) as archive:
        return list(archive.articles()), sorted(archive.waiting(), key=attrgetter("id"))


@pytest.mark.rest
def test_only_the_whole_archive_can_be_asked_for_its_embargoed_articles(stet: Stet, folder: Path) -> None:
    for options, words in (
        (("--source", "The Gull"), "--embargoed takes the whole archive."),
        (("--articles", str(folder)), "--embargoed takes the whole archive."),
        ((), "There is no archive at "),
    ):
        status, out, err = stet("export", "--embargoed", *options)
        assert (status, out, words in err) == (2, "", True)
    assert not archive_path(load()).exists()
