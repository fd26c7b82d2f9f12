"""What could not be verified: the phrase for it, and its place in the sentence."""

from dataclasses import dataclass
from itertools import islice

from retrieval.caveats import patterns
from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import Trigger, Wording
from retrieval.text.tokens import FARTHEST, Tokens

_IMPLIED = {"filmed": "video", "photographed": "photo", "recorded": "recording"}
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


@dataclass(frozen=True, slots=True)
class CaveatObject:
    """What could not be verified: its ``words`` in lower case; none where it has none of its own.

    ``start`` is the index of its first word. ``within``: it is in the same sentence ("a claim CNN could not verify",
    "unverified footage"). ``origin``: it is where a thing comes from, or whether it is genuine; the words for that
    thing, named before in the sentence, then follow. ``general``: a remark on reporting in general, no single failure.
    """

    words: tuple[str, ...]
    start: int
    within: bool
    origin: bool
    general: bool

    def speaks_of(self, nouns: frozenset[str]) -> bool:
        return not nouns.isdisjoint(self.words)


def caveat_object_of(line: Tokens, trigger: Trigger) -> CaveatObject:
    start, end, within = _place(line, trigger)
    words = line.lower[start:end]
    # "that it is genuine", "when it was filmed", "where the data came from"
    origin = not within and cues.origin.issuperset(words) and not cues.questions.isdisjoint(words[:1])
    if origin:  # the thing named before: "has seen the email but could not verify that it …"
        things = cues.pictures | cues.samples
        named = (line.lower[i] for i in line.before(trigger.start, FARTHEST) if line.lower[i] in things)
        words = (*words, *islice(named, 1), *(_IMPLIED[word] for word in words if word in _IMPLIED))
    text = " ".join(line.words)
    said = line.lower[max(0, trigger.start - _TENSE_WORDS) : trigger.end + 1]
    is_restricted = all(pattern.search(text) for pattern in (patterns.PRESS_ACCESS, patterns.RESTRICTING))
    is_past = not {"could", "was", "has", "have"}.isdisjoint(said)
    general = not cues.often.isdisjoint((*words, *said)) or (is_restricted and not is_past)
    return CaveatObject(words, start, within, origin, general)
