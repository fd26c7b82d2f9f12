"""Places, peoples and plain words, from kept data."""

from __future__ import annotations

import pytest

from retrieval.names.gazetteer import (
    is_abbreviated_state,
    is_first_name,
    is_large_place,
    is_people,
    is_place,
    is_region,
    is_word,
    place_meant,
    same_first_name,
)


@pytest.mark.parametrize(
    "name",
    [
        "Norway",
        "Texas",
        "New South Wales",
        "Essex",
        "Lombardy",
        "Tibet",
        "Central Asia",
        "Britain",
        "U.S.",
        "Middle East",
    ],
)
def test_states_and_parts_of_the_world_are_known(name: str) -> None:
    assert is_region(name)


@pytest.mark.parametrize("name", ["European Union", "United Nations", "Harvest", "Vladimir", "Jewish", "Prague 12"])
def test_bodies_words_and_what_is_called_like_its_city_are_no_regions(name: str) -> None:
    assert not is_region(name)


def test_a_large_city_is_known_by_its_name_alone() -> None:
    assert is_large_place("Oslo")
    assert is_large_place("Peking")
    assert not is_large_place("Reading")
    assert is_place("Reading")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kiev", "Kyiv"),
        ("Bombay", "Mumbai"),
        ("Britain", "United Kingdom"),
        ("the U.S.", "United States"),
        ("Burma", "Myanmar"),
    ],
)
def test_names_of_one_place_share_a_key(one: str, other: str) -> None:
    assert place_meant(one) == place_meant(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Salisbury", "Harare"), ("Victoria", "Hong Kong"), ("Oslo", "Bergen"), ("Stalin", "Donetsk")]
)
def test_a_city_of_its_own_is_not_taken_for_another(one: str, other: str) -> None:
    assert place_meant(one) != place_meant(other)


@pytest.mark.parametrize(
    "word", ["Estonian", "Estonians", "Tories", "Texan", "Virginians", "Muslims", "Kurdish", "Dane"]
)
def test_peoples_are_known_in_both_numbers(word: str) -> None:
    assert is_people(word)


@pytest.mark.parametrize("word", ["Texas", "Tamm", "Window", "Human"])
def test_other_words_are_no_peoples(word: str) -> None:
    assert not is_people(word)


@pytest.mark.parametrize("word", ["harvest", "Harvests", "denied", "watching", "using", "cities"])
def test_inflections_are_plain_words(word: str) -> None:
    assert is_word(word)
    assert not is_word("Tallinn")


def test_states_cut_short_are_known() -> None:
    assert is_abbreviated_state("Calif.")
    assert is_abbreviated_state("N.C.")
    assert not is_abbreviated_state("Mr.")
    assert not is_abbreviated_state("Ohio")


def test_short_forms_of_first_names_are_one() -> None:
    assert is_first_name("Robert")
    assert is_first_name("bob")
    assert same_first_name("Bob", "Robert")
    assert same_first_name("Robert", "Bob")
    assert not same_first_name("Robert", "Martin")
