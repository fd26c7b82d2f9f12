"""Lines that ask nothing of the articles: greetings, thanks, goodbyes, and questions in other languages."""

import re
from enum import Enum

from bot import messages
from retrieval import STOPWORDS, read_table, words

_GREETINGS = frozenset(
    "hi hello hey hiya howdy greetings good morning afternoon evening there all everyone team".split()
)
_THANKS = frozenset(
    "thank thanks thx ta cheers great good perfect cool nice brilliant lovely excellent super understood right fine"
    " sure lol haha wow nevermind yes yep ok okay no nope".split()
)
_ASSENTS = frozenset("yes yep no nope ok okay sure right fine nevermind".split())
_FILLERS = frozenset("you very a it that is much many lot mind all then so".split())
_ABOUT_THE_BOT = re.compile(r"(?:who|what) are you|what can you do|how do (?:you work|i use (?:you|this))")
_ENDINGS = (("stop",), ("stop", "it"), ("be", "quiet"), ("quiet",), ("shut", "up"))
_QUESTION_WORDS = frozenset(
    "who whom whose which what when where why how is are am was were being do does did have has had can could may might"
    " must shall should will would and but show tell find list name give".split()
)
# Who uses these speaks to the people around.
_AMONG_US = frozenset(
    "i me my mine we us our ours you your yours anybody anyone everybody everyone nobody somebody someone".split()
)


class SmallTalk(Enum):
    """What a line is that asks nothing; the value is the reply to it."""

    GREETING = messages.EMPTY_QUESTION
    THANKS = messages.WELCOME  # and whatever else needs no reply
    END = messages.ENDED


def small_talk_reply(text: str) -> str | None:
    """Return the reply to a line that asks nothing of the articles; ``None`` where it may ask something."""
    if says_nothing(text):
        return messages.EMPTY_QUESTION
    kind = small_talk(text)
    if kind is SmallTalk.THANKS and _ASSENTS.issuperset(words(text)):
        return messages.ENDED
    return kind.value if kind else other_language_reply(text)


def small_talk(text: str) -> SmallTalk | None:
    said = words(text)
    if said in _ENDINGS:
        return SmallTalk.END
    if "?" not in text and not _THANKS.isdisjoint(said) and set(said) <= _THANKS | _FILLERS:
        return SmallTalk.THANKS
    if said and (_GREETINGS.issuperset(said) or _ABOUT_THE_BOT.fullmatch(" ".join(said))):
        return SmallTalk.GREETING
    return None


def may_ask(text: str) -> bool:
    """Return whether a line that does not mention the bot may ask something of the articles.

    "Any pictures?" asks people for something, not for a fact.
    """
    said = words(text)
    if not said or said[0] == "any" or not _AMONG_US.isdisjoint(said):
        return False
    return "?" in text or said[0] in _QUESTION_WORDS


def says_nothing(text: str) -> bool:
    return re.search(r"[^\W_]", text) is None


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# the reply in each language, its question words, and these with other words of grammar
_LANGUAGES = tuple(
    (row["reply"], frozenset(row["asking"].split()), frozenset(f"{row['asking']} {row['others']}".split()))
    for row in read_table("bot", "languages.toml").values()
)
_ENOUGH = 2  # words of grammar that tell a language, one of which asks; a name ("De la Rue") has some too


def other_language_reply(text: str) -> str | None:
    """Return the reply to a question in a known language that is clearly not English."""
    asked = set(_WORD.findall(text.casefold()))
    counts = [(len(asked & grammar), reply) for reply, asking, grammar in _LANGUAGES if not asked.isdisjoint(asking)]
    count, reply = max(counts, key=lambda pair: pair[0], default=(0, ""))
    return reply if count >= max(_ENOUGH, len(asked & STOPWORDS) + 1) else None
