"""``stet add``, ``remove`` and ``reindex``: what becomes of the lasting archive, in words on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from adapters import compose
from adapters.settings import Settings
from bot import messages
from bot.visible import visible_line
from retrieval import LastingArchive, Rejected, Taken, load_articles, take_in


class NotHeldError(click.ClickException):
    """What is to be removed is not in the archive."""

    exit_code = 2


def add(settings: Settings, paths: Sequence[str]) -> None:
    """Put the articles of files and folders into the archive, and say what became of them."""
    # a file is known again by where it lies, from whatever folder it is named
    loaded = load_articles([Path(path).resolve() for path in paths])
    left_out = list(loaded.rejected)
    for place, error in loaded.rejected:
        compose.name(place, error)
    with compose.opened_archive(settings) as archive, compose.progress(len(loaded.articles)) as advance:
        taken = take_in(archive, loaded.articles, settings.spacy_model, advance, compose.leaving_out(left_out))
        _say(archive, taken, left_out)


def _say(archive: LastingArchive, taken: Taken, left_out: Sequence[Rejected]) -> None:
    told = [
        f"{len(ids)} {words}"
        for ids, words in ((taken.added, "added"), (taken.changed, "changed"), (taken.unchanged, "unchanged"))
    ]
    if left_out:
        told.append(f"{len(left_out)} left out")
    held = sum(outlet.articles for outlet in archive.outlets())
    click.echo(f"{', '.join(told)}; {messages.count(held, 'article')} in {visible_line(str(archive.path))}.")


def remove(settings: Settings, named: Sequence[str]) -> None:
    """Take articles out of the archive, by id or address, with every version; name the copies that are left."""
    with compose.opened_archive(settings) as archive:
        meant = {name: archive.meant(name) for name in named}
        for name, ids in meant.items():
            if not ids:
                raise NotHeldError(f"There is no article {visible_line(name)} in {archive.path}.")
        for article_id in dict.fromkeys(article_id for ids in meant.values() for article_id in ids):
            _remove(settings, archive, article_id)


def _remove(settings: Settings, archive: LastingArchive, article_id: str) -> None:
    copies = archive.copies(article_id)
    compose.forget_vectors(settings, archive.sentences(article_id))
    archive.remove(article_id)
    click.echo(f"{visible_line(article_id)} is removed.")
    if copies:
        click.echo(f"Copies of it are held: {visible_line(', '.join(copies))}.")


def reindex(settings: Settings) -> None:
    """Build index and names of the archive anew."""
    with compose.opened_archive(settings) as archive:
        archive.reindex()
        _say_whole(archive.path, sum(outlet.articles for outlet in archive.outlets()))


def _say_whole(path: Path, held: int) -> None:
    click.echo(f"The index of {messages.count(held, 'article')} in {visible_line(str(path))} is built anew.")


def report(settings: Settings) -> Iterable[str]:
    """Yield what ``stet check`` says of the archive: how much is held, of whom, and whether it is whole."""
    path = compose.archive_path(settings)
    if not path.exists():
        yield f"Archive: none yet in {path}; `stet add` makes it."
        return
    with compose.opened_archive(settings) as archive:
        fault = archive.fault()
        outlets = archive.outlets()
        held = messages.count(sum(outlet.articles for outlet in outlets), "article")
        state = f"the file is damaged ({fault}): restore it from a copy" if fault else "the file is whole"
        yield f"Archive: {held}, {archive.size():,} sentences in {path}; {state}."
        if not archive.fits():
            yield "  It was indexed by another version of the program or of names.toml: `stet reindex` builds it anew."
        yield from (f"  {messages.silence(outlet, messages.today())}" for outlet in outlets)
