"""Whether a sentence can be understood alone; if not, the one before it is shown with it."""

from __future__ import annotations

import re

from retrieval import Passage, Voice

# Words for somebody or something that the sentence does not name.
_SOMEBODY = re.compile(r"\W*(?:he|she|they|his|her|their|him|them)\b", re.IGNORECASE)
_SOMETHING = re.compile(
    r"\W*(?:it|its|this|that|these|those|such|both|another|others?|one|some|most|all|none|neither)\b", re.IGNORECASE
)
_OPENED = re.compile(r"\W*(?:but|and|so|yet|however|instead|also|then|still|meanwhile|nor|or)\b,?\s", re.IGNORECASE)
_COUNTED = re.compile(
    r"\W*(?:about|around|some|nearly|almost|only|at least|another)\s\d[\d,.]*\s(?:were|was|had|have|are)\b",
    re.IGNORECASE,
)


def needs_before(text: str, passage: Passage, before: Passage) -> bool:
    """Return whether ``passage`` (its ``text``) leans on the sentence ``before`` it.

    One whose speaker is known and is all that its "he" stands for is understood: the speaker is shown beside it.
    """
    if before.sentence.boilerplate is not None:
        return False
    if passage.mentions and not _SOMETHING.match(text):
        return False
    if _SOMEBODY.match(text):
        return passage.voice is not Voice.NAMED or passage.sentence.quotation is not None
    return bool(_SOMETHING.match(text) or _OPENED.match(text) or _COUNTED.match(text))
