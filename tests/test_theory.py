"""The pages of theory at the heads of the five judgements are true: each example is run as it stands there."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from bot.ask import rank
from retrieval.caveats import scope
from retrieval.names import mentions
from retrieval.speech import attribution
from retrieval.text import sentence_ends

JUDGEMENTS = (sentence_ends, mentions, attribution, scope, rank)
SECTIONS = ("Theory of operation", "An example", "What it cannot do")


@pytest.mark.parametrize("judgement", JUDGEMENTS, ids=lambda module: module.__name__)
def test_the_example_is_what_the_program_does(judgement: ModuleType) -> None:
    page = doctest.DocTestParser().get_doctest(
        judgement.__doc__ or "", vars(judgement).copy(), judgement.__name__, judgement.__file__, 0
    )
    differing: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(page, out=differing.append)
    assert not outcome.failed, "".join(differing)
    assert any(example.want for example in page.examples)


@pytest.mark.parametrize("judgement", JUDGEMENTS, ids=lambda module: module.__name__)
def test_a_page_says_how_why_and_what_it_cannot(judgement: ModuleType) -> None:
    lines = (judgement.__doc__ or "").splitlines()
    assert "->" in lines[0]
    assert tuple(line for line in lines if line in SECTIONS) == SECTIONS
