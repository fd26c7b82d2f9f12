"""The Chromium of this machine, headless, and with nothing of its own on the network."""

from __future__ import annotations

from importlib.resources import files
from typing import Final, Literal

from playwright.sync_api import Page

SIZES = {"wide": (1280, 900), "phone": (360, 740), "zoomed to 400 %": (320, 256)}
# Every width and every scheme; what a scheme changes is no matter of width.
LOOKS: Final[tuple[tuple[str, Literal["light", "dark"]], ...]] = (
    ("wide", "light"),
    ("wide", "dark"),
    ("phone", "dark"),
    ("zoomed to 400 %", "light"),
)
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()
FLAGS += ["--disable-component-update", "--disable-sync"]
# who speaks and what caveats say, as far as it is not beside its sentence; a label may be below the one before it
DRIFTS = """() => {
  const drifts = [], first = element => element.getClientRects()[0];
  const measure = (label, words, off, most) => {
    if (off < -15 || off > most) drifts.push(`${words.parentElement.id}: “${label.textContent.trim()}” is ${off} off`);
  };
  let above = -Infinity;
  for (const label of document.querySelectorAll(".who")) {
    const words = label.parentElement.querySelector(".words"), there = first(words), box = first(label);
    const isBeside = getComputedStyle(label).float === "left", isPushed = above > there.top - 6;
    const off = isBeside ? box.top - (isPushed ? above : there.top) : there.bottom - box.bottom;
    measure(label, words, off, isBeside && !isPushed ? 15 : 45);
    above = box.bottom;
  }
  let row;
  for (const notes of document.querySelectorAll(".notes")) {
    const words = document.querySelector(`[aria-describedby~="${notes.firstElementChild.id}"]`), top = first(words).top;
    const isBeside = getComputedStyle(notes).float === "right", box = notes.getBoundingClientRect();
    const due = notes.closest(".row") === row ? Math.max(top, above) : top;
    measure(notes, words, isBeside ? box.top - due : top - box.bottom, isBeside ? 15 : 80);
    [row, above] = [notes.closest(".row"), box.bottom];
  }
  return drifts;
}"""


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
