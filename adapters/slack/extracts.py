"""Extract -> lines of rich text: the quotation, who says it, its caveats, where it stands.

A line is a paragraph of rich text together with the same in plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adapters.slack.rich_text import Block, Leaf, linked, quote, section, shorten, small, words
from bot import citing, messages
from bot.citing import link
from bot.model import Citation, Extract, Notice, QuotedCaveat

Line = tuple[Block, str]

LABEL = 600


def line(text: str, *styles: str) -> Line:
    """Return words in the bot's voice as a line."""
    text = shorten(text.strip() or "…", LABEL)
    return section(words(text, *styles)), text


def leading(label: str, text: str) -> Line:
    """Return a line that begins with a label in bold."""
    return section(words(f"{label} ", "bold"), words(text)), f"{label} {text}"


def extract_lines(extract: Extract, number: int = 0) -> Iterator[Line]:
    """Yield the sentence before where there is one, marked as such, then the extract and its source.

    Its ``number`` in the message stands before it, where it has one.
    Where it was changed since it was posted, what stands in its place by now follows in the same way.
    A name stands under its own words and under no other.
    """
    if extract.before:
        yield line(messages.BEFORE, "italic")
        yield from _own_lines(extract.before)
    yield from _own_lines(extract, citing.number(number) if number else "")
    yield placed(extract)
    if extract.revision:
        yield line(messages.CHANGED_SINCE if extract.revision.now else messages.NO_LONGER_SAID, "bold")
    if extract.newest is not extract:
        yield from extract_lines(extract.newest)


def _own_lines(extract: Extract, mark: str = "") -> Iterator[Line]:
    label = " ".join(filter(None, (mark, messages.UNVERIFIED if extract.caveats else "")))
    if label:
        yield line(label, *(("bold",) if extract.caveats else ()))
    yield quote(*extract.pieces), marked(extract.text)
    speaker = citing.speaker(extract)
    if speaker:
        yield line(f"— {speaker}")
    yield from caveat_lines(extract.caveats)


def quoted(text: str) -> Line:
    """Return words of an article, to the character."""
    return quote(text), marked(text)


def marked(text: str) -> str:
    """Return words in quotation marks, as plain text has to have them; those that have them already, as they are."""
    return text if text[:1] in "\"“„«‘'" else f"“{text}”"


def warning(caveats: Iterable[QuotedCaveat]) -> Iterator[Line]:
    """Yield the label above what caveats stand on."""
    if any(caveats):
        yield line(messages.UNVERIFIED, "bold")


def caveat_lines(caveats: Iterable[QuotedCaveat]) -> Iterator[Line]:
    """Yield caveats, each in the outlet's words."""
    for caveat in caveats:
        yield leading(messages.CAVEAT_INTRO, marked(caveat.text))


def notice_lines(notice: Notice, above: Citation | None = None) -> Iterator[Line]:
    """Yield a caveat on an article as a whole, or one that may cover an extract shown, and where it stands.

    That is left out where the citation ``above`` says the same.
    """
    yield leading(messages.CHAT_NOTICES[notice.why], marked(notice.text))
    if above is None or not citing.same_source(above, notice.citation):
        leaf, told = _cited(notice.citation)
        yield small(leaf), told


def placed(shown: Extract) -> Line:
    """Return where words stand: at their publisher's, and in their article on the page, where there is one."""
    leaf, told = _cited(shown.citation, shown.text)
    if not shown.page:
        return small(leaf), told
    return small(leaf, linked(messages.IN_ARTICLE, shown.page)), f"{told}\n{messages.IN_ARTICLE} {shown.page}"


def _cited(citation: Citation, quotation: str = "") -> tuple[Leaf, str]:
    """Return where words stand, leading there, and the same in plain text."""
    source = shorten(citing.source(citation), LABEL)
    leaf = linked(source, _address(citation, quotation))
    return leaf, f"{source} {citation.url}" if leaf["type"] == "link" else source


def _address(citation: Citation, quotation: str) -> str | None:
    try:
        return link(citation, quotation) if quotation else citation.url
    except ValueError:  # an address that no browser could open
        return None
