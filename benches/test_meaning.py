"""How long comparing meanings takes: sentences to encode, and a question beside those of a large archive."""

import numpy as np

from benches.sizes import fastest, judge
from retrieval.archive.vectors import DIMENSIONS, VectorTable
from retrieval.models.sentence_encoder import SentenceEncoder

SENTENCES = 150_000
PER_ARTICLE = 50
ENCODED = 16.0  # ms, a sentence, alone and in context
COMPARED = 60.0  # ms, a question with all sentences


def test_encoding_is_quick() -> None:
    encoder = SentenceEncoder()
    text = "The council of ward {} voted by nine to four on Monday to mend the bridge over the river after the storm."
    sentences = [text.format(number) for number in range(40)]
    alone = 1000 * fastest(lambda: encoder.passages(sentences)) / len(sentences)
    in_context = 1000 * fastest(lambda: encoder.in_context("Bridges", sentences)) / len(sentences)
    print(f"\na sentence alone {alone:.1f} ms, in context {in_context:.1f} ms")
    judge(alone + in_context, ENCODED)


def test_a_question_is_compared_with_all_sentences_quickly() -> None:
    codes = np.random.default_rng(1).integers(-127, 128, (SENTENCES, DIMENSIONS), dtype=np.int8)
    versions, indexes = (each.astype(np.uint32) for each in np.divmod(np.arange(SENTENCES), PER_ARTICLE))
    first = np.arange(0, SENTENCES, PER_ARTICLE, dtype=np.uint32)
    table = VectorTable(codes, np.ones(SENTENCES, np.float32), versions, indexes, np.ones(SENTENCES, np.bool_), first)
    taken = 1000 * fastest(lambda: table.nearest(codes[7], 40, None))
    print(f"\n{SENTENCES} sentences compared in {taken:.1f} ms")
    judge(taken, COMPARED)
