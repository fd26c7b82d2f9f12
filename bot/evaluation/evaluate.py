"""Golden questions -> scores: each is asked, and its reply graded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from bot import verbatim
from bot.ask.choose import choose_answer
from bot.ask.confidence import SHOWN
from bot.ask.model import Choice
from bot.ask.thresholds import DEFAULT
from bot.command import Holdings
from bot.errors import GoldenError
from bot.evaluation.golden import Golden
from bot.evaluation.grade import Grade, answers, grade
from bot.evaluation.scores import Bands, Bin, Calibration, Miss, Scores, Share, ThresholdScore
from bot.model import Answer, NoAnswer, Question
from bot.service import QuestionService
from retrieval import Archive

BINS = 10

Judged = tuple[float, bool]  # a confidence, 0 to 1, and whether the reply was right


def calibration(judged: Sequence[Judged]) -> Calibration:
    bins = tuple(_bin(tuple(group)) for _, group in groupby(sorted(judged), key=lambda each: _tenth(each[0])))
    off = sum(abs(each.confidence * each.right.whole - each.right.part) for each in bins)
    return Calibration(_auc(judged), off / len(judged) if judged else None, bins)


def _tenth(confidence: float) -> int:
    return min(int(confidence * BINS), BINS - 1)


def _bin(judged: Sequence[Judged]) -> Bin:
    total = sum(confidence for confidence, _ in judged)
    return Bin(total / len(judged), Share(sum(right for _, right in judged), len(judged)))


def _auc(judged: Sequence[Judged]) -> float | None:
    """Return the area under the ROC curve: the share of pairs of right and wrong in order, ties counting half."""
    wrong = sorted(confidence for confidence, right in judged if not right)
    right = [confidence for confidence, right in judged if right]
    if not wrong or not right:
        return None
    # below and not above: a tie is counted once, a pair in order twice
    return sum(bisect_left(wrong, each) + bisect_right(wrong, each) for each in right) / (2 * len(right) * len(wrong))


def evaluate(service: QuestionService, golden: Sequence[Golden]) -> Scores:
    """Return the scores of ``service``; ``GoldenError`` where the archive lacks the article of an answer."""
    archive = service.holdings.archive
    _check(golden, archive)
    grades = tuple(grade(each, service.answer(_question(each)), archive) for each in golden)
    return score(grades, curve(judge(service.holdings, golden), len(golden)), service.holdings.thresholds.sure)


def _question(golden: Golden) -> Question:
    return Question(golden.question, golden.previous)


def _check(golden: Iterable[Golden], archive: Archive) -> None:
    articles = (archive.article(listed.id) for listed in archive.listed())
    names = {name for article in articles for name in (article.id, Path(article.path).name)}
    for each in golden:
        if missing := [wanted.article for wanted in each.answers if wanted.article not in names]:
            raise GoldenError(f"{each.id}: its answer is in {missing[0]}, which is not among the articles.")


def score(grades: Sequence[Grade], points: tuple[ThresholdScore, ...] = (), sure: float = DEFAULT.sure) -> Scores:
    answerable = [each for each in grades if each.golden.answers]
    return Scores(
        questions=len(grades),
        answered=_share(answerable, lambda each: isinstance(each.reply, Answer)),
        first=_share(answerable, lambda each: each.place == 0),
        within_three=_share(answerable, _right),
        refused=_share(answerable, _silent),
        bands=_bands(grades),
        calibration=calibration(_confidences(grades)),
        caveats=_share_kept(each.caveat for each in grades),
        borrowed=_share_broken(each.bare for each in grades),
        speakers=_share_kept(each.speaker for each in grades),
        extracts=sum(len(each.extracts) for each in grades),
        misquotes=sum(each.misquotes for each in grades),
        uncited=sum(each.uncited for each in grades),
        misses=tuple(_miss(each) for each in grades if each.faults),
        now=_now(grades, sure),
        curve=points,
    )


def _now(grades: Sequence[Grade], sure: float) -> ThresholdScore:
    answered = [each for each in grades if _sure(each)]
    return ThresholdScore(sure, Share(len(answered), len(grades)), _share(answered, _right))


def _sure(each: Grade) -> bool:
    return isinstance(each.reply, Answer) and each.reply.sure


def _right(each: Grade) -> bool:
    return each.place is not None


def _share(grades: Iterable[Grade], holds: Callable[[Grade], bool]) -> Share:
    results = [holds(each) for each in grades]
    return Share(sum(results), len(results))


def _silent(each: Grade) -> bool:
    return isinstance(each.reply, NoAnswer)


def _bands(grades: Sequence[Grade]) -> Bands:
    return Bands(
        sure=_share((each for each in grades if each.golden.answers), _sure),
        right=_share(filter(_sure, grades), _right),
        wrongly=_share((each for each in grades if not each.golden.answers), _sure),
    )


def _confidences(grades: Iterable[Grade]) -> list[Judged]:
    """Return the confidence of each reply that has one, and whether it is right; no answer is not."""
    ranked = ((each, each.reply) for each in grades)
    return [
        (reply.confidence, _right(each))
        for each, reply in ranked
        if isinstance(reply, Answer | NoAnswer) and reply.confidence is not None
    ]


def _share_kept(verdicts: Iterable[bool | None]) -> Share:
    due = [verdict for verdict in verdicts if verdict is not None]
    return Share(sum(due), len(due))


def _share_broken(verdicts: Iterable[bool | None]) -> Share:
    share = _share_kept(verdicts)
    return Share(share.whole - share.part, share.whole)


def _miss(each: Grade) -> Miss:
    shown = each.extracts[0].text if each.extracts else ""
    return Miss(each.golden.id, each.golden.question, each.faults, shown)


def judge(holdings: Holdings, golden: Iterable[Golden]) -> tuple[Judged, ...]:
    """Return, for each question with candidates, the confidence and whether one of the three extracts is right."""
    judged = (_judged(holdings, each) for each in golden)
    return tuple(verdict for verdict in judged if verdict)


def _judged(holdings: Holdings, golden: Golden) -> Judged | None:
    choice = choose_answer(_question(golden), holdings.search_context)
    found = (verbatim.extract(holdings.archive, *place) for place in _shown(choice))
    right = any(extract and answers(golden, extract.citation, extract.text) for extract in found)
    return (choice.confidence, right) if choice.candidates else None


def _shown(choice: Choice) -> Iterable[tuple[str, int]]:
    """Return the places of the sentences shown, or else of the best candidates."""
    if choice.chosen:
        return [(chosen.article_id, chosen.passage.sentence.index) for chosen in choice.chosen]
    return [candidate.place for candidate in choice.candidates[:SHOWN]]


def curve(judged: Iterable[Judged], questions: int) -> tuple[ThresholdScore, ...]:
    """Return a point for each confidence that occurs, as the threshold of a sure answer; highest first."""
    points: list[ThresholdScore] = []
    shown = right = 0
    for sure, same in groupby(sorted(judged, reverse=True), key=lambda verdict: verdict[0]):
        verdicts = [is_right for _, is_right in same]
        shown, right = shown + len(verdicts), right + sum(verdicts)
        points.append(ThresholdScore(sure, Share(shown, questions), Share(right, shown)))
    return tuple(points)
