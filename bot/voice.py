"""Every sentence the bot says in its own voice. It speaks of the articles and of itself, never of the world."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from bot.model import Citation, Extract, QuotedDenial
from retrieval.model import Manner, Voice

LONGEST_QUESTION = 2000

EMPTY_QUESTION = "Ask a question about the articles, for example: how many people were evacuated? `help` lists more."
TOO_LONG = f"That question is longer than {LONGEST_QUESTION:,} characters. Please ask it in a sentence or two."
REFUSED = "Sorry, this bot answers only the people and channels it was set up for. Its keeper can add you."
FAILED = "Something went wrong here, and the question was not answered. Please ask again; the fault is in the log."
CHANGED = "The article has changed or gone since that answer was given. Please ask the question again."
NO_MORE = "There is nothing more to show for that question."
NOTHING_ON_VERIFICATION = "The articles say nothing on whether this could be verified. That does not mean it was."
LEFT_OUT = "A sentence that also answers is too long to show here whole, and is left out."
CAVEAT = "[!] NOT VERIFIED, in the outlet's words:"
NOTICE = "[!] The outlet says of this article:"


def day(published: date | None) -> str:
    """Return a date as a newsroom writes it, or nothing."""
    return f"{published.day} {published:%B} {published.year}" if published else ""


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 article", "2 articles"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str]) -> str:
    """Return words in quotation marks, with commas."""
    return ", ".join(f"“{word}”" for word in words)


def nothing_found(looked_for: tuple[str, ...], not_found: tuple[str, ...], articles: int, newest: date | None) -> str:
    """Say that no sentence answers, what was looked for, and in how much."""
    parts = ["Nothing found."]
    if looked_for:
        parts.append(f"Looked for {listed(looked_for)}.")
    if not_found:
        parts.append(f"In no article: {listed(not_found)}.")
    dated = f", the newest of {day(newest)}" if newest else ""
    parts.append(f"Searched {count(articles, 'article')}{dated}.")
    return " ".join(parts)


def speaker(extract: Extract) -> str:
    """Say whose words or eyes an extract rests on; nothing where it is the outlet's own voice."""
    match extract.voice:
        case Voice.OUTLET:
            return ""
        case Voice.UNRESOLVED:
            return "Speaker not identified"
        case Voice.IMPERSONAL:
            return "No source named"
        case Voice.OBSERVED:
            return f"Seen by {extract.speaker}" if extract.speaker else "Seen by reporters"
    if not extract.speaker:
        return "Speaker not identified"
    return extract.speaker if extract.manner is Manner.QUOTED else f"{extract.speaker}, as reported"


def source(citation: Citation) -> str:
    """Say where words stand: outlet, title or opening words, date; what is unknown is left out."""
    title = citation.title or f"“{citation.opening}”"
    return " · ".join(part for part in (citation.source, title, day(citation.published)) if part)


def denied(denial: QuotedDenial) -> str:
    """Introduce a denial that stands beside a claim."""
    return f"Denied by {denial.speaker}:" if denial.speaker else "Denied:"
