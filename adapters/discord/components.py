"""Panels -> Discord's Components V2: a container, a text for each panel, buttons and menu last. Sends nothing."""

from __future__ import annotations

from collections.abc import Iterator

import discord

from adapters.discord.buttons import Controls, PressButton, menu
from adapters.discord.panels import Panel, Room
from bot.verdicts import Lead

# Of 40 components the container takes one, the row of buttons five, the menu two, lines between panels eight.
ROOM = Room(characters=4000, panels=24)
SPACED = 8  # panels: where there are more, no line is drawn between them
WARNING = discord.Colour(0xF0B232)
QUIET = discord.Colour(0x5865F2)
VERDICTS = {
    Lead.MISATTRIBUTED: discord.Colour(0xDA373C),
    Lead.ALTERED: discord.Colour(0xEB459E),
    Lead.STITCHED: discord.Colour(0x9B59B6),
    Lead.ABSENT: discord.Colour(0x4E5058),
    Lead.PARTIAL: discord.Colour(0xE67E22),
    Lead.UNVERIFIED: WARNING,
    Lead.TAKEN_BACK: discord.Colour(0xA0752D),
    Lead.UNNAMED: discord.Colour(0x99AAB5),
    Lead.EXACT: discord.Colour(0x248046),
}

Item = discord.ui.Item[discord.ui.LayoutView]


def compose(panels: tuple[Panel, ...], controls: Controls) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*_items(panels), accent_colour=colour(panels)))
    if controls.row:
        view.add_item(discord.ui.ActionRow(*(PressButton(act, state, controls.more) for act, state in controls.row)))
    chosen_from = menu(panels, controls)
    if chosen_from:
        view.add_item(discord.ui.ActionRow(chosen_from))
    return view


def _items(panels: tuple[Panel, ...]) -> Iterator[Item]:
    for number, panel in enumerate(panels):
        if number and len(panels) <= SPACED and (panel.extracts or panel.is_caveated):
            yield discord.ui.Separator()
        yield discord.ui.TextDisplay(panel.text)


def colour(panels: tuple[Panel, ...]) -> discord.Colour:
    """Return the colour at the side of a message: of the worst verdict in it, else another where it has a caveat."""
    leads = {panel.lead for panel in panels}
    worst = next((lead for lead in Lead if lead in leads), None)
    if worst:
        return VERDICTS[worst]
    return WARNING if any(panel.is_caveated for panel in panels) else QUIET
