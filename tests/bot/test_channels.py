"""What holds in which channel: nothing that is shown in one comes from a source that is not seen there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import sampled_from, sets

from bot import model, sentence_links
from bot.channels import Allowed, Channel, Channels, Policy, Since, read_since
from bot.command import Argument
from bot.commands.command_table import TABLE
from bot.errors import WrongSinceError
from bot.model import Answer, Asker, Card, Citation, Extract, Listing, Message, NoAnswer, Place, Question, Reply
from bot.outline import outline
from bot.service import QuestionService
from retrieval import version_key
from retrieval.model import Article
from tests.shelf import FIXTURES, readings, service
from tests.stock import expect, holdings
from tests.support.tables import cases

HERE = Place("slack", "T1", "C1")
ASKER = Asker("U1")
WHOLE = service(readings(FIXTURES))
ARTICLES = WHOLE.library.archive.articles()
SOURCES = sorted({article.source or "" for article in ARTICLES} - {""})
NAMES = tuple(entity.name for entity in WHOLE.library.archive.register().entities())
# words of all articles, so that every command has something to find in each of them
TOPICS = tuple(dict.fromkeys(max(re.findall(r"[a-z]{6,}", each.text), key=each.text.count) for each in ARTICLES))


def restricted(sources: frozenset[str]) -> QuestionService:
    channels = Channels(named={("slack", "C1"): Channel(sources)})
    return QuestionService(WHOLE.library, Policy(), lambda citation, index: f"{citation.article_id} {index}", channels)


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
        yield sentence_links.encode([sentence_links.Pointer(version_key(article.id, article.digest), 1)])


def asked(here: QuestionService) -> Iterator[Reply]:
    place = Question("", asker=ASKER, place=HERE)
    for topic in TOPICS:
        yield here.answer(Question(f"what is said about the {topic}?", None, ASKER, HERE))
        yield here.answer(Question("and who said that?", f"what is said about the {topic}?", ASKER, HERE))
    for row in TABLE:
        arguments = {
            Argument.NAME: NAMES[::4],  # each takes as long as a question
            Argument.STATE: tuple(states()),
            Argument.ARTICLE: tuple(article.id for article in ARTICLES),
            Argument.QUOTE: tuple(WHOLE_SENTENCES),
        }.get(row.argument, ("", *TOPICS))
        yield from (here.command(row.name, argument, place) for argument in arguments)


WHOLE_SENTENCES = [r.passages[1].sentence.span.of(r.article.text) for r in readings(FIXTURES)]
ONCE = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@ONCE
@given(sets(sampled_from(SOURCES), max_size=len(SOURCES) - 1))
def test_nothing_in_any_reply_or_completion_is_of_a_source_that_is_not_seen_there(sources: set[str]) -> None:
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
            case model.Companion(name=name):
                assert name in text
            case model.NameCandidate(name=name, articles=count):
                assert name in text
                assert count <= len(within)
            case str():
                assert not any(title in part for title in titles)
    text = " ".join(" ".join(article.text.split()) for article in within.values())
    here, question = restricted(frozenset(sources)), Question("", asker=ASKER, place=HERE)
    for typed in ("", *"aeious", *NAMES):
        named = here.autocomplete(Argument.NAME, typed, 25, question)
        assert all(one.value in text and one.label in text for one in named)
        assert all(name in text for name in here.complete_names(typed, 25, question))
        offered = here.autocomplete(Argument.ARTICLE, typed, 25, question)
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
    nothing, everything = (restricted(frozenset(names)).command_in_full("sources", "") for names in ((), SOURCES))
    assert nothing == everything


def by(**who: object) -> Question:
    asker = Asker(str(who.get("id", "U1")), tuple(who.get("groups", ())), bool(who.get("outsider")))  # type: ignore[arg-type]
    return Question("?", asker=asker, place=Place("slack", "W1", str(who.get("channel", "C1"))))


@pytest.mark.parametrize(
    ("allowed", "question", "refused"),
    [
        (Allowed(), by(), False),
        (Allowed(channels=("C1",)), by(), False),
        (Allowed(channels=("C1",)), by(channel="C2"), True),
        (Allowed(workspaces=("W2",)), by(), True),
        (Allowed(people=("U1",)), by(), False),
        (Allowed(people=("U1",)), by(id="U2"), True),
        (Allowed(groups=("desk",)), by(groups=("desk", "night")), False),
        (Allowed(groups=("desk",)), by(), True),
        (Allowed(people=("U2",), groups=("desk",)), by(groups=("desk",)), False),
        (Allowed(), by(outsider=True), True),
        (Allowed(outsiders=True), by(outsider=True), False),
    ],
)
def test_a_list_allows_those_it_names(allowed: Allowed, question: Question, *, refused: bool) -> None:
    assert Policy((("slack", allowed),)).refuses(question) is refused
    assert not Policy((("discord", allowed),)).refuses(by())
    assert not Policy((("terminal", allowed),)).refuses(Question("?"))


TODAY = date(2021, 3, 31)


@cases("words, first")
def test_a_day_or_a_span_says_the_first_day(words: str, first: date) -> None:
    assert read_since(words, TODAY).first(TODAY) == first


@pytest.mark.parametrize("words", ["", "3.5 weeks", "1d 2d", *"soon 30 -3d 2021-02-30 99999d ٣d".split()])
def test_nonsense_and_a_day_still_to_come_are_refused_with_what_to_write(words: str) -> None:
    with pytest.raises(WrongSinceError, match="write 2025-01-31") as refused:
        read_since(words, TODAY)
    assert f"“{words}”" in str(refused.value)
    with pytest.raises(WrongSinceError, match="2021-04-01 is still to come"):
        read_since("2021-04-01", TODAY)


OLD = Article("old", "Ada Brandt, a pilot, said that 12 boats were lost at Oxley.", published=date(2020, 5, 1))
NEW = Article("new", "Ada Brandt, a pilot, said that 14 boats were lost at Oxley.", published=date(2021, 3, 20))
DATELESS = Article("none", "Olof Roe, a baker, said that nobody saw the boats at Oxley.")


def over(channels: Channels, days: Sequence[date] = (TODAY,)) -> QuestionService:
    """Return a desk over an old article, a new one and one without a day; the last of ``days`` is today."""
    return QuestionService(holdings([OLD, NEW, DATELESS]), channels=channels, today=lambda: days[-1])


def shown(reply: Reply) -> set[str]:
    return {extract.citation.article_id for extract in outline(reply).all_extracts}


def test_what_is_older_is_not_asked_in_that_channel() -> None:
    service = over(Channels(named={("slack", "C1"): Channel(since=Since(days=30))}))
    asked = Question("how many boats were lost at Oxley?", place=HERE)
    assert "old" not in shown(service.answer(asked))
    assert shown(service.answer(asked)) >= {"new"}
    assert shown(service.command("who", "Ada Brandt", Question(""))) == {"old", "new"}
    assert shown(service.command("who", "Ada Brandt", asked)) == {"new"}
    assert shown(service.command("who", "Olof Roe", asked)) == {"none"}
    sources = expect(Listing, service.command("sources", "", asked))
    assert sources.title == "2 articles"
    assert "published since 1 March 2021" in sources.sections[0].lines[0]
    assert "1 article without a date" in sources.sections[0].lines[0]


def test_a_span_goes_on_with_the_days() -> None:
    days = [TODAY]
    service = over(Channels(elsewhere=Channel(since=Since(days=30))), days)
    assert "new" in shown(service.answer(Question("how many boats were lost at Oxley?")))
    assert "new" in shown(service.command_in_full("who", "Ada Brandt"))
    days.append(date(2021, 4, 20))
    assert "new" not in shown(service.answer(Question("how many boats were lost at Oxley?")))
    assert shown(service.command_in_full("who", "Ada Brandt")) == set()


def test_where_nothing_is_found_it_is_said_since_when() -> None:
    service = over(Channels(elsewhere=Channel(since=Since(date(2021, 3, 1)))))
    reply = expect(NoAnswer, service.answer(Question("who was elected chancellor of Vellmark?")))
    assert "Searched 2 articles since 1 March 2021, the newest of 20 March 2021." in reply.message


def test_what_was_shown_can_be_gone_on_with_however_old_it_is_by_then() -> None:
    days = [TODAY]
    service = over(Channels(elsewhere=Channel(since=Since(days=30))), days)
    reply = expect(Answer, service.answer(Question("how many boats were lost at Oxley?")))
    days.append(date(2021, 6, 1))
    extract = reply.extracts[0]
    link = sentence_links.encode([sentence_links.address(extract)])
    gone_on = expect(Listing, service.command("context", link, Question("")))
    assert not gone_on.sections[0].extracts[0].citation.superseded
