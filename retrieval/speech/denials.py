"""Article -> its denials, and who denies.

A denial is a sentence in which a party contradicts what is said; a refusal of an offer, to confirm or comment is none.
Whether words deny is judged by weights that were learned on sentences judged by reading. Which sentence is denied is
not told: it could not be told rightly often enough, and most denials tell in their own words what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import nouns
from retrieval.model import Attribution, Denial, Kind, Span
from retrieval.speech import cues, denial_features
from retrieval.speech.cues import Shape, Source
from retrieval.speech.denial_features import Trigger
from retrieval.speech.phrases import names_speaker, phrase
from retrieval.speech.subjects import before, right_before, skip_back
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

IS_ONE = 0.6  # the probability from which words are taken for a denial
_CLAIMED = nouns("charges", "claims", "reports", "accounts")  # "a claim the port denies"
_NEAR = 3  # sentences back in which a pronoun's person is named


def find_denials(layout: Layout, attributions: tuple[Attribution | None, ...]) -> tuple[Denial | None, ...]:
    """Return for each sentence the denial it makes, if it makes one."""
    page = Page(layout, attributions)
    return tuple(_read(page, i) for i in range(len(layout.sentences)))


@dataclass(frozen=True, slots=True)
class Page:
    """An article as denials are sought in it."""

    layout: Layout
    attributions: tuple[Attribution | None, ...]


def _read(page: Page, i: int) -> Denial | None:
    trigger = find_trigger(page, i)
    if trigger is None or denial_features.model().probability(signs(page, i, trigger)) < IS_ONE:
        return None
    return Denial(denier(page, i, trigger), "denies")


def signs(page: Page, i: int, trigger: Trigger) -> dict[str, float]:
    """Return the features of the words that may deny."""
    tokens = page.layout.tokens
    return denial_features.features(tokens, tokens.sentences[i], trigger, page.attributions[i])


def find_trigger(page: Page, i: int) -> Trigger | None:
    """Return the first words of a sentence that may deny."""
    sentence = page.layout.sentences[i]
    text = page.layout.text(sentence)
    if sentence.boilerplate:
        return None
    lower = text.lower()
    match = denial_features.DENYING.search(text) if any(s in lower for s in denial_features.DENYING_STEMS) else None
    if match is None:
        return None
    place = page.layout.tokens.within(Span(sentence.span.start + match.start(), sentence.span.start + match.end()))
    verb = VERBS.get(match.group().lower())
    if (
        not place
        or verb is None
        or denial_features.is_left_open(page.layout.tokens, page.layout.tokens.sentences[i], place[0])
    ):
        return None
    return Trigger(place[0], verb, _subject(page, i, place[0]))


def _subject(page: Page, i: int, verb: int) -> Source | None:
    """Return whose denial it is: the agent behind "by", else the subject of the verb."""
    tokens, line = page.layout.tokens, page.layout.tokens.sentences[i]
    after = denial_features.past_adverbs(tokens, line, verb + 1)
    if after + 1 < line.stop and tokens.lower[after] == "by":
        return phrase(tokens, after + 1, line.stop)
    at = skip_back(tokens, line.start, verb - 1)
    if at > line.start and tokens.lower[at] in ("which", "who"):
        comma = tokens.lower[at - 1] in cues.COMMAS
        return right_before(tokens, line.start, at - comma)
    return before(tokens, line.start, verb)


def denier(page: Page, i: int, trigger: Trigger) -> str | None:
    """Return who denies: the subject of the verb as it is named or described; nobody where a pronoun is not sure."""
    attribution, subject, tokens = page.attributions[i], trigger.subject, page.layout.tokens
    if subject is None:
        return None
    if subject.mention is not None:
        return subject.mention.name
    own = attribution and attribution.span and attribution.span.start == tokens.starts[trigger.at]
    speaker = attribution.speaker if attribution and own else None
    if subject.shape is Shape.PRONOUN:
        return speaker if _is_person(page, i, speaker) else None
    opening = range(subject.first, min(subject.first + 2, subject.last))
    first = next((i + 1 for i in opening if tokens.lower[i] in _CLAIMED), subject.first)
    if any(_begins_another(tokens, i) for i in range(first + 1, subject.last)):
        return speaker
    if names_speaker(subject.head) or tokens.words[subject.last][0].isupper():
        return tokens.spelt(first, subject.last + 1)
    return speaker


def _begins_another(tokens: Tokens, i: int) -> bool:
    """Return whether a noun phrase begins at a token that no preposition ties to the one before it."""
    return tokens.lower[i] in cues.DETERMINERS and tokens.lower[i - 1] not in cues.PREPOSITIONS


def _is_person(page: Page, i: int, name: str | None) -> bool:
    """Return whether a person of that name is named in the sentences just before."""
    near = (m for j in range(max(0, i - _NEAR), i) for m in page.layout.mentions[j])
    return any(m.name == name and m.kind is Kind.PERSON for m in near)
