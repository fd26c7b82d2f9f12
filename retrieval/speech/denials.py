"""Article -> its denials, and what each denies.

A denial is a sentence in which a party contradicts what is said; a refusal of an offer, to confirm or comment is none.
Two judgements are made of it, each learned on sentences that were judged by reading: whether the words deny, and which
sentence is denied. Where none is likely enough the denial stands by itself: most tell in their own sentence what it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.logistic import Logistic
from retrieval.model import Attribution, Denial, Kind, Span
from retrieval.speech import cues, denial_features, denial_patterns, denied_features
from retrieval.speech.cue_match import Shape, Source
from retrieval.speech.denial_features import Trigger
from retrieval.speech.phrases import names_speaker, phrase
from retrieval.speech.subjects import before, right_before, skip_back
from retrieval.text.layout import Layout
from retrieval.text.roots import long_words, root
from retrieval.text.terms import term

IS_ONE = 0.6  # the probability from which words are taken for a denial
PAIRED = 0.85  # the probability of being what is denied from which a sentence is shown with its denial
_BACK = 8  # sentences a denial reaches back
# Words of a denial that tell nothing of what is denied; those of four letters and more.
_EMPTY = (
    classes(
        "determiners", "pronouns", "clause_words", "auxiliaries", "prepositions", "focus_adverbs", "additive_adverbs"
    )
    | classes("frequency_adverbs", "time_adverbs", "manner_adverbs")
    | nouns("charges", "claims", "accounts")
    | {
        word
        for word, verb in VERBS.items()
        if verb.lemma in ("call", "claim", "deny", "describe", "dismiss", "reject", "report", "say")
    }
    | {
        "responsibility",
        "involvement",
        "wrongdoing",
        "strongly",
        "flatly",
        "untrue",
        "false",
        "baseless",
        "groundless",
        "unfounded",
        "fabricated",
    }
)
# A name's words that tell a body or an office, and not whose; cut as the topics are.
_BODIES = frozenset(
    root(term(word))
    for word in classes(
        *("spokespeople", "offices", "heads", "officials", "chief_bodies", "public_bodies", "firms", "role_modifiers"),
        *("portfolios", "collectives", "lawyers", "ranks", "claims"),
    )
)
_POINTING = classes("possessives")
_FRONT = 2  # words before its subject from which on a denial is not what its sentence is about
_NEAR = 3  # sentences back to whoever spoke before
# Where the clause ends that tells what is denied.
_CLAUSE = re.compile(
    r"[;,:]\s|\s(?:but|while|although|though|(?:and|or)\s+(?:\w+\s+)?(?:sa\w+|ha[sd]|is|was|in|call\w+|descri\w+|insist\w+))\s"
)


def find_denials(layout: Layout, attributions: tuple[Attribution | None, ...]) -> tuple[Denial | None, ...]:
    """Return for each sentence the denial it makes, if it makes one."""
    page = Page(layout, attributions)
    return tuple(_read(page, i) for i in range(len(layout.sentences)))


@dataclass(frozen=True, slots=True)
class Page:
    """An article as denials are sought in it; what is worked out of a sentence is kept."""

    layout: Layout
    attributions: tuple[Attribution | None, ...]
    triggers: dict[int, Trigger | None] = field(default_factory=dict)
    chances: dict[int, float] = field(default_factory=dict)
    topics: dict[int, frozenset[str]] = field(default_factory=dict)
    rarities: dict[str, float] = field(default_factory=dict)

    def text(self, i: int) -> str:
        """Return the words of sentence ``i``."""
        return self.layout.text(self.layout.sentences[i])

    def trigger(self, i: int) -> Trigger | None:
        """Return the words of sentence ``i`` that may deny."""
        if i not in self.triggers:
            self.triggers[i] = _trigger(self, i)
        return self.triggers[i]

    def signs(self, i: int, trigger: Trigger) -> dict[str, float]:
        """Return the features of the words that may deny."""
        tokens = self.layout.tokens
        return denial_features.features(tokens, tokens.sentences[i], trigger, self.attributions[i])

    def chance(self, i: int) -> float:
        """Return how probable it is that sentence ``i`` denies something."""
        if i not in self.chances:
            trigger = self.trigger(i)
            self.chances[i] = denial_features.model().probability(self.signs(i, trigger)) if trigger else 0.0
        return self.chances[i]

    def topic(self, i: int) -> frozenset[str]:
        """Return the content words of sentence ``i``, cut short; worked out once, and only where a denial asks."""
        if i not in self.topics:
            self.topics[i] = _topic(self.text(i))
        return self.topics[i]

    def rarity(self) -> dict[str, float]:
        """Return how much each word tells, from 0 where all sentences of the article hold it."""
        if not self.rarities:
            many = len(self.layout.sentences)
            counts = Counter(word for i in range(many) for word in self.topic(i))
            self.rarities.update({w: 1 - math.log(n) / math.log(many + 1) for w, n in counts.items()})
        return self.rarities

    def line(self, i: int) -> denied_features.Line:
        """Return sentence ``i`` as the judgement looks at it."""
        return denied_features.Line(i, self.text(i), self.topic(i), self.attributions[i] is not None)


def _read(page: Page, i: int) -> Denial | None:
    trigger = page.trigger(i)
    if trigger is None or page.chance(i) < IS_ONE:
        return None
    speaker = denier(page, i, trigger)
    # who denies what is said somewhere must be known, or it may be whoever said it
    of = best_of(weighed(page, i, trigger, speaker), i, denied_features.model()) if speaker else None
    return Denial(speaker, of, "denies")


def best_of(candidates: Iterable[tuple[int, dict[str, float]]], at: int, model: Logistic) -> int | None:
    """Return which of the sentences the one ``at`` denies: the likeliest, the nearest of equals, if likely enough."""
    judged = [(model.probability(features), -abs(j - at), j) for j, features in candidates]
    best = max(judged, default=None)
    return best[2] if best and best[0] >= PAIRED else None


def _topic(text: str) -> frozenset[str]:
    return frozenset(root(cut) for word in long_words(text.lower()) if word not in _EMPTY and (cut := term(word)))


def _trigger(page: Page, i: int) -> Trigger | None:
    """Return the first words of a sentence that may deny."""
    sentence, text = page.layout.sentences[i], page.text(i)
    if sentence.boilerplate:
        return None
    lower = text.lower()
    match = denial_patterns.DENYING.search(text) if any(s in lower for s in denial_patterns.DENYING_STEMS) else None
    if match is None:
        return None
    place = page.layout.tokens.within(Span(sentence.span.start + match.start(), sentence.span.start + match.end()))
    if not place or denial_features.is_left_open(page.layout.tokens, page.layout.tokens.sentences[i], place[0]):
        return None
    return Trigger(place[0], _subject(page, i, place[0]))


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
    if names_speaker(subject.head) or tokens.words[subject.last][0].isupper():
        return tokens.spelt(subject.first, subject.last + 1)
    return speaker


def _is_person(page: Page, i: int, name: str | None) -> bool:
    """Return whether a person of that name is named in the sentences just before."""
    near = (m for j in range(max(0, i - _NEAR), i) for m in page.layout.mentions[j])
    return any(m.name == name and m.kind is Kind.PERSON for m in near)


def _before(page: Page, i: int) -> Iterator[str]:
    """Return those who spoke in the few sentences before, nearest first."""
    for j in range(i - 1, max(-1, i - 1 - _NEAR), -1):
        before = page.attributions[j]
        if before is not None and before.speaker:
            yield before.speaker


def party(page: Page, i: int, name: str | None) -> frozenset[str]:
    """Return the words that tell a party, cut so that "Russia" and "Russian" are one.

    "Its ministry" and "the statement" tell none: theirs are the words of whoever spoke before. "The army" is the army.
    """
    told = _topic(name or "") - _BODIES
    if told or name is None:
        return told
    words = name.lower().split()
    if words[0] not in _POINTING and words[-1] not in cues.DOCUMENTS:
        return _topic(name)
    return next(filter(None, (_topic(each) - _BODIES for each in _before(page, i))), frozenset())


def _is_own(page: Page, j: int, words: frozenset[str]) -> bool:
    attribution = page.attributions[j]
    return attribution is not None and bool(_topic(attribution.speaker or "") & words)


def weighed(page: Page, i: int, trigger: Trigger, name: str | None) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield the sentences that the one at ``i`` may deny, each with its features."""
    words = party(page, i, name)
    tokens, line = page.layout.tokens, page.layout.tokens.sentences[i]
    kind = denial_features.object_of(tokens, line, trigger.at + 1)
    object_, front = _told(page, i, trigger)
    if kind in ("none", "agent") or (not object_ - words and len(front - words) >= _FRONT):
        return  # the sentence tells itself what is denied
    aside = len(front - words) >= _FRONT
    denying = denied_features.Denying(page.line(i), words, object_, aside, page.rarity())
    for j in range(max(0, i - _BACK), i):
        furniture = page.layout.sentences[j].boilerplate
        if not (furniture or _is_own(page, j, words) or page.chance(j) >= IS_ONE):
            features = denied_features.features(denying, page.line(j))
            if features:
                yield j, features


def _told(page: Page, i: int, trigger: Trigger) -> tuple[frozenset[str], frozenset[str]]:
    """Return the topics of what stands behind a verb that denies, and of what stands before its subject."""
    tokens, line = page.layout.tokens, page.layout.tokens.sentences[i]
    subject = trigger.subject.first if trigger.subject and trigger.subject.first < trigger.at else trigger.at
    front = _topic(tokens.text[tokens.starts[line.start] : tokens.starts[subject]])
    behind = tokens.text[tokens.ends[trigger.at] : tokens.ends[line.stop - 1]]
    return _topic(_CLAUSE.split(behind)[0]), front
