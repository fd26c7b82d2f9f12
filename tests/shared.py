"""The shared development data: where it lies, for the tests that read it."""

import os
from pathlib import Path

import pytest

VARIABLE = "STET_TEST_SHARED"


def shared(*parts: str) -> Path:
    """Return a file of the shared data; skip where no data is shared, fail where it lacks the file."""
    folder = os.environ.get(VARIABLE)
    if folder is None:
        pytest.skip(f"{VARIABLE} is not set: it names the folder of the shared development data")
    path = Path(folder, *parts)
    assert path.exists(), f"{path} is missing"
    return path
