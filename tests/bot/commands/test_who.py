"""Who somebody is, and what they said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.command import Library
from bot.commands.who import is_name, who
from bot.model import Answer, Candidates, Card, NoAnswer, Question
from bot.outline import outline
from bot.service import QuestionService
from retrieval.archive.archive import WritableArchive
from retrieval.model import Article, Kind, Reading
from retrieval.pipeline import read_separately
from tests.stock import BRIDGE, FERRY, expect, holdings, service

MINISTERS = Article(
    id="ministers.txt",
    path="ministers.txt",
    text=(
        "Norland’s trade minister, Viktor Halvorsen, said on Monday that the port would reopen within a week. "
        "“The dredgers are already at work,” Halvorsen told reporters. "
        "His deputy, Viktor Adamec, said he was less sure."
    ),
)
HOLDINGS = holdings([FERRY, BRIDGE, MINISTERS])
SERVICE = QuestionService(HOLDINGS)
LOOKED = 20  # articles that a card covers


@pytest.mark.parametrize("name", ["Marta Lindqvist", "lindqvist", "marta lindquist", "lindqvists", "MARTA LINDQVIST"])
def test_a_name_is_found_however_it_is_typed(name: str) -> None:
    card = expect(Card, who(HOLDINGS, name))
    assert card.name == "Marta Lindqvist"


def test_a_card_shows_what_was_read() -> None:
    card = expect(Card, who(HOLDINGS, "halvorsen"))
    assert "Halvorsen" in card.variants
    assert card.roles[0].text.startswith("Norland’s trade minister, Viktor Halvorsen")
    assert "“The dredgers are already at work,” Halvorsen told reporters." in [e.text for e in card.said]
    assert [citation.article_id for citation in card.articles] == ["ministers.txt"]
    assert all(companion.name in companion.extract.text for companion in card.company)


def test_an_ambiguous_name_gives_those_to_pick_from() -> None:
    found = expect(Candidates, who(HOLDINGS, "viktor"))
    assert found.found
    assert {candidate.name for candidate in found.candidates} == {"Viktor Halvorsen", "Viktor Adamec"}


def test_a_name_in_no_article_gives_the_nearest() -> None:
    found = expect(Candidates, who(HOLDINGS, "Martin Lundkvist"))
    assert not found.found
    assert "Marta Lindqvist" in {candidate.name for candidate in found.candidates}
    assert found.message.startswith("No article names “Martin Lundkvist”.")


def test_said_is_only_what_that_one_said() -> None:
    found = expect(Answer, SERVICE.command_in_full("said", "halvorsen"))
    assert len(found.extracts) == 2
    assert {extract.speaker for extract in found.extracts} == {"Viktor Halvorsen"}


def test_said_about_something() -> None:
    found = expect(Answer, SERVICE.command_in_full("said", "halvorsen about dredgers"))
    (extract,) = found.extracts
    assert "dredgers" in extract.text
    nothing = expect(NoAnswer, SERVICE.command_in_full("said", "halvorsen about chess"))
    assert "Viktor Halvorsen" in nothing.message
    assert SERVICE.command_in_full("said", "halvorsen about") == SERVICE.command_in_full("said", "halvorsen")


def test_what_many_said_is_shown_three_at_a_time_in_chat_and_whole_in_the_terminal() -> None:
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(7))
    office = service([replace(FERRY, id="talk.txt", text=talk)])
    page = expect(Answer, office.command("said", "brekke", Question("")))
    assert len(page.extracts) == 3
    rest = expect(Answer, office.command("more", page.more, Question("")))
    assert rest.extracts[0].text == "“Point number 3 is settled,” Ola Brekke said."
    whole = expect(Answer, office.command_in_full("said", "brekke"))
    assert len(whole.extracts) == 7


def test_a_page_of_what_was_said_looks_no_further_than_it_shows() -> None:
    opened: list[str] = []

    class OpenedVersion(WritableArchive):
        def reading(self, article_id: str) -> Reading:
            opened.append(article_id)
            return super().reading(article_id)

    text = "“It is settled,” Ola Brekke said."
    archive = OpenedVersion()
    archive.add(tuple(read_separately([replace(FERRY, id=f"{n}.txt", text=text) for n in range(50)])))
    page = expect(Answer, QuestionService(Library(archive)).command("said", "brekke", Question("")))
    assert page.more
    assert len(set(opened)) < 15


def test_a_question_that_begins_with_who_is_a_question() -> None:
    assert isinstance(service().answer(Question("who lindqvist")), Card)
    assert isinstance(service().answer(Question("who was at the wheel")), Answer)
    assert is_name(HOLDINGS.archive, "lindqvist")
    assert not is_name(HOLDINGS.archive, "was at the wheel")


def test_a_source_without_a_name_of_its_own_is_found_by_its_words() -> None:
    found = expect(Answer, SERVICE.command_in_full("said", "two passengers"))
    assert {extract.speaker for extract in found.extracts} == {"Two passengers"}


def card(text: str, name: str) -> Card:
    return expect(Card, who(holdings([Article("a.txt", text)]), name))


def test_a_card_shows_five_sentences_of_a_kind() -> None:
    roles = "mayor sheriff governor senator judge bishop".split()
    told = " ".join(f"The {role}, Ola Brekke, met nobody on day {n}." for n, role in enumerate(roles))
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(6))
    shown = card(f"{told}\n\n{talk}", "ola brekke")
    assert [len(held) for held in (shown.said, shown.about, shown.roles)] == [5, 5, 5]


COMPANY = "Ada Roe, Omar Diaz, Ines Lund, Pavel Dorn, Marta Quist, Olaf Brandt, Rosa Vane, Karl Emmer, Ruth Okoye"


def test_eight_companions_are_named_the_most_frequent_first() -> None:
    text = (
        " ".join(f"Viktor Halder met {name}." for name in COMPANY.split(", ")) + " Viktor Halder met Ruth Okoye again."
    )
    named = [companion.name for companion in card(text, "viktor halder").company]
    assert named == ["Ruth Okoye", *sorted(COMPANY.split(", ")[:-1])[:7]]


def test_five_are_named_to_pick_from() -> None:
    surnames = "Halder Diaz Lund Dorn Quist Brandt".split()
    held = holdings([Article("a.txt", " ".join(f"Viktor {surname} left." for surname in surnames))])
    for name, meant in (("viktor", True), ("viktoro zz", False)):
        found = expect(Candidates, who(held, name))
        assert (found.found, len(found.candidates)) == (meant, 5)


HALDERS = [
    *(Article(f"full{n}.txt", f"Harbour master Viktor Halder spoke on day {n}. Halder left.") for n in range(10)),
    Article("son.txt", "Viktor Halder met his son, Oskar Halder. “We row at nine,” Halder said."),
    Article("bare.txt", "“The quay stays shut,” Halder said. The harbour belongs to Halder."),
    Article("other.txt", "Oskar Halder rows. “I never rowed before,” Halder said."),
    Article("glued.txt", "They met Viktor Halder Read More on Monday, and Halder Lane was shut."),
]


def test_a_full_name_is_the_person_with_what_is_under_the_surname_alone() -> None:
    held = holdings(HALDERS)
    for typed in ("viktor halder", "halder", "Mr Halder"):
        found = expect(Card, who(held, typed))
        assert (found.name, found.kind) == ("Viktor Halder", Kind.PERSON)
        assert [extract.citation.article_id for extract in found.said] == ["bare.txt"]
    other = expect(Card, who(held, "oskar halder"))
    assert [extract.citation.article_id for extract in other.said] == ["other.txt"]


def test_where_two_are_much_written_of_a_surname_is_neithers() -> None:
    more = [Article(f"more{n}.txt", f"Oskar Halder rowed on day {n}.") for n in range(2)]
    more.append(Article("opened.txt", "He knows Quiet Halder."))
    found = expect(Candidates, who(holdings([*HALDERS, *more]), "halder"))
    names = [candidate.name for candidate in found.candidates]
    assert [name for name in names if name.endswith(" Halder")] == ["Viktor Halder", "Oskar Halder"]
    assert "Viktor Halder Read More" not in names[:3]


def test_a_party_is_its_members_too() -> None:
    text = "The Tory Party met. The Tories lost three seats. “We shall row,” the Tories said. The Communists left."
    found = card(text, "tory party")
    assert (found.name, found.said) == ("Tory Party", ())
    assert [extract.text for extract in found.about] == [
        "The Tory Party met.",
        "The Tories lost three seats.",
        "“We shall row,” the Tories said.",
    ]


def test_what_one_article_alone_calls_somebody_is_no_role_beside_what_more_do() -> None:
    held = holdings([Article(f"{n}.txt", f"They saw the {role}, Ola Brekke.") for n, role in enumerate(ROLES)])
    found = expect(Card, who(held, "ola brekke"))
    assert [role.text for role in found.described] == ["mayor"]


ROLES = ("mayor", "mayor", "winner")


def test_a_source_without_a_name_never_stands_before_a_name() -> None:
    text = "Ines Lund met the council. “It is done,” said Ines Lund’s deputy. Ines Lund said it was late."
    found = expect(Card, who(holdings([Article("a.txt", text)]), "ines lund"))
    assert found.kind is Kind.PERSON


def test_a_role_is_told_in_the_articles_own_words_alone() -> None:
    texts = [
        "They saw Norland’s foreign minister, Ola Brekke.",
        "The foreign minister, Ola Brekke, left.",
        "They met the mayor, Ola Brekke.",
    ]
    held = holdings([Article(f"{n}.txt", text) for n, text in enumerate(texts)])
    found = expect(Card, who(held, "ola brekke"))
    assert [role.text for role in found.described] == ["Norland’s foreign minister", "mayor"]
    for role in found.described:
        assert role.citation.span.of(texts[int(role.citation.article_id[0])]) == role.text


def test_how_many_sentences_were_said_is_told_with_the_way_to_all() -> None:
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(6))
    found = card(talk, "ola brekke")
    assert found.said_in_all == 6
    [head] = [section for section in outline(found).sections if section.heading == "Said"]
    assert head.lines == ("The newest of 6 sentences; /said Ola Brekke shows them all.",)


def test_who_is_in_very_many_articles_is_told_of_by_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.who.LOOKED", LOOKED)
    told = "“Point {} is settled,” said Ola Brekke."
    first = date(2026, 1, 1)
    articles = [
        Article(f"{n}", told.format(n), published=first + timedelta(days=n), source="Herald") for n in range(LOOKED + 2)
    ]
    found = expect(Card, who(holdings(articles), "ola brekke"))
    assert (found.in_all, len(found.articles), found.said_in_all) == (LOOKED + 2, LOOKED, LOOKED)
    assert found.said[0].text == told.format(LOOKED + 1)
    head, said, listed = (s for s in outline(found).sections if s.heading in ("", "Said", "Articles"))
    assert head.lines == (f"Person, in {LOOKED + 2} articles.", f"The rest covers the newest {LOOKED}.")
    assert said.lines == (f"The newest of at least {LOOKED} sentences; /said Ola Brekke shows them all.",)
    assert listed.lines[10:] == (f"… and {LOOKED - 8} more articles.",)


def test_peoples_and_a_surname_beside_the_full_name_are_no_company() -> None:
    text = (
        "Ola Brekke met French and Estonian sailors in France. Ola Brekke met Ines Lund. "
        "Ola Brekke and the French sailors left France, and Ola Brekke wept."
    )
    assert [companion.name for companion in card(text, "ola brekke").company] == ["France", "Ines Lund"]
