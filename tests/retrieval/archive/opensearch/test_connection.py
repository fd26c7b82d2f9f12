"""What goes wrong on the way to a cluster, in words: against a server that answers nothing but that."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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

Answers = Callable[..., Address]


@pytest.fixture
def answering() -> Iterator[Answers]:
    servers: list[ThreadingHTTPServer] = []

    def start(status: int, body: object, authorization: str | None = None) -> Address:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                content = json.dumps(body).encode()
                is_let_in = authorization in (None, self.headers["Authorization"])
                self.send_response(status if is_let_in else HTTPStatus.UNAUTHORIZED)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return Address((("127.0.0.1", server.server_port),), secure=False)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, RefusedArchiveError, "STET_ARCHIVE_PASSWORD"),
        (403, RefusedArchiveError, "the user's role"),
        (404, ArchiveError, "404"),
        (429, BusyArchiveError, "try again"),
        (500, ArchiveError, "500"),
        (503, UnreachableArchiveError, "does not answer"),
    ],
)
def test_each_refusal_has_its_words(answering: Answers, status: int, error: type[Exception], words: str) -> None:
    """They say what to do, and are of the articles' side's own tree."""
    with pytest.raises(error, match=words) as raised:
        connect(answering(status, {"error": "no"}), Credentials("ann", "secret"))
    assert isinstance(raised.value, RetrievalError)
    assert "secret" not in str(raised.value)


def test_a_cluster_that_is_not_there_is_said_to_be_away() -> None:
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(UnreachableArchiveError, match="does not answer"):
            connect(Address((("127.0.0.1", held.getsockname()[1]),), secure=False), Credentials())


def test_a_cluster_without_tls_is_not_taken_for_one_with_it(answering: Answers) -> None:
    (host,) = answering(200, {}).hosts
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA"):
        connect(Address((host,)), Credentials("ann", "secret"))


def test_certificates_that_are_not_there_are_named() -> None:
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA names no file"):
        connect(Address((("127.0.0.1", 1),)), Credentials(authority="nowhere.pem"))
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CERTIFICATE names no file"):
        connect(Address((("127.0.0.1", 1),)), Credentials(certificate="nowhere.pem"))


def test_a_file_that_holds_no_certificates_is_said_to_be_wrong(answering: Answers, tmp_path: Path) -> None:
    (host,) = answering(200, {}).hosts
    other = tmp_path / "ca.pem"
    other.write_text("no certificate", encoding="ascii")
    with pytest.raises(UnreachableArchiveError, match="STET_ARCHIVE_CA"):
        connect(Address((host,)), Credentials(authority=str(other)))


def test_what_is_no_cluster_is_not_taken_for_one(answering: Answers) -> None:
    for body in ({}, [], {"version": "2"}):
        with pytest.raises(ArchiveError, match="no OpenSearch"):
            connect(answering(200, body), Credentials())


def test_a_version_too_old_is_named(answering: Answers) -> None:
    with pytest.raises(ArchiveError, match=r"OpenSearch 1\.3\.20 is too old: 2 is needed"):
        connect(answering(200, {"version": {"number": "1.3.20"}}), Credentials())


def test_an_api_key_is_sent_as_opensearch_wants_it(answering: Answers) -> None:
    address = answering(200, {"version": {"number": "3.7.0"}}, "ApiKey os_secret")
    connect(address, Credentials(key="os_secret"))
    with pytest.raises(RefusedArchiveError, match="STET_ARCHIVE_KEY") as raised:
        connect(address, Credentials(key="os_another"))
    assert "os_another" not in str(raised.value)


def test_an_error_of_the_programs_own_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), translated():
        _ = 1 / 0
    with pytest.raises(FileNotFoundError), translated():
        Path("nowhere").read_bytes()
