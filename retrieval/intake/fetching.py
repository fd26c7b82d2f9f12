"""An address on the web -> what stands there: within limits, politely, and only if it has changed.

Whatever goes wrong is a ``FetchError`` in words. A site's ``robots.txt`` is obeyed, and nobody is asked twice a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import urllib3
from urllib3.exceptions import HTTPError

from retrieval.errors import FetchError
from retrieval.intake.public_hosts import PrivateAddressError, is_private_host, public_only
from retrieval.limits import FILE

AGENT = "stet-newsroom"
TIMEOUT = urllib3.Timeout(connect=10, read=20)
LONGEST = 60.0  # seconds for all of an answer, however slowly it comes
REDIRECTS = 5
PAUSE = 1.0  # seconds between two requests to one host
LONGEST_PAUSE = 30.0  # seconds that a robots.txt may ask for
CHUNK = 1 << 16
NOTHING = ("User-agent: *", "Disallow: /")
NOT_MODIFIED, OK, CLIENT, GONE, SERVER = 304, 200, 400, 410, 500


@dataclass(frozen=True, slots=True)
class Fetched:
    """What stands at an address: ``url`` after redirects, and the marks by which it is asked for again."""

    url: str
    content: bytes
    kind: str
    etag: str = ""
    modified: str = ""


class Fetcher:
    """Asks for what stands on the web; ``pause`` waits, ``now`` tells the seconds.

    An address that somebody named who keeps this program may be anywhere; one that it leads to may be in a private
    network only where the first is in one too.
    """

    def __init__(self, pause: Callable[[float], None] = time.sleep, now: Callable[[], float] = time.monotonic) -> None:
        self._pause, self._now = pause, now
        self._anywhere = urllib3.PoolManager(timeout=TIMEOUT)
        self._public = public_only(urllib3.PoolManager(timeout=TIMEOUT))
        self._robots: dict[str, RobotFileParser] = {}
        self._asked: dict[str, float] = {}

    def get(self, url: str, etag: str = "", modified: str = "", *, named_by: str = "") -> Fetched | None:
        """Return what stands at ``url``; None where it is as it was when it had these marks.

        ``named_by`` is the feed that named it, where one did. Raises ``FetchError``.
        """
        pools = self._anywhere if is_private_host(urlsplit(_host(named_by or url)).hostname or "") else self._public
        if not self._robots_of(url, pools).can_fetch(AGENT, url):
            raise FetchError(f"{url} may not be read: its site's robots.txt says so.")
        marks = {"If-None-Match": etag, "If-Modified-Since": modified}
        return self._get(url, {name: mark for name, mark in marks.items() if mark}, pools)

    def _robots_of(self, url: str, pools: urllib3.PoolManager) -> RobotFileParser:
        host = _host(url)
        if host not in self._robots:
            robots = RobotFileParser()
            try:
                found = self._get(f"{host}/robots.txt", {}, pools)
                robots.parse(found.content.decode("utf-8", "replace").splitlines() if found else [])
            except FetchError as error:
                if error.status < CLIENT:
                    raise
                # one that is not there allows everything, one that cannot be had nothing
                robots.parse([] if error.status < SERVER else NOTHING)
            self._robots[host] = robots
        return self._robots[host]

    def _get(self, url: str, marks: dict[str, str], pools: urllib3.PoolManager) -> Fetched | None:
        self._wait(url)
        retries = urllib3.Retry(connect=0, read=0, other=0, redirect=REDIRECTS, respect_retry_after_header=False)
        try:
            answer = pools.request(
                "GET", url, headers={"User-Agent": AGENT, **marks}, retries=retries, preload_content=False
            )
            try:
                return self._answered(url, answer)
            finally:
                answer.close()
        except PrivateAddressError as error:
            raise FetchError(f"{url} is, or leads, in a private network, where its feed is not.") from error
        except HTTPError as error:
            raise FetchError(f"{url} cannot be reached ({type(error).__name__}).") from error

    def _answered(self, url: str, answer: urllib3.BaseHTTPResponse) -> Fetched | None:
        if answer.status == NOT_MODIFIED:
            return None
        if answer.status != OK:
            raise FetchError(
                f"{url} answers {answer.status}.", answer.status, _after(answer.headers.get("Retry-After"))
            )
        headers = answer.headers
        return Fetched(
            url=urljoin(url, answer.url or url),
            content=self._content(url, answer),
            kind=headers.get("Content-Type", ""),
            etag=headers.get("ETag", ""),
            modified=headers.get("Last-Modified", ""),
        )

    def _content(self, url: str, answer: urllib3.BaseHTTPResponse) -> bytes:
        until = self._now() + LONGEST
        content = b""
        for part in answer.stream(CHUNK, decode_content=True):
            content += part
            FILE.check(len(content))
            if self._now() > until:
                raise FetchError(f"{url} takes too long.")
        return content

    def _wait(self, url: str) -> None:
        """Wait until the host may be asked again."""
        host = _host(url)
        robots = self._robots.get(host)
        pause = min(float(robots.crawl_delay(AGENT) or PAUSE) if robots else PAUSE, LONGEST_PAUSE)
        left = self._asked.get(host, -pause) + pause - self._now()
        if left > 0:
            self._pause(left)
        self._asked[host] = self._now()


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise FetchError(f"{url} is no address.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise FetchError(f"{url} is no address on the web.")
    return f"{parts.scheme}://{parts.netloc}"


def _after(told: str | None) -> float:
    """Return after how many seconds to come again; 0 where that is not told."""
    if not told:
        return 0.0
    if told.isascii() and told.isdigit():
        return float(told[:9])
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return 0.0
