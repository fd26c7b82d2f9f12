"""One passage with several caveats, from a set in which each is alone."""

import json
import random
from itertools import groupby
from pathlib import Path

from training.caveat_sets import KINDS, together

PASSAGES = ("Ada Roe said the quay was shut.", "Bo Lindt said it was open.", "The tide came at noon.")
CAVEATS = {
    "Roe's claim could not be verified.": [0],
    "Lindt's could not.": [1],
    "Neither claim could be checked.": [0, 1],
}
LEARNED = Path(__file__).parents[2] / "training" / "caveat_scopes.jsonl"


def made(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return list(together(rows, random.Random(1)))  # noqa: S311


def row(number: int, caveat: str, covers: list[int], kind: str = "own") -> dict[str, object]:
    sentences = [*PASSAGES[:2], caveat, PASSAGES[2]]
    ends = [1, len(PASSAGES)]
    fixed = {"id": f"Q-{number}", "sentences": sentences, "paragraph_ends": ends, "at": 2, "border": []}
    return {**fixed, "kind": kind, "covers": covers}


def test_each_caveat_covers_what_it_covered_alone() -> None:
    rows = made([row(n, caveat, covers) for n, (caveat, covers) in enumerate(CAVEATS.items())])
    assert len(rows) > len(CAVEATS)
    for each in rows:
        sentences, at = each["sentences"], each["at"]
        assert [sentences[i] for i in each["covers"]] == [PASSAGES[i] for i in CAVEATS[sentences[at]]]
        assert [sentence for sentence in sentences if sentence not in CAVEATS] == list(PASSAGES)
        assert len([sentence for sentence in sentences if sentence in CAVEATS]) in (2, 3)
        assert each["paragraph_ends"][-1] == len(sentences) - 1


def test_what_is_no_caveat_and_a_set_with_one_cover_are_left() -> None:
    (caveat, covers), *_ = CAVEATS.items()
    assert made([row(0, caveat, covers), row(1, "Police could not verify it.", [], "none")]) == []
    assert made([row(0, caveat, covers), row(1, "That claim could not be verified.", covers)]) == []


def test_in_what_is_learned_from_caveats_of_a_passage_differ() -> None:
    rows = made([json.loads(line) for line in LEARNED.read_text(encoding="utf-8").splitlines()])
    assert len(rows) > 1000
    assert {each["kind"] for each in rows} <= KINDS
    for _, same in groupby(rows, key=lambda each: each["sentences"]):
        passage = list(same)
        assert len({each["at"] for each in passage}) == len(passage) > 1
        assert len({tuple(each["covers"]) for each in passage}) > 1
