"""Who writes directly -> whom they are in the servers that the bot serves, for that is where permission is decided."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus

import discord

from adapters import away
from adapters.chat.transport import AwayError, Recent
from adapters.discord import events
from adapters.discord.delivery import PASSING
from bot.model import Asker

KNOWN_FOR = 600.0  # seconds

log = logging.getLogger(__name__)

Known = tuple[Asker, str | None]


def unknown_servers(named: Iterable[str], joined: Iterable[int]) -> Iterator[str]:
    """Say of each server that is ``named`` in the settings, and that the bot has not ``joined``, what to do."""
    for server in sorted({*named}.difference(map(str, joined))):
        yield (
            f"It is not in the server {server}, which STET_DISCORD_GUILDS names: invite it there, or copy the id again."
        )


@dataclass(frozen=True, slots=True)
class Members:
    """Looks people up in the servers of ``client``, in those of ``servers`` alone where any are named.

    Whoever is in none of them, or is not shown to the bot, is an outsider; where ``outsiders`` may ask, nobody is.
    """

    client: discord.Client
    servers: tuple[str, ...]
    outsiders: bool
    _known: Recent[Known] = field(default_factory=lambda: Recent(KNOWN_FOR))

    async def known(self, asker: Asker) -> Known:
        """Return the asker as the first of the servers knows them, and that server's id.

        Raises ``AwayError`` where Discord cannot be asked now.
        """
        return await self._known.get(asker.id, lambda: self._look_up(asker))

    async def _look_up(self, asker: Asker) -> Known:
        for guild in self.client.guilds:
            if self.servers and str(guild.id) not in self.servers:
                continue
            try:
                member = await guild.fetch_member(int(asker.id))
            except discord.NotFound:
                continue
            except PASSING as error:
                raise AwayError(f"Discord cannot be asked who writes ({away.why(error)})") from error
            except discord.HTTPException as error:
                if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                    raise AwayError("Discord asks to wait before it says who writes") from error
                log.warning("%s is refused: Discord does not say who that is in a server (%s)", asker.id, error)
                continue
            return events.asker(member), str(guild.id)
        return Asker(asker.id, outsider=not self.outsiders), None
