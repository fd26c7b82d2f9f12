"""A sentence -> the words in it that may be an outlet's caveat, each with what is seen of it.

``features`` feed two judgements with learned weights: whether it is an outlet's caveat (``finding.toml``), and whether
it is about its own sentence (``inside.toml``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.caveat_object import ObjectKind, ObjectPhrase, kind_of_object, named_thing, object_phrase_of
from retrieval.caveats.caveat_source import Inability, source_of
from retrieval.caveats.claim_status import is_quoted
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import Trigger, Wording, find_triggers
from retrieval.model import Attribution, Sentence
from retrieval.press.outlets import Press
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_MAX_TRIGGERS = 20  # in one sentence; a caveat behind more of them is no news copy
_NEAR_WORDS = 4
_OBJECT_WORDS = 12
_NOUNS = {
    "pictures": cues.pictures,
    "figures": cues.figures,
    "accounts": cues.accounts,
    "claims": cues.claims,
    "claim": cues.claim,
    "reports": cues.reports,
    "truth": cues.truth,
    "business": cues.business,
    "news_nouns": cues.news_nouns,
    "stated": cues.stated,
    "people": cues.people,
    "pointers": cues.pointers,
    "first_persons": cues.first_persons,
    "evidence": cues.evidence,
    "particulars": cues.particulars,
    "conditions": cues.conditions,
    "conceding": cues.conceding,
}


@dataclass(frozen=True)
class Candidate:
    """Words that may be a caveat; ``inability`` is None where somebody else's, no newsroom's, is spoken of."""

    sentence: Sentence
    line: Tokens
    trigger: Trigger
    inability: Inability | None
    phrase: ObjectPhrase
    said: Attribution | None
    is_quoted: bool
    is_by_reporter: bool

    @cached_property
    def features(self) -> dict[str, float]:
        return dict.fromkeys(filter(None, self._seen()), 1.0)

    def _seen(self) -> Iterator[str]:
        """Yield what is seen, by name; "" for what is not."""
        yield from self._whose()
        yield from self._around()
        yield from self._about()
        yield from (f"not news: {name}" for name, is_seen in self._no_news() if is_seen)

    def _whose(self) -> Iterator[str]:
        whose = _whose(self.inability)
        yield f"whose: {whose}"
        yield f"{self.trigger.form} of {whose}"
        yield f"quoted of {whose}" if self.is_quoted else ""
        yield "quoted" if self.is_quoted else ""
        yield "in marks" if self.line.is_quoted(self.trigger.start) else ""
        yield "reporter speaks" if self.is_by_reporter else ""
        yield f"voice: {self.said.voice}" if self.said else ""

    def _around(self) -> Iterator[str]:
        line, trigger = self.line, self.trigger
        words = [_without_name(line, i) for i in range(len(line))]
        yield f"form: {trigger.form}"
        yield f"rule: {trigger.rule}"
        yield from (f"says {word}" for word in line.lower[trigger.start : trigger.end])
        yield from (f"right before: {word}" for word in words[max(0, trigger.start - 1) : trigger.start])
        yield from (f"right after: {word}" for word in words[trigger.end : trigger.end + 1])
        yield from (f"before: {word}" for word in words[max(0, trigger.start - _NEAR_WORDS) : trigger.start])
        yield from (f"after: {word}" for word in words[trigger.end : trigger.end + _NEAR_WORDS])
        yield f"clause after: {line.word(line.clause_start(trigger.start) - 1)}"
        yield "first words" if trigger.start <= 2 else ""  # noqa: PLR2004 - "But it", "This could"
        yield "last words" if trigger.end >= len(line) - 3 else ""
        yield "boilerplate" if self.sentence.boilerplate is not None else ""

    def _about(self) -> Iterator[str]:
        line, trigger = self.line, self.trigger
        before, after = " ".join(line.words[: trigger.start]), " ".join(line.words[trigger.end :])
        clause = line.lower[line.clause_start(trigger.start) : trigger.start]
        yield f"object: {self.object_kind}"
        yield f"object: {self.object_kind}, {trigger.form}"
        yield "object in the sentence" if self.phrase.within else ""
        for name, nouns in _NOUNS.items():
            yield f"object has {name}" if not nouns.isdisjoint(self.phrase.words[:_OBJECT_WORDS]) else ""
            yield f"clause has {name}" if not nouns.isdisjoint(clause) else ""
        yield "office in the clause" if patterns.OFFICE.search(" ".join(clause)) else ""
        yield "asserts before" if patterns.asserts(before) else ""
        yield "asserts after" if patterns.asserts(after) else ""
        yield "hearsay before" if patterns.HEARSAY.search(before) else ""
        yield "hearsay after" if patterns.HEARSAY.search(after) else ""
        yield "opinion before" if patterns.OPINION.search(before) else ""
        yield "if true" if patterns.IF_TRUE.search(" ".join(line.words)) else ""
        yield "question" if "?" in line.words[trigger.end :] else ""

    def _no_news(self) -> Iterator[tuple[str, bool]]:
        """Yield signs that no newsroom tried to find something out: an office's business, a plan, a person's post."""
        line, trigger = self.line, self.trigger
        start = line.clause_start(trigger.start)
        said, subject = frozenset(line.lower[trigger.start : trigger.end + 1]), line.lower[start : trigger.start]
        attributive, passive = (trigger.form is form for form in (Wording.ATTRIBUTIVE, Wording.PASSIVE))
        about = subject if passive else line.lower[trigger.end : trigger.end + _NEAR_WORDS]
        following = line.lower[trigger.end : trigger.end + _NEAR_WORDS]
        yield "thing", attributive and named_thing(line, trigger, cues.news_nouns) is None
        yield "account with no tick", attributive and any(word.startswith("account") for word in following)
        yield "formerly", line.word(trigger.start - 1) in cues.no_longer
        yield "will", not cues.willing.isdisjoint(said) and "independently" not in said
        yield "or deny", not cues.denying.isdisjoint((*said, *following))
        yield "officially", not cues.officially.isdisjoint(line.lower[max(0, trigger.start - 1) : trigger.end + 2])
        yield "business", not cues.business.isdisjoint(about) and cues.not_business.isdisjoint(about)
        opening = (line.word(start - 1), line.word(start))
        yield "condition", not attributive and not cues.conditions.isdisjoint(opening)
        yield "a person", passive and bool(cues.people & set(subject[-1:]))
        yield "a post", line.word(trigger.end - 1) == "confirmation" and line.word(trigger.end - 2) in cues.possessives
        settled = passive and "confirmed" in said and said.isdisjoint(cues.finding_out)
        yield "a plan", settled and bool(subject) and cues.stated.isdisjoint(subject)
        yield "a rule", trigger.rule == "lacking" and not any(word.startswith("independent") for word in said)
        yield "somebody told", trigger.rule == "unverified" and line.word(start - 1) == "that"

    @property
    def object_kind(self) -> ObjectKind:
        return kind_of_object(self.phrase)


def _without_name(line: Tokens, i: int) -> str:
    """Return the word, or "Name" where it is a name: what a name stands beside may count, not which it is."""
    is_name = line.words[i][:1].isupper() and line.lower[i] not in cues.common_words
    return "Name" if is_name else line.lower[i]


def _whose(inability: Inability | None) -> str:
    if inability is None:
        return "somebody"
    if inability.relayed:
        return "another outlet"
    return "an outlet" if inability.verifier else "nobody"


def candidates(layout: Layout, sentence: Sentence, press: Press, said: Attribution | None) -> Iterator[Candidate]:
    line = layout.tokens.window(layout.tokens.sentences[sentence.index])
    is_by_reporter = said is not None and said.speaker in press.reporters
    for trigger in islice(find_triggers(line), _MAX_TRIGGERS):
        inability = source_of(line, trigger, press) or (Inability(press.source) if is_by_reporter else None)
        quoted = is_quoted(layout, line.span(trigger.start, trigger.end))
        phrase = object_phrase_of(line, trigger)
        yield Candidate(sentence, line, trigger, inability, phrase, said, quoted, is_by_reporter)
