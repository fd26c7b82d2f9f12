"""``stet add``, ``watch``, ``remove`` and ``reindex``: what becomes of the lasting archive, in words."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click
from bot.escape_controls import escape_line

from adapters import cluster, compose
from adapters.cluster import open_cluster_of
from adapters.keeping_up import LOOK, follow
from adapters.lasting import archive_path, changing, open_archive_of, opened_archive, outdated
from adapters.settings import Fault, Settings, discreet
from adapters.stored_reply import publish_removals
from adapters.terminal.options import WrongUsage, articles_option, with_settings
from bot import citing, messages, verbatim
from retrieval import (
    Article,
    ArticleError,
    Fetcher,
    Follower,
    Look,
    Outlet,
    PersistentArchive,
    Rejected,
    Taken,
    is_opensearch,
    load_articles,
    read_anew,
    take_in,
)

if TYPE_CHECKING:
    from retrieval import ClusterArchive  # loads its library

    Held = PersistentArchive | ClusterArchive

NAMED = 10  # articles that have changed, by title
WEB = ("http://", "https://")
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*", re.IGNORECASE)


class NotHeldError(click.ClickException):
    """What is named is not there."""

    exit_code = 2


class StoppedError(click.ClickException):
    """Who ran the command has stopped it; what is done by then is said."""

    exit_code = 130  # 128 and SIGINT, as shells have it


@click.command()
@click.argument("given", nargs=-1, required=True, metavar="PATH|ADDRESS...")
@with_settings
def add(settings: Settings, given: tuple[str, ...]) -> None:
    """Add files, folders and web pages to the archive, and follow feeds; unchanged articles are skipped."""
    urls = [each for each in given if each.startswith(WEB)]
    for each in given:
        _refuse_other_addresses(each)
    # a file is known again by where it lies, from whatever folder it is named
    paths = [Path(each).resolve() for each in given if not each.startswith(WEB)]
    left_out: list[Rejected] = []
    with opened_archive(settings) as archive, _terminable():
        looks = [_files(settings, archive, paths, left_out)] if paths else []
        follower = Follower(archive, Fetcher(), zone=settings.zone)
        heard = [_page(follower, url, left_out) for url in urls]
        taken = looks + [look.taken for look in heard]
        if paths or not all(look.unchanged for look in heard):
            _say(archive, taken, left_out)
    if left_out and not any(each.added or each.changed or each.unchanged for each in taken):
        raise click.exceptions.Exit(1)


def _refuse_other_addresses(given: str) -> None:
    """Raise ``NotHeldError`` where an address was meant that is no web address, and no file or folder either."""
    if given.startswith(WEB) or Path(given).exists():
        return
    if ADDRESS.match(given):
        raise NotHeldError(f"{escape_line(discreet(given))} is no web address: one begins with https:// or http://.")
    if HOST.fullmatch(given):
        named = escape_line(given)
        raise NotHeldError(f"There is no file or folder {named}. If it is a web address, write https://{named}.")


def _files(settings: Settings, archive: PersistentArchive, paths: Sequence[Path], left_out: list[Rejected]) -> Taken:
    loaded = load_articles(paths, settings.zone)
    left_out.extend(loaded.rejected)
    for place, error in loaded.rejected:
        compose.name(place, error)
    try:
        with compose.progress(len(loaded.articles)) as advance:
            return take_in(archive, loaded.articles, advance, compose.leaving_out(left_out))
    except KeyboardInterrupt as stop:
        put = sum(archive.known(archive.identified(loaded.articles)))
        raise StoppedError(f"Stopped: {put} of {len(loaded.articles)} are in; run it again for the rest.") from stop


@contextmanager
def _terminable() -> Iterator[None]:
    """Have SIGTERM interrupt what is inside as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _page(follower: Follower, url: str, left_out: list[Rejected]) -> Look:
    try:
        look = follower.add(url)
    except ArticleError as refusal:
        look = Look(url, left_out=((discreet(url), refusal),))
    for place, error in look.left_out:
        compose.name(place, error)
    left_out.extend(look.left_out)
    if look.unchanged:
        click.echo(f"{escape_line(look.url)} has not changed since {_last(look.news)}.")
    return look


def _last(news: float | None) -> str:
    """Return when a feed last brought articles, in words."""
    if news is None:
        return "it was last looked at, and brought nothing then"
    return f"{messages.day(datetime.fromtimestamp(news, UTC).date())}, when it last brought articles"


@click.command()
@click.option("--once", is_flag=True, help="Look at what is due now, and end.")
@with_settings
def watch(settings: Settings, *, once: bool) -> None:
    """Look at the feeds that are followed, each when it is due, until stopped."""
    with (
        opened_archive(settings) as archive,
        closing(Follower(archive, Fetcher(), zone=settings.zone)) as follower,
    ):
        follow(follower, settings.feeds)
        if not archive.subscriptions.every():
            raise NotHeldError("No feed is followed: name one in STET_FEEDS, or with `stet add ADDRESS`.")
        while True:
            for look in follower.look(None if once else LOOK):
                _say_look(archive, look)
            publish_removals(archive)
            if once:
                return
            time.sleep(min(follower.pause(), LOOK))


def _say_look(archive: PersistentArchive, look: Look) -> None:
    for place, error in look.left_out:
        compose.name(place, error)
    if look.trouble:
        click.echo(f"{escape_line(look.url)}: {escape_line(look.trouble)}")
    elif look.taken.added or look.taken.changed:
        _say(archive, [look.taken], look.left_out)


def _say(archive: PersistentArchive, looks: Sequence[Taken], left_out: Sequence[Rejected]) -> None:
    told = [
        f"{sum(len(getattr(taken, became)) for taken in looks)} {became}"
        for became in ("added", "changed", "unchanged")
    ]
    if left_out:
        told.append(f"{len(left_out)} left out")
    click.echo(f"{', '.join(told)}; {_held(archive)} in {escape_line(str(archive.path))}.")
    changed = list(dict.fromkeys(article_id for taken in looks for article_id in taken.changed))
    for article_id in changed[:NAMED]:
        citation = verbatim.article(archive, article_id)
        click.echo(f"  changed: {escape_line(citing.titled(citation) if citation else article_id)}")
    if len(changed) > NAMED:
        click.echo(f"  and {len(changed) - NAMED} more")
    _say_waiting(archive, {*chain.from_iterable((*taken.added, *taken.changed, *taken.unchanged) for taken in looks)})


def _say_waiting(archive: PersistentArchive, ids: Collection[str]) -> None:
    """Say how many of these articles are under an embargo, and until when."""
    waiting = (article for article in archive.waiting() if article.id in ids)
    for until, articles in groupby(waiting, attrgetter("embargo")):
        click.echo(f"{messages.count(len(list(articles)), 'article')} {messages.held_until(until)}.")


@click.command()
@click.argument("named", nargs=-1, required=True, metavar="ID|ADDRESS...")
@with_settings
def remove(settings: Settings, named: tuple[str, ...]) -> None:
    """Remove articles from the archive, every version, and name their copies; or stop following a feed."""
    with changing(_opened(settings)) as archive:
        # by a process that was killed, and published when this ends
        unfinished = {name for each in archive.retirements.unfinished() for name in (each.article, each.url)}
        feeds = archive.subscriptions
        followed = [feed.url for feed in feeds.every() if feed.url in named] if feeds else []
        articles = [name for name in named if name not in followed]
        ids = _meant(archive, [name for name in articles if name not in unfinished or archive.meant(name)])
        for name in followed:
            if feeds:
                feeds.remove(name)
            click.echo(f"{escape_line(discreet(name))} is followed no longer.")
        for name in unfinished.intersection(articles):
            click.echo(f"What was left of {escape_line(discreet(name))} is cleared away.")
        for article_id in ids:
            _remove(settings, archive, article_id)


def _opened(settings: Settings) -> Held:
    return open_cluster_of(settings) if is_opensearch(settings.archive) else open_archive_of(settings)


def _meant(archive: Held, named: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the articles that are to go; ``NotHeldError`` where there is none of a name."""
    meant = {name: archive.meant(name) for name in named}
    for name, ids in meant.items():
        if not ids:
            raise NotHeldError(f"There is no article {escape_line(name)} in {escape_line(archive.place)}.")
    return tuple(dict.fromkeys(chain.from_iterable(meant.values())))


def _remove(settings: Settings, archive: Held, article_id: str) -> None:
    held, copied = archive.versions(article_id), archive.copies_of(article_id)
    encoder = compose.meaning(settings)
    if encoder:
        encoder.forget(tuple(p.sentence.span.of(reading.article.text) for reading in held for p in reading.passages))
    archive.remove(article_id)
    told = f", {messages.count(len(held), 'version')} of it" if held else ""
    click.echo(f"{_named(held[-1].article) if held else escape_line(article_id)} is removed{told}.")
    if copied:
        click.echo(f"Copies of it are held: {escape_line(', '.join(copied))}.")


@click.command()
@with_settings
def reindex(settings: Settings) -> None:
    """Build the index of the archive anew, from the articles and what was read in them."""
    with opened_archive(settings) as archive:
        stale = len({*archive.stale(), *archive.unreadable()})
        if stale:
            with compose.progress(stale) as advance:
                read_anew(archive, advance, compose.leaving_out([]))
            click.echo(f"{messages.count(stale, 'article')} read anew.")
        archive.reindex()
        click.echo(f"The index of {_held(archive)} in {escape_line(str(archive.path))} is built anew.")


def _held(archive: PersistentArchive) -> str:
    return messages.count(sum(outlet.articles for outlet in archive.outlets()), "article")


def report(settings: Settings) -> Iterable[str]:
    """Yield what ``stet check`` says of the archive: how much is held, of whom, and whether it is whole."""
    path = archive_path(settings)
    if not path.exists():
        yield f"Archive: none yet in {path}; `stet add` makes it."
        return
    with closing(open_archive_of(settings)) as archive:
        fault = archive.fault()
        outlets = archive.outlets()
        held = messages.count(sum(outlet.articles for outlet in outlets), "article")
        state = f"the file is damaged ({fault}): restore it from a copy" if fault else "the file is whole"
        told = f"Archive: {held}, {archive.vocabulary().size():,} sentences in {path}; {state}."
        yield Fault(told) if fault else told
        if settings.articles:
            yield "  It is not asked: STET_ARTICLES, or --articles, names others."
        yield from map(Fault, (*archive.damaged(), *outdated(archive)))
        if overdue := archive.overdue():
            yield Fault(overdue)
        yield from (f"  {_silence(outlet, datetime.now(UTC).date())}" for outlet in outlets)
        yield from (
            f"  {_named(article)} is {messages.held_until(article.embargo)}."
            for article in archive.waiting()
            if article.embargo
        )
        for feed in archive.subscriptions.every():
            told = f"  Feed {discreet(feed.url)}: {feed.trouble or 'followed'}"
            yield Fault(told) if feed.trouble else told


def _named(article: Article) -> str:
    """Return an article's title, where it has one, and its id, as people are told them."""
    title = f"“{article.title}” ({article.id})" if article.title else article.id
    return escape_line(title)


def _silence(outlet: Outlet, today: date) -> str:
    """Say how many articles there are of an outlet, from when to when, and for how long there has been none."""
    days = (outlet.first, outlet.last) if outlet.first and outlet.last else None
    return messages.outlet(
        escape_line(outlet.source), outlet.articles, days, today if outlet.is_awaited(today) else None
    )


@click.command()
@articles_option
@click.option(
    "--from", "file", metavar="FILE", type=click.Path(path_type=Path), help="Copy an archive that `stet add` keeps."
)
@with_settings
def fill(settings: Settings, paths: tuple[str, ...], file: Path | None) -> None:
    """Fill the archive in OpenSearch with articles; until all are there, what it held before is asked."""
    if file and paths:
        raise WrongUsage("Give --articles or --from FILE, not both.")
    if file:
        click.echo(cluster.copy(settings, file))
        return
    stock = compose.read_articles(replace(settings, articles=paths) if paths else settings)
    click.echo(cluster.fill(settings, stock.archive, stock.aliases))
