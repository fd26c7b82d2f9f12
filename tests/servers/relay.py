"""A relay on loopback before a server: what is behind it goes away when a test cuts it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

CHUNK = 65_536


class Relay:
    """Hands on what comes to ``port`` to ``behind`` and back, until it is cut."""

    def __init__(self, behind: tuple[str, int]) -> None:
        self._behind = behind
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._held: list[socket.socket] = []
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection, and refuse whoever comes."""
        for held in (self._listening, *self._held):
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)
            held.close()

    def _accept(self) -> None:
        with suppress(OSError):  # cut
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._behind)
                self._held += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_copy, args=(one, other), daemon=True).start()


def _copy(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):  # cut
        while chunk := one.recv(CHUNK):
            other.sendall(chunk)
        other.shutdown(socket.SHUT_WR)
