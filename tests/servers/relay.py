"""A relay on loopback before a server: what is behind it goes away, hangs and comes back as a test has it."""

import socket
import threading
from contextlib import suppress

CHUNK = 65_536
LOOPBACK = "127.0.0.1"


class Relay:
    """Hands on what comes to ``port`` to ``behind`` and back, until it is cut."""

    def __init__(self, behind: tuple[str, int]) -> None:
        self._behind = behind
        self._held: list[socket.socket] = []
        self.port = 0
        self.mend()

    def cut(self) -> None:
        for held in self._held:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)
            held.close()
        self._held.clear()

    def mend(self) -> None:
        if not self._held:
            listening = socket.create_server((LOOPBACK, self.port))
            self.port = listening.getsockname()[1]
            self._held.append(listening)
            threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):  # cut
            while True:
                near, _ = listening.accept()
                far = socket.create_connection(self._behind)
                self._held += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=(one, other), daemon=True).start()

    def _copy(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):  # cut
            while chunk := one.recv(CHUNK):
                other.sendall(chunk)
            other.shutdown(socket.SHUT_WR)
