"""What holds in which channel: nothing that is shown in one comes from a source that is not seen there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import sampled_from, sets

from bot import state
from bot.channels import Channel, Channels, Policy
from bot.command import Argument
from bot.commands.table import TABLE
from bot.model import Answer, Asker, Card, Citation, Companion, Extract, Message, NameCandidate, Place, Question, Reply
from bot.service import QuestionService
from retrieval import version_key
from tests.shelf import FIXTURES, readings, service
from tests.stock import expect

HERE = Place("slack", "T1", "C1")
ASKER = Asker("U1")
WHOLE = service(readings(FIXTURES))
ARTICLES = WHOLE.holdings.archive.articles()
SOURCES = sorted({article.source or "" for article in ARTICLES} - {""})
NAMES = tuple(entity.name for entity in WHOLE.holdings.archive.register().entities())
# words of all articles, so that every command has something to find in each of them
TOPICS = tuple(
    dict.fromkeys(max(re.findall(r"[a-z]{6,}", article.text), key=article.text.count) for article in ARTICLES)
)


def restricted(sources: frozenset[str]) -> QuestionService:
    channels = Channels(named={("slack", "C1"): Channel(sources)})
    return QuestionService(WHOLE.holdings, Policy(), lambda citation, index: f"{citation.article_id} {index}", channels)


def parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from parts(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))


def states() -> Iterator[str]:
    for article in ARTICLES:
        yield state.encode([state.Address(version_key(article.id, article.digest), 1)])


def asked(here: QuestionService) -> Iterator[Reply]:
    place = Question("", asker=ASKER, place=HERE)
    for topic in TOPICS:
        yield here.answer(Question(f"what is said about the {topic}?", None, ASKER, HERE))
        yield here.answer(Question("and who said that?", f"what is said about the {topic}?", ASKER, HERE))
    for row in TABLE:
        arguments = {
            Argument.NAME: NAMES,
            Argument.STATE: tuple(states()),
            Argument.ARTICLE: tuple(article.id for article in ARTICLES),
            Argument.QUOTE: tuple(WHOLE_SENTENCES),
        }.get(row.argument, ("", *TOPICS))
        yield from (here.command(row.name, argument, place) for argument in arguments)


WHOLE_SENTENCES = [r.passages[1].sentence.span.of(r.article.text) for r in readings(FIXTURES)]
ONCE = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@ONCE
@given(sets(sampled_from(SOURCES), max_size=len(SOURCES) - 1))
def test_nothing_in_any_reply_is_of_a_source_that_is_not_seen_there(sources: set[str]) -> None:
    within = {article.id: article for article in ARTICLES if article.source in sources}
    text = " ".join(" ".join(f"{a.title} {a.text}".split()) for a in within.values())
    titles = [article.title for article in ARTICLES if article.title and article.source not in sources]
    for part in (part for reply in asked(restricted(frozenset(sources))) for part in parts(reply)):
        match part:
            case Citation(article_id=article_id):
                assert article_id in within
            case Extract(page=str(page)):
                assert page.rpartition(" ")[0] in within
            case Card(name=name, variants=variants, articles=articles):
                assert all(spelt in text for spelt in (name, *variants))
                assert len(articles) <= len(within)
            case Companion(name=name):
                assert name in text
            case NameCandidate(name=name, articles=count):
                assert name in text
                assert count <= len(within)
            case str():
                assert not any(title in part for title in titles)


@ONCE
@given(sets(sampled_from(SOURCES), max_size=len(SOURCES) - 1))
def test_nothing_is_completed_to_what_is_not_seen_there(sources: set[str]) -> None:
    within = {article.id: article for article in ARTICLES if article.source in sources}
    text = " ".join(" ".join(article.text.split()) for article in within.values())
    here, question = restricted(frozenset(sources)), Question("", asker=ASKER, place=HERE)
    for typed in ("", *"aeious", *NAMES):
        named = here.complete(Argument.NAME, typed, 25, question)
        assert all(one.value in text and one.label in text for one in named)
        assert all(name in text for name in here.complete_names(typed, 25, question))
        offered = here.complete(Argument.ARTICLE, typed, 25, question)
        assert {one.value for one in offered} <= set(within)


@pytest.mark.parametrize("source", SOURCES[:3])
def test_what_is_seen_there_is_found_as_before(source: str) -> None:
    here, question = restricted(frozenset([source])), Question("", asker=ASKER, place=HERE)
    article = next(article for article in ARTICLES if article.source == source)
    quoted = next(r for r in readings(FIXTURES) if r.article.id == article.id).passages[1]
    copied = here.command("copy", next(s for s, a in zip(states(), ARTICLES, strict=True) if a == article), question)
    assert not isinstance(copied, Message)
    found = expect(Answer, here.answer(Question(quoted.sentence.span.of(article.text), None, ASKER, HERE)))
    assert found.extracts[0].citation.article_id == article.id
    nothing = here.answer(Question("zyzzyva quux?", None, ASKER, HERE))
    held = sum(other.source == source for other in ARTICLES)
    assert f"Searched {held} article" in getattr(nothing, "message", "")


def test_other_channels_and_this_machines_terminal_see_everything() -> None:
    by_default = Channels({"slack": Channel(frozenset(SOURCES[:1]))}, {("slack", "C1"): Channel()})
    assert by_default.of(HERE).sources is None
    assert by_default.of(Place("slack", "T1", "C2")).sources == {SOURCES[0]}
    assert by_default.of(Place("slack", "T1", None)).sources == {SOURCES[0]}
    for place in (None, Place("terminal"), Place("page")):
        assert by_default.of(place).sources is None
    assert restricted(frozenset()).command_in_full("sources", "") == restricted(frozenset(SOURCES)).command_in_full(
        "sources", ""
    )
