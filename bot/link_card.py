"""An address that somebody posts -> what is to be known of the article there, before anybody opens it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from bot import citing, messages, verbatim
from bot.command import Holdings
from bot.model import Citation, Extract, Listing, Section
from bot.references import extracts

if TYPE_CHECKING:
    from retrieval import Archive


CAVEATS = 3  # sentences shown of an article; the others are counted
LONGEST = 600  # characters of a sentence that is shown; a longer one is counted, never cut


@dataclass(frozen=True, slots=True)
class LinkCard:
    """The newest version of the article at an address.

    ``versions`` are how many can be opened, ``since`` is the day of the newest where that is not the first; ``caveats``
    are the sentences of the outlet's caveats, verbatim.
    """

    citation: Citation
    versions: int = 1
    since: date | None = None
    caveats: tuple[Extract, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All but the title, a line each: outlet and day, what changed, what it could not verify."""
        shown = [each for each in self.caveats if len(each.text) <= LONGEST][:CAVEATS]
        left = len(self.caveats) - len(shown)
        facts = (self.citation.source or messages.NO_OUTLET, messages.day(self.citation.published))
        told = (
            " · ".join(filter(None, facts)),
            messages.newest_version(self.versions, self.since) if self.versions > 1 else "",
            *(messages.outlet_could_not_verify(each.text) for each in shown),
            messages.and_more(left, "caveat") if left else "",
        )
        return tuple(filter(None, told))

    @property
    def title(self) -> str:
        """What the article is known by."""
        return citing.title(self.citation)

    @property
    def listing(self) -> Listing:
        """The same as a reply."""
        return Listing(self.title, (Section("", lines=self.lines, cited=(self.citation,)),))


def linked(holdings: Holdings, address: str) -> LinkCard | None:
    """Return what is to be known of the article at ``address``; None where none is held, or seen from here."""
    archive = holdings.archive
    for spelt in dict.fromkeys(_spellings(address)):
        for each in archive.listed(named=[spelt]):
            if (citation := verbatim.article(archive, each.id)) and citation.url:
                return article_card(archive, citation)
    return None


def is_within(address: str, domains: Collection[str]) -> bool:
    """Return whether ``address`` is on one of these domains, or on a part of one."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return any(f".{host}".endswith(f".{domain.lower()}") for domain in domains)


def article_card(archive: Archive, citation: Citation) -> LinkCard | None:
    """Return what is to be known of an article; None where it cannot be read."""
    reading = verbatim.reading(archive, citation.article_id)
    if reading is None:
        return None
    history = archive.history(citation.article_id)
    indexes = dict.fromkeys(caveat.sentence for caveat in reading.caveats)
    since = history[-1].since if len(history) > 1 else None
    return LinkCard(citation, len(history), since, extracts(archive, citation.article_id, indexes))


def _spellings(address: str) -> Iterator[str]:
    """Yield an address as it was posted, then without what follows the page's own: marks of who shared it, a place."""
    yield address
    try:
        scheme, host, path, query, _ = urlsplit(address)
    except ValueError:
        return
    for asked in (query, ""):
        bare = urlunsplit((scheme, host, path, asked, ""))
        yield bare
        if not asked:
            yield bare.removesuffix("/") if path.endswith("/") else f"{bare}/"
