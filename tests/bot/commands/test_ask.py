"""A page of a reply: whole sentences, as many as fit."""

from dataclasses import replace

from bot import messages, references, sentence_links, verbatim
from bot.ask.choose import MOST, choose_answer
from bot.ask.model import Band, Thresholds
from bot.command import Library
from bot.commands.ask import _has_caveat, _has_new_fact, answer, fill_page
from bot.model import Answer, Extract, NoAnswer, Question
from bot.service import QuestionService
from tests.stock import FERRY, archive_of, expect, holdings, service

LONG = "The harbour committee of Sandholm listed " + ", ".join(f"berth {number}" for number in range(200)) + "."
ASKED = Question("harbour committee of sandholm berths")


def test_a_sentence_too_long_to_show_is_left_out_and_said_so() -> None:
    text = LONG + " The harbour committee meets in Sandholm."
    reply = expect(Answer, service([replace(FERRY, id="long.txt", text=text)]).answer(ASKED))
    assert [extract.text for extract in reply.extracts] == ["The harbour committee meets in Sandholm."]
    assert reply.message == messages.SENTENCE_TOO_LONG
    alone = expect(NoAnswer, service([replace(FERRY, id="long.txt", text=LONG)]).answer(ASKED))
    assert alone.message == messages.ONLY_SENTENCE_TOO_LONG


def _extract(length: int) -> Extract:
    held = holdings([replace(FERRY, id="long.txt", text="The ferry sank " + "x" * (length - 16) + ".")])
    extract = verbatim.extract(held.archive, "long.txt", 0)
    assert len(extract.text) == length
    return extract


def test_a_page_is_full_to_the_last_character() -> None:
    longest, rest = _extract(MOST), _extract(MOST - 400)
    assert fill_page([longest]) == ((longest,), 1)
    assert fill_page([_extract(MOST + 1)]) == ((), 1)
    assert fill_page([rest, _extract(400)])[1] == 2
    assert fill_page([rest, _extract(401)])[1] == 1


BURNED = tuple(f"The lighthouse at {place} burned." for place in ("Oxley", "Sandholm", "Varde", "Lisbon", "Grebe"))


def desk(*texts: str, sure: float = 0.0, shown: float = 0.0, probably: float = 1.1) -> QuestionService:
    """Return what answers from articles of these texts, with these thresholds."""
    return QuestionService(Library(archive_of(*texts), thresholds=Thresholds(sure, shown, probably)))


def test_more_brings_what_was_not_shown_as_surely_and_nothing_twice() -> None:
    for sure_from, sure in ((0.0, True), (1.0, False)):
        asking = desk(*BURNED, sure=sure_from)
        reply = expect(Answer, asking.answer(Question("lighthouse burned")))
        rest = expect(Answer, asking.command("more", reply.more, Question("")))
        shown = [extract.citation.article_id for page in (reply, rest) for extract in page.extracts]
        assert sorted(shown) == list("abcde")
        assert (reply.sure, rest.sure, rest.message == messages.doubt(Band.CLOSEST)) == (sure, sure, not sure)


def test_a_caveat_on_the_sentence_before_is_one_that_was_told() -> None:
    held = holdings([replace(FERRY, id="mast.txt", text="The mast fell, an unverified video showed. It fell at noon.")])
    choice = choose_answer(Question("was it verified that it fell at noon?"), held)
    for shown in (True, False):
        extract = verbatim.extract(held.archive, "mast.txt", 1, before=shown)
        assert bool(extract.before and extract.before.caveats) is shown
        assert not extract.caveats
        bare = replace(extract, notices=())  # a possible one has been told, too
        assert _has_caveat(replace(choice, chosen=()), (bare,)) is shown


def test_a_confidence_has_four_decimals() -> None:
    asked = ("who was at the wheel", "when will the bridge close", "who won the cup at the wheel", "ferry price")
    told = [answer(holdings(), Question(question)).confidence for question in asked]
    assert all(each == round(each, 4) for each in told)
    assert any(each != round(each, 3) for each in told)


def _both(question: str, *texts: str) -> tuple[Answer, Answer]:
    asking = desk(*texts)
    whole, brief = (expect(Answer, asking.answer(Question(question, brief=brief))) for brief in (False, True))
    return whole, brief


def test_a_brief_answer_is_one_sentence_and_more_brings_the_others_first() -> None:
    whole, brief = _both("lighthouse burned", *BURNED)
    assert (len(whole.extracts), brief.extracts) == (3, whole.extracts[:1])
    later = [*map(sentence_links.address, whole.extracts[1:])]
    assert list(sentence_links.decode(brief.more)) == [*later, *sentence_links.decode(whole.more)]
    assert (brief.confidence, brief.message) == (whole.confidence, whole.message)


def test_a_brief_answer_keeps_what_is_asked_to_be_held_together() -> None:
    tolls = ("The Echo says the fire at Oxley killed 12 people.", "The Quill says the fire at Oxley killed 15 people.")
    for question in ("do the articles differ on how many the fire at Oxley killed", "is the Oxley toll verified"):
        whole, brief = _both(question, *tolls)
        assert brief == whole
        assert len(brief.extracts) == 2


def test_a_brief_answer_that_is_not_sure_is_one_sentence_and_the_other_two_are_counted() -> None:
    unsure, question = desk(*BURNED, sure=1.0), Question("lighthouse burned")
    whole, brief = (expect(Answer, unsure.answer(replace(question, brief=brief))) for brief in (False, True))
    assert (len(whole.extracts), brief.extracts) == (3, whole.extracts[:1])
    assert brief.message == messages.doubt(Band.CLOSEST, brief.not_found, one=True)
    assert references.more_label(brief) == "2 more"
    rest = expect(Answer, unsure.command("more", brief.more, question))
    assert (rest.extracts, rest.sure) == (whole.extracts[1:], False)


def test_a_second_sentence_is_in_a_brief_answer_only_where_it_adds_a_fact() -> None:
    texts = ("The lighthouse burned.", "It burned down, the lighthouse.", "The lighthouse burned 12 boats and a mill.")
    archive = archive_of(*texts)
    best, plain, figure = (verbatim.extract(archive, name, 0) for name in "abc")
    assert not _has_new_fact(best, plain)
    assert _has_new_fact(best, figure)


def test_where_nothing_answers_the_closest_matches_come_only_when_asked_for() -> None:
    asking = desk(*BURNED, sure=1.0, shown=1.0)
    reply = expect(NoAnswer, asking.answer(Question("lighthouse burned")))
    assert reply.message.startswith(messages.NOTHING_ANSWERS)
    closest = expect(Answer, asking.command("more", reply.more, Question("")))
    assert not closest.sure
