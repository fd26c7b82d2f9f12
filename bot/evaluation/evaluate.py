"""Golden questions -> scores: each is asked once, and what is right about its reply is graded, and its faults."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path

from bot import sentence_links, verbatim
from bot.ask.model import DEFAULT
from bot.errors import GoldenError
from bot.evaluation.golden import Golden, squash
from bot.model import Answer, Citation, Extract, NoAnswer, Question, Reply
from bot.outline import notices, quoted_parts
from bot.service import QuestionService
from retrieval import Archive

BINS = 10

Judged = tuple[float, bool]  # a confidence, 0 to 1, and whether a right sentence was shown or proposed


class AnswerFault(StrEnum):
    REFUSED = "refused"  # the articles answer it, and nothing is shown
    MISSED = "missed"  # no right sentence is shown
    LATE = "late"  # the right sentence is not the first
    ANSWERED = "answered"  # the articles do not answer it, and a sure answer is shown
    SEVERED = "severed"  # the right sentence is shown without its caveat
    BORROWED = "borrowed"  # the right sentence has no caveat, and one is shown
    UNNAMED = "unnamed"  # the speaker of the right sentence is not shown
    MISQUOTED = "misquoted"  # the article has other words at the cited place
    UNCITED = "uncited"  # the article cited is not in the archive


@dataclass(frozen=True, slots=True)
class Share:
    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class Bin:
    """The replies whose confidence is in one tenth; ``confidence`` is their mean, 0 to 1."""

    confidence: float
    right: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """``auc`` is the area under the ROC curve, ``error`` the expected calibration error over ten bins; both 0 to 1.

    They are None where there is nothing to compare. ``bins`` are those with replies, the least sure first.
    """

    auc: float | None
    error: float | None
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class ThresholdScore:
    """With this threshold for sure answers: the share of questions answered, and of answers with a right sentence."""

    threshold: float
    answered: Share
    right: Share


def tenths(points: Sequence[ThresholdScore]) -> Iterator[ThresholdScore]:
    """Yield the first point of each tenth of the questions answered, and the last point."""
    reached = 0
    for point in points:
        tenth = 10 * point.answered.part // point.answered.whole
        if tenth > reached or point is points[-1]:
            yield point
        reached = tenth


@dataclass(frozen=True, slots=True)
class Grade:
    """``place`` is the index of the first right sentence among the extracts, or None.

    ``caveat``, ``bare`` and ``speaker`` are whether the required caveat is shown, no caveat is shown where there is
    none, and the required speaker is named; None where nothing is required, or no right sentence is shown.
    ``judged`` has whether a right sentence is among the extracts, or among the closest matches of a reply that shows
    none; None without a candidate.
    """

    golden: Golden
    reply: Reply
    place: int | None
    caveat: bool | None
    bare: bool | None
    speaker: bool | None
    misquotes: int
    uncited: int
    judged: Judged | None

    @property
    def extracts(self) -> tuple[Extract, ...]:
        return self.reply.extracts if isinstance(self.reply, Answer) else ()

    @property
    def shown(self) -> str:
        return self.extracts[0].text if self.extracts else ""

    @property
    def is_right(self) -> bool:
        return self.place is not None

    @property
    def is_sure(self) -> bool:
        return isinstance(self.reply, Answer) and self.reply.sure

    @property
    def faults(self) -> tuple[AnswerFault, ...]:
        is_answerable, is_shown = bool(self.golden.answers), bool(self.extracts)
        is_asserted = self.is_sure or not isinstance(self.reply, Answer | NoAnswer)
        found = {
            AnswerFault.ANSWERED: not is_answerable and is_asserted,
            AnswerFault.REFUSED: is_answerable and not is_shown,
            AnswerFault.MISSED: is_answerable and is_shown and not self.is_right,
            AnswerFault.LATE: is_answerable and bool(self.place),
            AnswerFault.SEVERED: self.caveat is False,
            AnswerFault.BORROWED: self.bare is False,
            AnswerFault.UNNAMED: self.speaker is False,
            AnswerFault.MISQUOTED: self.misquotes > 0,
            AnswerFault.UNCITED: self.uncited > 0,
        }
        return tuple(fault for fault, is_so in found.items() if is_so)


# Whether something is so of a reply; None of one that the measure is not about. The last three are about replies whose
# right sentence is shown, and for which the file requires something.
MEASURES: Mapping[str, Callable[[Grade], bool | None]] = {
    "answered": lambda grade: isinstance(grade.reply, Answer) if grade.golden.answers else None,
    "first": lambda grade: grade.place == 0 if grade.golden.answers else None,
    "within_three": lambda grade: grade.is_right if grade.golden.answers else None,
    "falsely_refused": lambda grade: isinstance(grade.reply, NoAnswer) if grade.golden.answers else None,
    "sure": lambda grade: grade.is_sure if grade.golden.answers else None,
    "right_when_sure": lambda grade: grade.is_right if grade.is_sure else None,
    "sure_though_unanswerable": lambda grade: None if grade.golden.answers else grade.is_sure,
    "caveats_given": lambda grade: grade.caveat,
    "caveats_borrowed": lambda grade: None if grade.bare is None else not grade.bare,
    "speakers_named": lambda grade: grade.speaker,
}


@dataclass(frozen=True, slots=True)
class Scores:
    """``shares`` are those of ``MEASURES``.

    ``extracts`` counts the sentences shown, ``misquotes`` and ``uncited`` everything quoted; ``misses`` have faults.
    ``curve`` goes from the surest answer to the least sure; ``now`` is the point of the present threshold.
    """

    questions: int
    shares: Mapping[str, Share]
    calibration: Calibration
    extracts: int
    misquotes: int
    uncited: int
    misses: tuple[Grade, ...]
    now: ThresholdScore
    curve: tuple[ThresholdScore, ...]


def grade(golden: Golden, reply: Reply, archive: Archive) -> Grade:
    extracts = reply.extracts if isinstance(reply, Answer) else ()
    right = _right(golden, extracts)
    parts = [part for extract in right for part in (extract, extract.before) if part]
    shown = [f"{part.speaker or ''} {squash(part.text)}" for part in parts]
    quoted = tuple(_quoted(reply))
    checked = tuple(_is_verbatim(archive, text, citation) for text, citation in quoted)
    return Grade(
        golden=golden,
        reply=reply,
        place=extracts.index(right[0]) if right else None,
        # as a caveat, a notice or an extract
        caveat=any(golden.caveat in squash(text) for text, _ in quoted) if right and golden.caveat else None,
        bare=not any(extract.caveats for extract in right) if right and golden.uncaveated else None,
        speaker=any(name in words for name in golden.speaker for words in shown) if right and golden.speaker else None,
        misquotes=checked.count(False),
        uncited=checked.count(None),
        judged=_judged(golden, reply, archive, is_right=bool(right)),
    )


def _judged(golden: Golden, reply: Reply, archive: Archive, *, is_right: bool) -> Judged | None:
    if not isinstance(reply, Answer | NoAnswer) or reply.confidence is None or not (reply.confidence or reply.more):
        return None
    closest = sentence_links.decode(reply.more) if isinstance(reply, NoAnswer) and reply.more else ()
    return reply.confidence, is_right or bool(_right(golden, verbatim.named_by(archive, closest)))


def _right(golden: Golden, extracts: Iterable[Extract]) -> list[Extract]:
    named = ((each, {Path(each.citation.path).name, each.citation.article_id}) for each in extracts)
    return [each for each, names in named if any(golden.is_answered_by(name, each.text) for name in names)]


def _is_verbatim(archive: Archive, text: str, citation: Citation) -> bool | None:
    try:
        article = archive.article(citation.article_id)
    except KeyError:
        return None
    return article.digest == citation.digest and " ".join(citation.span.of(article.text).split()) == text


def _quoted(reply: Reply) -> Iterator[tuple[str, Citation]]:
    if isinstance(reply, Answer):
        parts = [part for extract in reply.extracts for part in quoted_parts(extract)]
        yield from ((part.text, part.citation) for part in parts)
        caveats = (caveat for part in parts for caveat in part.caveats)
        yield from ((caveat.text, caveat.citation) for caveat in (*caveats, *notices(reply.extracts)))


def calibration(judged: Sequence[Judged]) -> Calibration:
    groups = [[*group] for _, group in groupby(sorted(judged), key=lambda each: min(int(each[0] * BINS), BINS - 1))]
    bins = tuple(
        Bin(sum(confidence for confidence, _ in each) / len(each), Share(sum(right for _, right in each), len(each)))
        for each in groups
    )
    off = sum(abs(each.confidence * each.right.whole - each.right.part) for each in bins)
    return Calibration(_auc(judged), off / len(judged) if judged else None, bins)


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
    archive = service.library.archive
    articles = (archive.article(listed.id) for listed in archive.listed())
    names = {name for article in articles for name in (article.id, Path(article.path).name)}
    for each in golden:
        if missing := [wanted.article for wanted in each.answers if wanted.article not in names]:
            raise GoldenError(f"{each.id}: its answer is in {missing[0]}, which is not among the articles.")
    grades = tuple(grade(each, service.answer(Question(each.question, each.previous)), archive) for each in golden)
    return score(grades, service.library.thresholds.sure)


def score(grades: Sequence[Grade], sure: float = DEFAULT.sure) -> Scores:
    shares = {name: _share_of(map(measure, grades)) for name, measure in MEASURES.items()}
    confidences = [
        (each.reply.confidence, each.is_right)
        for each in grades
        if isinstance(each.reply, Answer | NoAnswer) and each.reply.confidence is not None
    ]
    return Scores(
        questions=len(grades),
        shares=shares,
        calibration=calibration(confidences),
        extracts=sum(len(each.extracts) for each in grades),
        misquotes=sum(each.misquotes for each in grades),
        uncited=sum(each.uncited for each in grades),
        misses=tuple(each for each in grades if each.faults),
        now=ThresholdScore(sure, Share(shares["right_when_sure"].whole, len(grades)), shares["right_when_sure"]),
        curve=curve((each.judged for each in grades if each.judged), len(grades)),
    )


def _share_of(verdicts: Iterable[bool | None]) -> Share:
    """Return how many are true of those that are not None."""
    due = [verdict for verdict in verdicts if verdict is not None]
    return Share(sum(due), len(due))


def curve(judged: Iterable[Judged], questions: int) -> tuple[ThresholdScore, ...]:
    """Return a point for each confidence that occurs, as the threshold of a sure answer; highest first."""
    points: list[ThresholdScore] = []
    shown = right = 0
    for sure, same in groupby(sorted(judged, reverse=True), key=lambda verdict: verdict[0]):
        verdicts = [is_right for _, is_right in same]
        shown, right = shown + len(verdicts), right + sum(verdicts)
        points.append(ThresholdScore(sure, Share(shown, questions), Share(right, shown)))
    return tuple(points)
