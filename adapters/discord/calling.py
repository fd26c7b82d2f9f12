"""Questions without a sure answer -> people: a message in their channel, once, and what marks it as done there."""

from __future__ import annotations

import logging

import discord

from adapters.discord.buttons import Act, PressButton
from adapters.discord.delivery import PASSING
from adapters.discord.markdown import escape, quotation
from adapters.storage.ledger import Ledger
from bot import messages

log = logging.getLogger(__name__)


async def hand_over(interaction: discord.Interaction, answer: str, ledger: Ledger, channel: str) -> None:
    """Post the question behind an answer for people, unless it was posted before; confirm it to who pressed."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    record = await ledger.call_with_timeout(ledger.stored_answer(int(answer))) if answer.isdecimal() else None
    text = messages.EXPIRED
    if record is not None and channel:
        link = interaction.message.jump_url if interaction.message else ""
        heading = f"**{escape(messages.handover_request(interaction.user.display_name))}**"
        words = "\n".join((heading, quotation(record.question), link))

        async def post() -> None:
            await interaction.client.get_partial_messageable(int(channel)).send(view=_note(words, done=False))

        text = messages.HANDED_OVER
        try:
            if not await ledger.once(f"call:{answer}", post):
                text = messages.NOT_HANDED_OVER
        except (discord.HTTPException, ValueError, *PASSING) as error:
            log.warning("a question could not be handed to people: %s", error)
            text = messages.NOT_HANDED_OVER
    await interaction.edit_original_response(content=text)


async def mark_done(interaction: discord.Interaction) -> None:
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
