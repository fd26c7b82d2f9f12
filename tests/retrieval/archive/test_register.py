"""A register in which a name is found however it is typed."""

import pytest

from retrieval.archive.register import NameMatch, Register
from retrieval.model import Entity, Kind
from retrieval.names.name_keys import plain
from tests.retrieval.names.memory_tables import MemoryTables
from tests.support.tables import cases

KOVALSKY = Entity("Serhiy Kovalsky", Kind.PERSON, ("Kovalsky", "Serhiy Kovalskyy"), ("a",))
RESIDENT = Entity("Serhiy", Kind.PERSON, ("Serhiy",), ("a",))
TAMM = Entity("Arvo Tamm", Kind.PERSON, ("Arvo Tamm", "Tamm"), ("a",))
LIIS = Entity("Liis Tamm", Kind.PERSON, ("Liis Tamm",), ("a",))
MEER = Entity("Ursula van der Meer", Kind.PERSON, ("Ursula van der Meer",), ("a",))
UNION = Entity("World Chess Union", Kind.ORG, ("World Chess Union",), ("a",))
KYIV = Entity("Kyiv", Kind.PLACE, ("Kiev", "Kyiv"), ("a",))
REGISTER = Register(MemoryTables((KOVALSKY, RESIDENT, TAMM, LIIS, MEER, UNION, KYIV)))


@cases("name, typed")
def test_a_name_is_found_however_it_is_typed(name: str, typed: str) -> None:
    assert {found and found.name for found in map(REGISTER.meant, typed.split(", "))} == {name}


@cases("typed, candidates")
def test_an_ambiguous_or_unknown_name_is_never_guessed(typed: str, candidates: tuple[str, ...]) -> None:
    assert REGISTER.meant(typed) is None
    assert tuple(match.entity.name for match in REGISTER.find(typed)) == candidates


def test_a_match_is_as_certain_as_how_the_name_was_typed() -> None:
    certain = {"kyiv": 1.0, "serhiy kovalsky": 1.0, "kovalsky": 0.9, "serhiy": 0.9, "liis": 0.85, "der meer": 0.95}
    certain |= {"kievs": 0.95, "chess": 0.767, "chess union": 0.833, "keev": 0.95, "kovalzky": 0.68}
    certain |= {"serhiy kovalzky": 0.9, "serhiy kovelzky": 0.825}
    assert {typed: REGISTER.find(typed)[0].certainty for typed in certain} == certain
    assert REGISTER.find("kyiv") == (NameMatch(KYIV, 1.0),)
    assert REGISTER.find("arvo")[0].certainty < REGISTER.find("kovalsky")[0].certainty


@cases("prefix, limit, expected")
def test_a_beginning_is_completed(prefix: str, limit: int, expected: tuple[str, ...]) -> None:
    assert REGISTER.beginning(prefix, limit) == expected


def test_names_are_compared_without_marks() -> None:
    assert plain("  Saint-Élie’s U.S.  ") == "saint elie us"


@pytest.mark.parametrize("typed", ["Tamm " * 400, "Tamm " * 30, " ".join(f"Tamm{number}" for number in range(400))])
def test_a_long_row_of_words_costs_no_more_than_a_name(typed: str) -> None:
    tables = MemoryTables((TAMM, LIIS))
    Register(tables).find(typed)
    assert tables.looked_up < 10
