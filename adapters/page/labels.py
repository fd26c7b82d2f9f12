"""The bot's own words on a page, beside those it says everywhere."""

from __future__ import annotations

from bot.model import Why
from bot.voice import CAVEAT, NOTICES

WHOLE_NOTICE = NOTICES[Why.ARTICLE]
POSSIBLE = "[?] Perhaps not verified, in the outlet's words:"
AGAIN = "the same"
HOLDS = "The outlet's caveat"
DENIES = "Denies sentence"

__all__ = ["AGAIN", "CAVEAT", "DENIES", "HOLDS", "POSSIBLE", "WHOLE_NOTICE"]
