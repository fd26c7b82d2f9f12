"""What could not be verified: the phrase for it, its kind, whose it is and what it is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.claim_status import families_in, stems
from retrieval.caveats.cues import FAMILIES, SPEECH_ENDINGS, cues
from retrieval.caveats.triggers import Trigger, Wording
from retrieval.text.terms import root
from retrieval.text.tokens import FARTHEST, Tokens

_IMPLIED = {"filmed": "video", "photographed": "photo", "recorded": "recording"}
_NAMES = frozenset((*cues.claims, *cues.claim, *cues.accounts, *cues.figures, *cues.reports)) | {
    form for family in FAMILIES for noun in family for form in (noun, f"{noun}s")
}
_NAME_STEMS = frozenset(map(root, _NAMES))
_MOST_POSSESSIVES = 2
_OWNER_WORDS = 8  # words behind "by" that may be the name of an owner
_TENSE_WORDS = 3  # before a trigger, which show its tense


def _place(line: Tokens, trigger: Trigger) -> tuple[int, int, bool]:
    if trigger.form is Wording.ATTRIBUTIVE:
        return trigger.end, min(trigger.end + 3, len(line)), True
    if trigger.form is Wording.PASSIVE or (trigger.rule == "negative subject" and trigger.form is not Wording.ACTIVE):
        return _subject(line, trigger)
    start, end = trigger.end, line.clause_end(trigger.end)
    while end < len(line) and line.lower[end] in cues.object_clause_openers:  # it goes on behind "that" and "who"
        end = line.clause_end(end + 1)
    if start < end:
        return start, end, False
    return _subject(line, trigger) if trigger.form is Wording.IMPERSONAL else _antecedent(line, trigger)


def _subject(line: Tokens, trigger: Trigger) -> tuple[int, int, bool]:
    start, end = line.clause_start(trigger.start), trigger.start
    opener = line.lower[start - 1] if start else ""
    if start < end:
        return start, end, line.lower[start] == "whose" or (opener == "that" and start > 1)
    if opener == "," and trigger.rule != "unverified" and line.lower[trigger.start] != "not":
        comma = max((i for i in range(start - 1) if line.lower[i] == ","), default=start - 1)
        return line.clause_start(comma), comma, False
    return _antecedent(line, trigger)


def _antecedent(line: Tokens, trigger: Trigger) -> tuple[int, int, bool]:
    """Return the words before the relative clause, or the apposition, of the trigger."""
    end = line.clause_start(trigger.start)
    while end > 0 and (line.breaks(end - 1) or line.lower[end - 1] in cues.relatives):
        end -= 1
    start = line.clause_start(end)
    if start < end:
        return start, end, True
    return line.clause_start(trigger.start), trigger.start, trigger.end < len(line) - 1


class ObjectKind(StrEnum):
    """What kind of thing could not be verified: each has weights of its own."""

    WITHIN = "within"  # what the same sentence says
    FIGURE = "figure"
    THING = "thing"  # a video, a letter, a set of data
    PEOPLE = "people"  # what people say of themselves
    CLAIMS = "claims"
    CLAIM = "claim"
    POINT = "point"  # "this", "it", and no noun
    FACT = "fact"  # "whether he fled", and every noun of no other class


@dataclass(frozen=True, slots=True)
class CaveatObject:
    """What could not be verified: its ``words`` in lower case; none where it has none of its own.

    ``start`` is the index of its first word. ``within``: it is in the same sentence ("a claim CNN could not verify",
    "unverified footage"). ``origin``: it is where a thing comes from, or whether it is genuine; the words for that
    thing, named before in the sentence, then follow. ``owner`` and ``topic`` are stems: of the owner's name, of what it
    is about; ``families`` the numbers of the ``FAMILIES`` of things it names. ``often``, ``access_restricted`` and
    ``past`` tell a general remark from a failure.
    """

    words: tuple[str, ...]
    start: int
    within: bool
    origin: bool
    kind: ObjectKind
    owner: frozenset[str]
    topic: frozenset[str]
    sentence: frozenset[str]
    families: frozenset[int]
    often: bool
    access_restricted: bool
    past: bool

    def speaks_of(self, nouns: frozenset[str]) -> bool:
        return not nouns.isdisjoint(self.words)

    @property
    def plural(self) -> bool:
        """Whether the claims of several people may be meant."""
        if self.owner or (self.words[:1] and self.words[0] in cues.possessives):
            return False
        several = any(word.endswith("s") for word in self.words if word in _NAMES)
        of_several = self.kind in (ObjectKind.CLAIMS, ObjectKind.PEOPLE)
        return several or of_several or self.speaks_of(cues.several)

    @property
    def sides(self) -> bool:
        return self.speaks_of(cues.sides)

    @property
    def echo(self) -> frozenset[str]:
        return frozenset(root(word) for word in self.words if word in _NAMES and not families_in((word,)))


def caveat_object_of(line: Tokens, trigger: Trigger) -> CaveatObject:
    start, end, within = _place(line, trigger)
    words, spelt = line.lower[start:end], line.words[start:end]
    # "that it is genuine", "when it was filmed", "where the data came from"
    origin = not within and cues.origin.issuperset(words) and not cues.questions.isdisjoint(words[:1])
    if origin:  # the thing named before: "has seen the email but could not verify that it …"
        things = cues.pictures | cues.samples
        named = (line.lower[i] for i in line.before(trigger.start, FARTHEST) if line.lower[i] in things)
        added = (*islice(named, 1), *(_IMPLIED[word] for word in words if word in _IMPLIED))
        words, spelt = (*words, *added), (*spelt, *added)
    text = " ".join(line.words)
    said = line.lower[max(0, trigger.start - _TENSE_WORDS) : trigger.end + 1]
    owner, topic = _owner_and_topic(spelt, words)
    families = families_in(words)
    return CaveatObject(
        words,
        start,
        within,
        origin,
        kind=ObjectKind.WITHIN if within else _kind(words, families, origin=origin),
        owner=owner,
        topic=topic,
        sentence=stems(text),
        families=families,
        often=not cues.often.isdisjoint((*words, *said)),
        access_restricted=all(each.search(text) for each in (patterns.PRESS_ACCESS, patterns.RESTRICTING)),
        past=not {"could", "was", "has", "have"}.isdisjoint(said),
    )


def _kind(words: tuple[str, ...], families: frozenset[int], *, origin: bool) -> ObjectKind:
    known = frozenset(words)
    if known & cues.figures and not known & {"detail", "details"}:
        return ObjectKind.FIGURE
    if families and not known & (cues.claims | cues.claim | cues.accounts):
        return ObjectKind.THING
    if known & cues.accounts:
        return ObjectKind.PEOPLE
    if known & (cues.claims | cues.claim):
        return ObjectKind.CLAIMS if known & cues.claims else ObjectKind.CLAIM
    empty = cues.origin if origin else cues.empty_of_thing
    if not any(word.isalpha() and word not in empty for word in words):
        return ObjectKind.POINT
    head = _head(words)
    if head.endswith(SPEECH_ENDINGS):
        return ObjectKind.CLAIM
    return ObjectKind.CLAIMS if head.endswith(tuple(f"{ending}s" for ending in SPEECH_ENDINGS)) else ObjectKind.FACT


def _head(words: tuple[str, ...]) -> str:
    head = ""
    for word in words:
        if word in cues.prepositions and head:
            break
        if word.isalpha() and word not in cues.empty:
            head = word
    return head


def _owner_and_topic(spelt: tuple[str, ...], words: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    owning = _possessors(words) or _behind_preposition(spelt, words) or _modifiers(spelt, words)
    owner = " ".join(spelt[i] for i in sorted(owning) if words[i] not in cues.anybody)
    rest = (i for i in range(len(words)) if i not in owning)
    topic = " ".join(spelt[i] for i in rest if words[i] not in cues.empty | _NAMES and words[i].isalpha())
    return stems(owner) - _NAME_STEMS, stems(topic)


def _possessors(words: tuple[str, ...]) -> frozenset[int]:
    """Return the places of the owners in "the ministry's figures", "A's and B's accounts"."""
    found: set[int] = set()
    for mark in [i for i, word in enumerate(words) if _is_possessive(words, i)][:_MOST_POSSESSIVES]:
        for i in range(mark - 1, -1, -1):
            if words[i] in {"and", "or"} and i != mark - 1:
                continue
            if words[i] in cues.possessor_stops or words[i] in _NAMES:
                break
            found.add(i)
    return frozenset(found)


def _is_possessive(words: tuple[str, ...], i: int) -> bool:
    return words[i] in {"'s", "’s"} or (words[i] in {"'", "’"} and i > 0 and words[i - 1].endswith("s"))


def _behind_preposition(spelt: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Return the places of the owner behind "by", "from" and "of"."""
    found: set[int] = set()
    for at, word in enumerate(words[1:], 1):
        if word not in {"by", "from", "of", "between"}:
            continue
        places = [i for i in range(at + 1, min(len(words), at + _OWNER_WORDS)) if words[i] not in cues.owner_openers]
        if not places or not _is_owner(spelt, words, places[0], at):
            continue
        end = next((n for n, i in enumerate(places) if words[i] in cues.owner_ends), len(places))
        found.update(places[:end])
    return frozenset(found)


def _is_owner(spelt: tuple[str, ...], words: tuple[str, ...], i: int, at: int) -> bool:
    """Tell "by the rebels", "of the group" from "of fighting", and "accounts from Ann Lee" from "events in Libya"."""
    is_name = spelt[i][0].isupper()
    if words[at] == "of":
        return is_name or words[i] in cues.bodies
    return words[at] != "from" or not is_name or words[i] in cues.bodies or not _NAMES.isdisjoint(words[:at])


def _modifiers(spelt: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Return the place of the name in "the Russian claim", "the Lantern report"."""
    near = (i for i, word in enumerate(spelt[:-1]) if word[0].isupper() and words[i] not in cues.empty)
    return frozenset(i for i in near if not _NAMES.isdisjoint(words[i + 1 : i + 4]))
