"""A question that is no command -> Answer or NoAnswer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from bot import messages, state, verbatim
from bot.ask.answer_span import answer_span
from bot.ask.choose import MOST, choose_answer, why
from bot.ask.confidence import SHOWN
from bot.ask.model import Band, Candidate, Choice
from bot.ask.question_types import AnswerType
from bot.ask.rank import FURTHER
from bot.ask.reading import UNREAD as UNREAD_ODDS
from bot.command import Holdings
from bot.model import Answer, Extract, NoAnswer, Question
from bot.notices import notices
from retrieval import version_key

if TYPE_CHECKING:
    from retrieval import Archive


SEVERAL = frozenset((AnswerType.COMPARISON, AnswerType.VERIFICATION))
UNREAD = float("-inf")
DIGITS = 4  # of a confidence: more are noise, and differ between machines


@dataclass(frozen=True, slots=True)
class Page:
    """The extracts of one reply; ``taken`` counts those tried, ``left_out`` means that one was too long."""

    extracts: tuple[Extract, ...]
    taken: int
    left_out: bool


def answer(holdings: Holdings, question: Question) -> Answer | NoAnswer:
    archive = holdings.archive
    choice = choose_answer(question, holdings.search_context)
    page = fill_page(_extracts(archive, choice))
    if not page.extracts:
        return _nothing(holdings, choice, left_out=page.left_out)
    most = _enough(choice, page) if question.brief else SHOWN
    return Answer(
        extracts=page.extracts[:most],
        more=_more(archive, choice, page.extracts[most:]),
        message=_message(choice, page),
        looked_for=choice.looked_for,
        not_found=choice.not_found,
        confidence=round(choice.confidence, DIGITS),
        sure=choice.band is Band.SURE,
    )


def _enough(choice: Choice, page: Page) -> int:
    """Return how many extracts a brief reply needs: of a sure answer the best, up to the last that adds to it.

    An extract adds to it where the reader finds it likelier, or where somebody else says it under the same caveat.
    Comparisons and questions of verification need several.
    """
    if choice.band is not Band.SURE or not SEVERAL.isdisjoint(choice.analysis.types):
        return SHOWN
    read = {candidate.place: dict(candidate.features).get("reader", UNREAD) for candidate in choice.candidates}
    likely = [read.get((extract.citation.article_id, extract.index), UNREAD) for extract in page.extracts]
    best, *others = page.extracts
    adds = (_is_other_side(best, other) or value > likely[0] for other, value in zip(others, likely[1:], strict=True))
    return 1 + max((number for number, is_more in enumerate(adds, 1) if is_more), default=0)


def _is_other_side(one: Extract, other: Extract) -> bool:
    caveats = {(caveat.text, caveat.citation.article_id) for caveat in one.caveats}
    return one.speaker != other.speaker and any((c.text, c.citation.article_id) in caveats for c in other.caveats)


def _message(choice: Choice, page: Page) -> str | None:
    """Return the notes on the extracts; that they may not answer comes last, next to them."""
    notes = [_remark(choice, page)]
    if choice.band is not Band.SURE:
        notes.append(messages.not_sure(choice.not_found))
    return " ".join(filter(None, notes)) or None


def _remark(choice: Choice, page: Page) -> str | None:
    """Return that a sentence was too long, or, asked whether something is verified, that there is no caveat."""
    if page.left_out:
        return messages.SENTENCE_TOO_LONG
    asked = AnswerType.VERIFICATION in choice.analysis.types
    caveat_places = {(c.article_id, c.passage.sentence.index) for c in choice.chosen if c.passage.is_caveat}
    has_caveat = notices(page.extracts) or any(
        e.caveats or (e.before and e.before.caveats) or (e.citation.article_id, e.index) in caveat_places
        for e in page.extracts
    )
    return messages.NO_CAVEAT if asked and not has_caveat else None


def _extracts(archive: Archive, choice: Choice) -> Iterator[Extract]:
    for each in choice.chosen:
        index = each.passage.sentence.index
        extract = verbatim.extract(archive, each.article_id, index, before=each.before is not None, digest=each.digest)
        if extract and choice.band is Band.SURE and each is choice.chosen[0]:
            yield replace(extract, answer=answer_span(choice.analysis, extract.text, each.passage.mentions))
        elif extract:
            yield extract


def _more(archive: Archive, choice: Choice, not_shown: Iterable[Extract]) -> str:
    """Return the state that brings the extracts in ``not_shown``, and then the candidates that were not chosen."""
    chosen = {(c.article_id, c.passage.sentence.index) for c in choice.chosen}
    rest = (candidate.place for candidate in choice.candidates if candidate.place not in chosen)
    addresses = (state.Address(version_key(i, archive.article(i).digest), index) for i, index in rest)
    first = (state.address(extract.citation, extract.index) for extract in not_shown)
    return state.encode(chain(first, addresses), sure=choice.band is Band.SURE)


def fill_page(extracts: Iterable[Extract]) -> Page:
    """Return as many extracts as fit, best first; one too long for any reply is skipped."""
    taken, room, left_out = 0, MOST, False
    page: list[Extract] = []
    for extract in extracts:
        if len(page) == SHOWN or (page and len(extract.text) > room):
            break
        taken += 1
        if len(extract.text) > MOST:
            left_out = True
            continue
        page.append(extract)
        room -= len(extract.text)
    return Page(tuple(page), taken, left_out)


def _nothing(holdings: Holdings, choice: Choice, *, left_out: bool) -> NoAnswer:
    confidence = round(choice.confidence, DIGITS)
    if left_out:
        return NoAnswer(choice.looked_for, choice.not_found, messages.ONLY_SENTENCE_TOO_LONG, confidence=confidence)
    outlets = holdings.archive.outlets()
    newest = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles = sum(outlet.articles for outlet in outlets)
    words = messages.nothing_found(choice.looked_for, choice.not_found, articles, newest, holdings.since)
    return NoAnswer(choice.looked_for, choice.not_found, words, confidence=confidence)


def explain(holdings: Holdings, question: Question) -> Iterator[str]:
    """Yield each candidate with its figures, the parts of its score and why it is shown or not, best first."""
    archive = holdings.archive
    choice = choose_answer(question, holdings.search_context)
    yield f"confidence {choice.confidence:.2f}, {choice.band}: {_parts(choice.parts)}"
    for candidate in choice.candidates:
        extract = verbatim.extract(archive, *candidate.place)
        words = extract.text if extract else messages.CHANGED
        figures = _figures(candidate, choice)
        yield f"{figures} [{_parts(candidate.parts)}] {candidate.hit.article_id}: {words}"


def _figures(candidate: Candidate, choice: Choice) -> str:
    values = dict(candidate.features)
    known = [("words", candidate.hit.score), *((name, values[name]) for name in FURTHER if name in values)]
    read = "" if values.get("reader", 0.0) > UNREAD_ODDS else ", not read"
    figures = ", ".join(f"{name} {value:.2f}" for name, value in known)
    return f"{candidate.score:.2f} ({why(candidate, choice)}; {figures}{read})"


def _parts(parts: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {value:+.2f}" for name, value in parts)
