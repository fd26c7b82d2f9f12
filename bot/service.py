"""One question, one reply. Whatever goes wrong, the asker gets a sentence; the log gets the rest."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import chain, islice, tee
from typing import Any

from bot import messages, references, state
from bot.ask.confidence import SHOWN
from bot.channels import Channels, Policy
from bot.command import Argument, Command, Found, Holdings
from bot.commands.ask import answer, explain, fill
from bot.commands.completion import Completion, Suggestion
from bot.commands.table import TABLE, find, longest, spoken
from bot.errors import BrokenStateError, UnknownCommandError
from bot.escape_controls import without_marks
from bot.link_card import LinkCard, linked
from bot.model import Answer, Citation, Extract, Match, Message, Question, Reply, Revision, Section
from bot.small_talk import small_talk_reply
from bot.standing_questions import news_reply
from retrieval import QUESTION, ArchiveError, Scope

Pages = Callable[[Citation, int], str]


def _with_pages(value: Any, pages: Pages) -> Any:  # noqa: ANN401 - of whatever type: the same comes out
    """Return a reply, or a part of one, with the address that ``pages`` gives of every extract that is shown."""
    if isinstance(value, tuple):
        return tuple(_with_pages(each, pages) for each in value)
    if not isinstance(value, Reply | Section | Match | Extract | Revision):
        return value
    within = {field.name: _with_pages(getattr(value, field.name), pages) for field in fields(value)}
    led = replace(value, **within)
    return replace(led, page=pages(led.citation, led.index)) if isinstance(led, Extract) else led


log = logging.getLogger(__name__)

NOBODY_REFUSED = Policy()
ALL_ALIKE = Channels()
VIEWS = 64  # at hand: of channels that differ, and of a day or two


@dataclass(frozen=True, slots=True)
class View:
    """What is seen from a channel, and what completes what is typed there."""

    holdings: Holdings
    completion: Completion


class QuestionService:
    """Answers questions from what is held. Synchronous, and safe to call from several threads at once.

    ``pages`` gives the address where an extract is shown in its article, where there is a page that shows it.
    ``channels`` says of which sources, and of which days before ``today``, whatever is asked in a channel is answered.
    """

    def __init__(
        self,
        holdings: Holdings,
        policy: Policy = NOBODY_REFUSED,
        pages: Pages | None = None,
        channels: Channels = ALL_ALIKE,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self.holdings = holdings
        self.channels = channels
        self._policy = policy
        self._pages = pages
        self._today = today
        self._views = lru_cache(VIEWS)(self._bounded)

    def _view(self, question: Question | None) -> View:
        """Return what is seen from where a question is asked, and of which days, now."""
        channel = self.channels.of(question.place if question else None)
        scope = Scope(channel.sources, channel.since.first(self._today()) if channel.since else None)
        return self._views(scope.narrowed(question.scope) if question else scope)

    def _bounded(self, scope: Scope) -> View:
        holdings = self.holdings.within(scope)
        return View(holdings, Completion(holdings.archive))

    def seen(self, question: Question) -> Holdings:
        """Return what is seen from where a question is asked."""
        return self._view(question).holdings

    def answer(self, question: Question) -> Reply:
        """Return the reply to a question, or to a command typed as one ("/who kuleba"). Never raises."""
        return self._guarded(question, lambda: self._answer(question))

    def command(self, name: str, argument: str, question: Question) -> Reply:
        """Return the reply to a command by name; ``question`` says who asks, and where. Never raises."""

        def run() -> Reply:
            return _page(_run(self._view(question).holdings, name, argument))

        return self._guarded(question, run, words=argument, most=longest(name))

    def whole(self, name: str, argument: str) -> Reply:
        """Return the reply to a command from this machine's own terminal, however many extracts it has."""

        def run() -> Reply:
            return _whole(_run(self._view(None).holdings, name, argument))

        return self._guarded(Question(""), run, words=argument, most=longest(name))

    def news(self, every: Iterable[tuple[str, str]], question: Question) -> Reply:
        """Return what is told of news (``watching.announcement``) where ``question`` asks. Never raises."""
        return self._guarded(question, lambda: news_reply(self._view(question).holdings, every), words="")

    def linked(self, address: str, question: Question) -> LinkCard | None:
        """Return what is to be known of the article at an address that was posted; ``question`` says by whom and where.

        None where there is none, where it is not seen there, and where whoever posted it may not ask. Never raises.
        """
        if self._policy.refuses(question):
            return None
        try:
            with self.holdings.archive.snapshot():
                return linked(self._view(question).holdings, address)
        except ArchiveError as error:
            log.error("a link was not looked up: %s", error)  # noqa: TRY400 - it says itself what to do
        except Exception:
            log.exception("a link was not looked up")
        return None

    def commands(self) -> tuple[Command, ...]:
        """Return the table of commands."""
        return TABLE

    def refuses(self, question: Question) -> bool:
        """Return whether whoever asks may not."""
        return self._policy.refuses(question)

    def names(self, prefix: str, limit: int = 25, question: Question | None = None) -> tuple[str, ...]:
        """Return names that complete ``prefix``, from memory; empty where whoever types in ``question`` is refused."""
        if question and self._policy.refuses(question):
            return ()
        try:
            with self.holdings.archive.snapshot():
                return self._view(question).holdings.archive.register().beginning(prefix, limit)
        except ArchiveError:  # nobody waits for what completes a word
            return ()

    def complete(
        self, argument: Argument, typed: str, limit: int, question: Question | None = None
    ) -> tuple[Suggestion, ...]:
        """Return what completes an argument of a command; empty where whoever types in ``question`` is refused."""
        if question and self._policy.refuses(question):
            return ()
        try:
            with self.holdings.archive.snapshot():
                return self._completed(self._view(question).completion, argument, typed, limit)
        except ArchiveError:  # as above
            return ()

    @staticmethod
    def _completed(completion: Completion, argument: Argument, typed: str, limit: int) -> tuple[Suggestion, ...]:
        match argument:
            case Argument.NAME:
                return completion.names(typed, limit)
            case Argument.ARTICLE:
                return completion.articles(typed, limit)
        return ()

    def explain(self, question: Question) -> Iterator[str]:
        """Yield each candidate for an answer with its parts, a line each, best first; none for what is not answered."""
        if _too_long(question.text) or _too_long(question.previous or ""):
            return iter(())
        with self.holdings.archive.snapshot():
            return iter(tuple(explain(self._view(question).holdings, question)))

    def _answer(self, question: Question) -> Reply:
        holdings = self._view(question).holdings
        question = replace(
            question, text=without_marks(question.text), previous=without_marks(question.previous or "") or None
        )
        about = references.answer_about(holdings.archive, question.text, question.shown)
        if about:
            return about
        line = references.numbered_command(question.text, question.shown)
        command = spoken(holdings, line)
        if command:
            return _page(command.run(holdings))
        said = small_talk_reply(question.text)
        return Message(said) if said else answer(holdings, question)

    def complete_reply(self, reply: Reply) -> Reply:
        """Return a reply with the way to the page, where there is one."""
        completed: Reply = _with_pages(reply, self._pages) if self._pages else reply
        return completed

    def _guarded(
        self, question: Question, make: Callable[[], Reply], words: str | None = None, most: int | None = None
    ) -> Reply:
        try:
            if self._policy.refuses(question):
                return Message(messages.REFUSED)
            asked = question.text if words is None else words
            if len(asked) > (most or longest(asked)):
                return Message(messages.TOO_LONG)
            if _too_long(question.previous or ""):
                return Message(messages.PREVIOUS_TOO_LONG)
            with self.holdings.archive.snapshot():  # whatever is added and removed meanwhile
                return self.complete_reply(make())
        except UnknownCommandError as error:
            return Message(messages.unknown_command(str(error)))
        except BrokenStateError:
            return Message(messages.NO_SUCH_EXTRACT)
        except ArchiveError as error:
            log.error("a question was not answered: %s", error)  # noqa: TRY400 - it says itself what to do
            return Message(messages.UNAVAILABLE)
        except Exception:
            log.exception("a question was not answered")
            return Message(messages.FAILED)


def _run(holdings: Holdings, name: str, argument: str) -> Reply | Found:
    return find(name).run(holdings, argument.strip())


def _too_long(words: str) -> bool:
    return len(words) > QUESTION


def _whole(reply: Reply | Found) -> Reply:
    return Answer(tuple(reply.extracts), looked_for=reply.looked_for) if isinstance(reply, Found) else reply


def _page(reply: Reply | Found) -> Reply:
    """Return what was found as an answer with as many extracts as one reply may show; "more" brings the rest."""
    if not isinstance(reply, Found):
        return reply
    first = tuple(islice(reply.extracts, SHOWN + 1))
    if len(first) <= SHOWN:
        return Answer(first, looked_for=reply.looked_for)
    shown, all_of_them = tee(chain(first, reply.extracts))
    page = fill(shown)
    if not page.extracts:
        return Message(messages.SENTENCE_TOO_LONG)
    rest = (state.address(extract.citation, extract.index) for extract in islice(all_of_them, page.taken, None))
    message = messages.SENTENCE_TOO_LONG if page.left_out else None
    return Answer(page.extracts, message=message, more=state.encode(rest), looked_for=reply.looked_for)
