"""The setting that names a cluster -> its hosts, and how the indexes in it are called and spread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, urlsplit

from retrieval.errors import ArchiveError

SCHEME = "opensearch+"
PORT = 9200
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PREFIX = re.compile(r"[a-z][a-z0-9_]{0,63}")  # no hyphen: what follows one is the index's own
_COUNTS = {"shards": 1024, "replicas": 16}  # the most there can be
_EXAMPLE = "opensearch+https://search.example:9200/stet?shards=1&replicas=1"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a cluster is: the hosts that may be asked, and by TLS or not.

    The names of its indexes begin with ``prefix``; a new one has so many ``shards``, each with so many ``replicas``.
    """

    hosts: tuple[tuple[str, int], ...]
    secure: bool = True
    prefix: str = "stet"
    shards: int = 1
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Credentials:
    """User and password for the cluster; ``authority`` is the file of the certificates that its own is signed by."""

    user: str = ""
    password: str = ""
    authority: str = ""

    def __repr__(self) -> str:
        """Show no secret, wherever a traceback or a log prints this."""
        return f"Credentials(user={self.user!r})"


def is_opensearch(setting: str) -> bool:
    """Return whether STET_ARCHIVE names a cluster and not a file."""
    return setting.startswith(SCHEME)


def parse(setting: str) -> Address:
    """Return the address that ``setting`` is; ``ArchiveError`` where it is none."""
    if "@" in setting:
        raise _wrong("user and password belong in STET_ARCHIVE_USER and STET_ARCHIVE_PASSWORD, not here")
    try:
        parts = urlsplit(setting.removeprefix(SCHEME))
    except ValueError as error:
        raise _wrong("a host is none") from error
    if not is_opensearch(setting) or parts.scheme not in ("https", "http") or parts.fragment:
        raise _wrong("it must begin with opensearch+https://")
    hosts = tuple(_host(each, parts.scheme) for each in parts.netloc.split(","))
    if parts.scheme == "http" and any(name not in LOOPBACK for name, _ in hosts):
        raise _wrong("without TLS only this machine itself is asked")
    prefix = parts.path.strip("/") or "stet"
    if not _PREFIX.fullmatch(prefix):
        raise _wrong("what follows the host must be small letters, digits and underscores")
    return Address(hosts, parts.scheme == "https", prefix, **_counts(parts))


def _host(text: str, scheme: str) -> tuple[str, int]:
    try:
        one = urlsplit(f"{scheme}://{text}")
        name, port = one.hostname, one.port
    except ValueError as error:
        raise _wrong(f"{text} is no host with a port") from error
    if not name:
        raise _wrong("a host is missing")
    return name, port or PORT


def _counts(parts: SplitResult) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, text in parse_qsl(parts.query, keep_blank_values=True):
        least = 1 if name == "shards" else 0
        if name not in _COUNTS or not (text.isascii() and text.isdigit() and least <= int(text) <= _COUNTS[name]):
            raise _wrong(f"{name}={text} cannot be used")
        found[name] = int(text)
    return found


def _wrong(why: str) -> ArchiveError:
    return ArchiveError(f"STET_ARCHIVE names no OpenSearch cluster: {why}. An example: {_EXAMPLE}")
