"""Drafts are read and proofed in processes of their own, so that none takes others' time or memory, however it is made.

``re`` keeps the interpreter's lock while it matches, so a thread would not do.
"""

import logging
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

from bot import messages
from bot.command import Library
from bot.commands.proof import proof
from bot.errors import DraftError
from bot.model import Proof
from retrieval import EVERYTHING, ArchiveError, Scope, collect_rarely, freeze_loaded

if sys.platform == "linux":
    import fcntl

DRAFTS = 2  # at a time
SECONDS = 20.0  # that a draft may take
MEMORY = 400_000_000  # bytes that a draft may take, above what a process holds before it
STARTING_SECONDS = 120.0  # that a process may take to start, with the models loaded
IDLE_SECONDS = 600.0  # after which a process ends
NICE = 10  # below the priority of questions
LOOK_SECONDS = 0.05  # between two looks at what a draft takes
SPAWN = get_context("spawn")  # not forked: threads are running
WARMING = "The mayor said on Friday that 12 ferries had left the harbour."

log = logging.getLogger(__name__)


class LimitError(Exception):
    """A draft takes too much; the message says what."""


def resident(process: int) -> int:
    """Return the bytes of memory that a process holds; 0 where the system does not say."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Limits:
    """What a draft that begins now may take; ``resting`` is the memory that the process holds before."""

    process: int
    resting: int
    seconds: float
    stop: Event = field(default_factory=Event)
    began: float = field(default_factory=monotonic)

    def check(self) -> None:
        """Raise ``LimitError`` once it has taken more, or must ``stop``."""
        if self.stop.is_set():
            raise LimitError("the program ends")
        if monotonic() - self.began > self.seconds:
            raise LimitError(f"it took more than {self.seconds:g} s")
        if resident(self.process) - self.resting > MEMORY:
            raise LimitError(f"it took more than {MEMORY:,} bytes of memory")


class DraftWorkers:
    """Proofs drafts as ``proof`` does; raises ``DraftError`` also where one takes too much, or many are proofed.

    Safe to call from several threads at once. Processes are started when they are needed.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._free: list[Worker | None] = [None] * DRAFTS  # the one that was used last is at the end
        self._stop = Event()

    def proof(self, draft: str | bytes, name: str, scope: Scope) -> Proof:
        try:
            worker = self._free.pop()
        except IndexError:
            raise DraftError(messages.DRAFTS_UNDER_WAY) from None
        try:
            if worker is None or not worker.is_ready:
                worker = Worker(self._library, self._stop)
            outcome = worker.outcome(draft, name, scope)
        except (LimitError, EOFError, OSError) as error:
            log.warning("a draft was given up: %s", str(error) or "its process has ended")
            message = messages.PROOF_INTERRUPTED if self._stop.is_set() else messages.DRAFT_TAKES_TOO_LONG
            raise DraftError(message) from error
        finally:
            self._free.append(worker)
        if isinstance(outcome, Proof):
            return outcome
        raise outcome

    def close(self) -> None:
        """Give up the drafts under way."""
        self._stop.set()


class Worker:
    """A process that proofs one draft at a time. Once one was given up, it is ready for no other."""

    def __init__(self, library: Library, stop: Event) -> None:
        self._stop = stop
        self._pipe, theirs = SPAWN.Pipe()
        self._process = SPAWN.Process(target=work, args=(theirs, library), daemon=True)
        self._process.start()
        theirs.close()
        self._received(Limits(0, 0, STARTING_SECONDS, stop))
        self._resting = resident(self._process.pid or 0)

    @property
    def is_ready(self) -> bool:
        return self._process.is_alive() and monotonic() - self._used < IDLE_SECONDS - LOOK_SECONDS

    def outcome(self, draft: str | bytes, name: str, scope: Scope) -> Proof | Exception:
        """Return the proof, or what it raised; ``LimitError``, ``EOFError`` or ``OSError`` where it was given up."""
        self._pipe.send((draft, name, scope))
        outcome: Proof | Exception = self._received(Limits(self._process.pid or 0, self._resting, SECONDS, self._stop))
        return outcome

    def _received(self, limits: Limits) -> Any:  # noqa: ANN401 - whatever the process sends
        try:
            while not self._pipe.poll(LOOK_SECONDS):
                limits.check()
            received = self._pipe.recv()
        except BaseException:
            self._process.kill()
            self._process.join()
            raise
        self._used = monotonic()
        return received


def work(pipe: Connection, library: Library) -> None:
    """Proof the drafts that come through a pipe, until it is closed or nothing comes for long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts every process; the main one handles it
    if sys.platform != "win32":
        os.nice(NICE)
    collect_rarely()
    proofed(library, WARMING, "", EVERYTHING)
    if library.meaning:
        library.meaning.passages((WARMING,))
    freeze_loaded()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while pipe.poll(IDLE_SECONDS):
            draft, name, scope = pipe.recv()
            with ended_with_parent(pipe):
                outcome = proofed(library, draft, name, scope)
            pipe.send(outcome)


def proofed(library: Library, draft: str | bytes, name: str, scope: Scope) -> Proof | Exception:
    """Return a proof, or what was raised as an error that can be sent."""
    try:
        with library.archive.snapshot():
            return proof(library.within(scope), draft, name)
    except DraftError as error:
        return error
    except ArchiveError as error:
        return ArchiveError(str(error))
    except Exception:  # noqa: BLE001 - the main process logs it
        return RuntimeError(traceback.format_exc())


@contextmanager
def ended_with_parent(pipe: Connection) -> Iterator[None]:
    """Have Linux end this process when the other end of the pipe is closed, whatever it is doing."""
    if sys.platform != "linux":
        yield
        return
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)  # SIGIO, which ends a process that does not handle it
    try:
        if pipe.poll():  # it was closed before
            raise EOFError
        yield
    finally:
        fcntl.fcntl(pipe, fcntl.F_SETFL, flags)
