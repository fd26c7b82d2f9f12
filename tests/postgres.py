"""A PostgreSQL server of the tests' own, from Debian's binaries: a new cluster, reached by a socket in its folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

# What is committed outlasts the server, and need not outlast the machine.
QUICKLY = "-c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=40"


@dataclass(slots=True)
class Cluster:
    """A cluster in ``folder``, with the server's programs in ``programs``."""

    folder: Path
    programs: Path
    numbers: Iterator[int]

    def run(self, program: str, *arguments: str) -> None:
        """Run one of the server's programs, as a user that it accepts: it refuses the superuser."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            user=_owner(),
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, done.stdout.decode()

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' {QUICKLY}"
        self.control("start", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        """Stop it; "immediate" is as if it had been killed."""
        self.control("stop", "-m", how)

    def control(self, *arguments: str) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", *arguments)

    def database(self) -> str:
        """Make an empty database; return its address."""
        name = f"stet{next(self.numbers)}"
        self.run("createdb", "-h", str(self.folder), "-U", "stet", name)
        return f"postgresql://stet@/{name}?host={quote(str(self.folder), safe='')}"


def _owner() -> str | None:
    return "nobody" if os.geteuid() == 0 else None


def _programs() -> Path:
    """Return where the server's programs are; skip the test where they are not."""
    places: Sequence[Path] = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    for place in (*places, *([Path(found).parent] if found else ())):
        if (place / "initdb").exists():
            return place
    pytest.skip("PostgreSQL is not installed (Debian: postgresql)")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Give a server with nothing in it; skip the test where there is none, or not its library."""
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed (the extra postgres)")
    programs = _programs()
    # not pytest's folder: a socket's path has a hundred characters at most, and another user has to get there
    with tempfile.TemporaryDirectory(prefix="stet-pg-") as name:
        folder = Path(name)
        if (owner := _owner()) is not None:
            os.chown(folder, pwd.getpwnam(owner).pw_uid, -1)
        made = Cluster(folder, programs, count(1))
        made.run("initdb", "-D", str(folder / "data"), "-U", "stet", "-A", "trust", "-E", "UTF8", "--no-sync")
        made.start()
        try:
            yield made
        finally:
            made.stop("immediate")
