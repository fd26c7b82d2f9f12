"""The buttons under a reply on Discord, and the form behind one of them.

What a button needs to know is in its custom id, so that it works after a restart as before it:
``stet:more:1f0c9a2b.12`` shows the sentence with that address, ``stet:wrong:17`` is a verdict on answer 17.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self

import discord

from adapters.discord.panels import Panel
from adapters.storage.answer_record import can_be_judged, convincing
from bot.model import Answer, Reply
from bot.state import address, encode

PREFIX = "stet"
REASON = "reason"
LONGEST_REASON = 1000
FORM_OPEN = 900.0  # seconds: no form can be sent later than that


class Act(StrEnum):
    """What a button does; the first three are commands of the desk by the same name."""

    MORE = "more"
    CONTEXT = "context"
    COPY = "copy"
    RIGHT = "right"
    WRONG = "wrong"
    WHY = "why"  # the form behind "wrong"
    CALL = "call"
    DONE = "done"  # beside a question that was handed to people


LABELS = {Act.MORE: "More", Act.CONTEXT: "Context", Act.COPY: "Copy", Act.RIGHT: "Helpful", Act.WRONG: "Not right"} | {
    Act.CALL: "Ask the desk",
    Act.DONE: "Done",
}
PATTERN = re.compile(rf"{PREFIX}:(?P<act>{'|'.join(Act)}):(?P<state>.*)", re.DOTALL)


class Pressed(Protocol):
    """What the wire does when a button is pressed."""

    async def press(self, interaction: discord.Interaction, act: Act, state: str) -> None:
        """Answer the interaction."""


@dataclass(frozen=True, slots=True)
class Controls:
    """The buttons that a reply gets: ``beneath`` each of its extracts, and a ``row`` at the end with their states."""

    beneath: tuple[Act, ...] = ()
    row: tuple[tuple[Act, str], ...] = ()


class PressButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]], template=PATTERN):
    """A button that carries its state with it."""

    def __init__(self, act: Act, state: str, number: int = 1) -> None:
        self.act, self.state = act, state
        style = discord.ButtonStyle.primary if act is Act.MORE else discord.ButtonStyle.secondary
        label = LABELS.get(act, "") if number == 1 else f"{LABELS[act]} {number}"
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=custom_id(act, state)))

    def in_row(self, row: int) -> Self:
        """Return it, placed in a row of a message without Components V2."""
        self.row = row
        return self

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.LayoutView], match: re.Match[str]
    ) -> Self:
        """Return the button that was pressed, from its custom id alone."""
        del interaction, item
        return cls(Act(match["act"]), match["state"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Hand the press to the wire."""
        wire: Pressed = interaction.client  # type: ignore[assignment]  # the client that this program starts
        await wire.press(interaction, self.act, self.state)


def custom_id(act: Act, state: str) -> str:
    """Return the custom id for an act with its state."""
    return f"{PREFIX}:{act}:{state}"


def controls(reply: Reply, answer: int | None, acts: frozenset[str], *, desk: bool = False) -> Controls:
    """Return the buttons for ``reply``: of the desk's commands those in ``acts``, and verdicts on ``answer``.

    With ``desk``, one that hands a question without a sure answer to people.
    """
    call = ((Act.CALL, str(answer)),) if desk and answer is not None and not convincing(reply) else ()
    if not can_be_judged(reply):
        return Controls(row=call)
    beneath = tuple(act for act in (Act.CONTEXT, Act.COPY) if act in acts)
    row: list[tuple[Act, str]] = []
    if isinstance(reply, Answer) and reply.more and Act.MORE in acts:
        row.append((Act.MORE, reply.more))
    if answer is not None:
        row += [(Act.RIGHT, str(answer)), (Act.WRONG, str(answer))]
    return Controls(beneath, (*row, *call))


def states(panels: Iterable[Panel], most: int) -> dict[int, str]:
    """Return, by their places among ``panels``, the states of the first ``most`` extracts; none of them twice."""
    found: dict[str, int] = {}
    for number, panel in enumerate(panels):
        if panel.extract is not None and len(found) < most:
            newest = panel.extract.newest
            found.setdefault(encode([address(newest.citation, newest.index)]), number)
    return {number: state for state, number in found.items()}


def form(answer: str) -> discord.ui.Modal:
    """Return the form that asks what was wrong with an answer."""
    modal = discord.ui.Modal(title="What was not right?", timeout=FORM_OPEN, custom_id=custom_id(Act.WHY, answer))
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        style=discord.TextStyle.paragraph, custom_id=REASON, required=False, max_length=LONGEST_REASON
    )
    modal.add_item(discord.ui.Label(text="In a sentence, for the bot's keeper", component=field))
    return modal
