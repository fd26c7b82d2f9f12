"""``stet draw``, ``stet judge``: what is asserted is drawn, judged by reading, and counted."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from adapters.evaluation.judging import margin
from bot.evaluation import judging
from bot.evaluation.judging import Asserted, Verdict
from bot.evaluation.scores import Share
from retrieval.model import Article
from tests.adapters.terminal.test_cli import run
from tests.stock import FERRY, holdings

PIER = (
    "“The beams under the pier had been rotten for years,” said Orla Finch, the mayor.\n\nIt was built in 1902.\n\n"
    "“Nobody ever asked us what we knew about it.”\n\n"
    "Sudland accused Norland of sinking a ferry.\n\nNorland denied that it had sunk a ferry."
)
SUNK = Article(
    "sunk.txt", PIER.split("\n\n", 3)[3], title="A ferry sinks", source="The Bell", published=date(2031, 5, 9)
)


@pytest.fixture
def drawn(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a file with all that is asserted of the articles of a folder."""
    file = tmp_path / "drawn.txt"
    (folder / "pier.txt").write_text(PIER, encoding="utf-8")
    status, out, _ = run(capsys, "draw", str(file), "--articles", str(folder))
    assert (status, out.split()[0]) == (0, str(file.read_text(encoding="utf-8").count("\nVerdict:")))
    return file


def test_a_case_shows_what_is_printed_and_where_it_stands() -> None:
    """The sentence is marked, its neighbours stand around it, and its place is told by offsets."""
    (case,) = judging.draw(holdings([SUNK]), [Asserted.DENIAL], count=5, seed=1)
    words = SUNK.text[case.start : case.end]
    assert words == "Norland denied that it had sunk a ferry."
    assert case.lines == ("The Bell · 2031-05-09 · A ferry sinks", f"   [0] {SUNK.text[:43]}", f">> [1] {words}")
    assert case.said == "the sentence marked: A DENIAL BY Norland"


def test_every_kind_is_drawn(drawn: Path) -> None:
    """Each thing that is asserted of these articles, and none twice of one article."""
    heads = re.findall(r"^## (\w+) \d+ · (.+) \d+-\d+$", drawn.read_text(encoding="utf-8"), re.MULTILINE)
    of_articles = [head for head in heads if head[0] not in ("card", "merged")]
    assert {"speaker", "silence", "denial", "card", "verdict"} <= {kind for kind, _ in heads}
    assert len(of_articles) == len(set(of_articles))


def test_a_draw_can_be_drawn_again_and_another_is_another() -> None:
    """The same seed gives the same cases."""
    one, same = (tuple(judging.draw(holdings([FERRY]), [Asserted.SPEAKER], 9, seed=3)) for _ in range(2))
    others = {next(judging.draw(holdings([FERRY]), [Asserted.SPEAKER], 9, seed=seed)) for seed in range(9)}
    assert one == same
    assert len(others) > 1


def test_verdicts_become_figures_and_are_kept_by_place(drawn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what was judged counts; what is kept holds no word of an article; a later verdict replaces an earlier."""
    kept = drawn.with_name("kept.jsonl")
    text = drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: wrong", 1)
    drawn.write_text(text, encoding="utf-8")
    run(capsys, "judge", str(drawn), "--keep", str(kept))
    drawn.write_text(text.replace("Verdict: wrong", "Verdict: Right"), encoding="utf-8")
    status, out, _ = run(capsys, "judge", str(drawn), "--keep", str(kept), "--json")
    (row,) = (json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())
    assert status == 0
    assert json.loads(out)["speaker"] == {"right": [1, 1], "part": [0, 1], "wrong": [0, 1], "open": [0, 1]}
    assert list(row) == ["kind", "article_id", "start", "end", "verdict"]
    assert (row["kind"], row["verdict"]) == ("speaker", "right")


def test_figures_for_people_tell_how_far_they_can_be_trusted(drawn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A share stands with its margin; without a verdict there is none."""
    assert run(capsys, "judge", str(drawn))[1] == "No case has a verdict yet.\n"
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: right", 1), encoding="utf-8")
    assert run(capsys, "judge", str(drawn))[1].startswith("speaker: right 1 of 1 (0.21 to 1.00), part 0 of 1 (")


@pytest.mark.parametrize(
    ("share", "within"),
    [(Share(98, 100), (0.930, 0.994)), (Share(0, 10), (0.0, 0.278)), (Share(5, 10), (0.237, 0.763))],
)
def test_the_margin_is_wilsons(share: Share, within: tuple[float, float]) -> None:
    """As the formula gives it for well-known shares."""
    assert margin(share) == pytest.approx(within, abs=0.001)


def test_what_cannot_be_done_is_said(drawn: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A word that is no verdict, a kind that is none, a file that is there, one that is not."""
    again = run(capsys, "draw", str(drawn), "--articles", str(folder))
    drawn.write_text(drawn.read_text(encoding="utf-8").replace("Verdict:", "Verdict: good", 1), encoding="utf-8")
    unknown = run(capsys, "judge", str(drawn))
    kind = run(capsys, "draw", str(drawn.with_name("new")), "--kind", "rumour")
    missing = run(capsys, "judge", str(drawn.with_name("none")))
    assert [each[0] for each in (again, unknown, kind, missing)] == [2, 2, 2, 2]
    assert "File exists" in again[2]
    assert "a verdict is one of right, part, wrong, open" in unknown[2]
    assert "a kind is one of speaker, silence, denial" in kind[2]
    assert "cannot be read or written: No such file" in missing[2]


def test_every_verdict_is_read() -> None:
    """However it is written large or small."""
    text = "".join(f"## card {n} · a · b.txt 0-{n}\nVerdict: {word.upper()} \n" for n, word in enumerate(Verdict))
    assert [(one.article_id, one.end, one.verdict) for one in judging.read(text)] == [
        ("a · b.txt", n, word) for n, word in enumerate(Verdict)
    ]
