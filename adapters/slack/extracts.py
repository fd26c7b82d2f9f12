"""Lines of a part -> Slack's rich text, and the same in plain text."""

from __future__ import annotations

from adapters.chat.parts import LABELS, LINE_CHARACTERS, LineRole, ReplyLine, shorten
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
    match line.role:
        case LineRole.QUOTATION:
            return quote(*line.pieces), marked(line.text)
        case LineRole.CAVEAT | LineRole.NOTICE:
            text = marked(line.text)
            return section(words(f"{line.label} ", "bold"), words(text)), f"{line.label} {text}"
        case LineRole.SOURCE:
            return _source(line)
        case LineRole.VERDICT:
            return section(words(line.label, "bold"), words(line.text)), f"{line.label}{line.text}"
        case LineRole.BEFORE:
            return small(words(line.text)), line.text
        case LineRole.COMPARISON:
            leaves = [leaf for change, run in line.difference for leaf in (words(run, *STYLES[change]), words(" "))]
            text = " ".join(MARKS[change].format(run) for change, run in line.difference)
            return section(*LEGEND, *leaves[:-1]), f"{line.text} {text}"
        case LineRole.CODE:
            return preformatted(line.text), line.text
    spoken = with_slack_commands(line.text) if line.role is LineRole.TEXT else line.text
    text = shorten(spoken.strip() or "…", LINE_CHARACTERS)
    return section(words(text, *(("bold",) if line.role in LABELS else ()))), text


def _source(line: ReplyLine) -> DrawnLine:
    text = shorten(line.text, LINE_CHARACTERS)
    leaf: Leaf = linked(text, line.address)
    says = f"{text} {line.citation.url}" if line.citation and leaf["type"] == "link" else text
    if not line.page:
        return small(leaf), says
    return small(leaf, linked(messages.IN_ARTICLE, line.page)), f"{says}\n{messages.IN_ARTICLE} {line.page}"


def marked(text: str) -> str:
    """Return words in quotation marks, as plain text has to have them; those that have them already, as they are."""
    return text if text[:1] in "\"“„«‘'" else f"“{text}”"
