"""A newsroom for tests: a few articles of our own, a desk over them, and the bot at work in an emulated Slack."""

import asyncio
import re
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adapters.articles import open_service, policy
from adapters.channel_rules import read_channels
from adapters.settings import Settings, load
from adapters.slack import service as slack_service
from adapters.slack.socket_mode import Timeouts
from bot.command import Library
from bot.service import QuestionService
from tests.emulators.slack import Slack
from tests.emulators.slack_wire import Delivery
from tests.support.program import launch
from tests.support.replies import HOSTILE

SAID = "Harbour master Ida Roth said forty passengers were brought ashore in lifeboats."
CLAIM = "A sailor said the engine had failed twice in the week before."
CAVEAT = "The claim could not be independently verified."
FERRY = f"""---
title: Ferry aground & freed
source: The Quay
published: 2025-03-04
url: https://quay.example/ferry
---
The ferry Solveig ran aground off the northern pier on Tuesday morning.

{SAID}

“Nobody was hurt,” Ms Roth told reporters at the pier.

{CLAIM}
{CAVEAT}
"""
HOSTILE_SENTENCE = f"The pilot Nils Berg wrote {HOSTILE.replace(chr(96) * 3, chr(96))} on the chart of the estuary."
CHART = f"""---
title: "{HOSTILE}"
source: The Quay
published: 2025-04-05
url: https://quay.example/chart
---
A chart of the estuary was found on Friday.

{HOSTILE_SENTENCE}
"""
QUESTION = "how many passengers were brought ashore?"
CLAIM_ASKED = "what did the sailor say about the engine?"
# Slack sends again after three seconds; how fast it is on quiet cores is what the benchmarks say
IN_TIME, AT_ONCE = 10.0, 1.0
QUICK = Timeouts(ping=0.5, silence=1.5, connecting=5, closed=0.1, look=0.02, unfinished=0.2, goodbye=2)


def write_articles(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ferry.md").write_text(FERRY)
    (folder / "chart.md").write_text(CHART)
    return folder


def environment(slack: Slack, folder: Path, **more: str) -> dict[str, str]:
    return {
        "SLACK_API_URL": slack.url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "STET_SLACK_PORT": "0",
        "STET_STATE": str(folder / "state.sqlite"),
        "STET_ARTICLES": str(write_articles(folder / "articles")),
        **more,
    }


def settings_for(slack: Slack, folder: Path = Path(), **more: str) -> Settings:
    """Return the settings of a bot that finds the emulator and keeps its state in ``folder``, else where it runs."""
    return load(environment(slack, folder, **more), folder / "no.env")


@cache
def _library() -> Library:
    with TemporaryDirectory() as folder:
        given = {"STET_ARTICLES": str(write_articles(Path(folder)))}
        return open_service(load(given, Path("no.env"))).library


@asynccontextmanager
async def at_work(**more: str) -> AsyncIterator[Slack]:
    async with Slack() as slack, serving(slack, settings_for(slack, **more)):
        yield slack


def steps_in(*channels: str, more: str = "") -> str:
    """Write a file of channel rules that let workflows read these channels; return its path."""
    rules = Path("channels.toml")
    rules.write_text("".join(f"[slack.{channel}]\nsteps = true\n" for channel in channels) + more, encoding="utf-8")
    return str(rules)


@asynccontextmanager
async def serving(
    slack: Slack, settings: Settings, over: QuestionService | None = None, patience: Timeouts = QUICK
) -> AsyncIterator[asyncio.Task[None]]:
    """Run the bot inside the test, until the block ends; it is there after ten seconds, or not yet.

    Without a service, it answers from the articles above, which are read once for all tests, by the settings' rules.
    """
    service = over or QuestionService(_library(), policy(settings), channels=read_channels(settings))
    stop = asyncio.Event()
    ports: asyncio.Queue[str] = asyncio.Queue()
    task = asyncio.ensure_future(slack_service.serve(service, settings, stop, patience, ports.put_nowait))
    how = asyncio.ensure_future(ports.get())
    try:
        await asyncio.wait((task, how), timeout=10, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        if settings.slack_mode == "http" and how.done():
            slack.reach(f"http://127.0.0.1:{how.result().rpartition(' ')[2]}/slack/events")
        yield task
    finally:
        stop.set()
        how.cancel()
        await task


async def answer_to(slack: Slack, delivery: Delivery, count: int = 1) -> dict[str, Any]:
    """Return the last of ``count`` answers, which came in time to something acknowledged at once."""
    answer = (await slack.answers(count))[-1]
    assert len(slack.web.messages) == count
    assert answer["at"] - delivery.sent < IN_TIME
    await slack.until(lambda: delivery.acknowledged)
    assert delivery.latency < AT_ONCE
    return answer


async def started(slack: Slack, question: str = QUESTION) -> str:
    """Ask in a channel; return the thread once there is an answer in it."""
    asked = await slack.mention(question)
    await slack.answers(1)
    return str(asked.payload["event"]["ts"])


def place(message: dict[str, Any]) -> tuple[str, str | None, bool]:
    return message["channel"], message["thread_ts"], message["ephemeral"]


async def start(slack: Slack, folder: Path, **more: str) -> Process:
    """Start ``stet slack``, a process of its own, and wait for its ready line; in HTTP mode Slack then reaches it."""
    bot, line = await launch(folder, {"STET_DEBUG": "1", **environment(slack, folder, **more)}, "slack")
    ready = re.fullmatch(r"stet: slack ready \((?:socket mode|http, port (\d+))\)\n", line)
    assert ready, (line, (folder / "bot.log").read_text()[-2000:])
    if ready[1]:
        slack.reach(f"http://127.0.0.1:{ready[1]}/slack/events")
    return bot
