"""Telling a newsroom from any other body, by the words of a noun phrase and by what is known of the article."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

from retrieval.lexicon.word_classes import WordSets, capitalized, classes
from retrieval.model import Article

_CUES = WordSets(__package__)

AGENCIES = classes("agencies")
COMMON = _CUES.common
STAFF = _CUES.staff
NAMES = classes("newsroom_names")
SHORT = classes("paper_kinds", "paper_bodies", "paper_words")  # papers with "The" before them
# A capitalised name that ends so is a newsroom's, whoever it is; "Press" and "Mail" by themselves are not.
_ENDINGS = classes("paper_kinds", "newsroom_endings")
_ENDING_PAIRS = classes("newsroom_pairs")
_MAX_NAME_WORDS = 6
_BODIES = ("organisation", "organization", "agenc", "outlet", "compan", "site", "team")
_ENDS_OF_HEADS = frozenset("in on at from of with who near inside".split())
_FOREIGN_ARTICLES = frozenset(("La", "Le", "El", "Il", "Der", "Die", "Das"))
_NO_PAPERS = capitalized("bodies", "sites", "heads", "offices") | _CUES.no_papers


@dataclass(frozen=True, slots=True)
class Newsroom:
    """A newsroom in a sentence; ``name`` is None where it has none, ``own`` where it is the article's."""

    name: str | None
    own: bool


@dataclass(frozen=True, slots=True)
class Press:
    """The newsrooms an article may name; ``own`` are the names of those it is by, without "The".

    ``reporters`` are the names of their staff in the article ("the Herald's Ann Lee").
    """

    own: frozenset[str]
    source: str | None
    reporters: frozenset[str] = frozenset()

    def outlet(self, phrase: tuple[str, ...]) -> Newsroom | None:
        """Return the newsroom that a noun phrase names; None for any other body."""
        articles = _CUES.articles - {"this", "our"}
        words = tuple(dropwhile(lambda word: word.lower() in articles, phrase[:-1])) + phrase[-1:]
        if not words:
            return None
        if words[-1].lower() in ("i", "we"):
            return Newsroom(None, own=True)
        return self._leading(words) or self._trailing(words) or self._unnamed(words) or self._short(phrase)

    def stranger(self, phrase: tuple[str, ...]) -> Newsroom | None:
        """Return the newsroom that "The Lamplighter" or "La Prensa" must be where it could not *independently* verify.

        No list has every paper, and hardly anybody else puts it so.
        """
        if len(phrase) != 2 or not (phrase[1].istitle() and phrase[1].isalpha()):  # noqa: PLR2004 - an article and a name
            return None
        titled = phrase[0].lower() == "the" and phrase[1] not in _NO_PAPERS and not phrase[1].endswith("s")
        return Newsroom(_joined(phrase), own=not self.own) if titled or phrase[0] in _FOREIGN_ARTICLES else None

    def _short(self, words: tuple[str, ...]) -> Newsroom | None:
        """Match "the Post", "the Nairobi Post", "the Lagos-based Post"."""
        if len(words) < 2 or words[0].lower() != "the":  # noqa: PLR2004
            return None
        place = words[1:-1]
        is_placed = place and place[0][0].isupper() and all(word.istitle() or word in {"-", "based"} for word in place)
        if is_placed and words[-1] in SHORT:
            return Newsroom(_joined(words), own=not self.own)
        if words[1] in SHORT and _belongs(words[2:]):
            return Newsroom(words[1], own=not self.own or any(words[1] in own.split() for own in self.own))
        return None

    def _named(self, words: tuple[str, ...]) -> Newsroom | None:
        name = _joined(words)
        if name.casefold() in {own.casefold() for own in self.own}:
            return Newsroom(name, own=True)
        if name in NAMES or _shaped(words):
            return Newsroom(name, own=not self.own or self._is_branch_of_own(name))
        return None

    def _is_branch_of_own(self, name: str) -> bool:
        """Match "BBC" and "BBC News", "BBC Verify" and "BBC"."""
        longer = (f"{own} " for own in self.own)
        return any(own.startswith(f"{name} ") or f"{name} ".startswith(own) for own in longer)

    def _leading(self, words: tuple[str, ...]) -> Newsroom | None:
        """Match "CNN's team in the city", "Reuters reporters"."""
        for end in range(min(_MAX_NAME_WORDS, len(words)), 0, -1):
            found = self._named(words[:end])
            if found and _belongs(words[end:]):
                return found
            if found and found.name in NAMES and len(words) == end + 1 and words[end][0].isupper():  # "BBC Persian"
                return Newsroom(_joined(words), found.own)
        return None

    def _trailing(self, words: tuple[str, ...]) -> Newsroom | None:
        """Match "a claim CNN": the newsroom ends the phrase and no preposition precedes it."""
        for start in range(max(1, len(words) - _MAX_NAME_WORDS), len(words)):
            before = words[start - 1].lower()
            before_is_name = words[start - 1][0].isupper() and before not in _CUES.articles
            if before in _CUES.articles and start > 1:
                before = words[start - 2].lower()
            found = self._short(words[start - 1 :]) or self._named(words[start:])
            if found and before not in _CUES.prepositions and not before_is_name:
                return found
        return None

    def _unnamed(self, words: tuple[str, ...]) -> Newsroom | None:
        end = next((i for i, word in enumerate(words) if i and word.lower() in _ENDS_OF_HEADS), len(words))
        heads = [word.lower() for word in words[:end]]
        independent = heads[0] == "independent" and heads[-1] in _CUES.watchers
        media = len(heads) > 1 and heads[-2] in {"news", "media"} and heads[-1].startswith(_BODIES)
        if heads[-1] in STAFF or independent or media:
            return Newsroom(None, own=True)
        if heads[-1] not in COMMON:
            return None
        return Newsroom(self.source if words[0].lower() in {"this", "our"} else None, own=True)


def press_of(article: Article) -> Press:
    known = [re.sub(r"\s*\(.*?\)", "", name).strip() for name in (article.source, article.wire) if name]
    names = {_joined(tuple(name.split())) for name in known}
    shorter = {name.replace(" Online", "") for name in names}
    shorter |= {short for name in names for short in _in_short(name, article.text)}
    own = frozenset(names | shorter - {""})
    staff = (rf"\b{re.escape(name.split()[0])}['’]s ((?:[A-Z][\w.'’-]+ ?){{2,3}})" for name in own)
    reporters = frozenset(match[1].strip() for pattern in staff for match in re.finditer(pattern, article.text))
    return Press(own, known[0] if known else None, reporters)


def _in_short(name: str, text: str) -> Iterator[str]:
    """Yield "Sable" for "Sable News Agency" where the article uses it: "told Sable"."""
    words = name.split()
    for length in (1, 2):
        kind = words[-length:]
        if len(words) > length and (kind in (["News"], ["Press"]) or " ".join(kind).lower() in _ENDING_PAIRS):
            short = " ".join(words[:-length])
            if re.search(rf"\(\s*{re.escape(short)}\s*\)|\b(?:told|tells) {re.escape(short)}\b", text):
                yield short


def _joined(words: tuple[str, ...]) -> str:
    """Join the words as a name is written: without "The", no spaces round hyphens and before an apostrophe."""
    text = " ".join(words).removeprefix("The ").removeprefix("the ")
    return re.sub(r"\s*([-/])\s*", r"\1", text).replace(" 's", "'s").replace(" ’s", "'s")


_GLUED = re.compile(rf"[A-Z]\w*(?:{'|'.join(sorted(each for each in _ENDINGS if each.istitle()))})")


def _shaped(words: tuple[str, ...]) -> bool:
    """Match "the Nairobi Post", "ABTimes"."""
    if _GLUED.fullmatch(words[0]) and all(word[0].isupper() for word in words):
        return True
    if len(words) < 2 or not all(word[0].isupper() or word in {"of", "and", "-", "&"} for word in words):  # noqa: PLR2004
        return False
    return words[-1] in _ENDINGS or " ".join(words[-2:]).lower() in _ENDING_PAIRS


def _belongs(rest: tuple[str, ...]) -> bool:
    """Return whether a newsroom's name stays the head of the phrase with ``rest`` behind it."""
    if not rest:
        return True
    first = rest[0].lower()
    return first in {"'s", "’s", "'", "’", "itself", "in", "on", "at", "of"} or first in STAFF or first in _CUES.team
