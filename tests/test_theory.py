"""The pages of theory of the five judgements are true: each example is run as it stands there."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

THEORY = Path(__file__).resolve().parent.parent / "docs" / "theory"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(THEORY.glob("*.md"))}
SECTIONS = ("Theory of operation", "An example", "What it cannot do")


@pytest.mark.parametrize("name", PAGES)
def test_the_example_is_what_the_program_does(name: str) -> None:
    page = doctest.DocTestParser().get_doctest(PAGES[name], {}, name, name, 0)
    differing: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(page, out=differing.append)
    assert not outcome.failed, "".join(differing)
    assert any(example.want for example in page.examples)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_how_why_and_what_it_cannot(name: str) -> None:
    lines = [line.removeprefix("## ") for line in PAGES[name].splitlines()]
    assert any("->" in line for line in lines[:3])
    assert tuple(line for line in lines if line in SECTIONS) == SECTIONS


def test_there_are_five() -> None:
    assert len(PAGES) == 5
