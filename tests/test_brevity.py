"""How much of a screen an answer takes in chat: over the golden questions, on both platforms, as it would be sent."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from statistics import median

import pytest

from adapters.discord import panels
from adapters.slack.blocks import draw
from bot import messages, source_lines
from bot.escaping import escape_controls
from bot.model import Answer, Question, Reply
from tests.emulators import discord_rules
from tests.emulators.slack_rules import seen
from tests.shelf import ENCODER, FIXTURES, SEEDS, Shelf, compared, golden, readings, service

pytestmark = [pytest.mark.rest, pytest.mark.no_cover]  # the same code as the tests of golden questions

LONGEST, MOST_CONTROLS = 450, 3  # of a median reply; of a sure answer
ON_SLACK = ("actions", "context_actions")
ADDRESS = re.compile(r"\]\(<[^>]*>\)")
EMPHASIS = re.compile(r"(?<!\\)\*\*")
SHELVES = pytest.mark.parametrize("shelf", [SEEDS, FIXTURES], ids=["seeds", "fixtures"])


def slack(reply: Reply) -> tuple[str, int]:
    blocks = draw(reply, 1, handover=True).blocks
    words = seen({"blocks": [block for block in blocks if block["type"] not in ON_SLACK]})
    menus = sum("accessory" in block for block in blocks)
    return words, menus + sum(len(block["elements"]) for block in blocks if block["type"] in ON_SLACK)


def discord(reply: Reply) -> tuple[str, int]:
    message = panels.compose(panels.draw(reply, 1, handover=True))
    parts = list(discord_rules.walk(message.to_components()))
    words = "\n".join(part["content"] for part in parts if part["type"] == discord_rules.TEXT)
    controlled = [part for part in parts if part["type"] in (discord_rules.BUTTON, discord_rules.SELECT)]
    pressed = [part for part in controlled if part.get("label") != messages.WRONG]
    return re.sub(r"\\(.)", r"\1", EMPHASIS.sub("", ADDRESS.sub("]", words))), len(pressed)


Draw = Callable[[Reply], tuple[str, int]]
PLATFORMS = pytest.mark.parametrize("drawn", [slack, discord])


@cache
def replies(shelf: Shelf) -> tuple[Reply, ...]:
    held = service(readings(shelf), compared(ENCODER))
    return tuple(held.answer(Question(each.question, each.previous, brief=True)) for each in golden(shelf))


def sure(shelf: Shelf) -> Iterator[Answer]:
    yield from (reply for reply in replies(shelf) if isinstance(reply, Answer) and reply.sure)


@SHELVES
@PLATFORMS
async def test_a_reply_is_read_at_a_glance(shelf: Shelf, drawn: Draw) -> None:
    for asked in (replies(shelf), sure(shelf)):
        assert median(len(drawn(reply)[0]) for reply in asked) <= LONGEST


@SHELVES
@PLATFORMS
async def test_a_sure_answer_has_few_things_to_press(shelf: Shelf, drawn: Draw) -> None:
    answers = list(sure(shelf))
    assert median(drawn(reply)[1] for reply in answers) <= MOST_CONTROLS
    assert all(drawn(reply)[1] <= MOST_CONTROLS for reply in answers if len(reply.extracts) == 1)


@SHELVES
@PLATFORMS
async def test_nothing_is_short_at_the_cost_of_a_caveat_a_speaker_or_a_source(shelf: Shelf, drawn: Draw) -> None:
    for reply in replies(shelf):
        words, _ = drawn(reply)
        for extract in reply.extracts if isinstance(reply, Answer) else ():
            due = [extract.text, source_lines.speaker(extract), source_lines.source(extract.citation)]
            due += [told.text for told in (*extract.caveats, *extract.notices)]
            assert [each for each in due if escape_controls(each) not in words] == []
