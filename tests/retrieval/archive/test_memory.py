"""The archive in memory: what every archive promises."""

from __future__ import annotations

import pytest

from retrieval.annotate import read_all
from retrieval.archive.archive import open_archive
from retrieval.archive.terms import terms
from retrieval.model import Article
from retrieval.search import Archive, Query

TEXTS = {
    "ferry": (
        "The ferry to Lisbon sank on Friday. The mayor of Lisbon, Ines Roe, said nobody had been at the wheel. "
        "She asked for an inquiry. The little port city has no other link."
    ),
    "bridge": "The bridge at Oxley will close. Repairs cost 4 million crowns, said Mayor Tomas Brandt.",
    "storm": "A storm is coming. The ferry stays in port.",
}


def archive(*names: str) -> Archive:
    """Return an archive of the texts of these names."""
    return open_archive(read_all([Article(name, TEXTS[name]) for name in names]))


def ask(of: Archive, text: str, limit: int = 10) -> list[tuple[str, int]]:
    """Return the places found for the terms of ``text``."""
    query = Query(terms=tuple((term, 1.0) for term in terms(text)))
    return [(hit.article_id, hit.passage.sentence.index) for hit in of.search(query, limit)]


def test_only_sentences_that_share_a_term_are_found() -> None:
    """A word that occurs nowhere finds nothing."""
    held = archive("ferry", "bridge", "storm")
    assert ask(held, "ferry") == [("storm", 1), ("ferry", 0)]
    assert ask(held, "volcano") == []
    assert ask(held, "ferry", 1) == [("storm", 1)]


def test_a_sentence_is_found_by_what_is_around_it() -> None:
    """By its speaker's role, by whom its pronoun means, and by the place that "the town" is."""
    held = archive("ferry", "bridge")
    assert ("ferry", 2) in ask(held, "Roe")
    assert ("ferry", 3) in ask(held, "Lisbon")
    assert held.searchable("ferry")[3].around == terms("Lisbon")


def test_the_order_of_loading_changes_nothing() -> None:
    """Ties are broken by article and place, and statistics do not depend on the order."""
    names = ("ferry", "bridge", "storm")
    for text in ("ferry mayor", "town", "the bridge in port"):
        assert ask(archive(*names), text) == ask(archive(*reversed(names)), text)


def test_an_article_is_put_in_replaced_and_removed() -> None:
    """And a question sees the one state or the other."""
    held = archive("ferry")
    (reading,) = read_all([Article("ferry", TEXTS["storm"])])
    held.put(reading)
    assert [article.text for article in held.articles()] == [TEXTS["storm"]]
    assert held.reading("ferry") is reading
    assert held.article("ferry").id == "ferry"
    held.remove("ferry")
    assert held.articles() == ()
    assert held.size() == 0
    assert ask(held, "ferry") == []


@pytest.mark.parametrize("call", ["article", "reading", "remove", "searchable"])
def test_what_is_not_held_is_a_key_error(call: str) -> None:
    """Whatever is asked of it."""
    with pytest.raises(KeyError):
        getattr(archive("ferry"), call)("nothing")


def test_names_are_found_by_their_spellings() -> None:
    """Among a question's words, and by their beginning."""
    held = archive("ferry", "bridge")
    assert [entity.name for entity in held.named(("what", "did", "ines", "roe", "say", "in", "lisbons"))] == [
        "Ines Roe",
        "Lisbon",
    ]
    assert held.names("bra") == ("Tomas Brandt",)
    assert {"Ines Roe", "Lisbon"} <= {entity.name for entity in held.entities()}
    assert held.register().meant("brant") is not None


def test_misspelt_words_are_held_against_the_articles() -> None:
    """One slip in a word, two in a long one; a word that occurs is not misspelt."""
    held = archive("ferry", "bridge", "storm")
    assert held.spellings("brigde") == ("bridge",)
    assert held.spellings("inqiry") == ("inquiry",)
    assert held.spellings("bridge") == ()
    assert held.spellings("sto") == ()
    assert held.frequency(terms("bridge")[0]) == 1
