"""An address -> a client of the cluster there, whose failures are this package's errors, in words."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from opensearchpy import OpenSearch, exceptions
from opensearchpy.helpers.errors import BulkIndexError

from retrieval.archive.opensearch.address import Address, Credentials
from retrieval.errors import ArchiveError, BusyArchiveError, RefusedArchiveError, UnreachableArchiveError

PATIENCE = 10  # seconds that one request is waited for
OLDEST = 2  # version of the server
RETRIES = 3  # on other hosts where there are any
WHOLE = {"allow_partial_search_results": False}  # without it, articles of a failed shard would be missing unnoticed
_RIGHT = re.compile(r"(?:cluster|indices):[\w/*]+")  # as roles name it
_FULL = re.compile("read-only|flood-stage|cluster_block_exception")
ANOTHER = "Another process is filling the archive in the cluster: fill from one place only, and again."
CONFLICT = 409
PARTLY = "Part of the archive does not answer: see whether its cluster is green."
UNKNOWN, FORBIDDEN, BUSY, GATEWAYS = 401, 403, 429, (502, 503, 504)

# Failures are reported in our own words; the library would add a traceback to each.
logging.getLogger("opensearch").setLevel(logging.ERROR)


def connect(address: Address, credentials: Credentials) -> OpenSearch:
    """Return a client of the cluster, once that has answered; ``ArchiveError`` where it does not, or is no such."""
    if credentials.authority and not Path(credentials.authority).is_file():
        raise UnreachableArchiveError(f"STET_ARCHIVE_CA names no file: {credentials.authority}")
    with translated():
        client = OpenSearch(
            [{"host": name, "port": port} for name, port in address.hosts],
            http_auth=(credentials.user, credentials.password) if credentials.user else None,
            headers={"authorization": f"ApiKey {credentials.key}"} if credentials.key else None,
            client_cert=credentials.certificate or None,
            use_ssl=address.secure,
            verify_certs=address.secure,
            ca_certs=credentials.authority or None,
            timeout=PATIENCE,
            max_retries=RETRIES,
            retry_on_timeout=True,
            retry_on_status=GATEWAYS,
        )
        match client.info():
            case {"version": {"number": str(version)}}:
                if int(version.partition(".")[0]) >= OLDEST:
                    return client
                raise ArchiveError(f"OpenSearch {version} is too old: {OLDEST} is needed, or newer.")
    raise ArchiveError("What answers there is no OpenSearch: see the host and the port in STET_ARCHIVE.")


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the client raises into errors whose words may be shown to a person."""
    try:
        yield
    except (exceptions.SSLError, exceptions.ImproperlyConfigured) as error:
        raise UnreachableArchiveError(
            f"The archive cannot be reached safely ({type(error).__name__}): see whether STET_ARCHIVE_CA names the"
            " certificates that the cluster's own is signed by, and whether that one is for the host as STET_ARCHIVE"
            " names it."
        ) from error
    except exceptions.ConnectionError as error:
        raise UnreachableArchiveError("The archive does not answer: see whether its cluster runs.") from error
    except BulkIndexError as error:
        raise _unwritten(error) from None  # it has the words of articles
    except exceptions.TransportError as error:
        raise _archive_error(error) from error
    except exceptions.OpenSearchException as error:
        raise ArchiveError(f"The archive's answer is not understood ({type(error).__name__}).") from error


def _refused(error: object) -> ArchiveError:
    """Return the error of a right that is missing, with its name where the server says it; or of a full disk."""
    if _FULL.search(str(error)):
        return ArchiveError(
            "The cluster's disk is full, and so it takes no articles: free some space, then fill again. Questions are"
            " answered as before."
        )
    found = _RIGHT.search(str(error))
    right = f" ({found[0]})" if found else ""
    return RefusedArchiveError(
        f"The archive does not let this user do that{right}: see STET_ARCHIVE_LOGIN and the user's role."
    )


def _unwritten(error: BulkIndexError) -> ArchiveError:
    failed = [item for each in error.errors for item in each.values()]
    refused = [item for item in failed if item.get("status") == FORBIDDEN]
    if refused or _FULL.search(str([item.get("error") for item in failed])):
        return _refused(refused or failed)
    if any(item.get("status") == CONFLICT for item in failed):
        return ArchiveError(ANOTHER)
    return ArchiveError(f"{len(failed)} documents could not be written to the archive.")


def _archive_error(error: exceptions.TransportError) -> ArchiveError:
    if error.status_code == UNKNOWN:
        return RefusedArchiveError("The archive does not let this user in: see STET_ARCHIVE_LOGIN.")
    if error.status_code == FORBIDDEN or _FULL.search(str(error.info)):
        return _refused(error.info)
    if error.status_code == BUSY:
        return BusyArchiveError("The archive is too busy: try again in a minute.")
    if error.status_code in GATEWAYS:
        return UnreachableArchiveError(PARTLY)
    return ArchiveError(f"The archive cannot do what it was asked ({error.status_code}, {error.error}).")
