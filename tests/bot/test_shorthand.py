"""The desk's shorthand."""

from __future__ import annotations

import pytest
from bot.shorthand import plain, written_out


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("picture desk here - who took the ferry photo", "who took the ferry photo"),
        ("hi, who took it", "who took it"),
        ("morning! subs: what is her title", "what is her title"),
        ("who runs the news desk", "who runs the news desk"),
        ("", ""),
    ],
)
def test_greetings_are_left_out(question: str, expected: str) -> None:
    """And the desk's own name before a dash; not a desk that is asked about."""
    assert plain(question) == expected


def test_shorthand_is_written_out() -> None:
    """The longest that fits, and every other word as it is."""
    found = written_out(("un", "chief", "and", "the", "fm"))
    assert found == (
        ("un chief", ("un", "secretary", "general")),
        ("and", ("and",)),
        ("the", ("the",)),
        ("fm", ("foreign", "minister")),
    )


def test_the_newsrooms_own_shorthand_goes_first() -> None:
    """As ``names.toml`` says it."""
    assert written_out(("fm",), (("fm", "frequency modulation"),)) == (("fm", ("frequency", "modulation")),)
