"""Articles and how they are read, in the tables of ``readings/``.

A table's heading names what is told of a reading, and says what is true of the articles below it. Each row is an
article's text and what is told of it, with " / " between sentences.
To see what a text of your own reads as: ``python -m tests.retrieval.test_readings speakers TEXT``.
"""

import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from retrieval.model import Article, Passage, Reading, Voice
from retrieval.pipeline import read_one
from retrieval.text.blocks import find_blocks
from retrieval.text.quotations import find_marks

FOLDER = Path(__file__).with_name("readings")


def _each(tell: Callable[[Passage], str]) -> Callable[[Reading], str]:
    return lambda reading: " / ".join(map(tell, reading.passages))


def _speaker(passage: Passage) -> str:
    if passage.speaker is None:
        return str(passage.voice)
    return passage.speaker if passage.voice is Voice.NAMED else f"{passage.speaker} ({passage.voice})"


def _mark(passage: Passage) -> str:
    marks = (("=", passage.is_caveat), ("+", passage.caveats), ("?", passage.possible_caveats))
    return "".join(mark for mark, holds in marks if holds) or "-"


def _caveats(reading: Reading) -> Iterable[str]:
    for caveat in reading.caveats:
        words = caveat.span.of(reading.article.text)
        yield f"{caveat.kind}, {caveat.verifier}: {words}" if caveat.verifier else f"{caveat.kind}: {words}"


def _names(reading: Reading) -> Iterable[str]:
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        role = f", {mention.role.of(reading.article.text)}" if mention.role else ""
        yield f"{mention.kind} {mention.name} ({mention.rule}{role})"


def _words(reading: Reading) -> Iterable[str]:
    return (" ".join(passage.sentence.span.of(reading.article.text).split()) for passage in reading.passages)


def _reasons(reading: Reading) -> Iterable[str]:
    said = (passage.attribution for passage in reading.passages)
    return (each.anonymity.of(reading.article.text) if each and each.anonymity else "-" for each in said)


def _quoted(text: str) -> Iterable[str]:
    return (quotation.span.of(text) for quotation in find_marks(text, find_blocks(text)).quotations)


TELL: dict[str, Callable[[Reading], str]] = {
    "speakers": _each(_speaker),
    "denials": _each(lambda passage: (passage.denial.speaker or "somebody") if passage.denial else "-"),
    "anonymity": lambda reading: " / ".join(_reasons(reading)),
    "found": lambda reading: str(len(reading.caveats)),
    "caveats": lambda reading: "; ".join(_caveats(reading)),
    "covered": _each(_mark),
    "names": lambda reading: "; ".join(_names(reading)),
    "sentences": lambda reading: " / ".join(_words(reading)),
    "furniture": _each(lambda passage: str(passage.sentence.boilerplate or "report")),
    "quoted": lambda reading: " | ".join(_quoted(reading.article.text)),
    "blocks": lambda reading: " | ".join(block.of(reading.article.text) for block in find_blocks(reading.article.text)),
    "quotations": _each(lambda passage: str(passage.sentence.quotation)),
}


def read(text: str) -> Reading:
    return read_one(Article("a", text, source="The Courier"))


def rows() -> Iterator[object]:
    for file in sorted(FOLDER.glob("*.toml")):
        for tells, truths in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for says, texts in truths.items():
                yield pytest.param(tells, texts, id=f"{file.stem}: {says}")


@pytest.mark.parametrize(("tells", "texts"), tuple(rows()))
def test_an_article_is_read_as_its_table_says(tells: str, texts: dict[str, str]) -> None:
    assert {text: TELL[tells](read(text)) for text in texts} == texts


if __name__ == "__main__":
    sys.stdout.write("".join(f"{TELL[sys.argv[1]](read(text))}\n" for text in sys.argv[2:]))
