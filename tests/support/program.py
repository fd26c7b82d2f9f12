"""The program as a test runs it: in this process, as a process of its own, and several that share a database."""

import asyncio
import os
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from adapters.terminal import cli

STET = (sys.executable, "-c", "from adapters.terminal.cli import main; main()")
PROJECT = Path(cli.__file__).parents[2]
PATIENCE_SECONDS = 60.0

Stet = Callable[..., tuple[int, str, str]]  # arguments, and variables by name -> exit status, output, errors


def run(capsys: pytest.CaptureFixture[str], *words: str | Path, **given: str | Path) -> tuple[int, str, str]:
    """Run the program in this process, with these in its environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["stet", *map(str, words)])
        for name, value in given.items():
            patch.setenv(name, str(value))
        with pytest.raises(SystemExit) as ended:
            cli.main()
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def printed(stet: Stet, *words: str | Path, **given: str | Path) -> str:
    """Return what a command prints that succeeds."""
    status, out, _ = stet(*words, **given)
    assert status == 0
    return out


def refused(stet: Stet, *words: str | Path, **given: str | Path) -> str:
    """Return the errors of a command that is refused, and prints nothing."""
    status, out, err = stet(*words, **given)
    assert (status, out) == (2, "")
    return err


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


STARTING_SECONDS = 120  # on a busy machine


async def launch(folder: Path, environment: Mapping[str, str], *command: str) -> tuple[Process, str]:
    """Start the program; return it with its first line. It logs to ``bot.log`` in the folder."""
    given = {**os.environ, **environment}
    with (folder / "bot.log").open("ab") as log:
        whole = (sys.executable, "-m", "adapters", *command)
        bot = await asyncio.create_subprocess_exec(*whole, env=given, stdout=PIPE, stderr=log)
    line = await asyncio.wait_for(bot.stdout.readline(), STARTING_SECONDS)
    return bot, line.decode()


async def kill(bot: Process) -> None:
    if bot.returncode is None:
        bot.kill()
    await bot.wait()


async def end(bot: Process) -> int:
    """Ask it to end; return its exit status."""
    if bot.returncode is None:
        bot.terminate()
    return await asyncio.wait_for(bot.wait(), 30)


class Replicas:
    """Bots that share a database, each in a folder of its own; ``connected`` waits until so many are."""

    def __init__(
        self, folder: Path, start: Callable[[Path], Awaitable[Process]], connected: Callable[[int], Awaitable[object]]
    ) -> None:
        self._folder, self._start, self._connected = folder, start, connected
        self._bots: list[Process] = []
        self._started = 0

    async def start(self) -> None:
        folder = self._folder / f"replica{self._started}"
        self._started += 1
        self._bots.append(await self._start(folder))
        await self._connected(len(self._bots))

    async def kill(self) -> None:
        await kill(self._bots.pop(0))
        await self._connected(len(self._bots))

    async def end(self) -> None:
        assert [await end(bot) for bot in self._bots] == [0] * len(self._bots)

    async def clear(self) -> None:
        for bot in self._bots:
            await kill(bot)

    def log(self) -> list[str]:
        return [line for log in self._folder.glob("replica*/bot.log") for line in log.read_text("utf-8").splitlines()]
