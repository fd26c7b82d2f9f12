"""The tools beside the tests: ceilings in lines, what two commits differ in, and recordings of whole programs."""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval import read_one
from tests import ceilings, compare, recorded, shelf
from tests.compare import Figures, Item, Row, by_item, reading_changes, report, sign_test
from tests.stock import FERRY

ROOM = '"bot" = { ceiling = %d, target = 3, files = ["bot/*.py"] }\n'
WITHIN = "bot: 10 lines, ceiling {}. Lower it: python -m tests.ceilings --lower\n"


def project(folder: Path, table: str, **files: int) -> Path:
    (folder / "ceilings.toml").write_text(table, encoding="utf-8")
    for name, lines in {"bot__model": 4, "bot__service": 6, **files}.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("pass\n" * lines, encoding="utf-8")
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run(["git", *command], cwd=folder, check=True)  # noqa: S607
    return folder


@pytest.mark.parametrize(
    ("table", "files", "fault"),
    [
        (ROOM % 10, {}, ""),
        (ROOM % 9, {}, "bot: 10 lines, ceiling 9. Shorten it, or raise the ceiling with the reason in the commit.\n"),
        (ROOM % 10, {"bot__ask__rank": 1}, "bot/ask/rank.py: in 0 rooms of ceilings.toml. Put it in exactly one.\n"),
        (
            ROOM % 10 + '"retrieval" = { ceiling = 4, files = ["retrieval/**/*.py", "bot/model.py"] }\n',
            {},
            "bot/model.py: in 2 rooms of ceilings.toml. Put it in exactly one.\n",
        ),
    ],
)
def test_a_room_over_its_ceiling_or_a_file_without_one_room_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], table: str, files: dict[str, int], fault: str
) -> None:
    assert ceilings.main([], project(tmp_path, table, **files)) == bool(fault)
    assert capfd.readouterr().out == fault


@pytest.mark.parametrize(("ceiling", "target", "lowered"), [(11, 3, 10), (30, 20, 20), (20, 20, 20)])
def test_a_high_ceiling_is_pointed_out_and_lowered_as_far_as_its_target(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ceiling: int, target: int, lowered: int
) -> None:
    folder = project(tmp_path, (ROOM % ceiling).replace("target = 3", f"target = {target}"))
    assert ceilings.main([], folder) == 0
    assert capfd.readouterr().out == (WITHIN.format(ceiling) if lowered < ceiling else "")
    assert ceilings.main(["--lower"], folder) == 0
    assert f"ceiling = {lowered}, target = {target}, files" in (folder / "ceilings.toml").read_text(encoding="utf-8")


def test_no_ceiling_is_raised(tmp_path: Path) -> None:
    folder = project(tmp_path, ROOM % 9)
    assert ceilings.main(["--lower"], folder) == 0
    assert (folder / "ceilings.toml").read_text(encoding="utf-8") == ROOM % 9


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
    assert compare.main(["HEAD", str(tmp_path)]) == 0
    assert capfd.readouterr().out == f"compare: {tmp_path} holds no development data; nothing is compared\n"
    (tmp_path / "data").mkdir()
    assert compare.main(["no-such-commit", str(tmp_path)]) == 0
    assert "compare: no-such-commit can't be checked out; nothing is compared." in capfd.readouterr().out
    assert compare.main([]) == 2


WORDS = "Nothing in the archive answers this"


def test_what_differs_is_named_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    before = {"slack: ferry": [["chat.postMessage", {"text": "Nobody"}]], "slack: bridge": []}
    assert recorded.compare(before, before) == 0
    assert recorded.compare(before, {"slack: ferry": [["chat.postMessage", {"text": "Somebody"}], []]}) == 1
    printed = capsys.readouterr().out
    assert 'slack: ferry > 0 > 1 > text\n  - "Nobody"\n  + "Somebody"' in printed
    assert "2 of 2 differ" in printed


@pytest.mark.soak
def test_a_program_that_says_something_else_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        monkeypatch.setenv(name, os.environ[name])  # so that what a recording sets is undone
    for package in ("adapters", "bot", "retrieval"):
        shutil.copytree(recorded.PROJECT / package, tmp_path / "other" / package, copy_function=os.link)
    words = tmp_path / "other/bot/messages.py"
    changed = words.read_text(encoding="utf-8").replace(WORDS, "No article answers this")
    words.unlink()
    words.write_text(changed, encoding="utf-8")
    files = [str(tmp_path / f"{name}.json") for name in ("this", "other")]
    for file, program in zip(files, (recorded.PROJECT, tmp_path / "other"), strict=True):
        assert recorded.main(["record", file, "--program", str(program), "--scene", "assistant"]) == 0
    assert recorded.main(["compare", *files]) == 1
    printed = capsys.readouterr().out
    assert 'mcp: ask none-recipe > content > 0 > text\n  - "Nothing in the archive' in printed
    assert printed.count("\n  - ") == printed.count(WORDS) == printed.count("No article answers this")


def test_a_reading_is_kept_for_the_same_article_and_the_same_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew = list[str]()
    monkeypatch.setattr(shelf, "read_one", lambda article: anew.append(str(article.title)) or read_one(article))
    for name, value in (("NIGHTLY", False), ("KEPT", tmp_path), ("_kept", shelf._kept.__wrapped__)):
        monkeypatch.setattr(shelf, name, value)
    other = replace(FERRY, title="Aground")
    assert [shelf.read.__wrapped__(each) for each in (FERRY, FERRY, other)] == [*map(read_one, (FERRY, FERRY, other))]
    monkeypatch.setattr(shelf, "program_version", lambda: "another")
    shelf.read.__wrapped__(FERRY)
    assert anew == [FERRY.title, "Aground", FERRY.title]
    assert len([*tmp_path.iterdir()]) == 1
