"""The words of a sentence that answer: where one thing can be meant, and nowhere else."""

from __future__ import annotations

import pytest

from bot.ask.answer_types import answer_span
from bot.ask.model import Analysis
from bot.ask.question_types import types_of
from retrieval.model import Article
from retrieval.pipeline import read_one
from retrieval.search import Query
from retrieval.text.terms import words


def told(question: str, text: str) -> str:
    (passage,) = read_one(Article("a", text)).passages
    span = answer_span(Analysis(question, Query(), types=types_of(words(question))), text, passage.mentions)
    return span.of(text) if span else ""


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("how many were hurt", "At least 48 passengers were hurt.", "48"),
        ("how many were hurt", "Nearly two hundred people were hurt.", "two hundred"),
        ("how many ferries were hit", "In 2014, 3 gales hit 12 ferries.", "12"),
        ("what percentage of voters stayed at home", "Some 41 per cent stayed at home on 3 May.", "41 per cent"),
        ("how much did the quay cost", "The quay cost $4.5 million to build in 1998.", "$4.5 million"),
        ("how long was the captain held", "The captain was held for three to four weeks.", "three to four weeks"),
        ("how high was the wave", "The wave was 12 feet high.", "12 feet"),
        ("how old is ines roe", "Ines Roe, 51, resigned on Friday.", "51"),
        ("when did the ferry sink", "The ferry sank on Friday, 9 May 2031.", "Friday, 9 May 2031"),
        ("when did it sink", "It sank two days later.", "two days later"),
    ],
)
def test_what_one_thing_can_be_is_told(question: str, text: str, answer: str) -> None:
    assert told(question, text) == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how many were hurt", "Of 48 passengers 12 were hurt."),  # which of the two is for the reader to see
        ("how many were hurt", "The passengers were hurt."),
        ("how many were hurt", "Passengers were hurt on 9 May 2031."),
        ("how many were hurt", "Three weeks passed."),
        ("how many were hurt", "Ines Roe, 51, was hurt."),
        ("why were 48 hurt", "The 48 were hurt because it rained."),
        ("did 48 people get hurt", "The papers said 48 people were hurt."),
        ("how much did the quay cost", "The quay cost 12 people their work."),
        ("how long did it take", "It went down in 150 feet of water."),
        ("when did it sink", "It sank days later."),
        ("what did he say when it sank", "“We lost her,” he said on Friday."),
        ("who sank it", "Ines Roe sank it."),  # names are not told
    ],
)
def test_what_several_things_can_be_is_not(question: str, text: str) -> None:
    assert not told(question, text)
