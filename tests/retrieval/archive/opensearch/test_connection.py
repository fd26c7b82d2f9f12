"""What goes wrong on the way to a cluster, in words: against a server that answers nothing but that."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.opensearch.address import Address, Credentials
from retrieval.archive.opensearch.connection import connect, translated
from retrieval.errors import (
    ArchiveError,
    BusyArchiveError,
    RefusedArchiveError,
    RetrievalError,
    UnreachableArchiveError,
)
from tests.retrieval.site import Answer, Site, served


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as found:
        yield found


def answering(site: Site, status: int, body: object) -> Address:
    """Have a server give one answer to all; return where it is."""
    site.answers["/"] = Answer(json.dumps(body), status, {"Content-Type": "application/json"})
    host, _, port = site.address.removeprefix("http://").partition(":")
    return Address(((host, int(port)),), secure=False)


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, RefusedArchiveError, "STET_ARCHIVE_LOGIN"),
        (403, RefusedArchiveError, "the user's role"),
        (404, ArchiveError, "404"),
        (429, BusyArchiveError, "try again"),
        (500, ArchiveError, "500"),
        (503, UnreachableArchiveError, "does not answer"),
    ],
)
def test_each_refusal_has_its_words(site: Site, status: int, error: type[Exception], words: str) -> None:
    """They say what to do, and are of the articles' side's own tree."""
    with pytest.raises(error, match=words) as raised:
        connect(answering(site, status, {"error": "no"}), Credentials("ann", "secret"))
    assert isinstance(raised.value, RetrievalError)
    assert "secret" not in str(raised.value)


def test_a_cluster_that_is_not_there_is_said_to_be_away() -> None:
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(UnreachableArchiveError, match="does not answer"):
            connect(Address((("127.0.0.1", held.getsockname()[1]),), secure=False), Credentials())


def test_a_cluster_without_tls_is_not_taken_for_one_with_it(site: Site) -> None:
    (host,) = answering(site, 200, {}).hosts
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA"):
        connect(Address((host,)), Credentials("ann", "secret"))


def test_certificates_that_are_not_there_are_named() -> None:
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA names no file"):
        connect(Address((("127.0.0.1", 1),)), Credentials(authority="nowhere.pem"))


def test_a_file_that_holds_no_certificates_is_said_to_be_wrong(site: Site, tmp_path: Path) -> None:
    (host,) = answering(site, 200, {}).hosts
    other = tmp_path / "ca.pem"
    other.write_text("no certificate", encoding="ascii")
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA"):
        connect(Address((host,)), Credentials(authority=str(other)))


def test_what_is_no_cluster_is_not_taken_for_one(site: Site) -> None:
    for body in ({}, [], {"version": "2"}):
        with pytest.raises(ArchiveError, match="no OpenSearch"):
            connect(answering(site, 200, body), Credentials())


def test_a_version_too_old_is_named(site: Site) -> None:
    with pytest.raises(ArchiveError, match=r"OpenSearch 1\.3\.20 is too old: 2 is needed"):
        connect(answering(site, 200, {"version": {"number": "1.3.20"}}), Credentials())


def test_an_api_key_is_sent_as_opensearch_wants_it(site: Site) -> None:
    connect(answering(site, 200, {"version": {"number": "3.7.0"}}), Credentials(key="os_secret"))
    assert {headers["authorization"] for _, headers in site.asked} == {"ApiKey os_secret"}
    with pytest.raises(RefusedArchiveError, match="STET_ARCHIVE_LOGIN") as raised:
        connect(answering(site, 401, {}), Credentials(key="os_secret"))
    assert "os_secret" not in str(raised.value)


def test_an_error_of_the_programs_own_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), translated():
        _ = 1 / 0
    with pytest.raises(FileNotFoundError), translated():
        Path("nowhere").read_bytes()
