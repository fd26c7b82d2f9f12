"""The program -> the digest of whatever could make it read otherwise: its source, its tables, its libraries."""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

DISTRIBUTION = "stet-newsroom"
SOURCE = Path(__file__).resolve().parent.parent
ENDINGS = frozenset({".gz", ".py", ".toml", ".txt"})
# libraries in C that spaCy reads with, whose versions its own does not fix
_BEHIND = ("thinc",)
_NAME = re.compile(r"[\w.-]+")


@cache
def program_version(source: Path = SOURCE) -> str:
    """Return the digest of the files below ``source`` and of the versions of the libraries that reading depends on.

    A changed rule, table or library changes it; so what was read by another program is never taken for this one's.
    """
    digest = hashlib.sha256()
    for file in sorted(file for file in source.rglob("*") if file.suffix in ENDINGS):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(source).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    for line in _foundations():
        digest.update(line.encode())
    return digest.hexdigest()


def _foundations() -> Iterator[str]:
    """Yield the versions of Python, of Unicode's tables and of every library that the program asks for."""
    yield f"python {sys.version_info[:2]} unicode {unicodedata.unidata_version}\n"
    for name in sorted({*_asked(), *_BEHIND}):
        yield f"{name} {installed(name)}\n"


def _asked() -> Iterator[str]:
    """Yield the names of the libraries that the program asks for; of all there are, where it is not installed."""
    try:
        lines = requires(DISTRIBUTION) or ()
    except PackageNotFoundError:  # run from its folder
        yield from (each.name for each in distributions())
        return
    yield from (match[0] for line in lines if "extra ==" not in line and (match := _NAME.match(line)))


def installed(name: str) -> str:
    """Return the version of a distribution; empty where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
