"""Each how-to is followed: its files are written, its commands run one after the other, its output compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PAGES = tuple(sorted((PROJECT / "docs" / "how-to").glob("*.md")))
BLOCK = re.compile(
    r'^```(?:text title="(?P<file>[^"]+)"|(?P<console>console))\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_how_to_leads_where_it_says(page: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "stet"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m adapters "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    given = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "PYTHONPATH": str(PROJECT)}
    followed = 0
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["file"]:
            (tmp_path / block["file"]).parent.mkdir(exist_ok=True)
            (tmp_path / block["file"]).write_text(block["body"], encoding="utf-8")
            continue
        for command, expected in COMMAND.findall(block["body"]):
            done = subprocess.run(
                ["/bin/sh", "-ec", command], capture_output=True, text=True, env=given, cwd=tmp_path, check=False
            )
            printed = " ".join((done.stdout + done.stderr).split())
            wanted = ".*".join(map(re.escape, expected.strip().split("…")))
            assert done.returncode == 0, printed
            assert re.fullmatch(wanted, printed), f"$ {command}\n{printed}"
            followed += 1
    assert followed > 1
