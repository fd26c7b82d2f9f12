"""What the tests of archives share."""

from __future__ import annotations

import pytest

from tests.retrieval.archive.clock import Clock


@pytest.fixture
def clock() -> Clock:
    """Return a clock that shows the morning."""
    return Clock()
