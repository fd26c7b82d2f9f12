"""A PostgreSQL server of the tests' own, from Debian's binaries: a new cluster, reached by a socket in its folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

# What is committed outlasts the server, and need not outlast the machine.
QUICKLY = "-c fsync=off -c full_page_writes=off -c shared_buffers=16MB -c max_connections=40"
OWNER = "nobody" if os.geteuid() == 0 else None  # the server refuses the superuser


@dataclass(slots=True)
class Cluster:
    """A cluster in ``folder``, with the server's programs in ``programs``."""

    folder: Path
    programs: Path
    numbers: Iterator[int] = field(default_factory=count)

    def run(self, program: str, *arguments: str) -> None:
        """Run one of the server's programs."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            user=OWNER,
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


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    """Start a server with nothing in it; skip the test where there is none, or not its library."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
    newest = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    found = shutil.which("initdb", path=os.pathsep.join((*newest, os.environ["PATH"])))
    if not found:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    # not pytest's folder: a socket's path has a hundred characters at most, and another user has to get there
    with tempfile.TemporaryDirectory(prefix="stet-pg-") as name:
        if OWNER:
            shutil.chown(name, OWNER)
        made = Cluster(Path(name), Path(found).parent)
        made.run("initdb", "-D", f"{name}/data", "-U", "stet", "-A", "trust", "-E", "UTF8", "--no-sync")
        made.start()
        yield made
        made.stop("immediate")
