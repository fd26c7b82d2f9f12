"""A run of an article's sentences, and the question that it is read for -> the tokens that a cross-encoder takes.

``[CLS] question [SEP] head [SEP] the sentence before [mark] sentence [mark] sentence … [SEP]``: the output at a mark
is the sentence's score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from retrieval.search import Window

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MARK = 1  # "[unused0]" of BERT's vocabulary
CLS, SEP = 101, 102
QUESTION, HEAD, BEFORE, SENTENCE, ALL = 48, 32, 32, 96, 256  # tokens at most


class Tokens(NamedTuple):
    """Tokens by number, which of the two texts each is of, and where the marks stand, one a sentence."""

    ids: list[int]
    types: list[int]
    marks: list[int]


def tokens(tokenizer: Tokenizer, question: str, window: Window) -> Tokens:
    """Return the tokens, cut where there are too many: of the sentence before, its end is kept."""

    def ids(text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode()  # half a character cannot be cut
        return list(tokenizer.encode(whole, add_special_tokens=False).ids)

    found = [CLS, *ids(question)[:QUESTION], SEP]
    asked = len(found)
    found += [*ids(window.head)[:HEAD], SEP, *ids(window.before)[-BEFORE:]]
    marks = []
    for sentence in window.sentences:
        marks.append(min(len(found), ALL - 1))
        found += [MARK, *ids(sentence)[:SENTENCE]]
    found = [*found[: ALL - 1], SEP]
    return Tokens(found, [0] * asked + [1] * (len(found) - asked), marks)
