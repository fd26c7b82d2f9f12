"""The only place where an article's words enter a reply.

The guarantee:

    ``Extract.text`` is ``Article.text`` at ``Citation.span``, with each run of white space shown as one space, and
    nothing else changed. The same is true of the words of caveats and notices.

1.  No other module makes an ``Extract``, a ``Citation``, a ``QuotedCaveat`` or a ``Notice`` (a test reads them all).
2.  The words are never passed in: these functions take an article's id and the index of a sentence, and cut it out of
    the archive, in one state of it.
3.  Before cutting, the stored text is hashed. The hash must be that of the text that was read, and in which the
    sentence was found. Otherwise there is a ``StaleIndexError``: a changed article can disappear from a reply, but not
    be misquoted.
4.  The caveats of a sentence come from the same reading in the same step.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import retrieval
from bot.model import Citation, Extract, Notice, NoticeReason, QuotedCaveat
from bot.sentence_links import Pointer
from retrieval import VERBS, Archive, Article, Caveat, Kind, Passage, Reading, Span, StaleIndexError, Voice, version_key

log = logging.getLogger(__name__)

OPENING_LENGTH, OPENING_WORDS = 60, 3  # characters at most, and words at least, in place of a missing title
NOT_STORED = "it is no longer stored"
T = TypeVar("T")
P = ParamSpec("P")


def collapse(text: str) -> str:
    return " ".join(text.split())


def _guarded(make: Callable[Concatenate[Archive, str, P], T]) -> Callable[Concatenate[Archive, str, P], T | None]:
    """Have a function return None, with a line in the log, where an article is gone or damaged, or has changed."""

    @wraps(make)
    def guarded(archive: Archive, name: str, /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        try:
            with archive.snapshot():
                return make(archive, name, *args, **kwargs)
        except (StaleIndexError, retrieval.DamagedArticleError) as error:
            log.warning("%s is left out: %s", name, error)
        return None

    return guarded


@_guarded
def extract(archive: Archive, article_id: str, index: int, *, before: bool = False, digest: str = "") -> Extract:
    """Return one sentence with its citation and caveats; with ``before``, with the sentence before it.

    None, with a line in the log, where the article is gone, has changed since it was read (or since it had ``digest``),
    or has no such sentence.
    """
    current = _reading(archive, article_id)
    if digest not in ("", current.article.digest):
        raise StaleIndexError("its text has changed since the sentence was found")
    made = _make(current, index)
    with _stored():
        newest = archive.history(article_id)[-1]
    return replace(
        made,
        citation=replace(made.citation, corrected=newest.corrections.get(index)),
        before=extract(archive, article_id, index - 1) if before and index else None,
    )


def extracts(archive: Archive, article_id: str, indexes: Iterable[int]) -> tuple[Extract, ...]:
    return tuple(at(archive, ((article_id, index) for index in indexes)))


def at(archive: Archive, places: Iterable[tuple[str, int]]) -> Iterator[Extract]:
    """Yield the sentences at these places (article id, index) that can be shown."""
    return filter(None, (extract(archive, article_id, index) for article_id, index in places))


def named_by(archive: Archive, links: Iterable[Pointer]) -> Iterator[Extract]:
    """Yield the sentences that a state names, as ``addressed``."""
    return filter(None, (addressed(archive, link.key, link.index) for link in links))


@_guarded
def addressed(archive: Archive, key: str, index: int) -> Extract | None:
    """Return a sentence of the article version with this key; its citation says whether it is superseded."""
    old = _version(archive, key)
    made = _make(old, index)
    try:
        newest = archive.article(old.article.id)
    except KeyError:
        newest = None
    if newest and newest.key == key:
        return extract(archive, newest.id, index)
    return replace(made, citation=replace(made.citation, superseded=True))


@_guarded
def as_shown(archive: Archive, article_id: str, digest: str, start: int) -> Extract | None:
    """Return the sentence that begins at ``start`` in the version of an article with that digest, as ``addressed``."""
    key = version_key(article_id, digest)
    for passage in _version(archive, key).passages:
        if passage.sentence.span.start == start:
            return addressed(archive, key, passage.sentence.index)
    raise StaleIndexError(NOT_STORED)


def joined(archive: Archive, sentences: Sequence[Extract]) -> Extract | None:
    """Return sentences that follow each other in an article as one extract; None as for ``extract``."""
    first = sentences[0]
    if (stored := version(archive, first.citation.article_id, first.citation.digest)) is None:
        return None
    span = Span(first.citation.span.start, sentences[-1].citation.span.end)
    text, citation = collapse(span.of(stored.article.text)), replace(first.citation, span=span)
    due = {notice.key: notice for sentence in sentences for notice in sentence.notices}
    return replace(first, text=text, citation=citation, notices=tuple(due.values()))


@_guarded
def article(archive: Archive, article_id: str, digest: str = "", report: Span | None = None) -> Citation:
    """Return the citation of an article as a whole; None as for ``extract``.

    With the ``digest`` of the text that was read, and ``report``, the first sentence of its report, the reading need
    not be fetched.
    """
    with _stored():
        stored = archive.article(article_id) if digest else None
    if stored:
        _compare(stored, digest)
    if stored and (stored.title or report):
        opening_words = _opening(stored, report) if report and not stored.title else ""
    else:
        current = _reading(archive, article_id)
        stored, opening_words = current.article, opening(current)
    return _cite(stored, Span(0, len(stored.text)), opening_words)


@_guarded
def version(archive: Archive, article_id: str, digest: str) -> Reading:
    """Return the reading of one version of an article, superseded or not; None as for ``extract``."""
    return _version(archive, version_key(article_id, digest))


@contextmanager
def _stored() -> Iterator[None]:
    """Tell an article that is not stored from any other ``KeyError``."""
    try:
        yield
    except KeyError as error:
        raise StaleIndexError(NOT_STORED) from error


def _compare(stored: Article, digest: str) -> None:
    if hashlib.sha256(stored.text.encode("utf-8", "surrogatepass")).hexdigest() != digest:
        raise StaleIndexError("its text has changed since it was read")


def _reading(archive: Archive, article_id: str) -> Reading:
    """Return the reading of an article, to show it as a whole; raises ``StaleIndexError``."""
    with _stored():
        found, article = archive.reading(article_id), archive.article(article_id)
    _compare(article, found.article.digest)
    return found


reading = _guarded(_reading)


def _version(archive: Archive, key: str) -> Reading:
    if (found := archive.addressed(key)) is None:
        raise StaleIndexError(NOT_STORED)
    _compare(found.article, found.article.digest)
    return found


def _make(reading: Reading, index: int) -> Extract:
    if not 0 <= index < len(reading.passages):
        raise StaleIndexError(f"it has no sentence {index}")
    passage = reading.passages[index]
    span, reason = passage.sentence.span, passage.attribution.anonymity if passage.attribution else None
    is_shared = _has_two_speakers(reading.article.text, passage)
    # the caveats on the whole article, and those that may cover this sentence
    due = [(caveat, NoticeReason.ARTICLE) for caveat in reading.notices]
    due += [(caveat, NoticeReason.POSSIBLE) for caveat in passage.possible_caveats if not caveat.is_notice]
    quoted = ((_caveat(reading, caveat), why) for caveat, why in due)
    return Extract(
        text=collapse(span.of(reading.article.text)),
        citation=_cite_sentence(reading, span),
        index=index,
        # the sentence names both, and whoever signed it alone would be taken to have said all of it
        speaker=None if is_shared else passage.speaker,
        voice=Voice.OUTLET if is_shared else passage.voice,
        manner=passage.attribution.manner if passage.attribution else None,
        anonymity=None if reason is None or span.contains(reason) else collapse(reason.of(reading.article.text)),
        caveats=tuple(_caveat(reading, caveat) for caveat in passage.caveats),
        notices=tuple(Notice(one.text, one.kind, one.verifier, one.citation, why) for one, why in quoted),
    )


_SAYS = re.compile(r"(?:, [^,“”\"]{1,60},)? (?:\w+ly )?(\w+)\b")
_JOINS = re.compile(r"(?:;|\b(?:while|whereas|but|and)) (?:[\w’'-]+ ){0,4}$")


def _has_two_speakers(text: str, passage: Passage) -> bool:
    """Return whether a sentence has its speaker's words, and after "while", "and" or the like those of another name."""
    if passage.voice is not Voice.NAMED or passage.speaker is None:
        return False
    sentence, speaking = passage.sentence.span, list[retrieval.Mention]()
    for mention in passage.mentions:
        verb = _SAYS.match(text, mention.span.end, sentence.end) if mention.kind in (Kind.PERSON, Kind.ORG) else None
        word = verb[1].lower() if verb else ""
        if word in VERBS and word != VERBS[word].lemma and not word.endswith("ing"):
            speaking.append(mention)
    joined = (_JOINS.search(text[sentence.start : mention.span.start]) for mention in speaking[1:])
    return len({mention.name for mention in speaking}) > 1 and any(joined)


def _cite_sentence(reading: Reading, span: Span) -> Citation:
    return _cite(reading.article, span, "" if reading.article.title else opening(reading))


def _cite(article: Article, span: Span, opening_words: str) -> Citation:
    return Citation(
        article_id=article.id,
        path=article.path,
        digest=article.digest,
        span=span,
        title=article.title,
        opening=opening_words,
        source=article.source,
        published=article.published,
        url=article.url,
    )


def opening(reading: Reading) -> str:
    """Return the first words of an article's report, which replace a missing title.

    The report begins after the dateline, captions and links.
    """
    report = (p.sentence.span for p in reading.passages if p.sentence.boilerplate is None)
    return _opening(reading.article, next(report, Span(0, len(reading.article.text))))


def _opening(article: Article, first_sentence: Span) -> str:
    words = collapse(first_sentence.of(article.text))
    if len(words.split()) < OPENING_WORDS:  # “Indeed. …” goes on
        words = collapse(article.text[first_sentence.start :][: 10 * OPENING_LENGTH])
    if len(words) <= OPENING_LENGTH:
        return words
    return words[: OPENING_LENGTH + 1].rsplit(" ", 1)[0].rstrip(" ,;:–—-") + " …"


def _caveat(reading: Reading, caveat: Caveat) -> QuotedCaveat:
    span = reading.passages[caveat.sentence].sentence.span
    text = collapse(span.of(reading.article.text))
    return QuotedCaveat(text, caveat.kind, caveat.verifier, _cite_sentence(reading, span))
