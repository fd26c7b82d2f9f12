from __future__ import annotations

import tomllib

import pytest

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from tests.support.tables import cases
from training.verbs import TABLE, rewritten


def test_every_form_is_the_librarys() -> None:
    table = TABLE.read_text(encoding="utf-8")
    assert rewritten(table) == table


def test_no_verb_stands_in_the_table_twice() -> None:
    forces = tomllib.loads(TABLE.read_text(encoding="utf-8")).values()
    lemmas = [lemma for verbs in forces for lemma in verbs]
    assert len(lemmas) == len(set(lemmas))


@cases("word, lemma, form", Form)
def test_irregular_doubled_and_british_forms_are_known(word: str, lemma: str, form: Form) -> None:
    assert (VERBS[word].lemma, VERBS[word].form) == (lemma, form)


@pytest.mark.parametrize("word", ["slamed", "puting", "echos"])
def test_misspelt_forms_are_not(word: str) -> None:
    assert word not in VERBS


def test_a_verb_of_two_forces_has_the_one_that_needs_less() -> None:
    assert VERBS["said"].force is Force.SAYING
