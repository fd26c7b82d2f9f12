"""The lexicon as a whole: no class unused, no word typed three times, and what the libraries know agrees with it."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from babel import Locale
from lemminflect import getInflection

from retrieval.lexicon import word_classes
from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import LexiconError, capitalized, classes, nouns, ordered, plural

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "retrieval" / "lexicon"
MOST_TABLES = 2
SMALLEST_TABLE = 4  # words; fewer, at the place where they are asked for, are a condition and no table
# Parts whose words are names or are cut short: "the Post" is no post, "No" before a figure is no "no".
PROPER = frozenset(
    ("abbreviations", "capital_words", "newsroom_names", "paper_names", "particles", "titles", "world"),
)
# of a file or a page: what keys and elements are called decides nothing in English
FIELDS = frozenset(("KNOWN", "KEYS", "_WHOLE", "_UNREAD", "_LATER"))
ASKING = frozenset(("classes", "nouns", "capitalized", "ordered"))


def parts() -> dict[str, dict[str, str]]:
    """Return the parts of all files of classes, as they are written."""
    files = (file for file in sorted(FOLDER.glob("*.toml")) if file.name != "reporting_verbs.toml")
    return {part: held for file in files for part, held in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def modules() -> list[Path]:
    """Return the program's modules."""
    return sorted(chain.from_iterable((ROOT / room).rglob("*.py") for room in ("retrieval", "bot", "adapters")))


def names_asked_for() -> set[str]:
    """Return every string that stands anywhere in an expression that asks for classes."""
    found = set()
    for file in modules():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
                found |= {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
    return found


def tables() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the tables of words that are typed in the program's modules, in small letters.

    What a table has beside the classes it is a union of is its difference, and a table itself from four words on.
    """
    for file in modules():
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(target := node.targets[0], ast.Name)
                and target.id not in FIELDS
            ):
                for words in typed(node.value):
                    if len(words) >= SMALLEST_TABLE:
                        yield f"{file.relative_to(ROOT)}: {target.id}", frozenset(word.lower() for word in words)


def typed(node: ast.AST) -> Iterator[list[str]]:
    """Yield the collections of words in an expression; names of classes and what is taken from a class are none."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in ASKING:
            return
        case ast.BinOp(left=left, op=ast.Sub()):
            yield from typed(left)
            return
        case ast.Call(func=ast.Attribute(value=text, attr="split")):
            yield [word for held in strings(ast.walk(text)) for word in held.split() if word.isalpha()]
        case ast.Set(elts=elements) | ast.Call(func=ast.Name(id="frozenset"), args=[ast.Tuple(elts=elements)]):
            yield [word for word in strings(elements) if word.isalpha()]
    for child in ast.iter_child_nodes(node):
        yield from typed(child)


def strings(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the strings among the nodes."""
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_no_word_stands_in_more_than_two_tables() -> None:
    """A word is typed in its class, and at most in one other: another class, or a rule's own difference."""
    where = defaultdict(set)
    for part, held in parts().items():
        if part not in PROPER:
            for name in held:
                for word in ordered(name):
                    where[word.lower()].add(name)
    for word in VERBS:
        where[word].add("reporting verbs")
    for name, words in tables():
        for word in words:
            where[word].add(name)
    assert {word: sorted(found) for word, found in where.items() if len(found) > MOST_TABLES} == {}


def test_every_class_is_asked_for() -> None:
    """A class that no rule needs is dropped: it is asked for by its name or by its part's."""
    asked = names_asked_for()
    unused = {name for part, held in parts().items() if part not in asked for name in held if name not in asked}
    assert unused == set()


def test_what_is_asked_for_is_a_class() -> None:
    """Every table of the program is loaded when its module is; a class that is not there stops the program."""
    with pytest.raises(LexiconError, match="no class of words is named 'determinators'"):
        classes("articles", "determinators")


def test_a_part_holds_no_word_twice() -> None:
    """The classes of a part are disjoint, and the error names the word."""
    with pytest.raises(LexiconError, match="twice in signs: stop"):
        word_classes._put({}, "signs", {"red": ("stop", "halt"), "green": ("go", "stop")})


@pytest.mark.parametrize("classes_of_part", [{"articles": ("x",)}, {"pronouns": ("x",)}])
def test_a_class_is_named_once(classes_of_part: dict[str, tuple[str, ...]]) -> None:
    """A name means one class or one part in all files."""
    known = {"articles": ("a",), "pronouns": ("he",)}
    with pytest.raises(LexiconError, match="named twice"):
        word_classes._put(known, "signs", classes_of_part)


def test_a_part_is_the_union_of_its_classes() -> None:
    """Where a rule needs all determiners, it asks for the part."""
    assert classes("determiners") >= classes("articles", "demonstratives", "quantifiers")
    assert classes("articles", "demonstratives") == {"a", "an", "the", "this", "that", "these", "those"}


def test_names_of_several_words_are_parted_by_commas() -> None:
    """A newsroom's name keeps its spaces, however its lines are broken."""
    assert "Agence France-Presse" in classes("agencies")
    assert all(name == " ".join(name.split()) for name in classes("newsroom_names", "parts_of_the_world"))


def test_months_and_days_are_unicodes() -> None:
    """The calendar's names are those of CLDR, in its order and in small letters."""
    english = Locale("en")
    months, days = english.months["format"], english.days["format"]
    assert ordered("months") == tuple(months["wide"][i].lower() for i in range(1, 13))
    short = (months["abbreviated"][i].lower() for i in range(1, 13))
    assert ordered("short_months") == tuple(month for month in short if month != "may")
    assert ordered("weekdays") == tuple(days["wide"][i].lower() for i in range(7))
    assert ordered("short_weekdays") == tuple(days["abbreviated"][i].lower() for i in range(7))


def test_number_words_stand_in_their_order() -> None:
    """The place of a number word is its value: one is the first unit, twenty the first ten."""
    assert (ordered("units")[0], ordered("units")[11], ordered("units")[18]) == ("one", "twelve", "nineteen")
    assert (ordered("tens")[0], ordered("tens")[7]) == ("twenty", "ninety")


@pytest.mark.parametrize(
    "name",
    [
        "roles",
        "women",
        "men",
        "persons",
        "bystanders",
        "chief_bodies",
        "associations",
        "claims",
        "documents",
        "reports",
    ],
)
def test_plurals_are_a_dictionarys(name: str) -> None:
    """The rule for plurals gives what lemminflect's dictionary has, wherever it has the noun."""
    known = ((noun, getInflection(noun, "NNS", inflect_oov=False)) for noun in classes(name) if noun != "police")
    many = {noun: (plural(noun).replace("people", "persons"), forms) for noun, forms in known if forms}
    assert {noun: made for noun, (made, forms) in many.items() if made not in forms} == {}


@pytest.mark.parametrize(
    ("noun", "many"),
    [("claim", "claims"), ("witness", "witnesses"), ("ministry", "ministries"), ("boy", "boys"), ("woman", "women")],
)
def test_a_noun_is_known_in_both_numbers(noun: str, many: str) -> None:
    """A class of nouns is written in the singular."""
    assert plural(noun) == many
    assert {noun, many} <= nouns("claims", "onlookers", "chief_bodies", "women", "men")


def test_capitals_keep_what_follows_them() -> None:
    """An acronym stays one: "LLC", not "Llc"."""
    assert {"LLC", "Airlines"} <= capitalized("company_endings")
