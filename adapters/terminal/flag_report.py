"""What readers of the page flagged, out of the store -> lines, JSON, or gold that the reading is tested against.

The gold has the form of the tests' own: a row for each sentence, with what is right about it and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

import click
import tomli_w

from adapters import json_contract
from adapters.storage.records import Flag, Wrong
from bot.visible import visible_line

Right = Mapping[str, object]
Place = tuple[str, str]  # an article's file, and a sentence's words


def show(flags: Sequence[Flag], *, as_json: bool) -> None:
    """Print all flags, newest first, for a person or as JSON lines."""
    for flag in flags:
        for line in (json_contract.line(_row(flag)),) if as_json else _lines(flag):
            click.echo(line)


def _when(flag: Flag) -> datetime:
    return datetime.fromtimestamp(flag.at, UTC)


def _row(flag: Flag) -> dict[str, Any]:
    return {
        "at": _when(flag).isoformat(timespec="seconds"),
        "verdict": "flagged",
        "article": flag.article,
        "path": flag.path,
        "digest": flag.digest,
        "sentence": flag.index,
        "words": flag.words,
        "wrong": flag.wrong.value,
        "right": flag.right,
        "read": flag.read,
        "reason": flag.note or None,
    }


SAYS = {
    Wrong.SPEAKER: "{} says it",
    Wrong.OUTLET: "the outlet says it itself",
    Wrong.UNCOVERED: "no caveat covers it",
    Wrong.COVERED: "this caveat covers it: {}",
}


def _lines(flag: Flag) -> Iterator[str]:
    yield visible_line(f"{_when(flag):%Y-%m-%d %H:%M}  flagged  {flag.article}, sentence {flag.index}")
    yield visible_line(f"    {flag.words}")
    yield visible_line(f"    read: {flag.read}; a reader: {SAYS[flag.wrong].format(flag.right)}")
    if flag.note:
        yield visible_line(f"    “{flag.note}”")
    yield ""


def show_gold(flags: Sequence[Flag]) -> None:
    """Print what readers hold to be right, as TOML; what they do not agree on is left out, and counted."""
    said: dict[Place, dict[str, list[Flag]]] = defaultdict(lambda: defaultdict(list))
    for flag in sorted(flags, key=lambda flag: (flag.article, flag.index)):
        aspect = "who" if flag.wrong in (Wrong.SPEAKER, Wrong.OUTLET) else "caveat"
        said[PurePath(flag.path or flag.article).name, flag.words][aspect].append(flag)
    rows = {place: _agreed(aspects.values()) for place, aspects in said.items()}
    click.echo(_toml({place: row for place, row in rows.items() if row}), nl=False)
    if disputed := sum(not _agree(each) for aspects in said.values() for each in aspects.values()):
        click.echo(f"stet: {disputed} on which readers differ are left out: which is right is yours to find.", err=True)


def _agreed(aspects: Iterable[Sequence[Flag]]) -> Right:
    return {key: value for flags in aspects if _agree(flags) for key, value in _right(flags[0]).items()}


def _agree(flags: Sequence[Flag]) -> bool:
    return len({(flag.wrong, flag.right.casefold()) for flag in flags}) == 1


def _right(flag: Flag) -> Right:
    match flag.wrong:
        case Wrong.SPEAKER:
            return {"speaker": flag.right}
        case Wrong.OUTLET:
            return {"voice": "outlet"}
        case Wrong.UNCOVERED:
            return {"caveat": False}
        case Wrong.COVERED:
            return {"caveat": flag.right}


def _toml(rows: Mapping[Place, Right]) -> str:
    articles: dict[str, list[dict[str, object]]] = defaultdict(list)
    for (file, words), right in rows.items():
        articles[file].append({"words": words, **right})
    empty: dict[str, list[str]] = {"caveats": [], "not_caveats": [], "boilerplate": []}
    held = [{"file": file, "sentences": sentences, **empty} for file, sentences in articles.items()]
    written = tomli_w.dumps({"articles": held}) if held else ""
    return written.encode("utf-8", "backslashreplace").decode("utf-8")
