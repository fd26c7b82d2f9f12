"""An address on the web -> its content: within limits, politely, and only if it has changed.

Every failure is a ``FetchError`` with a sentence. ``robots.txt`` is obeyed, and a host is asked once a second at most.

No page and no redirect can lead into a private network: a name is resolved once, and that address is checked and
connected to; certificates are checked against the name.
One time limit applies to a whole request: headers, body and redirects.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import urllib3
from urllib3 import exceptions
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util.connection import create_connection

from retrieval.errors import FetchError, SlowError
from retrieval.intake.metadata import CREDENTIALS
from retrieval.limits import FILE

AGENT = "stet-newsroom"
TIMEOUT_SECONDS = 60.0  # for a whole response, with redirects
CONNECT_SECONDS, READ_SECONDS = 10.0, 20.0
MOST_REDIRECTS = 5
PAUSE_SECONDS = 1.0  # between two requests to one host
LONGEST_WAIT_SECONDS = 86_400  # that a server may ask for
MOST_PAUSE_SECONDS = 30.0  # that a robots.txt may ask for
CHUNK_BYTES = 1 << 16
ROBOTS_SECONDS = 3_600.0  # after which a robots.txt is fetched again
MOST_ROBOTS_BYTES = 500_000  # that are read
DISALLOW_ALL = ("User-agent: *", "Disallow: /")
NOT_MODIFIED, OK, CLIENT, GONE, SERVER = 304, 200, 400, 410, 500
UNICAST = IPv6Network("2000::/3")  # all of IPv6 that is assigned
DOCUMENTATION = IPv6Network("3fff::/20")  # Python knows of it from 3.13 on
TRANSLATED = IPv6Network("64:ff9b::/96")  # IPv4 addresses in networks that only have IPv6


class PrivateAddressError(exceptions.HTTPError):
    """The address is in a private network, or this machine."""


REASONS: tuple[tuple[type[Exception], type[FetchError], str], ...] = (  # the first that fits
    (TimeoutError, SlowError, "takes too long"),
    (PrivateAddressError, FetchError, "is in a private network or redirects there, and its feed is not"),
    (exceptions.LocationParseError, FetchError, "is not a web address"),
    (exceptions.NameResolutionError, FetchError, "cannot be reached: there is no such host"),
    (exceptions.NewConnectionError, FetchError, "cannot be reached: no server answers"),
    (exceptions.TimeoutError, SlowError, "takes too long"),
    (exceptions.SSLError, FetchError, "cannot be reached: its certificate is not valid, or it has no TLS"),
    (exceptions.HTTPError, FetchError, "cannot be reached: it does not answer in HTTP"),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The content of an address: ``url`` after redirects, and the marks for asking whether it has changed.

    ``private`` where the whole request stayed in a private network.
    """

    url: str
    content: bytes
    kind: str
    etag: str = ""
    modified: str = ""
    private: bool = False


class Fetcher:
    """Fetches addresses; ``longest`` is how many seconds a response may take. Safe for several threads.

    An address that the administrator named may be anywhere. One that a page or a redirect names may be in a private
    network only if the first one was in one too.
    """

    def __init__(
        self,
        pause: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        longest: float = TIMEOUT_SECONDS,
    ) -> None:
        self.pause, self._now, self.longest = pause, now, longest
        self._robots: dict[str, RobotFileParser] = {}
        self._next_request: dict[str, float] = {}
        self._lock = threading.Lock()

    def get(
        self,
        url: str,
        etag: str = "",
        modified: str = "",
        *,
        referrer: Fetched | None = None,
        within: float = TIMEOUT_SECONDS,
    ) -> Fetched | None:
        """Return the content of ``url``; None where it has not changed since it had these marks.

        ``referrer`` is the feed that named it. Raises ``FetchError``, ``SlowError`` after ``within`` seconds.
        """
        private = referrer.private if referrer else None
        within = min(within, self.longest)
        try:
            allowed = self._robots_of(url, private, within).can_fetch(AGENT, url)
        except ValueError as error:  # not a host once its percent signs are decoded
            raise _no_address(url) from error
        if not allowed:
            raise FetchError(f"{discreet(url)} may not be read: the site's robots.txt forbids it.")
        marks = {"If-None-Match": etag, "If-Modified-Since": modified}
        return self._get(url, {name: mark for name, mark in marks.items() if mark}, private, within)

    def _robots_of(self, url: str, private: bool | None, within: float) -> RobotFileParser:  # noqa: FBT001
        host = _host(url)
        if host not in self._robots or self._robots[host].mtime() + ROBOTS_SECONDS < time.time():
            robots = RobotFileParser()
            try:
                fetched = self._get(f"{host}/robots.txt", {}, private, within)
                lines = fetched.content[:MOST_ROBOTS_BYTES].decode("utf-8", "replace").splitlines() if fetched else []
                valid = list[str]()
                for line in lines:
                    with suppress(ValueError):
                        RobotFileParser().parse(("User-agent: *", line))
                        valid.append(line)
                robots.parse(valid)
            except FetchError as error:
                if error.status < CLIENT:
                    raise
                # a missing one allows everything, one behind a server error nothing
                robots.parse([] if error.status < SERVER else DISALLOW_ALL)
            self._robots[host] = robots
        return self._robots[host]

    def _get(self, url: str, marks: dict[str, str], private: bool | None, within: float) -> Fetched | None:  # noqa: FBT001
        self._wait(url)
        budget = RequestBudget(self._now() + within, self._now, private)
        try:
            place, response = self._follow(url, marks, budget)
            with response:
                if response.status == NOT_MODIFIED:
                    return None
                if response.status != OK:
                    after = _retry_after(response.headers.get("Retry-After"))
                    raise FetchError(f"{discreet(url)} answers {response.status}.", response.status, after)
                content = bytearray()
                for part in response.stream(CHUNK_BYTES, decode_content=True):
                    content += part
                    FILE.check(len(content))
                names = ("Content-Type", "ETag", "Last-Modified")
                kind, etag, modified = (" ".join(response.headers.get(name, "").split()) for name in names)
                return Fetched(place, bytes(content), kind, etag, modified, budget.private is True)
        except (TimeoutError, exceptions.HTTPError) as error:
            of_it, reason = next((of_it, reason) for of, of_it, reason in REASONS if isinstance(error, of))
            raise of_it(f"{discreet(url)} {reason}.") from error

    def _follow(self, url: str, marks: dict[str, str], budget: RequestBudget) -> tuple[str, urllib3.BaseHTTPResponse]:
        place = url
        for _ in range(MOST_REDIRECTS + 1):
            _host(place)
            address = urllib3.util.parse_url(place)
            password = urllib3.make_headers(basic_auth=unquote(address.auth)) if address.auth else {}
            response = _send(address, {"User-Agent": AGENT, **marks, **password}, budget)
            if not (target := response.get_redirect_location()):
                return place, response
            response.close()
            try:
                place = urljoin(place, target)
            except ValueError as error:
                raise _no_address(target) from error
        raise FetchError(f"{discreet(url)} cannot be reached: it redirects more than {MOST_REDIRECTS} times.")

    def _wait(self, url: str) -> None:
        host = _host(url)
        robots = self._robots.get(host)
        pause = float(min((robots.crawl_delay(AGENT) if robots else None) or PAUSE_SECONDS, MOST_PAUSE_SECONDS))
        with self._lock:
            now = self._now()
            moment = self._next_request[host] = max(self._next_request.get(host, now - pause) + pause, now)
        if moment > now:
            self.pause(moment - now)


def without_password(url: str) -> str:
    return CREDENTIALS.sub("", url)


def discreet(url: str) -> str:
    """Return an address for messages, with "…" for user name and password."""
    return CREDENTIALS.sub("…@", url)


def _no_address(url: str) -> FetchError:
    return FetchError(f"{discreet(url)} is not a web address.")


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


def _retry_after(header: str | None) -> float:
    """Return the seconds of a Retry-After header; 0 where there is none."""
    with suppress(exceptions.InvalidHeader, ValueError, OverflowError):
        return float(urllib3.Retry(retry_after_max=LONGEST_WAIT_SECONDS).parse_retry_after(header or ""))
    return 0.0


def is_public(address: str) -> bool:
    """Whether a numeric address is on the internet and not in a private network."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        translated = IPv4Address(int(number) & 0xFFFFFFFF) if number in TRANSLATED else None
        if inner := number.ipv4_mapped or number.sixtofour or translated:
            return is_public(str(inner))
        return number in UNICAST and number not in DOCUMENTATION and number.is_global
    return number.is_global and not number.is_multicast


@dataclass
class RequestBudget:
    """The limits of one request with its redirects: ``until`` when, and whether it may enter a private network.

    ``private`` is None where the administrator named the address, which may be anywhere. After each connection it is
    whether all addresses so far were in a private network; only then may the next one be in one.
    """

    until: float
    now: Callable[[], float]
    private: bool | None = None

    def seconds_left(self) -> float:
        seconds = self.until - self.now()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def connect(self, host: str, port: int, **how: Any) -> socket.socket:  # noqa: ANN401 - urllib3's own
        """Connect to the first address of ``host`` that is allowed and answers; ``OSError`` if none does."""
        addresses = [str(place[4][0]) for place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        allowed = [address for address in dict.fromkeys(addresses) if self.private is not False or is_public(address)]
        if not allowed:
            raise PrivateAddressError
        last_error = OSError()
        for address in allowed:
            try:
                connection = create_connection((address, port), min(CONNECT_SECONDS, self.seconds_left()), **how)
            except OSError as error:
                last_error = error
            else:
                self.private = self.private is not False and not is_public(address)
                return connection
        raise last_error


class _TimedResponse(HTTPResponse):
    """A response whose every read ends when the time is over."""

    def __init__(self, budget: RequestBudget, connection: socket.socket, *args: Any, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(connection, *args, **more)
        stream: Any = self.fp.raw
        readinto: Callable[[Any], int | None] = stream.readinto

        def timed(buffer: Any) -> int | None:  # noqa: ANN401 - as its base class has it
            connection.settimeout(min(READ_SECONDS, budget.seconds_left()))
            return readinto(buffer)

        stream.readinto = timed


class _CheckedConnection(HTTPConnection):
    def __init__(self, *args: Any, budget: RequestBudget, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(*args, **more)
        self._budget = budget
        self.response_class: Any = partial(_TimedResponse, budget)

    def _new_conn(self) -> socket.socket:
        try:
            return self._budget.connect(self.host, self.port, socket_options=self.socket_options)
        except socket.gaierror as error:
            raise exceptions.NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise exceptions.ConnectTimeoutError(self, "too late") from error
        except (OSError, UnicodeError) as error:
            raise exceptions.NewConnectionError(self, str(error)) from error


class _TlsConnection(_CheckedConnection, HTTPSConnection): ...


def _send(url: urllib3.util.Url, headers: dict[str, str], budget: RequestBudget) -> urllib3.BaseHTTPResponse:
    """Return the response of ``url``, be it a redirect, with its content not read yet. Raises urllib3's errors."""
    is_tls = url.scheme == "https"
    kind = urllib3.HTTPSConnectionPool if is_tls else urllib3.HTTPConnectionPool
    pool = kind(url.host or "", url.port, timeout=min(CONNECT_SECONDS, budget.seconds_left()), budget=budget)
    pool.ConnectionCls = _TlsConnection if is_tls else _CheckedConnection
    return pool.urlopen("GET", url.request_uri, headers=headers, redirect=False, retries=False, preload_content=False)
