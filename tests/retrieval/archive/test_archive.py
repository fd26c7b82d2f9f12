"""What every archive promises; that one in a file keeps it too is in ``test_same`` and ``test_stateful``.

And a view of it: the articles of some sources and nothing of others; of some days, where old ones open.
"""

import inspect
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, WritableArchive, open_archive
from retrieval.archive.fields import said_by
from retrieval.archive.interface import Archive, places_with
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.ingest import encode
from retrieval.model import Article, Boilerplate
from retrieval.pipeline import read_one, read_separately
from retrieval.search import EVERYTHING, Query, Scope
from retrieval.text.terms import terms
from tests.encoders import Fixed, code

TEXTS = {
    "ferry": (
        "The ferry to Lisbon sank on Friday. The mayor of Lisbon, Ines Roe, said nobody had been at the wheel. "
        "She asked for an inquiry. The little port city has no other link."
    ),
    "bridge": "The bridge at Oxley will close. Repairs cost 4 million crowns, said Mayor Tomas Brandt.",
    "storm": "A storm is coming. The ferry stays in port.",
}


BELL, GULL, HERON = "The Oxley Bell", "The Gull", "The Heron"
SPRING = date(2024, 3, 10)
DATED = (
    Article("a", "The ferry sank. The ferry was old.", source=BELL, published=date(2024, 3, 1)),
    Article("b", "A ferry, said Ines Roe, is safe.", source=BELL, published=SPRING),
    Article("c", "The ferry stays in port. Roe asked for a ferry.", source=GULL, published=date(2024, 3, 20)),
    Article("d", "Ferry, ferry, ferry.", source=HERON, published=date(2024, 2, 1)),
    Article("e", "No ferry came today.", published=date(2024, 3, 30)),
)
SCOPES = {
    EVERYTHING: "abcde",
    Scope(frozenset([BELL])): "ab",
    Scope(frozenset([GULL, HERON, ""])): "cd",
    Scope(frozenset()): "",
    Scope(since=SPRING): "bce",
    Scope(since=date(2025, 1, 1)): "",
    Scope(frozenset([BELL, HERON]), SPRING): "b",
}


def holding(*names: str, articles: Sequence[Article] = ()) -> Archive:
    return open_archive(read_separately([*articles, *(Article(name, TEXTS[name]) for name in names)]))


def terms_of(text: str) -> tuple[tuple[str, float], ...]:
    return tuple((term, 1.0) for term in terms(text))


def ask(of: Archive, text: str, limit: int = 10) -> list[tuple[str, int]]:
    query = Query(terms=terms_of(text))
    return [(hit.article_id, hit.passage.sentence.index) for hit in of.search(query, limit)]


def test_a_sentence_is_found_by_its_own_words_first_and_then_by_where_it_stands() -> None:
    held = holding("ferry", "bridge", "storm")
    assert ask(held, "ferry") == [("storm", 1), ("ferry", 0), ("storm", 0), ("ferry", 1), ("ferry", 2), ("ferry", 3)]
    assert ask(held, "volcano") == []
    assert ask(held, "ferry", 1) == [("storm", 1)]


def test_a_score_is_what_bm25_makes_of_the_words() -> None:
    """Worked out by hand: one of three sentences has the word, and is half as long again as they are on average."""
    (hit, *others) = holding(articles=[Article("a", "Ferries sank. Ferries burned quickly. Trams.")]).search(
        Query(terms=terms_of("burn")), 10
    )
    worth = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert hit.passage.sentence.index == 1
    assert hit.sentence == pytest.approx(worth * 1.3 / (1 + 0.3 * (1 - 0.5 + 0.5 * 3 / 2)), rel=1e-5)
    assert hit.score == pytest.approx(hit.sentence + 1.5 * hit.paragraph + 0.5 * hit.article, rel=1e-5)
    assert [other.sentence for other in others] == [0.0] * len(others)


def test_twenty_five_names_and_three_words_are_offered() -> None:
    names = " ".join(f"Viktor {a}{b} left." for a in "BDFGKLM" for b in ("ander", "orsen", "ilmer", "ucek"))
    text = f"{names} The harbor, a harber, the harbur and a harbir burned."
    whole = holding(articles=[Article("a", text, source=GULL, published=SPRING)])
    for held in (whole, whole.scoped(Scope(frozenset({GULL}))), whole.scoped(Scope(since=SPRING))):
        assert len(held.register().beginning("viktor")) == 25
        assert len(held.register().beginning("viktor", 26)) == 26
        assert len(held.vocabulary().spellings("harbar")) == 3
        assert len(held.vocabulary().spellings("harbar", 4)) == 4


def test_boilerplate_is_found_where_the_query_lets_it() -> None:
    held = holding(articles=[Article("a", "The ferry sank.\n\nReporting by Ana Vell in Oxley.")])
    found = {hit.passage.sentence.boilerplate for hit in held.search(Query(terms=terms_of("vell ferry")), 10)}
    assert found == {None, Boilerplate.CREDIT}
    (hit,) = held.search(Query(terms=terms_of("vell ferry"), boilerplate=frozenset()), 10)
    assert hit.passage.sentence.boilerplate is None


def test_sentences_that_hold_every_term_are_given_in_order() -> None:
    held = holding("ferry", "bridge", "storm")
    assert places_with(held, terms("ferry")) == (("ferry", 0), ("storm", 1))
    assert places_with(held, terms("Roe inquiry")) == (("ferry", 2),)
    assert places_with(held, terms("ferry bridge")) == ()
    assert places_with(held, ()) == ()
    speakers = {said_by(p.speaker) for p in held.reading("ferry").passages if p.speaker}
    assert places_with(held, terms("ferry"), speakers) == (("ferry", 0),)
    assert places_with(held, terms("ferry"), [said_by("nobody")]) == ()


def test_articles_are_listed_that_have_each_word_somewhere() -> None:
    held = holding("ferry", "bridge", "storm")
    assert [each.id for each in held.listed()] == ["bridge", "ferry", "storm"]
    assert [(a.id, a.digest, a.source, a.published, a.title, a.url, ()) for a in held.articles()] == list(held.listed())
    for words in ("ferry", "roe", "lisbon inquiry", "bridge lisbon", "volcano"):
        there = [{place for place, _ in places_with(held, (term,))} for term in terms(words)]
        assert [each.id for each in held.listed(terms(words))] == sorted(set.intersection(*there))
    said = {p.speaker for p in held.reading("ferry").passages if p.speaker}
    assert [each.id for each in held.listed((), [said_by(speaker) for speaker in said])] == ["ferry"]
    assert held.listed(terms("volcano"), [said_by(speaker) for speaker in said]) == ()


def test_a_sentence_is_held_by_what_is_around_it() -> None:
    """By its speaker's role, by whom its pronoun means, and by the place that "the town" is."""
    held = holding("ferry", "bridge")
    assert ("ferry", 2) in places_with(held, terms("Roe"))
    assert ("ferry", 3) in places_with(held, terms("Lisbon"))
    assert held.searchable(["ferry", "nothing"])["ferry"][3].around == terms("Lisbon")


def test_copies_are_told_as_they_come_and_go() -> None:
    story = "Armed men stopped a convoy of eleven grain lorries outside Kelmar before dawn on Tuesday, drivers said."
    other = "The ferry to Lisbon was late on Monday, and nobody at the port of Kelmar could say why that was so."
    held = holding(articles=[Article("c", story), Article("a", f"{story} More soon."), Article("b", other)])
    assert copies(held) == {"a": "c", "b": "", "c": "a"}
    held.add([read_one(Article("b", story))])
    assert copies(held) == {"a": "bc", "b": "ac", "c": "ab"}
    held.remove("a")
    assert copies(held) == {"b": "c", "c": "b"}
    held.add([read_one(Article("c", other))])
    assert copies(held) == {"b": "", "c": ""}


def copies(held: Archive) -> dict[str, str]:
    return {each.id: "".join(each.copies) for each in held.listed()}


@pytest.fixture
def dated() -> Archive:
    return holding(articles=DATED)


@pytest.mark.parametrize("scope", SCOPES)
def test_what_is_found_within_a_scope_is_what_is_found_of_all_without_the_rest(dated: Archive, scope: Scope) -> None:
    query = Query(terms=terms_of("ferry roe"))
    every = dated.search(query, 100)
    within = [hit for hit in every if hit.article_id in SCOPES[scope]]
    assert {hit.article_id for hit in every} == set("abcde")
    for limit in (0, 1, 3, 100):
        wanted = [(hit.article_id, hit.passage, hit.score) for hit in within[:limit]]
        found = dated.scoped(scope).search(query, limit)
        assert [(hit.article_id, hit.passage, hit.score) for hit in found] == wanted


@pytest.mark.parametrize("scope", SCOPES)
def test_words_that_its_sources_have_are_counted_over_all_articles(dated: Archive, scope: Scope) -> None:
    view, ids = dated.scoped(scope), {article.id for article in dated.scoped(Scope(scope.sources)).articles()}
    every = dated.searchable([article.id for article in dated.articles()])
    own = [(article_id, sentence.own) for article_id, sentences in every.items() for sentence in sentences]
    asked = terms("ferry roe port volcano")
    shown = {each for article_id, held in own if article_id in ids for each in held}
    counted = {each: sum(each in held for _, held in own) if each in shown else 0 for each in asked}
    assert view.vocabulary().frequencies(asked) == counted
    assert view.vocabulary().frequencies(()) == {}


@pytest.mark.parametrize("scope", SCOPES)
def test_what_is_held_within_a_scope_is_what_is_held_of_all_without_the_rest(dated: Archive, scope: Scope) -> None:
    view = dated.scoped(scope)
    assert "".join(article.id for article in view.articles()) == SCOPES[scope]
    for words in ("ferry", "roe ferry"):
        held = [place for place in places_with(dated, terms(words)) if place[0] in SCOPES[scope]]
        assert list(places_with(view, terms(words))) == held
    ids = [each.id for each in view.listed(named=("a", "b", "c", "nothing"))]
    assert ids == sorted(set("abc") & set(SCOPES[scope]))
    assert view.listed(named=()) == ()
    assert "".join(each.id for each in view.listed()) == SCOPES[scope]
    there = {place for place, _ in places_with(view, terms("roe"))}
    assert {each.id for each in view.listed(terms("roe"))} == there


@pytest.mark.parametrize("call", ["article", "reading", "remove", "history"])
def test_what_is_not_held_is_a_key_error(call: str) -> None:
    with pytest.raises(KeyError):
        getattr(holding("ferry"), call)("nothing")


def methods(kind: type) -> dict[str, list[str]]:
    functions = inspect.getmembers(kind, inspect.isfunction)
    return {name: list(inspect.signature(each).parameters) for name, each in functions if not name.startswith("_")}


@pytest.mark.parametrize("kind", [WritableArchive, ClusterArchive])
def test_its_methods_take_what_the_protocol_says(kind: type) -> None:
    assert methods(Archive).items() <= methods(kind).items()


def test_the_protocol_stays_small() -> None:
    assert len(methods(Archive)) == 18


# one man, spelt in two ways, and in full in one paper only
ARTICLES = (
    Article("gull.txt", "Mykhailo Tarasenko spoke at the lighthouse. “The lamp is out,” Tarasenko said.", source=GULL),
    Article(
        "heron.txt", "Mikhail Tarasenko spoke at the lighthouse. Ines Roe did not. The quay flooded.", source=HERON
    ),
    Article("note.txt", "A note on the lighthouse was found. Nobody knows whose it is."),
)


@pytest.fixture
def whole() -> Archive:
    return open_archive(read_separately(ARTICLES))


@pytest.mark.parametrize("call", ["article", "reading", "history"])
def test_what_is_outside_is_a_key_error(call: str, whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    for outside in ("heron.txt", "note.txt", "nothing"):
        with pytest.raises(KeyError):
            getattr(view, call)(outside)
        assert view.searchable([outside]) == {}


def test_a_word_that_stands_outside_alone_is_meant_by_none(whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    for within in (Scope(frozenset({HERON})), Scope(since=date(2020, 1, 1))):
        assert view.scoped(within).vocabulary().frequencies(terms("quay")) == {"quay": 0}
    assert view.vocabulary().size() == whole.vocabulary().size()
    assert whole.vocabulary().spellings("flodoed") == ("flooded",)
    assert view.vocabulary().spellings("flodoed") == ()
    assert view.vocabulary().spellings("lighthuose") == ("lighthouse",)
    assert places_with(view, terms("lighthouse")) == (("gull.txt", 0),)


def test_a_view_finds_its_own_by_meaning_while_others_ask_of_what_came(tmp_path: Path) -> None:
    near, late = Query(vector=code(1.0)), Article("late.txt", "The lamp is lit.", source=GULL)
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as whole, ThreadPoolExecutor(1) as others:

        def put(*articles: Article) -> set[str]:
            whole.add(read_separately(articles))
            encode(whole, Fixed("lamp"), lambda: None, threads=1)
            return {hit.article_id for hit in whole.search(near, 0, near=9)} if late in articles else set()

        put(*ARTICLES)
        with whole.snapshot():
            assert others.submit(put, late).result() == {"gull.txt", "heron.txt", "note.txt", "late.txt"}
            view = whole.scoped(Scope(frozenset({GULL})))
            assert {hit.article_id for hit in view.search(near, 0, near=9)} == {"gull.txt"}


def test_people_are_called_as_they_are_spelt_within(whole: Archive) -> None:
    for source, own, other in ((GULL, "Mykhailo", "Mikhail"), (HERON, "Mikhail", "Mykhailo")):
        view = whole.scoped(Scope(frozenset({source})))
        (man,) = (entity for entity in view.register().entities() if "Tarasenko" in entity.name)
        assert man.name == f"{own} Tarasenko"
        assert len(man.articles) == 1
        assert not any(other in spelt for spelt in man.variants)
        assert view.register().meant("tarasenko") == man
        assert view.register().named((own.lower(), "tarasenko")) == (man,)
        assert view.register().beginning(other) == ()
        assert view.vocabulary().frequencies(terms(f"{own} {other}")) == {own.lower(): 1, other.lower(): 0}
        reading = view.reading(man.articles[0])
        assert {m.name for p in reading.passages for m in p.mentions if "Tarasenko" in m.name} == {man.name}


def test_of_an_articles_versions_those_of_the_sources_are_there(tmp_path: Path) -> None:
    gull, heron = (replace(article, id="a") for article in ARTICLES[:2])
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as whole:
        for article in (gull, heron):
            whole.add([read_one(article)])
        assert len(whole.history("a")) == 2
        assert [version.digest for version in whole.scoped(Scope(frozenset({HERON}))).history("a")] == [heron.digest]
        with pytest.raises(KeyError):
            whole.scoped(Scope(frozenset({GULL}))).history("a")


def test_who_is_named_elsewhere_is_nobody_within_and_changes_nothing(whole: Archive) -> None:
    view = whole.scoped(Scope(frozenset({GULL})))
    before, called = view.revision(), view.register().entities()
    assert before == whole.revision()
    assert {entity.name for entity in whole.register().entities()} - {entity.name for entity in called} >= {"Ines Roe"}
    assert view.register().find("ines roe") == view.register().beginning("in") == ()
    whole.add([read_one(Article("elsewhere.txt", "Berta Falk closed the quay in Oxley.", source=HERON))])
    assert view.register().entities() == called
    whole.add([read_one(Article("here.txt", "Berit Falk mended the lamp.", source=GULL))])
    assert view.revision() != before
    assert view.register().beginning("be") == ("Berit Falk",)
    whole.remove("here.txt")
    assert view.register().beginning("be") == ()
    whole.remove("heron.txt")  # which spelt the man otherwise
    assert view.register().entities() == called


FIRST = date(2021, 3, 1)
OF_DAYS = (
    Article("old", "Ada Brandt saw the lamp. The lamp is out.", source=GULL, published=date(2021, 2, 28)),
    Article("new", "Ada Brandt lit the lamp. Ines Roe did not.", source=GULL, published=FIRST),
    Article("other", "Ines Roe saw the lamp on the quay.", source=HERON, published=date(2021, 3, 9)),
)


def test_people_are_those_of_these_days_with_their_articles_of_them() -> None:
    """Called as everywhere, for nothing here is a secret."""
    of_days = holding(articles=OF_DAYS)
    view = of_days.scoped(Scope(since=FIRST))
    brandt = view.register().meant("brandt")
    assert brandt is not None
    assert (brandt.name, brandt.articles) == ("Ada Brandt", ("new",))
    assert {entity.name for entity in view.register().entities()} == {"Ada Brandt", "Ines Roe"}
    later = of_days.scoped(Scope(since=date(2021, 3, 2)))
    assert later.register().find("brandt") == ()
    assert {entity.name for entity in later.register().entities()} == {"Ines Roe"}
    assert later.register().beginning("ada") == ("Ada Brandt",)
    assert [entity.name for entity in later.register().named(("ines", "roe"))] == ["Ines Roe"]


def test_what_was_shown_can_be_opened_however_old_it_is() -> None:
    of_days = holding(articles=OF_DAYS)
    view = of_days.scoped(Scope(since=FIRST))
    old = view.article("old")
    assert view.reading("old") == view.addressed(old.key) == of_days.reading("old")
    assert view.history("old") == of_days.history("old")
    assert view.searchable(["old"]) == of_days.searchable(["old"])
    assert view.history("old")[-1].corrections.get(0) is None
    with pytest.raises(KeyError):
        view.article("nothing")
