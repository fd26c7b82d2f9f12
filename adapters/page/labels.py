"""The bot's own words on the page, beside those it uses everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.page.overview import Bar
from bot import citing
from bot.citing import source, speaker
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
    day,
)
from bot.model import Citation, NoticeReason
from retrieval import DRAFT_KINDS, MESSAGE

WHOLE_NOTICE = NOTICES[NoticeReason.ARTICLE]
POSSIBLE = "[?] Perhaps not verified, in the outlet's words:"
LEGEND_WHO = "Left: who is speaking. Right: the outlet's caveats. Italics mark the caveat itself."
LEGEND_SURE = "A caveat covers this."
LEGEND_POSSIBLE = "A caveat may cover this."
PUBLISHED = "As published"
COPY = "Copy"
LINK = "Link to this answer"
TRY = "For example:"
ASK = "Ask the articles"
FOLLOW_UP = "Follow-up question"
FOLLOWING = "Follow-up question: and where? says who?"
ASKED_BEFORE = "Asked before"
WHAT_IT_IS = "Ask your own archive. The answers are its sentences, word for word, with source, speaker and any caveat."
SIGNS = {"sure": "“”", "unsure": "?", "nothing": "∅"}  # no tick: what is quoted may be unverified
SURE = "Answered in the articles' own words."
NEAR_NAMES = "Similar names in the articles:"
RECENTLY = "Recently reported as unverified"
CHANGED = "Recently corrected"
CHECK = "Check quotations"
PROOF = "Proof a draft"
PASTE_DRAFT = "Paste a draft. Stet compares its quotations, figures and names with your archive, and stores nothing."
IN_ORDER = "Show the sentence"
UPLOAD_DRAFT = "Or choose a file:"
VIEWS = {
    "who": "People",
    "unverified": "Unverified",
    "sources": "Sources",
    "said": "Statements",
    "disputed": "Denials",
    "first": "First said",
    "quoted": "Who is quoted",
}
# in the navigation; the other views are below "More"
MAIN_VIEWS = {"": "Ask", "who": "People", "unverified": "Unverified", "sources": "Sources", "proof": "Check a draft"}
MORE_VIEWS = {
    "said": "Statements",
    "disputed": "Denials",
    "first": "First said",
    "quoted": "Who is quoted",
    "verify": "Check quotations",
}
ABOUT = {
    "who": "Who somebody is: names and roles in the articles, and what they said.",
    "unverified": "What outlets published and said that they could not verify, with the outlet's own words.",
    "sources": "The articles that answers come from.",
    "said": "Every sentence that the articles attribute to somebody.",
    "disputed": "What somebody denies, in their words.",
    "first": "When the articles first wrote a phrase, when last, and how often each month.",
    "quoted": "Whom the articles quote: people, organisations and unnamed sources.",
}
PLOT = "Articles by date"
OUTLETS = "Outlets"
NO_OUTLET_NAMED = "No outlet named"
FIELDS = {
    "who": "A person, organisation or place",
    "said": "A name, or NAME about WORDS",
    "unverified": "Words in what could not be verified",
    "disputed": "Words in the denial",
    "sources": "Words in the articles",
    "first": "A phrase, or NAME said WORDS",
    "quoted": "Words, by NAME, section NAME, until DAY",
}  # the hint in each view's field
NO_DAY = "That is not a date. Write it as 2031-05-09."
NO_OUTLET = "No article is from that outlet, so all outlets are shown."
ANY_OUTLET = "All outlets"
PASTE = "Paste a paragraph or a whole article. Stet looks for each quotation in your archive."
TEXT_TOO_LONG = f"That text is longer than {MESSAGE:,} characters. Please paste a part of it."
ONLY_BY_LINK = (
    "This page opens from a link beside an answer, and a link works for some days. Ask the bot again for a new one."
)
ARTICLE_CHANGED = "The article was changed or removed after this link was made. Please ask the question again."
NEWEST = "The newest version"
VERSIONS = "Versions"
SHOWN = "shown here"
CHANGES = "What changed"
SAME_SENTENCES = "No sentence differs."
WAS, NOW, REMOVED, ADDED = "Was", "Now", "Removed", "Added"
VERDICTS = {"right": RIGHT, "wrong": WRONG}
LONGEST_NOTE = 1_000  # characters
MISREAD = "A speaker or a caveat is wrong"
FORM_REFUSED = "This form is incomplete or too old. Please open the answer again."
NOT_SAVED = "Your feedback could not be saved. Please try again in a few minutes."
STATIC_SITE = "These questions were answered once, for this copy. Stet itself answers yours."
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
    "day",
    "source",
    "speaker",
]


def source_parts(citation: Citation) -> tuple[str, str, str, str]:
    """Return the line of ``source`` cut at the article's title: the outlet, the version, the title, the rest."""
    title = citing.title(citation)
    outlet, _, rest = citing.source(citation).partition(" · ")
    version, _, after = rest.partition(title)
    return outlet, version, title, after


def plot(bars: Sequence[Bar]) -> str:
    most = max(bars, key=lambda bar: bar.articles)
    return f"Articles from {bars[0].label} to {bars[-1].label}; most in {most.label}: {most.articles}"


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
