"""Figures, in digits and in words, and what they count."""

from __future__ import annotations

import pytest

from bot.commands.counted_figures import figures


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("At least 14 people were killed when shells hit the market.", ("killed", 14)),
        ("Nineteen people died when shells struck the market.", ("killed", 19)),
        ("The shelling killed 19 people.", ("killed", 19)),
        ("The death toll has risen to 31, a nurse said.", ("killed", 31)),
        ("Twenty-two others were wounded.", ("injured", 22)),
        ("Two dozen people were arrested.", ("arrested", 24)),
        ("Some three thousand residents fled.", ("displaced", 3000)),
        ("Boats rescued 40 people.", ("rescued", 40)),
        ("It cost 4.5 million crowns.", ("crown", 4_500_000)),
        ("The ferry had 198 passengers.", ("passeng", 198)),
    ],
)
def test_a_figure_is_told_with_what_it_counts(text: str, figure: tuple[str, float]) -> None:
    """Whether it stands in digits or in words, before or behind."""
    assert figure in figures(text)


@pytest.mark.parametrize(
    "text",
    ["He wrote to her over three years.", "The pit is 640 metres deep.", "Prices rose by four per cent in a week."],
)
def test_a_measure_counts_nothing(text: str) -> None:
    """Three years of one thing and six of another are no two figures for years."""
    assert figures(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    ["It happened in 2014.", "The talks began at 9.", "The 61-year-old smiled.", "Nobody was hurt.", ""],
)
def test_dates_ages_and_times_count_nothing(text: str) -> None:
    """They differ from one another, and nothing is disputed."""
    assert figures(text) == frozenset()
