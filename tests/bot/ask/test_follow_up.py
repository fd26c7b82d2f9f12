"""Whether a question leans on the one before, and what it takes from it."""

import pytest

from bot.ask.follow_up import Earlier, entities, follow, is_personal, leans, plain, pronoun, shares_topic, stands_alone
from bot.ask.model import Analysis, AnswerType, Chosen
from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.interface import Archive
from retrieval.search import Query
from retrieval.text.terms import words
from tests.stock import archive_of
from tests.support.tables import cases

ARCHIVE = archive_of(
    "Mayor Ada Roe of Sandholm closed the lighthouse. Rescuers in Sandholm counted nine boats. "
    "In Oxley they counted four."
)


def test_a_word_of_grammar_names_nobody_unless_it_stands_alone() -> None:
    archive = archive_of("The World Health Organization (WHO) warned Ada Roe. WHO is late.")
    asked = {text: [each.name for each in entities(words(text), archive)] for text in ("who is ada roe", "who")}
    assert asked == {"who is ada roe": ["Ada Roe"], "who": ["World Health Organization"]}


@cases("question, leaning, alone")
def test_a_question_leans_by_its_opening_an_early_pronoun_or_next_to_no_words(
    question: str, *, leaning: bool, alone: bool
) -> None:
    assert (leans(words(question)), stands_alone(question)) == (leaning, alone)


@cases("question, leaning")
def test_the_first_pronoun_leans_and_none_is_one_in_there_is_and_said_that(question: str, leaning: str | None) -> None:
    assert pronoun(words(question)) == leaning


def seen_first(archive: Archive, article_id: str) -> tuple[Chosen, ...]:
    return (Chosen(article_id, archive.reading(article_id).passages[0]),)


def asked(question: str) -> Analysis:
    return understand(Question(question), ARCHIVE)


def followed(question: str, before: str) -> Analysis:
    return follow(asked(question), Earlier(asked(before), ()), ARCHIVE)


def test_a_name_takes_the_place_of_one_of_its_kind() -> None:
    found = dict(followed("and in oxley?", "how many boats did rescuers count in sandholm").words)
    assert "sandholm" not in found
    assert {"oxley", "boats", "count"} <= found.keys()


def test_the_type_of_answer_is_taken_over_where_the_follow_up_has_none() -> None:
    before = "how many boats did rescuers count in sandholm"
    assert AnswerType.NUMBER in followed("and in oxley?", before).types
    assert followed("and when in oxley?", before).types == (AnswerType.DATE,)
    assert followed("was that in the harbour", before).types == (AnswerType.ANY,)


def test_a_question_of_its_own_has_the_one_before_as_its_context() -> None:
    found = followed("how many boats did the rescuers count", "who closed the lighthouse")
    assert dict(dict(found.words)["lighthouse"])["lighthous"] == 0.3
    assert found.wording == "how many boats did the rescuers count closed lighthouse"


def test_a_question_that_names_something_new_is_unchanged() -> None:
    archive = archive_of("Ada Roe closed the lighthouse.", "Rain fell on Varde.")
    new = understand(Question("how much rain fell on varde"), archive)
    before = Earlier(understand(Question("who closed the lighthouse"), archive), seen_first(archive, "a"))
    assert follow(new, before, archive) == new
    known = understand(Question("how old is ada roe today"), archive)
    assert "lighthouse" in dict(follow(known, before, archive).words)


@pytest.mark.parametrize(
    ("question", "name"), [("and in oxley?", "oxley"), ("and roe?", "roe"), ("what about ada", "ada")]
)
def test_whom_and_what_a_follow_up_names_it_is_about(question: str, name: str) -> None:
    (spellings,) = followed(question, "how many boats did rescuers count").named
    assert any(name in spelt for spelt in spellings)
    assert followed("and when?", "who closed the lighthouse").named == ()
    assert followed("how many boats did the rescuers in oxley count", "who is ada roe").named == ()


@cases("question, share")
def test_how_a_question_leans_tells_how_much_of_the_one_before_is_meant(question: str, share: float) -> None:
    found = dict(followed(question, "who closed the lighthouse").words)
    assert dict(found["lighthouse"]) == {"lighthous": share}


def test_what_the_follow_up_says_itself_is_not_taken_over() -> None:
    found = followed("and the lighthouse boats?", "who closed the lighthouse").words
    assert [word for word, _ in found] == ["lighthouse", "boats", "closed"]
    assert dict(found)["lighthouse"] == (("lighthous", 1.0),)


def answered(question: str, place: int) -> Earlier:
    return Earlier(asked(question), (Chosen("a", ARCHIVE.reading("a").passages[place]),))


def test_he_and_she_are_who_was_named_in_the_answer() -> None:
    before = answered("who closed the lighthouse", 0)
    found = follow(asked("where was she born"), before, ARCHIVE)
    assert (dict(found.words)["ada"], dict(found.words)["roe"]) == ((("ada", 0.8),), (("roe", 0.8),))
    assert found.near == (("a", 0),)
    assert "roe" not in dict(follow(asked("where were they born"), before, ARCHIVE).words)
    assert "roe" not in dict(follow(asked("where was she born"), answered("who counted", 2), ARCHIVE).words)
    assert dict(followed("what did she close", "who is roe").words)["ada"] == (("ada", 0.8),)  # as it was typed


def test_he_is_the_speaker_of_the_quotation_that_was_shown_last() -> None:
    archive = archive_of("“Oxley is safe,” said Bram Holt of Ada Roe’s plan.")
    before = Earlier(Analysis("", Query()), seen_first(archive, "a"))
    found = follow(understand(Question("what else did he say"), archive), before, archive)
    assert "holt" in dict(found.words)
    assert "roe" not in dict(found.words)
    assert found.wording == "what else did he say Bram Holt"


def test_a_party_that_only_the_follow_up_names_is_needed_for_a_sure_answer() -> None:
    before = "how many boats did rescuers count in sandholm"
    [party] = followed("how many were counted in oxley", before).parties
    assert {"oxley"} in map(set, party)
    assert followed("how many were counted in sandholm", before).parties == ()
    (speaker,) = asked("what did ada roe say about boats").parties
    assert {"ada", "roe"} in map(set, speaker)


@cases("text, personal")
def test_a_question_about_the_asker_or_the_bot_is_personal(text: str, *, personal: bool) -> None:
    assert is_personal(text) is personal


def test_a_line_shares_the_topic_of_what_was_shown_by_a_content_word_or_by_a_name() -> None:
    shown = seen_first(ARCHIVE, "a")
    assert shares_topic("is the lighthouse still closed?", shown, ARCHIVE)
    assert shares_topic("is oxley on the line?", (), ARCHIVE)
    assert not shares_topic("lunch?", shown, ARCHIVE)
    assert not shares_topic("and the standfirst?", shown, ARCHIVE)


@cases("question, expected")
def test_what_says_nothing_of_what_is_asked_is_left_out(question: str, expected: str) -> None:
    assert " ".join(plain(question).split()) == expected
