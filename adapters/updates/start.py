"""Start what edits or posts without being asked, and what takes up unfinished questions."""

from __future__ import annotations

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, every
from adapters.chat.transport import D, R
from adapters.settings import Settings
from adapters.storage.claims import RENEW_SECONDS
from adapters.updates.alerts import CorrectionAlerts, SilenceAlerts
from adapters.updates.revising import Pace, Reviser
from adapters.updates.watching import Watcher


def start_updates(tasks: Tasks, inbox: Inbox[R, D], settings: Settings, pace: Pace, unfinished: float) -> None:
    """Start what posts or edits unasked, and what takes up unfinished questions every ``unfinished`` seconds."""
    tasks.start(every(RENEW_SECONDS, inbox.ledger.renew, "claims could not be renewed"))
    tasks.start(every(unfinished, inbox.take_up, "unfinished questions could not be taken up"))
    tasks.start(Reviser(inbox, pace).run())
    tasks.start(SilenceAlerts(inbox, settings).run())
    tasks.start(CorrectionAlerts(inbox, settings).run())
    tasks.start(Watcher(inbox, settings.watch_hourly).run())
