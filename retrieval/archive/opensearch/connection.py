"""An address -> a client of the cluster there, whose failures are this package's errors, in words."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opensearchpy import OpenSearch
from opensearchpy.exceptions import (
    AuthenticationException,
    AuthorizationException,
    ConnectionError as NotConnectedError,
    ImproperlyConfigured,
    OpenSearchException,
    SSLError,
    TransportError,
)
from opensearchpy.helpers.errors import BulkIndexError

from retrieval.archive.opensearch.address import Address, Credentials
from retrieval.errors import ArchiveError, BusyArchiveError, RefusedArchiveError, UnreachableArchiveError

MAJOR = "2"  # of the server's version: 3 leaves a factor out of BM25 by which the features were learned
PATIENCE = 10  # seconds that one request is waited for
RETRIES = 3  # on other hosts where there are any
POOL = 16  # connections to each host: as many threads may ask at once
BUSY, GATEWAYS = 429, (502, 503, 504)

# What fails is told in words of ours; the library would add its traceback to each.
logging.getLogger("opensearch").setLevel(logging.ERROR)


def connect(address: Address, credentials: Credentials) -> OpenSearch:
    """Return a client of the cluster, once that has answered; ``ArchiveError`` where it does not, or is no such."""
    if credentials.authority and not Path(credentials.authority).is_file():
        raise UnreachableArchiveError(f"STET_ARCHIVE_CA names no file: {credentials.authority}")
    told = (credentials.user, credentials.password) if credentials.user else None
    with translated():
        client = OpenSearch(
            [{"host": name, "port": port} for name, port in address.hosts],
            http_auth=told,
            use_ssl=address.secure,
            verify_certs=address.secure,
            ca_certs=credentials.authority or None,
            timeout=PATIENCE,
            max_retries=RETRIES,
            retry_on_timeout=True,
            retry_on_status=GATEWAYS,
            pool_maxsize=POOL,
        )
        version = _version(client.info())
    if version.split(".", maxsplit=1)[0] != MAJOR:
        raise ArchiveError(f"The cluster runs OpenSearch {version}: this program is made for version {MAJOR}.")
    return client


def _version(told: object) -> str:
    match told:
        case {"version": {"number": str(number)}}:
            return number
    raise ArchiveError("What answers there is no OpenSearch: see the host and the port in STET_ARCHIVE.")


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the client raises into errors whose words may be shown to a person."""
    try:
        yield
    except (SSLError, ImproperlyConfigured, OSError) as error:
        raise UnreachableArchiveError(
            f"The archive cannot be reached safely ({type(error).__name__}): see whether STET_ARCHIVE_CA names the"
            " certificates that the cluster's own is signed by."
        ) from error
    except NotConnectedError as error:
        raise UnreachableArchiveError("The archive does not answer: see whether its cluster runs.") from error
    except (AuthenticationException, AuthorizationException) as error:
        raise RefusedArchiveError(
            "The archive refuses this program: see STET_ARCHIVE_USER, STET_ARCHIVE_PASSWORD and the user's role."
        ) from error
    except BulkIndexError as error:
        raise ArchiveError(f"{len(error.errors)} documents could not be written to the archive.") from error
    except TransportError as error:
        raise _told(error) from error
    except OpenSearchException as error:
        raise ArchiveError(f"The archive's answer is not understood ({type(error).__name__}).") from error


def _told(error: TransportError) -> ArchiveError:
    if error.status_code == BUSY:
        return BusyArchiveError("The archive is too busy: try again in a minute.")
    if error.status_code in GATEWAYS:
        return UnreachableArchiveError("Part of the archive does not answer: see whether its cluster is green.")
    return ArchiveError(f"The archive cannot do what it was asked ({error.status_code}, {error.error}).")
