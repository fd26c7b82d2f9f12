"""A bench has nobody's settings and data, as a test has not."""

import pytest

from tests.conftest import _nobodys_machine
from tests.postgres import server

__all__ = ["_nobodys_machine", "server"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.bench)
