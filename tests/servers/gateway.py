"""A gateway on loopback before a server: it tells what was asked, and loses answers where a test says so."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOST = 504  # is what a gateway says of an answer that it did not get in time


class Gateway:
    """Hands requests on to ``behind`` (``host:port``); ``asked`` are those that came, as method and path.

    The answer to the next request by a method in ``losing`` is lost, though it is carried out.
    """

    def __init__(self, behind: str) -> None:
        self.behind = behind
        self.port = 0
        self.asked: list[tuple[str, str]] = []
        self.losing: set[str] = set()

    def ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, str, bytes]:
        """Return status, type and body of the answer to a request."""
        self.asked.append((method, path.partition("?")[0]))
        connection = http.client.HTTPConnection(self.behind)
        try:
            connection.request(method, path, body or None, {"Content-Type": kind})
            answer = connection.getresponse()
            told = answer.read()
        finally:
            connection.close()
        if method in self.losing:
            self.losing.remove(method)
            return LOST, "application/json", b"{}"
        return answer.status, answer.headers.get_content_type(), told


@contextmanager
def opened(behind: str) -> Iterator[Gateway]:
    """Give a gateway that listens at its ``port``, on loopback, until the end."""
    gateway = Gateway(behind)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            """Hand the request on, and the answer back."""
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            kind = self.headers.get("Content-Type") or "application/json"
            status, told, content = gateway.ask(self.command, self.path, body, kind)
            self.send_response(status)
            self.send_header("Content-Type", told)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - as http.server calls them

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    gateway.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield gateway
    server.shutdown()
    server.server_close()
