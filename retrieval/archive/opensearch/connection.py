"""An address -> a client of the cluster there, whose failures are this package's errors, in words.

What a query finds there is given a page at a time, as all of it was at one moment.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
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
from retrieval.archive.opensearch.schema import Body
from retrieval.errors import ArchiveError, BusyArchiveError, RefusedArchiveError, UnreachableArchiveError

MAJOR = "2"  # of the server's version: 3 leaves a factor out of BM25 by which the features were learned
PATIENCE = 10  # seconds that one request is waited for
RETRIES = 3  # on other hosts where there are any
POOL = 16  # connections to each host: as many threads may ask at once
WHOLE = {"allow_partial_search_results": "false"}  # an answer without a part of the archive would be a wrong one
_RIGHT = re.compile(r"(?:cluster|indices):[\w/*]+")  # as roles name it
_PARTLY = "Part of the archive does not answer: see whether its cluster is green."
FORBIDDEN, BUSY, GATEWAYS = 403, 429, (502, 503, 504)

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
    except (SSLError, ImproperlyConfigured) as error:
        raise UnreachableArchiveError(
            f"The archive cannot be reached safely ({type(error).__name__}): see whether STET_ARCHIVE_CA names the"
            " certificates that the cluster's own is signed by, and whether that one is for the host as STET_ARCHIVE"
            " names it."
        ) from error
    except NotConnectedError as error:
        raise UnreachableArchiveError("The archive does not answer: see whether its cluster runs.") from error
    except AuthenticationException as error:
        raise RefusedArchiveError(
            "The archive does not let this user in: see STET_ARCHIVE_USER and STET_ARCHIVE_PASSWORD."
        ) from error
    except AuthorizationException as error:
        raise _refused(error.info) from error
    except BulkIndexError as error:
        raise _unwritten(error) from error
    except TransportError as error:
        raise _told(error) from error
    except OpenSearchException as error:
        raise ArchiveError(f"The archive's answer is not understood ({type(error).__name__}).") from error


def _refused(told: object) -> ArchiveError:
    """Return the error of a right that is missing, with its name where the server says it."""
    found = _RIGHT.search(str(told))
    right = f" ({found[0]})" if found else ""
    return RefusedArchiveError(
        f"The archive does not let this user do that{right}: see STET_ARCHIVE_USER and the user's role."
    )


def _unwritten(error: BulkIndexError) -> ArchiveError:
    failed = [told for each in error.errors for told in each.values()]
    refused = [told for told in failed if told.get("status") == FORBIDDEN]
    return (
        _refused(refused) if refused else ArchiveError(f"{len(failed)} documents could not be written to the archive.")
    )


def answered(row: Body) -> Body:
    """Return one document of many that were asked for together, found or not; ``ArchiveError`` where it failed."""
    if "error" not in row:
        return row
    refused = "security_exception" in str(row["error"])
    raise _refused(row["error"]) if refused else UnreachableArchiveError(_PARTLY)


def _told(error: TransportError) -> ArchiveError:
    if error.status_code == BUSY:
        return BusyArchiveError("The archive is too busy: try again in a minute.")
    if error.status_code in GATEWAYS:
        return UnreachableArchiveError(_PARTLY)
    return ArchiveError(f"The archive cannot do what it was asked ({error.status_code}, {error.error}).")


PAGE = 1000  # documents in one answer
KEPT = "1m"  # for which the moment is kept between two pages


def every(
    client: OpenSearch, index: str, query: Body, sort: Sequence[Body], shown: Mapping[str, object]
) -> Iterator[Body]:
    """Yield every hit of ``query`` in the order of ``sort``, in which no two are alike.

    ``shown`` says what comes with each.
    """
    with _moment(client, index) as moment:
        body = {**shown, "size": PAGE, "track_total_hits": False, "query": query, "sort": sort}
        body["pit"] = {"id": moment, "keep_alive": KEPT}
        hits = _page(client, body)
        while hits:
            yield from hits
            hits = _page(client, body | {"search_after": hits[-1]["sort"]}) if len(hits) == PAGE else []


def _page(client: OpenSearch, body: Body) -> list[Body]:
    with translated():
        found = client.search(body=body, params=WHOLE)
    return list(found["hits"]["hits"])


@contextmanager
def _moment(client: OpenSearch, index: str) -> Iterator[str]:
    with translated():
        moment = client.create_pit(index=index, params={"keep_alive": KEPT})["pit_id"]
    try:
        yield moment
    finally:
        with translated():
            client.delete_pit(body={"pit_id": [moment]})
