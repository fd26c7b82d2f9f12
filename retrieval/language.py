"""Text to words at their places: the only module that imports spaCy.

``parse`` gives a ``Doc`` of plain tuples, so that no rule pays for spaCy's objects.
Without a trained pipeline it is the tokeniser of ``spacy.blank("en")`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.errors import NoSuchModelError
from retrieval.model import Kind, Span

if TYPE_CHECKING:
    from spacy.language import Language

# spaCy refuses longer texts as a guard against parsers that need memory; a tokeniser needs none.
MAX_LENGTH = 50_000_000

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


@dataclass(frozen=True, slots=True)
class Doc:
    """A text as its tokens: ``words[i]`` stands at ``starts[i]`` to ``ends[i]``; white space is no token.

    ``entities`` and ``sentence_starts`` (code points) come from a trained pipeline and are empty without one.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    entities: tuple[tuple[Kind, Span], ...] = ()
    sentence_starts: tuple[int, ...] = ()


@lru_cache(maxsize=4)
def _pipeline(model: str) -> Language:
    import spacy  # noqa: PLC0415 - half a second that `stet --help` must not pay

    if not model:
        nlp = spacy.blank("en")
    else:
        try:
            nlp = spacy.load(model)
        except OSError as error:
            message = f"No spaCy pipeline named {model!r} is installed: install it, or leave STET_SPACY_MODEL empty."
            raise NoSuchModelError(message) from error
    nlp.max_length = MAX_LENGTH
    return nlp


def parse(text: str, model: str = "") -> Doc:
    """Return the tokens of ``text``; with ``model``, an installed pipeline's entities and sentence starts too.

    Raises ``NoSuchModelError`` where the pipeline is not installed.
    """
    nlp = _pipeline(model)
    doc = nlp(text) if model else nlp.make_doc(text)
    tokens = [(token.text, token.idx) for token in doc if not token.is_space]
    return Doc(
        text=text,
        words=tuple(word for word, _ in tokens),
        starts=tuple(start for _, start in tokens),
        ends=tuple(start + len(word) for word, start in tokens),
        entities=tuple(
            (KINDS[entity.label_], Span(entity.start_char, entity.end_char))
            for entity in doc.ents
            if entity.label_ in KINDS
        ),
        sentence_starts=tuple(s.start_char for s in doc.sents) if doc.has_annotation("SENT_START") else (),
    )
