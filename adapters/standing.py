"""The commands about standing questions: what is watched for in a channel is kept in the store, and ended there."""

from __future__ import annotations

import asyncio
import re

from adapters.storage.ledger import Ledger
from adapters.storage.records import Watch
from adapters.transport import Letter
from bot import messages
from bot.desk import Desk
from bot.model import Message, Place, Question
from retrieval import QUESTION

_TYPED = re.compile(r"/(watch|watches)(?:\s+(.*))?", re.DOTALL)


def asked(letter: Letter) -> tuple[str, str] | None:
    """Return the command about standing questions that a letter is, and its words; None for any other."""
    if letter.command in ("watch", "watches"):
        return letter.command, letter.text.strip()
    typed = None if letter.command else _TYPED.fullmatch(letter.text.strip())
    return (typed[1], (typed[2] or "").strip()) if typed else None


async def reply(command: str, words: str, question: Question, desk: Desk, ledger: Ledger) -> Message:
    """Return the reply to a command about standing questions; they are those of the channel where it is given."""
    place, asker, archive = question.place, question.asker, desk.holdings.archive
    if desk.refuses(question) or place is None or not place.channel:
        return Message(messages.REFUSED)
    if archive.arrivals is None:
        return Message(messages.WATCH_ARCHIVE)
    if command == "watches":
        return await _listed(words, place, ledger)
    if not words or len(words) > QUESTION:
        return Message(messages.TOO_LONG if words else messages.WATCH_WHAT)
    since = await asyncio.to_thread(archive.arrivals.last)
    person = asker.id if asker else ""
    watch = Watch(0, place.platform, place.workspace, place.channel, person, " ".join(words.split()), since)
    kept = await ledger.add_watch(watch)
    if kept is None:
        return Message(messages.FAILED)
    return Message(messages.watching(watch.words) if kept else messages.WATCH_FULL)


async def _listed(number: str, place: Place, ledger: Ledger) -> Message:
    held = await ledger.watches(place.channel or "") or ()
    if not held:
        return Message(messages.NO_WATCH)
    if not number:
        return Message(messages.watched(watch.words for watch in held))
    if not (number.isdecimal() and 0 < int(number) <= len(held)):
        return Message(messages.NO_SUCH_WATCH)
    ended = held[int(number) - 1]
    await ledger.end_watch(ended.id)
    return Message(messages.watched_no_more(ended.words))
