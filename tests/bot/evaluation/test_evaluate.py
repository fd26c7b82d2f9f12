"""Scoring, on replies that are right, late, missing, wrong, or stripped of what should travel with them."""

from dataclasses import replace

import pytest

from bot import references
from bot.ask.model import DEFAULT, Band
from bot.errors import GoldenError
from bot.evaluation import evaluate as scoring
from bot.evaluation.evaluate import AnswerFault, Share, ThresholdScore, evaluate, grade, score
from bot.evaluation.golden import Golden, Wanted
from bot.model import Answer, Message, NoAnswer, Notice, Question, Reply
from retrieval.model import CaveatKind
from tests.stock import FERRY, expect, service
from tests.support.tables import cases

SERVICE = service()
ARCHIVE = SERVICE.library.archive
CAVEAT = "The accounts could not be independently verified."
SILENT = NoAnswer((), (), "Nothing found.")

NOBODY = (Wanted("ferry.txt", "Nobody was at the wheel"),)
DOUBT = "could not be independently verified"
WHEEL = Golden("wheel", "who was at the wheel", None, NOBODY, ("Marta Lindqvist",), DOUBT, uncaveated=False)
CHESS = Golden("chess", "who won the chess olympiad", None, (), (), None, uncaveated=False)


REPLY = expect(Answer, SERVICE.answer(Question(WHEEL.question)))
FIRST = REPLY.extracts[0]
REPAIRS = expect(Answer, SERVICE.answer(Question("what will the bridge repairs cost")))


def _reply(**changes: object) -> Answer:
    """Return the right reply, with these changes of its one extract."""
    return replace(REPLY, extracts=(replace(FIRST, **changes),))


def _unnamed() -> Answer:
    start = FERRY.text.index("Nobody was at the wheel")
    span = replace(FIRST.citation.span, start=start, end=start + len("Nobody was at the wheel"))
    citation = replace(FIRST.citation, span=span)
    return _reply(text=span.of(FERRY.text), citation=citation, speaker=None, before=None)


def test_a_right_reply_is_without_fault() -> None:
    graded = grade(WHEEL, _reply(), ARCHIVE)
    assert (graded.place, graded.caveat, graded.bare, graded.speaker) == (0, True, None, True)
    assert (graded.misquotes, graded.uncited, graded.faults) == (0, 0, ())


@pytest.mark.parametrize(
    ("golden", "reply", "faults"),
    [
        (WHEEL, SILENT, (AnswerFault.REFUSED,)),
        (WHEEL, Message("Hello."), (AnswerFault.REFUSED,)),
        (WHEEL, REPAIRS, (AnswerFault.MISSED,)),
        (WHEEL, replace(REPLY, extracts=(REPAIRS.extracts[0], FIRST)), (AnswerFault.LATE,)),
        (WHEEL, _reply(caveats=(), before=None), (AnswerFault.SEVERED,)),
        (replace(WHEEL, caveat=None, uncaveated=True), _reply(), (AnswerFault.BORROWED,)),
        (WHEEL, _unnamed(), (AnswerFault.UNNAMED,)),
        (WHEEL, _reply(text=f"{FIRST.text} Indeed."), (AnswerFault.MISQUOTED,)),
        (
            WHEEL,
            _reply(caveats=tuple(replace(caveat, text=caveat.text.upper()) for caveat in FIRST.caveats)),
            (AnswerFault.SEVERED, AnswerFault.MISQUOTED),
        ),
        (CHESS, SILENT, ()),
        (CHESS, _reply(), (AnswerFault.ANSWERED,)),
        (CHESS, replace(_reply(), band=Band.CLOSEST), ()),
        (CHESS, Message("Hello."), (AnswerFault.ANSWERED,)),
    ],
)
def test_a_fault_is_named(golden: Golden, reply: Reply, faults: tuple[AnswerFault, ...]) -> None:
    assert grade(golden, reply, ARCHIVE).faults == faults


def test_what_travels_with_a_sentence_is_checked_as_the_sentence_is() -> None:
    before = replace(FIRST, text="Nobody woke.", caveats=(replace(FIRST.caveats[0], text="Perhaps."),), before=None)
    assert grade(WHEEL, _reply(before=before), ARCHIVE).misquotes == 2
    notice = Notice("No such words.", CaveatKind.OWN, None, FIRST.citation)
    assert grade(WHEEL, _reply(notices=(notice,)), ARCHIVE).faults == (AnswerFault.MISQUOTED,)


def test_a_citation_of_an_article_that_is_not_held_is_told_from_a_misquote() -> None:
    graded = grade(WHEEL, _reply(citation=replace(FIRST.citation, article_id="gone.txt")), ARCHIVE)
    assert (graded.uncited, graded.misquotes) == (1, 0)
    assert AnswerFault.UNCITED in graded.faults


def test_the_scores_count_what_the_replies_are() -> None:
    replies = [(WHEEL, _reply()), (WHEEL, _reply(caveats=(), before=None)), (WHEEL, SILENT)]
    replies += [(CHESS, SILENT), (CHESS, _reply())]
    scores = score([grade(golden, reply, ARCHIVE) for golden, reply in replies])
    assert ", ".join(f"{name} {share.part} of {share.whole}" for name, share in scores.shares.items()) == (
        "answered 2 of 3, first 2 of 3, within_three 2 of 3, falsely_refused 1 of 3, sure 2 of 3, "
        "right_when_sure 2 of 3, sure_though_unanswerable 1 of 2, caveats_given 1 of 2, caveats_borrowed 0 of 0, "
        "speakers_named 2 of 2"
    )
    assert (scores.questions, scores.extracts, scores.misquotes, scores.uncited) == (5, 3, 0, 0)
    assert scores.now == ThresholdScore(DEFAULT.sure, Share(3, 5), Share(2, 3))
    assert scores.curve == (ThresholdScore(REPLY.confidence or 0, Share(3, 5), Share(2, 3)),)
    faults = (AnswerFault.SEVERED, AnswerFault.REFUSED, AnswerFault.ANSWERED)
    assert [miss.faults for miss in scores.misses] == [(fault,) for fault in faults]
    assert scores.misses[1].shown == ""


def test_the_desk_is_scored_as_it_answers() -> None:
    scores = evaluate(SERVICE, (WHEEL, CHESS))
    assert (scores.shares["first"], scores.shares["caveats_given"], scores.misses) == (Share(1, 1), Share(1, 1), ())
    sure = (scores.shares[name] for name in ("sure", "right_when_sure", "sure_though_unanswerable"))
    assert [*sure] == [Share(1, 1), Share(1, 1), Share(0, 1)]


def test_an_answer_in_an_article_that_is_not_held_is_a_slip() -> None:
    astray = replace(WHEEL, answers=(*WHEEL.answers, Wanted("train.txt", "x")))
    with pytest.raises(GoldenError, match=r"^wheel: its answer is in train\.txt, which is not among the articles\.$"):
        evaluate(SERVICE, (astray,))


def test_the_curve_goes_from_the_surest_to_the_least_sure_and_is_told_in_tenths() -> None:
    assert scoring.curve([(0.2, False), (0.9, True), (0.5, True), (0.5, False)], 5) == (
        ThresholdScore(0.9, Share(1, 5), Share(1, 1)),
        ThresholdScore(0.5, Share(3, 5), Share(2, 3)),
        ThresholdScore(0.2, Share(4, 5), Share(2, 4)),
    )
    assert scoring.curve([], 5) == ()
    points = tuple(ThresholdScore(1 - done / 20, Share(done, 20), Share(done, done)) for done in range(1, 21))
    assert [point.answered.part for point in scoring.tenths(points)] == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    assert list(scoring.tenths(points[:3])) == [points[1], points[2]]


def test_the_best_sentence_is_judged_whether_or_not_it_is_shown() -> None:
    unshown = replace(SILENT, confidence=0.05, more=references.state_of(REPLY))
    unsure = SERVICE.answer(Question("was the captain at a chess olympiad in Sandholm"))
    replies = (REPLY, unshown, SERVICE.answer(Question("zebedee quux")), SILENT, Message("Hello."))
    judged = [grade(WHEEL, reply, ARCHIVE).judged for reply in replies]
    assert judged == [(REPLY.confidence, True), (0.05, True), None, None, None]
    assert grade(CHESS, unshown, ARCHIVE).judged == (0.05, False)
    assert (REPLY.confidence or 0) > (grade(CHESS, unsure, ARCHIVE).judged or (1, True))[0] > 0


@cases("judged, auc")
def test_the_auc_is_the_share_of_pairs_in_order(judged: list[tuple[float, bool]], auc: float | None) -> None:
    assert scoring.calibration(judged).auc == auc
    assert (scoring.calibration(judged).error is None) is (not judged)


def test_the_error_is_weighed_by_what_each_tenth_holds() -> None:
    found = scoring.calibration([(0.21, True), (0.29, False), (1.0, False)])
    assert found.bins == (scoring.Bin(0.25, Share(1, 2)), scoring.Bin(1.0, Share(0, 1)))
    assert found.error == pytest.approx(0.5)
    assert len(scoring.calibration([(1.0, True), (0.95, True)]).bins) == 1
