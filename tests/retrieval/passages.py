"""Passages of our own whose lines are marked with what an editor would say of them; see the tables' first lines."""

import tomllib
from pathlib import Path

Passages = dict[str, list[str]]


def _passages(name: str) -> Passages:
    table = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return {title: passage.splitlines() for title, passage in tomllib.loads(table).items()}


CAVEATS, DENIALS = _passages("caveat_passages.toml"), _passages("denial_passages.toml")


def text_of(lines: list[str]) -> str:
    text = "".join(f"{line[2:]} " if line else "\n\n" for line in lines)
    return text.replace(" \n", "\n").strip()
