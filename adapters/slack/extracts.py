"""Extract -> lines of rich text: the quotation, who says it, its caveats, where it stands.

A line is a paragraph of rich text together with the same in plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from adapters.slack.rich_text import Block, Leaf, linked, quote, section, shorten, words
from bot import citing, messages
from bot.links import link
from bot.model import Citation, Extract, Notice, QuotedCaveat

Line = tuple[Block, str]

LABEL = 600


def line(text: str, *styles: str) -> Line:
    """Return words in the bot's voice as a line."""
    text = shorten(text.strip() or "…", LABEL)
    return section(words(text, *styles)), text


def leading(label: str, leaves: Sequence[Leaf], told: str) -> Line:
    """Return a line that begins with a label in bold; ``told`` is what ``leaves`` say in plain text."""
    return section(words(f"{label} ", "bold"), *leaves), f"{label} {told}"


def extract_lines(extract: Extract, number: int = 0) -> Iterator[Line]:
    """Yield the sentence before where there is one, marked as such, then the extract and its source.

    Its ``number`` in the message stands before it, where it has one.
    Where it was changed since it was posted, what stands in its place by now follows in the same way.
    A name stands under its own words and under no other.
    """
    if extract.before:
        yield line(messages.BEFORE, "italic")
        yield from _own_lines(extract.before)
    if number:
        yield line(citing.number(number))
    yield from _own_lines(extract)
    yield from placed(extract)
    if extract.revision:
        yield line(messages.CHANGED_SINCE if extract.revision.now else messages.SAID_NO_MORE, "bold")
    if extract.newest is not extract:
        yield from extract_lines(extract.newest)


def _own_lines(extract: Extract) -> Iterator[Line]:
    yield quoted(extract.text)
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


def caveat_lines(caveats: Iterable[QuotedCaveat]) -> Iterator[Line]:
    """Yield caveats, each in the outlet's words."""
    for caveat in caveats:
        yield leading(messages.CAVEAT, [words(marked(caveat.text), "bold")], marked(caveat.text))


def notice_lines(notice: Notice) -> Iterator[Line]:
    """Yield a caveat on an article as a whole, or one that may cover an extract shown, and where it stands."""
    yield leading(messages.NOTICES[notice.why], [words(marked(notice.text), "bold")], marked(notice.text))
    yield cited(notice.citation)


def placed(shown: Extract) -> Iterator[Line]:
    """Yield where words stand: at their publisher's, and in their article on the page, where there is one."""
    yield cited(shown.citation, shown.text)
    if shown.page:
        yield section(linked(messages.IN_ARTICLE, shown.page)), f"{messages.IN_ARTICLE} {shown.page}"


def cited(citation: Citation, quotation: str = "") -> Line:
    """Return where words stand, leading there."""
    source = shorten(citing.source(citation), LABEL)
    leaf = linked(source, _address(citation, quotation))
    return section(leaf), f"{source} {citation.url}" if leaf["type"] == "link" else source


def _address(citation: Citation, quotation: str) -> str | None:
    try:
        return link(citation, quotation) if quotation else citation.url
    except ValueError:  # an address that no browser could open
        return None
