"""Lines of a part -> Slack's rich text, and the same in plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.chat.parts import LINE_CHARACTERS, Line, Role, shorten
from adapters.slack.rich_text import (
    Block,
    Leaf,
    linked,
    preformatted,
    quote,
    section,
    small,
    with_slack_commands,
    words,
)
from bot import messages
from bot.model import Change
from bot.outline import MARKS

STYLES: dict[Change, tuple[str, ...]] = {Change.SAME: (), Change.REMOVED: ("strike",), Change.ADDED: ("bold",)}
LEGEND = (
    words("Compared", "bold"),
    words(" ("),
    words("in the article", *STYLES[Change.REMOVED]),
    words(" "),
    words("in the quotation", *STYLES[Change.ADDED]),
    words("): "),
)
DrawnLine = tuple[Block, str]


def draw_line(line: Line) -> DrawnLine:
    """Return a paragraph, or a small line, and what it says."""
    return DRAWN[line.role](line)


def _spoken(line: Line) -> DrawnLine:
    return DRAWN[Role.SPEAKER](replace(line, text=with_slack_commands(line.text)))


def _own(*styles: str) -> Callable[[Line], DrawnLine]:
    def draw(line: Line) -> DrawnLine:
        text = shorten(line.text.strip() or "…", LINE_CHARACTERS)
        return section(words(text, *styles)), text

    return draw


def _small(line: Line) -> DrawnLine:
    return small(words(line.text)), line.text


def _quotation(line: Line) -> DrawnLine:
    return quote(*line.pieces), marked(line.text)


def _labelled(line: Line) -> DrawnLine:
    text = marked(line.text)
    return section(words(f"{line.label} ", "bold"), words(text)), f"{line.label} {text}"


def _source(line: Line) -> DrawnLine:
    text = shorten(line.text, LINE_CHARACTERS)
    leaf: Leaf = linked(text, line.address)
    says = f"{text} {line.citation.url}" if line.citation and leaf["type"] == "link" else text
    if not line.page:
        return small(leaf), says
    return small(leaf, linked(messages.IN_ARTICLE, line.page)), f"{says}\n{messages.IN_ARTICLE} {line.page}"


def _verdict(line: Line) -> DrawnLine:
    return section(words(line.label, "bold"), words(line.text)), f"{line.label}{line.text}"


def _comparison(line: Line) -> DrawnLine:
    leaves = [leaf for change, run in line.difference for leaf in (words(run, *STYLES[change]), words(" "))]
    text = " ".join(MARKS[change].format(run) for change, run in line.difference)
    return section(*LEGEND, *leaves[:-1]), f"{line.text} {text}"


def _code(line: Line) -> DrawnLine:
    return preformatted(line.text), line.text


def marked(text: str) -> str:
    """Return words in quotation marks, as plain text has to have them; those that have them already, as they are."""
    return text if text[:1] in "\"“„«‘'" else f"“{text}”"


DRAWN: dict[Role, Callable[[Line], DrawnLine]] = {
    Role.TEXT: _spoken,
    Role.HEADING: _own("bold"),
    Role.VERDICT: _verdict,
    Role.MARK: _own("bold"),
    Role.BEFORE: _small,
    Role.NUMBER: _own("bold"),
    Role.WARNING: _own("bold"),
    Role.QUOTATION: _quotation,
    Role.SPEAKER: _own(),
    Role.CAVEAT: _labelled,
    Role.SOURCE: _source,
    Role.REVISION: _own("bold"),
    Role.COMPARISON: _comparison,
    Role.NOTICE: _labelled,
    Role.CODE: _code,
}
