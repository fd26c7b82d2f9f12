"""Who said a sentence and where it is from, a line each; and links that open an article at the sentence.

Sources and caveats are attached to a sentence in ``verbatim.py``; here they are put into words.
"""

from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from bot import messages
from bot.messages import day
from bot.model import Citation, Extract
from bot.verbatim import opening
from retrieval import Manner, Reading, Voice

Quotation = tuple[Extract, ...]  # sentences that are shown as one, under one number
LONGEST = 5  # sentences of a quotation
SUPERSEDED = "superseded by a later version"
# First words of a description ("two reporters") that lose their capital inside a sentence.
_DETERMINERS = frozenset(
    "a an the our its several two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen reporters journalists correspondents".split()
)


def speaker(extract: Extract) -> str:
    """Return whose words or observation an extract is; "" for the outlet's own voice."""
    name = said_by(extract.voice, extract.speaker, extract.manner)
    return f"{name} (not named: “{extract.anonymity}”)" if extract.anonymity else name


def said_by(voice: Voice, speaker: str | None, manner: Manner | None) -> str:
    match voice:
        case Voice.OUTLET:
            return ""
        case Voice.UNRESOLVED:
            return "Speaker not identified"
        case Voice.IMPERSONAL:
            return "No source named"
        case Voice.OBSERVED:
            first, _, rest = (speaker or "reporters").partition(" ")
            return f"Seen by {first.lower() if first.lower() in _DETERMINERS else first} {rest}".rstrip()
    if not speaker:
        return "Speaker not identified"
    return speaker if manner is Manner.QUOTED else f"{speaker}, as reported"


def quotations(extracts: Iterable[Extract], marked: int | None = None) -> list[Quotation]:
    """Return extracts as they are shown and numbered, one by one where one is ``marked``."""
    shown: list[Quotation] = []
    for extract in extracts:
        if shown and marked is None and len(shown[-1]) < LONGEST and continues(shown[-1][-1], extract):
            shown[-1] += (extract,)
        else:
            shown.append((extract,))
    return shown


def continues(one: Extract, other: Extract) -> bool:
    """Return whether ``other`` is the next sentence of the same speaker, and can be shown with ``one`` as a quotation.

    They have the same caveats, so these are shown once.
    """
    if other.before or one.revision or other.revision or not speaker(one):
        return False
    adjoin = one.citation.digest == other.citation.digest and other.index == one.index + 1
    return adjoin and (speaker(one), one.caveats) == (speaker(other), other.caveats)


def title(citation: Citation) -> str:
    return citation.title or messages.no_title(citation.opening)


def heading(reading: Reading) -> str:
    return reading.article.title or messages.no_title(opening(reading))


def parts(citation: Citation) -> tuple[str, str, str, str]:
    """Return outlet, version, title and date. A missing outlet is mentioned, other gaps are empty."""
    version = SUPERSEDED if citation.superseded else citation.corrected and f"corrected on {day(citation.corrected)}"
    # the version before the title, which platforms may cut short
    return citation.source or messages.NO_OUTLET, version or "", title(citation), day(citation.published)


def source(citation: Citation) -> str:
    return " · ".join(filter(None, parts(citation)))


def same_source(one: Citation, other: Citation) -> bool:
    return one.article_id == other.article_id and source(one) == source(other)


def titled(citation: Citation) -> str:
    return " · ".join(part for part in (title(citation), day(citation.published), citation.article_id) if part)


# Links use the text fragments of the URL standard (WICG). Up to so many characters, a fragment has all the words;
# beyond, the first and the last few.
WHOLE_LENGTH, EDGE_WORDS = 100, 5


def link(citation: Citation, text: str) -> str | None:
    """Return the article's address, opening at ``text``; None without an address that a browser can open."""
    if not citation.url or not opens(citation.url):
        return None
    words = text.split(" ")
    is_whole = len(text) <= WHOLE_LENGTH or len(words) <= 2 * EDGE_WORDS
    edges = [text] if is_whole else [" ".join(words[:EDGE_WORDS]), " ".join(words[-EDGE_WORDS:])]
    # a hyphen marks a prefix or a suffix in a text fragment, so it is encoded too
    fragment = ",".join(quote(each, safe="", errors="replace").replace("-", "%2D") for each in edges)
    return f"{citation.url}{':~:' if '#' in citation.url else '#:~:'}text={fragment}"


def opens(address: str) -> bool:
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False
