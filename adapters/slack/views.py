"""What Slack shows beside messages: the app's Home, the name picker, the question why an answer was wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable

from adapters.chat.parts import shorten
from adapters.slack.blocks import Block, draw, plain, rich, section, words
from adapters.slack.requests import NAME, PICK
from bot import messages
from bot.model import Reply

WHY, REASON = "stet_why", "stet_reason"
OPTIONS, VALUE = 100, 150
LONGEST_REASON = 1_000
WAYS = (
    "Mention me, or write to me here: I answer in a thread. Follow-ups need no mention where I may read along.",
    "/stet with a question asks for your eyes only; a button shares the answer. /stet help lists what else it takes.",
    "“Check this quote”, in the menu of any message, compares it with the articles.",
)
PRIVACY = (
    "I quote the newsroom's own articles, word for word, and nothing leaves this machine but the answers themselves.",
    "Questions, answers and your feedback are stored for {} days, to answer follow-ups and to find mistakes.",
)


# questions to begin with: what is shown, and what is asked
PROMPTS = {
    "What could not be verified?": "unverified",
    "Which articles are here?": "sources",
    "What can I ask?": "help",
}


def home(holds: Reply, keep_days: int) -> Block:
    blocks = [
        *_chapter("How to ask", WAYS),
        *_chapter("To begin with", [f"/stet {asked}: {title}" for title, asked in PROMPTS.items()]),
        _header("What I know"),
        # what is clicked is answered beside its message, and here is none
        *(_bare(block) for block in draw(holds).blocks if block["type"] != "actions"),
        *_chapter("Privacy", [text.format(keep_days) for text in PRIVACY]),
    ]
    return {"type": "home", "blocks": blocks}


def _bare(block: Block) -> Block:
    return {key: value for key, value in block.items() if key != "accessory"}


def _chapter(heading: str, lines: Iterable[str]) -> list[Block]:
    return [_header(heading), rich(*(section(words(text)) for text in lines))]


def _header(text: str) -> Block:
    return {"type": "header", "text": plain(text)}


def picker(channel: str, response_url: str) -> Block:
    """Return the modal in which a name is chosen; where the answer goes travels with it."""
    select = {"type": "external_select", "action_id": NAME, "min_query_length": 1, "placeholder": plain("A name")}
    field = {"type": "input", "block_id": NAME, "label": plain("Person, body or place"), "element": select}
    return _modal(PICK, json.dumps({"channel": channel, "response_url": response_url}), "Who is it?", "Show", field)


def _modal(name: str, metadata: str, title: str, submit: str, field: Block) -> Block:
    modal = {"type": "modal", "callback_id": name, "private_metadata": metadata, "title": plain(title)}
    return {**modal, "submit": plain(submit), "close": plain("Cancel"), "blocks": [field]}


def options(names: Iterable[str]) -> list[Block]:
    fitting = [name for name in names if 0 < len(name) <= VALUE]
    return [{"text": plain(name), "value": name} for name in fitting[:OPTIONS]]


def why(answer: int) -> Block:
    text = {"type": "plain_text_input", "action_id": REASON, "multiline": True, "max_length": LONGEST_REASON}
    label = plain("In a sentence, for the bot's administrator")
    field = {"type": "input", "block_id": REASON, "label": label, "element": text, "optional": True}
    return _modal(WHY, str(answer), messages.WHY_WRONG, "Send", field)


def reason(view: Block) -> str | None:
    field = view["state"]["values"].get(REASON, {}).get(REASON, {})
    text = (field.get("value") or "").strip()
    return shorten(text, LONGEST_REASON) or None
