"""The program -> the digest of whatever could make it read otherwise: its source, its tables, its libraries."""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
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
    try:
        asked = [line for line in requires(DISTRIBUTION) or () if "extra ==" not in line]
    except PackageNotFoundError:  # run from its folder: all there are
        asked = [distribution.name for distribution in distributions()]
    digest.update(f"python {sys.version_info[:2]} unicode {unicodedata.unidata_version}\n".encode())
    for name in sorted({*_BEHIND, *(match[0] for match in map(_NAME.match, asked) if match)}):
        digest.update(f"{name} {installed(name)}\n".encode())
    return digest.hexdigest()


def installed(name: str) -> str:
    """Return the version of a distribution; empty where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
