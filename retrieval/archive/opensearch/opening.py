"""The setting that names a cluster -> the archive in it."""

from __future__ import annotations

from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.connection import connect


def open_opensearch(setting: str, credentials: Credentials) -> OpenSearchArchive:
    """Return the archive that STET_ARCHIVE names, an empty one where there was none; ``ArchiveError`` where it cannot.

    Raises ``StaleIndexError`` where it has to be filled anew.
    """
    address = parse(setting)
    return OpenSearchArchive(connect(address, credentials), address)
