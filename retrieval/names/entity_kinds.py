"""A candidate -> what it is the name of, by its own words and its neighbours.

``RULES_FOR_ONE`` word or ``RULES_FOR_MORE`` are asked in order; the first that has an opinion decides.
A verdict that is not ``sure`` gives way to what the rest of the article shows.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from retrieval.lexicon.word_classes import classes
from retrieval.model import Kind, Span
from retrieval.names import outlets, titles
from retrieval.names.gazetteer import (
    is_abbreviated_state,
    is_first_name,
    is_large_place,
    is_listed_people,
    is_people,
    is_place,
    is_region,
    is_word,
    singular,
)
from retrieval.names.name_parts import NamePart, is_opener, is_role
from retrieval.names.runs import RunWord

_SURELY_LOCATIVES = frozenset(("in", "near"))
_LOCATIVES = classes("locatives")
_TERRITORIES = classes("territories", "other_territories")
_CREEDS = classes("creeds")
_OWNERS = classes("owners")
_JOINERS = classes("joiners_of_no_person")
_GENERIC = (
    titles.BODIES | titles.SITES | titles.EVENTS | titles.LAWS | titles.CRAFT | titles.DIRECTIONS | titles.NAMELESS
)
_DESIGNATION = re.compile(r"[DRI]-[A-Z].*|.*-\d.*|\d.*|.*(?:ism|phobia)|.*[<>@/\\$].*")  # "R-Ohio", "STS-1", "Marxism"
_LONGEST_PERSON = 5  # words
_SHORTEST_PLURAL = 4  # letters
_LONGEST_ACRONYM = 4  # letters of one that may also be a place in capitals


class KindVerdict(NamedTuple):
    """A kind, None for what is no name; ``sure`` where nothing else in the article can change it."""

    kind: Kind | None
    sure: bool = True


NO_NAME, PERSON, ORG, PLACE = map(KindVerdict, (None, Kind.PERSON, Kind.ORG, Kind.PLACE))


class Candidate(NamedTuple):
    """A part of a run of capital words that may be a name, with its neighbours.

    ``name`` is its words as one string, ``single`` where it is one word, ``spelling`` how the article has it;
    ``before`` and ``after`` are its neighbours, ``earlier`` and ``beyond`` theirs. ``opens`` where it opens a sentence,
    a quotation or a line; ``lower`` and ``capital`` are the words that the article has in lower case, and in upper case
    within a sentence. ``verdict`` is what it is the name of by its own words and neighbours, by the rule ``rule``.
    """

    part: NamePart
    texts: tuple[str, ...]
    name: str
    single: bool
    span: Span
    spelling: str
    earlier: str
    before: str
    after: str
    beyond: str
    opens: bool
    lower: frozenset[str]
    capital: frozenset[str]
    verdict: KindVerdict = NO_NAME
    rule: str = ""


def judge(text: str, words: list[RunWord], part: NamePart, lower: frozenset[str], capital: frozenset[str]) -> Candidate:
    """Return a part of a sentence of ``text`` with its neighbours, its verdict and the rule behind that."""
    texts = tuple([w.text for w in words[part.first : part.last + 1]])
    name, span = " ".join(texts), Span(words[part.first].start, words[part.last].end)
    spelling = " ".join(span.of(text).split())
    beside = (part.first - 2, part.first - 1, part.last + 1, part.last + 2)
    earlier, before, after, beyond = [words[i].text if 0 <= i < len(words) else "" for i in beside]
    single, opens = len(texts) == 1, not before[-1:].isalnum()
    c = Candidate(part, texts, name, single, span, spelling, earlier, before, after, beyond, opens, lower, capital)
    for name, rule in RULES_FOR_ONE if c.single else RULES_FOR_MORE:
        verdict = rule(c)
        if verdict is not None:
            return c._replace(verdict=verdict, rule=name)
    raise AssertionError("the last rule always answers")


def _nameless(c: Candidate) -> KindVerdict | None:
    if c.part.titled:
        return None
    if c.name in titles.STANDING_BODIES:
        return ORG
    known = len(c.name.rstrip(".")) == 1 or c.name in _GENERIC or is_role(c.name) or _DESIGNATION.fullmatch(c.name)
    return NO_NAME if known else None


def _region(c: Candidate) -> KindVerdict | None:
    known = is_region(c.name) or (is_abbreviated_state(c.name) and (c.before == "," or not c.opens))
    return PLACE if known else None


def _people(c: Candidate) -> KindVerdict | None:
    """Recognise a people or a party, also by where: "Ohio Democrats"."""
    *where, last = c.texts
    local = is_region(" ".join(where)) and is_listed_people(last)
    return KindVerdict(Kind.GROUP) if local or all(is_people(text) for text in c.texts) else None


def _newsroom(c: Candidate) -> KindVerdict | None:
    """Recognise a newsroom by its name, and by the short one that takes an article: "the Guardian", not "Guardian"."""
    if c.single and c.before in ("the", "The"):
        titled = c.after == "of" or c.earlier[:1].isupper()  # "the Age of …", "Face the Nation"
        return ORG if c.name in outlets.SHORT and not titled and not is_listed_people(c.name) else None
    known = c.name in outlets.NAMES and not (c.single and (c.part.titled or is_word(c.name.lower())))
    return KindVerdict(Kind.ORG, sure=not c.single) if known else None


def _everyday_word(c: Candidate) -> KindVerdict | None:
    """Doubt a capital word that opens a sentence and is an everyday word."""
    if c.part.titled or not c.opens or c.name in c.capital or c.name.isupper():
        return None
    return KindVerdict(None, sure=False) if c.name.lower() in c.lower or is_word(c.name) else None


def _event(c: Candidate) -> KindVerdict | None:
    named = c.texts[-1] in titles.EVENTS or c.texts[0] in titles.EVENT_OPENERS or c.texts[:2] == ("World", "War")
    return KindVerdict(Kind.EVENT) if named else None


def _head(c: Candidate) -> KindVerdict | None:
    """Judge by the head word: the one before "of", else the last."""
    joint = next((i for i, text in enumerate(c.texts) if text in ("of", "for", "on")), len(c.texts))
    head = c.texts[joint - 1]
    is_site = is_place(c.texts[0]) or c.before in ("the", "The")  # "the Ann Lee Bridge"
    is_surname = head in titles.SURNAME_SITES or (c.part.titled and head in titles.SITES)
    if is_surname and is_first_name(c.texts[0]) and not is_site:
        return PERSON
    if head in titles.BODIES or (head in titles.SITES | titles.PUBLIC and not titles.BODILY.isdisjoint(c.texts)):
        return ORG
    return PLACE if head in titles.SITES or c.texts[0] in titles.SITE_OPENERS else None


def _shouted_place(c: Candidate) -> KindVerdict | None:
    """Classify the capitals of a dateline as the place they spell."""
    if len(c.name) <= _LONGEST_ACRONYM or not all(text.isupper() for text in c.texts):
        return None
    name = c.name.title()
    if is_region(name) or (is_place(name) and not is_word(name)):
        return PLACE
    return None if c.single else NO_NAME


def _directed(c: Candidate) -> KindVerdict | None:
    """Classify "South Asia", "Greater Manchester" as places."""
    if c.texts[0] not in titles.DIRECTIONS:
        return None
    if is_place(" ".join(c.texts[1:])):
        return PLACE
    return None if all(is_word(text) for text in c.texts) or len(c.texts) > 2 else KindVerdict(Kind.PLACE, sure=False)  # noqa: PLR2004 - "Lower X"


def _place(c: Candidate) -> KindVerdict | None:
    """Judge by the gazetteer: a city of size by its name alone, any other by its neighbours."""
    if is_large_place(c.name):
        return KindVerdict(Kind.PLACE, sure=not c.single)
    if not is_place(c.name) or c.before.lower() not in _LOCATIVES:
        return None
    return KindVerdict(Kind.PLACE, sure=c.before.lower() in _SURELY_LOCATIVES and not is_word(c.name))


def _firm(c: Candidate) -> KindVerdict | None:
    """Classify a name that ends in a plural of everyday use, or begins with a body's head, as a body."""
    if is_first_name(c.texts[0]):
        return None
    last = c.texts[-1]
    plural = len(last) > _SHORTEST_PLURAL and last.endswith("s") and is_word(last[:-1])
    return KindVerdict(Kind.ORG, sure=not plural) if plural or c.texts[0] in titles.BODIES else None


def _person(c: Candidate) -> KindVerdict | None:
    """Classify two to five words as a person where the first is a first name, or not all are everyday words."""
    capital = [text for text in c.texts if text[0].isalnum() and text not in titles.PARTICLES]
    if len(capital) > _LONGEST_PERSON or any(text in _JOINERS for text in c.texts):
        return None
    if any(text.isupper() and len(text) > 2 for text in capital):  # noqa: PLR2004 - "JD", "F." are initials
        return None
    if any(is_opener(text) for text in capital):
        return None
    if is_listed_people(c.texts[-1]):  # "Anna Dane", but not "Anna Danes", "Georgia Pole"
        named = is_first_name(c.texts[0]) and not (is_region(c.texts[0]) or is_people(c.texts[0]))
        return PERSON if named and not c.texts[-1].endswith("s") and c.texts[-1] not in _CREEDS else None
    if c.texts[0] == "Al":  # Gore or Jazeera: a surname without it decides
        return KindVerdict(Kind.ORG, sure=False)
    if is_first_name(c.texts[0]):
        return KindVerdict(Kind.PERSON, sure=not c.part.before_title)
    if c.texts[0] in titles.DIRECTIONS or is_region(c.texts[0]) or all(is_word(text) for text in capital):
        return None
    if any(is_region(part) or is_large_place(part) for text in capital if "-" in text for part in text.split("-")):
        return None
    return KindVerdict(Kind.ORG if c.part.before_title else Kind.PERSON, sure=not c.part.before_title)


def _described(c: Candidate) -> KindVerdict | None:
    """Classify a name behind a role or an age, or before an age, as a person: "spokesman Ilves", "Aino, 77"."""
    aged = c.before == "old" or (c.after == "," and c.beyond.isdigit() and len(c.beyond) == 2)  # noqa: PLR2004 - an age
    return PERSON if aged or (is_role(c.before) and c.before not in _OWNERS) else None


def _territory(c: Candidate) -> KindVerdict | None:
    """Classify "the town of X", "X region" and "in X" as places."""
    if (c.before == "of" and singular(c.earlier) in _TERRITORIES) or (c.single and c.after in _TERRITORIES):
        return PLACE
    if not c.single or c.before.lower() not in _LOCATIVES - {"at"} or is_word(c.name) or is_first_name(c.name):
        return None
    return KindVerdict(Kind.PLACE, sure=c.before.lower() in _SURELY_LOCATIVES)


def _speaks(c: Candidate) -> KindVerdict | None:
    """Classify a name before "said" or "who", and a first name, as a person."""
    if c.before in ("the", "The"):
        return None
    if len(c.texts) == 2:  # noqa: PLR2004 - first name and surname
        return PERSON if c.after in titles.SPEAKING else None
    speaks = c.single and (c.after in titles.SPEAKING or is_first_name(c.name))
    return KindVerdict(Kind.PERSON, sure=False) if speaks else None


_Rule = Callable[[Candidate], KindVerdict | None]
_RULES: dict[str, _Rule] = {
    "newsroom": _newsroom,
    "nameless": _nameless,
    "region": _region,
    "people": _people,
    "everyday word": _everyday_word,
    # laws, plans, craft and works: names of no kind of ours
    "ware": lambda c: NO_NAME if c.texts[-1] in titles.LAWS or not titles.CRAFT.isdisjoint(c.texts) else None,
    "event": _event,
    "head": _head,
    "regal": lambda c: PERSON if c.texts[0] in titles.REGAL else None,
    "titled": lambda c: PERSON if c.part.titled else None,
    "shouted place": _shouted_place,
    "acronym": lambda c: ORG if c.name.isupper() else None,
    "directed": _directed,
    "described": _described,
    "place": _place,
    "firm": _firm,
    "person": _person,
    "territory": _territory,
    "speaks": _speaks,
    "rest": lambda _: KindVerdict(Kind.ORG, sure=False),
}
_FOR_MORE_ONLY = {"ware", "event", "head", "regal", "directed", "firm", "person"}
_FOR_ONE_ONLY = {"nameless", "everyday word", "acronym"}
RULES_FOR_ONE = [(name, rule) for name, rule in _RULES.items() if name not in _FOR_MORE_ONLY]
RULES_FOR_MORE = [(name, rule) for name, rule in _RULES.items() if name not in _FOR_ONE_ONLY]
