"""Two versions of an article -> which sentences of the later one stand in the place of others, and since when."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.model import Reading
from retrieval.text.alignment import aligned

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


def _sentences(reading: Reading) -> list[str]:
    return [" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages]
