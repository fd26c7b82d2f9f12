"""The page, as a client asks it, and a browser to open it in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from httpx import AsyncClient
from playwright.sync_api import Browser

from tests.adapters.page import serving
from tests.adapters.page.chromium import chromium
from tests.stock import service


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    async with serving.browser(service()) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found
