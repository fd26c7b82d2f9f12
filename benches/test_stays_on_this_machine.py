"""Asking, reading and serving look no name up and connect to no other machine: traced where there is no network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.soak

PROJECT = Path(__file__).parents[2]
STET = (sys.executable, "-m", "adapters")
QUESTION = "how many people were buried in mass graves in Bucha?"
# `unshare -n`: a network namespace of its own, in which only the loopback interface is there, to be switched on
ALONE = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
# `-I 2`: it can be ended while it writes to a file
STRACE = ("strace", "-f", "-qq", "-I", "2", "--seccomp-bpf", "-e", "trace=connect,sendto,sendmsg,sendmmsg")
ASK = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"
_LOOK_UP = re.compile(r"sin6?_port=htons\(53\)|io\.systemd\.Resolve")
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')


@pytest.fixture(scope="module")
def _tools() -> None:
    missing = [tool for tool in ("strace", "unshare", "nsenter", "ip") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    for tried in ((*ALONE, "true"), (*STRACE, "true")):
        done = subprocess.run(tried, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"{tried[0]} is not allowed here: {done.stderr.strip()}")


class Trace:
    """Runs programs without a network, and tells what they tried to reach."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self._lines = folder / "calls.txt"
        # what a user may have set does not count
        given = {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home), "ORT_DISABLE_TELEMETRY": "0"}
        self._environment = {**os.environ, **given, "PYTHONPATH": str(PROJECT), "STET_PAGE_PORT": "0"}

    def start(self, *command: str) -> subprocess.Popen[str]:
        self.home.mkdir(exist_ok=True)
        traced = (*ALONE, *STRACE, "-o", str(self._lines), *command)
        return subprocess.Popen(traced, stdout=subprocess.PIPE, text=True, env=self._environment)

    def outside(self) -> list[str]:
        return [line for line in self._lines.read_text(encoding="utf-8").splitlines() if _is_outside(line)]

    def left_behind(self) -> list[Path]:
        return [path for path in self.home.rglob("*") if "Microsoft" in path.parts]


@pytest.fixture
def trace(_tools: None, tmp_path: Path) -> Trace:
    return Trace(tmp_path)


def _is_outside(line: str) -> bool:
    addresses = [first or second for first, second in _ADDRESS.findall(line)]
    away = [each for each in addresses if not each.startswith("127.") and each not in ("::1", "::ffff:127.0.0.1")]
    return bool(away) or _LOOK_UP.search(line) is not None


def test_a_look_up_and_a_connection_are_seen(trace: Trace) -> None:
    tried = "import socket, sys\ntry: socket.create_connection((sys.argv[1], 443))\nexcept OSError: pass"
    for place in ("stet.example", "192.0.2.1"):
        trace.start(sys.executable, "-c", tried, place).communicate(timeout=60)
        assert trace.outside()


@pytest.mark.parametrize(
    "command", [("ask", QUESTION), ("read", "--json", str(PROJECT / "seeds"))], ids=lambda it: it[0]
)
def test_a_command_reaches_no_other_machine(trace: Trace, command: tuple[str, ...]) -> None:
    with trace.start(*STET, *command) as running:
        said, _ = running.communicate(timeout=300)
    assert running.returncode == 0
    assert "Bucha" in said
    assert trace.outside() == []
    assert trace.left_behind() == []


def test_the_page_reaches_no_other_machine(trace: Trace) -> None:
    running = trace.start(*STET, "page")
    try:
        assert running.stdout
        address = re.search(r"http://[\d.:]+\d", running.stdout.readline())
        assert address
        asked = f"{address[0]}/?q={quote(QUESTION)}"
        into = ("nsenter", f"--net=/proc/{running.pid}/ns/net", sys.executable, "-c", ASK, asked)
        page = subprocess.run(into, capture_output=True, text=True, check=True, timeout=300).stdout
    finally:
        running.terminate()
        running.communicate(timeout=60)
    assert "every one of them had been shot" in page
    assert trace.outside() == []
    assert trace.left_behind() == []
