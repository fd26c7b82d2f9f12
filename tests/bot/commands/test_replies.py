"""What a command replies over which articles: a table for each command in ``replies/``.

A case names its articles, which stand at the table's end or in ``tests.stock``, and the lines that are all answered
with its reply, as ``drawn`` writes it. It may have ``thresholds``, a day ``since`` when articles are searched, and ask
for a ``brief`` reply. ``python -m tests.bot.commands.test_replies`` writes the replies anew; look at
the difference before you keep it.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.ask.model import Thresholds
from bot.model import Extract, Question, Reply
from bot.outline import outline
from bot.service import QuestionService
from retrieval import Article, Scope
from tests.stock import BRIDGE, FERRY, holdings

FOLDER = Path(__file__).with_name("replies")
STOCK = {article.id.removesuffix(".txt"): article for article in (FERRY, BRIDGE)}


def drawn(reply: Reply) -> Iterator[str]:
    listing = outline(reply)
    yield listing.title
    for section in listing.sections:
        yield f"## {section.heading}".strip()
        yield from section.lines
        yield from (f"{label}: {count}" for label, count, *_ in section.counts)
        for number, extract in enumerate(section.extracts):
            yield from _quoted(extract, "*>" if number == section.marked else ">")


def _quoted(extract: Extract, mark: str) -> Iterator[str]:
    if extract.before:
        yield from _quoted(extract.before, "<")
    yield f"{mark} {extract.text} [{extract.speaker or extract.voice}, {extract.citation.article_id} {extract.index}]"
    yield from (f"! {caveat.text}" for caveat in extract.caveats)
    yield from (f"? {notice.text}" for notice in extract.notices)


class Case(NamedTuple):
    says: str
    articles: tuple[Article, ...]
    asked: list[str]
    reply: str
    thresholds: tuple[float, ...] = ()
    since: date | None = None
    brief: bool = False


def cases_in(file: Path) -> Iterator[Case]:
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    held = STOCK | {name: Article(f"{name}.txt", **row) for name, row in table.pop("articles", {}).items()}
    for says, case in table.items():
        case |= {"articles": tuple(held[name] for name in case["articles"])}
        yield Case(f"{file.stem}: {says}", **case | {"thresholds": tuple(case.get("thresholds", ()))})


CASES = [case for file in sorted(FOLDER.glob("*.toml")) for case in cases_in(file)]


def reply(case: Case, line: str) -> str:
    desk = _desk(case.articles, case.thresholds, case.since)
    return "\n".join(drawn(desk.answer(Question(line, brief=case.brief))))


@cache
def _desk(articles: tuple[Article, ...], thresholds: tuple[float, ...], since: date | None) -> QuestionService:
    library = replace(holdings(articles), thresholds=Thresholds(*thresholds))
    return QuestionService(library.within(Scope(since=since)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_a_command_replies_as_its_table_says(case: Case) -> None:
    expected = dict.fromkeys(case.asked, case.reply.rstrip("\n"))
    assert {line: reply(case, line) for line in case.asked} == expected


def record(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    anew = (reply(case, case.asked[0]) for case in cases_in(file))
    text = re.sub(r"(?ms)(?<=^reply = '''\n).*?\n(?='''$)", lambda _: f"{next(anew)}\n", text)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for table in FOLDER.glob("*.toml"):
        record(table)
