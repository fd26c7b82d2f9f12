"""Extract -> lines of rich text: who says it, the quotation, the caveat right under it, where it stands.

A line is a paragraph of rich text together with the same in plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adapters.rich_text import Block, Leaf, linked, quote, section, shorten, words
from bot.model import Citation, Extract, Notice, QuotedCaveat, QuotedDenial
from retrieval.model import Voice

Line = tuple[Block, str]

TITLE = 300
NAME = 200
WORDING = {
    Voice.NAMED: "{}",
    Voice.UNNAMED: "{}",
    Voice.OBSERVED: "{} (seen by the reporters themselves)",
    Voice.MEDIA: "{} (another outlet)",
}
UNNAMED = {
    Voice.IMPERSONAL: "Reported, without a source",
    Voice.UNRESOLVED: "Speaker not identified",
    Voice.OUTLET: "In the outlet's own words",
}
CAVEAT = "⚠ Caveat: "
DENIAL = "Denied by {}:"
DENIED = "Denied:"
NOTICE = "⚠ Caveat on the whole article: "


def line(text: str, *styles: str) -> Line:
    """Return words in the bot's voice as a line."""
    text = shorten(text.strip() or "…", 2 * TITLE)
    return section(words(text, *styles)), text


def leading(label: str, leaves: Sequence[Leaf], told: str) -> Line:
    """Return a line that begins with a label in bold; ``told`` is what ``leaves`` say in plain text."""
    return section(words(label, "bold"), *leaves), label + told


def extract_lines(extract: Extract) -> Iterator[Line]:
    """Yield the sentence before where there is one, then the extract: speaker, quotation, caveats, denials."""
    if extract.before:
        yield from extract_lines(extract.before)
    yield line(speaker(extract), "bold")
    yield quoted(extract.text)
    yield from caveat_lines(extract)
    for denial in extract.denials:
        yield from denial_lines(denial)


def quoted(text: str) -> Line:
    """Return words of an article, to the character."""
    return quote(text), f"“{text}”"


def speaker(extract: Extract) -> str:
    """Return who says an extract, or that nobody can be told to."""
    name = shorten(extract.speaker, NAME) if extract.speaker else ""
    if name and extract.voice in WORDING:
        return WORDING[extract.voice].format(name)
    return UNNAMED.get(extract.voice, UNNAMED[Voice.UNRESOLVED])


def caveat_lines(extract: Extract) -> Iterator[Line]:
    """Yield the caveats on an extract, each in the outlet's words."""
    for caveat in extract.caveats:
        yield _caveat(CAVEAT, caveat)


def notice_lines(notice: Notice) -> Iterator[Line]:
    """Yield an article-wide caveat, and the article."""
    yield _caveat(NOTICE, notice)
    yield from cited(notice.citation)


def _caveat(label: str, caveat: QuotedCaveat | Notice) -> Line:
    unnamed = caveat.verifier is None or caveat.verifier in caveat.text
    verifier = "" if unnamed else f" ({shorten(caveat.verifier or '', NAME)})"
    quotation = f"“{caveat.text}”"
    return leading(label, [words(quotation, "bold"), words(verifier)], quotation + verifier)


def denial_lines(denial: QuotedDenial) -> Iterator[Line]:
    """Yield a denial as a quotation of its own, and where it stands."""
    yield line(DENIAL.format(shorten(denial.speaker, NAME)) if denial.speaker else DENIED, "bold")
    yield quoted(denial.text)
    yield from cited(denial.citation)


def cited(citation: Citation) -> Iterator[Line]:
    """Yield where words stand: the outlet, the article's title with its link, the day."""
    title = shorten(citation.title.strip() or citation.path or citation.article_id, TITLE)
    outlet = f"{shorten(citation.source, NAME)}: " if citation.source else ""
    day = f", {citation.published.day} {citation.published:%B %Y}" if citation.published else ""
    link = linked(title, citation.url)
    address = f" {link['url']}" if link["type"] == "link" else ""
    yield section(words(outlet), link, words(day)), f"{outlet}{title}{day}{address}"
