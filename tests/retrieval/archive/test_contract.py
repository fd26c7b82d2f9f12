"""What every archive promises, of each there is: the one in memory, and the one in a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.memory import MemoryArchive
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import open_opensearch
from retrieval.model import Article, Boilerplate, Reading
from retrieval.pipeline import read_all
from retrieval.search import ARTICLE, PARAGRAPH, Archive, Hit, Query
from retrieval.text.terms import terms, words
from tests import shelf

Open = Callable[[Sequence[Reading]], Archive]
SAME_SCORE = 0.01  # a sentence of stopwords alone counts among the documents of one archive, and not of the other
SAME_CANDIDATES = 0.9  # of 30, at least, on average: two archives count a paragraph's words in two ways

TEXTS = {
    "ferry": (
        "The ferry to Lisbon sank on Friday. The mayor of Lisbon, Ines Roe, said nobody had been at the wheel. "
        "She asked for an inquiry. The little port city has no other link."
    ),
    "bridge": "The bridge at Oxley will close. Repairs cost 4 million crowns, said Mayor Tomas Brandt.",
    "storm": "A storm is coming. The ferry stays in port.",
}


@pytest.fixture(params=["memory", "opensearch"])
def opened(request: pytest.FixtureRequest) -> Open:
    """Return what opens an archive of some readings."""
    if request.param == "memory":
        return MemoryArchive

    def fill(readings: Sequence[Reading]) -> Archive:
        held = open_opensearch(request.getfixturevalue("address"), Credentials())
        held.fill({reading.article.id: reading for reading in readings})
        return held

    return fill


def read(*names: str) -> tuple[Reading, ...]:
    """Return the texts of these names, read."""
    return read_all([Article(name, TEXTS[name]) for name in names])


def terms_of(text: str) -> tuple[tuple[str, float], ...]:
    """Return the terms of ``text`` with a weight of 1 each."""
    return tuple((term, 1.0) for term in terms(text))


def ask(of: Archive, text: str, limit: int = 10) -> list[tuple[str, int]]:
    """Return the places found for the terms of ``text``."""
    query = Query(terms=terms_of(text))
    return [(hit.article_id, hit.passage.sentence.index) for hit in of.search(query, limit)]


def test_a_sentence_is_found_by_its_own_words_first_and_then_by_where_it_stands(opened: Open) -> None:
    """Its paragraph and its article count too; a word that occurs nowhere finds nothing."""
    held = opened(read("ferry", "bridge", "storm"))
    assert ask(held, "ferry") == [("storm", 1), ("ferry", 0), ("storm", 0), ("ferry", 1), ("ferry", 2), ("ferry", 3)]
    assert ask(held, "volcano") == []
    assert ask(held, "ferry", 1) == [("storm", 1)]


def test_a_hits_score_is_the_sum_of_its_fields(opened: Open) -> None:
    """The sentence, the paragraph and the article, each with its weight."""
    held = opened(read("ferry", "bridge", "storm"))
    hits = held.search(Query(terms=(("ferri", 1.0), ("inquiri", 0.5))), 10)
    assert hits
    for hit in hits:
        assert hit.score == pytest.approx(hit.sentence + PARAGRAPH * hit.paragraph + ARTICLE * hit.article)
    assert hits[0].sentence > 0


def test_boilerplate_is_found_where_the_query_lets_it(opened: Open) -> None:
    """All of it by default, as commands need it."""
    held = opened(read_all([Article("a", "The ferry sank.\n\nReporting by Ana Vell in Oxley.")]))
    found = {hit.passage.sentence.boilerplate for hit in held.search(Query(terms=terms_of("vell ferry")), 10)}
    assert found == {None, Boilerplate.CREDIT}
    (hit,) = held.search(Query(terms=terms_of("vell ferry"), boilerplate=frozenset()), 10)
    assert hit.passage.sentence.boilerplate is None


def test_sentences_that_hold_every_term_are_given_in_order(opened: Open) -> None:
    """The names around them count, and the speaker's; no term, no sentence."""
    held = opened(read("ferry", "bridge", "storm"))
    assert held.holding(terms("ferry")) == (("ferry", 0), ("storm", 1))
    assert held.holding(terms("Roe inquiry")) == (("ferry", 2),)
    assert held.holding(terms("ferry bridge")) == ()
    assert held.holding(()) == ()


def test_a_sentence_is_held_by_what_is_around_it(opened: Open) -> None:
    """By its speaker's role, by whom its pronoun means, and by the place that "the town" is."""
    held = opened(read("ferry", "bridge"))
    assert ("ferry", 2) in held.holding(terms("Roe"))
    assert ("ferry", 3) in held.holding(terms("Lisbon"))
    assert held.searchable("ferry")[3].around == terms("Lisbon")


def test_the_order_of_loading_changes_nothing(opened: Open) -> None:
    """Ties are broken by article and place, and statistics do not depend on the order."""
    names = ("ferry", "bridge", "storm")
    for text in ("ferry mayor", "town", "the bridge in port"):
        assert ask(opened(read(*names)), text) == ask(opened(read(*reversed(names))), text)


def test_an_article_is_put_in_replaced_and_removed(opened: Open) -> None:
    """And a question sees the one state or the other."""
    held = opened(read("ferry"))
    (reading,) = read_all([Article("ferry", TEXTS["storm"])])
    before = held.revision()
    assert held.revision() == before
    held.put(reading)
    assert held.revision() != before
    assert [article.text for article in held.articles()] == [TEXTS["storm"]]
    assert held.reading("ferry") == reading
    assert held.article("ferry").id == "ferry"
    held.remove("ferry")
    assert held.articles() == ()
    assert held.size() == 0
    assert ask(held, "ferry") == []


@pytest.mark.parametrize("call", ["article", "reading", "remove", "searchable"])
def test_what_is_not_held_is_a_key_error(opened: Open, call: str) -> None:
    """Whatever is asked of it."""
    with pytest.raises(KeyError):
        getattr(opened(read("ferry")), call)("nothing")


def test_names_are_found_by_their_spellings(opened: Open) -> None:
    """Among a question's words, and by their beginning."""
    held = opened(read("ferry", "bridge"))
    assert [entity.name for entity in held.named(("what", "did", "ines", "roe", "say", "in", "lisbons"))] == [
        "Ines Roe",
        "Lisbon",
    ]
    assert held.names("bra") == ("Tomas Brandt",)
    assert {"Ines Roe", "Lisbon"} <= {entity.name for entity in held.entities()}
    assert held.register().meant("brant") is not None


def test_misspelt_words_are_held_against_the_articles(opened: Open) -> None:
    """One slip in a word, two in a long one; a word that occurs is not misspelt."""
    held = opened(read("ferry", "bridge", "storm"))
    assert held.spellings("brigde") == ("bridge",)
    assert held.spellings("inqiry") == ("inquiry",)
    assert held.spellings("bridge") == ()
    assert held.spellings("sto") == ()
    assert held.frequency(terms("bridge")[0]) == 1


def test_all_that_is_held_is_what_memory_holds(filled: OpenSearchArchive) -> None:
    """Articles, readings, terms, names, their bearers and counts, over a shelf of articles."""
    held, memory = filled, MemoryArchive(shelf.readings(shelf.FIXTURES))
    assert held.articles() == memory.articles()
    for article in memory.articles():
        assert held.reading(article.id) == memory.reading(article.id)
        assert held.searchable(article.id) == memory.searchable(article.id)
    assert held.size() == memory.size()
    assert held.entities() == memory.entities()
    asked = [entity.name.lower() for entity in memory.entities()][:60]
    for name in (*asked, "mayor", "xyzzy", "the"):
        assert held.register().find(name) == memory.register().find(name)
        assert held.names(name[:3]) == memory.names(name[:3])


def test_a_questions_words_are_the_same_as_in_memory(filled: OpenSearchArchive) -> None:
    """How often they occur, what a misspelt one is meant for, and whom they name."""
    held, memory = filled, MemoryArchive(shelf.readings(shelf.FIXTURES))
    for golden in shelf.golden(shelf.FIXTURES)[:60]:
        question = Question(golden.question, golden.previous)
        assert understand(question, held) == understand(question, memory)
        named = [entity.name for entity in memory.named(words(golden.question))]
        assert [entity.name for entity in held.named(words(golden.question))] == named


def test_the_candidates_are_those_of_memory(filled: OpenSearchArchive) -> None:
    """What a sentence itself scores is the same; of what stands around it, the order is nearly."""
    held, memory = filled, MemoryArchive(shelf.readings(shelf.FIXTURES))
    shared: list[float] = []
    for golden in shelf.golden(shelf.FIXTURES):
        query = understand(Question(golden.question, golden.previous), memory).query
        ours, theirs = _by_place(held.search(query, 30)), _by_place(memory.search(query, 30))
        both = ours.keys() & theirs.keys()
        assert [ours[place].sentence for place in both] == pytest.approx(
            [theirs[place].sentence for place in both], rel=SAME_SCORE
        )
        assert next(iter(theirs), None) in (ours or {None: None})
        shared.append(len(both) / max(len(theirs), 1) if theirs else float(not ours))
    assert sum(shared) / len(shared) >= SAME_CANDIDATES


def _by_place(hits: Sequence[Hit]) -> dict[tuple[str, int], Hit]:
    return {(hit.article_id, hit.passage.sentence.index): hit for hit in hits}
