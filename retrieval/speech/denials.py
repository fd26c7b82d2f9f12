"""Article -> its denials, and what each denies.

A denial is a sentence in which a party rejects what is said of it; a refusal to confirm or comment is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.model import Attribution, Denial, Sentence, Voice
from retrieval.speech import denial_features, denial_patterns
from retrieval.speech.cue_match import Shape
from retrieval.speech.cues import DOCUMENTS
from retrieval.speech.subjects import opener
from retrieval.text.layout import Layout
from retrieval.text.roots import long_words, root

_BACK = 40  # sentences a denial reaches back
_FORWARD = 3  # and on, for "X denied it. Y had accused X of …"
# Words of a denial that tell nothing of what is denied; those of four letters and more.
_EMPTY = (
    classes(
        "determiners", "pronouns", "clause_words", "auxiliaries", "prepositions", "focus_adverbs", "additive_adverbs"
    )
    | classes("frequency_adverbs")
    | nouns("charges")
    | {word for word, verb in VERBS.items() if verb.lemma in ("claim", "deny", "dismiss", "reject", "report", "say")}
    | {"responsibility"}
)
# A name's words that tell a body or an office, and not whose; cut as the topics are.
_BODIES = frozenset(
    root(word)
    for word in classes(
        *("spokespeople", "offices", "heads", "officials", "chief_bodies", "public_bodies", "firms", "role_modifiers"),
        *("portfolios", "collectives", "lawyers", "ranks", "claims"),
    )
    | {"separate", "another", "post"}
)
_RELATIVE = re.compile(r"\b(?:which|who)\s+(?:\w+\s+){0,3}$")
_POINTING = classes("possessives")
_NEAR = 3  # sentences back to whoever spoke before
_REACH = 40  # characters after the verb within which it says what it denies
_DENIES = "denies"
# By what a rule is called: the pattern that finds a denial, and the stems without one of which it finds nothing.
Rules = Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]]
_RULES: Rules = {
    _DENIES: (denial_patterns.DENYING, denial_patterns.DENYING_STEMS),
    "rebuts": (denial_patterns.REBUTTING, denial_patterns.REBUTTING_STEMS),
    "calls it fake": (denial_patterns.CALLED_FAKE, denial_patterns.FAKE_STEMS),
    "did no such thing": (denial_patterns.NOTHING_DONE, denial_patterns.NO_STEMS),
}


@dataclass(frozen=True, slots=True)
class _Found:
    """A denial without what it denies; ``at`` is where in the sentence its words begin."""

    at: int
    rule: str


def find_denials(layout: Layout, attributions: tuple[Attribution | None, ...]) -> tuple[Denial | None, ...]:
    """Return for each sentence the denial it makes, if it makes one."""
    page = _Page(layout, attributions, _rules_for(layout.article.text))
    return tuple(_read(page, i) for i in range(len(layout.sentences)))


@dataclass(frozen=True, slots=True)
class _Page:
    """What the rules of one article share."""

    layout: Layout
    attributions: tuple[Attribution | None, ...]
    rules: Rules
    kept: dict[int, frozenset[str]] = field(default_factory=dict)
    charges: dict[int, bool] = field(default_factory=dict)
    lines: dict[int, denial_features.Line] = field(default_factory=dict)
    accused: set[str] = field(default_factory=set)

    def text(self, i: int) -> str:
        """Return the words of sentence ``i``."""
        return self.layout.text(self.layout.sentences[i])

    def topic(self, i: int) -> frozenset[str]:
        """Return the content words of sentence ``i``, cut short; worked out once, and only where a denial asks."""
        if i not in self.kept:
            self.kept[i] = _topic(self.text(i))
        return self.kept[i]

    def line(self, i: int) -> denial_features.Line:
        """Return sentence ``i`` as the judgement looks at it; worked out once."""
        if i not in self.lines:
            self.lines[i] = denial_features.Line(i, self.text(i), self.topic(i), self.attributions[i] is not None)
        return self.lines[i]

    def charges_somebody(self, i: int) -> bool:
        """Return whether sentence ``i`` accuses; looked at once, for many denials may ask."""
        if i not in self.charges:
            text = self.text(i)
            lower = text.lower()
            accusing = any(stem in lower for stem in denial_patterns.ACCUSING_STEMS)
            self.charges[i] = accusing and denial_patterns.ACCUSING.search(text) is not None
        return self.charges[i]

    def denial(self, i: int) -> _Found | None:
        """Return the first denial a rule finds in sentence ``i``."""
        return _found(self.layout.sentences[i], self.text(i), self.attributions[i], self.rules)


def _read(page: _Page, i: int) -> Denial | None:
    found = page.denial(i)
    if found is None:
        return None
    speaker = _denier(page, i, found)
    party = _party(page, i, speaker)
    if found.rule != _DENIES and not party & _accused(page):
        return None
    return Denial(speaker, _denied(page, i, party), found.rule)


def _topic(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in long_words(text.lower()) if word not in _EMPTY)


def _denier(page: _Page, i: int, found: _Found) -> str | None:
    """Return who denies: the antecedent of "which denies", else the speaker, else the subject of the sentence."""
    at = page.layout.sentences[i].span.start + found.at
    before = [m for m in page.layout.mentions[i] if m.span.end <= at]
    if before and _RELATIVE.search(page.text(i)[: found.at]):
        return before[-1].name
    attribution = page.attributions[i]
    if attribution is None or (attribution.span is not None and attribution.span.start > at):
        subject = _subject(page, i, found.at)
        return subject or (attribution.speaker if attribution else None)
    return _behind(page, i, attribution.speaker)


def _behind(page: _Page, i: int, speaker: str | None) -> str | None:
    """Return the party that "a separate statement" is by: whoever spoke before; else the speaker as told."""
    words = (speaker or "").lower().split()
    if not words or words[0] not in ("a", "an", "another") or words[-1] not in DOCUMENTS:
        return speaker
    return next((name for name in _before(page, i) if _topic(name) - _BODIES), speaker)


def _before(page: _Page, i: int) -> Iterator[str]:
    """Return those who spoke in the few sentences before, nearest first."""
    for j in range(i - 1, max(-1, i - 1 - _NEAR), -1):
        before = page.attributions[j]
        if before is not None and before.speaker:
            yield before.speaker


def _subject(page: _Page, i: int, at: int) -> str | None:
    """Return the subject of a sentence that reports nobody, where it stands before the character ``at``."""
    tokens = page.layout.tokens
    line = tokens.sentences[i]
    source = opener(tokens, line.start, line.stop)
    if source is None or source.shape is Shape.PRONOUN or tokens.starts[source.first] >= tokens.starts[line.start] + at:
        return None
    return source.mention.name if source.mention else tokens.spelt(source.first, source.last + 1)


def _party(page: _Page, i: int, name: str | None) -> frozenset[str]:
    """Return the words that tell a party, cut so that "Russia" and "Russian" are one.

    "Its ministry" and "the statement" tell none: theirs are the words of whoever spoke before. "The army" is the army.
    """
    told = _topic(name or "") - _BODIES
    if told or name is None:
        return told
    words = name.lower().split()
    if words[0] not in _POINTING and words[-1] not in DOCUMENTS:
        return _topic(name)
    return next(filter(None, (_topic(each) - _BODIES for each in _before(page, i))), frozenset())


def _accused(page: _Page) -> set[str]:
    """Return the words that stand beside an accusation in other than their bearers' own words; worked out once."""
    if not page.accused:
        for j in range(len(page.attributions)):
            if page.charges_somebody(j) and not page.denial(j):
                attribution = page.attributions[j]
                own = _topic((attribution.speaker if attribution else None) or "")
                page.accused.update(page.topic(j) - own)
        page.accused.add("")
    return page.accused


def _is_own(page: _Page, j: int, party: frozenset[str]) -> bool:
    attribution = page.attributions[j]
    return attribution is not None and bool(_topic(attribution.speaker or "") & party)


def weighed(
    layout: Layout,
    attributions: tuple[Attribution | None, ...],
    at: int,
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield the sentences that the one ``at`` may deny, each with its features; what the weights are learned on."""
    page = _Page(layout, attributions, _rules_for(layout.article.text))
    found = page.denial(at) or _Found(0, _DENIES)
    party = _party(page, at, _denier(page, at, found))
    denial = page.line(at)
    return ((j, denial_features.features(denial, page.line(j), party)) for j in _candidates(page, at, party))


def _denied(page: _Page, i: int, party: frozenset[str]) -> int | None:
    """Return the sentence denied: of those that may be the likeliest, the nearest of equals."""
    denial = page.line(i)
    judged = [
        (denial_features.probability(denial, page.line(j), party), -abs(j - i), j) for j in _candidates(page, i, party)
    ]
    best = max(judged, default=None)
    return best[2] if best and best[0] >= denial_features.ENOUGH else None


def _candidates(page: _Page, i: int, party: frozenset[str]) -> Iterator[int]:
    """Yield the sentences near that another party may say, and that deny nothing themselves."""
    for j in range(max(0, i - _BACK), min(len(page.attributions), i + _FORWARD + 1)):
        aside = j == i or page.layout.sentences[j].boilerplate
        if not (aside or _is_own(page, j, party) or page.denial(j)):
            yield j


def _found(sentence: Sentence, text: str, attribution: Attribution | None, rules: Rules) -> _Found | None:
    """Return the first denial a rule finds in a sentence; hearsay denies nothing unless it says so."""
    if sentence.boilerplate:
        return None
    lower = text.lower()
    hearsay = attribution is not None and attribution.voice is Voice.IMPERSONAL
    for name, (pattern, stems) in rules.items():
        match = pattern.search(text) if any(stem in lower for stem in stems) else None
        if match and (_denies(text, match) if name == _DENIES else not hearsay):
            return _Found(match.start(), name)
    return None


def _denies(text: str, match: re.Match[str]) -> bool:
    """Tell "denied", "rejected the claim", "dismissed it as a lie" from "denied them entry", "rejected the plan"."""
    if denial_patterns.NO_DENIAL.search(text):
        return False
    denied = match.group().lower().startswith("den")
    return denied or denial_patterns.CHARGE.search(text, match.end(), match.end() + _REACH) is not None


def _rules_for(text: str) -> Rules:
    """Return the rules that may find a denial in an article, each with those of its stems that stand there at all."""
    lower = text.lower()
    present = {
        name: (pattern, tuple(stem for stem in stems if stem in lower)) for name, (pattern, stems) in _RULES.items()
    }
    return {name: rule for name, rule in present.items() if rule[1]}
