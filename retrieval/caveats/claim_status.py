"""What each sentence rests on, as far as a caveat is concerned: is it somebody's claim, whose, and about what."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from retrieval.caveats import patterns
from retrieval.caveats.cues import FAMILIES, cues
from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from retrieval.model import Attribution, Boilerplate, Denial, Sentence, Span, Voice
from retrieval.text.blocks import Layout
from retrieval.text.terms import long_words, root

_CLAIMANTS = frozenset({Voice.NAMED, Voice.UNNAMED, Voice.MEDIA, Voice.IMPERSONAL, Voice.UNRESOLVED})
_NAME_STEM_LETTERS = 4  # letters: "Iran" and "Iranian" are one
_BARE_WORDS = 3  # words in "the former driver"
_NEAR_SENTENCES = 2  # sentences within which "the group" is the one just named
Attributions = tuple[Attribution | None, ...]
Denials = tuple[Denial | None, ...]
_REPORTS = frozenset({Force.SAYING, Force.CLAUSE})


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """What one sentence rests on.

    ``is_claim``: somebody asserts it. ``reports_speech``: it has a verb of saying, whoever speaks. ``reacts``: it
    answers a claim. ``has_office``: its speaker holds an office. ``families``: the numbers of the ``FAMILIES`` of
    things it names. ``chain``: the number of the run of sentences in which one speaker goes on.
    """

    index: int
    text: str
    voice: Voice
    speaker: str | None
    is_claim: bool
    reports_speech: bool
    is_hearsay: bool
    denies: bool
    reacts: bool
    is_boilerplate: bool
    is_heading: bool
    holds_caveat: bool
    has_office: bool
    stems: frozenset[str]
    families: frozenset[int]
    paragraph: int
    chain: int = 0

    @property
    def is_observed(self) -> bool:
        return self.voice is Voice.OBSERVED

    @property
    def party(self) -> frozenset[str]:
        """The stems of its speaker's party: a ministry and its officials share their country."""
        words = (self.speaker or "").split()
        return stems(" ".join(w for w in words if not (patterns.OFFICE.match(w) or patterns.ANYBODY.match(w))))

    def is_said_by(self, owner: frozenset[str]) -> bool:
        return not owner.isdisjoint(stems(self.speaker or "") | self.party)

    def goes_on_from(self, other: ClaimStatus) -> bool:
        if self.speaker and self.speaker == other.speaker:
            return True
        return bool(self.party & other.party) or _is_again(self, other) or _is_again(other, self)


def _is_again(one: ClaimStatus, other: ClaimStatus) -> bool:
    """Match "the drivers" after "two drivers", and "the group" right after its name."""
    words, before = (one.speaker or "").lower().split(), (other.speaker or "").lower().split()
    if not before or not words or words[0] not in cues.pointing or len(words) > _BARE_WORDS:
        return False
    if words[-1].rstrip("s") in {word.rstrip("s") for word in before}:
        return True
    is_near = 0 < one.index - other.index <= _NEAR_SENTENCES
    return is_near and words[:-1] == ["the"] and words[-1] in cues.second_mentions


def stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of ``text``, in lower case."""
    words = [word for word in long_words(text) if word.lower() not in cues.common_words]
    names = (word[:_NAME_STEM_LETTERS].lower() for word in words if word[0].isupper())
    return frozenset((*map(root, words), *names))


def claim_statuses(
    layout: Layout, attributions: Attributions, denials: Denials, holding: frozenset[int]
) -> tuple[ClaimStatus, ...]:
    """Return the status of each sentence; ``holding`` are the indexes of those with a caveat."""
    statuses = [_status_of(layout, s, attributions[s.index], denials[s.index], holding) for s in layout.sentences]
    roles = ((m.name, m.role.of(layout.article.text)) for m in chain.from_iterable(layout.mentions) if m.role)
    holders = {name for name, role in roles if patterns.OFFICE.search(role)}
    return tuple(_chained([replace(f, has_office=f.has_office or f.speaker in holders) for f in statuses]))


def is_quoted(layout: Layout, span: Span) -> bool:
    opened = bisect_right(layout.quotations, span.start, key=lambda quotation: quotation.span.start)
    return opened > 0 and layout.quotations[opened - 1].span.contains(span)


def families_in(words: tuple[str, ...]) -> frozenset[int]:
    """Return the numbers of the families of things among ``words``."""
    singular = {word for each in words for word in (each, each.removesuffix("s"))}
    return frozenset(number for number, family in enumerate(FAMILIES) if not singular.isdisjoint(family))


def _status_of(
    layout: Layout, sentence: Sentence, attribution: Attribution | None, denial: Denial | None, holding: frozenset[int]
) -> ClaimStatus:
    text = layout.text(sentence)
    line = layout.tokens.sentences[sentence.index]
    quoted = is_quoted(layout, sentence.span)
    own_words = "" if quoted else patterns.QUOTED.sub(" ", text)
    claiming = patterns.asserts(own_words)
    voice = attribution.voice if attribution else Voice.OUTLET
    return ClaimStatus(
        index=sentence.index,
        text=text,
        voice=voice,
        speaker=attribution.speaker if attribution else None,
        is_claim=(voice in _CLAIMANTS or claiming or quoted) and voice is not Voice.OBSERVED,
        reports_speech=_reports(own_words),
        is_hearsay=patterns.HEARSAY.search(own_words) is not None,
        denies=denial is not None,
        reacts=denial is not None or (not claiming and patterns.REACTING.search(own_words) is not None),
        is_boilerplate=sentence.boilerplate is not None,
        is_heading=sentence.boilerplate is Boilerplate.HEADING,
        holds_caveat=sentence.index in holding,
        has_office=attribution is not None and patterns.OFFICE.search(attribution.speaker or "") is not None,
        stems=stems(text),
        families=families_in(layout.tokens.lower[line.start : line.stop]),
        paragraph=sentence.paragraph,
    )


def _reports(own_words: str) -> bool:
    lower = own_words.lower()
    found = (VERBS.get(word) for word in re.findall(r"[a-z]+", lower))
    said = any(verb.force in _REPORTS and verb.form is not Form.BASE for verb in found if verb)
    return said or " according to " in lower


def _chained(statuses: list[ClaimStatus]) -> list[ClaimStatus]:
    """Set the chains: a speaker goes on where a quotation, or "he", follows."""
    spoken = [status for status in statuses if not status.is_boilerplate]
    starts = {b.index for a, b in pairwise(spoken) if not (b.goes_on_from(a) or _follows(a, b))}
    numbered, number = [], 0
    for status in statuses:
        number += status.index in starts
        numbered.append(replace(status, chain=number))
    return numbered


def _follows(before: ClaimStatus, after: ClaimStatus) -> bool:
    if not before.is_claim or after.denies or after.speaker is not None:
        return False
    if after.voice is Voice.UNRESOLVED:
        return True
    return after.voice is Voice.OUTLET and patterns.OF_PEOPLE.match(after.text) is not None
