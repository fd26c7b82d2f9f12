"""Connections that are made to public addresses alone, whatever a name is said to stand for at that moment.

What a feed names, and where a redirect leads, is somebody else's word: it must not make this machine ask its own
network. So each connection is looked at once it stands and before anything is said on it.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError


class PrivateAddressError(HTTPError):
    """What was to be asked is in a private network, or this machine itself."""


def is_public(address: str) -> bool:
    """Return whether a numeric address is one of the internet's, and not of a network of somebody's own."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour
        return is_public(str(inner)) if inner else number.is_global
    return number.is_global


def is_private_host(host: str) -> bool:
    """Return whether a host, by name or number, stands for private addresses only; not one that stands for none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return bool(found) and not any(is_public(str(place[4][0])) for place in found)


class _Checked:
    """Lets go of a connection that is not to a public address."""

    def _new_conn(self) -> socket.socket:
        made: socket.socket = super()._new_conn()  # type: ignore[misc]  # of the connection that this is mixed into
        if not is_public(str(made.getpeername()[0])):
            made.close()
            raise PrivateAddressError
        return made


class _PublicConnection(_Checked, HTTPConnection):
    pass


class _PublicTlsConnection(_Checked, HTTPSConnection):
    pass


class _PublicPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicTlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _PublicTlsConnection


POOLS: Mapping[str, Any] = {"http": _PublicPool, "https": _PublicTlsPool}


def public_only(pools: urllib3.PoolManager) -> urllib3.PoolManager:
    """Return ``pools``, which raise ``PrivateAddressError`` from now on instead of asking a private address."""
    pools.pool_classes_by_scheme = dict(POOLS)
    return pools
