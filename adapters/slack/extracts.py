"""Lines of a part -> Slack's rich text, and the same in plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.chat.parts import LINE_CHARACTERS, LineRole, ReplyLine, shorten
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


def draw_line(line: ReplyLine) -> DrawnLine:
    """Return a paragraph, or a small line, and what it says."""
    return DRAWN[line.role](line)


def _spoken(line: ReplyLine) -> DrawnLine:
    return DRAWN[LineRole.SPEAKER](replace(line, text=with_slack_commands(line.text)))


def _own(*styles: str) -> Callable[[ReplyLine], DrawnLine]:
    def draw(line: ReplyLine) -> DrawnLine:
        text = shorten(line.text.strip() or "…", LINE_CHARACTERS)
        return section(words(text, *styles)), text

    return draw


def _small(line: ReplyLine) -> DrawnLine:
    return small(words(line.text)), line.text


def _quotation(line: ReplyLine) -> DrawnLine:
    return quote(*line.pieces), marked(line.text)


def _labelled(line: ReplyLine) -> DrawnLine:
    text = marked(line.text)
    return section(words(f"{line.label} ", "bold"), words(text)), f"{line.label} {text}"


def _source(line: ReplyLine) -> DrawnLine:
    text = shorten(line.text, LINE_CHARACTERS)
    leaf: Leaf = linked(text, line.address)
    says = f"{text} {line.citation.url}" if line.citation and leaf["type"] == "link" else text
    if not line.page:
        return small(leaf), says
    return small(leaf, linked(messages.IN_ARTICLE, line.page)), f"{says}\n{messages.IN_ARTICLE} {line.page}"


def _verdict(line: ReplyLine) -> DrawnLine:
    return section(words(line.label, "bold"), words(line.text)), f"{line.label}{line.text}"


def _comparison(line: ReplyLine) -> DrawnLine:
    leaves = [leaf for change, run in line.difference for leaf in (words(run, *STYLES[change]), words(" "))]
    text = " ".join(MARKS[change].format(run) for change, run in line.difference)
    return section(*LEGEND, *leaves[:-1]), f"{line.text} {text}"


def _code(line: ReplyLine) -> DrawnLine:
    return preformatted(line.text), line.text


def marked(text: str) -> str:
    """Return words in quotation marks, as plain text has to have them; those that have them already, as they are."""
    return text if text[:1] in "\"“„«‘'" else f"“{text}”"


DRAWN: dict[LineRole, Callable[[ReplyLine], DrawnLine]] = {
    LineRole.TEXT: _spoken,
    LineRole.HEADING: _own("bold"),
    LineRole.VERDICT: _verdict,
    LineRole.MARK: _own("bold"),
    LineRole.BEFORE: _small,
    LineRole.NUMBER: _own("bold"),
    LineRole.WARNING: _own("bold"),
    LineRole.QUOTATION: _quotation,
    LineRole.SPEAKER: _own(),
    LineRole.CAVEAT: _labelled,
    LineRole.SOURCE: _source,
    LineRole.REVISION: _own("bold"),
    LineRole.COMPARISON: _comparison,
    LineRole.NOTICE: _labelled,
    LineRole.CODE: _code,
}
