"""``python -m training.judging draw|judge``: a draw of what is printed beside sentences, for a reader to judge.

What is learned or tuned on a set is right on that set. What is printed beside quotations is therefore measured by
drawing it from articles that nobody looked at and having it judged by reading, by somebody who knows no rule of the
program. The draw is text with an empty "Verdict:" a case; the same text, filled in, gives the figures, and the verdicts
by place (article, offsets), which hold none of the articles' words.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import sqrt
from pathlib import Path
from typing import TextIO

import click

from adapters.articles import open_service
from adapters.settings import load
from bot import verbatim, verdicts
from bot.command import Library
from bot.commands.verify import check
from bot.evaluation.evaluate import Share
from bot.model import Check
from retrieval import Archive, Entity, Manner, Passage, Reading, Voice

SURE = 1.96  # standard deviations: 95 in 100 draws have the true share within
BEFORE, AFTER = 4, 2  # sentences shown around the one under question
CUT = 500  # characters of a sentence shown
QUOTED = re.compile(r"[“\"]([^“”\"]{30,400})[”\"]")
_HEAD = re.compile(r"## (?P<kind>[a-z]+) \d+ · (?P<article>.+) (?P<start>\d+)-(?P<end>\d+)")
_VERDICT = re.compile(r"Verdict: *(?P<verdict>\w*)")

GUIDE = """\
Judge each case by reading it, and write one word at its end, behind the colon.
right: it can be printed as it stands. part: the right one, but cut, mangled or only half of it.
wrong: printing it would call for a correction. open: two careful editors could differ.
Of kind "silence" nobody is named: right where nobody could be, wrong where the article tells who speaks.
Of kind "note" a caveat stands beside the reply: right where a reader needs it for the sentence marked.
"""


class Asserted(StrEnum):
    """What the program asserts beside a sentence, or of a name."""

    SPEAKER = "speaker"
    SILENCE = "silence"  # quotation marks, and nobody named
    DENIAL = "denial"
    CAVEAT = "caveat"
    NOTE = "note"  # a caveat that may cover the sentence
    CARD = "card"
    MERGED = "merged"  # two spellings taken for one name
    VERDICT = "verdict"  # what `verify` says of an exact quotation with its speaker


class Verdict(StrEnum):
    """What a reader thinks of a case."""

    RIGHT = "right"
    PART = "part"
    WRONG = "wrong"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Case:
    """Something asserted: where (half-open, in code points of the article), what, and the sentences around it."""

    kind: Asserted
    article_id: str
    start: int
    end: int
    said: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Judged:
    """A reader's verdict on a case, by its place."""

    kind: Asserted
    article_id: str
    start: int
    end: int
    verdict: Verdict


def draw(library: Library, kinds: Iterable[Asserted], count: int, seed: int) -> Iterator[Case]:
    """Yield at most ``count`` cases of each kind, at most one an article, the same for the same archive and seed.

    Cards and merged names are those of the names that stand in most articles.
    """
    archive = library.archive
    ids = sorted(article.id for article in archive.articles())
    for kind in kinds:
        chance = random.Random(f"{seed} {kind}")  # noqa: S311 - a draw that can be drawn again
        if kind in _OF_NAMES:
            yield from _of_names(archive, kind, count)
            continue
        chance.shuffle(ids)
        found = 0
        for article_id in ids:
            cases = [*_of_reading(library, archive.reading(article_id), kind)]
            if cases and found < count:
                found += 1
                yield chance.choice(cases)


def written(cases: Iterable[Case]) -> str:
    """Return cases as text to be judged."""
    parts = [GUIDE]
    for number, case in enumerate(cases, 1):
        head = f"## {case.kind} {number} · {case.article_id} {case.start}-{case.end}"
        parts.append("\n".join((head, *case.lines, f"Printed: {case.said}", "Verdict:", "")))
    return "\n".join(parts)


def read(text: str) -> tuple[Judged, ...]:
    """Return the verdicts of a text, empty ones left out; ``ClickException`` for a word that is none."""
    found: list[Judged] = []
    head: re.Match[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.fullmatch(line) or head
        told = _VERDICT.fullmatch(line.rstrip())
        if head is None or told is None or not told["verdict"]:
            continue
        try:
            kind, verdict = Asserted(head["kind"]), Verdict(told["verdict"].lower())
        except ValueError as error:
            raise click.ClickException(f"Line {number}: {error}; a verdict is one of {', '.join(Verdict)}.") from error
        found.append(Judged(kind, head["article"], int(head["start"]), int(head["end"]), verdict))
    return tuple(found)


def shares(judged: Sequence[Judged]) -> dict[Asserted, dict[Verdict, Share]]:
    """Return of each kind that was judged, how many had which verdict."""
    kinds = {kind: [one.verdict for one in judged if one.kind is kind] for kind in Asserted}
    return {
        kind: {verdict: Share(verdicts.count(verdict), len(verdicts)) for verdict in Verdict}
        for kind, verdicts in kinds.items()
        if verdicts
    }


def _of_reading(library: Library, reading: Reading, kind: Asserted) -> Iterator[Case]:
    for passage in reading.passages:
        if not passage.sentence.boilerplate:
            for said in _ASSERTED[kind](library, reading, passage):
                yield _case(reading, passage, kind, said)


def _case(reading: Reading, passage: Passage, kind: Asserted, said: str) -> Case:
    article, at, span = reading.article, passage.sentence.index, passage.sentence.span
    near = reading.passages[max(0, at - BEFORE) : at + AFTER + 1]
    lines = tuple(
        f"{'>>' if each is passage else '  '} [{each.sentence.index}] {_words(reading, each.sentence.index)}"
        for each in near
    )
    source = " · ".join(str(part) for part in (article.source, article.published, article.title) if part)
    return Case(kind, article.id, span.start, span.end, said, (source, *lines))


def _words(reading: Reading, index: int) -> str:
    return verbatim.collapse(reading.passages[index].sentence.span.of(reading.article.text))[:CUT]


def _speaker(_: Library, __: Reading, passage: Passage) -> Iterator[str]:
    told = passage.attribution
    if told and told.speaker:
        yield f"— {told.speaker}{', as reported' if told.manner is Manner.PARAPHRASED else ''}"


def _silence(_: Library, reading: Reading, passage: Passage) -> Iterator[str]:
    words = passage.sentence.span.of(reading.article.text)
    if not passage.speaker and (QUOTED.search(words) or passage.voice is Voice.UNRESOLVED):
        yield "nobody named"


def _denial(_: Library, __: Reading, passage: Passage) -> Iterator[str]:
    if passage.denial:
        yield f"the sentence marked: A DENIAL BY {passage.denial.speaker or 'somebody'}"


def _caveat(_: Library, reading: Reading, passage: Passage) -> Iterator[str]:
    return (f"on the sentence marked: NOT VERIFIED: {_words(reading, each.sentence)}" for each in passage.caveats)


def _note(_: Library, reading: Reading, passage: Passage) -> Iterator[str]:
    if not passage.caveats:
        for each in passage.possible_caveats:
            yield f"beside the sentence marked: this article also says: {_words(reading, each.sentence)}"


def _verdict(library: Library, reading: Reading, passage: Passage) -> Iterator[str]:
    quoted = QUOTED.search(passage.sentence.span.of(reading.article.text))
    if quoted and passage.voice is Voice.NAMED:
        asked = f"“{verbatim.collapse(quoted[1])}” — {passage.speaker}"
        reply = check(library, asked)
        if isinstance(reply, Check):
            yield f"{asked} → {verdicts.message(reply)}"


_ASSERTED: dict[Asserted, Callable[[Library, Reading, Passage], Iterator[str]]] = {
    Asserted.SPEAKER: _speaker,
    Asserted.SILENCE: _silence,
    Asserted.DENIAL: _denial,
    Asserted.CAVEAT: _caveat,
    Asserted.NOTE: _note,
    Asserted.VERDICT: _verdict,
}
_OF_NAMES = frozenset((Asserted.CARD, Asserted.MERGED))


def _of_names(archive: Archive, kind: Asserted, count: int) -> Iterator[Case]:
    known = sorted(archive.register().entities(), key=lambda entity: (-len(entity.articles), entity.name))
    wanted = known if kind is Asserted.CARD else [entity for entity in known if len(entity.variants) > 1]
    for entity in wanted[:count]:
        shown = [case for variant in entity.variants for case in _naming(archive, entity, variant)]
        if shown:
            first = shown[0]
            said = f"{entity.name}, {entity.kind}, also spelt {', '.join(entity.variants)}"
            lines = tuple(line for case in shown for line in case.lines)
            yield Case(kind, first.article_id, first.start, first.end, said, lines)


def _naming(archive: Archive, entity: Entity, variant: str) -> Iterator[Case]:
    """Yield the first sentence that names an entity by this spelling."""
    for article_id in entity.articles:
        reading = archive.reading(article_id)
        for passage in reading.passages:
            if any(
                mention.name == entity.name and mention.span.of(reading.article.text) == variant
                for mention in passage.mentions
            ):
                line = f"{variant}: [{article_id}] {_words(reading, passage.sentence.index)}"
                span = passage.sentence.span
                yield Case(Asserted.CARD, article_id, span.start, span.end, "", (line,))
                return


@click.group()
def cli() -> None:
    """Measure by readers' verdicts how often what is printed beside quotations is right."""


@cli.command("draw")
@click.argument("file", type=click.File("x", encoding="utf-8"))
@click.option("--articles", multiple=True, required=True, help="A file or folder of articles; repeatable.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice([*Asserted]), default=[*Asserted], help="Repeatable.")
@click.option("--count", default=60, type=click.IntRange(min=1), help="Draw so many of each kind.")
@click.option("--seed", default=1, help="Draw others.")
def draw_file(file: TextIO, articles: tuple[str, ...], kinds: tuple[str, ...], count: int, seed: int) -> None:
    """Draw what is printed beside sentences of the articles into FILE, which must be new."""
    service = open_service(replace(load(), articles=articles))
    cases = tuple(draw(service.library, map(Asserted, kinds), count, seed))
    file.write(written(cases))
    click.echo(f"{len(cases)} cases: write a verdict behind each.")


@cli.command("judge")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--keep", metavar="PLACES.jsonl", type=click.Path(path_type=Path), help="Keep the verdicts by place.")
def judge_file(file: TextIO, keep: Path | None) -> None:
    """Print the figures of a FILE that was drawn and judged."""
    judged = read(file.read())
    if keep:
        merge(keep, judged)
    for kind, told in shares(judged).items():
        click.echo(f"{kind}: " + ", ".join(f"{verdict} {_share(share)}" for verdict, share in told.items()))


def _share(share: Share) -> str:
    low, high = margin(share)
    return f"{share.part} of {share.whole} ({low:.2f} to {high:.2f})"


def margin(share: Share) -> tuple[float, float]:
    """Return within which shares the true one lies in 95 of 100 draws (Wilson's interval)."""
    n, p = share.whole, share.value or 0.0
    middle, wide = p + SURE**2 / (2 * n), SURE * sqrt(p * (1 - p) / n + SURE**2 / (4 * n**2))
    return max(0.0, (middle - wide) / (1 + SURE**2 / n)), min(1.0, (middle + wide) / (1 + SURE**2 / n))


def merge(file: Path, judged: Sequence[Judged]) -> None:
    """Add verdicts to those in ``file``, a line each, in order; the later verdict on a place replaces the earlier."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    by_place = {tuple(row.values())[:4]: row for row in (*rows, *map(asdict, judged))}
    lines = [json.dumps(by_place[place], ensure_ascii=False) for place in sorted(by_place)]
    file.write_text("\n".join((*lines, "")), encoding="utf-8")


if __name__ == "__main__":
    cli()
