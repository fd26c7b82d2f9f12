"""The program as a test runs it: in this process, or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.terminal import cli

STET = (sys.executable, "-c", "from adapters.terminal.cli import main; main()")
PROJECT = Path(cli.__file__).parents[2]
PATIENCE_SECONDS = 60.0

Stet = Callable[..., tuple[int, str, str]]  # arguments -> exit status, output, errors


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    argv, sys.argv = sys.argv, ["stet", *map(str, words)]
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        sys.argv = argv
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def process(*words: str | Path, **given: str) -> subprocess.CompletedProcess[str]:
    command = [*STET, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment_of(**given), check=False, timeout=60)


def environment_of(**given: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT), **given}


def wait_until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
