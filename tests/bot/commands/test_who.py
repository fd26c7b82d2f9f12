"""Who somebody is, and what they said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.command import Holdings
from bot.commands.who import LOOKED, is_name, who
from bot.model import Answer, Candidates, Card, Message, NoAnswer, Question
from bot.outline import outline
from bot.service import QuestionService
from retrieval.archive.archive import WritableArchive
from retrieval.model import Article, Kind, Reading
from retrieval.pipeline import read_separately
from tests.stock import BRIDGE, FERRY, holdings, service

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


@pytest.mark.parametrize("name", ["Marta Lindqvist", "lindqvist", "marta lindquist", "lindqvists", "MARTA LINDQVIST"])
def test_a_name_is_found_however_it_is_typed(name: str) -> None:
    """In small letters, misspelt, with a possessive, or the surname alone."""
    card = who(HOLDINGS, name)
    assert isinstance(card, Card)
    assert card.name == "Marta Lindqvist"


def test_a_card_shows_what_was_read() -> None:
    card = who(HOLDINGS, "halvorsen")
    assert isinstance(card, Card)
    assert "Halvorsen" in card.variants
    assert card.roles[0].text.startswith("Norland’s trade minister, Viktor Halvorsen")
    assert "“The dredgers are already at work,” Halvorsen told reporters." in [e.text for e in card.said]
    assert [citation.article_id for citation in card.articles] == ["ministers.txt"]
    assert all(companion.name in companion.extract.text for companion in card.company)


def test_an_ambiguous_name_gives_those_to_pick_from() -> None:
    """Two people share a first name; neither is guessed."""
    found = who(HOLDINGS, "viktor")
    assert isinstance(found, Candidates)
    assert found.found
    assert {candidate.name for candidate in found.candidates} == {"Viktor Halvorsen", "Viktor Adamec"}


def test_a_name_in_no_article_gives_the_nearest() -> None:
    """And says that it occurs nowhere."""
    found = who(HOLDINGS, "Martin Lundkvist")
    assert isinstance(found, Candidates)
    assert not found.found
    assert "Marta Lindqvist" in {candidate.name for candidate in found.candidates}
    assert found.message.startswith("No article names “Martin Lundkvist”.")


def test_said_is_only_what_that_one_said() -> None:
    """Every extract is attributed to the name, and the deputy's words are not among them."""
    found = SERVICE.command_in_full("said", "halvorsen")
    assert isinstance(found, Answer)
    assert len(found.extracts) == 2
    assert {extract.speaker for extract in found.extracts} == {"Viktor Halvorsen"}


def test_said_about_nothing_yet_is_all_that_was_said() -> None:
    """Who stops at "about" is not told that the word is part of a name."""
    assert SERVICE.command_in_full("said", "halvorsen about") == SERVICE.command_in_full("said", "halvorsen")
    assert isinstance(SERVICE.command_in_full("said", "halvorsen about"), Answer)


def test_said_about_something() -> None:
    """Only the sentences that hold the words; none is a sentence that says so."""
    found = SERVICE.command_in_full("said", "halvorsen about dredgers")
    assert isinstance(found, Answer)
    (extract,) = found.extracts
    assert "dredgers" in extract.text
    nothing = SERVICE.command_in_full("said", "halvorsen about chess")
    assert isinstance(nothing, NoAnswer)
    assert "Viktor Halvorsen" in nothing.message


@pytest.mark.parametrize("command", ["who", "said"])
def test_a_name_is_asked_for(command: str) -> None:
    assert isinstance(service().command(command, "", Question("")), Message)


def test_what_many_said_is_shown_three_at_a_time_in_chat_and_whole_in_the_terminal() -> None:
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(7))
    office = service([replace(FERRY, id="talk.txt", text=talk)])
    page = office.command("said", "brekke", Question(""))
    assert isinstance(page, Answer)
    assert len(page.extracts) == 3
    rest = office.command("more", page.more, Question(""))
    assert isinstance(rest, Answer)
    assert rest.extracts[0].text == "“Point number 3 is settled,” Ola Brekke said."
    whole = office.command_in_full("said", "brekke")
    assert isinstance(whole, Answer)
    assert len(whole.extracts) == 7


def test_a_page_of_what_was_said_looks_no_further_than_it_shows() -> None:
    """However much was said: the articles after those that are shown, or named for "more", are not opened."""
    opened: list[str] = []

    class OpenedVersion(WritableArchive):
        def reading(self, article_id: str) -> Reading:
            opened.append(article_id)
            return super().reading(article_id)

    text = "“It is settled,” Ola Brekke said."
    archive = OpenedVersion()
    archive.add(tuple(read_separately([replace(FERRY, id=f"{n}.txt", text=text) for n in range(50)])))
    page = QuestionService(Holdings(archive)).command("said", "brekke", Question(""))
    assert isinstance(page, Answer)
    assert page.more
    assert len(set(opened)) < 15


def test_a_question_that_begins_with_who_is_a_question() -> None:
    assert isinstance(service().answer(Question("who lindqvist")), Card)
    assert isinstance(service().answer(Question("who was at the wheel")), Answer)
    assert is_name(HOLDINGS.archive, "lindqvist")
    assert not is_name(HOLDINGS.archive, "was at the wheel")


def test_a_source_without_a_name_of_its_own_is_found_by_its_words() -> None:
    found = SERVICE.command_in_full("said", "two passengers")
    assert isinstance(found, Answer)
    assert {extract.speaker for extract in found.extracts} == {"Two passengers"}


def card(text: str, name: str) -> Card:
    """Return the card of ``name`` from an article of this text."""
    found = who(holdings([Article("a.txt", text)]), name)
    assert isinstance(found, Card), found
    return found


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


def test_peoples_are_no_company() -> None:
    text = "Viktor Halder, an Estonian, met Republicans and Ada Roe in Estonia."
    assert [companion.name for companion in card(text, "viktor halder").company] == ["Ada Roe", "Estonia"]


def test_five_are_named_to_pick_from() -> None:
    surnames = "Halder Diaz Lund Dorn Quist Brandt".split()
    held = holdings([Article("a.txt", " ".join(f"Viktor {surname} left." for surname in surnames))])
    for name, meant in (("viktor", True), ("viktoro zz", False)):
        found = who(held, name)
        assert isinstance(found, Candidates)
        assert (found.found, len(found.candidates)) == (meant, 5)


HALDERS = [
    *(Article(f"full{n}.txt", f"Harbour master Viktor Halder spoke on day {n}. Halder left.") for n in range(10)),
    Article("son.txt", "Viktor Halder met his son, Oskar Halder. “We row at nine,” Halder said."),
    Article("bare.txt", "“The quay stays shut,” Halder said. The harbour belongs to Halder."),
    Article("other.txt", "Oskar Halder rows. “I never rowed before,” Halder said."),
    Article("glued.txt", "They met Viktor Halder Read More on Monday, and Halder Lane was shut."),
]


def test_a_full_name_is_the_person_with_what_is_under_the_surname_alone() -> None:
    """Of whoever bears it by far; where an article names both, or the other, nothing is taken for either's."""
    held = holdings(HALDERS)
    for typed in ("viktor halder", "halder", "Mr Halder"):
        found = who(held, typed)
        assert isinstance(found, Card)
        assert (found.name, found.kind) == ("Viktor Halder", Kind.PERSON)
        assert [extract.citation.article_id for extract in found.said] == ["bare.txt"]
    other = who(held, "oskar halder")
    assert isinstance(other, Card)
    assert [extract.citation.article_id for extract in other.said] == ["other.txt"]


def test_where_two_are_much_written_of_a_surname_is_neithers() -> None:
    """They are offered, the most written of first, what ran into a name last or not at all."""
    more = [Article(f"more{n}.txt", f"Oskar Halder rowed on day {n}.") for n in range(2)]
    more.append(Article("opened.txt", "He knows Quiet Halder."))
    found = who(holdings([*HALDERS, *more]), "halder")
    assert isinstance(found, Candidates)
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
    """It is as often words that ran together; where no role stands twice, all are told."""
    held = holdings([Article(f"{n}.txt", f"They saw the {role}, Ola Brekke.") for n, role in enumerate(ROLES)])
    found = who(held, "ola brekke")
    assert isinstance(found, Card)
    assert [role.text for role in found.described] == ["mayor"]


ROLES = ("mayor", "mayor", "winner")


def test_a_source_without_a_name_never_stands_before_a_name() -> None:
    text = "Ines Lund met the council. “It is done,” said Ines Lund’s deputy. Ines Lund said it was late."
    found = who(holdings([Article("a.txt", text)]), "ines lund")
    assert isinstance(found, Card)
    assert found.kind is Kind.PERSON


def test_a_role_is_told_in_the_articles_own_words_alone() -> None:
    """At their place, the most frequent first; of a shorter and a fuller one, the fuller."""
    texts = [
        "They saw Norland’s foreign minister, Ola Brekke.",
        "The foreign minister, Ola Brekke, left.",
        "They met the mayor, Ola Brekke.",
    ]
    held = holdings([Article(f"{n}.txt", text) for n, text in enumerate(texts)])
    found = who(held, "ola brekke")
    assert isinstance(found, Card)
    assert [role.text for role in found.described] == ["Norland’s foreign minister", "mayor"]
    for role in found.described:
        assert role.citation.span.of(texts[int(role.citation.article_id[0])]) == role.text


def test_how_many_sentences_were_said_is_told_with_the_way_to_all() -> None:
    talk = " ".join(f"“Point number {n} is settled,” Ola Brekke said." for n in range(6))
    found = card(talk, "ola brekke")
    assert found.said_in_all == 6
    [head] = [section for section in outline(found).sections if section.heading == "Said"]
    assert head.lines == ("The newest of 6 sentences; /said Ola Brekke shows them all.",)


def test_who_is_in_very_many_articles_is_told_of_by_the_newest() -> None:
    """The card says so, counts them all, and names ten."""
    told = "“Point {} is settled,” said Ola Brekke."
    first = date(2026, 1, 1)
    articles = [
        Article(f"{n}", told.format(n), published=first + timedelta(days=n), source="Herald") for n in range(LOOKED + 2)
    ]
    found = who(holdings(articles), "ola brekke")
    assert isinstance(found, Card)
    assert (found.in_all, len(found.articles), found.said_in_all) == (LOOKED + 2, LOOKED, LOOKED)
    assert found.said[0].text == told.format(LOOKED + 1)
    head, said, listed = (s for s in outline(found).sections if s.heading in ("", "Said", "Articles"))
    assert head.lines == (f"Person, in {LOOKED + 2} articles.", f"The rest covers the newest {LOOKED}.")
    assert said.lines == (f"The newest of at least {LOOKED} sentences; /said Ola Brekke shows them all.",)
    assert listed.lines[10:] == (f"… and {LOOKED - 8} more articles.",)


def test_a_surname_is_no_name_beside_the_full_name() -> None:
    """Nor is what a people is called."""
    text = (
        "Ola Brekke met French and Estonian sailors in France. Ola Brekke met Ines Lund. "
        "Ola Brekke and the French sailors left France, and Ola Brekke wept."
    )
    assert [companion.name for companion in card(text, "ola brekke").company] == ["France", "Ines Lund"]
