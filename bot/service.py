"""One question, one reply. Whatever goes wrong, the asker gets a sentence and the log gets the details."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice, tee
from typing import Any, Protocol, TypeVar, cast

from bot import messages, model, references, sentence_links
from bot.ask.choose import seen
from bot.ask.follow_up import is_bare, shares_topic
from bot.channels import Channels, Policy
from bot.command import Argument, ExtractStream, Library
from bot.commands.ask import answer, explain, fill_page
from bot.commands.command_table import Completion, Suggestion, asked_by_name, find, longest, parse_command
from bot.commands.proof import proof
from bot.commands.verify import PastedQuotation, check_quotation
from bot.commands.who import brief_card
from bot.errors import BrokenStateError, DraftError, UnknownCommandError
from bot.escaping import strip_emphasis
from bot.link_card import link_card
from bot.model import Answer, Card, Citation, Extract, Listing, Message, Proof, Question, Reply
from bot.small_talk import small_talk_reply
from bot.standing_questions import news_reply
from retrieval import QUESTION, ArchiveError, Scope

log = logging.getLogger(__name__)

CACHED_VIEWS = 64  # of channels with different scopes, over a day or two
NO_POLICY, NO_CHANNEL_RULES = Policy(), Channels()
UNANSWERED, UNREAD_LINK = "a question was not answered", "a link was not looked up"  # in the log

T = TypeVar("T")
R = TypeVar("R", bound=Reply | Proof | None)
PageAddress = Callable[[Citation, int], str]


class Proofer(Protocol):
    """Proofs drafts elsewhere than in the thread that asks; raises as ``proof``."""

    def proof(self, draft: str | bytes, name: str, scope: Scope) -> Proof: ...

    def close(self) -> None:
        """End what is under way; may be called twice."""


def _with_pages(value: Any, address: PageAddress) -> Any:  # noqa: ANN401 - returns the type of ``value``
    if isinstance(value, tuple):
        return tuple(_with_pages(part, address) for part in value)
    if not isinstance(value, Reply | Proof | Extract | model.Finding | model.Section | model.Match | model.Revision):
        return value
    copy = replace(value, **{field.name: _with_pages(getattr(value, field.name), address) for field in fields(value)})
    return replace(copy, page=address(copy.citation, copy.index)) if isinstance(copy, Extract) else copy


class QuestionService:
    """Answers questions from the archive. Synchronous, and safe to call from several threads at once.

    ``pages`` gives the address of the page that shows an extract in its article. ``channels`` limits the sources and
    days searched in each channel; ``today`` is the day such limits count from.
    """

    proofer: Proofer | None = None  # without one, drafts are proofed in the thread that asks

    def __init__(
        self,
        library: Library,
        policy: Policy = NO_POLICY,
        pages: PageAddress | None = None,
        channels: Channels = NO_CHANNEL_RULES,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self.library = library
        self.channels = channels
        self._policy = policy
        self._pages = pages
        self._today = today
        self._within = lru_cache(CACHED_VIEWS)(library.within)
        self._completion = lru_cache(CACHED_VIEWS)(lambda scope: Completion(self._within(scope).archive))

    def _scope(self, question: Question | None) -> Scope:
        channel = self.channels.of(question.place if question else None)
        scope = Scope(channel.sources, channel.since.first(self._today()) if channel.since else None)
        return scope.narrowed(question.scope) if question else scope

    def library_for(self, question: Question | None) -> Library:
        """Return what may be searched where the question is asked; for ``None``, on this machine's own terminal."""
        return self._within(self._scope(question))

    def answer(self, question: Question) -> Reply:
        """Return the reply to a question, or to a command typed as one ("/who kuleba"). Never raises."""
        return self._guarded(question, lambda: self._answer(question), question.text)

    def command(self, name: str, argument: str, question: Question) -> Reply:
        """Return the reply to a command by name; ``question`` says who asks and where. Never raises."""
        return self._guarded(question, lambda: _one_page(self._run(name, argument, question)), argument, longest(name))

    def check(self, quotation: PastedQuotation, question: Question) -> Reply:
        """Return the check of one quotation of a text; a ``Message`` where the person may not ask. Never raises."""
        text, most = quotation.words, longest("verify")
        return self._guarded(question, lambda: check_quotation(self.library_for(question), quotation), text, most)

    def proof(self, draft: str | bytes, question: Question, name: str = "") -> Proof | Message:
        """Return what was found in a text, or in a file by its name; a ``Message`` where it can't be proofed.

        Never raises, stores nothing.
        """

        def run() -> Proof:
            if self.proofer:
                return self.proofer.proof(draft, name, self._scope(question))
            return proof(self.library_for(question), draft, name)

        return self._guarded(question, run)

    def close(self) -> None:
        if self.proofer:
            self.proofer.close()

    def command_in_full(
        self, name: str, argument: str, question: Question | None = None, begin: int = 0, most: int | None = None
    ) -> Reply:
        """Return a reply with all extracts, or ``most`` of them from ``begin`` on; a terminal has no ``question``."""

        def run() -> Reply:
            if isinstance(reply := self._run(name, argument, question), ExtractStream):
                extracts = tuple(islice(reply.extracts, begin, begin + most if most else None))
                return Answer(extracts, looked_for=reply.looked_for) if extracts else Message(messages.NO_MORE)
            return reply

        return self._guarded(question or Question(""), run, argument, longest(name))

    def _run(self, name: str, argument: str, question: Question | None) -> Reply | ExtractStream:
        return find(name).run(self.library_for(question), argument.strip())

    def concerns(self, question: Question) -> bool:
        """Return whether a line is about what was shown last, or names somebody or something in the articles."""
        text = strip_emphasis(question.text)
        with self.library.archive.snapshot():
            archive = self.library_for(question).archive
            is_further = references.is_reference(text) or (bool(question.shown) and is_bare(text))  # "by whom?"
            return is_further or shares_topic(text, seen(question.shown, archive), archive)

    def announce(self, news: Iterable[tuple[str, str]], question: Question) -> Reply:
        return self._guarded(question, lambda: news_reply(self.library_for(question), news))

    def link_card(self, address: str, question: Question) -> Listing | None:
        """Return the card of the article at an address that somebody posted; ``question`` says who and where.

        None without such an article, where it is out of scope, and where the person may not ask. Never raises.
        """
        card = self._guarded(question, lambda: link_card(self.library_for(question), address), what=UNREAD_LINK)
        return None if isinstance(card, Message) else card

    def refuses(self, question: Question) -> bool:
        return self._policy.refuses(question)

    def complete_names(self, prefix: str, limit: int = 25, question: Question | None = None) -> tuple[str, ...]:
        """Return names that begin with ``prefix``; none for somebody who may not ask."""
        return self._completed(question, lambda: self.library_for(question).archive.register().beginning(prefix, limit))

    def autocomplete(
        self, argument: Argument, typed: str, limit: int, question: Question | None = None
    ) -> tuple[Suggestion, ...]:
        """Return suggestions for an argument of a command; none for somebody who may not ask."""

        def make() -> tuple[Suggestion, ...]:
            completion = self._completion(self._scope(question))
            makers = {Argument.NAME: completion.names, Argument.ARTICLE: completion.articles}
            return makers[argument](typed, limit) if argument in makers else ()

        return self._completed(question, make)

    def _completed(self, question: Question | None, make: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        if question and self._policy.refuses(question):
            return ()
        try:
            with self.library.archive.snapshot():
                return make()
        except ArchiveError:  # a suggestion isn't worth an error
            return ()

    def explain(self, question: Question) -> Iterator[str]:
        """Yield each candidate with the parts of its score, a line each, best first; none for too long a question."""
        if max(len(question.text), len(question.previous or "")) > QUESTION:
            return iter(())
        with self.library.archive.snapshot():
            return iter(tuple(explain(self.library_for(question), question)))

    def _answer(self, question: Question) -> Reply:
        library = self.library_for(question)
        text, previous = strip_emphasis(question.text), strip_emphasis(question.previous or "") or None
        if about := references.answer_about(library.archive, text, question.shown):
            return about
        if typed := parse_command(library, references.numbered_command(text, question.shown)):
            return _one_page(typed.command.run(library, typed.argument))
        if said := small_talk_reply(text):
            return Message(said)
        if question.brief and (typed := asked_by_name(library, text)):
            return _one_page(typed.command.run(library, typed.argument))
        return answer(library, replace(question, text=text, previous=previous))

    def add_page_links(self, reply: R) -> R:
        linked: R = _with_pages(reply, self._pages) if self._pages else reply
        return linked

    def _guarded(
        self, question: Question, make: Callable[[], R], text: str = "", most: int = 0, what: str = UNANSWERED
    ) -> R | Message:
        try:
            if self._policy.refuses(question):
                return Message(messages.REFUSED)
            if len(text) > (limit := most or longest(text)):
                return Message(messages.TOO_LONG if limit == QUESTION else messages.text_too_long(limit))
            if len(question.previous or "") > QUESTION:
                return Message(messages.PREVIOUS_TOO_LONG)
            with self.library.archive.snapshot():  # articles may be added and removed meanwhile
                reply = make()
                if question.brief and isinstance(reply, Card):
                    reply = cast("R", brief_card(reply))
                return self.add_page_links(reply)
        except UnknownCommandError as error:
            return Message(messages.unknown_command(str(error)))
        except DraftError as error:
            return Message(str(error))
        except BrokenStateError:
            return Message(messages.NO_SUCH_QUOTATION)
        except ArchiveError as error:
            log.error("%s: %s", what, error)  # noqa: TRY400 - the message says what to do
            return Message(messages.UNAVAILABLE)
        except Exception:
            log.exception(what)
            return Message(messages.FAILED)


def _one_page(reply: Reply | ExtractStream) -> Reply:
    """Return a stream of extracts as an answer with as many as one reply may show; "more" brings the rest."""
    if not isinstance(reply, ExtractStream):
        return reply
    to_show, everything = tee(reply.extracts)
    shown, tried = fill_page(to_show)
    if not shown:
        return Message(messages.ONLY_SENTENCE_TOO_LONG)
    rest = sentence_links.encode(map(sentence_links.address, islice(everything, tried, None)))
    return Answer(shown, messages.SENTENCE_TOO_LONG if tried > len(shown) else None, rest, reply.looked_for)
