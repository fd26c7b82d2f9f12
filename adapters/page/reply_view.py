"""What a page shows beside an article: a reply in parts, the first page, the table and plot of the sources."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from rapidfuzz import fuzz

from adapters.page import labels
from bot import messages, references
from bot.ask.model import Band
from bot.commands.proof_claims import HEDGES
from bot.commands.proof_facts import figures
from bot.model import Answer, Candidates, Card, Clipping, Listing, Message, NoAnswer, Notice, Question, Reply, Section
from bot.outline import notices, outline, remaining_notices
from bot.service import QuestionService
from bot.verbatim import collapse
from retrieval import Archive, ArchiveError, Article, Kind, Outlet, Passage, Reading, Voice, is_word, speaking

MAX_WORDS = 2  # of a question: each is compared with every name there is
COMPARED_NAMES, SHOWN_NAMES = 50, 3  # for each word
MIN_LIKENESS, MIN_OTHER_INITIAL = 65, 75  # of a word with one in a name, of 100; where their first letters differ
EXAMPLE_ARTICLES = 20  # the newest
EXAMPLE_SPEAKERS, TRIED = 3, 4  # names; questions that are asked to see whether they are answered
_COUNTED = re.compile(r" ((?:[a-z]+ )?[a-z]+) ((?:were|have been|had been) [a-z]+)(?=[.,;:]| (?:in|on|at|by|as)\b)")
_QUOTATION = re.compile(r"[“\"]((?:[^“”\"…\s]+\s+){3,}[^“”\"…\s]+)[”\"]")  # of four words
_FIGURE = re.compile(r"(?<![\w.,:-])[1-9]\d{1,2}(?= [a-z])")
RECENT_CAVEATS = 2
RECENT_VERSIONS, CHANGED_ARTICLES = 20, 3
MOST_DAYS = 62  # a longer time is plotted by months


class Example(NamedTuple):
    """A link to a view, with ``words`` in its field."""

    label: str
    view: str
    words: str = ""


class Home(NamedTuple):
    summary: str = ""
    examples: tuple[Example, ...] = ()
    unverified: tuple[Section, ...] = ()
    changed: tuple[tuple[Article, str], ...] = ()  # each with the day
    sample: str = ""


class Overview(NamedTuple):
    """The outlets, those with most articles first; ``bars`` are in order of time and leave nothing out between them."""

    outlets: tuple[Outlet, ...]
    bars: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """The filters of a list, and the ``outlets`` to choose from; ``fault`` says what was not understood."""

    outlets: tuple[str, ...] = ()
    outlet: str = ""
    since: str = ""
    fault: str = ""


class FeedbackForm(NamedTuple):
    """A feedback form: the answer's number, the signed token, and whether it asks what was not right."""

    answer: int
    token: str
    why: bool = False


class Thread(NamedTuple):
    """The questions ``before`` this one, and ``leading`` to the next; ``shown`` is the state of what was shown last."""

    before: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    shown: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """The parts of a reply's page.

    ``band`` says how sure an answer is (a ``Band``; empty for other replies), ``near`` are names like those asked
    about, ``picks`` names to choose from, ``more`` a state, and ``more_label`` what leads there; ``further`` is the
    place of the first section that "More" brought.
    ``field`` names the list that has a field of its own, with ``value`` in it; ``around`` is an answer in its place;
    ``person`` is whose card it is, of whom the articles have so many ``statements``.
    """

    heading: str
    message: str = ""
    band: str = ""
    sections: tuple[Section, ...] = ()
    notices: tuple[Notice, ...] = ()
    more: str = ""
    more_label: str = messages.MORE
    further: int | None = None
    near: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    clipping: str = ""
    field: str = ""
    value: str = ""
    filter: Filter = Filter()
    feedback: FeedbackForm | None = None
    thread: Thread | None = None
    examples: tuple[Example, ...] = ()
    overview: Overview | None = None
    around: Section | None = None
    person: str = ""
    statements: int = 0


def view(reply: Reply, heading: str) -> View:
    """Return the parts of a reply's page; ``heading`` is for replies without one of their own."""
    listing = outline(reply)
    told, said = tuple(remaining_notices(listing)), messages.in_words(listing.title, "`/{}`")
    parts = View(heading, said, sections=listing.sections, notices=told)
    match reply:
        case Answer() | NoAnswer():
            label = references.more_label(reply) if reply.more else ""
            return replace(parts, band=reply.band, more=reply.more, more_label=label)
        case Candidates():
            names = tuple(candidate.name for candidate in reply.candidates)
            return replace(parts, band="" if reply.found else Band.NONE, sections=(), picks=names)
        case Clipping():
            return View(heading, clipping=reply.text, notices=notices(reply.extracts))
        case Card():
            sections = tuple(replace(each, lines=()) if each.extracts else each for each in listing.sections)
            thread = Thread(leading=(f"Who is {reply.name}?",))
            parts = replace(parts, sections=sections, person=reply.name, statements=reply.said_in_all, thread=thread)
        case Message():
            if not reply.text.startswith(messages.HELP):
                return parts
            listed = Section("Views", lines=tuple(f"`/{name}`: {about}" for name, about in labels.ABOUT.items()))
            return replace(parts, message=labels.HELP, sections=(listed,))
    return replace(parts, heading=listing.title, message="")


def with_further(parts: View, further: Sequence[Reply]) -> View:
    if not further:
        return parts
    listings = [outline(reply) for reply in further]
    first, *others = (section for each in listings for section in each.sections or (Section("", lines=(each.title,)),))
    heading = labels.CLOSEST if parts.band == Band.NONE else labels.ALSO
    told = dict.fromkeys((*parts.notices, *(notice for each in listings for notice in remaining_notices(each))))
    last = view(further[-1], "")
    parts = replace(parts, more=last.more, more_label=last.more_label, further=len(parts.sections))
    return replace(parts, sections=(*parts.sections, replace(first, heading=heading), *others), notices=tuple(told))


def near_names(reply: Reply, archive: Archive) -> tuple[str, ...]:
    """Return names in the archive that are spelt like words of a question without an answer, plain words apart."""
    looked_for = (reply.not_found or reply.looked_for) if isinstance(reply, NoAnswer) else ()
    words = [word for word in looked_for if not is_word(word)][:MAX_WORDS]
    with suppress(ArchiveError):  # the reply does without them
        return tuple(dict.fromkeys(name for word in words for name in islice(_similar(word, archive), SHOWN_NAMES)))
    return ()


def _similar(word: str, archive: Archive) -> Iterator[str]:
    """Yield the names with a word that is spelt like ``word``, rather than being a part of it."""
    for entity in islice(archive.register().nearest(word), COMPARED_NAMES):
        parts = entity.name.lower().split()
        if any(fuzz.ratio(word, p) >= (MIN_LIKENESS if p[0] == word[:1] else MIN_OTHER_INITIAL) for p in parts):
            yield entity.name


def home(service: QuestionService, question: Question) -> Home:
    """Return the first page's contents. Raises ``ArchiveError`` where the articles cannot be reached."""
    with service.library.archive.snapshot() as archive:
        outlets, newest = archive.outlets(), {a.id for a in archive.listed(newest=EXAMPLE_ARTICLES)}
        readings = tuple(archive.readings(newest))
        changed = tuple(islice(_changed(service.library_for(question).archive, archive), CHANGED_ARTICLES))
    listing = service.command("unverified", "", question)
    sections = listing.sections if isinstance(listing, Listing) else ()
    recent = [section for section in sections if section.extracts and section.extracts[0].caveats][:RECENT_CAVEATS]
    last = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles, named = sum(outlet.articles for outlet in outlets), sum(bool(outlet.source) for outlet in outlets)
    since = f", the newest of {messages.day(last)}" if last else ""
    summary = f"{messages.count(articles, 'article')} of {messages.count(named, 'outlet')}{since}."
    examples = [*_examples(service, question, readings)]
    if recent:
        examples.append(Example("What could not be verified?", "unverified"))
    return Home(summary, tuple(examples), tuple(recent), changed, _sample(readings))


def _examples(service: QuestionService, question: Question, readings: Sequence[Reading]) -> Iterator[Example]:
    """Yield questions that these articles answer: how many, who said what, what is denied, who somebody is."""
    for words, sentence in islice(_countings(readings), TRIED):
        reply = service.answer(replace(question, text=words))
        likely = isinstance(reply, Answer) and reply.band in (Band.ANSWER, Band.PROBABLY)
        if likely and outline(reply).extracts[0].text == sentence:
            yield Example(words, "", words)
            break
    speakers = tuple(islice(_speakers(readings), EXAMPLE_SPEAKERS))
    yield from (Example(f"What did {name} say?", "said", name) for name in speakers[:1])
    names = (m.span.of(r.article.text) for r in readings for p in r.passages if p.denial for m in p.mentions)
    yield from (Example(f"What is denied about {name}?", "disputed", name) for name in islice(names, 1))
    yield from (Example(f"Who is {name}?", "who", name) for name in speakers[-1:])


def _countings(readings: Sequence[Reading]) -> Iterator[tuple[str, str]]:
    """Yield "How many people were evacuated?" for each sentence that tells it, with that sentence."""
    for text, passage in _sentences(readings):
        for figure in figures(text) if not passage.caveats else ():
            if not figure.unit and (match := _COUNTED.match(text, figure.span.end)):
                yield f"How many {match[1]} {match[2]}?", text


def _sentences(readings: Sequence[Reading]) -> Iterator[tuple[str, Passage]]:
    for reading in readings:
        for passage in reading.passages:
            if not (passage.sentence.boilerplate or passage.is_caveat):
                yield collapse(passage.sentence.span.of(reading.article.text)), passage


def _sample(readings: Sequence[Reading]) -> str:
    """Return a draft of these articles' sentences, with a figure and a quotation changed and a caveat left out."""
    parts: dict[str, str] = {}
    for text, passage in _sentences(readings):
        quotation, figure = _QUOTATION.search(text), _FIGURE.search(text)
        if passage.caveats and HEDGES.isdisjoint(text.lower().split()):
            parts.setdefault("caveat", text)
        elif quotation and passage.voice is Voice.NAMED:
            words = quotation[1].split()
            parts.setdefault("quotation", text.replace(quotation[1], " ".join(words[:2] + words[3:])))
        elif figure:
            turned = figure[0][::-1] if figure[0][-1] not in "0" + figure[0][0] else f"{int(figure[0]) + 30}"
            parts.setdefault("figure", f"{text[: figure.start()]}{turned}{text[figure.end() :]}")
    return "\n\n".join(parts.values())


def _changed(visible: Archive, archive: Archive) -> Iterator[tuple[Article, str]]:
    """Yield the articles that were changed last, each once, as far as they may be seen."""
    listed = set[str]()
    for _, key in archive.superseded(RECENT_VERSIONS):
        before = visible.addressed(key)
        if before and before.article.id not in listed:
            listed.add(before.article.id)
            with suppress(KeyError):  # removed, or not to be seen any more
                article, newest = visible.article(before.article.id), visible.history(before.article.id)[-1]
                yield article, messages.day(newest.since)


def _speakers(readings: Sequence[Reading]) -> Iterator[str]:
    """Yield the full names of the people whom these articles quote, each once."""
    listed = set[str]()
    for reading in readings:
        people, speakers = speaking(reading), (p.speaker or "" for p in reading.passages if p.voice is Voice.NAMED)
        for named in map(people.get, speakers):
            if named and named.kind is Kind.PERSON and " " in named.name and named.name not in listed:
                listed.add(named.name)
                yield named.name


def overview(archive: Archive) -> Overview:
    outlets = tuple(sorted(archive.outlets(), key=lambda outlet: (-outlet.articles, outlet.source)))
    return Overview(outlets, _bars([article.published for article in archive.listed() if article.published]))


def _bars(days: list[date]) -> tuple[tuple[str, int], ...]:
    """Return a bar for each day, or for each month where the days are far apart; none for a single day."""
    first, last = min(days, default=date.min), max(days, default=date.min)
    if first == last:
        return ()
    if (last - first).days < MOST_DAYS:
        articles, every = Counter(days), (first + timedelta(number) for number in range((last - first).days + 1))
        return tuple((messages.day(day), articles[day]) for day in every)
    months = Counter(day.year * 12 + day.month - 1 for day in days)
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return tuple((date(n // 12, n % 12 + 1, 1).strftime("%B %Y"), months[n]) for n in numbers)
