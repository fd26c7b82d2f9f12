"""``quoted``: whom the articles quote, how often and how; of one of them, the sentences.

It counts the sentences of the report that somebody says, with or without a name. It guesses nothing about anybody.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlsplit

from bot import messages, verbatim
from bot.command import ExtractStream, Library
from bot.model import Listing, Message, Section
from retrieval import Archive, Manner, Voice, fold, speaking, terms

SHOWN = 15  # of the named, and of the unnamed
COUNTED = 50  # the same, where there is a table
SAID = (Voice.NAMED, Voice.UNNAMED, Voice.MEDIA)
HEAD = ("name", "voice", "sentences", "articles", "direct", "paraphrased", "reason_given")

_KEYS = re.compile(r"(?:^|\s)(by|outlet|section|since|until)\s+", re.IGNORECASE)
_PERIOD = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


@dataclass(slots=True)
class Figure:
    """What one source says: the place of each sentence, by how it is given."""

    name: str
    voice: Voice
    direct: list[tuple[str, int]] = field(default_factory=list)
    paraphrased: list[tuple[str, int]] = field(default_factory=list)
    reasons: int = 0

    @property
    def places(self) -> list[tuple[str, int]]:
        return [*self.direct, *self.paraphrased]

    @property
    def numbers(self) -> tuple[int, int, int, int, int]:
        """Sentences, articles, direct, paraphrased, with a reason given for not naming the source."""
        articles = len({article for article, _ in self.places})
        return len(self.places), articles, len(self.direct), len(self.paraphrased), self.reasons


def quoted(library: Library, typed: str) -> Listing | ExtractStream | Message:
    """Return the figures of the articles that are asked for; with "by NAME", the sentences behind one of them."""
    wanted = _wanted(typed)
    try:
        articles, undated, figures = count(library.archive, wanted)
    except ValueError:
        return Message(messages.NO_PERIOD)
    if not figures:
        return Message(messages.NOBODY_QUOTED if articles or not typed.strip() else messages.NO_ARTICLE_COUNTED)
    if name := wanted.get("by", ""):
        same = [figure for figure in figures if fold(figure.name) == fold(name)]
        wider = (f for f in figures if set(fold(name).split()) <= set(fold(f.name).split()))
        places = (place for figure in same or wider for place in figure.places)
        stream = ExtractStream.of(verbatim.at(library.archive, places), name)
        return stream or Message(messages.said_nothing(name, ""))
    return Listing(messages.whom_quoted(articles, undated), tuple(_sections(figures)))


def rows(library: Library, typed: str) -> Iterator[Sequence[object]]:
    """Yield the figures as a table, its head first; raises ``ValueError`` where a day is wrong."""
    yield HEAD
    for each in count(library.archive, _wanted(typed))[2]:
        yield (each.name, each.voice.value, *each.numbers)[: len(HEAD)]


def count(archive: Archive, wanted: dict[str, str]) -> tuple[int, int, tuple[Figure, ...]]:
    """Return how many articles are ``wanted``, how many lack a day for it, and the figures, most sentences first."""
    since, until = _period(wanted.get("since", ""))[0], _period(wanted.get("until", ""))[1]
    outlet, section = wanted.get("outlet", ""), wanted.get("section", "").lower().replace(" ", "-")
    listed = [
        article
        for article in archive.listed(dict.fromkeys(terms(wanted.get("", ""))))
        if (not section or section in urlsplit(article.url or "").path.lower().split("/"))
        and (not outlet or fold(article.source or "") == fold(outlet))
    ]
    dated = [article for article in listed if article.published or wanted.keys().isdisjoint(("since", "until"))]
    ids = {article.id for article in dated if article.published is None or since <= article.published <= until}
    figures: dict[tuple[Voice, str], Figure] = {}
    for reading in archive.readings(ids) if ids else ():
        named = speaking(reading)
        for index, passage in enumerate(reading.passages):
            said = passage.attribution
            if not passage.sentence.boilerplate and said and said.voice in SAID and (name := said.speaker):
                by_name = said.voice is Voice.NAMED
                name = named[name].name if by_name and name in named else name
                figure = figures.setdefault((said.voice, name if by_name else fold(name)), Figure(name, said.voice))
                form = figure.direct if said.manner is Manner.QUOTED else figure.paraphrased
                form.append((reading.article.id, index))
                figure.reasons += said.anonymity is not None
    ordered = sorted(figures.values(), key=lambda each: (-len(each.places), each.name))
    return len(ids), len(listed) - len(dated), tuple(ordered)


def _wanted(typed: str) -> dict[str, str]:
    """Return the words by their key: those of the topic have none."""
    topic, *pairs = _KEYS.split(typed)
    return {"": topic.strip()} | {key.lower(): each.strip() for key, each in zip(pairs[::2], pairs[1::2], strict=True)}


def _period(typed: str) -> tuple[date, date]:
    """Return the first and the last day of a day, a month or a year; ``ValueError`` for anything else."""
    if not typed:
        return date.min, date.max
    match = _PERIOD.fullmatch(typed)
    if not match:
        raise ValueError(typed)
    year, month, day = (int(part) if part else None for part in match.groups())
    last = month or 12
    end = day or monthrange(year or 1, last)[1]
    return date(year or 1, month or 1, day or 1), date(year or 1, last, end)


def _sections(figures: Sequence[Figure]) -> Iterator[Section]:
    named, others = ([each for each in figures if (each.voice is Voice.NAMED) is wanted] for wanted in (True, False))
    unnamed = [each for each in others if each.voice is Voice.UNNAMED]
    total, without = (sum(len(each.places) for each in some) for some in (figures, unnamed))
    shares = [
        messages.share(sum(len(each.direct) for each in figures), total, "Direct quotations"),
        messages.share(without, total, "By sources without a name"),
    ]
    if without:
        shares.append(messages.share(sum(each.reasons for each in unnamed), without, "Of these with a reason given"))
    yield Section("", lines=(*shares, messages.SPEAKER_ERROR))
    for heading, some in ((messages.PEOPLE_QUOTED, named), (messages.UNNAMED_QUOTED, others)):
        if some:
            lines = [
                messages.quoted_line(each.name, *each.numbers[:4])
                + (messages.with_reason(each.reasons) if each.reasons and each.voice is not Voice.NAMED else "")
                for each in some[:SHOWN]
            ]
            rest = messages.and_more(len(some) - SHOWN, "name" if some is named else "source")
            counts = tuple((each.name, *each.numbers[:4]) for each in some[:COUNTED])
            yield Section(heading, lines=(*lines, *rest, messages.show_quoted(some[0].name)), counts=counts)
