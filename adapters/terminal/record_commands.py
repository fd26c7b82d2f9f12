"""The console's commands on what the store keeps; each loads what it needs when it is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from adapters.settings import Settings
from bot.visible import visible_line

if TYPE_CHECKING:
    from adapters.storage.store import Store
    from bot.desk import Desk

WRONG = 2

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


class UnreadableStoreError(click.ClickException):
    """The store cannot be opened, or has not what is wanted; in words."""

    exit_code = WRONG


def register(group: click.Group, settings: Callable[[], Settings], desk: Callable[[tuple[str, ...]], Desk]) -> None:
    """Add the commands to ``group``; ``settings`` reads the settings, ``desk`` opens one over the articles named."""
    group.add_command(_feedback(settings))
    group.add_command(_audit(settings))
    group.add_command(_watches(settings))
    group.add_command(_replay(settings, desk))


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


def _watches(settings: Callable[[], Settings]) -> click.Command:
    @click.command()
    @click.option("--end", type=click.IntRange(1), metavar="NUMBER", help="End the standing question of that number.")
    def watches(end: int | None) -> None:
        """List the standing questions of all channels, or end one."""
        with opened(settings()) as store:
            held = {watch.id: watch for watch in store.watches()}
            if end is not None:
                if end not in held:
                    raise UnreadableStoreError(f"There is no standing question number {end}.")
                store.end_watch(end)
                held = {end: held[end]}
        for number, watch in held.items():
            place = visible_line(f"{watch.platform} {watch.target}, asked for by {watch.person}")
            click.echo(f"{'ended: ' if end else ''}{number}. {visible_line(watch.words)} ({place})")
        if not held:
            click.echo("There are no standing questions. /watch in Slack or on Discord makes one.")

    return watches


def _audit(settings: Callable[[], Settings]) -> click.Command:
    @click.command()
    @json_option
    @click.option("--last", metavar="N", type=click.IntRange(1), default=50, help="How many; the newest 50 by default.")
    @click.option("--words", is_flag=True, help="Show the title and the words of each place too.")
    def audit(last: int, *, as_json: bool, words: bool) -> None:
        """Show what was answered: when, where, to whom, what was asked, and each place that was shown.

        What platforms, the page and the terminal (ask, chat and the commands, no batch) answered is kept for
        STET_KEEP_DAYS.
        """
        from adapters.terminal import audit as told  # noqa: PLC0415 - not needed by --help

        with opened(settings()) as store:
            answers = store.last_answers(last)
        told.show_log(answers, as_json=as_json, words=words)

    return audit


def _replay(settings: Callable[[], Settings], desk: Callable[[tuple[str, ...]], Desk]) -> click.Command:
    @click.command()
    @click.argument("number", metavar="ID", type=click.IntRange(1))
    @click.option("--articles", "paths", multiple=True, metavar="PATH", help="As for `stet ask`.")
    @json_option
    def replay(number: int, paths: tuple[str, ...], *, as_json: bool) -> None:
        """Ask again what was answered under ID in `stet audit`: the same, or what has changed; then the status is 1."""
        from adapters.terminal import audit as told  # noqa: PLC0415 - not needed by --help

        with opened(settings()) as store:
            given = store.answer(number)
        if given is None:
            raise UnreadableStoreError(f"There is no answer {number}, or none any more. `stet audit` lists them.")
        found = told.replay(desk(paths), given)
        told.show_replay(number, given, found, as_json=as_json)
        if not found.same:
            sys.exit(1)

    return replay


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """Give the store that the settings name; ``UnreadableStoreError`` where it cannot be used."""
    from adapters.storage.store import Store, StoreError  # noqa: PLC0415 - not needed by --help

    try:
        with Store.of(settings) as store:
            yield store
    except StoreError as error:
        raise UnreadableStoreError(str(error)) from error
