"""The commands that ask and read: questions or articles -> replies or readings on standard output.

An answer given in the terminal is kept in the state, where ``stet audit`` finds it beside those of every platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from bot.escape_controls import escape_line

from adapters import compose, json_contract
from adapters.evaluation import evaluating
from adapters.export import reading as reading_line
from adapters.settings import Settings
from adapters.storage.answer_record import asked
from adapters.storage.store import Store, StoreError
from adapters.terminal import browsing
from adapters.terminal.options import (
    WRONG,
    Scope,
    WrongUsage,
    articles_option,
    json_option,
    scoped,
    settings_or_usage,
    translated,
)
from bot import verbatim
from bot.command import Command
from bot.model import Message, Place, Question, Reply
from bot.service import QuestionService
from retrieval import BATCH, ArticleError, Reading, decode, read_bytes, read_json

TERMINAL = Place("terminal")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a batch: ``id`` comes back with the reply."""

    id: str | int
    question: Question


class BatchError(click.ClickException):
    """A batch that cannot be answered, or one line of it."""

    exit_code = WRONG


def read_batch(path: Path) -> tuple[Row, ...]:
    """Return all questions of a file; ``BatchError`` names the first line that is wrong, before any is answered."""
    try:
        # a line ends at a line feed: U+2028 and its like may stand in JSON as they are
        lines = decode(read_bytes(path, BATCH)).split("\n")
    except ArticleError as error:
        raise BatchError(f"{path} cannot be read. {error}") from error
    rows = tuple(_row(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip())
    if not rows:
        raise BatchError(f"{path} holds no question.")
    return rows


def _row(place: str, line: str) -> Row:
    try:
        value = read_json(line)
    except ArticleError as error:
        raise BatchError(f"{place}: {error}") from error
    if not isinstance(value, dict):
        raise BatchError(f"{place} is not a JSON object.")
    identity, text, previous = value.get("id"), value.get("question"), value.get("previous")
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise BatchError(f'{place} has no "id".')
    if not isinstance(text, str):
        raise BatchError(f'{place} has no "question".')
    if previous is not None and not isinstance(previous, str):
        raise BatchError(f'{place}: "previous" is neither null nor a question.')
    return Row(identity, Question(text, previous))


def answer_batch(service: QuestionService, rows: Iterable[Row]) -> None:
    """Print one line a question, in order."""
    for row in rows:
        click.echo(json_contract.line({"id": row.id, **json_contract.reply(service.answer(row.question))}))


def _answer(service: QuestionService, text: str, previous: str | None, *, as_json: bool, explain: bool) -> Reply:
    """Print the reply to one question, and return it; with ``explain``, every candidate and its parts after it."""
    question = Question(text, previous)
    reply = service.answer(question)
    show(reply, as_json=as_json)
    if explain:
        for line in service.explain(question):
            click.echo(escape_line(line), err=as_json)
    return reply


def show(reply: Reply, *, as_json: bool) -> None:
    """Print a reply: JSON on one line, or drawn for a person."""
    if as_json:
        click.echo(json_contract.line(json_contract.reply(reply)))
        return
    from adapters.terminal.stdout import put  # noqa: PLC0415 - rich is of no use to machines
    from adapters.terminal.text import draw  # noqa: PLC0415

    put(draw(reply))


def show_readings(readings: Sequence[Reading], *, as_json: bool, explain: bool) -> None:
    """Print readings: JSON, one article a line, or set out for a person."""
    if as_json:
        for reading in readings:
            click.echo(json_contract.line(json_contract.reading(reading)))
        return
    from adapters.terminal.proof import proof  # noqa: PLC0415
    from adapters.terminal.stdout import put  # noqa: PLC0415 - as above

    for reading in readings:
        put(proof(reading, explain=explain))


def keep(settings: Settings, service: QuestionService, question: Question, reply: Reply) -> None:
    """Keep what was answered; nobody's answer depends on it, and what is only said to a reader is not kept."""
    if isinstance(reply, Message):
        return
    try:
        with Store.of(settings) as store:
            store.record_answer(asked(question, question.text, reply, service.holdings_for(question).scope))
    except StoreError as error:
        click.echo(escape_line(f"stet: the answer is not kept: {error}"), err=True)


def service_over(scope: Scope) -> QuestionService:
    """Return the desk over the articles of a scope; errors are failures in words."""
    settings = settings_or_usage()
    with translated():
        bounded = replace(settings, articles=scope.paths or settings.articles, since=scope.since or settings.since)
        return compose.open_service(bounded, sources=scope.sources)


def chat_command(row: Command) -> click.Command:
    """Return the console's command for a command of the chat."""
    usage = row.usage.partition(" ")[2]

    @click.command(row.name, help=row.help, options_metavar="[OPTIONS]")
    @click.argument("words", nargs=-1, metavar=usage)
    @scoped
    @json_option
    def command(words: tuple[str, ...], scope: Scope, *, as_json: bool) -> None:
        service = service_over(scope)
        reply = service.command_in_full(row.name, " ".join(words))
        show(reply, as_json=as_json)
        keep(settings_or_usage(), service, Question(f"/{row.name} {' '.join(words)}".strip(), place=TERMINAL), reply)

    return command


@click.command()
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
    if batch and question:
        raise WrongUsage("Give a question or --batch FILE, not both.")
    if batch and (previous or flags["explain"]):
        raise WrongUsage('With --batch, "previous" stands in each line of the file, and nothing is explained.')
    if batch:
        rows = read_batch(Path(batch))
        answer_batch(service_over(scope), rows)
        return
    text = " ".join(question)
    if not text.strip():
        raise WrongUsage('Ask a question: stet ask "how many people were evacuated?"')
    service = service_over(scope)
    reply = _answer(service, text, previous, as_json=flags["as_json"], explain=flags["explain"])
    keep(settings_or_usage(), service, Question(text, previous, place=TERMINAL), reply)


@click.command("eval")
@click.argument("questions", metavar="QUESTIONS", type=click.Path(path_type=Path))
@articles_option
@json_option
def evaluate(questions: Path, paths: tuple[str, ...], *, as_json: bool) -> None:
    """Score the answers to a file of golden QUESTIONS (TOML, or JSON lines)."""
    golden = evaluating.read(questions)
    evaluating.show(service_over(Scope(paths)), golden, as_json=as_json)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
@click.option(
    "--explain", is_flag=True, help="Name the rule that spoke for each sentence, and the parts of each score."
)
@click.option("--html", metavar="FILE", type=click.Path(path_type=Path), help="Draw it as a web page, into a file.")
def read(paths: tuple[str, ...], html: Path | None, *, as_json: bool, explain: bool) -> None:
    """Show how the bot reads articles: sentences, names, speakers, caveats and what each covers."""
    with translated():
        readings = compose.read(replace(settings_or_usage(), articles=paths))
    if html:
        browsing.write(readings, html)
        return
    show_readings(readings, as_json=as_json, explain=explain)


@click.command()
@scoped
@click.option("--jsonl", is_flag=True, hidden=True)
def export(scope: Scope, *, jsonl: bool) -> None:
    """Print what was read in the articles held, one a line, for other programs (docs/reading.v1.schema.json)."""
    del jsonl
    with service_over(scope).seen(Question("")).archive.snapshot() as archive:
        for listed in archive.listed():
            read = verbatim.reading(archive, listed.id)
            if read is not None:  # else it is damaged, and the log says so
                click.echo(json_contract.line(reading_line(read)))
