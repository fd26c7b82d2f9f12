"""Start what edits or posts without being asked, and what takes up unfinished questions."""

from __future__ import annotations

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, every
from adapters.chat.request import D, R
from adapters.settings import Settings
from adapters.updates.alerts import Alerts
from adapters.updates.revising import EditRate, Reviser
from adapters.updates.watching import Watcher


def start_updates(tasks: Tasks, inbox: Inbox[R, D], settings: Settings, edit_rate: EditRate, unfinished: float) -> None:
    """Start what posts or edits unasked, and what takes up unfinished questions every ``unfinished`` seconds."""
    tasks.start(every(unfinished, inbox.take_up, "unfinished questions could not be taken up"))
    tasks.start(Reviser(inbox, edit_rate).run())
    tasks.start(Alerts(inbox, settings).run())
    tasks.start(Watcher(inbox, settings.watch_hourly).run())
