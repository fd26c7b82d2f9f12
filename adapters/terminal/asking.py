"""The commands that answer questions and read articles.

An answer in the terminal is stored, so ``stet audit`` lists it with those of every platform.
"""

import sys
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import click

from adapters import articles, json_contract
from adapters.answer_record import new_record
from adapters.articles import open_archive_of, require_archive
from adapters.settings import Settings, load
from adapters.storage.store import Store, StoreError
from adapters.terminal.options import Bounds, InputError, articles_option, bounds_options, json_option, loaded, writing
from adapters.terminal.reports import draw_benchmark, draw_reading, draw_scores, figures
from adapters.terminal.text import Drawing, put, waiting
from bot import messages, verbatim
from bot.command import Command
from bot.escaping import as_csv, escape_line
from bot.evaluation import golden
from bot.evaluation.benchmarks import ARTICLES, BENCHMARKS, record, run_benchmark
from bot.evaluation.evaluate import evaluate as evaluate_answers
from bot.model import Message, Place, Question, Reply
from bot.service import QuestionService

TERMINAL = Place("terminal")
ALL = "all"  # of the public tests
BatchQuestion = tuple[str | int, Question]  # with the id that is repeated with the reply


def read_batch(path: Path) -> list[BatchQuestion]:
    """Return the questions of a file; an error names the first wrong line, before any question is answered."""
    rows: list[BatchQuestion] = []
    for place, value in golden.json_rows(path):
        identity, text, previous = value.get("id"), value.get("question"), value.get("previous")
        if not isinstance(identity, str | int) or isinstance(identity, bool):
            raise InputError(f'{place} has no "id". Give it a word or a number.')
        if not isinstance(text, str):
            raise InputError(f'{place} has no "question". Give it a text.')
        if previous is not None and not isinstance(previous, str):
            raise InputError(f'{place}: "previous" is neither null nor a text. Correct it or leave it out.')
        rows.append((identity, Question(text, previous)))
    if not rows:
        raise InputError(f'{path} has no questions. Write one on each line: {{"id": 1, "question": "…"}}.')
    return rows


def show(reply: Reply, *, as_json: bool) -> None:
    if as_json:
        click.echo(json_contract.line(json_contract.reply(reply)))
    else:
        put(Drawing(reply))


def store_answer(settings: Settings, service: QuestionService, question: Question, reply: Reply) -> None:
    """Store an answer for the audit; a failure is reported and harms nothing else."""
    if isinstance(reply, Message):  # no answer: a remark for the reader
        return
    try:
        with Store.of(settings) as store:
            store.record_answer(new_record(question, question.text, reply, service.library_for(question).scope))
    except StoreError as error:
        click.echo(escape_line(f"stet: The answer was not stored. {error}"), err=True)


def service_over(bounds: Bounds, *, serving: bool = False) -> QuestionService:
    """Return what answers questions from the articles within ``bounds``; ``serving``, it may wait for the first one."""
    settings = loaded()
    bounded = replace(settings, articles=bounds.paths or settings.articles, since=bounds.since or settings.since)
    if bounded.feeds and not (serving or bounded.articles):
        require_archive(bounded)
    return articles.open_service(bounded, sources=bounds.sources)


def chat_command(row: Command) -> click.Command:
    @click.command(row.name, help=row.help, options_metavar="[OPTIONS]")
    @click.argument("words", nargs=-1, metavar=row.usage.partition(" ")[2])
    @bounds_options
    @json_option
    @click.option("--csv", "as_csv", is_flag=True, hidden=row.rows is None, help="Print all figures as CSV.")
    def command(words: tuple[str, ...], bounds: Bounds, *, as_json: bool, as_csv: bool) -> None:
        service = service_over(bounds)
        if as_csv:
            _print_table(row, service, " ".join(words))
            return
        with waiting("Searching"):
            reply = service.command_in_full(row.name, " ".join(words))
        if reply == Message(messages.NO_SUCH_QUOTATION):  # no answer comes before a command of a shell
            reply = Message(messages.NO_ANSWER_BEFORE)
        show(reply, as_json=as_json)
        question = Question(f"/{row.name} {' '.join(words)}".strip(), place=TERMINAL)
        store_answer(load(), service, question, reply)

    return command


def _print_table(row: Command, service: QuestionService, words: str) -> None:
    if row.rows is None:
        raise InputError(f"`stet {row.name}` has no table. Leave out --csv.")
    try:
        with service.library.archive.snapshot():
            click.echo(as_csv(row.rows(service.library, words)), nl=False)
    except ValueError as error:
        raise InputError(messages.NO_PERIOD) from error


@click.command()
@click.argument("question", nargs=-1)
@bounds_options
@json_option
@click.option("--batch", metavar="FILE", help="Answer a file of questions: JSON with “id” and “question” per line.")
@click.option("--previous", metavar="QUESTION", help="The question that this one follows up.")
@click.option("--explain", is_flag=True, help="Also show every candidate sentence and the parts of its rank.")
def ask(question: tuple[str, ...], bounds: Bounds, batch: str | None, previous: str | None, **flags: bool) -> None:
    """Answer QUESTION with sentences from the articles."""
    if batch and question:
        raise InputError("Give either a question or --batch FILE, not both.")
    if batch and (previous or flags["explain"]):
        raise InputError('--batch takes neither --previous nor --explain. Write "previous" in the lines of the file.')
    if batch:
        rows = read_batch(Path(batch))
        service = service_over(bounds)
        with _progress_of_lines(len(rows), "asking") as advance:
            for identity, asked in rows:
                click.echo(json_contract.line({"id": identity, **json_contract.reply(service.answer(asked))}))
                advance()
        return
    text = " ".join(question)
    if not text.strip():
        raise InputError('Ask a question: stet ask "how many people were evacuated?"')
    service = service_over(bounds)
    asking = Question(text, previous, brief=not flags["as_json"])
    with waiting("Searching"):
        reply = service.answer(asking)
    show(reply, as_json=flags["as_json"])
    if flags["explain"]:
        for line in service.explain(asking):
            click.echo(escape_line(line), err=flags["as_json"])
    store_answer(load(), service, replace(asking, place=TERMINAL), reply)


@click.command("eval")
@click.argument("questions", metavar="QUESTIONS|TEST", type=click.Path(path_type=Path))
@click.argument("file", required=False, type=click.Path(path_type=Path))
@articles_option
@json_option
@click.option("--record", "to", metavar="PATH", type=click.Path(path_type=Path), help="Store the figures of a test.")
def evaluate(questions: Path, file: Path | None, paths: tuple[str, ...], to: Path | None, *, as_json: bool) -> None:
    """Score the answers to a file of golden QUESTIONS (TOML or JSON lines).

    "stet eval TEST [FILE]" runs a public test instead, on its own cases or on those of FILE: caveats, cuts, premises or
    speakers. The questions of "premises FILE" are asked of your articles. "stet eval all" runs the four; it records
    them in a folder.
    """
    if (test := str(questions)) == ALL and file:
        raise InputError("`stet eval all` takes no FILE: each test has cases of its own form.")
    if test in BENCHMARKS or test == ALL:
        for name in BENCHMARKS if test == ALL else (test,):
            _run_test(name, file, paths, to / f"{name}.json" if to and test == ALL else to, as_json=as_json)
        return
    golden_questions = golden.load(questions)
    service = service_over(Bounds(paths))
    with waiting(f"Asking {messages.count(len(golden_questions), 'question')}"):
        result = evaluate_answers(service, golden_questions)
    if as_json:
        click.echo(json_contract.line(figures(result)))
    else:
        put(draw_scores(result))


def _run_test(test: str, file: Path | None, paths: tuple[str, ...], to: Path | None, *, as_json: bool) -> None:
    asked = paths if file or paths else (str(ARTICLES),)
    with waiting(f"Running the test of {test}"):
        shares = run_benchmark(test, file, lambda: service_over(Bounds(asked)))
    recorded = json_contract.line(record(test, file, shares))
    if to:
        with writing(to):
            to.write_text(f"{recorded}\n", encoding="utf-8")
    click.echo(recorded if as_json else draw_benchmark(shares))


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@json_option
@click.option("--explain", is_flag=True, help="Show the rule behind each decision and the parts of each score.")
@click.option("--html", metavar="FILE", type=click.Path(path_type=Path), help="Write a web page to FILE instead.")
def read(paths: tuple[str, ...], html: Path | None, *, as_json: bool, explain: bool) -> None:
    readings, left_out = articles.read(replace(load(), articles=paths))
    if html:
        with writing(html):
            html.write_text(import_module("adapters.page.rendering").file(readings), encoding="utf-8")
        return
    for reading in readings:
        beside = left_out.get(reading.article.id, ())
        if as_json:
            click.echo(json_contract.line(json_contract.reading(reading, beside)))
        else:
            put(draw_reading(reading, beside, explain=explain))


@click.command()
@bounds_options
@click.option("--embargoed", is_flag=True, help="Print only the articles under embargo, which are left out else.")
def export(bounds: Bounds, *, embargoed: bool) -> None:
    """Print what was read in each article as JSON lines, for other programs (docs/reading.v1.schema.json)."""
    if embargoed:
        if bounds != Bounds():
            raise InputError("--embargoed takes the whole archive. Leave out the other options.")
        with closing(open_archive_of(loaded(), existing=True)) as whole, whole.snapshot():
            for article in whole.waiting():
                for version in whole.versions(article.id):
                    if version.article == article and version.passages:  # else it is damaged, as `stet check` says
                        click.echo(json_contract.line(json_contract.export(version)))
        return
    service = service_over(bounds)
    with service.library_for(Question("")).archive.snapshot() as archive:
        every = archive.listed()
        with _progress_of_lines(len(every), "writing") as advance:
            for listed in every:
                reading = verbatim.reading(archive, listed.id)
                if reading is not None:  # else it is damaged, and the log says so
                    click.echo(json_contract.line(json_contract.export(reading)))
                advance()


def _progress_of_lines(total: int, doing: str) -> AbstractContextManager[articles.Advance]:
    """Give a progress bar, unless the lines themselves appear on the terminal."""
    return nullcontext(lambda: None) if sys.stdout.isatty() else articles.progress(total, doing)
