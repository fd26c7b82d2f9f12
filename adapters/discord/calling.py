"""Questions without a sure answer -> people: a message in their channel, once, and what marks it as done there."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import discord

from adapters.discord.buttons import Act, PressButton
from adapters.discord.delivery import PASSING
from adapters.discord.markdown import escape, quotation
from adapters.storage.ledger import Ledger
from adapters.storage.records import AnswerRecord
from bot import messages

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Calling:
    """Hands questions over to ``channel``; an empty one hands nothing over."""

    client: discord.Client
    ledger: Ledger
    channel: str

    async def call(self, interaction: discord.Interaction, answer: str) -> None:
        """Post the question behind an answer for people, unless it was posted before; confirm it to who pressed."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        record = (
            await self.ledger.call_with_timeout(self.ledger.stored_answer(int(answer))) if answer.isdecimal() else None
        )
        if record is None or not self.channel:
            text = messages.EXPIRED
        else:
            text = messages.HANDED_OVER if await self._called(interaction, answer, record) else messages.NOT_HANDED_OVER
        await interaction.edit_original_response(content=text)

    async def _called(self, interaction: discord.Interaction, answer: str, record: AnswerRecord) -> bool:
        try:
            return await self.ledger.once(f"call:{answer}", lambda: self._post(interaction, record))
        except (discord.HTTPException, ValueError, *PASSING) as error:
            log.warning("a question could not be handed to people: %s", error)
            return False

    async def _post(self, interaction: discord.Interaction, record: AnswerRecord) -> None:
        link = interaction.message.jump_url if interaction.message else ""
        words = [
            f"**{escape(messages.handover_request(interaction.user.display_name))}**",
            quotation(record.question),
            link,
        ]
        await self.client.get_partial_messageable(int(self.channel)).send(view=_note("\n".join(words), done=False))

    async def done(self, interaction: discord.Interaction) -> None:
        shown = interaction.message.components if interaction.message else []
        words = [part.content for part in shown if isinstance(part, discord.TextDisplay)]
        words.append(f"-# {escape(messages.marked_done(interaction.user.display_name))}")
        await interaction.response.edit_message(view=_note("\n".join(words), done=True))


def _note(text: str, *, done: bool) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(text))
    if not done:
        row: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
        row.add_item(PressButton(Act.DONE, ""))
        view.add_item(row)
    return view
