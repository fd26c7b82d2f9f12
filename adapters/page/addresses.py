"""Where things stand on the page, and who may open them: addresses, and the passes that they carry.

A pass is a time and a signature. It opens one version of one article, or everything, until its time; it says nothing
of either itself, and cannot be turned into a pass for anything else. The page's libraries are not needed here.
"""

from __future__ import annotations

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlsplit

from adapters.settings import Settings
from bot.model import Citation

VERSION = 12  # hexadecimal digits of the digest: what names a version of an article in an address
DAY = 86_400
LONGEST_TIME = 12  # digits
LEAST_SECRET = 16  # characters
EVERYTHING = "everything"


def version(digest: str) -> str:
    """Return what names a version of an article in its address."""
    return digest[:VERSION]


def article_path(article_id: str, digest: str) -> str:
    """Return the path of an article's page."""
    return f"/a/{segment(article_id)}/{version(digest)}"


def copy_path(article_id: str, digest: str, index: int, form: str) -> str:
    """Return where a sentence is given as it is pasted elsewhere."""
    return f"/copy/{form}/{segment(article_id)}/{version(digest)}/{index}"


def feedback_path(answer: int) -> str:
    """Return where a reader can say what they think of an answer."""
    return f"/feedback/{answer}"


def feedback_scope(answer: int) -> str:
    """Return what the form that judges an answer is signed for, so that no other site can send it."""
    return f"feedback {answer}"


def segment(text: str) -> str:
    """Return ``text`` as one part of a path."""
    return quote(text, safe="", errors="replace")


def article_scope(article_id: str, version: str) -> str:
    """Return what a pass for one version of an article is signed for."""
    return f"article {version} {article_id}"


@dataclass(frozen=True, slots=True)
class Passes:
    """Issues passes that hold for ``days`` and no more than a day longer, and knows its own again."""

    secret: str
    days: int
    now: Callable[[], float] = time.time

    def issue(self, scope: str) -> str:
        """Return a pass for ``scope``; on one day it is always the same, so that one question has one reply."""
        until = (int(self.now()) // DAY + self.days + 1) * DAY
        return f"{until}.{self._signature(scope, str(until))}"

    def also(self, given: str, scope: str) -> str:
        """Return a pass for ``scope`` that ends when ``given``, a pass that holds, does."""
        until = given.partition(".")[0]
        return f"{until}.{self._signature(scope, until)}"

    def opens(self, given: str, scope: str) -> bool:
        """Return whether ``given`` is a pass for ``scope`` that still holds; in the same time, whatever is wrong."""
        until, _, signature = given.partition(".")
        signed = hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(scope, until).encode())
        timely = len(until) <= LONGEST_TIME and until.isascii() and until.isdigit() and int(until) > self.now()
        return signed and timely

    def _signature(self, scope: str, until: str) -> str:
        signed = f"stet page\n{until}\n{scope}".encode("utf-8", "surrogatepass")
        return urlsafe_b64encode(hmac.digest(self.secret.encode(), signed, sha256)).decode("ascii").rstrip("=")


@dataclass(frozen=True, slots=True)
class Pages:
    """Makes the addresses that replies carry; ``url`` is where browsers find the page, without a slash at its end."""

    url: str
    passes: Passes | None = None

    def __call__(self, citation: Citation, index: int) -> str:
        """Return the address of a sentence in its article, with a pass where one is needed."""
        scope = article_scope(citation.article_id, version(citation.digest))
        given = f"?pass={self.passes.issue(scope)}" if self.passes else ""
        return f"{self.url}{article_path(citation.article_id, citation.digest)}{given}#s{index}"


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses within the page, for who came with a ``given`` pass, or needs none.

    ``root`` is the path under which browsers find the page; ``everything`` is False for who may read one article only.
    """

    root: str = ""
    given: str = ""
    everything: bool = True
    forms: tuple[str, ...] = ("text", "markdown")

    def to(self, path: str) -> str:
        """Return an address within the page."""
        return f"{self.root}{path}{f'?pass={self.given}' if self.given else ''}"

    def view(self, name: str, words: str) -> str:
        """Return where a view is, with ``words`` in its field."""
        at = self.to(f"/{name}")
        return f"{at}{'&' if self.given else '?'}q={segment(words)}" if words else at

    def who(self, name: str) -> str:
        """Return where somebody's card is."""
        return self.to(f"/who/{segment(name)}")

    def sentence(self, citation: Citation, index: int) -> str:
        """Return where a sentence stands in its article."""
        return f"{self.to(article_path(citation.article_id, citation.digest))}#s{index}"


def passes(settings: Settings) -> Passes | None:
    """Return what issues passes; None where no secret is set, and the page is for this machine alone."""
    return Passes(settings.page_secret, settings.page_days) if settings.page_secret else None


def pages(settings: Settings) -> Pages | None:
    """Return what makes the addresses that replies carry; None where there is no page to lead to."""
    return Pages(settings.page_url.rstrip("/"), passes(settings)) if settings.page_url else None


def root(settings: Settings) -> str:
    """Return the path under which browsers find the page."""
    return urlsplit(settings.page_url).path.rstrip("/")
