"""Text to words at their places: the only module that imports spaCy.

``parse`` gives a ``Doc`` of plain tuples, so that no rule pays for spaCy's objects.
Without a trained pipeline it is the tokeniser of ``spacy.blank("en")`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, cast

from retrieval.bounded import shown
from retrieval.errors import NoSuchModelError
from retrieval.model import Kind, Span

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc as Tokens

# spaCy refuses longer texts as a guard against parsers that need memory; a tokeniser needs none.
MAX_LENGTH = 50_000_000

UNBROKEN = 500  # characters without a white space: no word, and no address, is as long
PIECE = 50  # characters of such a run that are cut into tokens at once
_UNBROKEN = re.compile(rf"\S{{{UNBROKEN},}}")

# What trained English pipelines (OntoNotes labels) call our kinds.
KINDS = {
    "PERSON": Kind.PERSON,
    "ORG": Kind.ORG,
    "GPE": Kind.PLACE,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "NORP": Kind.GROUP,
    "EVENT": Kind.EVENT,
}


class _Cutter(Protocol):
    """By what spaCy's tokeniser finds what to cut off a word."""

    prefix_search: Callable[[str], object]
    suffix_search: Callable[[str], object]
    infix_finditer: Callable[[str], object]
    url_match: Callable[[str], object]
    rules: dict[str, list[dict[int, str]]]


@dataclass(frozen=True, slots=True)
class Doc:
    """A text as its tokens: ``words[i]`` stands at ``starts[i]`` to ``ends[i]``; white space is no token.

    ``entities``, ``sentence_starts`` (code points), ``heads`` (of each token, by index; a root is its own) and
    ``relations`` (to the head, as the pipeline labels them) come from a trained pipeline and are empty without one.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    entities: tuple[tuple[Kind, Span], ...] = ()
    sentence_starts: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    relations: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def _pipeline(model: str) -> Language:
    import spacy  # noqa: PLC0415 - half a second that `stet --help` must not pay

    if not model:
        nlp = _blank()
    else:
        try:
            nlp = spacy.load(model)
        except OSError as error:
            message = (
                f"No spaCy pipeline named {shown(model)} is installed: install it, or leave STET_SPACY_MODEL empty."
            )
            raise NoSuchModelError(message) from error
    nlp.max_length = MAX_LENGTH
    return nlp


def _blank() -> Language:
    """Return spaCy's tokeniser for English, kept from work that changes no token: it takes a third of the time then.

    Of each word it has not met it works out a dozen features, and in words of letters alone it looks for punctuation.
    """
    import spacy  # noqa: PLC0415 - as below
    from spacy.vocab import Vocab  # noqa: PLC0415 - the same

    nlp = spacy.blank("en", vocab=Vocab())
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


def parse(text: str, model: str = "") -> Doc:
    """Return the tokens of ``text``; with ``model``, an installed pipeline's entities and sentence starts too.

    Raises ``NoSuchModelError`` where the pipeline is not installed. A text that is not writing (``UNBROKEN``
    characters without a white space) is cut into tokens and shown to no pipeline.
    """
    nlp = _pipeline(model)
    runs = [Span(*run.span()) for run in _UNBROKEN.finditer(text)]
    if runs:
        return _doc(text, tuple(token for piece in _pieces(text, runs) for token in _tokens(nlp, text, piece)))
    doc = nlp(text) if model else nlp.make_doc(text)
    heads, relations = _parsed(doc) if doc.has_annotation("DEP") else ((), ())
    return replace(
        _doc(text, _written(doc, text)),
        heads=heads,
        relations=relations,
        entities=tuple(
            (KINDS[entity.label_], Span(entity.start_char, entity.end_char))
            for entity in doc.ents
            if entity.label_ in KINDS
        ),
        sentence_starts=tuple(s.start_char for s in doc.sents) if doc.has_annotation("SENT_START") else (),
    )


def _parsed(doc: Tokens) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return each token's head and its relation to it, white space left out."""
    written = [token for token in doc if not token.is_space]
    places = {token.i: place for place, token in enumerate(written)}
    heads = tuple([places.get(token.head.i, place) for place, token in enumerate(written)])
    return heads, tuple([token.dep_ for token in written])


def _written(doc: Tokens, text: str) -> tuple[tuple[str, int], ...]:
    """Return the tokens but for white space, and where they begin; by one call instead of an object for each."""
    rows = doc.to_array(["IDX", "LENGTH"]).tolist()
    words = [(text[start : start + length], start) for start, length in rows]
    return tuple([(word, start) for word, start in words if not word.isspace()])


def _doc(text: str, tokens: tuple[tuple[str, int], ...]) -> Doc:
    return Doc(
        text=text,
        words=tuple([word for word, _ in tokens]),
        starts=tuple([start for _, start in tokens]),
        ends=tuple([start + len(word) for word, start in tokens]),
    )


def _pieces(text: str, runs: list[Span]) -> Iterator[Span]:
    """Yield the text between the runs whole, and each run in pieces: spaCy's time grows as the square of a run."""
    done = 0
    for run in runs:
        if run.start > done:
            yield Span(done, run.start)
        yield from (Span(start, min(start + PIECE, run.end)) for start in range(run.start, run.end, PIECE))
        done = run.end
    if done < len(text):
        yield Span(done, len(text))


def _tokens(nlp: Language, text: str, piece: Span) -> Iterator[tuple[str, int]]:
    return ((t.text, piece.start + t.idx) for t in nlp.make_doc(piece.of(text)) if not t.text.isspace())
