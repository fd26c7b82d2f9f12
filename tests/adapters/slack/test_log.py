"""Nothing secret is logged: not in a message, not in its arguments, not in a traceback."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from adapters.settings import load
from adapters.slack.api import sdk_log

TOKENS = {
    "SLACK_BOT_TOKEN": "a token of an odd (kind)",
    "SLACK_APP_TOKEN": "xapp-1-abc",
    "SLACK_SIGNING_SECRET": "5ecre7",
}


@pytest.fixture
def logger(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> logging.Logger:
    caplog.set_level(logging.DEBUG)
    return sdk_log(load(TOKENS, tmp_path / "none"))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("with a token of an odd (kind)", "with …"),
        ("xapp-1-abc, xoxb-22-D_e, xoxe.x", "…, …, xoxe.x"),
        ("wss://slack.example/link?ticket=a-b_c&app=1", "wss://slack.example/link?ticket=…&app=1"),
        ("https://hooks.slack.com/commands/T1/2/x-y", "https://hooks.slack.com/…"),
        ("nothing of the kind", "nothing of the kind"),
    ],
)
def test_what_is_secret_is_hidden(
    logger: logging.Logger, caplog: pytest.LogCaptureFixture, said: str, shown: str
) -> None:
    logger.error(said)
    logger.error("%s", said)
    assert [record.getMessage() for record in caplog.records] == [shown, shown]


def fail() -> None:
    raise ValueError("5ecre7")


def test_a_traceback_is_hidden_as_well(logger: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    try:
        fail()
    except ValueError:
        logger.exception("failed")
    assert "ValueError: …" in caplog.text
    assert "5ecre7" not in caplog.text
