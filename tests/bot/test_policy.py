"""Who may ask."""

from __future__ import annotations

import pytest

from bot.channels import Allowed, Policy
from bot.model import Asker, Place, Question


def asked(**who: object) -> Question:
    asker = Asker(str(who.get("id", "U1")), tuple(who.get("groups", ())), bool(who.get("outsider")))  # type: ignore[arg-type]
    return Question("?", asker=asker, place=Place("slack", "W1", str(who.get("channel", "C1"))))


@pytest.mark.parametrize(
    ("allowed", "question", "refused"),
    [
        (Allowed(), asked(), False),
        (Allowed(channels=("C1",)), asked(), False),
        (Allowed(channels=("C1",)), asked(channel="C2"), True),
        (Allowed(workspaces=("W2",)), asked(), True),
        (Allowed(people=("U1",)), asked(), False),
        (Allowed(people=("U1",)), asked(id="U2"), True),
        (Allowed(groups=("desk",)), asked(groups=("desk", "night")), False),
        (Allowed(groups=("desk",)), asked(), True),
        (Allowed(people=("U2",), groups=("desk",)), asked(groups=("desk",)), False),
        (Allowed(), asked(outsider=True), True),
        (Allowed(outsiders=True), asked(outsider=True), False),
    ],
)
def test_a_list_allows_those_it_names(allowed: Allowed, question: Question, *, refused: bool) -> None:
    assert Policy((("slack", allowed),)).refuses(question) is refused


def test_the_terminal_is_never_refused() -> None:
    assert not Policy((("terminal", Allowed(people=("U1",))),)).refuses(Question("?"))


def test_another_platform_has_its_own_rule() -> None:
    assert not Policy((("discord", Allowed(people=("U9",))),)).refuses(asked())
