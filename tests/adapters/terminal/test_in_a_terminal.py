"""``stet`` in a real terminal: a pseudo-terminal of its own, of a width and a kind."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from tests.stock import FERRY
from tests.support.program import PROJECT

pytestmark = pytest.mark.rest

ASKED = ("ask", "was anybody at the wheel")
ADDRESS = "https://echo.example/ferry#:~:text="
TITLE = "Ferry runs aground off Sandholm"
LINK = re.compile(r"\x1b\]8;id=\d+;(.+?)\x1b\\(.*?)\x1b\]8;;\x1b\\")
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]8;.*?\x1b\\")
COLOURED = re.compile(r"\x1b\[(?:\d+;)*[34]\d[;m]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of an article with an address; what the first test reads is cached for the others."""
    place = tmp_path_factory.mktemp("articles")
    head = f"title: {TITLE}\nsource: {FERRY.source}\npublished: 2021-05-09\nurl: {FERRY.url}"
    (place / FERRY.id).write_text(f"---\n{head}\n---\n{FERRY.text}", encoding="utf-8")
    return place


@cache
def typed(folder: Path, *words: str, columns: int = 100, status: int = 0, both: bool = False, **given: str) -> str:
    """Return what ``stet`` writes to a terminal that is so wide, with these in its environment.

    With ``both``, its standard error is the terminal too.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    # nothing of the terminal in which the tests run
    environment = {name: value for name, value in os.environ.items() if name.startswith(("XDG_", "STET_", "PATH"))}
    environment |= {"STET_ARTICLES": str(folder), "XDG_CACHE_HOME": str(folder.with_name("cache"))}
    environment |= {"PYTHONPATH": str(PROJECT), "TERM": "xterm-256color", **given}
    command = [sys.executable, "-m", "adapters", *words]
    errors = theirs if both else subprocess.PIPE
    with subprocess.Popen(command, stdout=theirs, stderr=errors, env=environment) as running:
        os.close(theirs)
        written = b""
        # a pseudo-terminal whose other end has gone says so by an error
        with os.fdopen(ours, "rb", buffering=0) as terminal, suppress(OSError):
            while read := terminal.read(1 << 16):
                written += read
    assert running.returncode == status, written
    return written.decode().replace("\r\n", "\n")


def shown(written: str) -> list[str]:
    return [line.rstrip() for line in CODES.sub("", written).split("\n")]


def test_a_title_leads_to_the_words_in_their_article(folder: Path) -> None:
    written = typed(folder, *ASKED)
    to, words = LINK.findall(written)[0]
    assert to.startswith(f"{ADDRESS}%E2%80%9CNobody%20was%20at%20the%20wheel")
    assert CODES.sub("", words) == TITLE
    assert ADDRESS not in "".join(shown(written))
    assert shown(written)[0] == "  [1] “Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher."


@pytest.mark.parametrize("given", [{"TERM": "dumb"}, {"FORCE_HYPERLINK": "0"}], ids=str)
def test_without_hyperlinks_the_address_is_shown(folder: Path, given: dict[str, str]) -> None:
    written = typed(folder, *ASKED, columns=200, **given)
    assert "\x1b]8" not in written
    assert any(line.startswith(f"    {ADDRESS}") for line in shown(written))


def test_no_colour_means_none(folder: Path) -> None:
    assert COLOURED.search(typed(folder, *ASKED))
    written = typed(folder, *ASKED, NO_COLOR="1")
    assert not COLOURED.search(written)
    assert LINK.search(written)


def test_a_card_has_its_headings_in_the_margin(folder: Path) -> None:
    wide, narrow = (typed(folder, "who", "Marta Lindqvist", columns=columns) for columns in (90, 60))
    lines = shown(wide)
    assert lines[0] == "Marta Lindqvist"
    assert any(re.match(r"Said +\[1\] “Nobody was", line) for line in lines)
    assert any(re.match(rf"Articles +The Sandholm Echo · {TITLE} · 9 May 2021", line) for line in lines)
    assert "https://echo.example/ferry" in [to for to, _ in LINK.findall(wide)]
    assert {"Said", "Articles"} <= set(shown(narrow))
    assert max(map(len, lines)) <= 90


def test_faults_in_the_check_stand_out_and_can_be_copied(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "state.sqlite"
    secret.write_text("", encoding="utf-8")
    printed = typed(folder, "check", columns=40, status=1, STET_STATE=str(secret), STET_PAGE_SECRET="short")
    assert printed.startswith("\x1b[1;31m[!] ")
    assert any(line.endswith(f"chmod 600 {secret}") for line in shown(printed))
    assert "STET_STATE =" not in printed
    assert f"  STET_STATE = {secret}" in shown(typed(folder, "check", "--all", status=1, STET_STATE=str(secret)))


def test_an_error_is_red_on_a_terminal_and_in_two_lines(folder: Path) -> None:
    written = typed(folder, "flsh", both=True, status=2)
    assert shown(written) == ["stet: No such command 'flsh'.", "See `stet --help`.", ""]
    assert written.startswith("\x1b[31m\x1b[1mstet:\x1b[0m No such")
    assert "\x1b" not in typed(folder, "flsh", both=True, status=2, NO_COLOR="1")


def test_what_takes_long_is_shown_while_it_does(folder: Path) -> None:
    written = typed(folder, *ASKED, both=True)
    before, _, after = written.partition("Nobody was at the wheel")
    assert "Searching …" in before
    assert before.rstrip().rpartition("Searching …")[2].count("\x1b[2K") > 0
    assert "Searching" not in after
