"""The desk's shorthand."""

from __future__ import annotations

import pytest

from bot.ask.shorthand import written_out


def meant(words: str, text: str = "", more: tuple[tuple[str, str], ...] = ()) -> list[str]:
    """Return what each word, or shorthand of several, stands for."""
    return [" ".join(full) for _, full in written_out(tuple(words.split()), text or words, more)]


def test_shorthand_is_written_out() -> None:
    """The longest that fits, and every other word as it is."""
    assert meant("un chief and the fm") == ["un secretary general", "and", "the", "foreign minister"]


def test_the_askers_words_are_kept_beside_it() -> None:
    """They are what is reported as looked for."""
    assert [short for short, _ in written_out(("un", "chief"), "un chief")] == ["un chief"]


def test_the_newsrooms_own_shorthand_goes_first() -> None:
    """As ``names.toml`` says it."""
    assert meant("fm", more=(("fm", "frequency modulation"),)) == ["frequency modulation"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fires in NY", ["fires", "in", "ny new york"]),
        ("fires in ny", ["fires", "in", "ny"]),
        ("fires IN town", ["fires", "in indiana", "town"]),
        ("FIRES IN TOWN", ["fires", "in", "town"]),
        ("OK to run fires", ["ok", "to", "run", "fires"]),
        ("fires near Tulsa, OK", ["fires", "near", "tulsa", "ok oklahoma"]),
    ],
)
def test_a_states_code_is_its_name_in_capitals_only(text: str, expected: list[str]) -> None:
    """A word in small letters is a word, and so is one in a question that is all capitals; "OK" is one anywhere."""
    assert meant(text.lower().replace(",", ""), text) == expected


def test_us_is_a_country_unless_it_is_told_something() -> None:
    """A pronoun after a verb or a preposition."""
    assert meant("us troops") == ["usa united states", "troops"]
    assert meant("tell us more") == ["tell", "us", "more"]
    assert meant("remind us who") == ["remind", "us", "who"]
    assert meant("can you help us") == ["can", "you", "help", "us"]
