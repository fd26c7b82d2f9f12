"""What Discord puts on the wire: people, channels, messages, interactions, with every field that its clients read."""

import itertools
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

EPOCH = 1_420_070_400_000  # milliseconds; Discord's ids count from the first second of 2015
LOADING, EPHEMERAL, COMPONENTS_V2 = 1 << 7, 1 << 6, 1 << 15
GUEST = 1 << 4  # of a member's flags
SEND_MESSAGES = 1 << 11  # of permissions
PERMISSIONS = "2147483647"

Payload = dict[str, Any]

_numbers = itertools.count()


def snowflake(ago: float = 0.0) -> str:
    """Return a new id that says when it was made, as Discord's do: so many seconds ago."""
    return str((int((time.time() - ago) * 1000) - EPOCH) << 22 | next(_numbers) & 0x3FFFFF)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who uses Discord."""

    id: str
    name: str = "reporter"
    roles: tuple[str, ...] = ()
    bot: bool = False

    def payload(self) -> Payload:
        same = {"discriminator": "0", "avatar": None, "public_flags": 0}  # of everybody
        return {"id": self.id, "username": self.name, "global_name": self.name.title(), "bot": self.bot, **same}


@dataclass(frozen=True, slots=True)
class World:
    """One application, one server with a channel and a forum with one post, and one direct conversation."""

    application: str = "900000000000000001"
    token: str = "discord-token-of-the-emulator"
    guild: str = "900000000000000002"
    channel: str = "900000000000000003"
    direct: str = "900000000000000004"
    forum: str = "900000000000000008"
    post: str = "900000000000000009"
    reporter: Person = field(default=Person("900000000000000005", roles=("900000000000000006",)))
    content: bool = False  # whether the bot may ask for what is written in channels
    last: dict[str, str] = field(default_factory=dict, compare=False)  # message of each channel

    @property
    def bot(self) -> Person:
        return Person(self.application, "stet", bot=True)


def guild(world: World) -> Payload:
    everyone = {"id": world.guild, "name": "@everyone", "permissions": "274877991936", "position": 0, "color": 0}
    everyone |= {"flags": 0, **dict.fromkeys(("hoist", "managed", "mentionable"), False)}
    people = {"owner_id": world.reporter.id, "member_count": 2, "members": [member(world.bot)], "joined_at": now()}
    return {
        "id": world.guild,
        "name": "The newsroom",
        "roles": [everyone, everyone | {"id": world.reporter.roles[0], "name": "Reporters", "position": 1}],
        "channels": [channel(world, world.channel), channel(world, world.forum)],
        "preferred_locale": "en-US",
        **people,
        **dict.fromkeys(("unavailable", "large"), False),
        **dict.fromkeys(("premium_tier", "verification_level"), 0),
        **{name: [] for name in "emojis features threads presences voice_states stage_instances stickers".split()},
    }


def channel(world: World, number: str, *, closed: bool = False) -> Payload:
    """Return a channel or a post of the server, ``closed`` to all who would write, or the direct conversation."""
    denied = [{"id": world.guild, "type": 0, "allow": "0", "deny": str(SEND_MESSAGES)}]
    if number == world.direct:
        return {"id": number, "type": 1, "last_message_id": None, "recipients": [world.reporter.payload()], "flags": 0}
    if number == world.post:
        shut = {"archived": False, "locked": closed, "auto_archive_duration": 1440, "archive_timestamp": now()}
        post = {"id": number, "type": 11, "name": "flood", "guild_id": world.guild, "parent_id": world.forum}
        counts = {"message_count": 0, "member_count": 1, "rate_limit_per_user": 0, "flags": 0}
        return {**post, **counts, "owner_id": world.reporter.id, "thread_metadata": shut}
    same = {"parent_id": None, "topic": None, "nsfw": False, "position": 0, "rate_limit_per_user": 0, "flags": 0}
    return {
        "id": number,
        "type": 15 if number == world.forum else 0,
        "permissions": PERMISSIONS,
        "name": "desk",
        "guild_id": world.guild,
        "last_message_id": world.last.get(number),
        "permission_overwrites": denied if closed else [],
        **same,
    }


def member(person: Person) -> Payload:
    same = {"deaf": False, "mute": False, "flags": 0, "permissions": PERMISSIONS}  # of all members
    return {"user": person.payload(), "roles": list(person.roles), "joined_at": now(), **same}


def now() -> str:
    return datetime.now(UTC).isoformat()


def message(author: Person, place: str, content: str = "", **more: Any) -> Payload:  # noqa: ANN401  (fields of Discord)
    return {
        "id": snowflake(),
        "channel_id": place,
        "author": author.payload(),
        "content": content,
        "timestamp": now(),
        "edited_timestamp": None,
        **dict.fromkeys(("tts", "mention_everyone", "pinned"), False),
        **{name: [] for name in "mentions mention_roles attachments embeds components".split()},
        "type": 0,
        "flags": 0,
    } | more


def interaction(world: World, kind: int, data: Payload, person: Person, place: str) -> Payload:
    """Return an interaction (2 command, 3 component, 4 autocomplete, 5 modal) as the gateway brings it."""
    direct = place == world.direct
    same = {"version": 1, "locale": "en-US", "entitlements": [], "attachment_size_limit": 10_485_760}
    payload: Payload = {
        "id": snowflake(),
        "application_id": world.application,
        "type": kind,
        "token": f"interaction-{next(_numbers)}-{time.time_ns()}",
        "data": data,
        "channel_id": place,
        "channel": channel(world, place),
        "app_permissions": PERMISSIONS,
        "authorizing_integration_owners": {"0": "0" if direct else world.guild},
        "context": 1 if direct else 0,
        **same,
    }
    if direct:
        return payload | {"user": person.payload()}
    server = {"id": world.guild, "locale": "en-US", "features": []}
    return payload | {"member": member(person), "guild_id": world.guild, "guild": server, "guild_locale": "en-US"}
