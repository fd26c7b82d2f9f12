from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.ceilings import main

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
    assert main([], project(tmp_path, table, **files)) == bool(fault)
    assert capfd.readouterr().out == fault


@pytest.mark.parametrize(("ceiling", "target", "lowered"), [(11, 3, 10), (30, 20, 20), (20, 20, 20)])
def test_a_high_ceiling_is_pointed_out_and_lowered_as_far_as_its_target(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ceiling: int, target: int, lowered: int
) -> None:
    folder = project(tmp_path, (ROOM % ceiling).replace("target = 3", f"target = {target}"))
    assert main([], folder) == 0
    assert capfd.readouterr().out == (WITHIN.format(ceiling) if lowered < ceiling else "")
    assert main(["--lower"], folder) == 0
    assert f"ceiling = {lowered}, target = {target}, files" in (folder / "ceilings.toml").read_text(encoding="utf-8")


def test_no_ceiling_is_raised(tmp_path: Path) -> None:
    folder = project(tmp_path, ROOM % 9)
    assert main(["--lower"], folder) == 0
    assert (folder / "ceilings.toml").read_text(encoding="utf-8") == ROOM % 9
