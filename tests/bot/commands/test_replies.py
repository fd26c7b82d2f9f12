"""What a command replies over which articles: a table for each command in ``replies/``.

A case names its articles, which stand at the table's end or in ``tests.stock``, and the lines that are all answered
with its reply, as ``drawn`` writes it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from bot.model import Extract, Question, Reply
from bot.outline import outline
from bot.service import QuestionService
from retrieval.model import Article
from tests.stock import BRIDGE, FERRY, service

FOLDER = Path(__file__).with_name("replies")
STOCK = {article.id.removesuffix(".txt"): article for article in (FERRY, BRIDGE)}


def drawn(reply: Reply) -> Iterator[str]:
    listing = outline(reply)
    yield listing.title
    for section in listing.sections:
        yield f"## {section.heading}".strip()
        yield from section.lines
        yield from (f"{label}: {count}" for label, count in section.counts)
        for number, extract in enumerate(section.extracts):
            yield from _quoted(extract, "*>" if number == section.marked else ">")


def _quoted(extract: Extract, mark: str) -> Iterator[str]:
    if extract.before:
        yield from _quoted(extract.before, "<")
    yield f"{mark} {extract.text} [{extract.speaker or extract.voice}, {extract.citation.article_id} {extract.index}]"
    yield from (f"! {caveat.text}" for caveat in extract.caveats)
    yield from (f"? {notice.text}" for notice in extract.notices)


def cases() -> Iterator[object]:
    for file in sorted(FOLDER.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        held = STOCK | {name: Article(f"{name}.txt", **row) for name, row in table.pop("articles", {}).items()}
        for says, case in table.items():
            articles = tuple(held[name] for name in case["articles"])
            yield pytest.param(articles, case["asked"], case["reply"], id=f"{file.stem}: {says}")


def reply(articles: Iterable[Article], line: str) -> str:
    return "\n".join(drawn(_desk(tuple(articles)).answer(Question(line))))


@cache
def _desk(articles: tuple[Article, ...]) -> QuestionService:
    return service(articles)


@pytest.mark.parametrize(("articles", "asked", "said"), tuple(cases()))
def test_a_command_replies_as_its_table_says(articles: Sequence[Article], asked: Sequence[str], said: str) -> None:
    assert {line: reply(articles, line) for line in asked} == dict.fromkeys(asked, said.rstrip("\n"))
