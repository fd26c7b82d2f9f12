"""Connections to addresses that are looked at first: nothing that somebody else names leads into a private network.

A name is resolved once, and what it stood for is what is connected to; certificates are still asked for by the name.
What is read on such a connection comes by a time that holds for all of it: headers, body and where they lead on.
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

CONNECT, READ = 10.0, 20.0  # seconds in which somebody has to answer the call, and to say something
UNICAST = IPv6Network("2000::/3")  # all that is given out of IPv6
DOCUMENTATION = IPv6Network("3fff::/20")  # given out since, to nobody; Python knows of it from 3.13 on
TRANSLATED = IPv6Network("64:ff9b::/96")  # the other protocol's addresses, where a network speaks this one alone


class PrivateAddressError(HTTPError):
    """What was to be asked is in a private network, or this machine itself."""


def is_public(address: str) -> bool:
    """Return whether a numeric address is one machine's on the internet, and not in a network of somebody's own."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or (_low(number) if number in TRANSLATED else None)
        if inner:
            return is_public(str(inner))
        return number in UNICAST and number not in DOCUMENTATION and number.is_global
    return number.is_global and not number.is_multicast


def _low(number: IPv6Address) -> IPv4Address:
    return IPv4Address(int(number) & 0xFFFFFFFF)


@dataclass
class Errand:
    """One request with all that it leads to: by when it is answered, and whether a private network may be asked.

    ``private`` is None where the keeper of this program named the address, which may be anywhere. After each
    connection it says whether everything asked so far is in a private network; from there alone it leads to another.
    """

    until: float
    now: Callable[[], float]
    private: bool | None = None

    def left(self) -> float:
        """Return how many seconds there are; ``TimeoutError`` where there are none."""
        left = self.until - self.now()
        if left <= 0:
            raise TimeoutError
        return left

    def connect(self, host: str, port: int, **how: Any) -> socket.socket:  # noqa: ANN401 - urllib3's own
        """Return a connection to the first address of ``host`` that may be asked and answers; ``OSError`` if none."""
        found = [str(place[4][0]) for place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        allowed = [address for address in dict.fromkeys(found) if self.private is not False or is_public(address)]
        if not allowed:
            raise PrivateAddressError
        trouble = OSError()
        for address in allowed:
            try:
                made = create_connection((address, port), min(CONNECT, self.left()), **how)
            except OSError as error:
                trouble = error
            else:
                self.private = self.private is not False and not is_public(address)
                return made
        raise trouble


class _Clocked(io.RawIOBase):
    """What comes on a connection, as long as there is time."""

    def __init__(self, errand: Errand, made: socket.socket) -> None:
        self._errand, self._made, self._raw = errand, made, made.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401 - as the class above it has it
        self._made.settimeout(min(READ, self._errand.left()))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Answer(HTTPResponse):
    """An answer that is read by the errand's clock."""

    def __init__(self, errand: Errand, made: socket.socket, *args: Any, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(made, *args, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_Clocked(errand, made))


class _Errands:
    """Makes a connection as its errand allows."""

    def __init__(self, *args: Any, errand: Errand, **more: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(*args, **more)
        self._errand = errand
        self.response_class: Any = partial(_Answer, errand)

    def _new_conn(self: Any) -> socket.socket:
        try:
            made: socket.socket = self._errand.connect(self.host, self.port, socket_options=self.socket_options)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, "too late") from error
        except (OSError, UnicodeError) as error:
            raise NewConnectionError(self, str(error)) from error
        return made


class _Connection(_Errands, HTTPConnection):
    pass


class _TlsConnection(_Errands, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


def ask(url: urllib3.util.Url, headers: dict[str, str], errand: Errand) -> urllib3.BaseHTTPResponse:
    """Return what ``url`` answers, not read yet; a redirect is an answer. Raises ``HTTPError``."""
    pool = (_TlsPool if url.scheme == "https" else _Pool)(
        url.host or "", url.port, timeout=min(CONNECT, errand.left()), errand=errand
    )
    return pool.urlopen("GET", url.request_uri, headers=headers, redirect=False, retries=False, preload_content=False)
