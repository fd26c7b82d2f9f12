"""Who said it and where it stands, in a line each: what is written beside every sentence that is shown.

Links that open a page at the very words, by the text fragments of the URL standard (WICG).
"""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from bot import messages
from bot.messages import day
from bot.model import Citation, Extract
from bot.verbatim import opening
from retrieval import Manner, Reading, Voice, classes

SUPERSEDED = "superseded by a later version"
OPENERS = (
    classes("articles", "units") - {"one"} | {"our", "its", "several"} | {"reporters", "journalists", "correspondents"}
)


def speaker(extract: Extract) -> str:
    """Return whose words or observation an extract rests on; "" for the outlet's own voice."""
    return said_by(extract.voice, extract.speaker, extract.manner)


def said_by(voice: Voice, speaker: str | None, manner: Manner | None) -> str:
    """Return whose words or observation a sentence rests on; "" for the outlet's own voice."""
    match voice:
        case Voice.OUTLET:
            return ""
        case Voice.UNRESOLVED:
            return "Speaker not identified"
        case Voice.IMPERSONAL:
            return "No source named"
        case Voice.OBSERVED:
            return f"Seen by {_running(speaker)}" if speaker else "Seen by reporters"
    if not speaker:
        return "Speaker not identified"
    return speaker if manner is Manner.QUOTED else f"{speaker}, as reported"


def title(citation: Citation) -> str:
    """Return an article's title; one made of its opening words says so."""
    return citation.title or messages.no_title(citation.opening)


def heading(reading: Reading) -> str:
    """Return the same of an article that is shown as a whole."""
    return reading.article.title or messages.no_title(opening(reading))


def number(place: int) -> str:
    """Return what stands before an extract: its number in the reply, from 1."""
    return f"[{place}]"


def source(citation: Citation) -> str:
    """Return where words stand: outlet, title, date; that the outlet is unknown is said, no other gap."""
    version = SUPERSEDED if citation.superseded else citation.corrected and f"corrected on {day(citation.corrected)}"
    # before the title, which may be cut short
    parts = (citation.source or messages.NO_OUTLET, version, title(citation), day(citation.published))
    return " · ".join(part for part in parts if part)


def same_source(one: Citation, other: Citation) -> bool:
    """Return whether it would be said twice where two citations stand."""
    return one.article_id == other.article_id and source(one) == source(other)


def titled(citation: Citation) -> str:
    """Return an article's title, with its date and id."""
    return " · ".join(part for part in (title(citation), day(citation.published), citation.article_id) if part)


def _running(speaker: str) -> str:
    """Return a phrase as it runs inside a sentence: an article or a plural that opened one loses its capital."""
    first, _, rest = speaker.partition(" ")
    plain = first.lower() in OPENERS
    return f"{first.lower()} {rest}".strip() if plain else speaker


WHOLE = 100  # characters: up to here the fragment holds all the words, beyond it the first and the last few
EDGE = 5  # words at either end


def link(citation: Citation, text: str) -> str | None:
    """Return the article's address, opening at ``text``; None without an address that a browser can open."""
    if not citation.url or not opens(citation.url):
        return None
    joint = ":~:" if "#" in citation.url else "#:~:"
    return f"{citation.url}{joint}text={_fragment(text)}"


def opens(address: str) -> bool:
    """Return whether a browser can open ``address``; what is written beside an article need not be one at all."""
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False


def _fragment(text: str) -> str:
    words = text.split(" ")
    if len(text) <= WHOLE or len(words) <= 2 * EDGE:
        return _encode(text)
    return f"{_encode(' '.join(words[:EDGE]))},{_encode(' '.join(words[-EDGE:]))}"


def _encode(text: str) -> str:
    # a hyphen marks a prefix or a suffix in a text directive, so it is encoded as well
    return quote(text, safe="", errors="replace").replace("-", "%2D")
