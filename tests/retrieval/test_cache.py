"""The version of the program changes with whatever could make it read otherwise, and with nothing else.

A reading comes back from its code as it was, and what is no code of it is refused.
"""

import json
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from retrieval import cache, model
from retrieval.cache import CHECKSUM, MODEL_END, decode, encode, is_whole, program_version
from tests.shelf import SEEDS, readings
from tests.support.articles import written

FILES = {"rules/one.py": "ONE = 1\n", "two.py": "TWO = 2\n", "words.toml": "a = 1\n", "names.txt.gz": "a"}
FILES |= {"read.onnx": "\0" * MODEL_END * 2}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        written(tmp_path / name, text)
    return tmp_path


def version(source: Path) -> str:
    program_version.cache_clear()
    return program_version(source)


@pytest.mark.parametrize(
    ("changed", "is_another"),
    [
        *(({name: "ONE = 3\n"}, True) for name in FILES if name != "read.onnx"),
        ({"rules/one.py": "", "two.py": "ONE = 1\nTWO = 2\n"}, True),  # words that move from one file to the next
        ({"read.onnx": "\0" * (MODEL_END * 2 - 9) + "weights.."}, True),  # a model that learned anew
        ({"__pycache__/two.cpython-311.pyc": "\0"}, False),
    ],
)
def test_a_changed_rule_table_or_model_is_another_program(
    source: Path, changed: dict[str, str], *, is_another: bool
) -> None:
    before = version(source)
    assert version(source) == before
    for name, text in changed.items():
        written(source / name, text)
    assert (version(source) != before) is is_another


def test_another_version_of_a_library_is_another_program(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SpaCy's tokens decide where names and sentences are."""
    before = version(source)
    monkeypatch.setattr(cache, "_BEHIND", (*cache._BEHIND, "no such distribution, surely"))
    assert version(source) == before
    monkeypatch.setattr(cache, "version", lambda name, own=cache.version: "0.0.1" if name == "spacy" else own(name))
    assert version(source) != before


def test_a_mended_python_is_the_same_program_and_a_new_one_not(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables change with the second number."""
    before = version(source)
    first, second, *_ = sys.version_info
    monkeypatch.setattr(sys, "version_info", (first, second, 99, "final", 0))
    assert version(source) == before
    monkeypatch.setattr(sys, "version_info", (first, second + 1, 0, "final", 0))
    assert version(source) != before


LENGTH = 90  # of the article's text
TEXT = st.text(st.characters(codec="utf-8"), max_size=8)  # no file can hold half a character
ONE_OR_NONE = st.none() | TEXT
INDEX = st.integers(0, 40)
INDEXES, OTHER_INDEXES = (st.lists(st.integers(*most), max_size=3).map(tuple) for most in ((0, 20), (21, 40)))
ENDS = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH))
SPANS = ENDS.filter(lambda at: at[0] < at[1]).map(lambda at: model.Span(*at))
SPAN_OR_NONE = st.none() | SPANS
JUDGED = st.lists(st.tuples(INDEX, st.floats(0, 1)), max_size=2).map(tuple)
KINDS = st.sampled_from(model.CaveatKind)
CAVEATS = st.builds(model.Caveat, KINDS, INDEX, SPANS, INDEXES, ONE_OR_NONE, TEXT, OTHER_INDEXES, JUDGED)
MANNERS, SPEECHLESS = st.sampled_from(model.Manner), (model.Voice.IMPERSONAL, model.Voice.UNRESOLVED)
VOICES = [voice for voice in model.Voice if voice not in (*SPEECHLESS, model.Voice.OUTLET)]
HOW = (MANNERS, SPAN_OR_NONE, TEXT, st.booleans(), SPAN_OR_NONE)
ATTRIBUTIONS = st.one_of(
    st.builds(model.Attribution, speaker, st.sampled_from(voices), *HOW)
    for speaker, voices in ((st.none(), SPEECHLESS), (ONE_OR_NONE, VOICES))
)
FURNITURE = st.none() | st.sampled_from(model.Boilerplate)
SENTENCES = st.builds(model.Sentence, st.just("a.txt"), INDEX, SPANS, INDEX, FURNITURE, st.none() | INDEX, TEXT)
MENTIONS = st.builds(model.Mention, st.sampled_from(model.Kind), TEXT, SPANS, SPAN_OR_NONE, TEXT)
DENIALS = st.none() | st.builds(model.Denial, ONE_OR_NONE, TEXT)


@st.composite
def every_reading(draw: st.DrawFn) -> model.Reading:
    article = model.Article("a.txt", draw(st.text(st.characters(), min_size=LENGTH, max_size=LENGTH)))
    caveats = draw(st.lists(CAVEATS, max_size=3))
    some = st.lists(st.sampled_from(caveats), max_size=2).map(tuple) if caveats else st.just(())
    mentions, said = st.lists(MENTIONS, max_size=2).map(tuple), st.none() | ATTRIBUTIONS
    passages = st.builds(model.Passage, SENTENCES, mentions, said, some, DENIALS, st.booleans(), some)
    return model.Reading(article, tuple(draw(st.lists(passages, max_size=3))), tuple(caveats))


@given(every_reading())
def test_a_reading_comes_back_as_it_was(reading: model.Reading) -> None:
    assert decode(reading.article, encode(reading)) == reading


def test_whatever_letter_is_changed_it_is_seen() -> None:
    reading = readings(SEEDS)[0]
    code = encode(reading)
    for place in range(0, len(code), 97):
        changed = code[:place] + bytes([code[place] ^ 1]) + code[place + 1 :]
        assert not is_whole(reading.article, changed)
        with pytest.raises(ValueError, match="no reading of"):
            decode(reading.article, changed)
    assert not is_whole(replace(reading.article, text=reading.article.text + "."), code)


def sealed(article: model.Article, content: bytes) -> bytes:
    """Return content with the checksum that belongs to it."""
    code = zlib.compress(content)
    return b"%08x" % zlib.crc32(code, zlib.crc32(article.digest.encode())) + code


def test_a_code_holds_no_sentence_of_the_article() -> None:
    for reading in readings(SEEDS):
        code = zlib.decompress(encode(reading)[CHECKSUM:]).decode()
        longest = max((p.sentence.span.of(reading.article.text) for p in reading.passages), key=len)
        assert json.dumps(longest)[1:-1] not in code


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.__setitem__(1, [99]),
        lambda row: row[0]["sentence"].update(boilerplate="weather"),
        lambda row: row[0]["sentence"].update(span={"start": "four", "end": "five"}),
        lambda row: row[0]["sentence"]["span"].update(end=10**6),
        lambda row: row.pop(),
    ],
    ids=["no such caveat", "no such kind", "words for a place", "a place beyond the text", "a column too few"],
)
def test_what_is_no_code_of_the_article_is_refused(change: Callable[[Any], object]) -> None:
    reading = readings(SEEDS)[0]
    caveats, rows = json.loads(zlib.decompress(encode(reading)[CHECKSUM:]))
    change(rows[0])
    with pytest.raises(ValueError, match="reading of"):
        decode(reading.article, sealed(reading.article, json.dumps([caveats, rows]).encode()))


@pytest.mark.parametrize(
    "code", [b"", b"\xff\xfe", b"7", b"[]", b"[[],[[]]]", b"[[],[7]]", b'{"a":1,"b":2}', b"[" * 100_000]
)
def test_what_is_no_code_at_all_is_refused(code: bytes) -> None:
    article = readings(SEEDS)[0].article
    for whole in (sealed(article, code), sealed(article, code)[:-1], code):
        with pytest.raises(ValueError, match="no reading of"):
            decode(article, whole)
