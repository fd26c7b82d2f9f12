"""What the tests of archives share."""

from __future__ import annotations

import pytest

from tests.retrieval.archive.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()
