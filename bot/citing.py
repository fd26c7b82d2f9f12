"""Who said it and where it stands, in a line each: what is written beside every sentence that is shown."""

from __future__ import annotations

from bot.messages import day
from bot.model import Citation, Extract, QuotedDenial
from retrieval import Denial, Manner, Voice, classes

SUPERSEDED = "superseded by a later version"
OPENERS = (
    classes("articles", "units") - {"one"} | {"our", "its", "several"} | {"reporters", "journalists", "correspondents"}
)


def speaker(extract: Extract) -> str:
    """Return whose words or observation an extract rests on; "" for the outlet's own voice."""
    return said_by(extract.voice, extract.speaker, extract.manner)


def said_by(voice: Voice, speaker: str | None, manner: Manner | None) -> str:
    """Return whose words or observation a sentence rests on; "" for the outlet's own voice."""
    match voice:
        case Voice.OUTLET:
            return ""
        case Voice.UNRESOLVED:
            return "Speaker not identified"
        case Voice.IMPERSONAL:
            return "No source named"
        case Voice.OBSERVED:
            return f"Seen by {_running(speaker)}" if speaker else "Seen by reporters"
    if not speaker:
        return "Speaker not identified"
    return speaker if manner is Manner.QUOTED else f"{speaker}, as reported"


def number(place: int) -> str:
    """Return what stands before an extract: its number in the reply, from 1."""
    return f"[{place}]"


def source(citation: Citation) -> str:
    """Return where words stand: outlet, title or opening words, date; what is unknown is left out."""
    title = citation.title or citation.opening
    version = SUPERSEDED if citation.superseded else citation.corrected and f"corrected on {day(citation.corrected)}"
    # before the title, which may be cut short
    return " · ".join(part for part in (citation.source, version, title, day(citation.published)) if part)


def titled(citation: Citation) -> str:
    """Return an article's title or opening words, with its date and id."""
    title = citation.title or citation.opening
    return " · ".join(part for part in (title, day(citation.published), citation.article_id) if part)


def denied(denial: QuotedDenial | Denial) -> str:
    """Return the line that introduces a denial beside a claim."""
    return f"Denied by {_running(denial.speaker)}:" if denial.speaker else "Denied:"


def _running(speaker: str) -> str:
    """Return a phrase as it runs inside a sentence: an article or a plural that opened one loses its capital."""
    first, _, rest = speaker.partition(" ")
    plain = first.lower() in OPENERS
    return f"{first.lower()} {rest}".strip() if plain else speaker
