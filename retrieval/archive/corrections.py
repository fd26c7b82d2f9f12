"""Two versions of an article -> which sentences of the later one stand in the place of others, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

from rapidfuzz import fuzz

from retrieval.model import Reading
from retrieval.text.alignment import aligned

LIKE = 50.0  # percent of its letters that a sentence shares with the one that it was changed to

Days = Mapping[str, str]  # the index of a sentence, and the day on which it was changed; both as JSON has them


def corrections(before: Reading, days: Days, after: Reading, day: str) -> Days:
    """Return the sentences of ``after`` that were changed: on ``day``, or earlier and left as they were.

    ``days`` are those of ``before``. A sentence that was only added corrects nothing.
    """
    found: dict[str, str] = {}
    for stretch in aligned(_sentences(before), _sentences(after)):
        if not stretch.same and stretch.before:
            found |= {str(place): day for place in stretch.after}
        elif stretch.same:
            pairs = zip(stretch.before, stretch.after, strict=True)
            found |= {str(place): days[str(old)] for old, place in pairs if str(old) in days}
    return found


def day_of(moment: float) -> date:
    """Return the day on which something was at a time in seconds since 1970, as all archives count days."""
    return datetime.fromtimestamp(moment, UTC).date()


def counterpart(before: Reading, index: int, after: Reading) -> int | None:
    """Return the index in ``after`` of what stands there for a sentence of ``before``; None where nothing does.

    That is the same sentence, wherever it stands now, or else the likest of those that took its place.
    """
    one, other = _sentences(before), _sentences(after)
    same = [place for place, words in enumerate(other) if words == one[index]]
    if same:
        return min(same, key=lambda place: abs(place - index))
    for stretch in aligned(one, other):
        if not stretch.same and stretch.after and index in stretch.before:
            expected = stretch.after[0] + index - stretch.before[0]
            likeness = {place: fuzz.ratio(one[index], other[place]) for place in stretch.after}
            best = max(likeness, key=lambda place: (likeness[place], -abs(place - expected)))
            return best if likeness[best] >= LIKE or len(stretch.before) == len(stretch.after) == 1 else None
    return None


def _sentences(reading: Reading) -> list[str]:
    return [" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages]
