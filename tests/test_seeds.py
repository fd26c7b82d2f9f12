"""What comes out of the box, and what the tests read: articles say what they are, and questions and gold fit them."""

from collections import Counter
from datetime import date
from pathlib import Path

import msgspec
import pytest
import yaml

from bot.evaluation.golden import load, squash
from tests.support.gold import FIXTURES, GoldArticle, body, load_gold

SEEDS = Path(__file__).parent.parent / "seeds"
ARTICLES = tuple(sorted(p for p in SEEDS.iterdir() if p.suffix in {".md", ".txt"} and p.stem != "README"))
QUESTIONS = load(SEEDS / "questions.toml")
INVENTED = tuple(sorted((FIXTURES / "articles").glob("*.md")))
ASKED_OF_INVENTED = load(FIXTURES / "questions.toml")
GOLD = load_gold()


def _parts(path: Path) -> tuple[dict[str, object], str]:
    _, front, text = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(front), text


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.name)
def test_an_article_says_what_it_is_and_stands_in_the_readme(path: Path) -> None:
    front, _ = _parts(path)
    note = str(front["note"])
    assert note.startswith("Not a news report. Written for this project after ")
    assert note.endswith("in sentences of our own; the outlet named as its source does not exist.")
    assert isinstance(front["published"], date)
    outlet, _, mark = front["source"].partition(" (")
    assert mark == "invented sample)"  # which every source line shows
    assert f"| `{path.name}` | {outlet} |" in (SEEDS / "README.md").read_text(encoding="utf-8")


def test_the_articles_hold_the_difficulties_that_reports_come_with() -> None:
    """Glued sentences, hard line breaks, a literal backslash-n, run-in advertisements and links, a glued date."""
    texts = {path.name: _parts(path)[1] for path in ARTICLES}
    assert ". " not in texts["graves-and-talks.md"]
    assert ".ADVERTISEMENT" in texts["graves-and-talks.md"]
    assert ".Read | " in texts["graves-and-talks.md"]
    assert texts["bucha-condemned.md"].count(".\\n") == 2
    assert 'calling it their\n"last chance" before' in texts["last-chance-to-leave.txt"]
    assert texts["torture-room.md"].startswith(" date 2022-04-05 A ")


def test_no_two_questions_share_an_id() -> None:
    for questions in (QUESTIONS, ASKED_OF_INVENTED):
        assert len(questions) >= 60
        assert [name for name, times in Counter(q.id for q in questions).items() if times > 1] == []


def test_some_questions_have_no_answer_and_some_follow_up() -> None:
    """The golden questions try what a desk tries: near misses, idle questions, follow-ups, caveats due and not due."""
    assert sum(not q.answers for q in QUESTIONS) >= 10
    assert sum(q.previous is not None for q in QUESTIONS) >= 5
    assert sum(q.caveat is not None for q in QUESTIONS) >= 5
    assert sum(q.uncaveated for q in QUESTIONS) >= 20


def test_the_words_expected_stand_in_the_article_named() -> None:
    texts = {path.name: squash(_parts(path)[1]) for path in (*ARTICLES, *INVENTED)}
    for golden in (*QUESTIONS, *ASKED_OF_INVENTED):
        assert [texts[place.article].count(place.words) for place in golden.answers] == [1] * len(golden.answers), (
            golden
        )
        caveat = golden.caveat or ""
        assert not caveat or any(caveat in texts[place.article] for place in golden.answers), golden


def test_every_article_says_that_it_is_invented_and_has_its_gold() -> None:
    notes = [_parts(path)[0]["note"] for path in INVENTED]
    assert set(notes) == {"Invented for the tests; no such event, person or outlet."}
    assert sorted(gold.path for gold in GOLD) == list(INVENTED)


@pytest.mark.parametrize("gold", GOLD, ids=lambda gold: gold.path.name)
def test_the_words_of_a_row_stand_in_one_place_and_a_caveat_is_of_its_own_article(gold: GoldArticle) -> None:
    text = squash(body(gold.path))
    rows = [row.words for row in gold.sentences]
    rows += [row.words for row in gold.caveats]
    rows += [*gold.not_caveats, *gold.boilerplate]
    assert {words: text.count(words) for words in rows} == dict.fromkeys(rows, 1)
    named = {row.caveat for row in gold.sentences if row.caveat}
    for words in named:
        assert any(words in caveat.words or caveat.words in words for caveat in gold.caveats)
    for caveat in gold.caveats:
        assert caveat.notice != any(words in caveat.words or caveat.words in words for words in named)


def test_a_slip_in_the_gold_is_named(tmp_path: Path) -> None:
    row = '[[articles]]\nfile = "a.md"\nsentences = [{ words = "x", speakers = ["y"] }]\n'
    rest = "caveats = []\nnot_caveats = []\nboilerplate = []\n"
    (tmp_path / "gold.toml").write_text(row + rest, encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match=r"unknown field `speakers`.*sentences\[0\]"):
        load_gold(tmp_path)
