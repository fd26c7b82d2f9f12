"""The gateway's session, kept so that the next process can go on with it: what Discord sent meanwhile is not lost.

Each process has a session of its own, and Discord sends every event to each. One that nobody holds any more is gone on
with by whoever starts next on the same machine.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from socket import gethostname

import discord
import yarl

from adapters.storage.store import Store
from retrieval import runs

RESUMABLE = 600.0  # seconds; Discord forgets a session sooner or later, and then asks for a new one
SILENT = 10.0  # seconds without a note after which a process is gone, whoever has its number by now
IDENTIFY_EVERY = 5.5  # seconds; Discord counts five from when it hears of one
FARTHEST = 60.0  # seconds: who is to wait longer for its turn follows another machine's wrong clock
IDENTIFIED = "discord session begun at"


@dataclass(frozen=True, slots=True)
class Session:
    """A session: ``sequence`` is that of the last event taken in, ``guilds`` the servers it is about.

    ``process`` held it at ``at``; 0 where that was not kept.
    """

    id: str
    sequence: int
    gateway: str
    guilds: tuple[int, ...]
    at: float
    process: int = 0

    def is_held(self, now: float) -> bool:
        """Return whether another process of this machine has it."""
        return self.process != os.getpid() and now - self.at < SILENT and runs(self.process)


def family() -> str:
    """Return what the names of the facts about this machine's sessions begin with."""
    return f"discord session {gethostname()}"


def fact() -> str:
    """Return what this process's session is kept as."""
    return f"{family()} {os.getpid()}"


def current(client: discord.Client, now: float) -> Session | None:
    """Return the session as it stands; ``None`` where there is none."""
    socket = client.ws
    if socket is None or socket.session_id is None or socket.sequence is None:
        return None
    guilds = tuple(guild.id for guild in client.guilds)
    return Session(socket.session_id, socket.sequence, str(socket.gateway), guilds, now, os.getpid())


def write(session: Session) -> str:
    """Return ``session`` as text."""
    return json.dumps(asdict(session))


def read(text: str | None, now: float) -> Session | None:
    """Return the session that ``text`` is, if it is one, and not too old."""
    try:
        fields = json.loads(text or "")
        session = Session(**{**fields, "guilds": tuple(fields["guilds"])})
    except (ValueError, TypeError, LookupError):
        return None
    return session if now - session.at < RESUMABLE else None


def take_over(store: Store) -> Session | None:
    """Make the newest session that nobody on this machine holds this process's, and return it; None for none."""
    now = time.time()
    facts = store.rewrite_facts(family(), lambda kept: inherited(kept, now))
    return read(facts.get(fact()), now)


def inherited(facts: Mapping[str, str], now: float) -> Mapping[str, str]:
    """Return the sessions kept, the newest that nobody holds under this process's name; what is too old is left out."""
    sessions = {name: found for name, text in facts.items() if (found := read(text, now))}
    left = [name for name, session in sessions.items() if not session.is_held(now)]
    if left:
        newest = max(left, key=lambda name: sessions[name].at)
        mine = replace(sessions.pop(newest), at=now, process=os.getpid())
        if fact() in sessions:  # what an earlier process of the same number left is another's to take
            sessions[newest] = sessions[fact()]
        sessions[fact()] = mine
    return {name: write(session) for name, session in sessions.items()}


def reserve(store: Store) -> float:
    """Return for how many seconds to wait before a session is begun: not two of an application at once."""
    now = time.time()
    told = store.rewrite_facts(IDENTIFIED, lambda kept: {IDENTIFIED: str(_turn(kept.get(IDENTIFIED), now))})
    return max(0.0, float(told[IDENTIFIED]) - now)


def _turn(last: str | None, now: float) -> float:
    """Return when a session may be begun, where the one before is, or will be, at ``last``."""
    turn = float(last or 0) + IDENTIFY_EVERY
    return turn if now < turn < now + FARTHEST else now


def adopt(client: discord.Client, session: Session, gateway_url: str) -> dict[str, object]:
    """Make discord.py know the session's servers; return how to resume it, at ``gateway_url`` if that is set."""
    state = client._connection  # noqa: SLF001 - what READY would bring has to be put there
    for number in session.guilds:
        state._add_guild_from_data({"id": str(number), "unavailable": True})  # type: ignore[typeddict-item]  # noqa: SLF001
    gateway = yarl.URL(gateway_url or session.gateway)
    return {"session": session.id, "sequence": session.sequence, "gateway": gateway, "resume": True}
