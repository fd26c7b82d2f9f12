"""Who said it and where it stands, in a line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import source_lines, verbatim
from bot.model import Citation
from retrieval.model import Article, Voice
from tests.stock import holdings


@pytest.mark.parametrize(
    ("speaker", "said"),
    [
        ("A reporter for the Echo", "Seen by a reporter for the Echo"),
        ("Reporters from the Quill", "Seen by reporters from the Quill"),
        ("Echo journalists", "Seen by Echo journalists"),
        ("Anatol Reyes", "Seen by Anatol Reyes"),
        (None, "Seen by reporters"),
    ],
)
def test_who_saw_it_runs_on_in_the_sentence(speaker: str | None, said: str) -> None:
    extract = verbatim.extract(holdings().archive, "ferry.txt", 0)
    assert extract is not None
    assert source_lines.speaker(replace(extract, voice=Voice.OBSERVED, speaker=speaker)) == said


@pytest.mark.parametrize(
    "word",
    """a an the two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen our its several reporters journalists correspondents""".split(),
)
def test_an_opener_loses_its_capital_inside_a_sentence(word: str) -> None:
    assert source_lines.said_by(Voice.OBSERVED, f"{word.title()} Norfar", None) == f"Seen by {word} Norfar"
    assert source_lines.said_by(Voice.OBSERVED, "One Nation", None) == "Seen by One Nation"


def cited() -> Citation:
    citation = verbatim.article(holdings().archive, "ferry.txt")
    assert citation is not None
    return citation


def test_what_is_not_known_of_an_article_is_said() -> None:
    stamp = "Page last updated at 10:20 GMT, Tuesday, 4 May 2010"
    text = f"{stamp} The old ferry sank off the island before anybody had woken up."
    archive = holdings([Article("a.txt", text)]).archive
    cited = verbatim.article(archive, "a.txt")
    assert cited is not None
    made_up = "“The old ferry sank off the island before anybody had woken …”"
    assert source_lines.source(cited) == f"Outlet not named · {made_up}"
    assert source_lines.titled(cited) == f"{made_up} · a.txt"
    assert source_lines.heading(archive.reading("a.txt")) == made_up
