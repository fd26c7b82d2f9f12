"""``first``: the first article and sentence with a phrase, the first of each outlet, how often, and the last."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from bot import messages, verbatim
from bot.command import Library
from bot.commands.who import CERTAIN, is_name, meant_by, spoken_by
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive, Occurrence, Phrase, is_word, loose, words

OUTLETS = 6  # whose first sentences are shown
UNDATED = 3
MONTHS = 48  # after which years are counted
FORMS = 6
BARS = "▁▂▃▄▅▆▇█"

_SAID = re.compile(r"(?i)(.*?\S)\s++(?:said|says|say|called|calls|call|used|uses|use|mentioned|mention)\s+(.+)")
_MARKS = " \t\n“”\"„«»‘’'?"
_QUOTED = r"[“\"‘'«](?P<quoted>.+?)[”\"’'»]"
_VERB = r"(?:write|wrote|written|use|used|print|printed|publish|published|report|reported|mention|mentioned|run|ran)"
_WORDS = rf"(?:{_QUOTED}|(?P<plain>.+))"
_ASKED = (
    re.compile(rf"(?i)when (?:did|have) we (?:first|1st) {_VERB}(?: of| about)? {_WORDS}"),
    re.compile(rf"(?i)(?:when was )?(?:the )?first time (?:that )?we {_VERB}(?: of| about)? {_WORDS}"),
    re.compile(rf"(?i)when (?:was|were) {_QUOTED} first {_VERB}"),
    re.compile(rf"(?i)(?:when was )?(?:the )?first time (?:that )?(?P<who>.+?) (?:said|called|used) {_WORDS}"),
    re.compile(rf"(?i)when did (?P<who>.+?) first (?:say|call|use|mention) {_WORDS}"),
)


def first_asked(archive: Archive, text: str) -> str:
    line = " ".join(text.split()).rstrip("?. ")
    for match in filter(None, (pattern.fullmatch(line) for pattern in _ASKED)):
        groups = match.groupdict()
        phrase = (groups.get("quoted") or groups.get("plain") or "").strip(_MARKS)
        if (who := groups.get("who")) is None or is_name(archive, who):
            return f"{who} said “{phrase}”" if who else f"“{phrase}”"
    return ""


def first(library: Library, typed: str) -> Listing | Message:
    """Return where a phrase was first written: "PHRASE", or first said: "NAME said PHRASE"."""
    archive = library.archive
    match = _SAID.fullmatch(typed.strip())
    speaker, wanted = (match[1], match[2]) if match and is_name(archive, match[1]) else ("", typed)
    phrase = Phrase([(word, *_spellings(archive, word)) for word in words(wanted)])
    if not phrase.terms:
        return Message(messages.FIRST_USAGE)
    articles = archive.written(phrase)
    if speaker and articles:
        readings = archive.readings({one.article_id for one in articles})
        said = {each.place for likeliest in meant_by(archive, speaker)[:1] for each in spoken_by(readings, likeliest)}
        narrowed = (a._replace(sentences=tuple(i for i in a.sentences if (a.article_id, i) in said)) for a in articles)
        articles = tuple(one for one in narrowed if one.sentences and _extract(archive, phrase, one))
    sure = all(one.spelt for one in articles)
    unmarked = wanted.strip(_MARKS)
    sections = tuple(_sections(archive, phrase, unmarked.lower(), articles, sure=sure or bool(speaker)))
    if not any(section.extracts for section in sections):
        return Message((messages.never_said if speaker else messages.never_written)(unmarked, speaker))
    forms = Counter(form for one in articles for form in sorted(one.spelt))
    if sure and forms.keys() - {unmarked.lower()}:
        named = [f"“{form}” ({number:,})" for form, number in forms.most_common(FORMS)]
        counted = f"{', '.join(named)}{' …' if len(forms) > FORMS else ''}"
        sections += (Section("", lines=(messages.counted_forms(counted),)),)
    return Listing((messages.first_said if speaker else messages.first_written)(unmarked, speaker), sections)


def _spellings(archive: Archive, word: str) -> Iterator[str]:
    """Yield the other spellings of a word of a name, as those who bear it are spelt in the articles."""
    if is_word(word) or not word.isalpha():
        return
    for match in archive.register().find(word):
        if match.certainty < CERTAIN:
            return
        spelt = (form for variant in match.entity.variants for form in words(variant))
        yield from (form for form in spelt if form != word and loose(form) == loose(word))


def _extract(archive: Archive, phrase: Phrase, where: Occurrence) -> Extract | None:
    """Return the first sentence with the phrase; None where the article has it outside its report only."""
    if (reading := verbatim.reading(archive, where.article_id)) is None:
        return None
    texts = ((index, reading.passages[index].sentence.span.of(reading.article.text)) for index in where.sentences)
    index = next((index for index, text in texts if next(phrase.places(text), None)), None)
    return None if index is None else verbatim.extract(archive, where.article_id, index)


def _sections(
    archive: Archive, phrase: Phrase, form: str, articles: Sequence[Occurrence], *, sure: bool
) -> Iterator[Section]:
    """Yield the very first, the first of each other outlet, how often, the last, and the undated ones."""

    def earliest(occurrences: Iterable[Occurrence], heading: str) -> Iterator[Section]:
        for one in occurrences:
            if extract := _extract(archive, phrase, one):
                later = messages.first_in_version(messages.day(one.day))
                yield Section(heading, (extract,), (later,) if one.added and one.day else ())
                return

    dated = [one for one in articles if one.day]
    undated = sorted(articles[len(dated) :], key=lambda one: form not in one.spelt)
    extracts = tuple(filter(None, (_extract(archive, phrase, one) for one in undated[:UNDATED])))
    counted = messages.count(len(undated), "article")
    others = [Section(messages.undated_articles(counted), extracts)] if extracts else []
    if others and form in undated[0].spelt and not any(form in one.spelt for one in dated):
        yield others.pop()  # the very words, before other forms of them
    for begin in earliest(dated, messages.FIRST):
        yield begin
        first_source = begin.extracts[0].citation.source
        outlets = list(dict.fromkeys(one.source for one in dated if one.source not in ("", first_source)))
        for source in outlets[:OUTLETS]:
            yield from earliest((one for one in dated if one.source == source), messages.first_of(source))
        if rest := messages.and_more(len(outlets) - OUTLETS, "outlet"):
            yield Section("", lines=rest)
    if len(dated) > 1:
        counts = timeline([one.day for one in dated if one.day])
        most = max(number for _, number in counts)
        bars = "".join(BARS[-(-number * len(BARS) // most) - 1] if number else " " for _, number in counts)
        often, shown = messages.often(len(dated), counts, bars, sure=sure), counts if len(counts) > 1 else ()
        yield Section(messages.HOW_OFTEN, lines=(often,), counts=shown)
        yield from earliest(dated[::-1], messages.LAST)
    yield from others


def timeline(days: Sequence[date]) -> tuple[tuple[str, int], ...]:
    """Return how many of ``days`` are in each month from the first to the last; in each year, where those are many."""
    years, months = Counter(day.year for day in days), Counter(day.year * 12 + day.month - 1 for day in days)
    span = range(min(months), max(months) + 1)
    if len(span) > MONTHS:
        return tuple((str(year), years[year]) for year in range(min(years), max(years) + 1))
    return tuple((f"{month // 12}-{month % 12 + 1:02}", months[month]) for month in span)
