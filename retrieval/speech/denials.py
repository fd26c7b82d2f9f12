"""Article -> its denials, and who denies.

A denial is a sentence in which a party contradicts what is said; a refusal of an offer, to confirm or comment is none.
Whether words deny is scored with weights learned on sentences that people labelled. Which sentence is denied is not
said: that was wrong too often, and most denials say it themselves. Only the check of drafts links the two, in
``_denial_of`` of ``bot/commands/proof_claims.py``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from retrieval.lexicon.reporting_verbs import VERBS, Form, Verb
from retrieval.lexicon.word_classes import classes, nouns, read_table
from retrieval.logistic import Logistic
from retrieval.model import Attribution, Denial, Kind, Span, Voice
from retrieval.speech.cues import Shape, Source, cues, names_speaker, source_ending_at, subject_before
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens


def _pattern(words: str) -> re.Pattern[str]:
    """Compile a verbose pattern in which ``_`` is white space."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


DENYING = _pattern(
    r"""\b(?: den(?:y|ies|ied|ying) | reject(?:s|ed|ing)? | refut(?:es?|ed|ing) | rebut(?:s|ted|ting)?
        | disput(?:es?|ed|ing) | disavow(?:s|ed|ing)? | repudiat(?:es?|ed|ing) | dismiss(?:es|ed|ing)? )\b"""
)
# Charges and claims, which a denial rejects; a plan or an offer can be rejected, too.
_CHARGES = "|".join(sorted(nouns("charges", "accounts", "claims", "reports")))
CHARGE_PATTERN = _pattern(
    rf"""\b(?: {_CHARGES} | suggestions? | notion | criticisms? | rumou?rs? | responsib\w+ | involvement | wrongdoing
        | guilt | blame | charactari[sz]ations? )\b"""
)

# A sentence without any of these (in lower case) cannot match: the pattern is slow, and most sentences deny nothing.
DENYING_STEMS = ("deny", "denie", "reject", "refut", "rebut", "disput", "disavow", "repudiat", "dismiss")
_OBJECT_TOKENS = 8  # of the verb's object that are looked at
_BEFORE_TOKENS = 4  # tokens before the verb that may turn it
# What nobody is charged with, and many deny.
_FACTS = frozenset(("climate", "science", "warming", "holocaust", "evolution", "reality"))
_RELATIVES = frozenset(("which", "that"))
_OPENING_MARKS = frozenset(("“", '"', "``"))
_CONTRADICT = frozenset(("refute", "rebut", "dispute"))
_OBJECT_ENDS = frozenset((".", ",", ";", "!", "?", ")", "--", "—", "–", "”", '"', "''", "and", "but", "while", "as"))
DENIAL_THRESHOLD = 0.6  # the probability from which words are taken for a denial
_SENTENCES_BACK = 3  # sentences back in which a pronoun's person is named


@dataclass(frozen=True, slots=True)
class DenialContext:
    layout: Layout
    attributions: tuple[Attribution | None, ...]


@dataclass(frozen=True, slots=True)
class DenyingVerb:
    """A verb at token ``at`` that may deny, and its subject."""

    at: int
    verb: Verb
    subject: Source | None


@cache
def load_weights() -> Logistic:
    return Logistic(**read_table("retrieval.speech", "denial.toml"))


def _signs(context: DenialContext, i: int, denying: DenyingVerb) -> Iterator[str]:
    tokens, attribution = context.layout.tokens, context.attributions[i]
    line = tokens.sentences[i]
    charge = CHARGE_PATTERN.search(tokens.text, tokens.starts[line.start], tokens.ends[line.stop - 1]) is not None
    if charge:
        yield "a charge is named"
    yield f"subject: {_subject_kind(tokens, denying.subject)}"
    if tokens.is_quoted(denying.at):
        yield "in quotation marks"
    if attribution is None:
        yield "nobody says it"
    elif attribution.voice is Voice.IMPERSONAL:
        yield "hearsay"
    elif attribution.span is not None and attribution.span.start == tokens.starts[denying.at]:
        yield "the sentence's own verb"
    verb = denying.verb
    group = "deny" if verb.lemma == "deny" else "contradict" if verb.lemma in _CONTRADICT else "reject"
    yield f"verb: {group}"
    voice = tuple(_voice(tokens, line, denying.at, verb.form))
    withheld = denying.subject is not None and denying.subject.head in cues.withheld  # "the visa was denied"
    withheld = withheld or (group == "deny" and "passive" in voice and not charge)  # "she was denied a boat"
    what = "withheld" if withheld else _object_of(tokens, line, denying.at + 1)
    yield f"object: {what}"
    yield f"{group}, object: {what}"
    yield from voice


def _subject_kind(tokens: Tokens, source: Source | None) -> str:
    if source is None:
        return "none"
    if source.shape is Shape.PRONOUN:
        return "first person" if source.head in classes("first_persons") else "pronoun"
    if source.head in cues.anybody:
        return "anybody"
    if source.mention is not None:
        return "name"
    return "speaker" if names_speaker(source.head) or tokens.words[source.last][0].isupper() else "thing"


def _object_of(tokens: Tokens, line: range, start: int) -> str:
    i = past_adverbs(tokens, line, start)
    word, words = tokens.word(i), tokens.lower[i : min(line.stop, i + _OBJECT_TOKENS)]
    if word == "by":
        return "agent"
    if i >= line.stop or word in _OBJECT_ENDS or word in cues.prepositions:
        return "none"
    if not _FACTS.isdisjoint(words):
        return "fact"
    if word in cues.object_pointers and tokens.word(i + 1) in _OBJECT_ENDS:
        return "pointer"
    if word in cues.object_pronouns:
        return "somebody"
    return _phrase(tokens, line, i)


def _phrase(tokens: Tokens, line: range, i: int) -> str:
    word = tokens.lower[i]
    end = max(i + 1, min(tokens.clause_end(i), line.stop, i + _OBJECT_TOKENS))
    if CHARGE_PATTERN.search(tokens.text, tokens.starts[i], tokens.ends[end - 1]):
        return "charge"
    withheld = any(
        tokens.lower[j] in cues.withheld and (j + 1 == end or tokens.lower[j + 1] in cues.phrase_ends)
        for j in range(i, end)
    )
    if withheld and word not in cues.denied_clause_openers - cues.possessives:
        return "withheld"
    if word in cues.denied_clause_openers or (word.endswith("ing") and tokens.words[i] == word):
        return "clause"
    if _two_objects(tokens, i, end):
        return "somebody"
    if any(each in cues.finite_verbs for each in tokens.lower[i + 1 : end]):
        return "clause"
    return "a thing" if word in cues.determiners else "plain"


def past_adverbs(tokens: Tokens, line: range, start: int) -> int:
    i = start
    while i < line.stop and (
        tokens.lower[i] in cues.adverbs or tokens.lower[i] in cues.times or tokens.lower[i].endswith("ly")
    ):
        i += 1
    return i


def _two_objects(tokens: Tokens, start: int, stop: int) -> bool:
    """Return whether one noun phrase follows another ("denied the side a win")."""
    return any(
        (tokens.lower[i] in cues.determiners or tokens.words[i] in _OPENING_MARKS)
        and tokens.lower[i - 1] not in cues.prepositions | cues.determiners | {"and", "or", "all", "both"}
        and tokens.lower[i - 1][0].isalnum()
        and tokens.lower[i] not in ("this", "that", "last", "next")
        for i in range(start + 1, stop)
    )


def is_left_open(tokens: Tokens, line: range, at: int) -> bool:
    """Return whether the verb is negated, behind a modal or beside "confirm"."""
    before = tokens.lower[max(line.start, at - _BEFORE_TOKENS) : at]
    return any(word in cues.leaving_open or word.startswith("confirm") for word in before)


def _voice(tokens: Tokens, line: range, at: int, form: Form) -> Iterator[str]:
    low = max(line.start, at - _BEFORE_TOKENS)
    before = tokens.lower[low:at]
    near = before[-2:]
    if form is not Form.ING and any(word in cues.being for word in near):
        yield "passive"
    if before[-1:] == ("to",):
        yield "infinitive" if "continue" not in " ".join(before) else "continues to"
    if any(word in _RELATIVES for word in before):
        yield "relative clause"
    if form is Form.BASE:
        yield "plain form"
    if form is Form.ING:
        yield "in -ing"


def find_denials(layout: Layout, attributions: tuple[Attribution | None, ...]) -> tuple[Denial | None, ...]:
    """Return each sentence's denial, or None."""
    context = DenialContext(layout, attributions)
    return tuple(_denial(context, i) for i in range(len(layout.sentences)))


def _denial(context: DenialContext, i: int) -> Denial | None:
    denying = find_denying_verb(context, i)
    if denying is None or load_weights().probability(signs(context, i, denying)) < DENIAL_THRESHOLD:
        return None
    return Denial(denier(context, i, denying), "denies")


def signs(context: DenialContext, i: int, denying: DenyingVerb) -> dict[str, float]:
    return dict.fromkeys(_signs(context, i, denying), 1.0)


def find_denying_verb(context: DenialContext, i: int) -> DenyingVerb | None:
    sentence = context.layout.sentences[i]
    text = context.layout.text(sentence)
    if sentence.boilerplate:
        return None
    lower = text.lower()
    match = DENYING.search(text) if any(s in lower for s in DENYING_STEMS) else None
    if match is None:
        return None
    place = context.layout.tokens.within(Span(sentence.span.start + match.start(), sentence.span.start + match.end()))
    verb = VERBS.get(match.group().lower())
    if not place or verb is None or is_left_open(context.layout.tokens, context.layout.tokens.sentences[i], place[0]):
        return None
    return DenyingVerb(place[0], verb, _subject(context, i, place[0]))


def _subject(context: DenialContext, i: int, verb: int) -> Source | None:
    """Return the agent behind "by", or else the subject of the verb."""
    tokens, line = context.layout.tokens, context.layout.tokens.sentences[i]
    after = past_adverbs(tokens, line, verb + 1)
    if after + 1 < line.stop and tokens.lower[after] == "by":
        named = tokens.opening.get(after + 1)
        return source_ending_at(tokens, named[0] if named else after + 1)
    return subject_before(tokens, line.start, verb)


def denier(context: DenialContext, i: int, denying: DenyingVerb) -> str | None:
    """Return who denies; None where a pronoun is not certain."""
    attribution, subject, tokens = context.attributions[i], denying.subject, context.layout.tokens
    if subject is None:
        return None
    if subject.mention is not None:
        return subject.mention.name
    own = attribution and attribution.span and attribution.span.start == tokens.starts[denying.at]
    speaker = attribution.speaker if attribution and own else None
    if subject.shape is Shape.PRONOUN:
        return speaker if _is_person(context, i, speaker) else None
    if speaker is None and (names_speaker(subject.head) or tokens.words[subject.last][0].isupper()):
        return tokens.spelt(subject.first, subject.last + 1)
    return speaker


def _is_person(context: DenialContext, i: int, name: str | None) -> bool:
    near = (m for j in range(max(0, i - _SENTENCES_BACK), i) for m in context.layout.mentions[j])
    return any(m.name == name and m.kind is Kind.PERSON for m in near)
