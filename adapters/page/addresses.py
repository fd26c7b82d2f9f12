"""The page's addresses, and the passes that they carry.

A pass is an expiry time and a signature. It opens one version of one article, or everything; it does not say which,
and cannot be turned into a pass for anything else. This module needs none of the page's libraries.
"""

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlencode

from adapters.settings import Settings
from bot.model import Citation

VERSION_DIGITS = 12  # of the digest, hexadecimal: they name a version of an article in an address
PASS_DAYS, DAY_SECONDS = 7, 86_400
MAX_TIME_DIGITS = 12
SHORTEST_SECRET = 16  # characters
EVERYTHING = "everything"
FEEDBACK = "feedback {}"  # what the form for an answer's number is signed for, so that no other site can send it


def version(digest: str) -> str:
    return digest[:VERSION_DIGITS]


def article_path(article_id: str, digest: str) -> str:
    return f"/a/{segment(article_id)}/{version(digest)}"


def copy_path(article_id: str, digest: str, places: Iterable[int], form: str) -> str:
    """Return where the sentences at these places, which are one quotation, are copied from."""
    return f"/copy/{form}/{segment(article_id)}/{version(digest)}/{'_'.join(map(str, places))}"


def segment(text: str) -> str:
    return quote(text, safe="", errors="replace")


def article_scope(article_id: str, version: str) -> str:
    """Return what a pass for one version of an article is signed for."""
    return f"article {version} {article_id}"


@dataclass(frozen=True, slots=True)
class Passes:
    """Issues and checks passes that are valid for ``days``, and at most a day longer."""

    secret: str
    days: int = PASS_DAYS
    now: Callable[[], float] = time.time

    def issue(self, scope: str, valid: str = "") -> str:
        """Return a pass for ``scope`` that expires together with the ``valid`` pass, if any.

        Without one it is the same all day, so that the same question gets the same reply.
        """
        until = valid.partition(".")[0] or str((int(self.now()) // DAY_SECONDS + self.days + 1) * DAY_SECONDS)
        return f"{until}.{self._signature(scope, until)}"

    def opens(self, token: str, scope: str) -> bool:
        """Return whether ``token`` is a valid pass for ``scope``. Takes constant time."""
        until, _, signature = token.partition(".")
        is_signed = hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(scope, until).encode())
        is_current = len(until) <= MAX_TIME_DIGITS and until.isascii() and until.isdigit() and int(until) > self.now()
        return is_signed and is_current

    def _signature(self, scope: str, until: str) -> str:
        signed = f"stet page\n{until}\n{scope}".encode("utf-8", "surrogatepass")
        return urlsafe_b64encode(hmac.digest(self.secret.encode(), signed, sha256)).decode("ascii").rstrip("=")


@dataclass(frozen=True, slots=True)
class Pages:
    """Makes the links in replies to the page; ``url`` is where browsers find it, without a slash at the end."""

    url: str
    passes: Passes | None = None

    def __call__(self, citation: Citation, index: int) -> str:
        """Return the URL of a sentence in its article, with a pass where one is needed."""
        scope = article_scope(citation.article_id, version(citation.digest))
        return Links(self.url, self.passes.issue(scope) if self.passes else "").sentence(citation, index)


@dataclass(frozen=True, slots=True)
class Links:
    """Makes links within the page that carry on the pass ``token``, if any.

    ``root`` is the path under which browsers find the page; ``everything`` is False for a pass for one article.
    """

    root: str = ""
    token: str = ""
    everything: bool = True
    forms: tuple[str, ...] = ("text", "markdown")

    def to(self, path: str, **sent: str | Sequence[str]) -> str:
        given = {name: value for name, value in {"pass": self.token, **sent}.items() if value}
        query = urlencode(given, doseq=True, safe="", errors="replace", quote_via=quote)
        return f"{self.root}{path}{'?' * bool(given)}{query}"

    def who(self, name: str) -> str:
        return self.to(f"/who/{segment(name)}")

    def sentence(self, citation: Citation, index: int) -> str:
        return f"{self.to(article_path(citation.article_id, citation.digest))}#s{index}"


def passes(settings: Settings) -> Passes | None:
    """Return what issues passes; None where no secret is set, and the page is only for this machine."""
    return Passes(settings.page_secret) if settings.page_secret else None


def pages(settings: Settings) -> Pages | None:
    """Return what makes the links in replies; None where the page has no address."""
    return Pages(settings.page_url.rstrip("/"), passes(settings)) if settings.page_url else None
