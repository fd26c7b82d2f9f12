from __future__ import annotations

from pathlib import Path

import pytest

from tests.compare import Figures, Item, Row, by_item, main, reading_changes, report, sign_test

ITEMS = [Item(f"q{number}", f"q{number}", {}, f"Who spoke at gate {number}?") for number in range(4)]


def sentence(start: int, speaker: str | None = None, **changed: object) -> Row:
    said = {"speaker": speaker, "voice": "named"} if speaker else None
    plain: Row = {"boilerplate": False, "denial": None, "caveats": [], "possible_caveats": [], "mentions": []}
    return {"start": start, "end": start + 9, "text": "The mill is shut.", "attribution": said, **plain, **changed}


def rightness(_: Item, got: Row) -> Figures:
    return {"right": (got["right"], 1), "noise": (got["noise"], 1)} if got else {}


@pytest.mark.parametrize(
    ("won", "lost", "chance"),
    [(0, 0, 1), (1, 0, 1), (1, 1, 1), (5, 0, 0.0625), (0, 6, 0.03125), (8, 2, 0.109375), (10, 10, 1)],
)
def test_the_sign_test_is_exact_and_looks_both_ways(won: int, lost: int, chance: float) -> None:
    assert sign_test(won, lost) == sign_test(lost, won) == chance


def test_output_is_sorted_by_item_whatever_printed_it() -> None:
    printed = '{"id": "q1", "kind": "answer"}\n{"article_id": "mill"}\n{"start": 18}\n{"kind": "summary"}\n'
    assert list(by_item(printed)) == ["q1", "mill", "18", ""]


def test_items_won_and_lost_are_told_with_the_totals() -> None:
    old = {f"q{number}": {"right": right, "noise": 0} for number, right in enumerate((1, 0, 0))}
    new = {f"q{n}": {"right": right, "noise": noise} for n, (right, noise) in enumerate(((0, 0), (1, 1), (1, 0)))}
    assert report("gates", ITEMS, (old, new), "+right -noise", rightness).splitlines() == [
        "gates: 4 items, 3 differ",
        "    right: 1/3 -> 2/3, won 2, lost 1, p 1.000",
        "        lost q0: Who spoke at gate 0?",
        "        won q1: Who spoke at gate 1?",
        "        won q2: Who spoke at gate 2?",
        "    noise: 0/3 -> 1/3, won 0, lost 1, p 1.000",
        "        lost q1: Who spoke at gate 1?",
    ]
    assert report("gates", ITEMS, (old, old), "+right -noise", rightness) == "gates: 4 items, 0 differ"


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (sentence(0, "Ada Brook"), sentence(0, "Ada Brook"), []),
        (sentence(0, "Ada Brook"), sentence(0, "Carl Dane"), ["speaker"]),
        (sentence(0, "Ada Brook"), sentence(0), ["speaker"]),
        (sentence(0, "Ada Brook"), sentence(0, "Mayor Ada Brook"), ["label"]),
        (sentence(0), sentence(0, attribution={"speaker": None, "voice": "unnamed"}), ["voice"]),
        (sentence(0), sentence(0, caveats=[{"text": "Unproven."}]), ["caveat added"]),
        (sentence(0, caveats=[{"text": "Unproven."}]), sentence(0), ["caveat removed"]),
        (sentence(0), sentence(0, possible_caveats=[{"text": "Unproven."}]), ["possible caveat"]),
        (sentence(0), sentence(0, denial={"speaker": None, "of": None}), ["denial"]),
        (sentence(0), sentence(0, boilerplate=True), ["boilerplate"]),
        (sentence(0), sentence(1), ["sentence bounds", "sentence bounds"]),
        (sentence(0), sentence(0, mentions=[{"text": "Ada", "name": "Ada Brook", "kind": "PERSON"}]), ["mention"]),
    ],
)
def test_each_kind_of_change_of_a_reading_has_its_name(old: Row, new: Row, kinds: list[str]) -> None:
    assert [kind for kind, _ in reading_changes({"sentences": [old]}, {"sentences": [new]})] == kinds


def test_without_data_or_commit_nothing_is_compared(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["HEAD", str(tmp_path)]) == 0
    assert capfd.readouterr().out == f"compare: {tmp_path} holds no development data; nothing is compared\n"
    (tmp_path / "data").mkdir()
    assert main(["no-such-commit", str(tmp_path)]) == 0
    assert "compare: no-such-commit can't be checked out; nothing is compared." in capfd.readouterr().out
    assert main([]) == 2
