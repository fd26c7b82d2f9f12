"""Connections with checked addresses: no page and no redirect can lead into a private network.

A name is resolved once, and that address is connected to; certificates are checked against the name.
One time limit applies to a whole request: headers, body and redirects.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

CONNECT_SECONDS, READ_SECONDS = 10.0, 20.0
UNICAST = IPv6Network("2000::/3")  # all of IPv6 that is assigned
DOCUMENTATION = IPv6Network("3fff::/20")  # Python knows of it from 3.13 on
TRANSLATED = IPv6Network("64:ff9b::/96")  # IPv4 addresses in networks that only have IPv6


class PrivateAddressError(HTTPError):
    """The address is in a private network, or this machine."""


def is_public(address: str) -> bool:
    """Whether a numeric address is on the internet and not in a private network."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        translated = IPv4Address(int(number) & 0xFFFFFFFF) if number in TRANSLATED else None
        inner = number.ipv4_mapped or number.sixtofour or translated
        if inner:
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


class _TimedStream(io.RawIOBase):
    """What comes on a connection, until the time is over."""

    def __init__(self, budget: RequestBudget, connection: socket.socket) -> None:
        self._budget, self._connection, self._raw = budget, connection, connection.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401 - as its base class has it
        self._connection.settimeout(min(READ_SECONDS, self._budget.seconds_left()))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(HTTPResponse):
    def __init__(self, budget: RequestBudget, connection: socket.socket, *args: Any, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(connection, *args, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_TimedStream(budget, connection))


class _CheckedConnection:
    def __init__(self, *args: Any, budget: RequestBudget, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(*args, **more)
        self._budget = budget
        self.response_class: Any = partial(_TimedResponse, budget)

    def _new_conn(self: Any) -> socket.socket:
        try:
            connection: socket.socket = self._budget.connect(self.host, self.port, socket_options=self.socket_options)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, "too late") from error
        except (OSError, UnicodeError) as error:
            raise NewConnectionError(self, str(error)) from error
        return connection


class _Connection(_CheckedConnection, HTTPConnection):
    pass


class _TlsConnection(_CheckedConnection, HTTPSConnection):
    pass


def send(url: urllib3.util.Url, headers: dict[str, str], budget: RequestBudget) -> urllib3.BaseHTTPResponse:
    """Return the response of ``url``, be it a redirect, with its content not read yet. Raises ``HTTPError``."""
    is_tls = url.scheme == "https"
    kind = urllib3.HTTPSConnectionPool if is_tls else urllib3.HTTPConnectionPool
    pool = kind(url.host or "", url.port, timeout=min(CONNECT_SECONDS, budget.seconds_left()), budget=budget)
    pool.ConnectionCls = _TlsConnection if is_tls else _Connection
    return pool.urlopen("GET", url.request_uri, headers=headers, redirect=False, retries=False, preload_content=False)
