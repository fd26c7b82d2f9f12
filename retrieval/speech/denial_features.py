"""A word that may deny, in its sentence -> named features: whether it denies; the weights are in ``denial.toml``.

They are learned by `make weights` (``training/denials.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.lexicon.reporting_verbs import Form, Verb
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import Attribution, Voice
from retrieval.speech import cues
from retrieval.speech.cues import Shape, Source
from retrieval.speech.phrases import names_speaker
from retrieval.text.tokens import Tokens


def _pattern(words: str) -> re.Pattern[str]:
    """Return the verbose pattern: white space in it counts for nothing, ``_`` stands for any."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


DENYING = _pattern(
    r"""\b(?: den(?:y|ies|ied|ying) | reject(?:s|ed|ing)? | refut(?:es?|ed|ing) | rebut(?:s|ted|ting)?
        | disput(?:es?|ed|ing) | disavow(?:s|ed|ing)? | repudiat(?:es?|ed|ing) | dismiss(?:es|ed|ing)? )\b"""
)
# What is held against somebody or put forward: what a denial rejects. One rejects a claim, and also a plan or an offer.
_CHARGES = "|".join(sorted(nouns("charges", "accounts", "claims", "reports")))
CHARGE = _pattern(
    rf"""\b(?: {_CHARGES} | suggestions? | notion | criticisms? | rumou?rs? | responsib\w+ | involvement | wrongdoing
        | guilt | blame | charactari[sz]ations? )\b"""
)

# A sentence without any of these (in lower case) cannot match: the pattern is slow, and most sentences deny nothing.
DENYING_STEMS = ("deny", "denie", "reject", "refut", "rebut", "disput", "disavow", "repudiat", "dismiss")


WEIGHTS = files("retrieval.speech") / "denial.toml"
_OBJECT = 8  # tokens within which the object of the verb tells what is denied
_NEAR = 4  # tokens before the verb that may turn it
_OBJECT_PRONOUNS = classes("object_pronouns", "reflexives")
_ANYBODY = classes("indefinite_persons", "quantifiers", "duals") | {"one", "critics"}
_FRONTED = frozenset(("which", "that"))
_POINTERS = classes("demonstratives") | {"it", "them"}
_OPENING = frozenset(("“", '"', "``"))
_NOES = (
    cues.NEGATIONS | cues.MODALS | classes("nones") | classes("negative_contractions") | {"neither", "nor", "nobody"}
)
_ENDED = cues.PREPOSITIONS | {"and", "or"}
_CONTRADICT = frozenset(("refute", "rebut", "dispute"))
_POSSESSIVES = classes("possessives")
_CLAUSE_OPENERS = cues.PRONOUNS | _POSSESSIVES | {"that", "there", "any"}
_FINITE = cues.MODALS | (cues.BEING - {"be", "been", "being"}) | classes("forms_of_have", "forms_of_do")
_ENDS = frozenset((".", ",", ";", "!", "?", ")", "--", "—", "–", "”", '"', "''", "and", "but", "while", "as"))
# What is withheld, not contradicted.
_WITHHELD = frozenset(
    (
        "access admission entry visa visas bail parole asylum citizenship right rights freedom freedoms food aid"
        " coverage benefits care treatment service loan loans funding permit permits permission"
        " request requests petition petitions motion motions hearing application applications"
        " filing filings renewal renewals injunction warrant relief"
        " clemency victory chance opportunity tenure due process protection protections privilege privileges"
    ).split()
) | nouns("addresses")
# What none charges anybody with, and many deny.
_FACTS = frozenset("climate science warming holocaust evolution reality".split())


@dataclass(frozen=True, slots=True)
class Trigger:
    """A verb that may deny: the token ``at``; ``subject`` is who does, if it is told."""

    at: int
    verb: Verb
    subject: Source | None


@cache
def model() -> Logistic:
    """Return the judgement as it was learned."""
    return read_logistic(WEIGHTS)


def features(tokens: Tokens, line: range, trigger: Trigger, attribution: Attribution | None) -> dict[str, float]:
    """Return what speaks for and against words of the sentence ``line`` denying something."""
    return dict.fromkeys(_signs(tokens, line, trigger, attribution), 1.0)


def _signs(tokens: Tokens, line: range, trigger: Trigger, attribution: Attribution | None) -> Iterator[str]:
    charge = CHARGE.search(tokens.text, tokens.starts[line.start], tokens.ends[line.stop - 1]) is not None
    if charge:
        yield "a charge is named"
    yield f"subject: {_subject(tokens, trigger.subject)}"
    if tokens.is_quoted(trigger.at):
        yield "in quotation marks"
    if attribution is None:
        yield "nobody says it"
    elif attribution.voice is Voice.IMPERSONAL:
        yield "hearsay"
    elif attribution.span is not None and attribution.span.start == tokens.starts[trigger.at]:
        yield "the sentence's own verb"
    verb = trigger.verb
    group = "deny" if verb.lemma == "deny" else "contradict" if verb.lemma in _CONTRADICT else "reject"
    yield f"verb: {group}"
    voice = tuple(_voice(tokens, line, trigger.at, verb.form))
    withheld = trigger.subject is not None and trigger.subject.head in _WITHHELD  # "the visa was denied"
    withheld = withheld or (group == "deny" and "passive" in voice and not charge)  # "she was denied a boat"
    what = "withheld" if withheld else _object_of(tokens, line, trigger.at + 1)
    yield f"object: {what}"
    yield f"{group}, object: {what}"
    yield from voice


def _subject(tokens: Tokens, source: Source | None) -> str:
    if source is None:
        return "none"
    if source.shape is Shape.PRONOUN:
        return "first person" if source.head in classes("first_persons") else "pronoun"
    if source.head in _ANYBODY:
        return "anybody"
    if source.mention is not None:
        return "name"
    return "speaker" if names_speaker(source.head) or tokens.words[source.last][0].isupper() else "thing"


def _object_of(tokens: Tokens, line: range, start: int) -> str:
    """Return what kind of thing the object is that begins at ``start``."""
    i = past_adverbs(tokens, line, start)
    word, words = tokens.word(i), tokens.lower[i : min(line.stop, i + _OBJECT)]
    if word == "by":
        return "agent"
    if i >= line.stop or word in _ENDS or word in cues.PREPOSITIONS:
        return "none"
    if not _FACTS.isdisjoint(words):
        return "fact"
    if word in _POINTERS and tokens.word(i + 1) in _ENDS:
        return "pointer"
    if word in _OBJECT_PRONOUNS:
        return "somebody"
    return _phrase(tokens, line, i)


def _phrase(tokens: Tokens, line: range, i: int) -> str:
    word = tokens.lower[i]
    end = max(i + 1, min(tokens.clause_end(i), line.stop, i + _OBJECT))
    if CHARGE.search(tokens.text, tokens.starts[i], tokens.ends[end - 1]):
        return "charge"
    withheld = any(
        tokens.lower[j] in _WITHHELD and (j + 1 == end or tokens.lower[j + 1] in _ENDED) for j in range(i, end)
    )
    if withheld and word not in _CLAUSE_OPENERS - _POSSESSIVES:
        return "withheld"
    if word in _CLAUSE_OPENERS or (word.endswith("ing") and tokens.words[i] == word):
        return "clause"
    if _two_objects(tokens, i, end):
        return "somebody"
    if any(each in _FINITE for each in tokens.lower[i + 1 : end]):
        return "clause"
    return "a thing" if word in cues.DETERMINERS else "plain"


def past_adverbs(tokens: Tokens, line: range, start: int) -> int:
    """Return the first token from ``start`` that is no adverb and no date."""
    i = start
    while i < line.stop and (
        tokens.lower[i] in cues.ADVERBS or tokens.lower[i] in cues.TIMES or tokens.lower[i].endswith("ly")
    ):
        i += 1
    return i


def _two_objects(tokens: Tokens, start: int, stop: int) -> bool:
    """Return whether one noun phrase follows another ("denied the side a win")."""
    return any(
        (tokens.lower[i] in cues.DETERMINERS or tokens.words[i] in _OPENING)
        and tokens.lower[i - 1] not in cues.PREPOSITIONS | cues.DETERMINERS | {"and", "or", "all", "both"}
        and tokens.lower[i - 1][0].isalnum()
        and tokens.lower[i] not in ("this", "that", "last", "next")
        for i in range(start + 1, stop)
    )


def is_left_open(tokens: Tokens, line: range, at: int) -> bool:
    """Return whether the verb is negated, behind a modal or beside "confirm": what is not denied, or left open."""
    before = tokens.lower[max(line.start, at - _NEAR) : at]
    return any(word in _NOES or word.startswith("confirm") for word in before)


def _voice(tokens: Tokens, line: range, at: int, form: Form) -> Iterator[str]:
    low = max(line.start, at - _NEAR)
    before = tokens.lower[low:at]
    near = before[-2:]
    if form is not Form.ING and any(word in cues.BEING for word in near):
        yield "passive"
    if before[-1:] == ("to",):
        yield "infinitive" if "continue" not in " ".join(before) else "continues to"
    if any(word in _FRONTED for word in before):
        yield "relative clause"
    if form is Form.BASE:
        yield "plain form"
    if form is Form.ING:
        yield "in -ing"
