"""Reply -> Discord's embeds, for old clients and servers that want them. Draws; sends nothing.

The bot's own words stand in ``content``, each extract and each notice in an embed of its own.
No embed has an address of its own: of several with the same one, Discord shows the first only.
"""

from __future__ import annotations

from dataclasses import dataclass

import discord

from adapters.discord.buttons import Controls, PressButton, menu
from adapters.discord.components import colour
from adapters.discord.markdown import length
from adapters.discord.panels import Panel, Room, Tone, arrange
from bot.model import Reply

ROOM = Room(characters=6000, each=4096, panels=10)
LONGEST_CONTENT = 2000


@dataclass(frozen=True, slots=True)
class Letter:
    """A message of content, embeds and buttons."""

    content: str
    embeds: tuple[discord.Embed, ...]
    view: discord.ui.View | None


def draw(reply: Reply, controls: Controls) -> Letter:
    """Return ``reply`` as content and embeds, within Discord's limits."""
    return compose(arrange(reply, ROOM), controls)


def compose(panels: tuple[Panel, ...], controls: Controls) -> Letter:
    """Return panels that fit as content and embeds."""
    spoken = _spoken(panels)
    embeds = tuple(discord.Embed(description=panel.text, colour=colour((panel,))) for panel in panels[len(spoken) :])
    return Letter("\n".join(panel.text for panel in spoken), embeds, _view(panels, controls))


def _spoken(panels: tuple[Panel, ...]) -> tuple[Panel, ...]:
    """Return the bot's own words at the head, as far as they go into the content."""
    spoken: list[Panel] = []
    for panel in panels:
        size = sum(length(p.text) + 1 for p in (*spoken, panel))
        if panel.tone not in (Tone.OWN, Tone.HEADING) or size > LONGEST_CONTENT:
            break
        spoken.append(panel)
    return tuple(spoken)


def _view(panels: tuple[Panel, ...], controls: Controls) -> discord.ui.View | None:
    view = discord.ui.View(timeout=None)
    for act, state in controls.row:
        view.add_item(PressButton(act, state))
    chosen_from = menu(panels, controls)
    if chosen_from:
        view.add_item(chosen_from)
    return view if view.children else None
