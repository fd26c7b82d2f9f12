"""Posted answers -> edited where an article they cite was corrected or removed: each once.

The archive lists the retired versions; the store knows which messages cite them. Each message is reviewed, and where
something in it changed it is claimed, drawn again and edited. A claim ends with the edit, so if this process is
killed, another one finishes.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic

from adapters.answer_record import erase_words, reviewed
from adapters.chat.inbox import Inbox
from adapters.chat.loops import every
from adapters.chat.request import AwayError, D, HopelessError, R
from adapters.metrics import EDITED
from adapters.storage.claims import edits
from adapters.storage.store import AnswerRecord, Claim, Posting, Store
from bot.model import Reply
from bot.revision import Fate, Review
from retrieval import Archive, Retired, Retirements

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EditRate:
    """Seconds between two looks at the archive, and between two edits."""

    look: float = 5.0
    edit: float = 0.0


class Reviser(Generic[R, D]):
    """Edits the answers of one platform, one after the other; for one event loop."""

    def __init__(self, inbox: Inbox[R, D], edit_rate: EditRate) -> None:
        self._inbox, self._service, self._ledger, self._edit_rate = inbox, inbox.service, inbox.ledger, edit_rate
        self._transport, self._platform = inbox.transport, inbox.transport.platform
        self._claims = edits(self._platform)
        self._seen: int | None = None

    async def run(self) -> None:
        """Look again and again; return at once where the archive has no versions."""
        archive = self._service.library.archive
        if archive.retirements is not None:
            sweep = partial(self.sweep, archive, archive.retirements)
            await every(self._edit_rate.look, sweep, "posted answers cannot be compared with the archive")

    async def sweep(self, archive: Archive, retirements: Retirements) -> None:
        """Finish edits that were left, then review what cites versions retired since the last look, and new answers."""
        fact = f"{self._platform} answers reviewed, {await asyncio.to_thread(retirements.identity)}"
        if self._seen is None:
            self._seen = int(await self._ledger.read(Store.fact, fact) or 0)
        for claim in await self._ledger.write(Store.take_up, self._claims) or ():
            await self._edit(archive, claim)
        retired = await asyncio.to_thread(retirements.after, self._seen)
        if await self._review_all(archive, retired) and retired:
            self._seen = retired[-1].number
            await self._ledger.write(Store.save_fact, fact, str(self._seen))

    async def _review_all(self, archive: Archive, retired: Sequence[Retired]) -> bool:
        """Review what cites these versions, removed ones first; return whether all of it is done."""
        removed = frozenset(each.digest for each in retired if each.removed)
        if removed:  # their words are erased from stored answers before anything else

            def withdraw(store: Store) -> bool:
                erase_words(store, archive, removed)
                return True

            if not await self._ledger.write(withdraw):
                return False
        done = True
        for digests in (removed, frozenset(each.digest for each in retired) - removed):
            found = await self._ledger.read_own(Store.postings_to_review, digests)
            done = done and found is not None
            for posting in found or ():
                done = await self._review(archive, posting) and done
        return done

    async def _review(self, archive: Archive, posting: Posting) -> bool:
        if await self._due(archive, posting) is None:
            return True
        claimed = await self._ledger.write_own(Store.claim_edit, posting.channel, posting.message)
        return claimed is not None and await self._edit(archive, claimed)

    async def _due(
        self, archive: Archive, posting: Posting, claim: Claim | None = None
    ) -> tuple[AnswerRecord, Reply, Review] | None:
        """Return a posted answer and what it is now; note where nothing is to be edited, and return ``None``."""
        record, review = await self._ledger.read(Store.answer, posting.answer), Review(archive)
        reply = await asyncio.to_thread(_revised, record, review) if record else None
        if record and reply and review.mark != posting.mark:
            return record, reply, review
        await self._ledger.write_own(Store.note_review, posting, review.digests, claim)
        return None

    async def _edit(self, archive: Archive, claim: Claim) -> bool:
        channel, message = json.loads(claim.payload)
        posting = await self._ledger.read_own(Store.posting, channel, message)
        if posting is None:
            await self._ledger.write_own(Store.forget_posting, channel, message, claim)
            return True
        async with self._inbox.locked(channel, posting.origin or message):
            try:
                return await self._redraw(archive, channel, message, claim)
            except AwayError as error:
                log.warning("a posted answer could not be edited, and will be: %s", error)
                await self._ledger.write(Store.release, claim, spent=False)
            except asyncio.CancelledError:
                await asyncio.shield(self._ledger.write(Store.release, claim, spent=False))
                raise
            except Exception:
                log.exception("a posted answer could not be edited")
                await self._ledger.write(Store.release, claim)
        return False

    async def _redraw(self, archive: Archive, channel: str, message: str, claim: Claim) -> bool:
        """Edit a message as its answer is now; raise ``AwayError`` where the store cannot be read."""
        posting = await self._ledger.read_own(Store.posting, channel, message)
        if posting is None:
            raise AwayError("the store does not say what it shows")
        due = await self._due(archive, posting, claim)
        if due is None:
            return True
        record, reply, review = due
        fate = "withdrawn" if Fate.WITHDRAWN in review.fates else "changed" if review.mark else "restored"
        reply = await asyncio.to_thread(self._service.add_page_links, reply)
        drawing = await self._transport.redraw(posting, record, reply)
        try:
            await self._transport.edit(posting, drawing)
        except HopelessError as error:
            log.warning("a posted answer in %s cannot be edited: %s", channel, error)
            if fate == "withdrawn":  # it shows words that were removed
                await self._transport.delete(channel, message)
            await self._ledger.write_own(Store.forget_posting, channel, message, claim)
            return True
        await self._ledger.write_own(Store.note_review, replace(posting, mark=review.mark), review.digests, claim)
        EDITED.labels(self._platform, fate).inc()
        log.info("a posted answer was edited: %s, number %d", fate, posting.answer)
        await asyncio.sleep(self._edit_rate.edit)
        return True


def _revised(record: AnswerRecord, review: Review) -> Reply | None:
    """Return what a posted answer is now; ``None`` where it cites nothing, or another archive."""
    with review.archive.snapshot():
        reply = reviewed(json.loads(record.reply), review)
    withdrawn = Fate.WITHDRAWN in review.fates
    return None if Fate.UNKNOWN in review.fates and not withdrawn else reply
