"""The bot's own words that several parts of the page or its code use, and the lists that have pages of their own."""

from datetime import date
from typing import NamedTuple

from bot import messages
from bot.ask.model import Band
from retrieval import DRAFT_KINDS, MESSAGE


class ListPage(NamedTuple):
    """A list with a field of its own: its title, what it lists, and the hint in the field."""

    title: str
    about: str
    hint: str
    needs_words: bool = False  # it is empty without any


LISTS = {
    "who": ListPage(
        "People",
        "Who somebody is: names and roles in the articles, and what they said.",
        "A person, organisation or place",
        needs_words=True,
    ),
    "unverified": ListPage(
        "Unverified",
        "What outlets published and said that they could not verify, with the outlet's own words.",
        "Words in what could not be verified",
    ),
    "sources": ListPage("Sources", "The articles that answers come from.", "Words in the articles"),
    "said": ListPage(
        "Statements",
        "Every sentence that the articles attribute to somebody.",
        "A name, or NAME about WORDS",
        needs_words=True,
    ),
    "disputed": ListPage("Denials", "What somebody denies, in their words.", "Words in the denial", needs_words=True),
    "first": ListPage(
        "First said",
        "When the articles first wrote a phrase, when last, and how often each month.",
        "A phrase, or NAME said WORDS",
        needs_words=True,
    ),
    "quoted": ListPage(
        "Who is quoted",
        "Whom the articles quote: people, organisations and unnamed sources.",
        "Words, by NAME, section NAME, until DAY",
    ),
}
PROOF = "Check a draft"
TITLES = {"": "Ask", "proof": PROOF, "verify": "Check quotations"} | {name: page.title for name, page in LISTS.items()}
MAIN_VIEWS = ("", "who", "proof", "unverified", "sources")  # in the navigation; the other views are below "More"
WIDE_VIEWS = ("unverified", "sources")  # on a phone these are below "More" too
MORE_VIEWS = ("said", "disputed", "first", "quoted", "verify")

NOT_VERIFIED = "Not verified, in the outlet’s words:"
POSSIBLE = "Perhaps not verified, in the outlet’s words:"
NOTICES = {why: words.partition(" ")[2] for why, words in messages.NOTICES.items()}
PUBLISHED, ASK, FOLLOW_UP = "As published", "Ask the articles", "Follow-up question"
SIGNS = dict(zip(Band, ("“”", "≈", "?", "∅"), strict=True))  # no tick: what is quoted may be unverified
TABLES = ("sources", "quoted")  # the lists that can be downloaded
HELP = "Ask a question about the articles in plain words, or open a view."
FURTHER = "further"  # the place in the page to which "More" leads
ALSO, CLOSEST = "Also in the archive", "Closest matches"
SAMPLE = "Try a sample draft"
DRAFT_FILES = ",".join(DRAFT_KINDS)
LONGEST_TEXT = MESSAGE  # characters
PASTE_DRAFT = "Paste a draft. Stet compares its quotations, figures and names with your archive, and stores nothing."
NO_DAY = "That is not a date. Write it as 2031-05-09."
NO_OUTLET = "No article is from that outlet, so all outlets are shown."
PASTE = "Paste a paragraph or a whole article. Stet looks for each quotation in your archive."
ABOUT = {"verify": PASTE, "proof": PASTE_DRAFT} | {name: page.about for name, page in LISTS.items()}
TEXT_TOO_LONG = f"That text is longer than {LONGEST_TEXT:,} characters. Please paste a part of it."
ONLY_BY_LINK = (
    "This page opens from a link beside an answer, and a link works for some days. Ask the bot again for a new one."
)
ARTICLE_CHANGED = "The article was changed or removed after this link was made. Please ask the question again."
CHANGES = "What changed"
VERDICTS = {"right": messages.RIGHT, "wrong": messages.WRONG}
LONGEST_NOTE = 1_000  # characters
MISREAD = "A speaker or a caveat is wrong"
FORM_REFUSED = "This form is incomplete or too old. Please open the answer again."
NOT_SAVED = "Your feedback could not be saved. Please try again in a few minutes."
UNKNOWN_ADDRESS = "There is no such page."


def changes_since(day: date | None) -> str:
    return f"{CHANGES} since the version of {messages.day(day)}" if day else CHANGES
