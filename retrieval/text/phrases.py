"""A phrase -> where a text has it, whatever the form of its words and the spelling of its names.

Endings, accents, capitals and quotation marks inside the phrase may differ; nothing else may stand between its words.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property

from retrieval.model import Span
from retrieval.text.terms import fold, forms, term, words

_BETWEEN = r"(?:['’]s)?['’\"”»]*(?:\s+|[-‐‑–]\s*)['‘\"“«]*"
_REST = r"\w*(?:['’ʼ]\w+)*"
_LATIN = range(0xC0, 0x250)  # letters with an accent or another mark
_AMERICA = r"(?-i:U\.?S\.?(?:A\.?)?(?!\w))"


class Phrase:
    """The words of a phrase in order; each is one of several folded ``spellings``, as they were typed first."""

    def __init__(self, spellings: Sequence[Collection[str]]) -> None:
        self.spellings = tuple(tuple(each) for each in spellings)
        self._accepted = tuple(frozenset(term(word) or word for word in each) for each in self.spellings)

    @property
    def terms(self) -> tuple[frozenset[str], ...]:
        """The search terms of each word that is no stopword: a sentence with the phrase has one of each."""
        found = (frozenset(filter(None, map(term, each))) for each in self.spellings)
        return tuple(filter(None, found))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        written = (
            [form for word in spelt for form in (word, *(forms(word) if term(word) else ()))]
            for spelt in self.spellings
        )
        either = ("|".join(dict.fromkeys(map(_begun, words))) for words in written)
        return re.compile(r"(?<!\w)" + _BETWEEN.join(f"(?:{beginnings})" for beginnings in either), re.IGNORECASE)

    def places(self, text: str) -> Iterator[Span]:
        for match in self._pattern.finditer(text):
            found = words(match[0])
            if len(found) == len(self._accepted) and all(
                (term(word) or word) in accepted for word, accepted in zip(found, self._accepted, strict=True)
            ):
                yield Span(match.start(), match.end())


def _begun(word: str) -> str:
    """Return a pattern for the words that may be a form of ``word``; which are, their terms tell."""
    if word == "usa":
        return _AMERICA
    if word[0].isdigit():
        return r"[,]?".join(map(re.escape, word)) + r"(?!\w)"
    stem = term(word)
    shared = word[: next((at for at, pair in enumerate(zip(word, stem)) if pair[0] != pair[1]), len(stem))]  # noqa: B905
    if stem.endswith("i"):  # "cities", "city"
        shared = shared.removesuffix("i")
    return "".join(map(_letter, shared)) + _REST if shared else "".join(map(_letter, word)) + r"(?!\w)"


def _letter(letter: str) -> str:
    marked = _marked_letters().get(letter, "")
    apostrophe = "['’ʼ]?" if letter.isalpha() else ""
    return (f"[{letter}{marked}]" if marked else re.escape(letter)) + apostrophe


@cache
def _marked_letters() -> dict[str, str]:
    found: dict[str, str] = {}
    for letter in map(chr, _LATIN):
        found[fold(letter)] = found.get(fold(letter), "") + letter
    return found
