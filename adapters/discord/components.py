"""Reply -> Discord's Components V2: one container, a text for each panel, the buttons last. Draws; sends nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import discord

from adapters.discord.buttons import Act, Controls, PressButton, states
from adapters.discord.panels import Panel, Room, Tone, arrange
from bot.model import Reply

# Of 40 components the container takes one, the row at the end four, the rows of buttons under extracts nine.
ROOM = Room(characters=4000, each=4000, panels=24)
ROWS = 3
SPACED = 8  # panels: where there are more, no line is drawn between them
WARNING = discord.Colour(0xF0B232)
QUIET = discord.Colour(0x5865F2)

Item = discord.ui.Item[discord.ui.LayoutView]


def draw(reply: Reply, controls: Controls) -> discord.ui.LayoutView:
    """Return ``reply`` as a message of components, within Discord's limits."""
    return compose(arrange(reply, ROOM), controls)


def compose(panels: tuple[Panel, ...], controls: Controls) -> discord.ui.LayoutView:
    """Return panels that fit as a message of components."""
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*_items(panels, controls), accent_colour=colour(panels)))
    if controls.row:
        view.add_item(_row(controls.row))
    return view


def _items(panels: tuple[Panel, ...], controls: Controls) -> Iterator[Item]:
    addressed = states(panels, ROWS) if controls.beneath else {}
    for number, panel in enumerate(panels):
        if number and len(panels) <= SPACED and (panel.extract or panel.tone is Tone.NOTICE):
            yield discord.ui.Separator()
        yield discord.ui.TextDisplay(panel.text)
        if number in addressed:
            yield _row((act, addressed[number]) for act in controls.beneath)


def _row(buttons: Iterable[tuple[Act, str]]) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    row: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
    for act, state in buttons:
        row.add_item(PressButton(act, state))
    return row


def colour(panels: tuple[Panel, ...]) -> discord.Colour:
    """Return the colour at the side of a message: another one where a caveat stands in it."""
    warned = any(panel.tone in (Tone.WARNED, Tone.NOTICE) for panel in panels)
    return WARNING if warned else QUIET
