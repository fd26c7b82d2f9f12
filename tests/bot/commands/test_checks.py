"""What is found in quotations, pasted messages, drafts and sentences: a table for each rule in ``checks/``.

A table names its ``articles``, or has a ``text``. A row has a cell for each of the ``columns``, which may be written
into ``words``, ``text``, ``speaker`` and the names of articles, and last what is found, as ``drawn`` writes it.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from bot.command import Library
from bot.commands.comparison import Quoted, compare
from bot.commands.governing import governor
from bot.commands.proof import proof
from bot.commands.verify import check
from bot.model import Change, Check, Finding, Message, Verdict
from bot.outline import MARKS
from bot.verdicts import message
from retrieval import Article
from tests.stock import BRIDGE, FERRY, holdings

FILES = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted(Path(__file__).with_name("checks").glob("*.toml"))
}
_held = cache(holdings)
TABLES = [(stem, name) for stem, tables in FILES.items() for name in tables if name != "articles"]


def drawn(found: Check) -> str:
    """Return the verdict with its places, then what else is said of a quotation, and how it differs."""
    places = ", ".join(f"{each.extract.citation.article_id} {each.extract.index}" for each in found.matches)
    claimed, context = found.claimed, found.context
    parts = [f"{found.verdict} in {places}" if places else str(found.verdict)]
    parts += [f"of “{found.quote}”"] if found.verdict is Verdict.PARTIAL else []
    parts += [f"{claimed.name}: {claimed.agreement} ({claimed.in_article or 'nobody'})"] if claimed else []
    parts += [f"not compared: {words}" for words in found.not_compared]
    parts += [*found.freedoms, *([f"{found.left_out} words left out"] if found.left_out else ())]
    parts += [f"{context.kind}: {context.words} ({context.sentence.text})"] if context else []
    difference = found.matches[0].difference if found.matches else ()
    if difference and difference != ((Change.SAME, found.quote),):
        parts.append(" ".join(MARKS[change].format(words) for change, words in difference))
    return " | ".join(parts)


def _finding(found: Finding) -> str:
    if found.check:
        return f"{found.text}: {drawn(found.check)}"
    shown = (f"> {' [!] '.join((extract.text, *(c.text for c in extract.caveats)))}" for extract in found.extracts)
    return " ".join((f"{found.kind}: {found.text}: {found.what}", *shown))


def _found(kind: str, library: Library, words: str, speaker: str | None) -> str | list[str]:
    if kind == "governing":
        sentence = words.replace("[", "").replace("]", "")
        governs = governor(sentence, words.index("["), words.index("]") - 1)
        return f"{governs.kind}: {sentence[governs.start : governs.end]}" if governs else "nothing"
    if kind == "drafts":
        return [*map(_finding, proof(library, words).findings)]
    found = compare(library.archive, Quoted(words, speaker)) if kind == "quotations" else check(library, words)
    if isinstance(found, Message):
        return found.text
    if isinstance(found, Check):
        assert all(left in message(found) for left in found.not_compared)
        assert found.verdict is not Verdict.MISATTRIBUTED or (found.claimed and found.claimed.name in message(found))
        return drawn(found)
    parts = [section for section in found.sections if section.heading]
    assert all(len(part.extracts) == bool(part.check and part.check.matches) for part in parts)
    each = ((part.heading, *([drawn(part.check)] if part.check else ()), *part.lines) for part in parts)
    return [found.title, *chain.from_iterable(each)]


def _rows(kind: str, table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any, str | list[str]]]:
    """Yield the cells of each row, what is to be found, and what is."""
    stock = {"ferry": FERRY, "bridge": BRIDGE}
    stock |= {name: Article(f"{name}.txt", **row) for name, row in FILES[kind].get("articles", {}).items()}
    for *cells, expected in table["rows"]:
        row = {"text": "", "speaker": ""} | dict(zip(table.get("columns", ["words"]), cells, strict=True))
        words, text, speaker = (table.get(key, f"{{{key}}}").format_map(row) for key in ("words", "text", "speaker"))
        named = [stock[name.format_map(row)] for name in table.get("articles", ())]
        own = [Article("text.txt", text, source=table.get("source"))] if text else []
        yield tuple(cells), expected, _found(kind, _held((*named, *own)), words, speaker or None)


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_what_is_found_is_what_the_table_says(kind: str, name: str) -> None:
    rows = [*_rows(kind, FILES[kind][name])]
    assert {cells: found for cells, _, found in rows} == {cells: expected for cells, expected, _ in rows}
    assert len({cells for cells, _, _ in rows}) == len(rows)
