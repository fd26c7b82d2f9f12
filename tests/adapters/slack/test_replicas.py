"""Processes: one that starts, answers and ends; two that share a PostgreSQL database, and no question is lost."""

import asyncio
import json
import signal
from collections import Counter
from contextlib import AsyncExitStack
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


async def test_two_processes_answer_each_question_once(tmp_path: Path, server: Cluster) -> None:
    """Questions come twice, calls are refused, connections are lost, and a process is killed."""
    async with Slack() as slack:
        state, deliveries = server.database(), list[Delivery]()
        await slack.fail(429, every=20, retry_after=1)

        async def connected(count: int) -> None:
            await slack.until(lambda: len(slack.socket.connections) == count, 30)

        replicas = Replicas(tmp_path, lambda place: start(slack, place, STET_STATE=state), connected)
        await replicas.start()
        await replicas.start()
        for number in range(1, 41):
            deliveries.append(await slack.mention(f"{QUESTION} {number}"))
            if number % 10 == 0:
                await slack.again(deliveries[-1])
            if number % 8 == 0:
                await slack.socket.disconnect(("abrupt", "warning", "refresh_requested")[number % 3])
            if number == 20:
                await replicas.kill()
                for lost in [each for each in slack.socket.deliveries if not each.acknowledged]:
                    await slack.again(lost)
                await replicas.start()
            # whoever is killed must not have more before it than a newsroom asks at once
            await slack.until(lambda: len(deliveries) - len(slack.web.messages) < AT_ONCE, LEFT_OVER)
        threads = {delivery.payload["event"]["ts"] for delivery in deliveries}
        await slack.until(lambda: threads <= {m["thread_ts"] for m in slack.web.messages}, LEFT_OVER)
        await replicas.end()
        assert slack.refused() == []
        assert Counter(m["thread_ts"] for m in slack.web.messages) == Counter(threads)


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
