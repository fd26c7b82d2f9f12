"""The indexes behind the aliases: made empty, filled beside those that are asked, and put in their place at once."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from opensearchpy import OpenSearch
from opensearchpy.exceptions import NotFoundError, RequestError

from retrieval.archive.opensearch.address import Address
from retrieval.archive.opensearch.connection import translated
from retrieval.archive.opensearch.schema import ARTICLES, PARTS, SCHEMA, Body, alias, template
from retrieval.errors import ArchiveError, StaleIndexError

FIRST = "first"  # the generation that an empty archive begins with: two processes that begin one make the same
LOOK, LOOKS = 30, 120  # seconds in which new indexes may get ready, or be looked at again; so often
UNASKED: Body = {"refresh_interval": "-1", "number_of_replicas": 0}  # nobody waits for it, and it can be made anew

PATIENTLY = {"request_timeout": 600}  # seconds: what was worked on for hours is not given up for a slow minute
TIMED_OUT = 408  # is what the server says of a cluster that does not get as healthy as it is asked for

Written = tuple[tuple[str, str, int], ...]  # index, shard, and the number of the last change to it

Indexes = Mapping[str, str]  # by part, the name of an index or of its alias


def aliases(address: Address) -> Indexes:
    """Return the names by which the parts are read and written."""
    return {part: alias(part, address) for part in PARTS}


def prepare(client: OpenSearch, address: Address) -> None:
    """See that there are indexes of this program's making, empty ones where there were none.

    Raises ``StaleIndexError`` where they are of another make.
    """
    with translated():
        for part, name in aliases(address).items():
            if not _behind(client, name):
                client.indices.put_index_template(name=name, body=template(part, address))
                _make_first(client, name)
            found = client.indices.get_mapping(index=name).values()
            if any(each["mappings"].get("_meta", {}).get("schema") != SCHEMA for each in found):
                raise StaleIndexError("The archive was filled by another version of this program: stet fill.")


def held_before(client: OpenSearch, address: Address) -> str:
    """Return the name by which articles are read that are held already, of whatever make; empty where none are."""
    name = alias(ARTICLES, address)
    with translated():
        return name if _behind(client, name) else ""


def written(client: OpenSearch, name: str) -> Written:
    """Return how far the index behind an alias has been written; another index is another state."""
    with translated():
        told = client.indices.stats(index=name, metric="docs", params={"level": "shards"})["indices"]
    return tuple(
        sorted(
            (index, shard, copy["seq_no"]["max_seq_no"])
            for index, held in told.items()
            for shard, copies in held["shards"].items()
            for copy in copies
            if copy["routing"]["primary"]
        )
    )


def _make_first(client: OpenSearch, name: str) -> None:
    try:
        client.indices.create(index=f"{name}-{FIRST}", body={"aliases": {name: {}}})
    except RequestError as error:
        if error.error != "resource_already_exists_exception":
            raise


@contextmanager
def beside(client: OpenSearch, address: Address) -> Iterator[Indexes]:
    """Give new, empty indexes to fill; at the end they take the place of the old, which are deleted.

    Until then the old ones are asked, and for good where this fails.
    """
    generation = f"{datetime.now(UTC):%Y%m%d%H%M%S}-{secrets.token_hex(2)}"
    indexes = {part: f"{name}-{generation}" for part, name in aliases(address).items()}
    try:
        with translated():
            for part, name in indexes.items():
                made = template(part, address)
                client.indices.put_index_template(name=alias(part, address), body=made, params=PATIENTLY)
                client.indices.create(index=name, body={"settings": UNASKED}, params=PATIENTLY)
        yield indexes
        with translated():
            old = _publish(client, address, indexes)
    except BaseException:
        with suppress(Exception):  # what went wrong before is what is told
            _discard(client, address, indexes)
        raise
    if old:
        with translated():
            client.indices.delete(index=",".join(old), params={**PATIENTLY, "ignore_unavailable": "true"})


def _publish(client: OpenSearch, address: Address, indexes: Indexes) -> list[str]:
    """Have the new indexes asked; return the names of those that were."""
    names = ",".join(indexes.values())
    # copied when it is whole: to be written to each copy would take as much again for each
    settings: Body = {"refresh_interval": None, "number_of_replicas": address.replicas}
    client.indices.put_settings(index=names, body={"index": settings}, params=PATIENTLY)
    client.indices.refresh(index=names, params=PATIENTLY)
    _wait(client, names, address)
    before = {name: _behind(client, name) for name in aliases(address).values()}
    removed = [{"remove": {"index": old, "alias": name}} for name, held in before.items() for old in held]
    added = [{"add": {"index": index, "alias": alias(part, address)}} for part, index in indexes.items()]
    client.indices.update_aliases(body={"actions": [*removed, *added]}, params=PATIENTLY)
    return [old for held in before.values() for old in held]


def _discard(client: OpenSearch, address: Address, indexes: Indexes) -> None:
    """Delete new indexes, unless they are asked already: the answer that says so may have been what was lost."""
    asked = {index for name in aliases(address).values() for index in _behind(client, name)}
    unasked = sorted({*indexes.values()} - asked)
    if unasked:
        client.indices.delete(index=",".join(unasked), params={"ignore_unavailable": "true"})


def _wait(client: OpenSearch, names: str, address: Address) -> None:
    """Wait until every shard can be asked, in as many copies as the cluster has room for."""
    waiting = {"timeout": f"{LOOK}s", "request_timeout": LOOK + LOOK, "ignore": TIMED_OUT}
    nodes = client.cluster.health()["number_of_data_nodes"]
    wanted = len(PARTS) * address.shards * min(1 + address.replicas, nodes)
    for _ in range(LOOKS):
        health = client.cluster.health(index=names, params={**waiting, "wait_for_active_shards": wanted})
        if not health["timed_out"]:
            return
        if health["status"] == "red":
            break
    raise ArchiveError("The new indexes do not get ready: see whether the cluster is green.")


def _behind(client: OpenSearch, name: str) -> tuple[str, ...]:
    try:
        # among its own indexes: to ask for an alias of any takes a right to all of them
        return tuple(client.indices.get_alias(index=f"{name}-*", name=name))
    except NotFoundError:
        return ()
