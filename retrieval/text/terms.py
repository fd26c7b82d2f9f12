"""A text or a question -> its search terms; a phrase -> where a text has it.

A term is a word as it is compared: without case, accents, apostrophes and endings, one spelling for all countries.
This is analysis, as search engines have it, and no tokenization of copy: a question has words and no offsets, and
articles and questions must be cut alike ("don't" is one word, "U.S." and "1,000" too).

Terms are cut by Snowball, which keeps a people apart from its country: "Russia" and "Russian" are two.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from threading import Lock

import snowballstemmer

from retrieval.lexicon.word_classes import classes, ordered, read_table
from retrieval.model import Span
from retrieval.text.bare_text import without_marks

STOPWORDS = classes("stopwords")
_FORMS = read_table("retrieval.text", "irregulars.toml")
# One country's spelling -> the other's; an irregular form -> its word.
_SPELLINGS = {other: one for one, other in (pair.split("/") for pair in _FORMS["spellings"].split())}
_IRREGULAR = {form: line.split()[0] for line in _FORMS["forms"].splitlines() for form in line.split()[1:]}
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(ordered("units"), start=1) if number > 1} | {
    word: str(number * 10) for number, word in enumerate(ordered("tens"), start=2)
}

# A number with its separators, an abbreviation with its stops, letters with a number ("COP27"), or a word with an
# apostrophe inside it.
_WORD = re.compile(r"\d+(?:[.,]\d+)*|(?:[^\W\d_]\.){2,}|[^\W\d_]+(?:\d[^\W_]*|(?:['’ʼ`´][^\W\d_]+)*)")
_ENDING = re.compile(r"is(e|ed|es|ing|er|ers|ation|ations|able)$")
_SUFFIXED = re.compile(r"['’ʼ`´](?:s|re|ve|ll|d|m)$")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´.")
_LONGEST = 64  # letters
# Letters that Unicode does not decompose.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ə": "e"}
)
# Only capitals distinguish it from the pronoun, so it is recognised before they go.
_AMERICA = frozenset({"US", "U.S", "U.S.", "USA", "U.S.A.", "u.s."})

# Between two words of a phrase, behind the beginning of one, and "usa" as it is written.
_BETWEEN = r"(?:['’]s)?['’\"”»]*(?:\s+|[-‐‑–]\s*)['‘\"“«]*"
_REST = r"\w*(?:['’ʼ]\w+)*"
_LATIN = range(0xC0, 0x250)  # letters with an accent or another mark
_WRITTEN_AMERICA = r"(?-i:U\.?S\.?(?:A\.?)?(?!\w))"

# A stemmer works on its own attributes: two threads at once get errors or wrong stems, which would be cached.
_stemmer = snowballstemmer.stemmer("english")
_stemming = Lock()


def fold(text: str) -> str:
    """Remove case and accents, and write the letters of English: "Łódź" becomes "lodz"."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def words(text: str) -> tuple[str, ...]:
    """Split ``text`` into folded words, without a possessive's ending and apostrophes."""
    return tuple(map(_bare, _WORD.findall(without_marks(text))))


@lru_cache(maxsize=200_000)
def _bare(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "")
    if word in _AMERICA:
        return "usa"
    folded = fold(word[:_LONGEST])
    return _SUFFIXED.sub("", folded).translate(_APOSTROPHES) or folded


@lru_cache(maxsize=200_000)
def term(word: str) -> str:
    """Return the search term of a folded word; empty for a stopword."""
    if word in STOPWORDS:
        return ""
    if word in _NUMBER_WORDS:
        return _NUMBER_WORDS[word]
    spelt = one_spelling(word)
    known = _IRREGULAR.get(spelt, spelt)
    with _stemming:
        stem = str(_stemmer.stemWord(known))
    # the stemmer makes "i" of "y", so that "ferris" would be "ferry", and "harris" "harry"
    return f"{stem}s" if known.endswith(("i", "is")) and stem.endswith("i") else stem


def forms(word: str) -> tuple[str, ...]:
    """Return the other words with the same term that may begin otherwise: "went" for "go", "three" for "3"."""
    base = _IRREGULAR.get(word, word)
    same = (form for form, of in _IRREGULAR.items() if of == base)
    number = _NUMBER_WORDS.get(word, word)
    return (base, *same, number, *(written for written, of in _NUMBER_WORDS.items() if of == number))


def one_spelling(word: str) -> str:
    """Spell a folded word as one country does: "defense" for "defence", "organize" for "organise"."""
    bare = word if word in _SPELLINGS else word.removesuffix("s")
    known = _SPELLINGS.get(bare, bare) + word[len(bare) :]
    # "rise" and "wise" are no verbs in -ise
    return _ENDING.sub(r"iz\1", known) if len(known) > 6 else known  # noqa: PLR2004


def terms(text: str) -> tuple[str, ...]:
    """Split ``text`` into search terms, stopwords left out."""
    return tuple(each for word in words(text) if (each := term(word)))


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
        return _WRITTEN_AMERICA
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
