"""The page, as a client asks it, and a browser to open it in."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator

import pytest
from httpx import AsyncClient
from playwright.sync_api import Browser, sync_playwright

from tests.adapters.page import serving
from tests.adapters.page.chromium import FLAGS
from tests.stock import service


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    async with serving.browser(service()) as opened:
        yield opened


@pytest.fixture
async def guarded() -> AsyncIterator[AsyncClient]:
    """Give a client of a page that opens by a pass alone."""
    async with serving.browser(service(), serving.PASSES) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=FLAGS) as launched:
        yield launched
