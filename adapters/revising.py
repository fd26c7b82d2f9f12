"""Answers that were posted -> edited where an article they cite was corrected or taken down: each once.

The archive tells which versions were retired, by this process or another; the store knows which messages rest on them.
Each is gone through again, and where something in it is different by now it is claimed, drawn anew and edited.
A claim ends with the edit: who is killed in between leaves it to the others, as with questions.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Generic

from adapters.operations.metrics import EDITED
from adapters.storage.claims import edits
from adapters.storage.ledger import Ledger
from adapters.storage.records import AnswerRecord, Claim, Posting
from adapters.storage.store import Store
from adapters.stored_reply import reviewed, withdraw_words
from adapters.transport import AwayError, D, HopelessError, L, Transport
from bot.model import Reply
from bot.revision import Fate, Review, is_taken_down
from bot.service import QuestionService
from retrieval import Archive, ArchiveError, Retired, Retirements

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a posted answer: ``mark`` as in ``Review``; ``reply`` is None where there is nothing to edit."""

    given: AnswerRecord
    reply: Reply | None
    mark: str
    digests: frozenset[str]
    withdrawn: bool

    @property
    def outcome(self) -> str:
        """What an edit to it is, in one word."""
        return "withdrawn" if self.withdrawn else "changed" if self.mark else "restored"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between two looks at the archive, and from one edit to the next."""

    look: float = 5.0
    edit: float = 0.0


class Reviser(Generic[L, D]):
    """Edits the answers of one platform, one after the other; for one event loop.

    ``alone`` holds back whatever else would change the answer to a message meanwhile.
    """

    def __init__(
        self,
        service: QuestionService,
        ledger: Ledger,
        transport: Transport[L, D],
        alone: Callable[[str, str], AbstractAsyncContextManager[None]],
        pace: Pace,
    ) -> None:
        self._service, self._ledger, self._transport, self._alone, self._pace = service, ledger, transport, alone, pace
        self._platform, self._claims = transport.platform, edits(transport.platform)
        self._seen: int | None = None

    async def go_on(self) -> None:
        """Call ``sweep`` now and then, for ever; do nothing where the articles are in no archive with versions."""
        archive = self._service.holdings.archive
        while archive.retirements is not None:
            try:
                await self.sweep(archive, archive.retirements)
            except ArchiveError as error:
                log.warning("posted answers cannot be compared with the archive now: %s", error)
            except Exception:
                log.exception("posted answers could not be compared with the archive")
            await asyncio.sleep(self._pace.look)

    async def sweep(self, archive: Archive, retirements: Retirements) -> None:
        """Edit what was left over, then what rests on versions retired since the last time, and what is new."""
        fact = f"{self._platform} answers reviewed, {await asyncio.to_thread(retirements.identity)}"
        if self._seen is None:
            self._seen = int(await self._ledger.fact(fact) or 0)
        for claim in await self._ledger.take_up_claims(self._claims) or ():
            await self._edit(archive, claim)
        retired = await asyncio.to_thread(retirements.after, self._seen)
        if await self._reviewed(archive, retired) and retired:
            self._seen = retired[-1].number
            await self._ledger.save_fact(fact, str(self._seen))

    async def _reviewed(self, archive: Archive, retired: Sequence[Retired]) -> bool:
        """Go through what rests on these; return whether all of it is seen to. What was taken down goes first."""
        removed = frozenset(each.digest for each in retired if each.removed)
        if removed and not await self._words_withdrawn(archive, removed):
            return False
        done = True
        for digests in (removed, frozenset(each.digest for each in retired) - removed):
            found = await self._ledger.postings_to_review(digests)
            done = done and found is not None
            for posting in found or ():
                done = await self._seen_to(archive, posting) and done
        return done

    async def _words_withdrawn(self, archive: Archive, digests: frozenset[str]) -> bool:
        """Take the words of what was taken down out of what is kept; return whether that was done."""

        def withdraw(store: Store) -> bool:
            withdraw_words(store, digests, lambda key: is_taken_down(archive, key))
            return True

        return await self._ledger.write(withdraw) or False

    async def _seen_to(self, archive: Archive, posting: Posting) -> bool:
        """Edit a message if it has to be; return False where another process is at it, or it cannot be done now."""
        found = await self._found(archive, posting)
        if found is None or found.reply is None or found.mark == posting.mark:
            await self._note(posting, found)
            return True
        channel, message = posting.channel, posting.message
        claimed = await self._ledger.claim_edit(channel, message)
        return claimed is not None and await self._edit(archive, claimed)

    async def _found(self, archive: Archive, posting: Posting) -> Found | None:
        """Return what became of a posted answer; None where it is kept no more."""
        given = await self._ledger.stored_answer(posting.answer)
        return await asyncio.to_thread(_review, archive, given) if given else None

    async def _note(self, posting: Posting, found: Found | None, claim: Claim | None = None) -> None:
        digests = found.digests if found else frozenset()
        await self._ledger.note_review(posting, digests, claim)

    async def _edit(self, archive: Archive, claim: Claim) -> bool:
        """Edit a message that is claimed, if it has to be by now; return False where that is left for later."""
        channel, message = json.loads(claim.payload)
        posting = await self._ledger.posting(channel, message)
        if posting is None:
            await self._forget(channel, message, claim)
            return True
        async with self._alone(channel, posting.origin or message):
            try:
                return await self._edited(archive, channel, message, claim)
            except AwayError as error:
                log.warning("a posted answer could not be edited, and will be: %s", error)
                await self._ledger.release_claim(claim, spent=False)
            except asyncio.CancelledError:
                await asyncio.shield(self._ledger.release_claim(claim, spent=False))
                raise
            except Exception:
                log.exception("a posted answer could not be edited")
                await self._ledger.release_claim(claim)
        return False

    async def _edited(self, archive: Archive, channel: str, message: str, claim: Claim) -> bool:
        """Edit a message, as it is by now; raise ``AwayError`` where that cannot be."""
        posting = await self._ledger.posting(channel, message)
        if posting is None:
            raise AwayError("the store does not say what it shows")
        found = await self._found(archive, posting)
        if found is None or found.reply is None or found.mark == posting.mark:
            await self._note(posting, found, claim)
            return True
        reply = await asyncio.to_thread(self._service.add_page_links, found.reply)
        drawing = await self._transport.redraw(posting, found.given, reply)
        try:
            await self._transport.edit(posting, drawing)
        except HopelessError as error:
            await self._give_up(posting, found, claim, error)
            return True
        await self._note(replace(posting, mark=found.mark), found, claim)
        EDITED.labels(self._platform, found.outcome).inc()
        log.info("a posted answer was edited: %s, number %d", found.outcome, posting.answer)
        await asyncio.sleep(self._pace.edit)
        return True

    async def _give_up(self, posting: Posting, found: Found, claim: Claim, error: HopelessError) -> None:
        """Leave a message that cannot be edited; where it shows what was taken down, try to delete it."""
        log.warning("a posted answer in %s cannot be edited: %s", posting.channel, error)
        if found.withdrawn:
            await self._transport.remove(posting.channel, posting.message)
        await self._forget(posting.channel, posting.message, claim)

    async def _forget(self, channel: str, message: str, claim: Claim) -> None:
        await self._ledger.forget_posting(channel, message, claim)


def _review(archive: Archive, given: AnswerRecord) -> Found:
    review = Review(archive)
    with archive.snapshot():
        reply = reviewed(json.loads(given.reply), review)
    withdrawn = Fate.WITHDRAWN in review.fates
    if Fate.UNKNOWN in review.fates and not withdrawn:  # of another archive: it says nothing of this
        reply = None
    return Found(given, reply, review.mark, frozenset(review.digests), withdrawn)
