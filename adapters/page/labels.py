"""The bot's own words on the page, beside those it uses everywhere."""

from __future__ import annotations

from bot.citing import number, source, speaker
from bot.messages import (
    BEFORE,
    CAVEAT,
    IN_ARTICLE,
    NOTICES,
    RIGHT,
    TOO_LONG_TO_CHECK,
    UNREADABLE_DRAFT,
    WHY_WRONG,
    WRONG,
)
from bot.model import NoticeReason
from retrieval import DRAFT_KINDS, MESSAGE

WHOLE_NOTICE = NOTICES[NoticeReason.ARTICLE]
POSSIBLE = "[?] Perhaps not verified, in the outlet's words:"
LEGEND_WHO = "Beside the text: who says it, and the outlet's caveats. In italics: the sentence of a caveat."
LEGEND_SURE = "A caveat covers this."
LEGEND_POSSIBLE = "A caveat may cover this."
PUBLISHED = "Where it was published"
ASK = "Ask the articles"
FOLLOW_UP = "Follow-up"
FOLLOWING = "Ask on: and where? says who?"
ASKED_BEFORE = "Asked before"
WHAT_IT_IS = "Questions about the newsroom's own articles, answered by their sentences word for word."
SIGNS = {"sure": "“”", "unsure": "?", "nothing": "∅"}  # no tick: what is quoted may be unverified
SURE = "Answered in the articles' own words."
NEAR_NAMES = "Similar names in the articles:"
RECENTLY = "Lately said to be unverified"
CHANGED = "Lately changed"
CHECK = "Check quotations"
PROOF = "Proof a draft"
PASTE_DRAFT = (
    "Paste a draft. Its quotations, figures and names are checked against the articles. Nothing of it is stored."
)
UPLOAD_DRAFT = "Or choose a file:"
VIEWS = {
    "who": "Who",
    "said": "Said",
    "unverified": "Unverified",
    "disputed": "Disputed",
    "first": "First",
    "quoted": "Quoted",
    "sources": "Sources",
}
FIELDS = {
    "who": "Somebody's name",
    "said": "Somebody's name, or NAME about WORDS",
    "unverified": "Words of what could not be verified",
    "disputed": "Words of what somebody denies",
    "first": "Words, or NAME said WORDS",
    "quoted": "Words, by NAME, section NAME, until DAY",
    "sources": "Words that an article holds",
}  # the hint in each view's field
NO_DAY = "That is not a date. Write it as 2031-05-09."
NO_OUTLET = "There is no article of that outlet here; all are shown."
ANY_OUTLET = "All outlets"
PASTE = "Paste a paragraph or an article. Every quotation in it, in quotation marks, is looked for in the articles."
TEXT_TOO_LONG = f"That text is longer than {MESSAGE:,} characters. Please paste a part of it."
ONLY_BY_LINK = (
    "This page opens from a link beside an answer, and a link works for some days. Ask the bot again for a new one."
)
ARTICLE_CHANGED = "The article was changed or removed after this link was made. Please ask the question again."
NEWEST = "The newest version"
VERSIONS = "Versions"
SHOWN = "on this page"
CHANGES = "What changed"
SAME_SENTENCES = "No sentence differs."
WAS, NOW, REMOVED, ADDED = "Was", "Now", "Removed", "Added"
VERDICTS = {"right": RIGHT, "wrong": WRONG}
LONGEST_NOTE = 1_000  # characters
MISREAD = "A speaker or a caveat is wrong"
FORM_REFUSED = "This form is incomplete or too old. Please open the answer again."
NOT_SAVED = "Your feedback could not be saved. Please try again in a few minutes."
UNKNOWN_ADDRESS = "There is no such page."

__all__ = [
    "BEFORE",
    "CAVEAT",
    "DRAFT_KINDS",
    "IN_ARTICLE",
    "NOTICES",
    "TOO_LONG_TO_CHECK",
    "UNREADABLE_DRAFT",
    "WHY_WRONG",
    "number",
    "source",
    "speaker",
]


def superseded(day: str) -> str:
    return f"Superseded on {day}." if day else "Superseded."


def changes_since(day: str) -> str:
    return f"{CHANGES} since the version of {day}" if day else CHANGES


def changed_by(day: str) -> str:
    return f"Changed by {day}:" if day else "Changed:"


def copy_quotation(number: int) -> str:
    return f"Copy quotation {number} with its speaker, source and caveat"


def copy(form: str) -> str:
    return "Copy" if form == "text" else f"Copy as {form}"
