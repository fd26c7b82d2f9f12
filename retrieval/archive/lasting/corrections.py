"""Two versions of an article -> which sentences of the later one stand in the place of others, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from retrieval.model import Reading

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


def _sentences(reading: Reading) -> list[str]:
    return [" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages]
