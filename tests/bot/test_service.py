"""One question, one reply; whatever goes wrong, a sentence."""

import logging
from dataclasses import replace

import pytest

from bot import messages, verdicts
from bot.channels import Allowed, Policy
from bot.commands.command_table import TABLE, find
from bot.commands.verify import quotations
from bot.model import Answer, Asker, Card, Check, Message, Place, Question
from retrieval import MESSAGE, QUESTION
from tests.stock import FERRY, expect, service
from tests.support.tables import cases

SERVICE = service()
ASKED = Question("")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", messages.EMPTY_QUESTION),
        (" \n\t", messages.EMPTY_QUESTION),
        ("????", messages.EMPTY_QUESTION),
        ("🤷", messages.EMPTY_QUESTION),
        ("No.", messages.ENDED),
        ("ok thanks", messages.WELCOME),
        ("x" * 10_000, messages.TOO_LONG),
        (f"/verify “{'x' * 80_000}”", messages.text_too_long(MESSAGE)),
        ("Wer war am Steuer der Odette?", "Ich lese nur Englisch: Bitte stellen Sie Ihre Frage auf Englisch."),
    ],
)
def test_what_is_no_question_gets_a_sentence(text: str, words: str) -> None:
    assert SERVICE.answer(Question(text)) == Message(words)


def test_one_reply_has_as_many_sentences_as_fit_of_the_few_that_there_are() -> None:
    said = ". ".join(f"So {'very ' * 120}slowly the crew rowed {place}" for place in ("home", "out"))
    texts = (f"Marta Lindqvist said: “{said}.”", f"Marta Lindqvist said: “{'very ' * 300}slowly the crew rowed.”")
    fitting, long = (service([replace(FERRY, text=text)]) for text in texts)
    page = expect(Answer, fitting.answer(Question("/said Marta Lindqvist")))
    assert len(page.extracts) == 1
    assert len(expect(Answer, fitting.answer(Question(f"/more {page.more}"))).extracts) == 1
    assert long.answer(Question("/said Marta Lindqvist")) == Message(messages.ONLY_SENTENCE_TOO_LONG)


def test_a_refused_asker_gets_a_polite_sentence_at_every_door() -> None:
    closed = service(policy=Policy((("slack", Allowed(channels=("C1",))),)))
    asked = Question("who was at the wheel", asker=Asker("U1"), place=Place("slack", "W1", "C2"))
    assert closed.answer(asked) == Message(messages.REFUSED)
    assert closed.command("sources", "", asked) == Message(messages.REFUSED)


@pytest.mark.parametrize("command", [row.name for row in TABLE])
@pytest.mark.parametrize(
    "argument", ["", "x" * 10_000, "*_`<b>&amp;</b> <!channel> @everyone", "Zebedee Quux", "\x00\ud800"]
)
def test_every_command_answers_anything_in_words(command: str, argument: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        reply = SERVICE.command(command, argument, ASKED)
    assert reply != Message(messages.FAILED)
    assert caplog.text == ""


def test_a_quotation_of_a_text_that_no_article_has_says_how_many_were_searched() -> None:
    absent, exact = quotations(SERVICE.library, "“The tide took the whole market” and “Nobody was at the wheel”")
    line = verdicts.message(expect(Check, SERVICE.check(absent, ASKED)))
    assert line.endswith("“The tide took the whole market”. Searched: 2 articles of 2 named outlets.")
    assert "Searched" not in verdicts.message(expect(Check, SERVICE.check(exact, ASKED)))


def test_help_is_written_from_the_table() -> None:
    assert SERVICE.answer(Question("/balderdash")) == Message("There is no such command. `/help` lists them all.")
    assert SERVICE.answer(Question("/help who")) == Message(messages.help_on(find("who")))


def test_what_breaks_is_logged_and_answered(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(type(SERVICE.library.archive), "search", lambda *_: 1 / 0)
    assert SERVICE.answer(Question("was anybody at the wheel")) == Message(messages.FAILED)
    assert "ZeroDivisionError" in caplog.text


def test_a_question_in_italics_is_the_same_question() -> None:
    plain = SERVICE.answer(Question("what did lindqvist say"))
    for typed in ("_what did lindqvist say_", "*what* did lindqvist say", "- what did lindqvist say"):
        assert SERVICE.answer(Question(typed)) == plain


@cases("asked, command")
def test_a_question_about_somebody_alone_is_the_command(asked: str, command: str) -> None:
    assert SERVICE.answer(Question(asked, brief=True)) == SERVICE.answer(Question(command, brief=True))
    assert not isinstance(SERVICE.answer(Question("who is the captain?", brief=True)), Card)


CREW = tuple(f"Ada {name}son" for name in "Ab Bo Cor Dag Ed Fin Gus Han Iv Jon Kar Lar Max Nil Ol".split())
MANY = tuple(replace(FERRY, id=a + b, text=f"{a} {b} left the port.") for a in CREW for b in ("Lund", "Berg"))


def test_a_question_is_as_long_as_it_may_be() -> None:
    wheel = "was anybody at the wheel"
    fits = wheel.ljust(QUESTION, "?")
    assert isinstance(SERVICE.answer(Question(fits)), Answer)
    assert SERVICE.answer(Question(f"{fits}?")) == Message(messages.TOO_LONG)
    assert list(SERVICE.explain(Question(fits)))
    assert list(SERVICE.explain(Question(wheel, previous=fits)))
    assert not list(SERVICE.explain(Question(f"{fits}?")))
    assert not list(SERVICE.explain(Question(wheel, previous=f"{fits}?")))


def test_twenty_five_names_are_offered_unless_another_number_is_asked_for() -> None:
    asking = service(MANY)
    assert len(asking.complete_names("Ada")) == 25
    assert len(asking.complete_names("Ada", 26)) == 26
    assert len(asking.complete_names("Ada", question=Question("Ada"))) == 25
