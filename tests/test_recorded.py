from __future__ import annotations

import pytest

from bot.model import Question
from tests.recorded import _drawn, compare
from tests.stock import service

ASKED = "who was at the wheel of the ferry"


def test_a_reply_is_recorded_as_every_platform_draws_it() -> None:
    drawn = _drawn(ASKED, service().answer(Question(ASKED)))
    assert set(drawn) == {"json", "slack", "discord", "terminal", "page"}
    for platform in drawn.values():
        assert "Nobody was at the wheel" in str(platform)


def test_what_differs_is_named_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    before = {"memory: ferry": {"slack": [{"text": "Nobody"}]}, "memory: bridge": {"slack": []}}
    assert compare(before, before) == 0
    assert compare(before, {"memory: ferry": {"slack": [{"text": "Somebody"}]}}) == 1
    told = capsys.readouterr().out
    assert 'memory: ferry > slack > 0 > text\n  - "Nobody"\n  + "Somebody"' in told
    assert "2 of 2 differ" in told
