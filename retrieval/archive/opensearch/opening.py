"""The setting that names a cluster -> the archive in it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.connection import connect
from retrieval.archive.opensearch.filling import copy, fill
from retrieval.archive.transfer import Transferable
from retrieval.model import Reading


def open_opensearch(setting: str, credentials: Credentials) -> OpenSearchArchive:
    """Return the archive that STET_ARCHIVE names, an empty one where there was none; ``ArchiveError`` where it cannot.

    Raises ``StaleIndexError`` where it has to be filled anew.
    """
    address = parse(setting)
    return OpenSearchArchive(connect(address, credentials), address)


def fill_opensearch(setting: str, credentials: Credentials, readings: Mapping[str, Reading]) -> OpenSearchArchive:
    """Return the archive that STET_ARCHIVE names, of just these articles, of whatever make it was before.

    Raises ``ArchiveError`` where it cannot be filled; then it is as it was.
    """
    address = parse(setting)
    client = connect(address, credentials)
    fill(client, address, readings, time.time())
    return OpenSearchArchive(client, address)


def copy_to_opensearch(setting: str, credentials: Credentials, other: Transferable) -> OpenSearchArchive:
    """Return the archive that STET_ARCHIVE names, of just what the other one holds; the rest is as above."""
    address = parse(setting)
    client = connect(address, credentials)
    copy(client, address, other)
    return OpenSearchArchive(client, address)
