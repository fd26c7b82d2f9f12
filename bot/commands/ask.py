"""A question that is no command -> Answer or NoAnswer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from bot import messages, sentence_links, verbatim
from bot.ask.answer_types import answer_span
from bot.ask.choose import MOST, choose_answer, why
from bot.ask.confidence import SHOWN
from bot.ask.follow_up import FOLLOW_UP_WORDS, entities, is_name, second_question
from bot.ask.model import AnswerType, Band, Choice
from bot.ask.rank import FURTHER, UNREAD as UNREAD_ODDS
from bot.ask.understand import spelling_notes
from bot.command import Library
from bot.model import Answer, Citation, Extract, NoAnswer, Question
from bot.outline import notices
from retrieval import STOPWORDS, Archive, terms, version_key, words

SEVERAL = frozenset((AnswerType.COMPARISON, AnswerType.VERIFICATION))
UNREAD = float("-inf")
LISTED = 5  # articles at most that are listed where none answers
NEW_TERMS = 4  # of a sentence, from which it adds to another without a name or a figure
_TOKEN = re.compile(r"\w+")
DIGITS = 4  # of a confidence: more are noise, and differ between machines


def answer(library: Library, question: Question) -> Answer | NoAnswer:
    archive, choice = library.archive, choose_answer(question, library)
    extracts, tried = fill_page(_extracts(archive, choice))
    left_out = tried > len(extracts)
    if not extracts:
        return _nothing(library, choice, left_out=left_out)
    shown = _brief(choice, extracts) if question.brief else extracts
    return Answer(
        extracts=shown,
        more=_more(archive, choice, [extract for extract in extracts if extract not in shown]),
        message=_message(choice, extracts, shown, left_out=left_out),
        looked_for=choice.looked_for,
        not_found=choice.not_found,
        confidence=round(choice.confidence, DIGITS),
        band=choice.band,
    )


def _brief(choice: Choice, extracts: tuple[Extract, ...]) -> tuple[Extract, ...]:
    """Return the extracts of a brief reply: the best, what competes with it, and where it is sure, what adds to it.

    What continues its quotation is shown with it. Another adds to it by a fact of its own, where the reader finds it
    likelier, or where somebody else says it under the same caveat. Comparisons and verification need several.
    """
    best, *others = extracts
    if not SEVERAL.isdisjoint(choice.analysis.types):
        return extracts
    if choice.band is not Band.ANSWER:
        return (best, *(other for other in others if other.place == choice.competing))
    read = {candidate.place: dict(candidate.features).get("reader", UNREAD) for candidate in choice.candidates}
    quotations = {c.place: (c.article_id, c.passage.sentence.quotation) for c in choice.chosen}
    quotation, caveats = quotations.get(best.place, ("", None)), {caveat.identity for caveat in best.caveats}
    adding = (
        other
        for other in others
        if (quotation[1] is not None and quotations.get(other.place) == quotation)
        or (best.speaker != other.speaker and any(caveat.identity in caveats for caveat in other.caveats))
        or (read.get(other.place, UNREAD) > read.get(best.place, UNREAD) and _has_new_fact(best, other))
    )
    return (best, *adding)


def _has_new_fact(best: Extract, other: Extract) -> bool:
    """Return whether ``other`` has a name or a figure that ``best`` hasn't, or several other words."""
    new = set(_TOKEN.findall(other.text)[1:]) - set(_TOKEN.findall(best.text))  # the first has a capital anyway
    adds = len(set(terms(other.text)) - set(terms(best.text))) >= NEW_TERMS
    return adds or any(word[0].isupper() or word[0].isdigit() for word in new)


def _message(choice: Choice, extracts: Sequence[Extract], shown: Sequence[Extract], *, left_out: bool) -> str | None:
    """Return the notes on the extracts; that they may not answer comes last, next to them."""
    notes: list[str] = []
    if left_out:
        notes.append(messages.SENTENCE_TOO_LONG)
    elif AnswerType.VERIFICATION in choice.analysis.types and not _has_caveat(choice, extracts):
        notes.append(messages.NO_CAVEAT)
    notes += spelling_notes(choice.analysis)
    if choice.band is not Band.ANSWER:
        notes.append(messages.doubt(choice.band, choice.not_found, one=len(shown) == 1))
    elif choice.not_found:
        notes.append(messages.in_no_article(messages.quoted_list(choice.not_found)))
    elif second := second_question(choice.analysis.text):
        wanted = " ".join(word for word in words(second) if word not in STOPWORDS | FOLLOW_UP_WORDS)
        if {term for extract in shown for term in terms(extract.text)}.isdisjoint(terms(wanted)):
            notes.append(messages.left_unanswered(messages.quoted(second)))
    return " ".join(notes) or None


def _has_caveat(choice: Choice, extracts: Sequence[Extract]) -> bool:
    caveat_places = {chosen.place for chosen in choice.chosen if chosen.passage.is_caveat}
    return bool(notices(extracts)) or any(
        e.caveats or (e.before and e.before.caveats) or e.place in caveat_places for e in extracts
    )


def _extracts(archive: Archive, choice: Choice) -> Iterator[Extract]:
    for number, chosen in enumerate(choice.chosen):
        extract = verbatim.extract(archive, *chosen.place, before=chosen.before is not None, digest=chosen.digest)
        if extract and choice.band is Band.ANSWER and number == 0:
            extract = replace(extract, answer=answer_span(choice.analysis, extract.text, chosen.passage.mentions))
        if extract:
            yield extract


def _more(archive: Archive, choice: Choice, not_shown: Sequence[Extract]) -> str:
    """Return the state that brings the extracts in ``not_shown``, and then the candidates that were not chosen.

    Below an unsure answer, the candidates come only where nothing else is left.
    """
    is_sure = choice.band is Band.ANSWER
    chosen = {one.place for one in choice.chosen}
    rest = [] if not_shown and not is_sure else [c.place for c in choice.candidates if c.place not in chosen]
    return sentence_links.encode(chain(map(sentence_links.address, not_shown), _addresses(archive, rest)), sure=is_sure)


def _addresses(archive: Archive, places: Iterable[tuple[str, int]]) -> Iterator[sentence_links.Pointer]:
    return (sentence_links.Pointer(version_key(i, archive.article(i).digest), index) for i, index in places)


def fill_page(extracts: Iterable[Extract]) -> tuple[tuple[Extract, ...], int]:
    """Return as many extracts as fit, best first, and how many were tried: one too long for any reply is skipped."""
    tried, room = 0, MOST
    page: list[Extract] = []
    for extract in extracts:
        if len(page) == SHOWN or (page and len(extract.text) > room):
            break
        tried += 1
        if len(extract.text) <= MOST:
            page.append(extract)
            room -= len(extract.text)
    return tuple(page), tried


def _nothing(library: Library, choice: Choice, *, left_out: bool) -> NoAnswer:
    confidence = round(choice.confidence, DIGITS)
    if left_out:
        return NoAnswer(choice.looked_for, choice.not_found, messages.ONLY_SENTENCE_TOO_LONG, confidence)
    archive, outlets = library.archive, library.archive.outlets()
    newest = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles = sum(outlet.articles for outlet in outlets)
    message = messages.nothing_found(choice.looked_for, choice.not_found, articles, newest, library.scope.since)
    more = sentence_links.encode(_addresses(archive, (c.place for c in choice.candidates[:SHOWN])), sure=False)
    citations: tuple[Citation, ...] = ()
    if named := [each for each in entities(words(choice.analysis.text), archive) if is_name(each) and each.articles]:
        rarest = min(named, key=lambda entity: len(entity.articles))
        readings = archive.readings(rarest.articles) if len(rarest.articles) <= LISTED else ()
        cited = (verbatim.article(archive, each.article.id, each.article.digest) for each in readings)
        citations = tuple(filter(None, cited))
        message = messages.mentioned(rarest.name, len(rarest.articles), listed=bool(citations))
    message = " ".join((*spelling_notes(choice.analysis), message))
    return NoAnswer(choice.looked_for, choice.not_found, message, confidence, citations, more)


def explain(library: Library, question: Question) -> Iterator[str]:
    """Yield each candidate with its figures, the parts of its score and why it is shown or not, best first."""
    archive, choice = library.archive, choose_answer(question, library)
    yield f"confidence {choice.confidence:.2f}, {choice.band}: {_parts(choice.parts)}"
    for candidate in choice.candidates:
        extract = verbatim.extract(archive, *candidate.place)
        words = extract.text if extract else messages.CHANGED
        values = dict(candidate.features)
        known = [("words", candidate.hit.score), *((name, values[name]) for name in FURTHER if name in values)]
        read = "" if values.get("reader", 0.0) > UNREAD_ODDS else ", not read"
        figures = ", ".join(f"{name} {value:.2f}" for name, value in known)
        figures = f"{candidate.score:.2f} ({why(candidate, choice)}; {figures}{read})"
        yield f"{figures} [{_parts(candidate.parts)}] {candidate.hit.article_id}: {words}"


def _parts(parts: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {value:+.2f}" for name, value in parts)
