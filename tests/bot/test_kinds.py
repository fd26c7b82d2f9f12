"""A question's words -> what kind of answer it asks for."""

from __future__ import annotations

import pytest
from bot.kinds import kinds_of

from retrieval.search import Answering


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how many were on the ferry", Answering.NUMBER),
        ("death toll at the mine", Answering.NUMBER),
        ("how old is the mayor", Answering.NUMBER),
        ("which minister opened the bridge", Answering.PERSON),
        ("who shut the dam", Answering.PERSON),
        ("where did the storm land", Answering.PLACE),
        ("which town flooded first", Answering.PLACE),
        ("when does the bridge open", Answering.DAY),
        ("need a quote from the harbour master", Answering.QUOTATION),
        ("what did the coach say about the transfer", Answering.QUOTATION),
        ("why was the vote put off", Answering.REASON),
        ("does the firm deny it", Answering.DENIAL),
        ("can we run it as fact", Answering.VERIFICATION),
        ("did the echo stand this up", Answering.VERIFICATION),
        ("is that confirmed", Answering.VERIFICATION),
        ("do both papers give the same figure", Answering.COMPARISON),
        ("who is ines roe", Answering.DEFINITION),
        ("what is the wcu", Answering.DEFINITION),
        ("is the ferry story safe to run", Answering.VERIFICATION),
        ("can we use the toll", Answering.VERIFICATION),
        ("does the wheel claim hold up", Answering.VERIFICATION),
        ("did the owner own up to the leak", Answering.DENIAL),
        ("will the club come clean", Answering.DENIAL),
        ("did the firm concede anything", Answering.DENIAL),
        ("soundbite from the coach", Answering.QUOTATION),
        ("best line from the vicar", Answering.QUOTATION),
        ("any figure for the homeless", Answering.NUMBER),
        ("ferry", Answering.ANY),
    ],
)
def test_the_kind_is_read_from_the_words(question: str, kind: Answering) -> None:
    """The surest kind stands first."""
    assert kinds_of(question)[0] is kind


def test_a_name_is_not_asked_for_where_it_is_given() -> None:
    """What somebody is, is wanted of "who is X"; of "who is the mayor", the name."""
    assert Answering.PERSON not in kinds_of("who is ines roe")
    assert kinds_of("who is the mayor of oxley")[0] is Answering.PERSON
