"""``corrections``: what a new version of an article changed, and the other articles that still say the old.

A change is a figure, a name or quoted words that were replaced in a sentence that is otherwise much the same. Another
article repeats the old version where one of its sentences has the old words in their place, and most of the words
around them, weighed by how rare they are. Copies of the article are left out: they are followed by themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rapidfuzz import fuzz, process

from bot import messages, verbatim
from bot.ask.rank import text_of
from bot.command import Library
from bot.model import Extract, Listing, Message, Section
from retrieval import Archive, Kind, Passage, Phrase, Query, Reading, align, idf, quoted_spans, terms, words

LOOKED = 50  # versions that were replaced last
LISTED = 8
LIKE = 60.0  # percent of its letters that a corrected sentence keeps
LONGEST = 6  # words that are replaced at once
PLACES = 3  # in one sentence
FEWEST = 4  # terms around the change; fewer say too little
CANDIDATES = 30
# how much of what surrounds the change, weighed, another sentence has: where the words beside it are the same, or not
SHARE_BESIDE, SHARE = 0.55, 0.8
NAMED = (Kind.PERSON, Kind.ORG, Kind.PLACE)


@dataclass(frozen=True, slots=True)
class Replaced:
    """Words of the sentence ``was`` of a version that its sentence ``now`` of the next one has other words for."""

    was: int
    now: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    beside: tuple[tuple[str, ...], ...]  # the old words with one before, and with one behind


def corrections(library: Library, topic: str) -> Listing | Message:
    """Return the latest corrections whose old version other articles repeat; with words, of articles with them."""
    archive = library.archive
    among = {each.id for each in archive.listed(dict.fromkeys(terms(topic)))} if topic else None
    versions = (key for article_id, key in archive.superseded(LOOKED) if among is None or article_id in among)
    sections = tuple(islice((each for key in versions for each in carried_on(archive, key)), LISTED))
    return Listing(messages.CARRIED_ON, sections) if sections else Message(messages.NOT_CARRIED_ON)


def carried_on(archive: Archive, key: str) -> Iterator[Section]:
    """Yield what replaced words of the version with this key: the sentence now, and others that still have them."""
    before = archive.addressed(key)
    after = verbatim.reading(archive, before.article.id) if before else None
    if before is None or after is None or before.article.digest == after.article.digest:
        return
    for change in replacements(before, after):
        others = tuple(_repeats(archive, before, change))
        now = verbatim.extract(archive, after.article.id, change.now) if others else None
        if now:
            heading = messages.replaced(" ".join(change.old), " ".join(change.new))
            articles = {each.citation.article_id for each in others}
            note = messages.still_said(messages.count(len(articles), "other article"))
            yield Section(heading, (now, *others), (note,))


def replacements(before: Reading, after: Reading) -> Iterator[Replaced]:
    one, other = ([_text(reading, passage) for passage in reading.passages] for reading in (before, after))
    for stretch in align(one, other):
        for was in () if stretch.same else stretch.before:
            after_it, passage = {now: other[now] for now in stretch.after}, before.passages[was]
            likest = process.extractOne(one[was], after_it, scorer=fuzz.ratio, score_cutoff=LIKE)
            if likest and passage.sentence.boilerplate is None:
                yield from _replaced(before, passage, likest[2], one[was].split(), likest[0].split())


def _replaced(before: Reading, passage: Passage, now: int, was: list[str], new: list[str]) -> Iterator[Replaced]:
    bare = (tuple(" ".join(words(token)) or token for token in tokens) for tokens in (was, new))
    stretches = [each for each in align(*bare) if not each.same]
    if len(stretches) > PLACES:
        return
    for each in stretches:
        old, instead = (tuple(tokens[i] for i in part) for tokens, part in ((was, each.before), (new, each.after)))
        if not (old and instead and max(len(old), len(instead)) <= LONGEST and terms(" ".join(old))):
            continue
        if _matters(before, passage, was, each.before):
            start, end = each.before.start, each.before.stop
            sides = (was[max(start - 1, 0) : start], was[end : end + 1])
            # of the words of a name, one is always beside the other
            before_it, behind_it = (all(word[:1].islower() for word in side) and side for side in sides)
            beside = (*([(*before_it, *old)] if before_it else ()), *([(*old, *behind_it)] if behind_it else ()))
            yield Replaced(passage.sentence.index, now, old, instead, beside)


def _matters(before: Reading, passage: Passage, was: Sequence[str], part: range) -> bool:
    """Return whether replaced words are a figure, a name, or in a quotation."""
    old = [was[i] for i in part]
    if any(each[0].isdigit() for word in old for each in terms(word)) or passage.sentence.quotation is not None:
        return True
    start = len(" ".join(was[: part.start]))
    if any(quoted.start <= start + 1 < quoted.end for quoted in quoted_spans(" ".join(was))):
        return True
    mentions = (mention.span for mention in passage.mentions if mention.kind in NAMED)
    named = {word for span in mentions for word in words(span.of(before.article.text))}
    return any(word in named for each in old for word in words(each))


def _repeats(archive: Archive, before: Reading, change: Replaced) -> Iterator[Extract]:
    """Yield the sentences of other articles that have the old words in their place, and not the new ones."""
    changed = terms(" ".join(change.old))
    around = [each for each in dict.fromkeys(terms(_text(before, before.passages[change.was]))) if each not in changed]
    if len(around) < FEWEST:
        return
    vocabulary = archive.vocabulary()
    frequencies, size = vocabulary.frequencies(around), vocabulary.size()
    worth = {each: idf(size, frequencies.get(each, 0)) for each in around}
    hits = archive.search(Query(tuple((each, 1.0) for each in (*around, *changed))), CANDIDATES)
    article_id = before.article.id
    listed = archive.listed(named=[hit.article_id for hit in hits])
    copies = {article_id, *(each.id for each in listed if article_id in each.copies)}
    phrases = (change.old, change.new, *change.beside)
    old, new, *beside = (Phrase([(word,) for word in words(" ".join(each))]) for each in phrases)
    for hit in hits:
        if hit.article_id in copies or hit.passage.sentence.boilerplate:
            continue
        text = text_of(hit, archive)
        if not _has(old, text) or _has(new, text):
            continue
        there = set(terms(text))
        share = sum(value for each, value in worth.items() if each in there) / sum(worth.values())
        if share >= (SHARE_BESIDE if any(_has(each, text) for each in beside) else SHARE):
            extract = verbatim.extract(archive, hit.article_id, hit.passage.sentence.index, digest=hit.digest)
            if extract:
                yield extract


def _has(phrase: Phrase, text: str) -> bool:
    return bool(phrase.spellings) and next(phrase.places(text), None) is not None


def _text(reading: Reading, passage: Passage) -> str:
    return verbatim.collapse(passage.sentence.span.of(reading.article.text))
