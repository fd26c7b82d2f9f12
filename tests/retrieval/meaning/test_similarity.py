"""Each sentence is encoded once, and a cosine is the same whatever was done before."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path

import pytest

from retrieval.cache.digest_store import DigestStore
from retrieval.meaning import similarity as module
from retrieval.meaning.encoder import Vectors
from retrieval.meaning.similarity import Similarity
from tests.encoders import Letters

QUESTION = "who sank the ferry?"
SENTENCES = [f"The ferry number {word} sank in the harbour." for word in "one two three four five six seven".split()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for what is kept."""
    return tmp_path / "vectors.sqlite"


@pytest.fixture
def kept(path: Path) -> Iterator[DigestStore]:
    """Return what keeps codes."""
    opened = DigestStore(path)
    yield opened
    opened.close()


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be idle as soon as nobody asks."""
    monkeypatch.setattr(module, "QUIET", 0.0)


def test_the_sentence_of_the_same_letters_is_nearest() -> None:
    """A cosine for each sentence, in their order."""
    found = Similarity(Letters()).similarities("ferry", ["mayor", "ferry", "a ferry sank"])
    assert found[1] == 1.0
    assert found.argsort().tolist() == [0, 2, 1]


def test_a_sentence_is_encoded_once_in_its_life(kept: DigestStore) -> None:
    """Asked again, here or by the next process, in other white space or twice in one question."""
    first, second = Letters(), Letters()
    Similarity(first, kept).similarities(QUESTION, [*SENTENCES, SENTENCES[0]])
    again = Similarity(second, kept)
    again.similarities(QUESTION, SENTENCES)
    again.similarities(QUESTION, ["  The ferry\tnumber one\n sank in the harbour. "])
    assert first.given == SENTENCES
    assert second.given == []


def test_the_cosines_are_the_same_whatever_was_kept(kept: DigestStore) -> None:
    """Nothing kept, some, all in memory, all in the file: the same to the bit."""
    fresh = Similarity(Letters()).similarities(QUESTION, SENTENCES).tobytes()
    similarity = Similarity(Letters(), kept)
    similarity.similarities("another question", SENTENCES[2:4])
    assert similarity.similarities(QUESTION, SENTENCES).tobytes() == fresh
    assert similarity.similarities(QUESTION, SENTENCES).tobytes() == fresh
    assert Similarity(Letters(), kept).similarities(QUESTION, SENTENCES).tobytes() == fresh


def test_another_encoder_has_vectors_of_its_own(kept: DigestStore) -> None:
    """What one model made is not compared with what another makes."""
    other = Letters()
    other.name = "other letters"
    Similarity(Letters(), kept).similarities(QUESTION, SENTENCES)
    Similarity(other, kept).similarities(QUESTION, SENTENCES)
    assert other.given == SENTENCES


def test_no_more_is_at_hand_than_the_bound() -> None:
    encoder = Letters()
    similarity = Similarity(encoder, cached_codes=2)
    for sentence in ("a", "b", "a", "c", "a"):
        similarity.similarities(QUESTION, [sentence])
    assert encoder.given == ["a", "b", "c"]
    assert len(similarity.similarities(QUESTION, SENTENCES)) == len(SENTENCES)


def test_many_threads_get_the_same(kept: DigestStore) -> None:
    """All at once, in front of one file."""
    similarity = Similarity(Letters(), kept)
    with ThreadPoolExecutor(8) as pool:
        found = {row.tobytes() for row in pool.map(lambda _: similarity.similarities(QUESTION, SENTENCES), range(40))}
    assert found == {Similarity(Letters()).similarities(QUESTION, SENTENCES).tobytes()}


def test_no_sentences_are_no_cosines() -> None:
    assert Similarity(Letters()).similarities(QUESTION, []).shape == (0,)


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("keeping", [True, False])
def test_what_was_filled_is_not_encoded_again(kept: DigestStore, keeping: bool) -> None:  # noqa: FBT001 - a parameter
    """In the file, or in memory where there is none; twice the same is encoded once."""
    encoder = Letters()
    similarity = Similarity(encoder, kept if keeping else None)
    assert similarity.fill([*SENTENCES, SENTENCES[0]], threading.Event()) == len(SENTENCES)
    assert similarity.fill(SENTENCES, threading.Event()) == 0
    similarity.similarities(QUESTION, SENTENCES)
    assert encoder.given == SENTENCES


@pytest.mark.usefixtures("_at_once")
def test_filling_ends_after_the_slice_under_way_and_keeps_it(kept: DigestStore) -> None:
    encoder, stop = Letters(), threading.Event()
    encoder.may_go_on.clear()
    with ThreadPoolExecutor(1) as pool:
        filling = pool.submit(Similarity(encoder, kept).fill, SENTENCES, stop)
        assert encoder.has_begun.wait(30)
        stop.set()
        encoder.may_go_on.set()
        assert filling.result(30) == 4
    assert encoder.given == SENTENCES[:4]
    again = Letters()
    Similarity(again, kept).similarities(QUESTION, SENTENCES)
    assert again.given == SENTENCES[4:]


def test_nothing_is_filled_while_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes; and an end that is asked for meanwhile is one at once."""
    encoder, stop = Letters(), threading.Event()
    monkeypatch.setattr(module, "QUIET", 0.001)
    similarity = Similarity(encoder)
    with similarity._asked(), ThreadPoolExecutor(1) as pool:
        filling = pool.submit(similarity.fill, SENTENCES, stop)
        assert not encoder.has_begun.wait(0.05)
        stop.set()
        assert filling.result(30) == 0
    assert encoder.given == []


def test_an_end_asked_for_before_the_program_is_idle_is_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the pause to pass."""
    monkeypatch.setattr(module, "QUIET", 3600.0)
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        filling = pool.submit(Similarity(Letters()).fill, SENTENCES, stop)
        stop.set()
        assert filling.result(30) == 0


@pytest.mark.usefixtures("_at_once")
def test_no_more_is_filled_than_can_be_kept(path: Path) -> None:
    """Else the last would push out the first, to be encoded again at every start."""
    kept = DigestStore(path, bound=3)
    assert Similarity(Letters(), kept).fill(SENTENCES, threading.Event()) == 3
    assert Similarity(Letters(), kept).fill(SENTENCES, threading.Event()) == 0
    kept.close()


class Watching(Letters):
    """Notes how many codes are kept whenever it is given something."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.kept: list[str] = []

    def sentences(self, texts: Sequence[str]) -> Vectors:
        self.kept.append(DigestStore(self._path).report().split()[1])
        return super().sentences(texts)


@pytest.mark.usefixtures("_at_once")
def test_who_is_stopped_while_filling_has_encoded_sixty_four_for_nothing_at_most(path: Path, kept: DigestStore) -> None:
    encoder = Watching(path)
    Similarity(encoder, kept).fill([f"Ferry {n} sank." for n in range(66)], threading.Event())
    assert encoder.kept == ["0"] * 16 + ["64"]


@pytest.mark.usefixtures("_at_once")
def test_sixteen_thousand_are_at_hand_where_no_file_is() -> None:
    """More would be pushed out by those that follow."""
    similarity = Similarity(Letters())
    assert similarity.fill((f"Ferry {n}." for n in range(16_386)), threading.Event()) == 16_384


def test_what_was_kept_before_is_found_by_what_it_stood_under(kept: DigestStore) -> None:
    encoder = Letters()
    Similarity(encoder, kept).similarities(QUESTION, ["A ferry sank."])
    key = blake2b(encoder.name.encode(), digest_size=16).digest()
    digest = blake2b(b"A ferry sank.", digest_size=16, key=key).digest()
    assert kept.get([digest]).keys() == {digest}
