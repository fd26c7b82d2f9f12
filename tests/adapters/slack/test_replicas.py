"""Processes: one that starts, answers and ends; two that share a PostgreSQL database, and no question is lost."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.slack.blocks import unescape
from tests.adapters.slack.office import QUESTION, SAID, start
from tests.emulators.slack import Slack
from tests.emulators.slack_wire import Delivery
from tests.postgres import Cluster
from tests.support.program import Replicas, kill

pytestmark = pytest.mark.rest

AT_ONCE = 20  # questions that wait for their answers
LEFT_OVER = 120  # seconds in which what a killed process left is taken up, and answered, on a busy machine


@dataclass(frozen=True, slots=True)
class Load:
    """How much happens: ``kills`` of processes, ``restarts`` of the server, lost connections.

    Every ``twice``-th question comes twice, every ``refused``-th call is refused.
    """

    mentions: int
    kills: int
    reconnections: int
    restarts: int = 0
    twice: int = 10
    refused: int = 20


async def asked(load: Load, slack: Slack, replicas: Replicas, server: Cluster) -> list[Delivery]:
    """Ask, repeat, disconnect, kill and restart; return what was asked."""
    deliveries = []
    hows = ("abrupt", "warning", "refresh_requested")
    for number in range(1, load.mentions + 1):
        deliveries.append(await slack.mention(f"{QUESTION} {number}"))
        if number % load.twice == 0:
            await slack.again(deliveries[-1])
        if number % (load.mentions // load.reconnections) == 0:
            await slack.socket.disconnect(hows[number % len(hows)])
        if number % (load.mentions // (load.kills + 1)) == 0 and number < load.mentions:
            await replicas.kill()
            for lost in [each for each in slack.socket.deliveries if not each.acknowledged]:
                await slack.again(lost)
            await replicas.start()
        if load.restarts and number % (load.mentions // load.restarts) == load.mentions // 10:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
        # whoever is killed must not have more before it than a newsroom asks at once
        await slack.until(lambda: len(deliveries) - len(slack.web.messages) < AT_ONCE, LEFT_OVER)
    return deliveries


async def soak(load: Load, folder: Path, server: Cluster) -> tuple[Counter[str], set[str]]:
    async with Slack() as slack:
        state = server.database()
        await slack.fail(429, every=load.refused, retry_after=1)

        async def connected(count: int) -> None:
            await slack.until(lambda: len(slack.socket.connections) == count, 30)

        replicas = Replicas(folder, lambda place: start(slack, place, STET_STATE=state), connected)
        await replicas.start()
        await replicas.start()
        deliveries = await asked(load, slack, replicas, server)
        threads = {delivery.payload["event"]["ts"] for delivery in deliveries}
        await slack.until(lambda: threads <= {m["thread_ts"] for m in slack.web.messages}, LEFT_OVER)
        await replicas.end()
        assert slack.refused() == []
        return Counter(m["thread_ts"] for m in slack.web.messages), threads


async def test_two_processes_answer_each_question_once(tmp_path: Path, server: Cluster) -> None:
    answers, questions = await soak(Load(mentions=40, kills=1, reconnections=5), tmp_path, server)
    assert set(answers) == questions
    assert set(answers.values()) == {1}


@pytest.mark.parametrize(
    ("mode", "number", "logs"),
    [
        ("socket", signal.SIGTERM, {"STET_DEBUG": "1"}),
        ("http", signal.SIGTERM, {"STET_LOG_FORMAT": "json"}),
        ("socket", signal.SIGINT, {"STET_LOG_FORMAT": "json"}),
    ],
)
async def test_it_starts_answers_ends(mode: str, number: signal.Signals, logs: dict[str, str], tmp_path: Path) -> None:
    async with Slack() as slack, AsyncExitStack() as stack:
        bot = await start(slack, tmp_path, **{"STET_DEBUG": "0", "STET_SLACK_MODE": mode, **logs})
        stack.push_async_callback(kill, bot)
        await slack.mention(QUESTION)
        assert SAID in unescape((await slack.answers(1))[0]["text"])
        last = await slack.mention(QUESTION)
        await slack.until(lambda: last.acknowledged)
        bot.send_signal(number)
        async with asyncio.timeout(10):
            assert await bot.wait() == 0
        assert len(slack.web.messages) == 2
        assert slack.refused() == []
        secrets = (slack.bot_token, slack.app_token, slack.signing_secret)
    log = (tmp_path / "bot.log").read_text()
    assert [secret for secret in secrets if secret in log] == []
    assert ("chat.postMessage" in log) is ("STET_LOG_FORMAT" not in logs)
    if "STET_LOG_FORMAT" in logs:
        lines = [json.loads(line) for line in log.splitlines()]
        assert {"at", "level", "logger", "message"} <= lines[0].keys()
        answered = next(line for line in lines if "outcome" in line)
        assert (answered["platform"], answered["answer"], answered["outcome"]) == ("slack", 1, "answer")
        assert "brought ashore" not in log
