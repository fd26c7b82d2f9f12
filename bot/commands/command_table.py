"""The table of commands, and what completes their arguments.

A new command is a row, a line of commands.toml and a function.
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from rapidfuzz import fuzz, process

from bot import messages, source_lines, verbatim
from bot.ask.follow_up import FOLLOW_UP_WORDS
from bot.command import Argument, Command, Library
from bot.commands.clip import context, copy, more
from bot.commands.corrections import corrections
from bot.commands.first import first, first_asked
from bot.commands.listings import article, disputed, rows as articles, sources, unverified
from bot.commands.quoted import quoted, rows as figures
from bot.commands.verify import check
from bot.commands.who import is_name, said, who
from bot.errors import UnknownCommandError
from bot.model import Message
from bot.sentence_links import is_state
from retrieval import MESSAGE, QUESTION, STOPWORDS, Archive, Listed, fold, read_table, words

PHRASE_MARKS = frozenset('“”"„«»')  # without them "first" may begin a question
TOPIC = 3  # words at most of a topic, where there is no slash before the command
_CONDITION = re.compile(r"(?:if|whether|that)\b", re.IGNORECASE)  # "verify whether the mayor said it" is a question
_UNVERIFIED = re.compile(  # "what could not be verified in Bucha", "which claims are unconfirmed"
    r"(?i)(?:what|which (?:account|claim|figure|number|report|statement)s?)(?: (?:about|from|on|in) (?P<of>.+?))?"
    r" (?:(?:could|can|has|have|is|are|was|were)(?: not|n[’']t)|cannot|(?:is|are|was|were)(?= un))"
    r"(?: yet)?(?: be(?:en)?)?(?: independently)? (?:un)?(?:verified|confirmed)(?: yet)?"
    r"(?: (?:about|from|on|in) (?P<on>.+))?"
)
_BY_NAME = {
    "who": re.compile(r"who(?:['’]?s| is| was| are)\s+(.+)", re.IGNORECASE),
    "said": re.compile(r"what (?:did|does|has|have)\s++(.*?\S)\s++(?:say|said)", re.IGNORECASE),
}
_COURTESY = frozenset({"me", "us", "please", "pls"})  # "help me" asks for help
SPELLINGS = 4  # read for each name that is suggested
NEAR = 60.0  # percent of similarity between a misspelt command and the right one


class ParsedCommand(NamedTuple):
    command: Command
    argument: str


def _help(_: Library, name: str) -> Message:
    if _COURTESY.issuperset(words(name)):
        return Message(messages.help_all(row for row in TABLE if row.argument is not Argument.STATE))
    return Message(messages.help_on(find(name.lstrip("/"))))


def _in_chat(*_: object) -> Message:
    return Message(messages.WATCH_ONLY_IN_CHAT)


_TEXTS: dict[str, tuple[str, str]] = read_table("bot.commands", "commands.toml")  # how each is typed, what it does
TABLE: tuple[Command, ...] = (
    Command("who", *_TEXTS["who"], who, Argument.NAME),
    Command("said", *_TEXTS["said"], said, Argument.NAME),
    Command("verify", *_TEXTS["verify"], check, Argument.QUOTE, MESSAGE),
    Command("first", *_TEXTS["first"], first, Argument.PHRASE),
    Command("unverified", *_TEXTS["unverified"], unverified),
    Command("disputed", *_TEXTS["disputed"], disputed),
    Command("corrections", *_TEXTS["corrections"], corrections),
    Command("quoted", *_TEXTS["quoted"], quoted, rows=figures),
    Command("sources", *_TEXTS["sources"], sources, rows=articles),
    Command("article", *_TEXTS["article"], article, Argument.ARTICLE),
    Command("watch", *_TEXTS["watch"], _in_chat),
    Command("watches", *_TEXTS["watches"], _in_chat),
    Command("more", *_TEXTS["more"], more, Argument.STATE),
    Command("context", *_TEXTS["context"], context, Argument.STATE),
    Command("copy", *_TEXTS["copy"], copy, Argument.STATE),
    Command("help", *_TEXTS["help"], _help, Argument.COMMAND),
)


_NAMED = {row.name: row for row in TABLE}
# The commands of buttons: nobody types their argument.
BY_STATE = frozenset(row.name for row in TABLE if row.argument is Argument.STATE)


def find(name: str) -> Command:
    """Return the command of that name; raises ``UnknownCommandError`` with the closest name."""
    if command := _NAMED.get(name.lower()):
        return command
    nearest = process.extractOne(name.lower(), [*_NAMED], scorer=fuzz.ratio, score_cutoff=NEAR)
    raise UnknownCommandError(nearest[0] if nearest else "")


def longest(text: str) -> int:
    """Return how many characters a question, or the command typed as one, may have."""
    first = text.lstrip().partition(" ")[0].removeprefix("/").rstrip(":").lower()
    return _NAMED[first].longest if first in _NAMED else QUESTION


def parse_command(library: Library, text: str) -> ParsedCommand | None:
    """Return the command that ``text`` is: always after a slash, else where it cannot be a question."""
    first, _, rest = text.strip().partition(" ")
    if first.startswith("/") and first.strip("/"):
        return ParsedCommand(find(first.strip("/")), rest.strip())
    command = _NAMED.get(first.lower().rstrip(":"))
    return ParsedCommand(command, rest.strip()) if command and _is_command(library, command, rest.strip()) else None


def asked_by_name(library: Library, text: str) -> ParsedCommand | None:
    """Return the command that a question about somebody alone is: "who is X" is ``who``, "what did X say" ``said``.

    "When did we first write X" is ``first``, and "what could not be verified" is ``unverified``.
    """
    if phrase := first_asked(library.archive, text):
        return ParsedCommand(find("first"), phrase)
    line = text.strip().rstrip("?").rstrip()
    if match := _UNVERIFIED.fullmatch(line):
        return ParsedCommand(find("unverified"), match["of"] or match["on"] or "")
    for name, pattern in _BY_NAME.items():
        match = pattern.fullmatch(line)
        if match and is_name(library.archive, match[1]):
            return ParsedCommand(find(name), match[1])
    return None


def _is_command(library: Library, command: Command, rest: str) -> bool:
    """Return whether a line that begins with a command's name is the command: "who kuleba", not "who fled"."""
    match command.argument:
        case Argument.NAME:
            return is_name(library.archive, rest)
        case Argument.ARTICLE:
            return any(article.id.startswith(rest) for article in library.archive.listed())
        case Argument.STATE:
            return is_state(rest.partition(" ")[0])
        case Argument.PHRASE:
            return rest[:1] in PHRASE_MARKS and rest[-1:] in PHRASE_MARKS
        case Argument.QUOTE:
            return not rest.endswith("?") and not _CONDITION.match(rest)
        case Argument.COMMAND:
            return _COURTESY.issuperset(words(rest)) or rest.lstrip("/").lower() in _NAMED
        case _:  # only a topic: "unverified market", not "sources say how many were rescued"
            found = words(rest)
            return len(found) <= TOPIC and not rest.endswith("?") and FOLLOW_UP_WORDS.union(STOPWORDS).isdisjoint(found)


class Suggestion(NamedTuple):
    """``label`` is shown, ``value`` is what the command gets."""

    label: str
    value: str


@dataclass
class Completion:
    """Caches the titles while the archive stays the same."""

    archive: Archive
    _titles: tuple[object, tuple[tuple[str, Listed], ...]] | None = None

    def names(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return names that begin as typed, one for each entity; with nothing typed, the people in most articles."""
        if not typed.strip():
            return tuple(Suggestion(name, name) for name in self.archive.register().people(limit))
        found: dict[str, str] = {}
        for spelling in self.archive.register().beginning(typed.strip(), limit * SPELLINGS):
            if len(found) == limit:
                break
            meant = self.archive.register().meant(spelling)
            full = meant.name if meant else spelling
            # platforms filter by the letters typed, so the value must contain them: the full name or this spelling
            found.setdefault(full, full if fold(typed.strip()) in fold(full) else spelling)
        return tuple(Suggestion(name, name) for name in found.values())

    def articles(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return articles whose title or id contains what is typed, newest first."""
        revision = self.archive.revision()
        if self._titles is None or self._titles[0] != revision:
            listed = sorted(self.archive.listed(), key=lambda a: (-a.published.toordinal() if a.published else 0, a.id))
            self._titles = (revision, tuple([(fold(f"{one.title or ''} {one.id}"), one) for one in listed]))
        wanted = fold(typed.strip())
        found = (article for words, article in self._titles[1] if wanted in words)
        labelled = ((verbatim.article(self.archive, article.id), article) for article in islice(found, limit))
        return tuple(Suggestion(source_lines.titled(cited), article.id) for cited, article in labelled if cited)
