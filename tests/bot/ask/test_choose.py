"""What of the candidates is proposed and shown, in which order, and how much of it: with real readings."""

from dataclasses import replace

import pytest

from bot import sentence_links
from bot.ask.choose import MOST, analyse, choose_answer, needs_before, propose
from bot.ask.model import Band, Choice, Thresholds
from bot.command import Library
from bot.model import Question
from retrieval.archive.interface import Archive
from retrieval.model import Article, version_key
from retrieval.pipeline import read_one
from retrieval.search import Meaning
from tests.encoders import Fixed
from tests.stock import archive_of, holdings
from tests.support.tables import articles, cases

SURE, UNSURE = Thresholds(0.0, 0.0), Thresholds(1.1, 0.0, 1.1)


def choose(archive: Archive, question: str, meaning: Meaning | None = None, thresholds: Thresholds = SURE) -> Choice:
    return choose_answer(Question(question), Library(archive, meaning, thresholds=thresholds))


def quoted(choice: Choice, archive: Archive) -> list[str]:
    return [" ".join(c.passage.sentence.span.of(archive.article(c.article_id).text).split()) for c in choice.chosen]


def texts(archive: Archive, question: str) -> list[str]:
    return quoted(choose(archive, question), archive)


@cases("texts_of_articles, question, shown")
def test_what_says_the_same_is_shown_once_and_a_quotation_to_its_end_unless_it_is_long(
    texts_of_articles: tuple[str, ...], question: str, shown: tuple[str, ...]
) -> None:
    assert texts(archive_of(*texts_of_articles), question) == [*shown]


def test_the_sentence_before_is_shown_once() -> None:
    archive = archive_of("The lighthouse at Oxley burned on Monday. It burned until the keeper of the lighthouse came.")
    first, second = choose(archive, "lighthouse oxley burned monday").chosen
    assert (first.passage.sentence.index, second.passage.sentence.index) == (0, 1)
    assert second.before is None
    (alone,) = choose(archive, "until the keeper came").chosen
    assert alone.passage.sentence.index == 1
    assert alone.before == first.passage


def test_the_end_of_a_quotation_comes_with_its_beginning() -> None:
    archive = archive_of("Keeper Ann Lee said: “Nobody at Oxley was told. The lighthouse at Varde burned on Monday.”")
    (chosen,) = choose(archive, "lighthouse varde burned monday").chosen
    assert (chosen.passage.sentence.index, chosen.before and chosen.before.sentence.index) == (1, 0)


def test_what_leans_on_a_sentence_that_is_shown_comes_right_after_it() -> None:
    archive = archive_of(
        "The lighthouse at Oxley burned on Monday. It burned until the keeper came.",
        "The lighthouse burned to the ground on Monday.",
    )
    found = [(c.article_id, c.passage.sentence.index, c.before) for c in choose(archive, "lighthouse burned").chosen]
    assert found == [("a", 0, None), ("a", 1, None), ("b", 0, None)]


def test_one_for_which_no_room_is_left_gives_way_to_a_shorter_one() -> None:
    falls = [[f", and {word}{n} fell" for n in range(40)] for word in ("roof", "wall")]
    sentences = [f"The lighthouse burned{''.join(fall)}." for fall in falls]
    archive = archive_of(*sentences, "At dusk the lighthouse keeper saw that it burned.")
    shown = texts(archive, "lighthouse burned")
    assert sum(map(len, sentences)) > MOST > len(sentences[0])
    assert sum(map(len, shown)) <= MOST
    assert len(shown) == 2
    assert "At dusk the lighthouse keeper saw that it burned." in shown


FOUR = "The lighthouse burned. The lighthouse keeper fled. The lighthouse is tall. The lighthouse shone."


def test_below_a_sure_answer_stands_only_what_may_answer_too() -> None:
    archive, reader = archive_of(FOUR), Fixed("burned", odds=4.0)
    assert len(choose(archive, "lighthouse").chosen) == len(choose(archive, "lighthouse", reader, UNSURE).chosen) == 3
    sure = choose(archive, "lighthouse", reader)
    assert [chosen.passage.sentence.index for chosen in sure.chosen] == [0]
    assert len(sure.candidates) == 4


@pytest.mark.parametrize(("odds", "shown"), [(-2.0, 3), (1.4, 3), (1.6, 1), (2.0, 1)])
def test_the_likelier_the_best_the_less_stands_below_it(odds: float, shown: int) -> None:
    assert len(choose(archive_of(FOUR), "lighthouse burned", Fixed("burned", odds=odds)).chosen) == shown


def test_nothing_is_sure_where_most_of_what_is_asked_stands_nowhere() -> None:
    archive = archive_of("The lighthouse burned. The lighthouse keeper ran.")
    assert choose(archive, "lighthouse burned").band is Band.ANSWER
    assert choose(archive, "lighthouse keeper zeppelin").band is Band.CLOSEST
    assert choose(archive, "lighthouse zeppelin montgolfier").band is Band.NONE


def test_one_that_is_too_long_for_any_reply_takes_no_place() -> None:
    endless = f"The lighthouse burned{''.join(f', and room {n} fell' for n in range(100))}."
    archive = archive_of(endless, *(f"The lighthouse at {place} burned." for place in ("Oxley", "Sandholm", "Varde")))
    shown = texts(archive, "which room of the lighthouse fell")
    assert endless in shown
    assert len(shown) == 4


def test_the_caveat_on_the_best_sentence_goes_first_where_verification_is_asked_for() -> None:
    archive = archive_of(
        "“The lighthouse was set on fire,” said Ada Roe, a keeper. Her account could not be independently verified. "
        "Trams ran late."
    )
    assert texts(archive, "is it verified that the lighthouse was set on fire")[0].startswith("Her account")
    assert "set on fire" in texts(archive, "who set the lighthouse on fire")[0]


def test_the_best_of_each_article_goes_first_where_articles_are_compared() -> None:
    archive = archive_of(
        "Nine keepers fled the lighthouse. Two keepers of the lighthouse who fled in boats were hurt.",
        "Reports from the coast say that eleven keepers fled.",
    )
    compared = choose(archive, "do the stories differ on how many keepers fled the lighthouse")
    assert {chosen.article_id for chosen in compared.chosen[:2]} == {"a", "b"}
    assert len(compared.chosen) == 3
    plain = choose(archive, "how many keepers fled the lighthouse")
    assert [chosen.article_id for chosen in plain.chosen[:2]] == ["a", "a"]


def test_nothing_looked_for_is_nothing_chosen() -> None:
    choice = choose(archive_of("The lighthouse burned."), "zeppelin")
    assert (choice.chosen, choice.confidence, choice.parts) == ((), 0.0, ())
    assert (choice.looked_for, choice.not_found) == (("zeppelin",), ("zeppelin",))


@cases("other, shown")
def test_what_has_three_words_of_four_in_common_says_the_same(other: str, shown: int) -> None:
    assert len(texts(archive_of("The lighthouse of Oxley burned at dawn.", other), "lighthouse burned")) == shown


@pytest.mark.parametrize(("letters", "cut"), [(1200, False), (1201, True)])
def test_a_sentence_of_twelve_hundred_characters_still_fits(letters: int, cut: bool) -> None:  # noqa: FBT001
    opening, end = "The lighthouse burned, and ", "h fell."
    long = opening + "a" * (letters - len(opening) - len(end)) + end
    archive = archive_of(long, "Trams ran to the lighthouse.")
    assert len(long) == letters
    assert (len(texts(archive, "lighthouse burned")) == 2) is cut


@pytest.mark.parametrize("length", [600, 601])
def test_together_they_fill_the_room_to_its_last_character(length: int) -> None:
    one, other = (f"The lighthouse burned, {letter * (length - 30)} fell." for letter in "ab")
    one, other = (text.replace(" fell.", "x" * (length - len(text)) + " fell.") for text in (one, other))
    assert {len(one), len(other)} == {length}
    assert len(texts(archive_of(one, other), "lighthouse burned")) == (2 if length == 600 else 1)


def test_what_adds_no_word_of_its_own_is_never_surely_answered() -> None:
    asking = Library(archive_of("The lighthouse at Oxley burned. The keeper wept at the lighthouse."), thresholds=SURE)
    bands = [
        choose_answer(Question(text, "did the lighthouse burn?"), asking).band
        for text in ("and where?", "how many of them?", "and the keeper?")
    ]
    assert bands == [Band.PROBABLY, Band.CLOSEST, Band.ANSWER]


def test_what_is_asked_about_and_stands_nowhere_is_never_surely_answered() -> None:
    others = (f"Ferry number {number} sailed." for number in range(20))
    archive = archive_of("The keeper of the lighthouse at Oxley spoke of the fire on Monday.", *others)
    asked = ("what did the oxley lighthouse keeper tell {}", "what did the oxley lighthouse keeper say about {}")
    bands = [[choose(archive, each.format(word)).band for word in ("China", "tulips")] for each in asked]
    assert bands == [[Band.CLOSEST, Band.ANSWER], [Band.CLOSEST, Band.CLOSEST]]
    assert choose(archive, asked[1].format("the fire")).band is Band.ANSWER


FIGURES = "Norway has expelled nine of the 200 diplomats of the union. Denmark recalled its ambassador."


def test_the_confidence_of_a_full_question_is_its_own() -> None:
    asking = Library(archive_of(FIGURES), Fixed("recalled", odds=6.0), thresholds=SURE)
    question = Question("who recalled the ambassador of denmark")
    alone = choose_answer(question, asking)
    after = choose_answer(Question(question.text, "how many diplomats have been expelled"), asking)
    assert alone.band is Band.ANSWER
    assert (after.confidence, after.chosen) == (alone.confidence, alone.chosen)


def test_what_was_shown_last_is_where_a_follow_up_looks() -> None:
    archive = archive_of(FIGURES, "The lighthouse burned. Two keepers fled.")
    reading = archive.reading("b")
    shown = sentence_links.encode([sentence_links.Pointer(version_key("b", reading.article.digest), 0)])
    asking = Library(archive, thresholds=UNSURE)
    choice = choose_answer(Question("and how many fled?", "how many diplomats have been expelled", shown=shown), asking)
    assert choice.chosen[0].article_id == "b"


@pytest.mark.parametrize("text", ["keeper", "keeper zeppelin", "did you see the keeper"])
def test_what_is_less_likely_than_the_threshold_is_not_shown(text: str) -> None:
    archive = archive_of("The keeper fled.", "It rained.")
    confidence = choose_answer(Question(text), Library(archive)).confidence
    for shown, band in ((confidence, Band.CLOSEST), (confidence + 0.001, Band.NONE)):
        assert choose_answer(Question(text), Library(archive, thresholds=Thresholds(1.1, shown, 1.1))).band is band


def test_a_full_question_of_words_that_no_article_has_is_answered_by_nothing() -> None:
    asking = Library(archive_of("The lighthouse burned. Two keepers fled."), thresholds=Thresholds(1.1, 0.1, 1.1))
    before = "did the lighthouse burn"
    assert choose_answer(Question("who won the chess final", before), asking).band is Band.NONE
    assert choose_answer(Question("and who wept?", before), asking).band is Band.CLOSEST


def leans(before: str, sentence: str) -> bool:
    text = f"{before} {sentence}"
    first, passage = read_one(Article("a", text)).passages
    return needs_before(passage.sentence.span.of(text), passage, first)


@cases("sentence, leaning")
def test_every_opening_that_leans_is_known(sentence: str, *, leaning: bool) -> None:
    assert leans("Ships struck a rock off Lisbon.", sentence) is leaning


@cases("before, sentence, leaning")
def test_a_name_or_a_known_speaker_makes_up_for_a_pronoun(before: str, sentence: str, *, leaning: bool) -> None:
    assert leans(before, sentence) is leaning


ASKING = holdings(articles(__file__).values())
ARCHIVE = ASKING.archive


def ask(question: str, previous: str | None = None) -> list[str]:
    return quoted(choose_answer(Question(question, previous), ASKING), ARCHIVE)


@cases("question, answer")
def test_the_sentence_that_answers_comes_first(question: str, answer: str) -> None:
    assert answer in ask(question)[0]


@pytest.mark.parametrize(
    ("question", "answer"), [("pm on the old ferries", "scrapped"), ("who wrote the sandholm story", "Ana Vell")]
)
def test_the_sentence_that_answers_is_among_the_three(question: str, answer: str) -> None:
    first = choose_answer(Question(question), ASKING).candidates[:3]
    assert any(answer in c.hit.passage.sentence.span.of(ARCHIVE.article(c.hit.article_id).text) for c in first)


OFF_TOPIC = ("who won the cup final", "weather in patagonia tomorrow", "recipe for fish soup", "", "???", "the")
NEAR_MISSES = (
    "what did macdougal say about the crown jewels",
    "who is norfars solicitor",
    "which bank lent the company the money",
)


@pytest.mark.parametrize("question", [*OFF_TOPIC, *NEAR_MISSES])
def test_what_the_articles_do_not_know_is_not_surely_answered(question: str) -> None:
    choice = choose_answer(Question(question), ASKING)
    assert choice.band is not Band.ANSWER
    assert question in NEAR_MISSES or (choice.band, choice.chosen) == (Band.NONE, ())


def test_what_was_looked_for_and_not_found_is_said_in_the_askers_words() -> None:
    choice = choose_answer(Question("quote from macdougal about the ferry pls"), ASKING)
    assert "macdougal" in choice.looked_for
    assert choice.not_found == ("macdougal",)


@cases("previous, question, answer")
def test_a_follow_up_leans_on_the_question_before(previous: str, question: str, answer: str) -> None:
    assert any(answer in text for text in ask(question, previous))


@pytest.mark.parametrize("question", ["when was the company founded", "how many bodies did rescuers find"])
def test_a_question_that_stands_alone_is_not_bent(question: str) -> None:
    assert ask(question, "who is marta lindqvist")[0] == ask(question)[0]


@pytest.mark.parametrize(
    "question", ["ferry " * 300, "1 , " * 400, "“" * 2000, "ferry\x00 \u202egnissim", "how many " * 200]
)
def test_a_hostile_question_has_an_ordinary_answer(question: str) -> None:
    assert len(choose_answer(Question(question), ASKING).analysis.words) <= 40


@pytest.mark.parametrize("name", ["pavel dorn", "dorn", "brandt"])
def test_a_follow_up_that_names_somebody_else_is_answered_with_them(name: str) -> None:
    before = "what did marta lindqvist say of the wheel"
    assert "Marta Lindqvist" in ask(before)[0]
    assert name.rsplit(maxsplit=1)[-1] in ask(f"and {name}?", before)[0].lower()
    assert name.rsplit(maxsplit=1)[-1] in ask(f"what about {name}", before)[0].lower()


def after(question: str, near: tuple[str, int]) -> list[tuple[str, int]]:
    analysis = replace(analyse(Question(question), ASKING), near=(near,))
    return [(hit.article_id, hit.passage.sentence.index) for hit in propose(analysis, ARCHIVE)]


def test_the_sentences_around_an_answer_are_proposed_whatever_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert after("zeppelin", ("quill.txt", 1)) == [("quill.txt", index) for index in range(4)]
    assert after("zeppelin bodies", ("quill.txt", 0)).count(("quill.txt", 1)) == 1
    monkeypatch.setattr("bot.ask.choose.AROUND", 1)
    assert after("zeppelin", ("quill.txt", 1)) == [("quill.txt", index) for index in range(3)]


def test_a_credit_after_an_answer_is_proposed_where_it_is_asked_for() -> None:
    last = len(ARCHIVE.reading("ferry.txt").passages) - 1
    assert ARCHIVE.reading("ferry.txt").passages[last].sentence.boilerplate is not None
    assert ("ferry.txt", last) not in after("zeppelin", ("ferry.txt", last - 1))
    assert ("ferry.txt", last) in after("who wrote the zeppelin story", ("ferry.txt", last - 1))


def test_the_archive_proposes_thirty() -> None:
    archive = archive_of(" ".join(f"The ferry sank on day {n}." for n in range(60)))
    assert len(propose(analyse(Question("ferry"), Library(archive)), archive)) == 30


@pytest.mark.parametrize("threshold", [0.0, 1.1])
def test_what_was_too_unsure_to_be_shown_still_says_where_to_look(threshold: float) -> None:
    asking = Library(ARCHIVE, thresholds=Thresholds(threshold, threshold))
    before = "did the echo stand up what lindqvist said about the wheel"
    choice = choose_answer(Question(before), asking)
    ranked = tuple(candidate.place for candidate in choice.candidates[:3])
    shown = tuple((chosen.article_id, chosen.passage.sentence.index) for chosen in choice.chosen)
    assert (shown == ()) is bool(threshold)
    assert shown != ranked
    assert analyse(Question("and when?", previous=before), asking).near == (shown or ranked)
