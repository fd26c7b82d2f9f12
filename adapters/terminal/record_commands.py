"""The console's commands on what the store keeps; each loads what it needs when it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from adapters.settings import Settings

if TYPE_CHECKING:
    from adapters.storage.store import Store

WRONG = 2

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


class UnreadableStoreError(click.ClickException):
    """The store cannot be opened, in words."""

    exit_code = WRONG


def register(group: click.Group, settings: Callable[[], Settings]) -> None:
    """Add the commands to ``group``; ``settings`` reads those that name the store."""
    group.add_command(_feedback(settings))


def _feedback(settings: Callable[[], Settings]) -> click.Command:
    @click.command()
    @json_option
    @click.option("--as-golden", is_flag=True, help="Print what was judged right as questions for `stet eval`.")
    @click.option(
        "--as-reading-gold", is_flag=True, help="Print what readers of the page flagged as gold of the reading (TOML)."
    )
    def feedback(**flags: bool) -> None:
        """Show what people thought of answers, and what they say was read wrongly, with reason and date."""
        from adapters.terminal import feedback_report, flag_report  # noqa: PLC0415 - not needed by --help

        with opened(settings()) as store:
            judged = [feedback_report.Judged(*row) for row in store.judged()]
            flagged = store.flags()
        if flags["as_reading_gold"]:
            flag_report.show_gold(flagged)
            return
        feedback_report.show(judged, as_json=flags["as_json"], as_golden=flags["as_golden"])
        if not flags["as_golden"]:
            flag_report.show(flagged, as_json=flags["as_json"])

    return feedback


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """Give the store that the settings name; ``UnreadableStoreError`` where it cannot be used."""
    from adapters.storage.store import Store, StoreError, default_path  # noqa: PLC0415 - not needed by --help

    try:
        with Store(settings.state or default_path(), settings.keep_days) as store:
            yield store
    except StoreError as error:
        raise UnreadableStoreError(str(error)) from error
