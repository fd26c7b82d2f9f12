"""What Discord sends -> what was asked: by whom, where, in what words.

Interactions, messages and reactions all end in one ``DiscordRequest``, with all that is needed to reply, even for
another process after a crash. Of a message, the words are read without the platform's marks: custom emoji, emoji codes,
mentions, channels and bare addresses are nobody's words. Nothing is searched by them, and nothing compared.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b
from typing import Any

import discord

from adapters.chat.request import ChatRequest, is_said
from adapters.storage.store import Posting, Watch
from bot.commands.command_table import BY_STATE
from bot.model import Asker, Place
from bot.standing_questions import NEWS_COMMAND
from retrieval import QUESTION

MALFORMED = (ValueError, TypeError, LookupError, AttributeError)  # raised for what is not as Discord describes it
PLATFORM = "discord"
TOKEN_SECONDS = 890.0  # Discord gives an interaction fifteen minutes, and the last attempt may need a few seconds
WITH_QUESTION_ABOVE = "headed"  # a message with the question above the answer
LINKS = 5  # of one message that may get a card
USER_MESSAGE_TYPES = (discord.MessageType.default, discord.MessageType.reply)

_MARKUP = re.compile(r"<(?:a?:\w+:\d+|@[!&]?\d+|#\d+|/[^<>:]+:\d+|t:-?\d+(?::\w)?|id:\w+)>|@(?:everyone|here)\b")
_BARE_ADDRESS = re.compile(r"<?(?<![\w/])(?:https?://|www\.)[^\s<>]+>?", re.IGNORECASE)
_LABELLED = re.compile(r"\[([^\[\]\n]+)\]\(<?https?://[^\s()<>]+>?\)")
_EMOJI = re.compile(r"(?<![\w:]):[a-z0-9_+\-]+:(?!\w)", re.IGNORECASE)
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_STRESS = re.compile(r"(?<!\\)(?:\*{1,3}|__|~~|\|\||`{1,3})")
_HEAD = re.compile(r"^(?:#{1,3}|-#)\s+", re.MULTILINE)
_ESCAPED = re.compile(r"\\([\\*_~`|>#\[\]()<@:-])")
_SPACES = re.compile(r"[ \t]{2,}")
_ADDRESS = re.compile(r"https?://[^\s<>|]+", re.IGNORECASE)
_BEHIND = ".,;:!?\"'*_"  # what ends a sentence, or an emphasis, and no address


MENU = "stet:menu"
REASON = "reason"


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
    SHARE = "share"
    DONE = "done"  # beside a question that was handed to people


# An id holds all that a press needs, so that it works after a restart too: ``stet:more:1f0c9a2b.12`` shows the sentence
# with that address, ``stet:wrong:17`` is a verdict on answer 17. What is chosen from the menu is such an id.
PATTERN = re.compile(rf"stet:(?P<act>{'|'.join(Act)}):(?P<state>.*)", re.DOTALL)


def custom_id(act: Act, state: str) -> str:
    return f"stet:{act}:{state}"


def digest(name: str) -> str:
    """Return an id of our own: Discord takes at most 25 characters for a nonce."""
    return blake2b(name.encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class DiscordRequest(ChatRequest):
    """A question or a command on Discord.

    ``id`` is the interaction's or the message's, or a digest where there is neither; Discord gets it as the nonce,
    so that no answer is shown twice. ``token`` is the interaction's; without one the reply is a plain message in
    ``channel``. ``rules_channel`` is where permission is decided: for a thread, its parent channel. ``at`` is in
    seconds since 1970. ``apart`` says that the answer is no reply to a message in ``channel``. ``replied_to`` is the
    message that this one answers, where that may be the bot's; ``above`` is what it says where it is a colleague's.
    """

    id: str = ""
    at: float = field(default_factory=time.time)
    groups: tuple[str, ...] = ()
    outsider: bool = False
    rules_channel: str | None = None
    replied_to: str = ""
    above: str = ""
    token: str = ""
    application: str = ""
    ephemeral: bool = False
    apart: bool = False

    platform = PLATFORM

    @classmethod
    def news(cls, watch: Watch, words: str, key: str) -> DiscordRequest:
        name = digest(key)
        request = cls(words, watch.person, watch.target, watch.workspace, NEWS_COMMAND, rules_channel=watch.channel)
        return replace(request, origin=name, key=f"message:{name}", id=name, apart=True)

    @property
    def asker(self) -> Asker:
        return Asker(self.person, self.groups, self.outsider)

    @property
    def place(self) -> Place:
        return Place(PLATFORM, self.workspace, self.rules_channel)

    @property
    def threads_before(self) -> tuple[str, ...]:
        return (self.replied_to,) if self.replied_to else ()

    @property
    def is_headed(self) -> bool:
        """Whether the question is shown above an answer: nothing near the answer says what was asked."""
        return self.command != NEWS_COMMAND and (self.apart or (bool(self.token) and self.command not in BY_STATE))

    def posting(self, sent: str, number: int) -> Posting | None:
        if self.ephemeral:
            return None
        origin = "" if self.command == NEWS_COMMAND else self.origin
        return Posting(self.channel, sent, number, origin, WITH_QUESTION_ABOVE if self.is_headed else "")

    def threads(self, sent: str) -> tuple[str, ...]:
        return (sent,) if sent else ()


def from_interaction(
    interaction: discord.Interaction, command: str = "", words: str = "", remark: str = ""
) -> DiscordRequest:
    """Return the request of an interaction, to be answered for the person alone."""
    guild = interaction.guild_id
    return DiscordRequest(
        text=words,
        channel=str(interaction.channel_id or ""),
        workspace=str(guild) if guild else None,
        command=command,
        remark=remark,
        key=f"interaction:{interaction.id}",
        id=str(interaction.id),
        token=interaction.token,
        application=str(interaction.application_id),
        ephemeral=True,
        **_sender(interaction.user, interaction.channel),
    )


def _sender(person: discord.User | discord.Member, channel: object) -> dict[str, Any]:
    by = as_asker(person)
    number = channel.parent_id if isinstance(channel, discord.Thread) else getattr(channel, "id", None)
    rules_channel = str(number) if number else None
    return {"person": by.id, "groups": by.groups, "outsider": by.outsider, "rules_channel": rules_channel}


def from_message(message: discord.Message, user: discord.ClientUser | None) -> DiscordRequest:
    edited, reference = message.edited_at, message.reference
    original = reference.resolved if reference else None
    colleagues = original if isinstance(original, discord.Message) and original.author != user else None
    # a channel says its server's id where the server is not known yet
    server = message.guild.id if message.guild else getattr(message.channel, "guild_id", None)
    return DiscordRequest(
        text=question(message.content),
        channel=str(message.channel.id),
        workspace=str(server) if server else None,
        origin=str(message.id),
        edited=edited is not None,
        key=f"message:{message.id}:{edited.isoformat()}" if edited else f"message:{message.id}",
        id=str(message.id),
        replied_to=str(reference.message_id) if reference and not colleagues else "",
        above=question(colleagues.content)[:QUESTION] if colleagues else "",
        **_sender(message.author, message.channel),
    )


def from_reaction(message: discord.Message, channel: object, member: discord.Member) -> DiscordRequest:
    key = f"reaction:{message.id}:{member.id}"
    place: dict[str, Any] = {"channel": str(message.channel.id), "workspace": str(member.guild.id)}
    return DiscordRequest(
        everything(message), command="verify", key=key, id=digest(key), **place, **_sender(member, channel)
    )


def as_asker(person: discord.User | discord.Member) -> Asker:
    if not isinstance(person, discord.Member):
        return Asker(str(person.id))
    # Member.roles drops those whose server is not known yet, and with them the permission
    roles = tuple(str(number) for number in person._roles)  # noqa: SLF001
    return Asker(str(person.id), roles, person.flags.guest)


def names(message: discord.Message, user: discord.ClientUser | None) -> bool:
    """Return whether a message has the bot's name in it; the mention that Discord puts into a reply is none."""
    return user is not None and user.id in message.raw_mentions


def is_hidden(message: discord.Message, user: discord.ClientUser | None) -> bool:
    """Return whether Discord keeps back what a reply says: it does where that mentions no bot."""
    return not message.content and all(user is None or person.id != user.id for person in message.mentions)


def follows(message: discord.Message, user: discord.ClientUser | None) -> bool:
    original = message.reference.resolved if message.reference else None
    author = getattr(original, "author", None)
    return user is not None and author is not None and bool(author.id == user.id)


def waited(message: discord.Message) -> float:
    original = message.reference.message_id if message.reference else None
    return (message.created_at - discord.utils.snowflake_time(original)).total_seconds() if original else 0.0


def is_answerable(message: discord.Message, words: str, user: discord.ClientUser | None) -> bool:
    """Return whether a message wants an answer, as far as its words say; Discord keeps some back."""
    content = message.content.strip()
    is_call = not content or (user is not None and content in (f"<@{user.id}>", f"<@!{user.id}>"))
    return is_said(words, is_call=is_call)


def complaint(data: Any) -> tuple[str, str] | None:  # noqa: ANN401 - as Discord sends it
    """Return the answer that a form is about and what was written; ``None`` where it is none of our forms."""
    match = PATTERN.fullmatch(data["custom_id"])
    if match is None or match["act"] != Act.WHY:
        return None
    why = next((field["value"] for field in _fields(data["components"]) if field.get("custom_id") == REASON), "")
    return match["state"], why


def _fields(components: list[Any]) -> Iterator[Any]:
    for component in components:
        inside = component.get("components") or ([component["component"]] if component.get("component") else [])
        yield from _fields(inside)
        if "value" in component:
            yield component


def links(message: discord.Message) -> tuple[str, ...]:
    """Return the addresses in a message; none where Discord keeps back what it says."""
    return tuple(dict.fromkeys(map(_address, _ADDRESS.findall(message.content))))


def _address(written: str) -> str:
    """Return an address without trailing punctuation; a closing bracket stays if the address opens it."""
    bare = written.rstrip(_BEHIND)
    return _address(bare[:-1]) if bare.endswith(")") and bare.count(")") > bare.count("(") else bare


def question(text: str) -> str:
    """Return what somebody asks: the words, without marks and without code blocks."""
    return " ".join(written(_FENCE.sub(" ", text)).split())


def written(text: str) -> str:
    """Return what somebody wrote, line by line, without marks."""
    plain = _BARE_ADDRESS.sub(" ", _LABELLED.sub(r"\1", _EMOJI.sub(" ", _MARKUP.sub(" ", text))))
    plain = _ESCAPED.sub(r"\1", _HEAD.sub("", _STRESS.sub("", plain)))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in plain.split("\n")).strip()


def everything(message: discord.Message) -> str:
    """Return all that is written in a message: its text, its components and embeds, and what was forwarded."""
    texts = [message.content, *(embed.description or "" for embed in message.embeds)]
    texts += [text for component in message.components for text in _inside(component)]
    texts += [snapshot.content for snapshot in message.message_snapshots]
    return "\n\n".join(filter(None, map(written, texts)))


def _inside(component: discord.Component) -> Iterator[str]:
    if isinstance(component, discord.TextDisplay):
        yield component.content
    for child in getattr(component, "children", ()):
        yield from _inside(child)
