"""A web site on loopback, as a test says: what stands at each path, and what was asked of it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DRIP = 0.02  # seconds between two bytes of what drips


@dataclass
class Answer:
    """What is answered; ``headers`` beside the length; ``drips`` names the part that goes on for ever, bit by bit."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drips: str = ""


@dataclass
class Site:
    """What stands where, and the requests that came: path, and headers in small letters."""

    address: str
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def paths(self) -> list[str]:
        """Return the paths that were asked for, but for robots.txt, and forget them."""
        paths = [path for path, _ in self.asked if path != "/robots.txt"]
        self.asked.clear()
        return paths


@contextmanager
def served(host: str = "127.0.0.1") -> Iterator[Site]:
    """Serve a site on a free port for as long as this lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            answer = site.answers.get(self.path, Answer(status=404))
            if answer.drips:
                self._drip(answer)
                return
            etag = answer.headers.get("ETag")
            if etag and self.headers.get("If-None-Match") == etag:
                answer = Answer(status=304)
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _drip(self, answer: Answer) -> None:
            """Send a byte now and then until nobody listens, or the site ends."""
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
            self.wfile.write(head + (b"\r\n<p>" if answer.drips == "body" else b"X-Slow: "))
            with suppress(OSError):
                while not ended.wait(DRIP):
                    self.wfile.write(b"a")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            """Say nothing."""

    ended = threading.Event()
    server = ThreadingHTTPServer((host, 0), Handler)
    site = Site(f"http://{host}:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        ended.set()
        server.shutdown()
        thread.join()
        server.server_close()
