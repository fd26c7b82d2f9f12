"""The page, as a client asks it; the Chromium of this machine to open it in, headless, with no network of its own."""

import shutil
from collections.abc import AsyncIterator, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from httpx import AsyncClient
from playwright.sync_api import Browser, Page, sync_playwright

from tests.adapters.page import serving
from tests.stock import service
from tests.support.nightly import examples

SIZES = {"wide": (1280, 900), "phone": (360, 740), "zoomed to 400 %": (320, 256)}
# Every width and every scheme; what a scheme changes is no matter of width.
LOOKS = (("wide", "light"), ("phone", "dark"), ("zoomed to 400 %", "light"), ("wide", "dark"))[: examples(3, 4)]
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
FLAGS += ["--disable-component-update", "--disable-sync"]
DRIFTS = Path(__file__).with_name("drifts.js").read_text(encoding="utf-8")


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


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        source = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        page.evaluate(source)  # as the developer's tools do: the page's own policy stands
    against = "r.violations.map(v => v.id + ': ' + v.nodes[0].html)"
    passed, found = page.evaluate(f"axe.run().then(r => [r.passes.length, {against}])")
    assert passed > 10
    return list(found)


def found_in_every_look(page: Page) -> dict[str, list[str]]:
    """Return what axe-core holds against an opened page, and what runs out of it sideways, by width and scheme."""
    found: dict[str, list[str]] = {}
    for size, scheme in LOOKS:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        wide = page.evaluate("document.documentElement.scrollWidth")
        found[f"{size}, {scheme}"] = violations(page) + ([f"{wide} pixels"] if wide > width else [])
    return {look: shown for look, shown in found.items() if shown}
