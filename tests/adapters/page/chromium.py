"""The Chromium of this machine, headless, and with nothing of its own on the network."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Page

SIZES = {"wide": (1280, 900), "phone": (360, 740), "zoomed to 400 %": (320, 256)}
# Every width and every scheme; what a scheme changes is no matter of width.
LOOKS = (("wide", "light"), ("wide", "dark"), ("phone", "dark"), ("zoomed to 400 %", "light"))
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
FLAGS += ["--disable-component-update", "--disable-sync"]
DRIFTS = Path(__file__).with_name("drifts.js").read_text(encoding="utf-8")


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
