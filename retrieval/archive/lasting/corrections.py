"""Two versions of an article -> which sentences of the later one stand in the place of others, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from rapidfuzz import fuzz

from retrieval.model import Reading

LIKE = 50.0  # percent of its letters that a sentence shares with the one that it was changed to

Days = Mapping[str, str]  # the index of a sentence, and the day on which it was changed; both as JSON has them


def corrections(before: Reading, days: Days, after: Reading, day: str) -> Days:
    """Return the sentences of ``after`` that were changed: on ``day``, or earlier and left as they were.

    ``days`` are those of ``before``. A sentence that was only added corrects nothing.
    """
    one, other = _sentences(before), _sentences(after)
    found: dict[str, str] = {}
    for change, start, _, first, last in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for place in range(first, last):
            if change == "replace":
                found[str(place)] = day
            elif change == "equal" and (since := days.get(str(start + place - first))):
                found[str(place)] = since
    return found


def counterpart(before: Reading, index: int, after: Reading) -> int | None:
    """Return the index in ``after`` of what stands there for a sentence of ``before``; None where nothing does.

    That is the same sentence, wherever it stands now, or else the likest of those that took its place.
    """
    one, other = _sentences(before), _sentences(after)
    same = [place for place, words in enumerate(other) if words == one[index]]
    if same:
        return min(same, key=lambda place: abs(place - index))
    for change, start, end, first, last in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if change == "replace" and start <= index < end:
            likeness = {place: fuzz.ratio(one[index], other[place]) for place in range(first, last)}
            best = max(likeness, key=lambda place: (likeness[place], -abs(place - first - index + start)))
            return best if likeness[best] >= LIKE or end - start == last - first == 1 else None
    return None


def _sentences(reading: Reading) -> list[str]:
    return [" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages]
