"""The settings of a cluster -> its hosts, what its indexes are called and how they are spread, and who asks."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from retrieval.errors import ArchiveError

SCHEME = "opensearch+"
PORT = 9200
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PREFIX = re.compile(r"[a-z][a-z0-9_]{0,63}")  # no hyphen: what follows one is the index's own
_MOST_SHARDS, _MOST_REPLICAS = 1024, 16
_EXAMPLE = "opensearch+https://search.example:9200/stet"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a cluster is: the hosts that may be asked, by TLS or not, and what the names of its indexes begin with."""

    hosts: tuple[tuple[str, int], ...]
    secure: bool = True
    prefix: str = "stet"


@dataclass(frozen=True, slots=True)
class Sharding:
    """How an index is spread: into so many shards, for good, and so many further copies of each, which may change."""

    shards: int = 1
    replicas: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.shards <= _MOST_SHARDS:
            raise ArchiveError(f"STET_ARCHIVE_SHARDS must be a number from 1 to {_MOST_SHARDS}.")
        if not 0 <= self.replicas <= _MOST_REPLICAS:
            raise ArchiveError(f"STET_ARCHIVE_SHARDS must have a number of copies from 0 to {_MOST_REPLICAS}.")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What lets in: user and password, an API ``key``, or the file of a client ``certificate`` with its key.

    ``authority`` is the file of the certificates that the cluster's own is signed by.
    """

    user: str = ""
    # no secret is shown, wherever a traceback or a log prints this
    password: str = field(default="", repr=False)
    authority: str = field(default="", repr=False)
    key: str = field(default="", repr=False)
    certificate: str = field(default="", repr=False)


def is_opensearch(setting: str) -> bool:
    return setting.startswith(SCHEME)


def parse(setting: str) -> Address:
    """Return the address that ``setting`` is; ``ArchiveError`` where it is none."""
    if "@" in setting:
        raise _wrong("user and password belong in STET_ARCHIVE_LOGIN, not here")
    try:
        parts = urlsplit(setting.removeprefix(SCHEME))
    except ValueError as error:
        raise _wrong("a host is none") from error
    if not is_opensearch(setting) or parts.scheme not in ("https", "http") or parts.query or parts.fragment:
        raise _wrong("it must be opensearch+https://HOST:PORT/NAME and nothing else")
    hosts = tuple(_host(each, parts.scheme) for each in parts.netloc.split(","))
    if parts.scheme == "http" and any(name not in LOOPBACK for name, _ in hosts):
        raise _wrong("without TLS only this machine itself is asked")
    prefix = parts.path.strip("/") or "stet"
    if not _PREFIX.fullmatch(prefix):
        raise _wrong("what follows the host must be small letters, digits and underscores")
    return Address(hosts, parts.scheme == "https", prefix)


def _host(text: str, scheme: str) -> tuple[str, int]:
    try:
        one = urlsplit(f"{scheme}://{text}")
        name, port = one.hostname, one.port
    except ValueError as error:
        raise _wrong(f"{text} is no host with a port") from error
    if not name:
        raise _wrong("a host is missing")
    return name, port or PORT


def _wrong(why: str) -> ArchiveError:
    return ArchiveError(f"STET_ARCHIVE names no OpenSearch cluster: {why}. An example: {_EXAMPLE}")
