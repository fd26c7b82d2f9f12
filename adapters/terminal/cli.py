"""The console script ``stet``: one small function a command, each loading only what it needs.

``stet --help`` imports neither spaCy nor a platform's SDK.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from adapters import __version__
from adapters.settings import SettingsError, debugging
from adapters.terminal import archive_commands, record_commands
from adapters.terminal.archive_commands import WrongUsage, settings_or_usage, translated
from bot.visible import visible_line
from retrieval import collect_seldom

if TYPE_CHECKING:
    from bot.desk import Desk
    from bot.model import Reply


T = TypeVar("T")

articles_option = click.option(
    "--articles",
    "paths",
    multiple=True,
    metavar="PATH",
    help="A file or folder of articles; may be given several times."
    " Default: STET_ARTICLES, else what was added, else the seeds.",
)
source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME",
    help="Look through the articles of this outlet alone; may be given several times.",
)
since_option = click.option(
    "--since",
    metavar="DAY|SPAN",
    default="",
    help="Look through what was published since then: 2025-01-31, 30d, 2 weeks, 6 months. Default: STET_SINCE.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")


@dataclass(frozen=True, slots=True)
class Scope:
    """Which articles a command looks through: where they lie, of which outlets they are, and since when."""

    paths: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    since: str = ""


def scoped(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command the options that bound its articles, as its ``scope``."""

    @wraps(command)
    def given(*args: object, paths: tuple[str, ...], sources: tuple[str, ...], since: str, **others: object) -> T:
        return command(*args, scope=Scope(paths, sources, since), **others)

    return articles_option(source_option(since_option(given)))


def explain(error: Exception) -> None:
    """Print to standard error what went wrong and what to do; with STET_DEBUG the traceback too."""
    if debugging():
        traceback.print_exception(error)
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return
        case click.NoSuchOption(ctx=click.Context(command_path=path)):
            message = (
                f"{error.format_message()} `{path} --help` lists them. Put -- before words that begin with a dash."
            )
        case click.UsageError(ctx=click.Context(command_path=path)):
            message = f"{error.format_message()} `{path} --help` says what there is."
        case click.ClickException():
            message = error.format_message()
        case _:
            message = f"something went wrong ({type(error).__name__}: {error}). STET_DEBUG=1 shows where."
    first, *others = map(visible_line, message.splitlines() or [""])
    click.echo("\n".join((f"stet: {first}", *others)), err=True)


WHOLE = 1000  # characters of a command's help in the list of commands: all of it
INTERRUPTED = 130  # 128 and SIGINT, as shells have it


class DeskGroup(click.Group):
    """``stet``'s own commands, and one for each row of the desk's table, so that no list of them stands here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return every name, in the order of the alphabet."""
        from bot.commands.table import TABLE  # noqa: PLC0415 - not needed by the commands that stand here

        return sorted({*super().list_commands(ctx), *(row.name for row in TABLE)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name."""
        return super().get_command(ctx, cmd_name) or _desk_command(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every command with the whole of its help, in lines as long as fit."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(WHOLE)) for name, command in commands if command])


def _desk_command(name: str) -> click.Command | None:
    from bot.commands.table import TABLE  # noqa: PLC0415 - as above

    row = next((row for row in TABLE if row.name == name), None)
    if row is None:
        return None
    usage = row.usage.partition(" ")[2]

    @click.command(name, help=row.help, options_metavar="[OPTIONS]")
    @click.argument("words", nargs=-1, metavar=usage)
    @scoped
    @json_option
    def command(words: tuple[str, ...], scope: Scope, *, as_json: bool) -> None:
        from adapters.terminal import asking  # noqa: PLC0415 - as above

        reply = _desk_over(scope).whole(name, " ".join(words))
        asking.show(reply, as_json=as_json)
        _keep(f"/{name} {' '.join(words)}".strip(), None, reply)

    return command


@click.group(cls=DeskGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="stet")
def cli() -> None:
    """Ask a newsroom's own articles; get their sentences, word for word, with source, speaker and caveat."""


def _desk(paths: tuple[str, ...]) -> Desk:
    return _desk_over(Scope(paths))


def _desk_over(scope: Scope) -> Desk:
    from adapters.compose import open_desk  # noqa: PLC0415 - loads the reading and its libraries

    settings = settings_or_usage()
    with translated():
        asked = replace(settings, articles=scope.paths or settings.articles, since=scope.since or settings.since)
        return open_desk(asked, sources=scope.sources)


def _keep(text: str, previous: str | None, reply: Reply) -> None:
    from adapters.terminal.asking import TERMINAL, keep  # noqa: PLC0415 - loads the state
    from bot.model import Question  # noqa: PLC0415 - as above

    keep(settings_or_usage(), Question(text, previous, place=TERMINAL), reply)


@cli.command()
@click.argument("question", nargs=-1)
@scoped
@json_option
@click.option("--batch", metavar="FILE", help="Answer a file of questions, one JSON object a line.")
@click.option("--previous", metavar="QUESTION", help="The question before, which this one follows up.")
@click.option("--explain", is_flag=True, help="Show every candidate sentence, and why it was ranked so.")
def ask(
    question: tuple[str, ...],
    scope: Scope,
    batch: str | None,
    previous: str | None,
    **flags: bool,
) -> None:
    """Answer QUESTION with sentences of the articles."""
    from adapters.terminal import asking  # noqa: PLC0415 - as above

    if batch and question:
        raise WrongUsage("Give a question or --batch FILE, not both.")
    if batch and (previous or flags["explain"]):
        raise WrongUsage('With --batch, "previous" stands in each line of the file, and nothing is explained.')
    if batch:
        rows = asking.read_batch(Path(batch))
        asking.answer_batch(_desk_over(scope), rows)
        return
    text = " ".join(question)
    if not text.strip():
        raise WrongUsage('Ask a question: stet ask "how many people were evacuated?"')
    reply = asking.answer(_desk_over(scope), text, previous, as_json=flags["as_json"], explain=flags["explain"])
    _keep(text, previous, reply)


@cli.command("eval")
@click.argument("questions", metavar="QUESTIONS", type=click.Path(path_type=Path))
@articles_option
@json_option
def evaluate(questions: Path, paths: tuple[str, ...], *, as_json: bool) -> None:
    """Score the answers to a file of golden QUESTIONS (TOML, or JSON lines)."""
    from adapters.evaluation import evaluating  # noqa: PLC0415 - as above

    golden = evaluating.read(questions)
    evaluating.show(_desk(paths), golden, as_json=as_json)


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
@click.option(
    "--explain", is_flag=True, help="Name the rule that spoke for each sentence, and the parts of each score."
)
@click.option("--html", metavar="FILE", type=click.Path(path_type=Path), help="Draw it as a web page, into a file.")
def read(paths: tuple[str, ...], html: Path | None, *, as_json: bool, explain: bool) -> None:
    """Show how the bot reads articles: sentences, names, speakers, caveats and what each covers."""
    from adapters import compose  # noqa: PLC0415 - as above
    from adapters.terminal import asking  # noqa: PLC0415 - as above

    with translated():
        readings = compose.read(replace(settings_or_usage(), articles=paths))
    if html:
        from adapters.terminal import browsing  # noqa: PLC0415 - as above

        browsing.write(readings, html)
        return
    asking.show_readings(readings, as_json=as_json, explain=explain)


@cli.command()
@scoped
@click.option("--jsonl", is_flag=True, hidden=True)
def export(scope: Scope, *, jsonl: bool) -> None:
    """Print what was read in the articles held, one a line, for other programs (docs/reading.v1.schema.json)."""
    from adapters.terminal import asking  # noqa: PLC0415 - as above

    del jsonl
    asking.export(_desk_over(scope))


@cli.command()
@scoped
def chat(scope: Scope) -> None:
    """Ask question after question at a prompt, with history and the slash commands."""
    from adapters import background  # noqa: PLC0415 - as above
    from adapters.terminal import console  # noqa: PLC0415 - as above

    desk = _desk_over(scope)
    with background.prepared_while_idle(desk):
        console.chat(desk, settings_or_usage())


@cli.command()
@click.option("--all", "everything", is_flag=True, help="Show every setting too.")
def check(*, everything: bool) -> None:
    """Say what is wrong, what is configured, what is missing for each platform, and where to get it."""
    from adapters.settings import Fault  # noqa: PLC0415 - as above
    from adapters.terminal.configuration_check import report  # noqa: PLC0415 - as above
    from adapters.terminal.stdout import put  # noqa: PLC0415 - as above
    from adapters.terminal.text import plain  # noqa: PLC0415 - as above

    settings = settings_or_usage()
    for text in report(settings, everything=everything):
        line = visible_line(text)
        put(plain(f"[!] {line}", "bold red") if isinstance(text, Fault) else plain(line), unbroken=True)


@cli.command()
@articles_option
@click.option(
    "--from", "file", metavar="FILE", type=click.Path(path_type=Path), help="Copy an archive that `stet add` keeps."
)
def fill(paths: tuple[str, ...], file: Path | None) -> None:
    """Fill the archive in OpenSearch with articles; until all are there, what it held before is asked."""
    from adapters import cluster, compose  # noqa: PLC0415 - as above

    if file and paths:
        raise WrongUsage("Give --articles or --from FILE, not both.")
    settings = settings_or_usage()
    with translated():
        if file:
            click.echo(cluster.copy(settings, file))
            return
        stock = compose.read_articles(replace(settings, articles=paths) if paths else settings)
        click.echo(cluster.fill(settings, stock.archive, stock.aliases))


@cli.command()
@articles_option
def slack(paths: tuple[str, ...]) -> None:
    """Serve Slack until stopped."""
    _serve(("slack",), paths)


@cli.command()
@articles_option
@click.option("--sync", is_flag=True, help="Register the commands with Discord anew, changed or not.")
def discord(paths: tuple[str, ...], *, sync: bool) -> None:
    """Serve Discord until stopped."""
    _serve(("discord",), paths, sync=sync)


@cli.command()
@articles_option
def run(paths: tuple[str, ...]) -> None:
    """Serve every platform that has its tokens, and keep the archive up with its feeds, until stopped."""
    _serve((), paths)


@cli.command()
@articles_option
@click.option("--link", is_flag=True, help="Only print the address that opens all of it.")
def page(paths: tuple[str, ...], *, link: bool) -> None:
    """Serve the page that shows articles as they were read, until stopped."""
    if link:
        from adapters.terminal import browsing  # noqa: PLC0415 - as above

        browsing.show_entrance(settings_or_usage())
        return
    _serve(("page",), paths)


@cli.command()
@scoped
def mcp(scope: Scope) -> None:
    """Serve an assistant on this machine, by the Model Context Protocol over standard input and output."""
    import asyncio  # noqa: PLC0415 - as above
    from importlib.util import find_spec  # noqa: PLC0415 - the same

    from adapters import background  # noqa: PLC0415 - as above
    from adapters.terminal.configuration_check import how_to_install  # noqa: PLC0415 - as above

    if not find_spec("mcp"):
        raise WrongUsage(f"The library is not installed. {how_to_install('mcp')}")
    from adapters.mcp.service import serve_own  # noqa: PLC0415 - as above

    desk = _desk_over(scope)
    with background.prepared_while_idle(desk):
        asyncio.run(serve_own(desk, settings_or_usage()))


def _serve(wanted: tuple[str, ...], paths: tuple[str, ...], *, sync: bool = False) -> None:
    from adapters import background, platforms  # noqa: PLC0415 - as above

    settings = settings_or_usage()
    try:
        wires = platforms.wires(platforms.addressed(settings, wanted), wanted)
    except platforms.NotSetUpError as error:
        raise WrongUsage(str(error)) from error
    if sync:
        from adapters.discord.service import resync  # noqa: PLC0415 - as above

        resync(settings)
    desk = _desk(paths)
    try:
        with background.prepared_while_idle(desk):
            served = replace(settings, articles=paths or settings.articles)
            status = platforms.serve(wires, desk, served, feeds=not wanted)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error  # a port may be free when it is started again
    sys.exit(status)


for command in archive_commands.COMMANDS:
    cli.add_command(command)
record_commands.register(cli, settings_or_usage)


def main() -> None:
    """Run ``stet``: a failure is a sentence on standard error, and no traceback unless STET_DEBUG=1."""
    collect_seldom()
    if logging.lastResort:  # what is logged while nothing serves: a line of ours, like any other
        logging.lastResort.setFormatter(logging.Formatter("stet: %(message)s"))
    try:
        status = cli.main(prog_name="stet", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        explain(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # the reader has gone; keep the interpreter from complaining when it flushes what is left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the last resort, so that no traceback reaches a user
        explain(error)
        sys.exit(1)
    sys.exit(status or 0)
