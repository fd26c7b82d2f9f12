import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from babel import Locale
from lemminflect import getInflection

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from retrieval.lexicon.word_classes import LexiconError, capitalized, classes, nouns, ordered, plural
from retrieval.speech.cues import cues
from tests.support.tables import cases
from training.inflections import IRREGULARS, VERBS as REPORTING_VERBS, with_irregulars, with_verbs

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "retrieval" / "lexicon"
FUNCTIONS = frozenset(("classes", "nouns", "capitalized", "ordered"))


def names_in_code() -> set[str]:
    """Every string in a call of one of ``FUNCTIONS``."""
    found = set()
    for file in chain.from_iterable((ROOT / room).rglob("*.py") for room in ("retrieval", "bot", "adapters")):
        source = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if any(f"{name}(" in source for name in FUNCTIONS) else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in FUNCTIONS:
                found |= {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
    for file in (ROOT / "retrieval").rglob("cues.toml"):
        for held in tomllib.loads(file.read_text(encoding="utf-8")).values():
            found.update(*(held.get(key, "").split() for key in ("classes", "nouns")))
    return found


def _parts() -> list[tuple[str, dict[str, str]]]:
    """Return the parts of all files, each with its classes."""
    files = (file for file in sorted(FOLDER.glob("*.toml")) if file.name != "reporting_verbs.toml")
    return [row for file in files for row in tomllib.loads(file.read_text(encoding="utf-8")).items()]


def test_every_class_is_used_by_its_name_or_by_its_parts() -> None:
    used = names_in_code()
    assert {name for part, rows in _parts() if part not in used for name in rows if name not in used} == set()


def test_a_class_that_is_not_there_is_named() -> None:
    with pytest.raises(LexiconError, match="no class of words is named 'determinators'"):
        classes("articles", "determinators")
    with pytest.raises(AttributeError, match="no word class 'adverb'"):
        _ = cues.adverb


def test_a_part_has_no_word_twice_and_no_name_of_another() -> None:
    names = Counter(chain.from_iterable((part, *rows) for part, rows in _parts()))
    words = {part: Counter(ordered(part)) for part, _ in _parts()}
    assert [name for name, times in names.items() if times > 1] == []
    assert [(part, word) for part, counted in words.items() for word, times in counted.items() if times > 1] == []


def test_a_part_is_the_union_of_its_classes() -> None:
    assert classes("determiners") >= classes("articles", "demonstratives", "quantifiers")
    assert classes("articles", "demonstratives") == {"a", "an", "the", "this", "that", "these", "those"}
    assert "Agence France-Presse" in classes("agencies")  # names of several words are separated by commas
    assert all(name == " ".join(name.split()) for name in classes("newsroom_names", "parts_of_the_world"))
    assert {"LLC", "Airlines"} <= capitalized("company_endings")  # at the front only


def test_months_and_days_are_those_of_unicodes_cldr_and_the_place_of_a_number_word_is_its_value() -> None:
    english = Locale("en")
    months, days = english.months["format"], english.days["format"]
    assert ordered("months") == tuple(months["wide"][i].lower() for i in range(1, 13))
    short = (months["abbreviated"][i].lower() for i in range(1, 13))
    assert ordered("short_months") == tuple(month for month in short if month != "may")
    assert ordered("weekdays") == tuple(days["wide"][i].lower() for i in range(7))
    assert ordered("short_weekdays") == tuple(days["abbreviated"][i].lower() for i in range(7))
    assert (ordered("units")[0], ordered("units")[11], ordered("units")[18]) == ("one", "twelve", "nineteen")
    assert (ordered("tens")[0], ordered("tens")[7]) == ("twenty", "ninety")


@pytest.mark.parametrize(
    "name", "roles women men persons bystanders chief_bodies associations claims documents reports".split()
)
def test_plurals_are_those_of_lemminflects_dictionary(name: str) -> None:
    known = ((noun, getInflection(noun, "NNS", inflect_oov=False)) for noun in classes(name) if noun != "police")
    many = {noun: (plural(noun).replace("people", "persons"), forms) for noun, forms in known if forms}
    assert {noun: made for noun, (made, forms) in many.items() if made not in forms} == {}


@cases("noun, many")
def test_a_noun_is_known_in_both_numbers(noun: str, many: str) -> None:
    assert plural(noun) == many
    assert {noun, many} <= nouns("claims", "onlookers", "chief_bodies", "women", "men")


@pytest.mark.parametrize(("table", "rewritten"), [(REPORTING_VERBS, with_verbs), (IRREGULARS, with_irregulars)])
def test_the_forms_in_a_table_are_those_of_lemminflect(table: Path, rewritten: Callable[[str], str]) -> None:
    text = table.read_text(encoding="utf-8")
    assert rewritten(text) == text


def test_no_reporting_verb_stands_in_the_table_twice_and_one_of_two_forces_has_the_one_that_needs_less() -> None:
    forces = tomllib.loads(REPORTING_VERBS.read_text(encoding="utf-8")).values()
    lemmas = [lemma for rows in forces for lemma in rows]
    assert len(lemmas) == len(set(lemmas))
    assert VERBS["said"].force is Force.SAYING


@cases("word, lemma, form", Form)
def test_irregular_doubled_and_british_forms_are_known(word: str, lemma: str, form: Form) -> None:
    assert (VERBS[word].lemma, VERBS[word].form) == (lemma, form)
    assert VERBS.keys().isdisjoint({"slamed", "puting", "echos"})  # misspelt


@pytest.mark.parametrize("room", ["speech", "caveats", "names"])
def test_a_package_uses_every_word_class_that_it_has(room: str) -> None:
    table = tomllib.loads((ROOT / "retrieval" / room / "cues.toml").read_text(encoding="utf-8"))
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "retrieval" / room).glob("*.py"))
    used = set(re.findall(r"\b_?(?:cues|CUES)\.([a-z_]+)", source))
    used.update(*(held.get("sets", "").split() for held in table.values()))
    assert used - {"toml"} == table.keys()
