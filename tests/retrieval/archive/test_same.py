"""An archive is the same, to the last bit, in a file or in memory, and in whatever order and company articles came."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.fields import CAVEAT, DENIAL, said_by
from retrieval.archive.interface import Archive
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.model import Reading
from retrieval.names.aliases import Aliases
from retrieval.search import Query, Scope
from retrieval.text.terms import terms, words
from tests.retrieval.archive.opensearch.filled import Filled
from tests.shelf import FIXTURES, SEEDS, golden, readings
from tests.support.nightly import examples

pytestmark = [pytest.mark.rest, pytest.mark.no_cover]  # the same code as the other tests of the archive

Lasting = PersistentArchive | Filled
Own = tuple[Reading, ...]

QUESTIONS = [each.question for shelf in (SEEDS, FIXTURES) for each in golden(shelf)]
ORDERS = range(examples(3, 10))


@pytest.fixture(scope="module")
def own() -> Own:
    return (*readings(SEEDS), *readings(FIXTURES))


@pytest.fixture(scope="module")
def memory(own: Own) -> Archive:
    return open_archive(own)


# what a cluster is filled with comes from a file: how the file came to hold it is the file's business
@pytest.fixture(params=["file", "cluster"])
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lasting]:
    path = tmp_path / "archive.sqlite"
    archive = PersistentArchive(path) if request.param == "file" else Filled(request.getfixturevalue("address"), path)
    yield archive
    archive.close()


def questions_for(archive: Archive) -> Sequence[str]:
    """Return the questions that an archive is asked: some in CI, fewer of a cluster, and all in `make nightly`."""
    return QUESTIONS[:: examples(6 if isinstance(archive, Filled) else 2, 1)]


def compare(one: Archive, other: Archive) -> None:
    assert one.articles() == other.articles()
    with one.snapshot() as ours, other.snapshot() as theirs:
        compare_readings(ours, theirs)
        for question in (asked := questions_for(other)):
            compare_searched(ours, theirs, question)
        for each in dict.fromkeys(chain.from_iterable(map(terms, asked))):  # what ``places_with`` makes its places of
            assert ours.listed((each,)) == theirs.listed((each,))
            assert ours.listed((each,), (DENIAL,)) == theirs.listed((each,), (DENIAL,))
        for each in dict.fromkeys(chain.from_iterable(map(words, asked))):
            compare_named(ours, theirs, each)


def compare_readings(one: Archive, other: Archive) -> None:
    assert one.vocabulary().size() == other.vocabulary().size()
    assert one.outlets() == other.outlets()
    assert one.register().entities() == other.register().entities()
    ids = [each.id for each in one.listed()]
    assert list(one.searchable(ids).items()) == list(other.searchable(ids).items())
    for article_id in ids:
        assert one.reading(article_id) == other.reading(article_id)
        assert list(one.readings([article_id])) == list(other.readings([article_id]))
        facets = [CAVEAT, *(said_by(p.speaker) for p in one.reading(article_id).passages if p.speaker)]
        assert list(one.readings(facets=facets)) == list(other.readings(facets=facets))


def compare_searched(one: Archive, other: Archive, question: str) -> None:
    weighted = tuple((term, 1 / place) for place, term in enumerate(dict.fromkeys(terms(question)), 1))
    for limit in (1, 30, 1000):
        for boilerplate in (Query().boilerplate, frozenset()):
            query = Query(weighted, boilerplate)
            assert one.search(query, limit) == other.search(query, limit)
    assert one.register().named(words(question)) == other.register().named(words(question))
    assert one.vocabulary().frequencies(terms(question)) == other.vocabulary().frequencies(terms(question))
    assert one.listed(terms(question)) == other.listed(terms(question))


def compare_named(one: Archive, other: Archive, word: str) -> None:
    assert list(one.register().nearest(word)) == list(other.register().nearest(word))
    ours, theirs = (archive.vocabulary().spellings(word[:-1]) for archive in (one, other))
    # a cluster orders words by how many articles have them
    assert ours == theirs or (isinstance(other, ClusterArchive) and (ours[:1] == theirs[:1] or {*ours} & {*theirs}))
    assert one.register().find(word) == other.register().find(word)
    assert one.register().beginning(word[:3]) == other.register().beginning(word[:3])


def test_both_find_the_same_within_a_scope(own: Own, lasting: Lasting) -> None:
    sourced = [
        replace(reading, article=replace(reading.article, source=f"S{n % 3}", published=date(2024, 1, 1 + n % 28)))
        for n, reading in enumerate(own)
    ]
    lasting.add(sourced)
    whole = open_archive(sourced)
    days = date(2024, 1, 20), date(2024, 1, 9)
    scopes = Scope(frozenset(["S1"])), Scope(since=days[0]), Scope(frozenset(["S2"]), days[1])
    for question in questions_for(lasting):
        asked = Query(tuple((term, 1.0) for term in dict.fromkeys(terms(question))))
        for view, other in ((lasting.scoped(scope), whole.scoped(scope)) for scope in scopes):
            for limit in (1, 30):
                assert view.search(asked, limit) == other.search(asked, limit)
            counts = other.vocabulary().frequencies(terms(question))
            assert view.vocabulary().frequencies(terms(question)) == counts


def test_both_archives_say_the_same(own: Own, memory: Archive, lasting: Lasting) -> None:
    for reading in own:
        lasting.add([reading])
    compare(memory, lasting)


@pytest.mark.parametrize("order", ORDERS)
def test_who_is_who_does_not_depend_on_order(own: Own, memory: Archive, archive: PersistentArchive, order: int) -> None:
    chance = random.Random(order)  # noqa: S311
    shuffled = chance.sample(own, len(own))
    while shuffled:
        many = chance.randint(1, 8)
        archive.add(shuffled[:many])
        shuffled = shuffled[many:]
    assert archive.register().entities() == memory.register().entities()
    assert [archive.reading(r.article.id) for r in own] == [memory.reading(r.article.id) for r in own]


def test_after_removals_it_is_as_if_these_had_never_come(own: Own, archive: PersistentArchive) -> None:
    """And so is an index that is built anew."""
    archive.add(own)
    for reading in own[::2]:
        archive.remove(reading.article.id)
    others = open_archive(own[1::2])
    compare(others, archive)
    archive.reindex()
    compare(others, archive)


def test_names_that_are_joined_or_kept_apart_by_hand_are_so_in_both(own: Own, memory: Archive, tmp_path: Path) -> None:
    names = [entity.name for entity in memory.register().entities()]
    aliases = Aliases(same=(tuple(names[:2]), tuple(names[10:13])), different=(tuple(names[20:22]),))
    lasting = PersistentArchive(tmp_path / "archive.sqlite", aliases)
    for reading in reversed(own):
        lasting.add([reading])
    assert lasting.register().entities() == open_archive(own, aliases).register().entities()
    lasting.close()
