"""A page of a reply: whole sentences, as many as fit."""

from dataclasses import replace
from datetime import date

from bot import messages, references, sentence_links, verbatim
from bot.ask.choose import MOST, choose_answer
from bot.ask.model import Band, Thresholds
from bot.command import Library
from bot.commands.ask import _has_caveat, _has_new_fact, answer, fill_page
from bot.model import Answer, Extract, NoAnswer, Question
from bot.outline import outline
from bot.service import QuestionService
from retrieval import Scope
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


def test_what_no_article_has_is_said_above_what_may_not_answer() -> None:
    texts = ("The lighthouse burned.", "Trams ran late.", "It rained.", "Bread rose.", "Bells rang.")
    probably, closest = (desk(*texts, sure=1.1, probably=least) for least in (0.0, 1.1))
    for asked, lacking in (("lighthouse burned the zeppelin", "no article has “zeppelin”"), ("lighthouse burned", "")):
        doubt = closest.answer(Question(asked)).message
        assert doubt == f"This may not answer your question{lacking and f': {lacking}'}. Closest match:"
        assert probably.answer(Question(asked)).message == f"Probably{lacking and f', though {lacking}'}:"


def test_a_caveat_on_the_sentence_before_is_one_that_was_told() -> None:
    held = holdings([replace(FERRY, id="mast.txt", text="The mast fell, an unverified video showed. It fell at noon.")])
    choice = choose_answer(Question("was it verified that it fell at noon?"), held)
    for shown in (True, False):
        extract = verbatim.extract(held.archive, "mast.txt", 1, before=shown)
        assert bool(extract.before and extract.before.caveats) is shown
        assert not extract.caveats
        bare = replace(extract, notices=())  # a possible one has been told, too
        assert _has_caveat(replace(choice, chosen=()), (bare,)) is shown


def test_a_question_without_a_word_to_look_for_is_told_so() -> None:
    reply = expect(NoAnswer, service().answer(Question("what?")))
    assert reply.message.startswith(f"{messages.NOTHING_ANSWERS} {messages.NO_WORD}")


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


def test_a_brief_answer_has_both_sides_of_what_one_caveat_is_about() -> None:
    toll = (
        "The union of the bakers said that 210 bakers had stopped work at Oxley. "
        "The mill's owner, Varde, said that 64 bakers had stopped work at Oxley. "
        "Neither figure could be independently verified."
    )
    _, brief = _both("how many bakers stopped work at oxley", toll)
    assert {extract.speaker for extract in brief.extracts[:2]} == {"The union of the bakers", "Varde"}


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


def test_a_name_that_articles_have_is_said_to_be_in_them_where_no_sentence_answers() -> None:
    texts = {"a": "The ferry from Sandholm sank.", "b": "It rained in Sandholm.", "c": "Nobody came."}
    held = holdings(replace(FERRY, id=name, title=f"Report {name}", text=text) for name, text in texts.items())
    asking = QuestionService(replace(held, thresholds=Thresholds(1.0, 1.0)))
    reply = expect(NoAnswer, asking.answer(Question("who wept in sandholm")))
    assert reply.message == "No sentence answers this. 2 articles mention “Sandholm”:"
    assert {citation.article_id for citation in reply.articles} == {"a", "b"}
    (section,) = outline(reply).sections
    assert all("Report" in line for line in section.lines)
    later = QuestionService(replace(held, thresholds=Thresholds(1.0, 1.0)).within(Scope(since=date(2040, 1, 1))))
    reply = expect(NoAnswer, later.answer(Question("who wept in sandholm")))
    assert reply.message.endswith("Searched 0 articles since 1 January 2040.")


def test_a_title_counts_as_text_that_was_looked_at() -> None:
    held = holdings([replace(FERRY, title="Zeppelin lands", text="The lighthouse burned.")])
    asking = QuestionService(replace(held, thresholds=Thresholds(1.0, 0.0)))
    assert expect(Answer, asking.answer(Question("lighthouse zeppelin"))).not_found == ()


def test_a_brief_answer_does_not_cut_a_quotation() -> None:
    said = "Keeper Ann Lee said: “The lighthouse burned on Monday. Nobody was told.”"
    _, brief = _both("lighthouse burned monday", said, "It rained.")
    assert [extract.index for extract in brief.extracts] == [0, 1]


def test_the_second_of_two_questions_is_named_where_it_is_not_answered() -> None:
    asking = desk("The ferry Odette sank off Varde on Monday.", "Ivo Kern keeps the lighthouse.")

    def message(text: str) -> str:
        return getattr(asking.answer(Question(text, brief=True)), "message", None) or ""

    assert message("which ferry sank off varde and who is ivo kern?") == messages.left_unanswered("“who is ivo kern”")
    others = ("which ferry sank off varde?", "which ferry sank off varde and when", "ferry odette and who is odette")
    assert [message(asked) for asked in others] == ["", "", ""]
