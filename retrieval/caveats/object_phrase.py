"""A trigger -> what it was that could not be verified, in the outlet's words: the object that scope follows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from retrieval.caveats.inability import Form, Trigger
from retrieval.caveats.nouns import POINTERS
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.text.tokens import FARTHEST, Tokens

PICTURES = (
    nouns("videos", "images", "sounds", "messages", "documents") - frozenset("text texts voice voices".split())
) | {"post", "posts"}
_EMPTY = (
    POINTERS
    | classes("articles", "quantifiers", "distributives", "duals", "nones", "alternatives", "degrees")
    | classes("basic_prepositions", "truth", "identifying_particulars", "other_particulars", "there", "so", "whether")
    | classes("coordinators", "negations", "as_conjunctions")
    | {"is", "was", "one"}
    | frozenset("details identities locations facts full exact specifics material".split())
    | {"information"}
)
# What is published for others to look into; of one such thing, an article speaks by turns under several of these names.
SAMPLES = nouns("datasets")
_QUESTIONS = (classes("interrogatives", "whether") - {"what", "why"}) | {"who", "that"}
_ORIGIN = (
    _EMPTY
    | PICTURES
    | SAMPLES
    | _QUESTIONS
    | classes("true", "forms_of_have", "forms_of_be", "issuing_verbs")
    | frozenset("real accurate filmed photographed taken shot recorded written posted came come originated".split())
    | {"first", "obtained"}
)
_IMPLIED = {"filmed": "video", "photographed": "photo", "recorded": "recording"}
_GOING_ON = (classes("interrogatives", "whether") - {"what", "why", "how"}) | {"that", "who", "which"}
_BEHIND_NOUN = classes("basic_prepositions", "particle_prepositions", "other_prepositions", "relatives", "auxiliaries")
_JOINING = classes("coordinators")
_LONGEST_NOUN = 6  # words of a noun phrase
_RELATIVES = (classes("relatives") - {"whom"}) | {"that"}


@dataclass(frozen=True, slots=True)
class ObjectPhrase:
    """What could not be verified: its words in small letters and as ``spelt``, none where no word of its own names it.

    ``within`` tells that it stands in the same sentence ("a claim CNN could not verify", "unverified footage").
    ``start`` is the place of its first word in the sentence.
    ``origin`` tells that it is where something comes from, or whether it is what it seems; then the words for that
    thing, named before in the sentence, follow its own.
    """

    words: tuple[str, ...]
    spelt: tuple[str, ...]
    start: int
    within: bool = False
    origin: bool = False

    def speaks_of(self, nouns: frozenset[str]) -> bool:
        """Return whether one of ``nouns`` is among the words."""
        return not nouns.isdisjoint(self.words)

    @property
    def content(self) -> tuple[str, ...]:
        """The words that tell what it is about."""
        empty = _ORIGIN if self.origin else _EMPTY
        return tuple(word for word in self.words if word.isalpha() and word not in empty)


def object_phrase_of(line: Tokens, trigger: Trigger) -> ObjectPhrase:
    """Return what ``trigger`` says could not be verified."""
    start, end, within = _place(line, trigger)
    words, lower = line.words[start:end], line.lower[start:end]
    if within or not _asks_after_origin(lower):
        return ObjectPhrase(lower, words, start, within)
    implied = (_IMPLIED[word] for word in lower if word in _IMPLIED)
    added = (*_named_before(line, trigger), *implied)
    return ObjectPhrase((*lower, *added), (*words, *added), start, origin=True)


def told_thing(line: Tokens, trigger: Trigger, things: frozenset[str]) -> int | None:
    """Return where the last of ``things`` stands in the noun phrase that "unverified" opens, if one does."""
    found = None
    for i in range(trigger.end, min(len(line), trigger.end + _LONGEST_NOUN)):
        if line.lower[i] in _BEHIND_NOUN or (i > trigger.end and line.breaks(i) and line.lower[i] not in _JOINING):
            break
        if line.lower[i] in things:
            found = i
    return found


def _asks_after_origin(words: tuple[str, ...]) -> bool:
    """Tell "that it is genuine", "when it was filmed", "where the data came from"."""
    return bool(words) and words[0] in _QUESTIONS and _ORIGIN.issuperset(words)


def _named_before(line: Tokens, trigger: Trigger) -> tuple[str, ...]:
    """Return the word for what the sentence named before: "has seen the email but could not verify that it …"."""
    things = (line.lower[i] for i in line.before(trigger.start, FARTHEST))
    return tuple(islice((word for word in things if word in PICTURES or word in SAMPLES), 1))


def _place(line: Tokens, trigger: Trigger) -> tuple[int, int, bool]:
    if trigger.form is Form.ATTRIBUTIVE:
        return trigger.end, min(trigger.end + 3, len(line)), True
    if trigger.form is Form.PASSIVE or trigger.rule == "negative subject":
        return _subject(line, trigger)
    start, end = trigger.end, _phrase_end(line, trigger.end)
    if start < end:
        return start, end, False
    return _subject(line, trigger) if trigger.form is Form.IMPERSONAL else _antecedent(line, trigger)


def _phrase_end(line: Tokens, start: int) -> int:
    """Return where an object from ``start`` ends; "that" and "who" go on with it, and are no end."""
    end = line.clause_end(start)
    while end < len(line) and line.lower[end] in _GOING_ON:
        end = line.clause_end(end + 1)
    return end


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
    """Return the words before the relative clause, or the apposition, that the trigger stands in."""
    end = line.clause_start(trigger.start)
    while end > 0 and (line.breaks(end - 1) or line.lower[end - 1] in _RELATIVES):
        end -= 1
    start = line.clause_start(end)
    if start < end:
        return start, end, True
    return line.clause_start(trigger.start), trigger.start, trigger.end < len(line) - 1
