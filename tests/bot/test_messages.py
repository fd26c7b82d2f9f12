"""What the bot says in its own voice."""

from __future__ import annotations

import pytest

from bot import messages


@pytest.mark.parametrize(("length", "cut"), [(200, False), (201, True)])
def test_words_that_are_named_are_cut_after_two_hundred_characters(length: int, cut: bool) -> None:  # noqa: FBT001
    assert messages.quoted("x" * length) == f"“{'x' * 200}{'…' if cut else ''}”"


def test_what_was_typed_is_told_back_in_part() -> None:
    assert f"no article “{'x' * 80}”" in messages.no_such_article("x" * 81, ())
    assert f"not as “{'x' * 40}”" in messages.no_such_form("x" * 41, ("text",))
