"""The commands that change the archive, and those that save it and bring it back."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

import click

import retrieval
from adapters import articles, backup as backups
from adapters.articles import changing, open_archive_of
from adapters.background import FEEDS_PAUSE_SECONDS, follow_all
from adapters.settings import Fault, Settings, discreet
from adapters.terminal.options import InputError, articles_option, with_settings
from adapters.terminal.text import waiting
from bot import messages, source_lines, verbatim
from bot.escaping import escape_line

SECONDS_TO_ENCODE = 0.014  # a sentence, by one processor
MOST_NAMED = 10  # changed articles that are listed by title
WEB = ("http://", "https://")
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*|www\.\S+", re.IGNORECASE)


class InterruptError(click.ClickException):
    """The person stopped the command; the message says how far it got."""

    exit_code = 130  # the exit status of shells for Ctrl-C: 128 and SIGINT


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="PATH|ADDRESS...", type=click.Path())
@with_settings
def add(settings: Settings, sources: tuple[str, ...]) -> None:
    """Add files, folders and web pages to the archive, or follow feeds. Unchanged articles are skipped."""
    urls = [source for source in sources if source.startswith(WEB)]
    paths = [_local_path(source) for source in sources if source not in urls]
    left_out: list[retrieval.Rejected] = []
    searched_samples = articles.uses_seeds(settings)
    with _sigterm_as_interrupt(), articles.opened_to_add(settings) as archive:
        results = [_add_files(settings, archive, paths, left_out)] if paths else []
        follower = retrieval.Follower(archive, retrieval.Fetcher(), zone=settings.zone)
        looks = [_add_page(follower, url, left_out) for url in urls]
        results += [look.taken for look in looks]
        if paths or not all(look.unchanged for look in looks):
            _report(archive, results, left_out)
        if searched_samples and not archive.is_untouched():
            click.echo("From now on this archive is searched, and the samples are not.")
        _fill_vectors(settings, archive)
    if left_out and not any(chain.from_iterable(results)):
        raise click.exceptions.Exit(1)


def _fill_vectors(settings: Settings, archive: retrieval.PersistentArchive) -> None:
    """Make the vectors that articles lack; say first how many and how long, if that is worth waiting for."""
    models = articles.meaning(settings)
    if not models or not (missing := len(archive.unencoded())):
        return
    stored = len(archive.listed()) + len(archive.waiting())
    sentences = archive.vocabulary().size() * missing / max(stored, 1)
    minutes = sentences * SECONDS_TO_ENCODE / (os.cpu_count() or 1) / 60
    count, about = messages.count(missing, "article"), messages.count(round(minutes), "minute")
    if minutes >= 1:
        click.echo(f"Making the vectors of {count}, by which meanings are compared: about {about}.")
    try:
        articles.fill_vectors(archive, models)
    except KeyboardInterrupt as stop:
        raise InterruptError(f"Stopped. {without_vectors(len(archive.unencoded()))}") from stop


def without_vectors(number: int) -> str:
    count = messages.count(number, "article")
    return f"{count} can be found by words but not by meaning yet: `stet reindex` makes the missing vectors."


def _local_path(source: str) -> Path:
    """Return a path that is the same whatever folder the command runs in; ``InputError`` for other addresses."""
    if ADDRESS.match(source) and not Path(source).exists():
        name = escape_line(discreet(source))
        raise InputError(f"{name} is not a web address. Use one that starts with https:// or http://.")
    if HOST.fullmatch(source) and not Path(source).exists():
        name = escape_line(source)
        raise InputError(f"There is no file or folder {name}. If it is a web address, write https://{name}.")
    return Path(source).resolve()


def _add_files(
    settings: Settings, archive: retrieval.PersistentArchive, paths: Sequence[Path], left_out: list[retrieval.Rejected]
) -> retrieval.IngestResult:
    loaded = retrieval.load_articles(paths, settings.zone)
    left_out.extend(loaded.rejected)
    articles.log_rejected(*loaded.rejected)
    try:
        with articles.progress(len(loaded.articles)) as advance:
            return retrieval.ingest_articles(archive, loaded.articles, advance, articles.reject_into(left_out))
    except KeyboardInterrupt as stop:
        count = sum(archive.known(archive.identified(loaded.articles)))
        how_far = f"Stopped after {count} of {len(loaded.articles)} articles."
        raise InterruptError(f"{how_far} Run the command again to add the rest.") from stop


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _add_page(follower: retrieval.Follower, url: str, left_out: list[retrieval.Rejected]) -> retrieval.FeedResult:
    try:
        with waiting(f"Fetching {discreet(url)}"):
            look = follower.add(url)
    except retrieval.ArticleError as error:
        look = retrieval.FeedResult(url, left_out=[(discreet(url), error)])
    articles.log_rejected(*look.left_out)
    left_out.extend(look.left_out)
    if look.unchanged:
        since = "it was last checked"
        if look.news is not None:
            day = messages.day(datetime.fromtimestamp(look.news, UTC).date())
            since = f"{day}, when it last had new articles"
        click.echo(f"{escape_line(look.url)} has not changed since {since}.")
    return look


@click.command()
@click.option("--once", is_flag=True, help="Check what is due now, then stop.")
@with_settings
def follow(settings: Settings, *, once: bool) -> None:
    with (
        changing(open_archive_of(settings, existing=not settings.feeds)) as archive,
        closing(retrieval.Follower(archive, retrieval.Fetcher(), zone=settings.zone)) as follower,
    ):
        follow_all(follower, settings.feeds)
        if not archive.subscriptions.every():
            raise InputError("You don't follow any feeds yet. Use `stet add ADDRESS`, or set STET_FEEDS.")
        while True:
            for look in follower.look(None if once else FEEDS_PAUSE_SECONDS):
                articles.log_rejected(*look.left_out)
                if look.trouble:
                    click.echo(f"{escape_line(look.url)}: {escape_line(look.trouble)}")
                elif look.taken.added or look.taken.changed:
                    _report(archive, [look.taken], look.left_out)
            articles.publish_removals(archive)
            _fill_vectors(settings, archive)
            if once:
                return
            time.sleep(min(follower.pause(), FEEDS_PAUSE_SECONDS))


def _report(
    archive: retrieval.PersistentArchive, results: list[retrieval.IngestResult], left_out: list[retrieval.Rejected]
) -> None:
    every = retrieval.IngestResult(*(tuple(chain.from_iterable(ids)) for ids in zip(*results, strict=True)))
    counts = [f"{len(ids)} {outcome}" for outcome, ids in every._asdict().items()]
    if missing := sum(not isinstance(error, retrieval.ArticleWarning) for _, error in left_out):
        counts.append(f"{missing} left out")
    click.echo(f"{', '.join(counts)}; {_article_count(archive)} in {escape_line(str(archive.path))}.")
    changed = list(dict.fromkeys(every.changed))
    for article_id in changed[:MOST_NAMED]:
        citation = verbatim.article(archive, article_id)
        click.echo(f"  changed: {escape_line(source_lines.titled(citation) if citation else article_id)}")
    if len(changed) > MOST_NAMED:
        click.echo(f"  and {len(changed) - MOST_NAMED} more")
    reported = frozenset(chain.from_iterable(every))
    for line in _embargoes(article for article in archive.waiting() if article.id in reported):
        click.echo(f"{line}.")


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="ID|ADDRESS...")
@with_settings
def remove(settings: Settings, names: tuple[str, ...]) -> None:
    """Remove articles from the archive with all their versions, and list their copies; or stop following a feed."""
    is_cluster = retrieval.is_opensearch(settings.archive)
    opened: retrieval.ClusterArchive | retrieval.PersistentArchive
    opened = articles.open_cluster_of(settings) if is_cluster else open_archive_of(settings, existing=True)
    with changing(opened) as archive:
        # removals that a killed process began; they are published when this block ends
        unfinished = {name for each in archive.retirements.unfinished() for name in (each.article, each.url)}
        feeds = archive.subscriptions
        followed = [feed.url for feed in feeds.every() if feed.url in names] if feeds else []
        named = [name for name in names if name not in followed]
        # all are looked up first, so that one wrong name removes nothing
        versions = {name: _versions(archive, name) for name in named}
        for name in named:
            if not versions[name] and name not in unfinished:
                place = escape_line(archive.place)
                hint = "Nothing was removed: `stet sources` lists the ids."
                raise InputError(f"There is no article {escape_line(name)} in {place}. {hint}")
        for name in followed:
            if feeds:
                feeds.remove(name)
            click.echo(f"Stopped following {escape_line(discreet(name))}.")
        for name in unfinished.intersection(named):
            if is_cluster:
                archive.remove(name)
            click.echo(f"Finished the removal of {escape_line(discreet(name))}, which had been interrupted.")
        for article_id in dict.fromkeys(version.id for version in chain.from_iterable(versions.values())):
            _remove(archive, article_id)
    if is_cluster:
        click.echo("Remove it from the archive that fills the cluster too: else the next `stet fill` brings it back.")
        _expunge(settings)


def _versions(archive: retrieval.Archive, name: str) -> Sequence[retrieval.Article | retrieval.Listed]:
    if isinstance(archive, retrieval.PersistentArchive):
        return [reading.article for reading in archive.versions(name)]
    return [listed for listed in archive.listed(named=[name]) for _ in archive.history(listed.id)]


def _remove(archive: retrieval.Archive, article_id: str) -> None:
    versions, listed = _versions(archive, article_id), archive.listed(named=[article_id])
    archive.remove(article_id)
    click.echo(f"Removed {_name(versions[-1])}, {messages.count(len(versions), 'version')}.")
    if copies := sorted({other for each in listed for other in each.copies} - {article_id}):
        click.echo(f"The archive still has copies of it: {escape_line(', '.join(copies))}.")


@click.command()
@click.option(
    "--from-files", is_flag=True, help="Read unchanged files again first, and store what this version makes of them."
)
@with_settings
def reindex(settings: Settings, *, from_files: bool) -> None:
    """Rebuild the index of the archive.

    Articles that another version of Stet read are read again, and missing vectors are made.
    --from-files is for articles that an earlier version read less cleanly. It is no correction: nobody is told.
    """
    with changing(open_archive_of(settings, existing=True)) as archive, _sigterm_as_interrupt():
        if from_files:
            _renew(settings, archive)
        stale = len({*archive.stale(), *archive.unreadable()})
        if stale:
            with articles.progress(stale) as advance:
                retrieval.reparse_stale(archive, advance, articles.reject_into([]))
            click.echo(f"Read {messages.count(stale, 'article')} again.")
        with waiting("Rebuilding the index"):
            archive.reindex()
        click.echo(f"Rebuilt the index of {_article_count(archive)} in {escape_line(str(archive.path))}.")
        _fill_vectors(settings, archive)


def _renew(settings: Settings, archive: retrieval.PersistentArchive) -> None:
    total = sum(map(len, archive.by_path().values()))
    unread: list[retrieval.Rejected] = []
    with articles.progress(total) as advance:
        renewal = retrieval.renew_from_files(archive, settings.zone, advance, articles.reject_into(unread))
    articles.log_rejected(*renewal.rejected)
    click.echo(f"Renewed {len(renewal.renewed)} of {messages.count(total, 'article')} from their files.")
    for reason, ids in renewal.left.items():
        more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
        names = escape_line(", ".join(ids[:MOST_NAMED]))
        click.echo(f"  {messages.count(len(ids), 'article')} not renewed ({reason}): {names}{more}.")


def _article_count(archive: retrieval.PersistentArchive) -> str:
    return messages.count(sum(outlet.articles for outlet in archive.outlets()), "article")


def report(settings: Settings) -> Iterable[str]:
    """Yield what ``stet check`` says of the archive."""
    path = articles.archive_path(settings)
    if not path.exists():
        yield f"Archive: none yet in {path}. `stet add` makes one."
        return
    with closing(open_archive_of(settings)) as archive:
        yield _state(settings, archive)
        if settings.articles:
            yield "  It is not searched: STET_ARTICLES or --articles names other articles."
        yield from map(Fault, (*archive.damaged(), *articles.outdated(archive)))
        if missing := len(archive.unencoded()) if articles.meaning(settings) else 0:
            yield Fault(without_vectors(missing))
        if overdue := archive.overdue():
            yield Fault(overdue)
        today = datetime.now(UTC).date()
        for outlet in archive.outlets():
            days = (outlet.first, outlet.last) if outlet.first and outlet.last else None
            awaited = today if outlet.is_awaited(today) else None
            yield f"  {messages.outlet(escape_line(outlet.source), outlet.articles, days, awaited)}"
        for article in archive.waiting():
            if article.embargo:
                yield f"  {_name(article)} is {messages.embargo_notice(article.embargo)}."
        for feed in archive.subscriptions.every():
            line = f"  Feed {discreet(feed.url)}: {feed.trouble or 'followed'}"
            yield Fault(line) if feed.trouble else line


def _state(settings: Settings, archive: retrieval.PersistentArchive) -> str:
    sentences = messages.count(archive.vocabulary().size(), "sentence")
    size = f"Archive: {_article_count(archive)}, {sentences} in {archive.path}"
    if fault := archive.fault():
        return Fault(f"{size}; the file is damaged ({fault}). Restore it from a copy.")
    if archive.outlets() or archive.waiting() or archive.subscriptions.every():
        return f"{size}; the file is intact."
    until = " Until then, the samples are searched." if articles.uses_seeds(settings) else ""
    return Fault(f"Archive: no articles in {archive.path}. `stet add PATH` adds some.{until}")


def _name(article: retrieval.Article | retrieval.Listed) -> str:
    return escape_line(f"“{article.title}” ({article.id})" if article.title else article.id)


@click.command()
@articles_option
@click.option(
    "--from", "file", metavar="FILE", type=click.Path(path_type=Path), help="Copy an archive that `stet add` made."
)
@with_settings
def fill(settings: Settings, paths: tuple[str, ...], file: Path | None) -> None:
    """Fill the archive in OpenSearch with articles. Until all are there, questions search its previous contents."""
    if file and paths:
        raise InputError("Give either --articles or --from FILE, not both.")
    archive: retrieval.WritableArchive
    if file:
        if not file.is_file():
            raise InputError(f"There is no archive {escape_line(str(file))}: `stet add` makes one.")
        archive = open_archive_of(replace(settings, archive=str(file.absolute())))
    else:
        archive, _ = articles.read_articles(replace(settings, articles=paths) if paths else settings)
    with closing(archive):
        articles.fill_vectors(archive, articles.meaning(settings))
        index, outlets = articles.open_index_of(settings), archive.outlets()
        if not outlets:
            raise retrieval.NoArticlesError(f"There is no article in {archive.place} that can be asked.")
        with articles.progress(sum(outlet.articles for outlet in outlets), "filling") as advance:
            retrieval.fill(index, archive, advance, keep=file is None)  # what is copied brings its versions with it
        click.echo(articles.cluster_report(settings))
        if isinstance(archive, retrieval.PersistentArchive):
            for line in left_out(archive):
                click.echo(f"  {archive.path.name}: {line}")
    _expunge(settings)


def left_out(archive: retrieval.PersistentArchive) -> Iterator[str]:
    """Say what of an archive is of another version of the program, and what a cluster gets none of."""
    yield from articles.outdated(archive)
    for line in _embargoes(archive.waiting()):
        yield f"{line}, and left out: fill again after it."


def _embargoes(articles: Iterable[retrieval.Article]) -> Iterator[str]:
    for until, embargoed in groupby(articles, attrgetter("embargo")):
        yield f"{messages.count(len(tuple(embargoed)), 'article')} {messages.embargo_notice(until)}"


def _expunge(settings: Settings) -> None:
    with waiting("Deleting what is gone from the cluster's disks"):
        is_done = retrieval.expunge(articles.open_index_of(settings))
    if not is_done:
        state = "Deleted words are still on the cluster's disks"
        click.echo(f"{state}: see whether it is green, then run `stet fill` again.")


folder_argument = click.argument("folder", type=click.Path(path_type=Path))


@click.command()
@folder_argument
@with_settings
def backup(settings: Settings, folder: Path) -> None:
    """Save the archive, the state and the settings without secrets in FOLDER, also while Stet runs.

    A backup that is there is replaced once the new one is complete.
    """
    _print_report("Saving", backups.save(settings, folder.resolve()))


@click.command()
@folder_argument
@click.option("--replace", "replaces", is_flag=True, help="Replace the archive and the state that are there.")
@click.option("--with-removed", is_flag=True, help="Also bring back articles that were removed since the backup.")
@with_settings
def restore(settings: Settings, folder: Path, *, replaces: bool, with_removed: bool) -> None:
    """Put the archive and the state that `stet backup` saved in FOLDER in their places. Stop Stet first.

    Articles that the present archive has removed since stay removed.
    """
    lines = backups.restore(settings, folder.resolve(), replaces=replaces, with_removed=with_removed)
    _print_report("Restoring", lines)


def _print_report(doing: str, lines: Iterable[str]) -> None:
    try:
        with waiting(doing):
            report = "\n".join(lines)
    except OSError as error:
        raise InputError(f"{error.filename} cannot be used: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise InputError(f"SQLite stopped: {error}.") from error
    click.echo(report)
