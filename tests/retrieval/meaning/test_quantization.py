"""Eight bits a number: near the exact cosine, and the same to the bit in any company."""

from __future__ import annotations

import numpy as np

from retrieval.meaning.encoder import cosines, encoded


def directions(number: int, dimensions: int = 384) -> np.ndarray:
    """Return vectors of length 1 that point anywhere, shape (number, dimensions)."""
    found = np.random.default_rng(3).normal(size=(number, dimensions)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_the_cosine_of_codes_is_near_that_of_vectors() -> None:
    """Within two thousandths, where sentences of a news archive differ by a tenth."""
    vectors = directions(200)
    codes = encoded(vectors)
    found = cosines(codes[0], codes)
    assert found[0] == 1.0
    assert np.abs(found - vectors @ vectors[0]).max() < 0.002


def test_a_cosine_does_not_depend_on_the_company() -> None:
    """Alone, among others, or in another order: the same to the bit."""
    codes = encoded(directions(50))
    together = cosines(codes[7], codes)
    alone = [cosines(codes[7], [code])[0] for code in codes]
    backwards = cosines(codes[7], codes[::-1])[::-1]
    assert together.tobytes() == np.array(alone).tobytes() == np.ascontiguousarray(backwards).tobytes()


def test_a_code_does_not_depend_on_the_company() -> None:
    vectors = directions(9)
    assert encoded(vectors) == tuple(encoded(vector[None])[0] for vector in vectors)


def test_a_vector_of_nothing_is_like_nothing() -> None:
    """Neither zeros nor what a broken model makes gives a figure that is no number."""
    vectors = np.zeros((4, 6), dtype=np.float32)
    vectors[1] = 1.0
    vectors[2, 3] = np.nan
    vectors[3, 3] = np.inf
    codes = encoded(vectors)
    assert cosines(codes[1], codes).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert cosines(codes[0], codes).tolist() == [0.0] * 4


def test_of_no_sentences_there_are_no_cosines() -> None:
    """A question that nothing was found for."""
    assert cosines(encoded(directions(1))[0], []).shape == (0,)
