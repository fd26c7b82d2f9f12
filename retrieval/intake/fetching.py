"""An address on the web -> what stands there: within limits, politely, and only if it has changed.

Whatever goes wrong is a ``FetchError`` in words. A site's ``robots.txt`` is obeyed, and nobody is asked twice a second.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import unquote, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import urllib3
from urllib3.exceptions import (
    HTTPError,
    LocationParseError,
    NameResolutionError,
    NewConnectionError,
    SSLError,
    TimeoutError as WaitedError,
)

from retrieval.errors import FetchError, SlowError
from retrieval.intake.public_hosts import Errand, PrivateAddressError, ask
from retrieval.limits import FILE

AGENT = "stet-newsroom"
LONGEST = 60.0  # seconds for all of an answer, redirects and all, however slowly it comes
REDIRECTS = 5
PAUSE = 1.0  # seconds between two requests to one host
LONGEST_PAUSE = 30.0  # seconds that a robots.txt may ask for
CHUNK = 1 << 16
CREDENTIALS = re.compile(r"(?<=://)[^\s/?#]*@")
AGE = 3_600.0  # seconds after which a robots.txt is asked for again
RULES = 500_000  # bytes of a robots.txt that are read
NOTHING = ("User-agent: *", "Disallow: /")
NOT_MODIFIED, OK, CLIENT, GONE, SERVER = 304, 200, 400, 410, 500
WHY: tuple[tuple[type[HTTPError], type[FetchError], str], ...] = (  # the first that fits
    (PrivateAddressError, FetchError, "is, or leads, in a private network, where its feed is not"),
    (LocationParseError, FetchError, "is no address on the web"),
    (NameResolutionError, FetchError, "cannot be reached: its host's name is known nowhere"),
    (NewConnectionError, FetchError, "cannot be reached: nobody answers there"),
    (WaitedError, SlowError, "takes too long"),
    (SSLError, FetchError, "cannot be reached: its certificate does not hold, or it speaks no TLS"),
    (HTTPError, FetchError, "cannot be reached: it speaks no HTTP"),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What stands at an address: ``url`` after redirects, and the marks by which it is asked for again.

    ``private`` says that all of it was had within a private network.
    """

    url: str
    content: bytes
    kind: str
    etag: str = ""
    modified: str = ""
    private: bool = False


class Fetcher:
    """Asks for what stands on the web; ``pause`` waits, ``now`` tells the seconds, an answer may take ``longest``.

    An address that somebody named who keeps this program may be anywhere; one that it leads to may be in a private
    network only where the first was had in one too. Safe for several threads at once.
    """

    def __init__(
        self,
        pause: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        longest: float = LONGEST,
    ) -> None:
        self.pause, self._now, self.longest = pause, now, longest
        self._robots: dict[str, RobotFileParser] = {}
        self._asked: dict[str, float] = {}
        self._turn = threading.Lock()

    def get(
        self, url: str, etag: str = "", modified: str = "", *, named_by: Fetched | None = None, within: float = LONGEST
    ) -> Fetched | None:
        """Return what stands at ``url``; None where it is as it was when it had these marks.

        ``named_by`` is the feed that named it, where one did. Raises ``FetchError``, ``SlowError`` where it does not
        come ``within`` so many seconds.
        """
        private = named_by.private if named_by else None
        within = min(within, self.longest)
        try:
            allowed = self._robots_of(url, private, within).can_fetch(AGENT, url)
        except ValueError as error:  # what is no host once its percent signs are read
            raise _no_address(url) from error
        if not allowed:
            raise FetchError(f"{discreet(url)} may not be read: its site's robots.txt says so.")
        marks = {"If-None-Match": etag, "If-Modified-Since": modified}
        return self._get(url, {name: mark for name, mark in marks.items() if mark}, private, within)

    def _robots_of(self, url: str, private: bool | None, within: float) -> RobotFileParser:  # noqa: FBT001 - as told
        host = _host(url)
        if host not in self._robots or self._robots[host].mtime() + AGE < time.time():
            robots = RobotFileParser()
            try:
                found = self._get(f"{host}/robots.txt", {}, private, within)
                robots.parse(_rules(found.content) if found else [])
            except FetchError as error:
                if error.status < CLIENT:
                    raise
                # one that is not there allows everything, one that cannot be had nothing
                robots.parse([] if error.status < SERVER else NOTHING)
            self._robots[host] = robots
        return self._robots[host]

    def _get(self, url: str, marks: dict[str, str], private: bool | None, within: float) -> Fetched | None:  # noqa: FBT001
        self._wait(url)
        errand = Errand(self._now() + within, self._now, private)
        try:
            place, answer = self._led(url, marks, errand)
            try:
                return self._answered(url, place, answer, errand)
            finally:
                answer.close()
        except TimeoutError as error:
            raise SlowError(f"{discreet(url)} takes too long.") from error
        except HTTPError as error:
            kind, why = next((kind, why) for of, kind, why in WHY if isinstance(error, of))
            raise kind(f"{discreet(url)} {why}.") from error

    def _led(self, url: str, marks: dict[str, str], errand: Errand) -> tuple[str, urllib3.BaseHTTPResponse]:
        """Return what is answered where ``url`` leads in the end, and the address of that."""
        place = url
        for _ in range(REDIRECTS + 1):
            _host(place)
            address = urllib3.util.parse_url(place)
            answer = ask(address, {"User-Agent": AGENT, **marks, **_authorization(address)}, errand)
            further = answer.get_redirect_location()
            if not further:
                return place, answer
            answer.close()
            try:
                place = urljoin(place, further)
            except ValueError as error:
                raise _no_address(further) from error
        raise FetchError(f"{discreet(url)} cannot be reached: it leads on more than {REDIRECTS} times.")

    def _answered(self, url: str, place: str, answer: urllib3.BaseHTTPResponse, errand: Errand) -> Fetched | None:
        if answer.status == NOT_MODIFIED:
            return None
        headers = answer.headers
        if answer.status != OK:
            after = _after(headers.get("Retry-After"))
            raise FetchError(f"{discreet(url)} answers {answer.status}.", answer.status, after)
        content = bytearray()
        for part in answer.stream(CHUNK, decode_content=True):
            content += part
            FILE.check(len(content))
        kind, etag, modified = (
            " ".join(headers.get(name, "").split()) for name in ("Content-Type", "ETag", "Last-Modified")
        )
        return Fetched(place, bytes(content), kind, etag, modified, errand.private is True)

    def _wait(self, url: str) -> None:
        """Wait until the host may be asked again."""
        host = _host(url)
        robots = self._robots.get(host)
        pause = float(min((robots.crawl_delay(AGENT) if robots else None) or PAUSE, LONGEST_PAUSE))
        with self._turn:
            now = self._now()
            turn = self._asked[host] = max(self._asked.get(host, now - pause) + pause, now)
        if turn > now:
            self.pause(turn - now)


def without_password(url: str) -> str:
    """Return an address without whoever connects, and without the password."""
    return CREDENTIALS.sub("", url)


def discreet(url: str) -> str:
    """Return an address as it may be shown: that there is a password in it, and not which."""
    return CREDENTIALS.sub("…@", url)


def _authorization(address: urllib3.util.Url) -> dict[str, str]:
    return urllib3.make_headers(basic_auth=unquote(address.auth)) if address.auth else {}


def _rules(content: bytes) -> list[str]:
    """Return the lines of a robots.txt that can be understood."""
    return [line for line in content[:RULES].decode("utf-8", "replace").splitlines() if _is_understood(line)]


def _is_understood(line: str) -> bool:
    try:
        RobotFileParser().parse(("User-agent: *", line))
    except ValueError:
        return False
    return True


def _no_address(url: str) -> FetchError:
    return FetchError(f"{discreet(url)} is no address on the web.")


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise _no_address(url) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _no_address(url)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def _after(told: str | None) -> float:
    """Return after how many seconds to come again; 0 where that is not told."""
    if not told:
        return 0.0
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
