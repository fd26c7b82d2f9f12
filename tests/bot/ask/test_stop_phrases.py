"""What of a question is not about its subject."""

from __future__ import annotations

import pytest

from bot.ask.follow_up import plain


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("picture desk here - who took the ferry photo", "who took the ferry photo"),
        ("hi, who took it", "who took it"),
        ("morning! subs: what is her title", "what is her title"),
        ("hey stet, quick q: who took it", "who took it"),
        ("quick question - who took it", "who took it"),
        ("is a quick one enough", "is a quick one enough"),
        ("who runs the news desk", "who runs the news desk"),
        ("", ""),
    ],
)
def test_greetings_are_left_out(question: str, expected: str) -> None:
    assert plain(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following ships sank this week?", "Which ships sank ?"),
        ("who resigned recently", "who resigned"),
        ("According to the article, who resigned?", ", who resigned?"),
        ("what did this week's storm cost", "what did 's storm cost"),
        ("what happened in the week of the storm", "what happened in the week of the storm"),
    ],
)
def test_what_points_at_the_askers_day_or_page_is_left_out(question: str, expected: str) -> None:
    assert " ".join(plain(question).split()) == expected
