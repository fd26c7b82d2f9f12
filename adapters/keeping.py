"""Settings -> the store that outlasts restarts."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from adapters.settings import Settings
from adapters.store import Store

FILE = "stet.sqlite3"


def open_store(settings: Settings) -> Store:
    """Open the file that the settings name, else the one in the user's data directory; raises ``StoreError``."""
    path = Path(settings.state) if settings.state else user_data_path("stet", appauthor=False) / FILE
    return Store(path, settings.keep_days)
