"""A card, a check and candidates as headings with extracts under them."""

from __future__ import annotations

from bot.model import Card, Question
from bot.outline import outline
from tests.stock import expect, service


def test_a_card_shows_each_sentence_once() -> None:
    card = expect(Card, service().command("who", "Marta Lindqvist", Question("")))
    assert set(card.roles) & set(card.said)
    shown = [extract for section in outline(card).sections for extract in section.extracts]
    assert len(shown) == len(set(shown))
    assert set(shown) == {*card.roles, *card.said, *card.about}
