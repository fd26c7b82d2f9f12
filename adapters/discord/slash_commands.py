"""The table of commands -> Discord's slash commands; and their registration, when it changed.

No command is named here but ``/ask`` and the message commands, which Discord needs beside the table.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Coroutine
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from adapters.discord.panels import one_line
from adapters.discord.requests import everything, from_interaction, question as asked
from adapters.discord.transport import ACKNOWLEDGED
from bot.command import Argument, Command
from bot.escaping import escape_line
from bot.service import QuestionService

if TYPE_CHECKING:
    from adapters.discord.listeners import Wire

ASK = "ask"
CHECK, PROOF = "Check this quote", "Proof this"
VERIFY = "verify"
LONGEST_CHOICE = 100
CHOICES = 25
UNKNOWN_INTERACTION = 10062
_ALSO = re.compile(r"\[([a-z]+) [A-Z]+\]")  # in a usage: an optional part with a word before it, "[about WORDS]"

_EITHER = Parameter.POSITIONAL_OR_KEYWORD

Callback = Callable[..., Coroutine[Any, Any, None]]
Tree = app_commands.CommandTree[Any]


def plant(tree: Tree, service: QuestionService, wire: Wire) -> None:
    tree.add_command(_ask(wire))
    for command in service.commands():
        if command.argument is not Argument.STATE and command.name != ASK:
            tree.add_command(_slash(command, wire))
    if any(command.name == VERIFY for command in service.commands()):
        tree.add_command(_check(wire))
        tree.add_command(app_commands.ContextMenu(name=PROOF, callback=wire.proof))


def _ask(wire: Wire) -> app_commands.Command[Any, ..., None]:
    async def ask(interaction: discord.Interaction, question: str) -> None:
        await wire.take(interaction, "", asked(question))

    described = app_commands.describe(question="For example: how many people were evacuated?")(ask)
    return app_commands.Command(name=ASK, description="Ask the newsroom's articles.", callback=described)


def _check(wire: Wire) -> app_commands.ContextMenu:
    async def check(interaction: discord.Interaction, message: discord.Message) -> None:
        await wire.take(interaction, VERIFY, everything(message))

    return app_commands.ContextMenu(name=CHECK, callback=check)


def _slash(command: Command, wire: Wire) -> app_commands.Command[Any, ..., None]:
    takes, also = command.argument, _ALSO.search(command.usage)
    is_optional = command.usage.partition(" ")[2].startswith("[")

    async def use(interaction: discord.Interaction, words: str = "", more: str = "") -> None:
        await wire.take(interaction, command.name, f"{words} {also[1]} {more}" if also and more else words)

    # discord.py reads the options off the signature
    options = [] if takes is Argument.NOTHING else [("words", Parameter.empty if not is_optional or also else "")]
    options += [("more", "")] if options and also else []
    parameters = [Parameter("interaction", _EITHER, annotation=discord.Interaction)]
    parameters += [Parameter(name, _EITHER, default=default, annotation=str) for name, default in options]
    use.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    callback: Callback = use
    if takes is not Argument.NOTHING:
        callback = app_commands.rename(words=takes.value)(callback)
        callback = app_commands.describe(words=command.usage[:LONGEST_CHOICE])(callback)
    if also:
        callback = app_commands.rename(more=also[1])(callback)
        callback = app_commands.describe(more=also[0].strip("[]"))(callback)
    if takes in (Argument.NAME, Argument.ARTICLE):
        callback = app_commands.autocomplete(words=_completion(takes, wire))(callback)
    return app_commands.Command(name=command.name, description=command.help[:LONGEST_CHOICE], callback=callback)


def _completion(
    argument: Argument, wire: Wire
) -> Callable[[discord.Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]:
    async def complete(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        asking = await wire.admitted(from_interaction(interaction, words=typed))
        if asking is None:
            return []
        found = await wire.autocomplete(argument, typed, CHOICES, asking)
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


def fingerprint(tree: Tree) -> str:
    payloads = sorted(json.dumps(command.to_dict(tree), sort_keys=True) for command in tree.get_commands())
    return hashlib.sha256("\n".join(payloads).encode()).hexdigest()
