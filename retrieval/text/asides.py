"""A text -> the lists of links that its page put inside a sentence, behind a name: no part of the sentence.

Such a list begins with the name anew, glued to the first headline, and ends in the button that shows more:
"Sen. Ann Bell Ann Ruth BellFerry sinks Mayor resigns MORE (D-Mass.) said".
The words stay in the text and in the sentence, but no stage reads them.
"""

from __future__ import annotations

import re

from retrieval.model import Span

_END = " MORE"
_LONGEST = 900
_LIST = re.compile(
    r"(?P<last>[^\W\d_][\w’'-]{2,30})(?P<list> ?(?:[A-Z(][\w.()’'-]{0,20} ){0,6}?(?P=last)(?=[^\sa-z’'.,;:!?)-])"
    rf"[^\n]{{1,{_LONGEST}}}?{_END}\b)"
)


def find_asides(text: str) -> tuple[Span, ...]:
    """Return the lists of links in order; none overlaps another."""
    if _END not in text:
        return ()
    return tuple([Span(match.start("list"), match.end("list")) for match in _LIST.finditer(text)])
