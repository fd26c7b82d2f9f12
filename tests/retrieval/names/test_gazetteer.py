"""Places, peoples and plain words, from kept data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from retrieval.names import gazetteer
from retrieval.names.gazetteer import place_meant, same_first_name


@pytest.mark.parametrize(
    ("is_one", "names", "others"),
    [
        (
            gazetteer.is_region,
            "Norway, Texas, New South Wales, Essex, Lombardy, Tibet, Central Asia, Britain, U.S., Middle East",
            "European Union, United Nations, Harvest, Vladimir, Jewish, Prague 12",
        ),
        (gazetteer.is_large_place, "Oslo, Peking", "Reading"),
        (gazetteer.is_place, "Reading", "Harvest"),
        (
            gazetteer.is_people,
            "Estonian, Estonians, Tories, Texan, Virginians, Muslims, Kurdish, Dane",
            "Texas, Tamm, Window, Human",
        ),
        (gazetteer.is_word, "harvest, Harvests, denied, watching, using, cities", "Tallinn"),
        (gazetteer.is_abbreviated_state, "Calif., N.C.", "Mr., Ohio"),
        (gazetteer.is_first_name, "Robert, bob", "Harvest"),
        (lambda two: same_first_name(*two.split()), "Bob Robert, Robert Bob", "Robert Martin"),
    ],
)
def test_a_word_is_known_for_what_it_is(is_one: Callable[[str], bool], names: str, others: str) -> None:
    assert [name for name in names.split(", ") if not is_one(name)] == []
    assert [name for name in others.split(", ") if is_one(name)] == []


def test_names_of_one_place_share_a_key() -> None:
    same = ("Kiev Kyiv", "Bombay Mumbai", "Britain United-Kingdom", "the-U.S. United-States", "Burma Myanmar")
    apart = ("Salisbury Harare", "Victoria Hong-Kong", "Oslo Bergen", "Stalin Donetsk")
    keys = {row: {place_meant(name.replace("-", " ")) for name in row.split()} for row in (*same, *apart)}
    assert [row for row, found in keys.items() if len(found) == 1] == list(same)
