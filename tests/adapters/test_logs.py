"""How the log is written: for people or for machines."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.process import configure
from adapters.settings import Settings, load

SETTINGS = load({}, Path("no such file"))


@pytest.fixture
def record() -> logging.LogRecord:
    made = logging.LogRecord("adapters.chat.inbox", logging.INFO, __file__, 1, "answered: %s", ("sure",), None)
    made.answer = 12
    return made


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


def written(settings: Settings, record: logging.LogRecord) -> str:
    handler = configure(settings)
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream := io.StringIO())
    handler.handle(record)
    return stream.getvalue()


def test_people_get_a_line_and_machines_an_object(record: logging.LogRecord) -> None:
    assert written(SETTINGS, record).endswith(" INFO adapters.chat.inbox: answered: sure\n")
    line = json.loads(written(replace(SETTINGS, log_format="json"), record))
    assert (line["level"], line["logger"], line["message"]) == ("INFO", "adapters.chat.inbox", "answered: sure")
    assert line["answer"] == 12


def test_a_traceback_is_one_object_too() -> None:
    error = ConnectionError("no way through")
    failed = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), (type(error), error, None))
    (line,) = written(replace(SETTINGS, log_format="json"), failed).splitlines()
    assert "no way through" in json.loads(line)["exc_info"]


def test_the_log_is_as_the_settings_say_where_there_was_one_before(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers[:] = [logging.StreamHandler(sys.stdout)]
    handler = configure(SETTINGS)
    assert logging.getLogger().handlers == [handler]
    logging.getLogger("adapters.chat.inbox").info("answered")
    out, err = capsys.readouterr()
    assert (out, "answered" in err) == ("", True)
