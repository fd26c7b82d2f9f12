"""The address of an article that somebody posts -> a card: what the article is, what changed, what is unverified."""

from collections.abc import Collection, Iterator
from itertools import product
from urllib.parse import urlsplit, urlunsplit

from bot import messages, source_lines, verbatim
from bot.command import Library
from bot.model import Citation, Listing, Section
from retrieval import Archive

CAVEATS = 3  # sentences shown; the others are counted
LONGEST = 600  # characters of a sentence that is shown; a longer one is counted, never cut


def link_card(library: Library, address: str) -> Listing | None:
    """Return the card of the article at ``address``; None where there is none in scope."""
    archive = library.archive
    for spelling in dict.fromkeys(_spellings(address)):
        for each in archive.listed(named=[spelling]):
            if (citation := verbatim.article(archive, each.id)) and citation.url:
                return article_card(archive, citation)
    return None


def is_within(address: str, domains: Collection[str]) -> bool:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return any(f".{host}".endswith(f".{domain.lower()}") for domain in domains)


def article_card(archive: Archive, citation: Citation) -> Listing | None:
    """Return the newest version of an article: one section, with the outlet, the version and the caveats as lines."""
    if (reading := verbatim.reading(archive, citation.article_id)) is None:
        return None
    history = archive.history(citation.article_id)
    indexes = dict.fromkeys(caveat.sentence for caveat in reading.caveats)
    caveats = verbatim.extracts(archive, citation.article_id, indexes)
    shown = [caveat for caveat in caveats if len(caveat.text) <= LONGEST][:CAVEATS]
    lines = (
        " · ".join(filter(None, (citation.source or messages.NO_OUTLET, messages.day(citation.published)))),
        messages.newest_version(len(history), history[-1].since) if len(history) > 1 else "",
        *(messages.outlet_could_not_verify(caveat.text) for caveat in shown),
        *messages.and_more(len(caveats) - len(shown), "caveat"),
    )
    section = Section("", lines=tuple(filter(None, lines)), cited=(citation,))
    return Listing(source_lines.title(citation), (section,))


def _spellings(address: str) -> Iterator[str]:
    """Yield an address as posted, then without its fragment, then without its query, with and without a last slash.

    Then the same with the other scheme, and with or without "www.".
    """
    yield address
    try:
        scheme, host, path, query, _ = urlsplit(address)
    except ValueError:
        return
    host = host.lower()
    other = host.removeprefix("www.") if host.startswith("www.") else f"www.{host}"
    bare_path = path.removesuffix("/") if path.endswith("/") else f"{path}/"
    for each_host, each_scheme in product((host, other), dict.fromkeys((scheme, "https", "http"))):
        for rest in ((path, query, ""), (path, "", ""), (bare_path, "", "")):
            yield urlunsplit((each_scheme, each_host, *rest))
