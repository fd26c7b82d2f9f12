"""The server that the tests of an archive in a cluster ask: one that runs already, or one of their own."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

import pytest

from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.connection import connect
from tests.servers.opensearch import VARIABLE, NoServerError, serving
from tests.servers.secured import PREFIX, Secured, serving_secured


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """Return where OpenSearch is asked, ``http://HOST:PORT``; skip where there is none and none can be started."""
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    try:
        with serving() as node:
            yield f"http://{node.http}"
    except NoServerError as error:
        pytest.skip(f"{VARIABLE} names no OpenSearch, and {error}")


@pytest.fixture(scope="session")
def addresses(cluster: str) -> Iterator[Callable[[], str]]:
    run = f"test_{secrets.token_hex(4)}"
    numbers = count()
    yield lambda: f"opensearch+{cluster}/{run}_{next(numbers)}"
    delete(f"opensearch+{cluster}/{run}", "_*")


@pytest.fixture(scope="session")
def secured() -> Iterator[Secured]:
    """Return a server with TLS and users; skip where none can be started."""
    try:
        with serving_secured() as server:
            yield server
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def secured_addresses(secured: Secured) -> Callable[[], str]:
    numbers = count()
    return lambda: f"opensearch+{secured.place}/{PREFIX}{next(numbers)}"


@pytest.fixture
def address(addresses: Callable[[], str]) -> Iterator[str]:
    yield (name := addresses())
    delete(name, "-*")


def delete(address: str, which: str) -> None:
    place = parse(address)
    with closing(connect(place, Credentials())) as client:
        # asked again by the client where a busy machine takes long, they may be gone already
        client.indices.delete(index=f"{place.prefix}{which}", params={"ignore": 404})
