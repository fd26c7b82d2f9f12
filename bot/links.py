"""Links that open a page at the very words, by the text fragments of the URL standard (WICG)."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from bot.model import Citation

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
