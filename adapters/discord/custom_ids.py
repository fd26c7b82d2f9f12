"""The ids of what is pressed on Discord. Each holds all that a press needs, so that it works after a restart too.

``stet:more:1f0c9a2b.12`` shows the sentence with that address, ``stet:wrong:17`` is a verdict on answer 17. What is
chosen from the menu is such an id.
"""

from __future__ import annotations

import re
from enum import StrEnum

PREFIX = "stet"
MENU = f"{PREFIX}:menu"
REASON = "reason"


class Act(StrEnum):
    """What a button does; CONTEXT and COPY are commands of the bot, MORE and CLOSEST both its command "more"."""

    MORE = "more"
    CLOSEST = "closest"
    CONTEXT = "context"
    COPY = "copy"
    RIGHT = "right"
    WRONG = "wrong"
    WHY = "why"  # the form behind "wrong"
    CALL = "call"
    SHARE = "share"
    DONE = "done"  # beside a question that was handed to people


PATTERN = re.compile(rf"{PREFIX}:(?P<act>{'|'.join(Act)}):(?P<state>.*)", re.DOTALL)


def custom_id(act: Act, state: str) -> str:
    return f"{PREFIX}:{act}:{state}"
