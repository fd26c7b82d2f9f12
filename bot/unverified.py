"""``unverified``: the accounts that an outlet says it could not verify, each caveat with what it covers."""

from __future__ import annotations

from collections.abc import Iterator

from bot import verbatim, voice
from bot.holdings import Holdings
from bot.model import Listing, Message, Section
from bot.passages import extracts, matching, readings
from retrieval.model import Caveat, Reading
from retrieval.search import Archive

CAVEATS = 8  # in one reply
COVERED = 3  # sentences shown of those that a caveat covers


def unverified(holdings: Holdings, words: str) -> Listing | Message:
    """Return the caveats of all articles, newest first; with ``words``, those on sentences that hold them."""
    archive = holdings.archive
    wanted = matching(archive, words) if words else None
    found = [
        (reading, caveat)
        for reading in readings(archive)
        for caveat in reading.caveats
        if wanted is None or any((reading.article.id, i) in wanted for i in (caveat.sentence, *caveat.covers))
    ]
    if not found:
        return Message(voice.no_caveat(words))
    sections = (_section(archive, reading, caveat) for reading, caveat in found[:CAVEATS])
    return Listing(voice.caveats(len(found), words), (*sections, *_rest(len(found) - CAVEATS)))


def _section(archive: Archive, reading: Reading, caveat: Caveat) -> Section:
    article_id = reading.article.id
    citation = verbatim.article(archive, article_id)
    heading = voice.source(citation) if citation else article_id
    if caveat.is_notice:
        return Section(heading, extracts(archive, article_id, (caveat.sentence,)), lines=(voice.WHOLE_ARTICLE,))
    lines = (voice.covers(len(caveat.covers)),) if len(caveat.covers) > COVERED else ()
    return Section(heading, extracts(archive, article_id, caveat.covers[:COVERED]), lines)


def _rest(number: int) -> Iterator[Section]:
    if number > 0:
        yield Section("", lines=(voice.and_more(number, "caveat"),))
