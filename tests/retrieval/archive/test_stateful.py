"""An archive that is changed in every way, against a model of dictionaries."""

import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.interface import places_with
from retrieval.ingest import encode
from retrieval.model import Article, Reading
from retrieval.names.aliases import NO_ALIASES
from retrieval.pipeline import join_names, raise_error, read_one
from retrieval.search import EVERYTHING, Query, Scope
from tests.encoders import Fixed, code
from tests.retrieval.archive.clock import Clock
from tests.retrieval.archive.opensearch.filled import Filled
from tests.support.entities import entities
from tests.support.nightly import examples

IDS, SOURCES = ("dam", "mill", "quay"), ("The Gull", "The Heron", None)
WORDS = ("quorvex", "zelbrin", "tandolf", "mirqual")  # each in one text of every article, and in no other text
# people with one surname, with a slip in it and with a first name in short; bodies with and without their nation, spelt
# out and by their initials; a place under two names: who is who depends on all articles
NAMES = (
    *("Ada Brenwick", "Adah Brenwick", "Ben Brenwick", "Ada Brenwich", "Mrs Brenwick"),
    *("Daniel Oakhurst", "Danny Oakhurst", "Dora Oakhurst"),
    *("the Estonian Ministry of Harbours", "the Latvian Ministry of Harbours", "the Ministry of Harbours"),
    *("the United Harbour Workers Union (UHWU)", "the UHWU", "Kiev", "Kyiv"),
)
HOUR = timedelta(hours=1)
DAYS = (date(2024, 2, 20), date(2024, 3, 2), None)
SCOPES = (
    Scope(frozenset({"The Gull"})),
    Scope(since=date(2024, 3, 1)),
    Scope(since=date(2024, 3, 3)),
    Scope(frozenset({"The Gull", "The Heron"}), date(2024, 3, 2)),
)


def text_of(article_id: str, variant: int) -> str:
    number = variant + IDS.index(article_id) * len(WORDS)
    name, other = NAMES[number], NAMES[(number * 8 + 12) % len(NAMES)]
    return f"On Friday {name} saw the {WORDS[variant]} {article_id}. It was praised by {other}."


@cache
def read(article: Article) -> Reading:
    return read_one(article)


@dataclass
class Versions:
    """What the archive has of one article: the versions that were public, with their times, and one that waits."""

    earlier: list[tuple[Article, datetime]] = field(default_factory=list)
    current: tuple[Article, datetime] | None = None
    waiting: Article | None = None

    @property
    def public(self) -> list[tuple[Article, datetime]]:
        return [*self.earlier, self.current] if self.current else []

    @property
    def stored(self) -> list[Article]:
        public = [article for article, _ in (*self.earlier, *filter(None, [self.current]))]
        return [*public, *filter(None, [self.waiting])]

    def is_within(self, scope: Scope) -> bool:
        if not self.current:
            return False
        article, first = self.current[0], min(since for _, since in self.public)
        return scope.holds(article.source, article.published or first.date())


class Model:
    def __init__(self) -> None:
        self.articles: dict[str, Versions] = {}
        self.retired: list[tuple[str, bool]] = []  # the key of a version, and whether it was removed
        self.arrived: list[str] = []
        self.published: set[str] = set()  # keys
        self.added: list[Article] = []

    def publish_due(self, now: datetime) -> None:
        due = [each for each in self.articles.values() if each.waiting and each.waiting.embargo <= now]
        for versions in sorted(due, key=lambda each: self.added.index(each.waiting)):
            article, versions.waiting = versions.waiting, None
            self._publish(versions, article, article.embargo)
            self.arrived.append(article.id)

    def _publish(self, versions: Versions, article: Article, now: datetime) -> None:
        if versions.current and versions.current[0].text != article.text:
            versions.earlier.append(versions.current)
            self.retired.append((versions.current[0].key, False))
        versions.current = (article, now)
        self.published.add(article.key)

    def add(self, article: Article, now: datetime) -> None:
        versions = self.articles.setdefault(article.id, Versions())
        versions.waiting = None
        self.added = [each for each in self.added if each.id != article.id] + [article]
        is_same = versions.current is not None and versions.current[0].text == article.text
        if article.embargo and article.embargo > now:
            if is_same:  # its words are under an embargo now
                self.retired += [(each.key, True) for each in versions.stored]
                versions.current = None
            versions.waiting = article
            return
        if not is_same:
            self.arrived.append(article.id)
        self._publish(versions, article, versions.current[1] if is_same and versions.current else now)

    def remove(self, article_id: str) -> None:
        self.retired += [(each.key, True) for each in self.articles.pop(article_id).stored]
        self.arrived = [each for each in self.arrived if each != article_id]

    def current(self, scope: Scope = EVERYTHING) -> list[Article]:
        found = (each.current[0] for each in self.articles.values() if each.current and each.is_within(scope))
        return sorted(found, key=lambda article: article.id)


class ArchiveMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock, self.model = Clock(), Model()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "archive.sqlite"
        self.archive = self.opened()

    finds_by_vectors = True

    def opened(self) -> PersistentArchive:
        return PersistentArchive(self.path, now=self.clock)

    def teardown(self) -> None:
        self.archive.close()
        self.folder.cleanup()

    @rule(
        changes=st.lists(
            st.tuples(
                st.sampled_from(IDS),
                st.integers(0, len(WORDS) - 1),
                st.sampled_from(SOURCES),
                st.sampled_from(DAYS),
                st.none() | st.integers(-2, 30),  # hours from now until the embargo ends
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda change: change[0],
        )
    )
    def add(self, changes: list[tuple[str, int, str | None, date | None, int | None]]) -> None:
        now = self.clock.moment
        self.model.publish_due(now)
        articles = []
        for article_id, variant, source, day, hours in changes:
            embargo = None if hours is None else now + hours * HOUR
            text = text_of(article_id, variant)
            articles.append(Article(article_id, text, source=source, published=day, embargo=embargo))
        self.archive.add([read(article) for article in articles])
        for article in articles:
            self.model.add(article, now)
        assert all(self.archive.known(articles))

    @precondition(lambda self: self.model.articles)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        article_id = data.draw(st.sampled_from(sorted(self.model.articles)))
        self.archive.remove(article_id)
        self.model.remove(article_id)

    @rule(hours=st.integers(1, 30))
    def wait(self, hours: int) -> None:
        self.clock.moment += hours * HOUR
        self.model.publish_due(self.clock.moment)

    @rule()
    def restart(self) -> None:
        self.archive.close()
        self.archive = self.opened()

    @rule()
    def reindex(self) -> None:
        self.archive.publish_due()
        self.archive.reindex()

    @invariant()
    def articles_and_their_versions_are_those_of_the_model(self) -> None:
        archive, model = self.archive, self.model
        assert list(archive.articles()) == model.current()
        for article_id in IDS:
            versions = model.articles.get(article_id, Versions())
            told = []
            with suppress(KeyError):
                told = [(each.digest, each.since) for each in archive.history(article_id)]
            assert told == [(article.digest, since.date()) for article, since in versions.public]
            keys = [Article(article_id, text_of(article_id, variant)).key for variant in range(len(WORDS))]
            assert {key for key in keys if archive.addressed(key)} == {article.key for article, _ in versions.public}
            assert bool(archive.versions(article_id)) == bool(versions.stored)
            assert bool(archive.listed(named=[article_id])) == bool(versions.public)
        waiting = [each.waiting for each in model.articles.values() if each.waiting]
        assert sorted(each.key for each in archive.waiting()) == sorted(each.key for each in waiting)
        self.changes_are_those_of_the_model()

    def changes_are_those_of_the_model(self) -> None:
        assert [(each.key, each.removed) for each in self.archive.retirements.after(0)] == self.model.retired
        keys = {Article(name, text_of(name, variant)).key for name in IDS for variant in range(len(WORDS))}
        removed = {key for key in keys if self.archive.retirements.is_removed(key)}
        assert removed == {key for key, is_removed in self.model.retired if is_removed}
        assert [each.article_id for each in self.archive.arrivals.after(0)] == self.model.arrived

    @invariant()
    def a_scope_shows_what_is_within_it(self) -> None:
        for scope in SCOPES:
            view, within = self.archive.scoped(scope), self.model.current(scope)
            assert [each.id for each in view.listed()] == [article.id for article in within]
            assert {one.source: one.articles for one in view.outlets()} == Counter(one.source or "" for one in within)
            for word in WORDS:
                ids = {article.id for article in within if word in article.text}
                query = Query(((word, 1.0),))
                assert {hit.article_id for hit in view.search(query, 9)} == ids
                assert {article_id for article_id, _ in places_with(view, [word])} == ids

    @rule()
    def encode(self) -> None:
        encode(self.archive, Fixed("saw"), lambda: None, threads=1)
        assert not self.archive.unencoded()

    @invariant()
    def meaning_finds_what_is_public_and_within_scope_and_nothing_else(self) -> None:
        for scope in (EVERYTHING, *SCOPES):
            hits = self.archive.scoped(scope).search(Query(vector=code(1.0)), 0, near=99)
            current = {(article.id, article.digest) for article in self.model.current(scope)}
            found = {(hit.article_id, hit.digest) for hit in hits}
            assert found <= current
            assert found == current or self.archive.unencoded() or not self.finds_by_vectors
            for hit in hits:
                sentence = hit.passage.sentence.span.of(self.archive.article(hit.article_id).text)
                assert hit.cosines[0] == pytest.approx(0.6 if "saw" in sentence else 0.1, abs=0.01)

    @invariant()
    def words_and_names_are_those_of_the_current_articles(self) -> None:
        current = self.model.current()
        counts = {word: sum(word in article.text for article in current) for word in WORDS}
        assert self.archive.vocabulary().frequencies(WORDS) == counts
        assert self.archive.vocabulary().size() == 2 * len(current)
        joined = join_names([read(article) for article in current], NO_ALIASES, raise_error)
        assert self.archive.register().entities() == entities(joined)

    @invariant()
    def no_file_has_a_word_of_anything_else(self) -> None:
        content = b"".join(file.read_bytes() for file in Path(self.folder.name).iterdir())
        stored = " ".join(article.text for each in self.model.articles.values() for article in each.stored)
        assert {word for word in WORDS if word.encode() in content} == {word for word in WORDS if word in stored}


class ClusterMachine(ArchiveMachine):
    """The same with what the file has in a cluster; that tells no draft that nobody has seen, and an arrival once."""

    address: ClassVar[Callable[[], str]]

    def opened(self) -> Filled:
        if not hasattr(self, "setting"):
            self.setting = self.address()
        filled = Filled(self.setting, self.path, now=self.clock)
        filled.fill()
        self.finds_by_vectors = filled.index.has_vectors
        return filled

    def changes_are_those_of_the_model(self) -> None:
        told = {(each.key, each.removed) for each in self.archive.retirements.after(0)}
        assert told <= {*self.model.retired}
        assert {pair for pair in self.model.retired if pair[0] in self.model.published} <= told
        current = {article.id for article in self.model.current()}
        assert {each.article_id for each in self.archive.arrivals.after(0)} == current


TestArchive = ArchiveMachine.TestCase
TestArchive.settings = settings(derandomize=True, max_examples=examples(10, 40), stateful_step_count=15)


def test_a_cluster(addresses: Callable[[], str]) -> None:
    ClusterMachine.address = staticmethod(addresses)
    few = settings(TestArchive.settings, max_examples=examples(2, 40), phases=[Phase.generate])
    run_state_machine_as_test(ClusterMachine, settings=few)


pytestmark = pytest.mark.rest
