"""The bot as a process of its own, as it runs in a newsroom: it starts, says so, bears what happens, and ends."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from adapters.slack.rich_text import unescape
from tests.adapters.slack.office import QUESTION, SAID, process, start
from tests.emulators.slack import Slack

pytestmark = pytest.mark.rest

LAG = 0.25


@pytest.mark.parametrize(
    ("mode", "number"), [("socket", signal.SIGTERM), ("http", signal.SIGTERM), ("socket", signal.SIGINT)]
)
async def test_it_starts_answers_and_ends(mode: str, number: signal.Signals, tmp_path: Path) -> None:
    async with Slack() as slack, process(slack, tmp_path, STET_SLACK_MODE=mode, STET_SLACK_PORT="0") as bot:
        await slack.mention(QUESTION)
        assert SAID in unescape((await slack.answers(1))[0]["text"])
        last = await slack.mention(QUESTION)
        await slack.until(lambda: last.acknowledged)
        bot.send_signal(number)
        async with asyncio.timeout(10):
            assert await bot.wait() == 0
        assert len(slack.web.messages) == 2
        assert slack.refused() == []
        log = (tmp_path / "bot.log").read_text()
    secrets = (slack.bot_token, slack.app_token, slack.signing_secret)
    assert "chat.postMessage" in log
    assert [secret for secret in secrets if secret in log] == []


@pytest.mark.parametrize("asked_for", ["0", "1"])
async def test_its_log_is_json_without_the_words_of_questions(asked_for: str, tmp_path: Path) -> None:
    wanted = {"STET_DEBUG": "0", "STET_LOG_FORMAT": "json", "STET_LOG_QUESTIONS": asked_for}
    async with Slack() as slack, process(slack, tmp_path, **wanted):
        await slack.mention(QUESTION)
        await slack.answers(1)
    log = (tmp_path / "bot.log").read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"at", "level", "logger", "message"} <= lines[0].keys()
    [answered] = [line for line in lines if "outcome" in line]
    assert (answered["platform"], answered["answer"], answered["outcome"]) == ("slack", 1, "sure")
    assert ("brought ashore" in log) is (asked_for == "1")


async def test_the_loop_stays_free_while_questions_are_answered(tmp_path: Path) -> None:
    async with (
        Slack() as slack,
        process(slack, tmp_path, STET_SLACK_MODE="http", STET_SLACK_PORT="0"),
        aiohttp.ClientSession() as session,
    ):
        assert slack.requests is not None
        health = slack.requests.url.replace("/slack/events", "/healthz")
        await slack.mention(QUESTION)
        await slack.answers(1)
        asked = [asyncio.ensure_future(slack.mention(f"{QUESTION} {number}")) for number in range(20)]
        lags = []
        while len(slack.web.messages) < 21:
            began = time.perf_counter()
            async with session.get(health) as answer:
                assert await answer.text() == "ok"
            lags.append(time.perf_counter() - began)
        await asyncio.gather(*asked)
        assert max(lags) < LAG


@dataclass(frozen=True, slots=True)
class Load:
    """How much happens in a soak: every ``twice``-th event comes twice, every ``refused``-th call is refused.

    ``kills`` are spread over it; each time the next process goes on where the one before was.
    """

    mentions: int
    reconnections: int
    kills: int = 1
    twice: int = 10
    refused: int = 20


async def soak(load: Load, folder: Path) -> tuple[Counter[str], set[str]]:
    """Ask, reconnect, repeat, refuse, and kill the bot in the middle; return how often each was answered, and all."""
    async with Slack() as slack:
        bot = await start(slack, folder)
        await slack.fail(429, every=load.refused, retry_after=1)
        asked = []
        hows = ("abrupt", "warning", "refresh_requested")
        for number in range(load.mentions):
            delivery = await slack.mention(f"{QUESTION} {number}")
            asked.append(delivery)
            if number % load.twice == 0:
                await slack.again(delivery)
            if number % (load.mentions // load.reconnections) == 0:
                await slack.connected(30)
                await slack.disconnect(hows[number % len(hows)])
            if number % (load.mentions // (load.kills + 1)) == 0 and number:
                bot.kill()
                await bot.wait()
                bot = await start(slack, folder)
            await asyncio.sleep(0.005)  # a newsroom asks faster than this only in tests
        threads = {delivery.payload["event"]["ts"] for delivery in asked}
        await slack.until(lambda: threads <= {m["thread_ts"] for m in slack.web.messages}, 300)
        bot.terminate()
        assert await bot.wait() == 0
        assert slack.refused() == []
        return Counter(m["thread_ts"] for m in slack.web.messages), threads


async def test_no_question_is_lost_and_none_answered_twice(tmp_path: Path) -> None:
    answers, asked = await soak(Load(mentions=80, reconnections=5), tmp_path)
    assert set(answers) == asked
    assert set(answers.values()) == {1}


@pytest.mark.soak
async def test_ten_thousand_questions_and_three_kills(tmp_path: Path) -> None:
    began = time.monotonic()
    answers, asked = await soak(Load(mentions=10_000, reconnections=200, kills=3), tmp_path)
    print(f"\n{len(asked)} asked, {sum(answers.values())} answers, {time.monotonic() - began:.0f} s")  # noqa: T201
    assert set(answers) == asked
    assert set(answers.values()) == {1}
