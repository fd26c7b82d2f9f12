"""One question, one reply. Whatever goes wrong, the asker gets a sentence; the log gets the rest."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from bot import voice
from bot.answering import answer, explain
from bot.commands import TABLE, Command, find, spoken
from bot.errors import BrokenStateError, UnknownCommandError
from bot.holdings import Holdings
from bot.model import Message, Question, Reply
from bot.policy import Policy

log = logging.getLogger(__name__)

NOBODY_REFUSED = Policy()


class Desk:
    """Answers questions from what is held. Synchronous, and safe to call from several threads at once."""

    def __init__(self, holdings: Holdings, policy: Policy = NOBODY_REFUSED) -> None:
        self.holdings = holdings
        self._policy = policy

    def answer(self, question: Question) -> Reply:
        """Return the reply to a question, or to a command typed as one ("/who kuleba"). Never raises."""
        return self._guarded(question, lambda: self._answer(question))

    def command(self, name: str, argument: str, question: Question) -> Reply:
        """Return the reply to a command by name; ``question`` says who asks, and where. Never raises."""
        return self._guarded(question, lambda: find(name).run(self.holdings, argument.strip()), words=argument)

    def commands(self) -> tuple[Command, ...]:
        """Return the table of commands."""
        return TABLE

    def names(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        """Return names that complete ``prefix``, from memory."""
        return self.holdings.archive.names(prefix, limit)

    def explain(self, question: Question) -> Iterator[str]:
        """Give each candidate for an answer with its parts, a line each, best first."""
        return explain(self.holdings, question)

    def _answer(self, question: Question) -> Reply:
        command = spoken(self.holdings, question.text)
        if command:
            return command.command.run(self.holdings, command.argument)
        if not question.text.strip():
            return Message(voice.EMPTY_QUESTION)
        return answer(self.holdings, question)

    def _guarded(self, question: Question, make: Callable[[], Reply], words: str | None = None) -> Reply:
        try:
            if self._policy.refuses(question):
                return Message(voice.REFUSED)
            if len(question.text if words is None else words) > voice.LONGEST_QUESTION:
                return Message(voice.TOO_LONG)
            return make()
        except UnknownCommandError as error:
            return Message(voice.unknown_command(str(error)))
        except BrokenStateError:
            return Message(voice.CHANGED)
        except Exception:
            log.exception("a question was not answered")
            return Message(voice.FAILED)
