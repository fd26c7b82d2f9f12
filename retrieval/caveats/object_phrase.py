"""A trigger -> what it was that could not be verified, in the outlet's words: the object that scope follows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from retrieval.caveats.inability import Form, Trigger
from retrieval.caveats.nouns import POINTERS
from retrieval.tables import listed
from retrieval.text.tokens import FARTHEST, Tokens

PICTURES = listed("""
    video videos footage clip clips film recording recordings tape tapes audio image images picture pictures photo
    photos photograph photographs post posts message messages tweet tweets letter letters document documents memo
    memos email emails e-mail e-mails transcript transcripts dossier brief leak screenshot screenshots broadcast
""")
_EMPTY = POINTERS | listed("""
    there the a an any of by from in on either both all none neither nor no not other and or to as is was if
    whether that so most some many much one authenticity veracity accuracy truth details detail extent content
    contents identity identities location locations date provenance origin information facts full exact specifics
    material
""")
# What is published for others to look into; of one such thing, an article speaks by turns under several of these names.
SAMPLES = listed("sample samples file files spreadsheet spreadsheets database databases dataset datasets data")
_QUESTIONS = listed("when where how who whether that if")
_ORIGIN = (
    _EMPTY
    | PICTURES
    | SAMPLES
    | _QUESTIONS
    | listed("""
    genuine authentic real true accurate filmed photographed taken shot recorded made written sent posted published
    came come originated obtained first been being have has had were are
""")
)
_IMPLIED = {"filmed": "video", "photographed": "photo", "recorded": "recording"}
_GOING_ON = listed("that whether if who when where which")
_RELATIVES = listed("which who that whose")


@dataclass(frozen=True, slots=True)
class ObjectPhrase:
    """What could not be verified: its words in small letters and as ``spelt``, none where no word of its own names it.

    ``within`` tells that it stands in the same sentence ("a claim CNN could not verify", "unverified footage").
    ``names`` are the capitalised words in it; ``start`` is the place of its first word in the sentence.
    ``origin`` tells that it is where something comes from, or whether it is what it seems; then the words for that
    thing, named before in the sentence, follow its own.
    """

    words: tuple[str, ...]
    spelt: tuple[str, ...]
    names: tuple[str, ...]
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
    names = tuple(word for i, word in enumerate(words) if word[0].isupper() and start + i)
    if within or not _asks_after_origin(lower):
        return ObjectPhrase(lower, words, names, start, within)
    implied = (_IMPLIED[word] for word in lower if word in _IMPLIED)
    added = (*_named_before(line, trigger), *implied)
    return ObjectPhrase((*lower, *added), (*words, *added), names, start, origin=True)


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
