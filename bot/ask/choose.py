"""A question -> what to show: it is analysed, after the previous question, searched for, ranked, and chosen from."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot import sentence_links
from bot.ask.answer_types import FIGURES, SentenceView, holds, holds_new
from bot.ask.confidence import SHOWN, confidence_features, has_other_sense, names_all, rivals
from bot.ask.follow_up import Earlier, is_bare, stands_alone
from bot.ask.model import Analysis, AnswerType, Band, Candidate, Choice, Chosen
from bot.ask.rank import Asked, is_about, is_question, rank, text_of, view, weights
from bot.ask.understand import is_noun, may_be_name, understand
from bot.command import Library
from bot.model import Question
from retrieval import Archive, Hit, Passage, Query, Voice, is_region, terms, words

Place = tuple[str, int]  # the id of an article, the index of a sentence

MOST = 1200  # code points of all extracts of a reply together
ALIKE = 0.75  # share of their words that sentences have in common that say the same
MOST_MISSING = 0.5  # where no article has more than this share of the question, by weight, no answer is sure
ALL_MISSING = 0.9  # and where this share is missing, nothing answers, unless it is asked whether that is verified
ADDS = -6.5  # log-odds: below a sure answer, a sentence that is so much less likely than it is not shown
_WORD = re.compile(r"\w+")
_PRICED = frozenset(terms("cost price worth salary"))  # what only a sum of money answers


def choose(asked: Asked, candidates: tuple[Candidate, ...], library: Library) -> Choice:
    analysis, archive, kind = asked.analysis, library.archive, asked.analysis.types[0]
    values = confidence_features(candidates, asked, archive) if candidates else {}
    model = weights("confidence", values)
    probability = model.probability(values) if candidates else 0.0
    goes_on = bool(analysis.near) and not stands_alone(analysis.text)
    band = library.thresholds.band(probability, library.thresholds.follow_up if goes_on else 1.0)
    is_about_nothing = asked.missing > ALL_MISSING and kind is not AnswerType.VERIFICATION
    if not candidates or is_about_nothing or _is_foreign(asked):
        band = Band.NONE
    about = _WORD.findall(analysis.text.lower().partition(" about ")[2])
    subjects = (word in about or is_region(word.title()) or may_be_name(word, analysis.text) for word in asked.nowhere)
    if band in (Band.ANSWER, Band.PROBABLY) and (
        asked.missing > MOST_MISSING
        or any(subjects)
        or (analysis.near and asked.nowhere)
        or candidates[0].place in analysis.near[:1]  # what answered the question before
        or _lacks_answer(view(candidates[0].hit, asked, archive), kind)
        or not all(is_about(candidates[0], party, archive) for party in analysis.parties)
        or not names_all(candidates[0], asked, archive)
        or has_other_sense(view(candidates[0].hit, asked, archive), kind)
    ):
        band = Band.CLOSEST
    # a question without a word of its own is about what was shown: another sentence is not surely its answer
    competing = rivals(candidates, asked, archive) if candidates else ()
    if band is Band.ANSWER and (
        competing or is_bare(analysis.text) or not names_all(candidates[0], asked, archive, nearby=True)
    ):
        band = Band.PROBABLY
    if competing:  # both are shown, one under the other
        candidates = (candidates[0], competing[0], *(c for c in candidates[1:] if c is not competing[0]))
    adding = candidates
    if band is Band.ANSWER and AnswerType.COMPARISON not in analysis.types:
        # by the reader, what is much less likely adds nothing
        odds = [dict(candidate.features).get("reader", 0.0) for candidate in candidates]
        adding = tuple(one for one, its in zip(candidates, odds, strict=True) if its >= odds[0] + ADDS)
    return Choice(
        analysis=analysis,
        chosen=() if band is Band.NONE else _select(adding, asked, archive),
        candidates=candidates,
        band=band,
        confidence=probability,
        parts=(("base", model.intercept), *model.parts(values)) if candidates else (),
        looked_for=tuple(dict.fromkeys(word for word, _ in analysis.words)),
        competing=competing[0].place if competing else None,
        not_found=tuple(word for word in asked.nowhere if is_noun(word, analysis.text)),
    )


def _is_foreign(asked: Asked) -> bool:
    """Return whether a full question has only words of the thread in common with the articles."""
    typed = set(words(asked.analysis.text))
    own = {word for word, _ in asked.analysis.words if typed.issuperset(word.split())}
    borrows = len(own) < len(asked.analysis.words)
    return borrows and bool(own) and stands_alone(asked.analysis.text) and own.issubset(asked.nowhere)


def _lacks_answer(sentence: SentenceView, kind: AnswerType) -> bool:
    """Return whether a sentence asks itself, or lacks the kind that is asked for: a new figure or name, a reason."""
    if is_question(sentence.text):
        return True
    if kind is AnswerType.REASON:
        return holds(kind, sentence) < 1
    if kind is AnswerType.NAME:
        return holds_new(kind, sentence) < 0
    is_wide = kind in (AnswerType.MONEY, AnswerType.DURATION) and sentence.asked.isdisjoint(_PRICED)
    kinds = {kind, AnswerType.NUMBER} if is_wide else {kind}
    return all(each in FIGURES and holds_new(each, sentence) < 0 for each in kinds)


def why(candidate: Candidate, choice: Choice) -> str:
    shown = [chosen.place for chosen in choice.chosen]
    reader, best = (dict(each.features).get("reader", 0.0) for each in (candidate, choice.candidates[0]))
    if candidate.place in shown:
        return f"shown as number {shown.index(candidate.place) + 1}"
    if choice.band is Band.NONE:
        return "not shown: the confidence is too low"
    if choice.band is Band.ANSWER and reader < best + ADDS:
        return "not shown: much less likely than the first"
    return "not shown: others are better, or say the same"


def _select(candidates: tuple[Candidate, ...], asked: Asked, archive: Archive) -> tuple[Chosen, ...]:
    """Return the best three that differ and fit; one too long for any reply takes no room."""
    left = MOST
    chosen: list[Chosen] = []
    taken: list[Hit] = []
    shown: set[Place] = set()  # with the sentences before others
    # with the sentences that continue a quotation, so that none is cut
    hits = (
        Hit(hit.article_id, passage, hit.score, digest=hit.digest) if passage is not hit.passage else hit
        for hit in _in_order(candidates, asked, archive)
        for passage in (hit.passage, *_quotation(hit, archive))
        if passage is hit.passage or passage.sentence.index > hit.passage.sentence.index
    )
    for hit in hits:
        index = hit.passage.sentence.index
        length = len(" ".join(text_of(hit, archive).split()))
        if left < length <= MOST or hit.place in shown or any(alike(hit, other, archive) for other in taken):
            continue
        if length > MOST:  # the reply says that it is too long
            chosen.append(Chosen(hit.article_id, hit.passage, digest=hit.digest))
            continue
        before = archive.reading(hit.article_id).passages[index - 1] if index else None
        if before and before not in _quotation(hit, archive):
            before = before if needs_before(text_of(hit, archive), hit.passage, before) else None
        places = [(other.article_id, other.passage) for other in chosen]
        above = places.index((hit.article_id, before)) + 1 if before and (hit.article_id, before) in places else 0
        # what needs a sentence that is shown comes right after it
        found = Chosen(hit.article_id, hit.passage, before=None if above else before, digest=hit.digest)
        chosen.insert(above or len(chosen), found)
        taken.append(hit)
        left -= length
        shown |= {hit.place} | ({(hit.article_id, before.sentence.index)} if before else set())
        if len(taken) == SHOWN:
            break
    return tuple(chosen)


def _quotation(hit: Hit, archive: Archive) -> tuple[Passage, ...]:
    """Return all sentences of the quotation that contains a hit; none of a long one."""
    number = hit.passage.sentence.quotation
    if number is None:
        return ()
    same = tuple(p for p in archive.reading(hit.article_id).passages if p.sentence.quotation == number)
    return same if len(same) <= SHOWN else ()


def _in_order(candidates: tuple[Candidate, ...], asked: Asked, archive: Archive) -> Iterable[Hit]:
    hits = [candidate.hit for candidate in candidates]
    if asked.analysis.types[0] is AnswerType.VERIFICATION:  # first the caveats on the best hit, if it has any
        best = hits[0]
        passages = archive.reading(best.article_id).passages
        caveats = () if best.passage.is_caveat else (*best.passage.caveats, *best.passage.possible_caveats)
        own = [Hit(best.article_id, passages[c.sentence], best.score, digest=best.digest) for c in caveats]
        return [*own, *hits]
    if AnswerType.COMPARISON in asked.analysis.types:  # different figures are in different articles
        firsts = {hit.article_id: hit for hit in reversed(hits)}
        return [*sorted(firsts.values(), key=hits.index), *hits]  # repetitions are skipped later
    return hits


def alike(hit: Hit, other: Hit, archive: Archive) -> bool:
    """Return whether two sentences say the same, by the share of their words in common; a figure is one word."""
    one, two = (frozenset(terms(text_of(each, archive))) for each in (hit, other))
    same = (hit.article_id, hit.passage) == (other.article_id, other.passage)
    return same or (bool(one) and len(one & two) >= ALIKE * len(one | two))


# Words at the start for somebody or something that the sentence does not name.
_SOMEBODY = re.compile(r"\W*(?:he|she|they|his|her|their|him|them)\b", re.IGNORECASE)
_SOMETHING = re.compile(
    r"(?i)\W*(?:it|its|this|that|these|those|such|both|another|others?|one|some|most|all|none|neither)\b"
)
_OPENED = re.compile(r"\W*(?:but|and|so|yet|however|instead|also|then|still|meanwhile|nor|or)\b,?\s", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?i)\W*(?:about|around|some|nearly|almost|only|at least|another)\s\d[\d,.]*\s(?:were|was|had|have|are)\b"
)


def needs_before(text: str, passage: Passage, before: Passage) -> bool:
    """Return whether ``passage`` (its ``text``) cannot be understood without the sentence ``before`` it.

    A "he" who is the known speaker is understood: the speaker is shown with the sentence.
    """
    if before.sentence.boilerplate is not None:
        return False
    if passage.mentions and not _SOMETHING.match(text):
        return False
    if _SOMEBODY.match(text):
        return passage.voice is not Voice.NAMED or passage.sentence.quotation is not None
    return bool(_SOMETHING.match(text) or _OPENED.match(text) or _COUNTED.match(text))


CANDIDATES = 30  # hits of the archive by words alone
BY_WORDS, NEAREST = 60, 40  # with an encoder: those by words, and further ones by meaning
AROUND = 12  # sentences on either side of an answer that a follow-up may mean


def choose_answer(question: Question, library: Library) -> Choice:
    """Return what is shown for ``question``; what is answered by itself needs no earlier question."""
    alone = replace(question, previous=None, shown="")
    if alone != question and stands_alone(question.text):
        choice = choose_answer(alone, library)
        if choice.band in (Band.ANSWER, Band.PROBABLY):
            return choice
    archive, analysis = library.archive, analyse(question, library)
    asked = Asked.of(analysis, archive)
    return choose(asked, rank(propose(analysis, archive), asked, archive, library.meaning), library)


def analyse(question: Question, library: Library) -> Analysis:
    analysis = understand(question, library.archive, library.aliases.shorthand, _earlier(question, library))
    vector = library.meaning.question(analysis.wording) if library.meaning else None
    return replace(analysis, query=replace(analysis.query, vector=vector))


def propose(analysis: Analysis, archive: Archive) -> tuple[Hit, ...]:
    """Return the hits, and the sentences around the previous answer, even without a word of the follow-up."""
    hits = archive.search(analysis.query, CANDIDATES if analysis.query.vector is None else BY_WORDS, NEAREST)
    places = {hit.place for hit in hits}
    around: list[Hit] = []
    for article_id, place in analysis.near[:1]:
        reading = archive.reading(article_id)
        for passage in reading.passages[max(0, place - AROUND) : place + AROUND + 1]:
            kind = passage.sentence.boilerplate
            if (article_id, passage.sentence.index) not in places and (not kind or kind in analysis.query.boilerplate):
                around.append(Hit(article_id, passage, digest=reading.article.digest))
    return (*hits, *around)


def _earlier(question: Question, library: Library) -> Earlier | None:
    """Return the question before and what it was answered with: what was shown last, where that is known."""
    if not question.previous and not question.shown:
        return None
    last = tuple(seen(question.shown, library.archive))
    if not question.previous:
        return Earlier(Analysis("", Query()), last) if last else None
    before = replace(question, text=question.previous, previous=None, shown="")
    if last:
        return Earlier(understand(before, library.archive, library.aliases.shorthand), last)
    choice = choose_answer(before, library)
    # candidates too unsure to be shown still say where the next answer is likely to be
    return Earlier(choice.analysis, choice.chosen or tuple(candidate.hit for candidate in choice.candidates[:SHOWN]))


def seen(shown: str, archive: Archive) -> Iterator[Hit]:
    for address in sentence_links.decode(shown)[:SHOWN] if shown else ():
        reading = archive.addressed(address.key)
        if reading and address.index < len(reading.passages):
            yield Hit(reading.article.id, reading.passages[address.index], digest=reading.article.digest)
