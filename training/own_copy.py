"""The copy written for this project's tests, with what an editor says of it -> rows to learn scope on."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.caveats.detection import CaveatCandidate
from retrieval.caveats.scope import CaveatContext
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from tests.retrieval.passages import CAVEATS, text_of
from tests.support.gold import FIXTURES, GoldSentence, load_gold
from training.passages import Row, judged_rows, scenes_in, squash

Pair = tuple[CaveatCandidate, CaveatContext]


def own_copy() -> tuple[Row, ...]:
    """Return the rows of the articles in ``tests/fixtures`` and of our own passages."""
    return (*_of_fixtures(), *_of_passages())


def _of_fixtures() -> Iterator[Row]:
    articles = {article.path.rsplit("/", 1)[-1]: article for article in load_articles([FIXTURES / "articles"]).articles}
    for gold in load_gold():
        for pair in scenes_in(articles[gold.path.name]):
            yield from judged_rows(gold.path.name, f"{gold.path.name} {pair[1].at}", pair, _gold(pair, gold.sentences))


def _gold(pair: Pair, sentences: tuple[GoldSentence, ...]) -> Iterator[tuple[int, bool]]:
    """Give each sentence of which gold says that this caveat covers it, or that none does."""
    scene = pair[1]
    own = squash(scene.own.text)
    for footing in scene.ground:
        row = next((row for row in sentences if row.words in squash(footing.text)), None)
        if row and row.uncovered:
            yield footing.index, False
        elif row and row.caveat:
            yield footing.index, row.caveat in own


def _of_passages() -> Iterator[Row]:
    for name, lines in CAVEATS.items():
        for pair in scenes_in(Article("a", text_of(lines))):
            yield from judged_rows(name, f"{name} {pair[1].at}", pair, _marked(pair, lines))


def _marked(pair: Pair, lines: list[str]) -> Iterator[tuple[int, bool]]:
    """Give each sentence as it is marked, up to the next caveat on either side, which has marks of its own."""
    scene = pair[1]
    for footing in scene.ground:
        marks = [line[0] for line in lines if line and squash(line[2:]) in squash(footing.text)]
        others = any(f.holds_caveat for f in scene.between(footing.index))
        if marks and marks[0] in "+-":
            yield footing.index, marks[0] == "+" and not others
