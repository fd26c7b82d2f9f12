"""The table of commands -> Discord's slash commands; and their registration, when it changed.

No command is named here but ``/ask`` and the message commands, which Discord needs beside the table.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import discord
from discord import app_commands

from adapters.discord import events, markup
from adapters.discord.delivery import ACKNOWLEDGED
from adapters.discord.markdown import one_line
from adapters.discord.requests import DiscordRequest
from bot.command import Argument, Command
from bot.commands.completion import Suggestion
from bot.escaping import escape_line
from bot.model import Question
from bot.service import QuestionService

ASK = "ask"
CHECK, PROOF = "Check this quote", "Proof this"
VERIFY = "verify"
LONGEST_CHOICE = 100
CHOICES = 25
UNKNOWN_INTERACTION = 10062
_ALSO = re.compile(r"\[([a-z]+) [A-Z]+\]")  # in a usage: an optional part with a word before it, "[about WORDS]"

Callback = Callable[..., Coroutine[Any, Any, None]]
Tree = app_commands.CommandTree[Any]


class Front(Protocol):
    """What the wire does with a command that was used."""

    async def take(self, interaction: discord.Interaction, command: str, words: str) -> None:
        """Answer it."""

    async def proof(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Proof the draft in a message."""

    async def admitted(self, request: DiscordRequest) -> Question | None:
        """Return what a request asks, unless whoever asks may not."""

    async def complete(self, argument: Argument, typed: str, limit: int, question: Question) -> tuple[Suggestion, ...]:
        """Return what completes an argument."""


def plant(tree: Tree, service: QuestionService, front: Front) -> None:
    tree.add_command(_ask(front))
    for command in service.commands():
        if command.argument is not Argument.STATE and command.name != ASK:
            tree.add_command(_slash(command, front))
    if any(command.name == VERIFY for command in service.commands()):
        tree.add_command(_check(front))
        tree.add_command(app_commands.ContextMenu(name=PROOF, callback=_proof(front)))


def _ask(front: Front) -> app_commands.Command[Any, ..., None]:
    async def ask(interaction: discord.Interaction, question: str) -> None:
        await front.take(interaction, "", markup.question(question))

    described = app_commands.describe(question="For example: how many people were evacuated?")(ask)
    return app_commands.Command(name=ASK, description="Ask the newsroom's articles.", callback=described)


def _check(front: Front) -> app_commands.ContextMenu:
    async def check(interaction: discord.Interaction, message: discord.Message) -> None:
        await front.take(interaction, VERIFY, markup.everything(message))

    return app_commands.ContextMenu(name=CHECK, callback=check)


def _proof(front: Front) -> Callback:
    async def proof(interaction: discord.Interaction, message: discord.Message) -> None:
        await front.proof(interaction, message)

    return proof


def _slash(command: Command, front: Front) -> app_commands.Command[Any, ..., None]:
    callback = _callback(command, front)
    if command.argument is not Argument.NOTHING:
        option = command.argument.value
        callback = app_commands.describe(words=command.usage[:LONGEST_CHOICE])(callback)
        callback = app_commands.rename(words=option)(callback)
    if command.argument in (Argument.NAME, Argument.ARTICLE):
        callback = app_commands.autocomplete(words=_completion(command.argument, front))(callback)
    description = command.help[:LONGEST_CHOICE]
    return app_commands.Command(name=command.name, description=description, callback=callback)


def _callback(command: Command, front: Front) -> Callback:
    """Return a function with the parameters that discord.py is to read off it."""
    also = _ALSO.search(command.usage)
    if command.argument is Argument.NOTHING:
        return _bare(command.name, front)
    if also:
        described = app_commands.describe(more=also[0].strip("[]"))(_with_more(command.name, also[1], front))
        return app_commands.rename(more=also[1])(described)
    optional = command.usage.partition(" ")[2].startswith("[")
    return _with_words_or_none(command.name, front) if optional else _with_words(command.name, front)


def _bare(name: str, front: Front) -> Callback:
    async def use(interaction: discord.Interaction) -> None:
        await front.take(interaction, name, "")

    return use


def _with_words(name: str, front: Front) -> Callback:
    async def use(interaction: discord.Interaction, words: str) -> None:
        await front.take(interaction, name, words)

    return use


def _with_words_or_none(name: str, front: Front) -> Callback:
    async def use(interaction: discord.Interaction, words: str = "") -> None:
        await front.take(interaction, name, words)

    return use


def _with_more(name: str, joint: str, front: Front) -> Callback:
    async def use(interaction: discord.Interaction, words: str, more: str = "") -> None:
        await front.take(interaction, name, f"{words} {joint} {more}" if more else words)

    return use


def _completion(
    argument: Argument, front: Front
) -> Callable[[discord.Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    async def complete(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        asking = await front.admitted(events.from_interaction(interaction, "", typed, ephemeral=True))
        if asking is None:
            return []
        found = await front.complete(argument, typed, CHOICES, asking)
        return [
            app_commands.Choice(name=one_line(escape_line(one.label), LONGEST_CHOICE), value=one.value)
            for one in found
            if 0 < len(one.value) <= LONGEST_CHOICE and one.label.strip()
        ]

    return complete


class Overtaken(logging.Filter):
    """Keeps out of the log that a keystroke was answered too late: by the next one, or another process, overtaken."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not (isinstance(error, discord.HTTPException) and error.code in (UNKNOWN_INTERACTION, ACKNOWLEDGED))


logging.getLogger(app_commands.tree.__name__).addFilter(Overtaken())


class SpeakingTree(app_commands.CommandTree[Any]):
    """A tree in which a command that fails is answered all the same."""

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        await self.client.failed(interaction, error)


def fingerprint(tree: Tree) -> str:
    """Return a hash of all that is registered of the commands."""
    payloads = sorted(json.dumps(command.to_dict(tree), sort_keys=True) for command in tree.get_commands())
    return hashlib.sha256("\n".join(payloads).encode()).hexdigest()
