"""What is asserted is drawn, judged by reading, and counted."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.evaluation.evaluate import Share
from retrieval.model import Article
from tests.stock import FERRY, holdings
from training import judging
from training.judging import Asserted, Verdict, cli, margin

PIER = (
    "A crowd stood in the port. “Nobody ever asked us what we knew about it.” The pier was built in 1902.\n\n"
    "“The beams under the pier had been rotten for years,” said Orla Finch, the mayor.\n\n"
    "Sudland accused Norland of sinking a ferry.\n\nNorland denied that it had sunk a ferry."
)
SUNK = Article(
    "sunk.txt", PIER.split("\n\n", 2)[2], title="A ferry sinks", source="The Bell", published=date(2031, 5, 9)
)


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    return result.exit_code, result.output


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    file, article = tmp_path / "drawn.txt", tmp_path / "pier.txt"
    article.write_text(PIER, encoding="utf-8")
    status, out = run("draw", str(file), "--articles", str(article))
    assert (status, out.split()[0]) == (0, str(file.read_text(encoding="utf-8").count("\nVerdict:")))
    return file


def test_a_case_shows_what_is_printed_and_where_it_stands() -> None:
    (case,) = judging.draw(holdings([SUNK]), [Asserted.DENIAL], count=5, seed=1)
    words = SUNK.text[case.start : case.end]
    assert words == "Norland denied that it had sunk a ferry."
    assert case.lines == ("The Bell · 2031-05-09 · A ferry sinks", f"   [0] {SUNK.text[:43]}", f">> [1] {words}")
    assert case.said == "the sentence marked: A DENIAL BY Norland"


def test_every_kind_is_drawn(drawn: Path) -> None:
    heads = re.findall(r"^## (\w+) \d+ · (.+) \d+-\d+$", drawn.read_text(encoding="utf-8"), re.MULTILINE)
    of_articles = [head for head in heads if head[0] not in ("card", "merged")]
    assert {"speaker", "silence", "denial", "card", "verdict"} <= {kind for kind, _ in heads}
    assert len(of_articles) == len(set(of_articles))


def test_a_draw_can_be_drawn_again_and_another_is_another() -> None:
    one, same = (tuple(judging.draw(holdings([FERRY]), [Asserted.SPEAKER], 9, seed=3)) for _ in range(2))
    others = {next(judging.draw(holdings([FERRY]), [Asserted.SPEAKER], 9, seed=seed)) for seed in range(9)}
    assert one == same
    assert len(others) > 1


def test_verdicts_are_kept_by_place(drawn: Path) -> None:
    kept = drawn.with_name("kept.jsonl")
    text = drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: wrong", 1)
    drawn.write_text(text, encoding="utf-8")
    run("judge", str(drawn), "--keep", str(kept))
    drawn.write_text(text.replace("Verdict: wrong", "Verdict: Right"), encoding="utf-8")
    run("judge", str(drawn), "--keep", str(kept))
    (row,) = (json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())
    assert list(row) == ["kind", "article_id", "start", "end", "verdict"]
    assert (row["kind"], row["verdict"]) == ("speaker", "right")


def test_figures_for_people_tell_how_far_they_can_be_trusted(drawn: Path) -> None:
    assert run("judge", str(drawn)) == (0, "")
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: right", 1), encoding="utf-8")
    assert run("judge", str(drawn))[1].startswith("speaker: right 1 of 1 (0.21 to 1.00), part 0 of 1 (")


@pytest.mark.parametrize(
    ("share", "within"),
    [(Share(98, 100), (0.930, 0.994)), (Share(0, 10), (0.0, 0.278)), (Share(5, 10), (0.237, 0.763))],
)
def test_the_margin_is_wilsons(share: Share, within: tuple[float, float]) -> None:
    assert margin(share) == pytest.approx(within, abs=0.001)


def test_what_is_no_verdict_is_refused(drawn: Path) -> None:
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: good", 1), encoding="utf-8")
    status, out = run("judge", str(drawn))
    assert status == 1
    assert "a verdict is one of right, part, wrong, open" in out


def test_every_verdict_is_read() -> None:
    text = "".join(f"## card {n} · a · b.txt 0-{n}\nVerdict: {word.upper()} \n" for n, word in enumerate(Verdict))
    assert [(one.article_id, one.end, one.verdict) for one in judging.read(text)] == [
        ("a · b.txt", n, word) for n, word in enumerate(Verdict)
    ]
