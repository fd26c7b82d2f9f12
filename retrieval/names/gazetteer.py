"""Places, peoples and plain words, from ``tables``: what a capital word may be the name of.

``training.places`` makes the tables, and NOTICE names what they are made from.
"""

import gzip
from bisect import bisect_left
from functools import lru_cache
from importlib.resources import files

from nicknames import NickNamer

from retrieval.lexicon.word_classes import classes
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
SHORTEST_PLACE = 5  # letters of a place whose people are called after it, and of a part of a state


def _lines(table: str) -> list[str]:
    packed = files("retrieval.names").joinpath("tables", f"{table}.txt.gz").read_bytes()
    return gzip.decompress(packed).decode().split("\n")


def _pairs(table: str) -> dict[str, str]:
    return dict(line.split("\t") for line in _lines(table))


@lru_cache(maxsize=1)
def regions() -> frozenset[str]:
    return frozenset(_lines("regions")) | EVERYDAY.keys() | classes("parts_of_the_world", "states_of_the_past")


@lru_cache(maxsize=1)
def us_states() -> dict[str, str]:
    """Map postal codes to the states of the United States."""
    return _pairs("states")


@lru_cache(maxsize=1)
def pronouns() -> dict[str, str]:
    """Map first names in lower case to "he" or "she", where nearly all who bear them are men or women."""
    return _pairs("first_names")


@lru_cache(maxsize=1)
def cities() -> dict[str, int]:
    """Map each name to the residents of the largest city of that name."""
    return {name: int(residents) for name, residents in _pairs("cities").items()}


@lru_cache(maxsize=1)
def _spellings() -> list[str]:
    """Return sorted lines of a spelling and its city: a tenth of a mapping's memory."""
    return _lines("spellings")


def city_meant(name: str) -> str:
    """Return the city that ``name`` is a spelling of, or ``name`` itself."""
    lines = _spellings()
    at = bisect_left(lines, name + "\t")
    spelling, _, city = lines[at].partition("\t") if at < len(lines) else ("", "", "")
    return city if spelling == name else name


@lru_cache(maxsize=1)
def peoples() -> frozenset[str]:
    """Return nouns and adjectives of nationality, faith and creed, singular."""
    return frozenset(_lines("peoples")) | PEOPLES


@lru_cache(maxsize=1)
def words() -> frozenset[str]:
    return frozenset(_lines("words"))


_ENDINGS = (
    *(("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("d", "")),
    *(("ing", ""), ("ing", "e")),
)


@lru_cache(maxsize=1 << 16)
def is_word(word: str) -> bool:
    """Whether ``word`` (any case) is a plain English word or an inflection of one."""
    low = word.lower()
    known = words()
    # "using" is a form of "use"; "wing" is one of nothing
    return low in known or any(
        low[: -len(ending)] + instead in known
        for ending, instead in _ENDINGS
        if low.endswith(ending) and len(low) > len(ending) + (1 if instead else 2)
    )


@lru_cache(maxsize=1 << 16)
def is_people(word: str) -> bool:
    """Whether ``word`` names a people, a faith or a creed ("Ukrainians", "Texan", "Tories")."""
    return is_listed_people(word) or any(_is_from_place(word, ending) for ending in _OF_PLACES)


def is_listed_people(word: str) -> bool:
    """Whether a table has ``word`` as the name of a people, a faith or a creed, in either number."""
    return word in peoples() or singular(word) in peoples()


def singular(word: str) -> str:
    return word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("s")


def _is_from_place(word: str, ending: str) -> bool:
    stem = word.removesuffix(ending)
    if stem == word or len(stem) < _SHORTEST_STEM or ("r" in ending and is_word(word)):
        return False
    known = regions()
    if "r" in ending:
        return stem in known
    vowels = ("", "a", "as", "e", "i", "ia", "o", "y", "on", "um")
    return any(len(stem + vowel) >= SHORTEST_PLACE and stem + vowel in known for vowel in vowels)


@lru_cache(maxsize=1)
def _short_forms() -> dict[str, set[str]]:
    """Map English first names to their short forms, lower-case."""
    return NickNamer.default_lookup()


@lru_cache(maxsize=1)
def _first_names() -> frozenset[str]:
    return frozenset(_short_forms()).union(*_short_forms().values())


def is_first_name(word: str) -> bool:
    """Whether ``word`` is a first name or a short form of one; rarer ones only where they are nothing else."""
    low = word.lower()
    return low in _first_names() or (
        low in pronouns() and not (is_word(word) or is_region(word) or is_large_place(word))
    )


def same_first_name(one: str, other: str) -> bool:
    """Whether one of two first names is a short form of the other."""
    left, right = one.lower(), other.lower()
    return left == right or right in _short_forms().get(left, ()) or left in _short_forms().get(right, ())


@lru_cache(maxsize=1 << 16)
def place_meant(name: str) -> str:
    """Make a key that the names of one place share: Kiev and Kyiv, Britain and the United Kingdom."""
    bare = name.removeprefix("the ").removeprefix("The ")
    return fold(EVERYDAY.get(bare) or (bare if bare in regions() else city_meant(bare)))


@lru_cache(maxsize=1 << 10)
def is_abbreviated_state(word: str) -> bool:
    """Whether ``word`` is an American state cut short as papers do: "Calif.", "N.C.", "Va."."""
    stem = word.replace(".", "")
    if not word.endswith(".") or len(stem) < len("Va"):
        return False
    return any(stem.upper() == code or name.startswith(stem) for code, name in us_states().items())


def is_region(name: str) -> bool:
    """Whether ``name`` is a state, a part of one, or a part of the world."""
    return name in regions()


@lru_cache(maxsize=1 << 16)
def is_large_place(name: str) -> bool:
    """Whether ``name`` is a city too large to be mistaken for anything else."""
    if " " not in name and is_word(name):
        return False
    known = cities()
    return known.get(name, 0) >= _LARGE or known.get(city_meant(name), 0) >= _FAMOUS


def is_place(name: str) -> bool:
    return name in regions() or name in cities()
