"""``STET_MCP_TOKENS`` -> the assistants that may ask over HTTP, each known by its token.

``NAME:TOKEN`` is one of them; in place of the token may stand its digest, ``sha256-`` and 64 hexadecimal digits, and
behind it the last day on which it holds, in UTC. Nothing that is said of them repeats a token.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

from mcp.server.auth.provider import AccessToken

from adapters.channel_rules import CLIENT

LEAST_TOKEN = 16  # characters
_DIGEST = re.compile(r"sha256-(?P<digest>[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Client:
    """An assistant that may ask; ``digest`` is its token's, SHA-256; ``until`` the time at which it ends (Unix)."""

    name: str
    digest: str
    until: int | None = None


def clients(tokens: Sequence[str]) -> tuple[Client, ...]:
    """Return the assistants that the setting names; to be asked where it has no ``faults``."""
    return tuple(_client(*token.split(":")) for token in tokens)


def _client(name: str, token: str, last_day: str = "") -> Client:
    given = _DIGEST.fullmatch(token)
    return Client(name, given["digest"] if given else digest(token), _end(last_day) if last_day else None)


def _end(last_day: str) -> int:
    return int(datetime.combine(date.fromisoformat(last_day) + timedelta(1), time(), UTC).timestamp())


def digest(token: str) -> str:
    """Return what is kept of a token, and compared."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def faults(tokens: Sequence[str]) -> Iterator[str]:
    """Yield all that is wrong with the setting, a sentence each."""
    for place, token in enumerate(tokens, 1):
        yield from (f"STET_MCP_TOKENS, number {place}: {fault}" for fault in _faults(*token.split(":")))
    for what, values in (("name", 0), ("token", 1)):
        seen = Counter(token.split(":")[values] for token in tokens if token.count(":") >= values)
        if seen and seen.most_common(1)[0][1] > 1:
            yield f"STET_MCP_TOKENS has two assistants of one {what}."


def _faults(name: str, token: str | None = None, last_day: str | None = None, *more: str) -> Iterator[str]:
    if token is None or more:
        yield "write NAME:TOKEN, or NAME:TOKEN:2031-12-31 for the last day on which it holds."
        return
    if not CLIENT.fullmatch(name):
        yield "a name is small letters, digits, - and _."
    if len(token) < LEAST_TOKEN:
        yield f"the token is shorter than {LEAST_TOKEN} characters; it could be guessed."
    if token.startswith("sha256-") and not _DIGEST.fullmatch(token):
        yield "sha256- and 64 hexadecimal digits is a digest."
    try:
        _end(last_day) if last_day is not None else None
    except (ValueError, OverflowError):
        yield "a last day is written 2031-12-31."


@dataclass(frozen=True, slots=True)
class Verifier:
    """Knows each assistant by its token, in the same time whatever is wrong; that one is over, the server says."""

    clients: tuple[Client, ...]

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who comes with ``token``."""
        came = digest(token)
        known = [client for client in self.clients if hmac.compare_digest(client.digest, came)]
        return AccessToken(token="", client_id=known[0].name, scopes=[], expires_at=known[0].until) if known else None
