"""Log records -> lines on standard error: for people, or JSON for machines. Questions' words only where asked for."""

from __future__ import annotations

import logging
import sys

from pythonjsonlogger.json import JsonFormatter

from adapters.settings import Settings

PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"
FIELDS = {"asctime": "at", "levelname": "level", "name": "logger"}
QUESTION = "question"  # the attribute of a record that holds what was asked


class Discretion(logging.Filter):
    """Takes out of each record what was asked."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, without the question."""
        record.__dict__.pop(QUESTION, None)
        return True


class Lines(logging.Formatter):
    """One line a record, with the question in it where there is one."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line."""
        asked = record.__dict__.get(QUESTION)
        line = super().formatMessage(record)
        return f"{line} [{asked!r}]" if asked is not None else line


def configure(settings: Settings) -> logging.Handler:
    """Log to standard error as the settings say; return the handler, which replaces any that was there."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(JsonFormatter(PLAIN, rename_fields=FIELDS, json_ensure_ascii=False))
    else:
        handler.setFormatter(Lines(PLAIN))
    if not settings.log_questions:
        handler.addFilter(Discretion())
    logging.basicConfig(level=logging.DEBUG if settings.debug else logging.INFO, handlers=[handler])
    return handler
