"""A text or a question -> its search terms.

A term is a word as it is compared: without case, accents, apostrophes and endings, one spelling for all countries.
This is analysis, as search engines have it, and no tokenization of copy: a question has words and no offsets, and
articles and questions must be cut alike ("don't" is one word, "U.S." and "1,000" too).

Search terms are cut by Snowball, which keeps a people apart from its country; the sentences of one article, which deny
one another or go on from one another, are compared by roots: the beginnings of long words, by which "Russia" and
"Russian" are one.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache
from importlib.resources import files
from threading import Lock

import snowballstemmer

from retrieval.lexicon.word_classes import classes, ordered
from retrieval.text.bare_text import without_marks

STOPWORDS = classes("stopwords")
_FORMS = tomllib.loads((files("retrieval.text") / "irregulars.toml").read_text(encoding="utf-8"))
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
