"""What each sentence rests on, as far as a caveat is concerned: is it somebody's claim, whose, and about what."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.caveats import patterns
from retrieval.caveats.nouns import FAMILIES
from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from retrieval.lexicon.word_classes import classes
from retrieval.model import Attribution, Boilerplate, Denial, Sentence, Span, Voice
from retrieval.text.blocks import Layout
from retrieval.text.terms import long_words, root

_COMMON = (
    classes("determiners", "pronouns", "clause_words", "auxiliaries", "prepositions", "conjunctions", "there")
    | classes("additive_adverbs", "focus_adverbs")
    | {"said", "says"}
    | {"told", "saying"}
)
_CLAIMANTS = frozenset({Voice.NAMED, Voice.UNNAMED, Voice.MEDIA, Voice.IMPERSONAL, Voice.UNRESOLVED})
_NAME_STEM = 4  # letters: "Iran" and "Iranian" are one
_BARE = 3  # words in "the former driver"
_NEAR = 2  # sentences within which "the group" is the one just named
_POINTING = (classes("possessives") - {"their"}) | {"the"}
# What somebody with a name is called the next time.
_AGAIN = (
    classes("spokespeople", "women", "men", "onlookers", "partisans", "writers", "outlets", "reports", "organizations")
    | {"group", "activists", "official"}
    | {"ministry", "agency"}
    | {"statement", "post"}
)
_REPORTS = frozenset({Force.SAYING, Force.CLAUSE})


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """What one sentence rests on.

    ``claim``: somebody asserts it; ``reports``: its verbs tell of saying, whoever speaks; ``reacts``: it answers a
    claim, ``denies`` by denying; ``office``: its speaker holds one. ``aside``: boilerplate that a reader passes over.
    ``families`` are the numbers of the ``FAMILIES`` of things it names. ``chain`` numbers the runs of sentences in
    which one speaker goes on.
    """

    index: int
    text: str
    lower: tuple[str, ...]
    voice: Voice
    speaker: str | None
    quotation: int | None
    claim: bool
    reports: bool
    hearsay: bool
    denies: bool
    reacts: bool
    aside: bool
    heading: bool
    holds_caveat: bool
    office: bool
    stems: frozenset[str]
    families: frozenset[int]
    chain: int = 0

    @property
    def observed(self) -> bool:
        """Whether it rests on a reporter's own eyes."""
        return self.voice is Voice.OBSERVED

    @property
    def party(self) -> frozenset[str]:
        """The beginnings of the words that tell its speaker's party: the country of a ministry and of its officials."""
        words = (self.speaker or "").split()
        return stems(" ".join(w for w in words if not (patterns.OFFICE.match(w) or patterns.ANYBODY.match(w))))

    def is_said_by(self, owner: frozenset[str]) -> bool:
        """Return whether its speaker is the one whose name has the stems ``owner``."""
        return not owner.isdisjoint(stems(self.speaker or "") | self.party)

    def goes_on_from(self, other: ClaimStatus) -> bool:
        """Return whether both have one speaker, or speak for one party."""
        if self.speaker and self.speaker == other.speaker:
            return True
        return bool(self.party & other.party) or _is_again(self, other) or _is_again(other, self)


def _is_again(one: ClaimStatus, other: ClaimStatus) -> bool:
    """Tell that "the drivers" of ``one`` are the "two drivers", and "the group" the one just named, of ``other``."""
    words, before = (one.speaker or "").lower().split(), (other.speaker or "").lower().split()
    if not before or not words or words[0] not in _POINTING or len(words) > _BARE:
        return False
    if words[-1].rstrip("s") in {word.rstrip("s") for word in before}:
        return True
    return words[:-1] == ["the"] and words[-1] in _AGAIN and 0 < one.index - other.index <= _NEAR


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words of ``text``, in small letters."""
    words = [word for word in long_words(text) if word.lower() not in _COMMON]
    names = (word[:_NAME_STEM].lower() for word in words if word[0].isupper())
    return frozenset((*map(root, words), *names))


def claim_statuses(
    layout: Layout,
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
    holding: frozenset[int],
) -> tuple[ClaimStatus, ...]:
    """Return what each sentence of an article rests on, in order; ``holding`` are those that hold a caveat."""
    alone = [_status_of(layout, s, attributions[s.index], denials[s.index], holding) for s in layout.sentences]
    holders = _office_holders(layout)
    return tuple(_chained([replace(f, office=f.office or f.speaker in holders) for f in alone]))


def _office_holders(layout: Layout) -> frozenset[str]:
    """Return the names of those whom the article gives an office."""
    text = layout.article.text
    given = (mention for found in layout.mentions for mention in found if mention.role)
    return frozenset(m.name for m in given if m.role and patterns.OFFICE.search(m.role.of(text)))


def is_quoted(layout: Layout, span: Span) -> bool:
    """Return whether all of ``span`` stands in quotation marks."""
    opened = bisect_right(layout.quotations, span.start, key=lambda quotation: quotation.span.start)
    return opened > 0 and layout.quotations[opened - 1].span.contains(span)


def named(words: tuple[str, ...]) -> frozenset[int]:
    """Return the numbers of the families of things that are among ``words``."""
    singular = {word for each in words for word in (each, each.removesuffix("s"))}
    return frozenset(number for number, family in enumerate(FAMILIES) if not singular.isdisjoint(family))


def _status_of(
    layout: Layout,
    sentence: Sentence,
    attribution: Attribution | None,
    denial: Denial | None,
    holding: frozenset[int],
) -> ClaimStatus:
    text = layout.text(sentence)
    line = layout.tokens.sentences[sentence.index]
    lower = layout.tokens.lower[line.start : line.stop]
    quoted = is_quoted(layout, sentence.span)
    own_words = "" if quoted else patterns.QUOTED.sub(" ", text)
    claiming = patterns.asserts(own_words)
    voice = attribution.voice if attribution else Voice.OUTLET
    return ClaimStatus(
        index=sentence.index,
        text=text,
        lower=lower,
        voice=voice,
        speaker=attribution.speaker if attribution else None,
        quotation=sentence.quotation,
        claim=(voice in _CLAIMANTS or claiming or quoted) and voice is not Voice.OBSERVED,
        reports=_reports(own_words),
        hearsay=patterns.HEARSAY.search(own_words) is not None,
        denies=denial is not None,
        reacts=denial is not None or (not claiming and patterns.REACTING.search(own_words) is not None),
        aside=sentence.boilerplate is not None,
        heading=sentence.boilerplate is Boilerplate.HEADING,
        holds_caveat=sentence.index in holding,
        office=attribution is not None and patterns.OFFICE.search(attribution.speaker or "") is not None,
        stems=stems(text),
        families=named(lower),
    )


def _reports(own_words: str) -> bool:
    """Return whether a verb of saying stands in the outlet's own words, whoever its subject is."""
    lower = own_words.lower()
    found = (VERBS.get(word) for word in re.findall(r"[a-z]+", lower))
    said = any(verb.force in _REPORTS and verb.form is not Form.BASE for verb in found if verb)
    return said or " according to " in lower


def _chained(alone: list[ClaimStatus]) -> list[ClaimStatus]:
    """Return the sentences with their chains: a speaker goes on where a quotation, or "he", follows with no other."""
    spoken = [status for status in alone if not status.aside]
    starts = {b.index for a, b in pairwise(spoken) if not (b.goes_on_from(a) or _follows(a, b))}
    numbered, number = [], 0
    for status in alone:
        number += status.index in starts
        numbered.append(replace(status, chain=number))
    return numbered


def _follows(before: ClaimStatus, after: ClaimStatus) -> bool:
    if not before.claim or after.denies or after.speaker is not None:
        return False
    if after.voice is Voice.UNRESOLVED:
        return True
    return after.voice is Voice.OUTLET and patterns.OF_PEOPLE.match(after.text) is not None
