"""What Slack sends -> what was asked: by whom, where, and where the answer goes. The same for both modes.

Events, slash commands, the message shortcut, buttons and the name picker all end in one ``SlackRequest``;
as JSON it is stored until the question is answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from rapidfuzz import fuzz, process

from adapters.chat.request import SHARE, ChatRequest, is_said
from adapters.slack.blocks import CALL, CLOSEST, MENU, MORE, NAME, SHARE as SHARE_BUTTON, WHO, escape, unescape
from adapters.storage.store import Posting, Watch
from bot import messages
from bot.standing_questions import NEWS_COMMAND
from retrieval import DRAFT_KINDS, is_word

Body = Mapping[str, Any]
Context = Mapping[str, Any]

PLATFORM = "slack"
REACTION = "mag"  # checks the quotations of what it is put on
CHECK_QUOTE, PROOF = "check_quote", "proof_draft"
ASK, ANYTHING = "/ask", "/stet"
CALLED, VERIFY = "call", "verify"
BUTTONS = {MORE: "more", CLOSEST: "more", SHARE_BUTTON: SHARE, CALL: CALLED}
SLIP = 75.0  # percent of its letters that a misspelt command shares with the right one
CHANGED = "message_changed"
REACTED, STEP = "reaction_added", "function_executed"
# a workflow's steps by their callback ids: the command, and the input with its argument
STEPS = {"check_quotations": (VERIFY, "text"), "ask_archive": ("", "question")}
# In a direct message without threads, the question before leads on to this one for so long.
LOOSELY = 900.0
REVISABLE = 600.0  # seconds in which a question may be changed, and is answered again
# people's messages, of these kinds too; all others are changes, joins, and messages of bots
SUBTYPES = (None, "file_share", "thread_broadcast", "me_message")

# raised for a body that lacks the fields of its kind
MALFORMED = (LookupError, TypeError, AttributeError, ValueError)


class Answered(StrEnum):
    THREAD = "thread"  # for everybody, in a thread of the channel
    EPHEMERAL = "ephemeral"  # for the asker alone, in the channel
    RESPONSE = "response"  # for the asker alone, to the address that came with the question
    CHANNEL = "channel"  # for everybody, to that address
    STEP = "step"  # to the workflow that asks


@dataclass(frozen=True, slots=True)
class SlackRequest(ChatRequest):
    """A question or a command in Slack.

    ``within`` says that the question itself was written in ``thread``.
    ``team`` and ``enterprise`` are the person's, as far as Slack says; ``workspace`` is the bot's.
    ``pressed`` is the message whose button asks, ``execution`` a workflow's step.
    """

    within: bool = False
    team: str = ""
    enterprise: str = ""
    answered: Answered = Answered.THREAD
    response_url: str = ""
    pressed: str = ""
    execution: str = ""

    platform = PLATFORM

    @classmethod
    def news(cls, watch: Watch, words: str, key: str) -> SlackRequest:
        return cls(words, watch.person, watch.channel, watch.workspace, NEWS_COMMAND, key=key)

    @property
    def typed(self) -> str:
        return f"{ANYTHING} {self.command} {self.text}".strip() if self.command else self.text

    @property
    def is_direct(self) -> bool:
        return self.channel.startswith("D")

    @property
    def threads_before(self) -> tuple[str, ...]:
        return (self.thread, self.own_thread) if self.within else ("",) if self.is_direct else ()

    @property
    def seconds_before(self) -> float | None:
        return None if self.within else LOOSELY

    @property
    def own_thread(self) -> str:
        return f"{self.thread} {self.person}"

    def posting(self, sent: str, number: int) -> Posting | None:
        # nobody may edit what was sent to a response_url
        return Posting(self.channel, sent, number, self.origin) if self.answered is Answered.THREAD else None

    def threads(self, sent: str) -> tuple[str, ...]:
        """Return the question's thread, and in a direct message the conversation as a whole; for news, its own."""
        if self.command == NEWS_COMMAND:
            return (sent,) if sent else ()
        if self.answered is Answered.EPHEMERAL and self.thread and not sent:
            return (self.own_thread,)
        if sent or self.answered is not Answered.THREAD:
            return ()
        return (self.thread, "") if self.is_direct else (self.thread,)


def asked(body: Body, context: Context, bot: str | None, commands: Iterable[str]) -> SlackRequest | None:
    """Return what a body of Slack's asks, if it asks anything; of a reaction, what it is put on is not known yet.

    ``context`` is what bolt makes of the body; ``bot`` is the bot's user, where known.
    """
    event: Body = body.get("event") or {}
    request: SlackRequest | None = None
    if "command" in body:
        request = _slash(body, context, commands)
    elif event.get("type") == REACTED:
        item = event.get("item") or {}
        is_wanted = event.get("reaction") == REACTION and event.get("user") not in (None, bot or _bot(body))
        if is_wanted and item.get("type") == "message":
            who = replace(_who(body, context), person=event["user"], channel=item.get("channel", ""))
            request = replace(who, command=VERIFY, pressed=item.get("ts", ""), answered=Answered.EPHEMERAL)
    elif event.get("type") == STEP:
        request = _step(body, context)
    elif body.get("type") == "event_callback":
        request = _event(body, context, bot or _bot(body))
    elif body.get("type") == "message_action":
        request = replace(private(body, context), command=VERIFY, text=everything(body.get("message") or {}))
    elif body.get("type") == "block_actions":
        request = _button(body, context)
    elif body.get("type") == "view_submission":
        values, at = body["view"]["state"]["values"], json.loads(body["view"].get("private_metadata") or "{}")
        chosen = [(row[NAME].get("selected_option") or {}).get("value", "") for row in values.values() if NAME in row]
        request = replace(private(body, context), command="who", text=chosen[0] if chosen else "")
        request = replace(request, channel=at.get("channel", ""), response_url=at.get("response_url", ""))
    return request


def _step(body: Body, context: Context) -> SlackRequest | None:
    event = body["event"]
    step = STEPS.get(str((event.get("function") or {}).get("callback_id")))
    if step is None:
        return None
    command, argument = step
    inputs = event.get("inputs") or {}
    text = inputs.get(argument) or ""
    return replace(
        _who(body, context),
        text=written(text) if command else question(text),
        command=command,
        person=inputs.get("person") or "",
        channel=inputs.get("channel") or "",
        answered=Answered.STEP,
        execution=event.get("function_execution_id", ""),
    )


def presence(body: Body, context: Context) -> SlackRequest:
    """Return who does something that is no question: types a name, says what he thinks, opens the Home tab."""
    at = json.loads((body.get("view") or {}).get("private_metadata") or "{}")
    request = _who(body, context)
    return replace(request, channel=at.get("channel") or request.channel) if isinstance(at, dict) else request


def keys(body: Body) -> tuple[str, ...]:
    """Return the names under which a body may arrive again: its own, and its message's."""
    event = body.get("event") or {}
    place = f"{event['channel']}:{event['ts']}" if event.get("channel") and event.get("ts") else None
    return tuple(name for name in (body.get("event_id"), place, body.get("trigger_id")) if name)


def once(request: SlackRequest) -> tuple[str, ...]:
    """Return further names to claim.

    A button that anyone may press has one name for everybody, so that only the first press counts. A reaction has one
    for each person.
    """
    if request.execution:
        return (f"step:{request.execution}",)
    if request.command == VERIFY and request.pressed:
        return (f"reaction:{request.channel}:{request.pressed}:{request.person}",)
    if request.command == SHARE:
        return (f"{request.command}:{request.text}",)
    if request.command == BUTTONS[MORE] and request.answered is Answered.THREAD:
        return (more_key(request.channel, request.pressed, request.text),)
    return ()


def more_key(channel: str, message: str, state: str) -> str:
    return f"more:{channel}:{message}:{state}"


def is_command(body: Body) -> bool:
    """Return whether a body is a slash command, or what came of one: a name picked, a message's menu."""
    return "command" in body or body.get("type") in ("message_action", "view_submission")


def deleted(body: Body) -> tuple[str, str] | None:
    """Return channel and ``ts`` of a message that was deleted; one with answers under it comes as changed."""
    event = body.get("event") or {}
    changed: Body = event.get("message") or {}
    if event.get("subtype") == "message_deleted":
        return event.get("channel", ""), str(event.get("deleted_ts") or "")
    if event.get("subtype") == CHANGED and changed.get("subtype") == "tombstone":
        return event.get("channel", ""), str(changed.get("ts") or "")
    return None


def _changed(event: Body, bot: str | None) -> Body:
    """Return a changed message as the event it would have been now; empty where its words are the same."""
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    late = float(event.get("ts") or 0) - float(now.get("ts") or 0) > REVISABLE
    if late or not now.get("edited") or now.get("text") == before.get("text"):
        return {}
    named = bool(bot) and bot in mentions(now.get("text") or "")
    place = {name: event.get(name) for name in ("channel", "channel_type") if event.get(name)}
    return {**now, **place, "type": "app_mention" if named else "message"}


def _event(body: Body, context: Context, bot: str | None) -> SlackRequest | None:
    event: Body = body.get("event") or {}
    edited = event.get("subtype") == CHANGED
    event = _changed(event, bot) if edited else event
    user, text, draft = event.get("user"), event.get("text") or "", draft_file(event)
    if event.get("bot_id") or not user or user == bot or event.get("subtype") not in SUBTYPES:
        return None
    request = replace(
        _who(body, context),
        edited=edited,
        text="" if draft else question(text),
        person=user,
        thread=event.get("thread_ts") or event.get("ts", ""),
        within="thread_ts" in event,
        origin=event.get("ts", ""),
    )
    is_mention = event.get("type") == "app_mention"
    is_message = event.get("type") == "message"
    if draft:
        answered = Answered.THREAD if request.is_direct else Answered.EPHEMERAL
        # the remark is for a process that finds it unfinished
        proof = replace(request, command=PROOF, answered=answered, remark=messages.PROOF_INTERRUPTED)
        return proof if (is_mention or request.is_direct) and not edited else None
    is_call = not re.sub(rf"<@{bot or '[^<>]*'}(?:\|[^<>]*)?>", "", text).strip()
    if not text or not is_said(request.text, is_call=is_call):
        return None
    if is_mention or (is_message and (event.get("channel_type") == "im" or request.is_direct)):
        return request
    # with the bot's name in it, the same message comes as a mention too; with another's, it is for another
    return replace(request, unasked=True) if is_message and request.within and not mentions(text) else None


def draft_file(message: Body) -> Body | None:
    """Return the file of a message that is a draft; one of another kind only where nothing is written beside it."""
    files = message.get("files") or ()
    drafts = (each for each in files if str(each.get("name")).lower().endswith(DRAFT_KINDS))
    return next(drafts, files[0] if files and not written(message.get("text") or "") else None)


def _bot(body: Body) -> str | None:
    return next((a.get("user_id") for a in body.get("authorizations") or () if a.get("is_bot")), None)


def _slash(body: Body, context: Context, commands: Iterable[str]) -> SlackRequest:
    """Return the request of a slash command: ``/who`` is itself a command, ``/stet`` takes one, or a question."""
    name, text = body["command"], written(body.get("text") or "")
    command = name.lstrip("/")
    if name in (ASK, ANYTHING):
        first, _, rest = text.partition(" ")
        near = process.extractOne(first.lower(), tuple(commands), scorer=fuzz.ratio, score_cutoff=SLIP)
        is_slip = near is not None and (not rest or not is_word(first.lower()))  # the reply suggests the right one
        asks_who = first.lower() == "who" and rest.rstrip().endswith("?")  # the one command that opens questions
        named = first.lower() in commands and not asks_who
        is_command = name == ANYTHING and (named or is_slip)
        command, text = (first.lower(), rest.strip()) if is_command else ("", text)
        command = "help" if name == ANYTHING and not (command or text) else command
    return replace(private(body, context), text=text, command=command)


def _who(body: Body, context: Context) -> SlackRequest:
    """Return who does something, and where, as bolt has it; in Slack Connect the body's own team may be another's."""
    user = body.get("user")
    inner: Body = user if isinstance(user, dict) else body.get("event") or {}
    own = str(inner.get("user_team") or inner.get("team_id") or "")
    return SlackRequest(
        text="",
        person=context.get("user_id") or "",
        channel=context.get("channel_id") or "",
        workspace=context.get("team_id"),
        team=own if own.startswith("T") else context.get("actor_team_id") or "",
        enterprise=own if own.startswith("E") else context.get("actor_enterprise_id") or "",
        name=inner.get("name") or body.get("user_name") or "",
    )


def private(body: Body, context: Context) -> SlackRequest:
    return replace(_who(body, context), answered=Answered.RESPONSE, response_url=body.get("response_url", ""))


def _button(body: Body, context: Context) -> SlackRequest | None:
    action = (body.get("actions") or [{}])[0]
    name, text = action.get("action_id", ""), action.get("value", "")
    command = "who" if name.startswith(WHO) else BUTTONS.get(name)
    if name == MENU:
        command, _, text = action["selected_option"]["value"].partition(":")
    if command is None:
        return None
    container = body.get("container") or {}
    request = replace(private(body, context), command=command, text=text)
    request = replace(request, channel=request.channel or container.get("channel_id", ""))
    if command == SHARE:
        return replace(request, answered=Answered.CHANNEL, shared=True)
    if container.get("is_ephemeral"):
        return request
    if name != CLOSEST:  # which stays for others to press
        request = replace(request, pressed=container.get("message_ts", ""))
    thread = container.get("thread_ts") or container.get("message_ts", "")
    alone = name == CLOSEST or command in ("context", "copy", CALLED)
    return replace(request, thread=thread, answered=Answered.EPHEMERAL if alone else Answered.THREAD)


_MARKUP = re.compile(r"<([@#!]?)([^<>|\s][^<>|]*)(?:\|([^<>]*))?>")
_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:)\S+$", re.IGNORECASE)
_FENCE = re.compile(r"```.*?```", re.DOTALL)
# a code between colons, a skin tone after it; "12:30:45" is none
_EMOJI = re.compile(r"(?<![\w:]):[a-z0-9_+'\-]+:(?::skin-tone-\d:)?(?!\w)")
_BARE = re.compile(r"(?<![\w/])(?:https?://|www\.)\S+", re.IGNORECASE)
_SPACES = re.compile(r"[ \t]{2,}")


def question(text: str) -> str:
    """Return what somebody asks: the words, without marks and without code blocks."""
    return " ".join(written(_FENCE.sub(" ", text)).replace("`", " ").split())


def written(text: str) -> str:
    """Return what somebody wrote, line by line, without marks."""
    plain = _BARE.sub(" ", _EMOJI.sub(" ", unescape(_MARKUP.sub(_plain, text.replace("```", " ")))))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in plain.split("\n")).strip()


def _plain(match: re.Match[str]) -> str:
    sign, what, label = match[1], match[2], match[3]
    if sign == "!" and what.startswith("date"):
        return label or " "
    if sign or not label or _ADDRESS.match(label):
        # a mention, a channel, a group; or an address that is nothing but that
        return " " if sign or _ADDRESS.match(what) else what
    return label


def mentions(text: str) -> frozenset[str]:
    return frozenset(match[2] for match in _MARKUP.finditer(text) if match[1] == "@")


def everything(message: Mapping[str, Any]) -> str:
    """Return all that is written in a message: its text, and what was forwarded with it."""
    texts = [_literally(message) or message.get("text") or ""]
    texts += [
        attached.get("text") or ("" if message.get("text") else attached.get("fallback") or "")
        for attached in message.get("attachments") or ()
    ]
    return "\n\n".join(dict.fromkeys(filter(None, map(written, texts))))


def _literally(message: Mapping[str, Any]) -> str:
    """Return what was written as Slack stores it in blocks, where marks of emphasis and lists are no characters.

    It is escaped, as the message's text is; empty where there are blocks of another kind, which say less.
    """
    blocks = message.get("blocks") or ()
    if not all(block.get("type") == "rich_text" for block in blocks):
        return ""
    return "\n".join(line for block in blocks for paragraph in block["elements"] for line in _lines(paragraph))


def _lines(paragraph: Mapping[str, Any]) -> Iterator[str]:
    elements = paragraph.get("elements") or ()
    if paragraph.get("type") == "rich_text_list":
        for item in elements:
            yield from _lines(item)
        return
    mark = "> " if paragraph.get("type") == "rich_text_quote" else ""
    for line in "".join(map(_leaf, elements)).split("\n"):
        yield f"{mark}{line}"


def _leaf(leaf: Mapping[str, Any]) -> str:
    """Return the words of a piece of a line: mentions, emoji and addresses are nobody's."""
    return escape(leaf["text"]) if leaf.get("type") in ("text", "link") and leaf.get("text") else " "
