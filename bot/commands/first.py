"""``first``: the first article and sentence with a phrase, the first of each outlet, how often, and the last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.who import is_name, said_sentences
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive, Occurrence, Phrase, is_word, loose, words

OUTLETS = 6  # whose first sentences are shown
UNDATED = 3
MONTHS = 48  # after which years are counted
CERTAIN = 0.8  # certainty of a name from which its other spellings count too
FORMS = 6
BARS = "▁▂▃▄▅▆▇█"

_SAID = re.compile(
    r"(.*?\S)\s++(?:said|says|say|called|calls|call|used|uses|use|mentioned|mention)\s+(.+)", re.IGNORECASE
)
_MARKS = " \t\n“”\"„«»‘’'?"
_QUOTED = r"[“\"‘'«](?P<quoted>.+?)[”\"’'»]"
_VERB = r"(?:write|wrote|written|use|used|print|printed|publish|published|report|reported|mention|mentioned|run|ran)"
_WORDS = rf"(?:{_QUOTED}|(?P<plain>.+))"
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"when (?:did|have) we (?:first|1st) {_VERB}(?: of| about)? {_WORDS}",
        rf"(?:when was )?(?:the )?first time (?:that )?we {_VERB}(?: of| about)? {_WORDS}",
        rf"when (?:was|were) {_QUOTED} first {_VERB}",
        rf"(?:when was )?(?:the )?first time (?:that )?(?P<who>.+?) (?:said|called|used) {_WORDS}",
        rf"when did (?P<who>.+?) first (?:say|call|use|mention) {_WORDS}",
    )
)


def first_asked(archive: Archive, text: str) -> str:
    """Return what ``first`` is to look for where a question asks when a phrase was first written or said; else ""."""
    line = " ".join(text.split()).rstrip("?. ")
    for pattern in _ASKED:
        if match := pattern.fullmatch(line):
            found = match.groupdict()
            phrase = (found.get("quoted") or found.get("plain") or "").strip(_MARKS)
            who = found.get("who")
            if who is None or is_name(archive, who):
                return f"{who} said “{phrase}”" if who else f"“{phrase}”"
    return ""


def first(holdings: Holdings, typed: str) -> Listing | Message:
    """Return where a phrase was first written: "PHRASE", or first said: "NAME said PHRASE"."""
    archive = holdings.archive
    match = _SAID.fullmatch(typed.strip())
    speaker, wanted = (match[1], match[2]) if match and is_name(archive, match[1]) else ("", typed)
    phrase = Phrase([(word, *_spellings(archive, word)) for word in words(wanted)])
    if not phrase.terms:
        return Message(messages.FIRST_USAGE)
    found = archive.written(phrase)
    if speaker and found:
        said = said_sentences(archive, speaker, {each.article_id for each in found})
        narrowed = (
            each._replace(sentences=tuple(i for i in each.sentences if (each.article_id, i) in said)) for each in found
        )
        found = tuple(each for each in narrowed if each.sentences and _extract(archive, phrase, each))
    dated, sure = [each for each in found if each.day], all(each.spelt for each in found)
    sections = (
        *_firsts(archive, phrase, dated),
        *_how_often(dated, sure=sure or bool(speaker)),
        *_last(archive, phrase, dated),
        *_undated(archive, phrase, found[len(dated) :]),
    )
    shown = wanted.strip(_MARKS)
    if not any(section.extracts for section in sections):
        return Message(messages.never_written(shown, speaker))
    return Listing(messages.first_written(shown, speaker), (*sections, *(_forms(shown, found) if sure else ())))


def _spellings(archive: Archive, word: str) -> Iterator[str]:
    """Yield the other spellings of a word of a name, as those who bear it are spelt in the articles."""
    if is_word(word) or not word.isalpha():
        return
    for match in archive.register().find(word):
        if match.certainty < CERTAIN:
            return
        spelt = (each for variant in match.entity.variants for each in words(variant))
        yield from (each for each in spelt if each != word and loose(each) == loose(word))


def _extract(archive: Archive, phrase: Phrase, where: Occurrence) -> Extract | None:
    """Return the first sentence with the phrase; None where the article has it outside its report only."""
    reading = verbatim.reading(archive, where.article_id)
    if reading is None:
        return None
    texts = ((index, reading.passages[index].sentence.span.of(reading.article.text)) for index in where.sentences)
    found = next((index for index, text in texts if next(phrase.places(text), None)), None)
    return None if found is None else verbatim.extract(archive, where.article_id, found)


def _shown(archive: Archive, phrase: Phrase, found: Sequence[Occurrence]) -> Iterator[tuple[Occurrence, Extract]]:
    for each in found:
        if extract := _extract(archive, phrase, each):
            yield each, extract


def _section(heading: str, where: Occurrence, extract: Extract) -> Section:
    lines = (messages.added_on(where.day),) if where.added and where.day else ()
    return Section(heading, (extract,), lines)


def _firsts(archive: Archive, phrase: Phrase, dated: Sequence[Occurrence]) -> Iterator[Section]:
    """Yield the very first, and the first of each other outlet."""
    best = next(_shown(archive, phrase, dated), None)
    if best is None:
        return
    yield _section(messages.FIRST, *best)
    others = list(dict.fromkeys(each.source for each in dated if each.source not in ("", best[0].source)))
    for source in others[:OUTLETS]:
        if pair := next(_shown(archive, phrase, [each for each in dated if each.source == source]), None):
            yield _section(messages.first_of(source), *pair)
    if len(others) > OUTLETS:
        yield Section("", lines=(messages.and_more(len(others) - OUTLETS, "outlet"),))


def _last(archive: Archive, phrase: Phrase, dated: Sequence[Occurrence]) -> Iterator[Section]:
    if len(dated) > 1 and (pair := next(_shown(archive, phrase, dated[::-1]), None)):
        yield _section(messages.LAST, *pair)


def _how_often(dated: Sequence[Occurrence], *, sure: bool) -> Iterator[Section]:
    days = [each.day for each in dated if each.day]
    if len(days) > 1:
        counts = timeline(days)
        most = max(number for _, number in counts)
        bars = "".join(BARS[-(-number * len(BARS) // most) - 1] if number else " " for _, number in counts)
        yield Section(messages.HOW_OFTEN, lines=(messages.often(len(days), counts, bars, sure=sure),), counts=counts)


def timeline(days: Sequence[date]) -> tuple[tuple[str, int], ...]:
    """Return how many of ``days`` are in each month from the first to the last; in each year, where those are many."""
    begin, end = min(days), max(days)
    months = (end.year - begin.year) * 12 + end.month - begin.month + 1
    if months > MONTHS:
        years = Counter(day.year for day in days)
        return tuple((str(year), years[year]) for year in range(begin.year, end.year + 1))
    found = Counter((day.year, day.month) for day in days)
    each = (divmod(begin.year * 12 + begin.month - 1 + passed, 12) for passed in range(months))
    return tuple((f"{year}-{month + 1:02}", found[year, month + 1]) for year, month in each)


def _undated(archive: Archive, phrase: Phrase, found: Sequence[Occurrence]) -> Iterator[Section]:
    extracts = tuple(extract for _, extract in _shown(archive, phrase, found[:UNDATED]))
    if extracts:
        yield Section(messages.undated_articles(len(found)), extracts)


def _forms(typed: str, found: Sequence[Occurrence]) -> Iterator[Section]:
    """Yield the forms that were counted too, with how many articles have each."""
    counts = Counter(form for each in found for form in each.spelt)
    if counts.keys() - {typed.lower()}:
        named = [f"“{form}” ({number:,})" for form, number in counts.most_common(FORMS)]
        yield Section("", lines=(messages.counted_forms(named, more=len(counts) > FORMS),))
