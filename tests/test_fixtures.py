"""The articles to test on, and what is said to be right about them, fit each other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from bot.evaluation.golden import Golden, load, squash
from tests.gold import FIXTURES, GoldArticle, body, load_gold

ARTICLES = tuple(sorted((FIXTURES / "articles").glob("*.md")))
GOLD = load_gold()
QUESTIONS = load(FIXTURES / "questions.toml")


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.name)
def test_an_article_says_that_it_is_invented(path: Path) -> None:
    front = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n", 2)[1])
    assert front["note"] == "Invented for the tests; no such event, person or outlet."


def test_every_article_has_its_gold() -> None:
    assert sorted(gold.path for gold in GOLD) == list(ARTICLES)


@pytest.mark.parametrize("gold", GOLD, ids=lambda gold: gold.path.name)
def test_the_words_of_a_row_stand_in_one_place(gold: GoldArticle) -> None:
    text = squash(body(gold.path))
    rows = [row.words for row in gold.sentences]
    rows += [row.words for row in gold.caveats]
    rows += [*gold.not_caveats, *gold.boilerplate]
    assert {words: text.count(words) for words in rows} == dict.fromkeys(rows, 1)


@pytest.mark.parametrize("gold", GOLD, ids=lambda gold: gold.path.name)
def test_a_sentence_is_covered_by_a_caveat_of_its_own_article(gold: GoldArticle) -> None:
    named = {row.caveat for row in gold.sentences if row.caveat}
    for words in named:
        assert any(words in caveat.words or caveat.words in words for caveat in gold.caveats)
    for caveat in gold.caveats:
        assert caveat.notice != any(words in caveat.words or caveat.words in words for words in named)


def test_no_two_questions_share_an_id() -> None:
    assert len(QUESTIONS) >= 60
    assert [name for name, times in Counter(q.id for q in QUESTIONS).items() if times > 1] == []


@pytest.mark.parametrize("golden", QUESTIONS, ids=lambda golden: golden.id)
def test_the_words_expected_stand_in_the_article_named(golden: Golden) -> None:
    texts = {path.name: squash(body(path)) for path in ARTICLES}
    for place in golden.answers:
        assert texts[place.article].count(place.words) == 1
    if golden.caveat:
        assert any(golden.caveat in texts[place.article] for place in golden.answers)


def test_a_slip_in_the_gold_is_named(tmp_path: Path) -> None:
    row = '[[articles]]\nfile = "a.md"\nsentences = [{ words = "x", speakers = ["y"] }]\n'
    rest = "caveats = []\nnot_caveats = []\nboilerplate = []\n"
    (tmp_path / "gold.toml").write_text(row + rest, encoding="utf-8")
    with pytest.raises(ValueError, match="speakers: unknown or missing"):
        load_gold(tmp_path)
