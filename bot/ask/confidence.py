"""How probable it is that a right sentence is among the first three, and what speaks against the best of them.

The first is a logistic model over named features, the others are rules. The thresholds below which nothing is shown, or
the reply says that it is unsure, are in ``model.py``.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.ask.answer_types import FIGURES, SentenceView
from bot.ask.follow_up import entities, is_name, is_personal, second_question, spellings
from bot.ask.model import AnswerType, Candidate
from bot.ask.rank import FURTHER, Asked, Features, view
from retrieval import Archive, Kind, is_region, is_word, read_table, terms, words

SHOWN = 3
AROUND = 2  # sentences before the best, and after it, that say where it happens; and those at the top of its article
NEAR = 4.0  # log-odds: a rival that the reader finds so much less likely competes still


def confidence_features(candidates: Sequence[Candidate], asked: Asked, archive: Archive) -> Features:
    best = [dict(candidate.features) for candidate in candidates[:SHOWN]]
    scale = math.sqrt(asked.potential)
    articles = Counter(candidate.hit.article_id for candidate in candidates[:5])
    odds = [math.exp(candidate.score - candidates[0].score) for candidate in candidates]
    known = {
        "sentence": max(values["sentence"] for values in best) / scale,
        "type": best[0]["type"],
        # the share of the first three among all candidates, by the odds of the ranking
        "margin": sum(odds[:SHOWN]) / sum(odds),
        # the share of the first five that are from one article
        "agreement": max(articles.values()) / articles.total(),
        "words": math.log1p(len(asked.analysis.words)),
        # another year, another town, another person of the name
        "other_article": _not_around(candidates[0], asked, archive),
        "not_told": _not_around(candidates[0], asked, archive, title=True),
        "nowhere": len(asked.nowhere) / max(1, len(asked.analysis.words)),
        "personal": float(is_personal(asked.analysis.text)),
    }
    for name in FURTHER:
        if name in best[0]:
            known[name] = max(values[name] for values in best)
    return known


def _not_around(best: Candidate, asked: Asked, archive: Archive, *, title: bool = False) -> float:
    """Return the share of the question, by weight, that no sentence around the best has, 0 to 1; nor the ``title``."""
    article_id, index = best.place
    around = archive.searchable([article_id])[article_id][max(0, index - AROUND) : index + AROUND + 1]
    head = terms(archive.article(article_id).title or "") if title else ()
    terms_around = frozenset(head).union(*(each.terms for each in around))
    every = sum(worth for _, worth in asked.words)
    return sum(worth for found_by, worth in asked.words if not found_by & terms_around) / every if every else 0.0


# What speaks against the best sentence, although it has the words and the type of answer that were asked for.
_COUNTED = (AnswerType.NUMBER, AnswerType.MONEY, AnswerType.DURATION)
_DIGITS = re.compile(r"\d[\d,.]*")
_SENSES = {sense: frozenset(terms(listed)) for sense, listed in read_table("bot.ask", "senses.toml").items()}
_NEVER_MEANT = frozenset(("limit", "forecast"))  # senses that make a figure another one, whatever else is there

Figure = tuple[str, str]  # a number as digits or words, and what it counts


def rivals(candidates: Sequence[Candidate], asked: Asked, archive: Archive) -> tuple[Candidate, ...]:
    """Return the candidates of the best one's article that have another figure of the same unit, likeliest first."""
    best, kind = candidates[0], asked.analysis.types[0]
    if kind not in _COUNTED:
        return ()
    known = figures(view(best.hit, asked, archive), kind)
    units, odds = {unit for _, unit in known if unit}, dict(best.features).get("reader")
    return tuple(
        other
        for other in candidates[1:]
        if other.hit.article_id == best.hit.article_id
        and (odds is None or dict(other.features).get("reader", odds - 2 * NEAR) >= odds - NEAR)
        and any(unit in units for _, unit in figures(view(other.hit, asked, archive), kind) - known)
    )


def figures(sentence: SentenceView, kind: AnswerType) -> frozenset[Figure]:
    """Return the figures of a sentence that are not in the question, each with its unit: a sign, or the next word."""
    return frozenset(
        _figure(match.group(), sentence.text[match.end() :], kind)
        for match in FIGURES[kind].finditer(sentence.text)
        if not sentence.asked.issuperset(terms(match.group()))
    )


def _figure(matched: str, rest: str, kind: AnswerType) -> Figure:
    digits = _DIGITS.search(matched)
    number = digits.group().replace(",", "").rstrip(".") if digits else matched.lower().split()[0]
    if kind is AnswerType.MONEY:
        return number, "%" if re.search(r"%|cent", matched) else next(iter(re.findall(r"[$£€¥]|[a-z]+$", matched)), "")
    last = terms(matched.rsplit(maxsplit=1)[-1]) if kind is AnswerType.DURATION else terms(" ".join(rest.split()[:3]))
    return number, next(iter(last), "")


def has_other_sense(sentence: SentenceView, kind: AnswerType) -> bool:
    """Return whether the figure asked for is of another sense than that in the sentence: hurt for dead, a limit."""
    if kind not in _COUNTED:
        return False
    found = terms(sentence.text)
    here, asked = ({s for s, of in _SENSES.items() if not of.isdisjoint(each)} for each in (found, sentence.asked))
    if "estimate" in asked:
        asked.add("forecast")
    unasked, counted = here & _NEVER_MEANT - asked, here - _NEVER_MEANT - {"estimate"}
    # where the question says no sense, only the hurt are certainly others
    wanted = asked - _NEVER_MEANT - {"estimate"} or _SENSES.keys() - {"hurt"}
    return bool(unasked) or (bool(counted) and counted.isdisjoint(wanted))


def names_all(best: Candidate, asked: Asked, archive: Archive, *, nearby: bool = False) -> bool:
    """Return whether a candidate's article has the people and places of the question; ``nearby``, places beside it."""
    article_id, index = best.place
    sentences = archive.searchable([article_id])[article_id]
    title = frozenset(terms(archive.article(article_id).title or ""))
    around = (*sentences[:AROUND], *sentences[max(0, index - AROUND) : index + AROUND + 1])
    near, anywhere = (title.union(*(each.terms for each in some)) for some in (around, sentences))
    return all(
        any(spelt <= (near if is_place and nearby else anywhere) for spelt in spelt_so)
        for spelt_so, is_place in _names(asked, archive)
    )


def _names(asked: Asked, archive: Archive) -> Iterator[tuple[tuple[frozenset[str], ...], bool]]:
    """Yield each name in a question by the terms of its spellings, and whether it is a place."""
    text = asked.analysis.text
    typed = words(text.replace(second_question(text) or text, "") or text)
    for entity in entities(typed, archive):
        # "UN" and "British" are written otherwise, too
        is_certain = entity.kind is not Kind.GROUP and not entity.name.isupper() and is_name(entity)
        spelt = {word for each in (entity.name, *entity.variants) for word in words(each)}
        if is_certain and (is_region(entity.name) or not all(map(is_word, spelt.intersection(typed)))):
            yield spellings(entity), entity.kind is Kind.PLACE
