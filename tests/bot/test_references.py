"""What was shown last is what "copy 2", "says who?", "when was that?" and "is that verified?" are about."""

from dataclasses import replace

import pytest

from bot import messages, references, source_lines
from bot.model import Answer, Card, Check, Clipping, Listing, Message, Question
from bot.outline import outline
from bot.service import QuestionService
from tests import stock
from tests.stock import expect
from tests.support.tables import cases

SERVICE = stock.service()


def on_screen(service: QuestionService, line: str) -> str:
    return references.state_of(service.answer(Question(line)))


KINDS = {"was anybody at the wheel": Answer, "/who marta lindqvist": Card, "/unverified": Listing}


@pytest.mark.parametrize(("line", "kind"), [("/verify Nobody was at the wheel", Check), *KINDS.items()])
def test_every_quotation_of_every_reply_has_the_number_that_is_shown(line: str, kind: type) -> None:
    reply, number = expect(kind, SERVICE.answer(Question(line))), 0
    state, sections = references.state_of(reply), outline(reply).sections
    shown = [each for section in sections for each in source_lines.quotations(section.extracts, section.marked)]
    for number, quotation in enumerate(shown, 1):
        copied = expect(Clipping, SERVICE.answer(Question(f"copy {number}", shown=state)))
        assert copied.extracts == quotation
        assert copied.text.startswith(" ".join(extract.text for extract in quotation))
    beyond = SERVICE.answer(Question(f"copy {number + 1}", shown=state))
    assert beyond == Message(messages.NO_SUCH_QUOTATION)


@cases("asked, told")
def test_what_is_asked_of_that_is_told_of_what_is_shown(asked: str, told: str) -> None:
    state = on_screen(SERVICE, "/verify Nobody was at the wheel")
    reply = expect(Answer, SERVICE.answer(Question(asked, "how many on board", shown=state)))
    assert reply.message == told
    assert [extract.speaker for extract in reply.extracts] == ["Marta Lindqvist"]


def test_several_are_told_by_their_numbers() -> None:
    undated = replace(stock.FERRY, published=None)
    service = stock.service([undated, stock.BRIDGE])
    state = on_screen(service, "/verify We shouted and nobody came. Repairs will cost 4.5 million crowns.")
    day = expect(Answer, service.answer(Question("when did she say that", shown=state)))
    caveat = expect(Answer, service.answer(Question("is it verified", shown=state)))
    assert day.message == "[1] This article is undated.\n[2] Published on 10 May 2031."
    assert str(caveat.message).endswith(f"[2] {messages.NO_CAVEAT}")


@pytest.mark.parametrize("line", ["who said the bridge would close", "when was the bridge closed"])
def test_another_question_is_asked_of_the_articles(line: str) -> None:
    state = on_screen(SERVICE, "/verify Nobody was at the wheel")
    assert SERVICE.answer(Question(line, shown=state)) == SERVICE.answer(Question(line))
    assert not references.is_reference(line)


def test_an_article_that_has_changed_since_is_said_to_have() -> None:
    state = on_screen(SERVICE, "/verify Nobody was at the wheel")
    later = stock.service([replace(stock.FERRY, text=stock.FERRY.text.replace("wheel", "helm"))])
    assert later.answer(Question("says who?", shown=state)) == Message(messages.CHANGED)
