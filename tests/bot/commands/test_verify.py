"""Messages as people paste them: every word is compared with the articles, or named as not compared."""

import pytest

from bot import messages
from bot.commands.verify import MOST, check
from bot.model import Agreement, Check, Listing, Message, Question, Verdict
from bot.service import QuestionService
from bot.verdicts import message
from retrieval.limits import QUESTION
from tests.stock import expect, holdings
from tests.support.tables import articles, cases

QUAY = "The quay will stand for another hundred years"
RAILINGS = "Nobody has painted the railings since the great storm of the spring"
ARTICLES = articles(__file__)
HOLDINGS, HEARING = holdings([ARTICLES["quay"]]), holdings([ARTICLES["neighbours"], ARTICLES["hearing"]])


def checked(text: str) -> Check:
    return expect(Check, check(HOLDINGS, text))


@cases("text")
def test_marks_of_every_kind_are_no_words(text: str) -> None:
    found = checked(text.format(QUAY))
    assert (found.verdict, found.not_compared) == (Verdict.EXACT, ())


@cases("text, not_compared")
def test_words_that_were_not_compared_are_named_and_nothing_is_exact(text: str, not_compared: tuple[str, ...]) -> None:
    found = checked(text.format(QUAY))
    assert (found.verdict, found.not_compared) == (Verdict.PARTIAL, not_compared)
    assert all(words in message(found) for words in not_compared)


@cases("text, verdict, not_compared, claimed", Verdict)
def test_whoever_is_named_behind_a_dash_is_compared_or_named(
    text: str, verdict: Verdict, not_compared: tuple[str, ...], claimed: str | None
) -> None:
    found = checked(text.format(QUAY))
    assert (found.verdict, found.not_compared) == (verdict, not_compared)
    assert (found.claimed.name if found.claimed else None) == claimed
    assert all(name in message(found) for name in (*not_compared, claimed or "") if verdict is not Verdict.EXACT)


@cases("text")
def test_words_around_inner_marks_behind_dashes_and_colons_are_compared(text: str) -> None:
    assert checked(text).verdict is not Verdict.EXACT


@cases("form")
@pytest.mark.parametrize("name", ["Oskar Brandt", "Wilma Zell", "Petra Halloran"])
def test_the_speaker_beside_a_quotation_is_compared_with_the_articles(form: str, name: str) -> None:
    found = checked(form.format(QUAY, name=name, surname=name.rsplit(maxsplit=1)[-1]))
    assert found.claimed
    is_right = name == "Petra Halloran"
    assert found.claimed.agreement is (Agreement.RIGHT if is_right else Agreement.WRONG)
    assert (found.verdict is Verdict.MISATTRIBUTED) is not is_right
    assert is_right or message(found).startswith("Exact words, but said by Petra Halloran")


def test_several_quotations_are_checked_each_by_itself_and_in_order() -> None:
    text = f"One: “{QUAY}”. ‘Nobody has scrubbed the railings since the great storm of the spring’ — Oskar Brandt.\n\n"
    found = expect(
        Listing, check(HOLDINGS, f"{text}> the ferry never came in again at all\n\n“{RAILINGS}” — Petra Halloran")
    )
    assert found.title == "4 quotations checked: 1 said by another, 1 altered, 1 absent, 1 exact"
    *checks, others = [section for section in found.sections if section.heading]
    verdicts = [section.check.verdict for section in checks if section.check]
    assert verdicts == [Verdict.EXACT, Verdict.ALTERED, Verdict.ABSENT, Verdict.MISATTRIBUTED]
    assert [section.heading.split(" · ")[0].split(" ", 1)[1] for section in checks] == [
        "Exact", "Altered", "Absent", "Exact words, but said by Oskar Brandt"]  # fmt: skip
    assert [len(section.extracts) for section in checks] == [1, 1, 0, 1]
    assert others.lines == ("Outside the quotations: “One”.",)


def test_a_quotation_over_several_paragraphs_is_one() -> None:
    found = checked(f"“{QUAY}.\n\n“{RAILINGS}.”")
    assert found.verdict is Verdict.STITCHED


def test_without_marks_the_longest_run_that_stands_in_an_article_is_named() -> None:
    found = checked(f"hi, I remember her saying that {QUAY.lower()} or something, it was in the spring I think")
    assert found.verdict is Verdict.PARTIAL
    assert found.quote == QUAY.lower()
    assert found.not_compared[0] == "hi, I remember her saying that"


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        *((text, messages.TOO_SHORT) for text in ("genocide", "he said", "“tired crew.” — Ada Quill", "... yes ...")),
        *((text, messages.NO_QUOTE) for text in ("", "   ", "“”", "…!", "lunch at the harbour at one?")),
    ],
)
def test_too_little_to_check_is_a_sentence_that_helps(text: str, reply: str) -> None:
    assert check(HOLDINGS, text) == Message(reply)


def test_many_quotations_are_counted() -> None:
    found = expect(Listing, check(HOLDINGS, " and ".join(f"“{QUAY} number {n}”" for n in range(MOST + 3))))
    assert found.sections[-1].lines[-1] == "… and 3 more quotations."


@pytest.mark.parametrize(("marked", "single"), [("The quay will", True), ("The quay", False)])
def test_three_words_in_marks_are_a_quotation(marked: str, single: bool) -> None:  # noqa: FBT001
    found = check(HOLDINGS, f"“{RAILINGS}” and “{marked}”, is it so?")
    assert isinstance(found, Listing) is single


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("stand for another hundred years", Verdict.PARTIAL), ("for another hundred years", Verdict.ABSENT)],
)
def test_five_words_in_a_row_are_no_accident(words: str, verdict: Verdict) -> None:
    assert checked(f"hi all, my gran lived {words} or so beside that bakery, I believe").verdict is verdict


@pytest.mark.parametrize(("gap", "verdict"), [(52, Verdict.MISATTRIBUTED), (120, Verdict.PARTIAL)])
def test_a_name_stands_beside_a_quotation_within_a_hundred_characters(gap: int, verdict: Verdict) -> None:
    assert checked(f"so “{QUAY}” {' ' * gap} — Oskar Brandt, or what?").verdict is verdict


def test_a_long_message_is_looked_through_for_its_quotations() -> None:
    service = QuestionService(HOLDINGS)
    long = "We had a long talk about harbours. " * (QUESTION // 20)
    found = expect(Check, service.command("verify", f"{long} “{QUAY}” {long}", Question("")))
    assert found.verdict is Verdict.PARTIAL
    assert isinstance(service.answer(Question(f"verify {long} “{QUAY}”")), Check)
    assert isinstance(service.command("verify", long, Question("")), Message)


def test_a_message_may_have_forty_thousand_characters() -> None:
    service = QuestionService(HOLDINGS)
    fits = f"“{QUAY}”".ljust(40_000, ".")
    assert isinstance(service.command("verify", fits, Question("")), Check)
    assert isinstance(service.command("verify", f"{fits}.", Question("")), Message)


@cases("text, claimed")
def test_a_speaker_has_a_title_cut_short_and_is_no_title_or_pronoun_alone(text: str, claimed: str | None) -> None:
    found = checked(text.format(QUAY))
    assert (found.claimed.name if found.claimed else None) == claimed


@cases("pasted, agreement", Agreement)
def test_a_name_that_comes_next_or_that_asks_confirms_nothing(pasted: str, agreement: Agreement) -> None:
    found = expect(Check, check(HEARING, pasted))
    assert found.claimed
    assert found.claimed.agreement is agreement


def test_who_asks_is_not_confirmed_even_where_the_speaker_is_read_wrongly() -> None:
    for name in ("Olav Brand", "Edda Lunt"):
        found = expect(Check, check(HEARING, f"“would not open it alone” — {name}"))
        assert found.claimed
        assert found.claimed.agreement is not (Agreement.WRONG if name == "Olav Brand" else Agreement.RIGHT)
