"""Coordinates of an artifact in Maven's central repository -> its file, fetched once and kept."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
FETCHING = 300  # seconds


class NoServerError(Exception):
    """There is no server to be had here; the message says what is missing."""


def fetched(artifact: str, kind: str = "zip") -> Path:
    """Return the file ``GROUP:NAME:VERSION`` of a kind; ``NoServerError`` where it cannot be had."""
    _, name, version = artifact.split(":")
    folder = user_cache_path("stet") / "opensearch"
    kept = folder / f"{name}-{version}.{kind}"
    if kept.exists():
        return kept
    maven = shutil.which("mvn")
    if not maven:
        raise NoServerError(f"there is no Maven here to fetch {name} with")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        fetching = [maven, "-q", "-B", COPY, f"-Dartifact={artifact}:{kind}", f"-DoutputDirectory={fresh}"]
        try:
            subprocess.run(fetching, check=True, timeout=FETCHING, capture_output=True)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise NoServerError(f"Maven cannot fetch {name}") from error
        # whole or not at all, whoever else fetches it meanwhile
        (Path(fresh) / kept.name).replace(kept)
    return kept
