"""Logs without secrets: what goes to Slack's SDK, and all that it says at any level, passes here."""

from __future__ import annotations

import logging
import re

from adapters.settings import Settings

HIDDEN = "…"
# tokens of any workspace, tickets of a connection, and the addresses that answers go to
SECRETS = re.compile(r"xox[a-z]-[\w-]+|xapp-[\w-]+|(?<=ticket=)[\w-]+|(?<=hooks\.slack\.com/)[\w/-]+")


class Discretion(logging.Filter):
    """Takes secrets out of a record, its traceback included."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__()
        known = "|".join(re.escape(secret) for secret in secrets if secret)
        self._secrets = re.compile(f"{known}|{SECRETS.pattern}" if known else SECRETS.pattern)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._hidden(record.getMessage()), None
        if record.exc_info:
            record.exc_text = self._hidden(logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        return True

    def _hidden(self, text: str) -> str:
        return self._secrets.sub(HIDDEN, text)


def discreet(settings: Settings) -> logging.Logger:
    """Return the logger for Slack's SDK; its warnings are dropped because we handle their causes."""
    logger = logging.getLogger("adapters.slack.sdk")
    for old in [one for one in logger.filters if isinstance(one, Discretion)]:
        logger.removeFilter(old)
    secrets = (settings.slack_bot_token, settings.slack_app_token, settings.slack_signing_secret)
    logger.addFilter(Discretion(secrets))
    logger.setLevel(logging.DEBUG if logging.root.level <= logging.DEBUG else logging.ERROR)
    return logger
