"""A line of the terminal -> a question, and its reply on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from adapters import background
from adapters.settings import Settings
from adapters.storage.answer_record import is_confident
from adapters.terminal.asking import TERMINAL, keep, service_over
from adapters.terminal.options import Scope, scoped, settings_or_usage
from adapters.terminal.stdout import put
from adapters.terminal.text import draw, plain
from bot import references
from bot.model import Answer, Question
from bot.outline import outline
from bot.service import QuestionService

PROMPT = "stet> "
LEAVE = ("/quit", "/exit", "quit", "exit")
WELCOME = "Ask a question. /help lists the commands, Tab completes names, /more and /context 1 go on, /quit leaves."
ENOUGH = 20  # names offered for completion at once


@click.command()
@scoped
def chat(scope: Scope) -> None:
    """Ask question after question at a prompt, with history and the slash commands."""
    service = service_over(scope)
    with background.prepared_while_idle(service):
        converse(service, settings_or_usage())


def converse(service: QuestionService, settings: Settings) -> None:
    """Answer line after line until the end of input or /quit, and keep what was answered."""
    previous: str | None = None
    more, state = "", ""  # of what is on the screen
    if sys.stdin.isatty():
        put(plain(WELCOME, "dim"))
    for typed in _lines(service):
        if typed in LEAVE:
            return
        line = f"/more {more}" if typed.removeprefix("/") == "more" else typed
        question = Question(line, previous, place=TERMINAL, shown=state)
        reply = service.answer(question)
        put(draw(reply))
        put("")
        keep(settings, service, question, reply)
        if outline(reply).extracts:
            more, state = (reply.more if isinstance(reply, Answer) else ""), references.state_of(reply)
        if not line.startswith("/") and not references.is_reference(line) and is_confident(reply):
            previous = line


def _lines(service: QuestionService) -> Iterator[str]:
    """Return lines from a prompt with history and completion, or from a pipe as they are."""
    lines: Iterable[str] = _prompted(service) if sys.stdin.isatty() else sys.stdin
    for line in lines:
        if line.strip():
            yield line.strip()


def _prompted(service: QuestionService) -> Iterator[str]:
    session: PromptSession[str] = PromptSession(history=FileHistory(str(_history())), completer=NameCompleter(service))
    while True:
        try:
            yield session.prompt(PROMPT)
        except (EOFError, KeyboardInterrupt):
            return


def _history() -> Path:
    folder = user_state_path("stet", ensure_exists=True)
    return folder / "history"


class NameCompleter(Completer):
    """Completes commands at the start of a line, and names anywhere."""

    def __init__(self, service: QuestionService) -> None:
        self._service = service

    def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:  # noqa: ARG002
        """Yield what the word before the cursor may become."""
        line, word = document.text_before_cursor, document.get_word_before_cursor(WORD=True)
        if line.startswith("/") and " " not in line:
            names = ("/" + command.name for command in self._service.commands())
            yield from (Completion(name, -len(line)) for name in names if name.startswith(line))
        elif word:
            yield from (Completion(name, -len(word)) for name in self._service.complete_names(word, ENOUGH))
