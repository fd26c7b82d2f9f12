"""``stet chat``: questions at a prompt, or line by line from a pipe."""

import sys
from collections.abc import Iterable, Iterator

import click
from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from adapters import background
from adapters.answer_record import is_confident
from adapters.settings import Settings, load
from adapters.terminal.asking import TERMINAL, service_over, store_answer
from adapters.terminal.options import Bounds, bounds_options
from adapters.terminal.text import Drawing, plain, put
from bot import references
from bot.commands.command_table import TABLE
from bot.model import Answer, NoAnswer, Question
from bot.outline import outline
from bot.service import QuestionService

PROMPT = "stet> "
QUIT = ("/quit", "/exit", "quit", "exit")
WELCOME = "Ask a question. /help lists the commands. Tab completes names, /more and /context 1 show more, /quit leaves."
MOST_NAMES = 20  # offered for completion at once


@click.command()
@bounds_options
def chat(bounds: Bounds) -> None:
    service = service_over(bounds)
    with background.prepared_while_idle(service):
        converse(service, load())


def converse(service: QuestionService, settings: Settings) -> None:
    """Answer line after line until the end of input or /quit, and store the answers."""
    previous: str | None = None
    more, state = "", ""  # of the last reply with extracts
    lines: Iterable[str] = _typed_lines(service) if sys.stdin.isatty() else sys.stdin
    for typed in filter(None, map(str.strip, lines)):
        if typed in QUIT:
            return
        line = f"/more {more}" if typed.removeprefix("/") == "more" else typed
        question = Question(line, previous, place=TERMINAL, shown=state, brief=True)
        reply = service.answer(question)
        put(Drawing(reply, form="`/{}`"))
        put("")
        store_answer(settings, service, question, reply)
        if outline(reply).extracts or isinstance(reply, NoAnswer):
            more = reply.more if isinstance(reply, Answer | NoAnswer) else ""
            state = references.state_of(reply) or state
        if not line.startswith("/") and not references.is_reference(line) and is_confident(reply):
            previous = line


def _typed_lines(service: QuestionService) -> Iterator[str]:
    put(plain(WELCOME, "dim"))
    history = FileHistory(str(user_state_path("stet", ensure_exists=True) / "history"))
    session: PromptSession[str] = PromptSession(history=history, completer=NameCompleter(service))
    while True:
        try:
            yield session.prompt(PROMPT)
        except (EOFError, KeyboardInterrupt):
            return


class NameCompleter(Completer):
    """Completes commands at the start of a line, and names anywhere."""

    def __init__(self, service: QuestionService) -> None:
        self._service = service

    def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:  # noqa: ARG002
        line, word = document.text_before_cursor, document.get_word_before_cursor(WORD=True)
        if line.startswith("/") and " " not in line:
            names = ("/" + command.name for command in TABLE)
            yield from (Completion(name, -len(line)) for name in names if name.startswith(line))
        elif word:
            yield from (Completion(name, -len(word)) for name in self._service.complete_names(word, MOST_NAMES))
