"""The bot as a process of its own, as it runs in a newsroom: it starts, says so, bears what happens, and ends."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest

from adapters.slack.blocks import unescape
from tests.adapters.slack.office import QUESTION, SAID, process
from tests.emulators.slack import Slack

pytestmark = pytest.mark.rest


@pytest.mark.parametrize(
    ("mode", "number", "logs"),
    [
        ("socket", signal.SIGTERM, {"STET_DEBUG": "1"}),
        ("http", signal.SIGTERM, {"STET_LOG_FORMAT": "json"}),
        ("socket", signal.SIGINT, {"STET_LOG_FORMAT": "json"}),
    ],
)
async def test_it_starts_answers_and_ends(
    mode: str, number: signal.Signals, logs: dict[str, str], tmp_path: Path
) -> None:
    given = {"STET_DEBUG": "0", "STET_SLACK_MODE": mode, "STET_SLACK_PORT": "0", **logs}
    async with Slack() as slack, process(slack, tmp_path, **given) as bot:
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
