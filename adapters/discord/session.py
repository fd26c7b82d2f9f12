"""The gateway's session, kept so that the next process can go on with it: what Discord sent meanwhile is not lost."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from socket import gethostname

import discord
import yarl

RESUMABLE = 600.0  # seconds; Discord forgets a session sooner or later, and then asks for a new one


@dataclass(frozen=True, slots=True)
class Session:
    """A session: ``sequence`` is that of the last event taken in, ``guilds`` the servers it is about."""

    id: str
    sequence: int
    gateway: str
    guilds: tuple[int, ...]
    at: float


def fact() -> str:
    """Return what the session of this machine's process is kept as: a replica elsewhere has another."""
    return f"discord session {gethostname()}"


def current(client: discord.Client, now: float) -> Session | None:
    """Return the session as it stands; ``None`` where there is none."""
    socket = client.ws
    if socket is None or socket.session_id is None or socket.sequence is None:
        return None
    guilds = tuple(guild.id for guild in client.guilds)
    return Session(socket.session_id, socket.sequence, str(socket.gateway), guilds, now)


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


def adopt(client: discord.Client, session: Session, gateway_url: str) -> dict[str, object]:
    """Make discord.py know the session's servers; return how to resume it, at ``gateway_url`` if that is set."""
    state = client._connection  # noqa: SLF001 - what READY would bring has to be put there
    for number in session.guilds:
        state._add_guild_from_data({"id": str(number), "unavailable": True})  # type: ignore[typeddict-item]  # noqa: SLF001
    gateway = yarl.URL(gateway_url or session.gateway)
    return {"session": session.id, "sequence": session.sequence, "gateway": gateway, "resume": True}
