"""What is shown and pressed on Discord: panels as Components V2, buttons and a menu, the form behind "Not right".

What a button needs to know is in its custom id, and what is chosen from the menu is such an id, so that both work after
a restart as before it: ``stet:more:1f0c9a2b.12`` shows the sentence with that address, ``stet:wrong:17`` is a verdict
on answer 17. Earlier versions had a button for each. Nothing is sent here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Self

import discord

from adapters.answer_record import accepts_feedback, is_confident, more_of
from adapters.discord.panels import Panel, Room
from bot import messages, references
from bot.model import Answer, Clipping, Message, NoAnswer, Reply
from bot.sentence_links import address, encode
from bot.verdicts import Lead

if TYPE_CHECKING:
    from adapters.discord.listeners import Wire

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
    Lead.UNCHECKED: discord.Colour(0x23272A),
    Lead.PARTIAL: discord.Colour(0xE67E22),
    Lead.UNVERIFIED: WARNING,
    Lead.TAKEN_BACK: discord.Colour(0xA0752D),
    Lead.UNNAMED: discord.Colour(0x99AAB5),
    Lead.EXACT: discord.Colour(0x248046),
}

Item = discord.ui.Item[discord.ui.LayoutView]
PREFIX = "stet"
REASON = "reason"
LONGEST_REASON = 1000
FORM_OPEN = 900.0  # seconds: no form can be sent later than that


class Act(StrEnum):
    """What a button does; CONTEXT and COPY are commands of the bot, MORE and CLOSEST both its command "more"."""

    MORE = "more"
    CLOSEST = "closest"
    CONTEXT = "context"
    COPY = "copy"
    RIGHT = "right"
    WRONG = "wrong"
    WHY = "why"  # the form behind "wrong"
    CALL = "call"
    DONE = "done"  # beside a question that was handed to people


LABELS = {
    Act.CLOSEST: messages.CLOSEST,
    Act.CONTEXT: messages.MENU["context"],
    Act.COPY: messages.MENU["copy"],
    Act.RIGHT: messages.RIGHT,
    Act.WRONG: messages.WRONG,
    Act.CALL: "Ask the newsroom",
    Act.DONE: "Done",
}
MENU = f"{PREFIX}:menu"
PLACEHOLDER = "Context, copy"
EXTRACTS = 12  # in the menu; it has room for 25 options
PATTERN = re.compile(rf"{PREFIX}:(?P<act>{'|'.join(Act)}):(?P<state>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Controls:
    """What can be done below a reply: by a ``row`` of buttons, each with its state, and in a menu.

    ``more`` is what the button MORE says. The menu offers the acts in ``each`` for every extract.
    """

    row: tuple[tuple[Act, str], ...] = ()
    more: str = messages.MORE
    each: tuple[Act, ...] = ()


class PressButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]], template=PATTERN):
    def __init__(self, act: Act, state: str, more: str = messages.MORE) -> None:
        self.act, self.state = act, state
        style = discord.ButtonStyle.primary if act is Act.MORE else discord.ButtonStyle.secondary
        super().__init__(discord.ui.Button(label=LABELS.get(act, more), style=style, custom_id=custom_id(act, state)))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.LayoutView], match: re.Match[str]
    ) -> Self:
        del interaction, item
        return cls(Act(match["act"]), match["state"])

    async def callback(self, interaction: discord.Interaction) -> None:
        wire: Wire = interaction.client  # type: ignore[assignment]  # the client that this program starts
        await wire.press(interaction, self.act, self.state)


class Menu(discord.ui.DynamicItem[discord.ui.Select[discord.ui.LayoutView]], template=re.compile(MENU)):
    """The menu below a reply; what is chosen says by itself what to do."""

    def __init__(self, options: Iterable[discord.SelectOption] = ()) -> None:
        super().__init__(discord.ui.Select(custom_id=MENU, placeholder=PLACEHOLDER, options=list(options)))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.LayoutView], match: re.Match[str]
    ) -> Self:
        del interaction, item, match
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        wire: Wire = interaction.client  # type: ignore[assignment]  # the client that this program starts
        chosen = PATTERN.fullmatch(self.item.values[0])
        if chosen:
            await wire.press(interaction, Act(chosen["act"]), chosen["state"])


def menu(panels: Sequence[Panel], controls: Controls) -> Menu | None:
    """Return the menu below panels, each option under a name of its own; None where there is nothing to choose."""
    addressed = states(panels) if controls.each else {}
    options = [
        discord.SelectOption(label=f"{LABELS[act]} {number or ''}".strip(), value=custom_id(act, state))
        for number, state in addressed.items()
        for act in controls.each
    ]
    return Menu(options) if options else None


def custom_id(act: Act, state: str) -> str:
    return f"{PREFIX}:{act}:{state}"


def controls(reply: Reply, answer: int | None, acts: frozenset[str], *, handover: bool = False) -> Controls:
    """Return what can be done below ``reply``: the bot's commands, those in ``acts``, and verdicts on ``answer``.

    With ``handover``, also one that hands a question without a sure answer to people.
    """
    pressed: list[Act] = []
    if answer is not None:
        pressed += [Act.CALL] if handover and not is_confident(reply) else []
        pressed += [Act.RIGHT, Act.WRONG] if accepts_feedback(reply) else []
    more = more_of(reply) if Act.MORE in acts else ""
    row = ((Act.CLOSEST if isinstance(reply, NoAnswer) else Act.MORE, more),) if more else ()
    label = references.more_label(reply) if isinstance(reply, Answer) and more else messages.MORE
    each = () if isinstance(reply, Clipping | Message) else tuple(act for act in (Act.CONTEXT, Act.COPY) if act in acts)
    return Controls((*row, *((act, str(answer)) for act in pressed)), label, each)


def states(panels: Iterable[Panel]) -> dict[int, str]:
    """Return, by their numbers, the states of the first extracts; none of them twice."""
    found: dict[str, int] = {}
    for number, extract in (numbered for panel in panels for numbered in panel.extracts):
        if len(found) < EXTRACTS:
            found.setdefault(encode([address(extract.newest)]), number)
    return {number: state for state, number in found.items()}


def form(answer: str) -> discord.ui.Modal:
    modal = discord.ui.Modal(title=messages.WHY_WRONG, timeout=FORM_OPEN, custom_id=custom_id(Act.WHY, answer))
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        style=discord.TextStyle.paragraph, custom_id=REASON, required=False, max_length=LONGEST_REASON
    )
    modal.add_item(discord.ui.Label(text="In a sentence, for the bot's administrator", component=field))
    return modal


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
