"""Reading -> text for a person: the article as the bot reads it, marked up.

Each sentence has its number, and its speaker in the margin; names are underlined. A sentence that a caveat covers has
the number of the caveat's own sentence, with a question mark where the caveat only may cover it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adapters.terminal.text import plain
from bot import source_lines
from retrieval import Caveat, LeftOut, LeftOutKind, Passage, Reading, Voice

MARGIN = 26  # columns for the speaker


def draw_reading(reading: Reading, left_out: Sequence[LeftOut] = (), *, explain: bool = False) -> RenderableType:
    """Draw an article, and what its file has beside its words.

    With ``explain``, also the rule behind each decision and the parts of each score.
    """
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim")
    grid.add_column(width=MARGIN)
    grid.add_column(ratio=1)
    for passage in reading.passages:
        index = passage.sentence.index
        grid.add_row(str(index), _margin(passage), _sentence(passage, reading))
        if explain:
            grid.add_row("", "", plain(_rules(passage), "dim italic"))
            for line in _scope_scores(index, reading):
                grid.add_row("", "", plain(line, "dim"))
    beside = [plain(line, "dim") for line in left_out_lines(left_out)]
    return Group(*_head(reading), grid, *_foot(reading), *([Text(), *beside] if beside else ()), Text())


def left_out_lines(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Yield a line for each kind of what was left out of an article, with the words."""
    for kind in LeftOutKind:
        if words := " · ".join(dict.fromkeys(part.text for part in left_out if part.kind is kind)):
            yield f"Left out, {kind.replace('_', ' ')}: {words}"


def _head(reading: Reading) -> Iterator[RenderableType]:
    article = reading.article
    details = [article.source, str(article.published or ""), article.author, article.url]
    yield plain(source_lines.heading(reading), "bold")
    yield plain(" · ".join([*filter(None, details), article.path]), "dim")
    yield Text()


def _margin(passage: Passage) -> Text:
    if passage.sentence.boilerplate:
        return plain(f"({passage.sentence.boilerplate})", "dim")
    if passage.voice is Voice.OUTLET:
        return Text()
    return plain(passage.speaker or f"[{passage.voice}]", "cyan" if passage.speaker else "magenta")


def _sentence(passage: Passage, reading: Reading) -> Text:
    span = passage.sentence.span
    text = plain(span.of(reading.article.text).replace("\n", " "), "dim" if passage.sentence.boilerplate else "")
    if len(text) == span.end - span.start:  # control characters are drawn as codes, which shift the offsets
        for mention in passage.mentions:
            text.stylize("underline", mention.span.start - span.start, mention.span.end - span.start)
    for caveat in passage.caveats:
        text.append(f"  [!{caveat.sentence}]", "bold yellow")
    for caveat in passage.possible_caveats:
        text.append(f"  [?{caveat.sentence}]", "yellow")
    if passage.denial:
        text.append("  [denies]", "red")
    return text


def _rules(passage: Passage) -> str:
    rules = [
        ("sentence", passage.sentence.rule),
        ("voice", passage.attribution.rule if passage.attribution else ""),
        ("denial", passage.denial.rule if passage.denial else ""),
        *(("name", f"{mention.name}: {mention.kind}, {mention.rule}") for mention in passage.mentions),
        *(("caveat", f"{caveat.kind}, {caveat.rule}") for caveat in passage.caveats),
    ]
    return "; ".join(f"{what}: {rule}" for what, rule in rules if rule)


def _scope_scores(index: int, reading: Reading) -> Iterator[str]:
    """Yield how likely each caveat covers the sentence, and what each feature adds, the largest first."""
    for caveat in reading.caveats:
        for judgement in caveat.judgements:
            if judgement.sentence == index:
                parts = sorted(judgement.parts, key=lambda part: -abs(part[1]))
                sums = ", ".join(f"{name} {value:+.2f}" for name, value in parts)
                yield f"covered by [!{caveat.sentence}]: {judgement.probability:.2f} ({sums})"


def _foot(reading: Reading) -> Iterator[RenderableType]:
    for caveat in reading.caveats:
        words = " ".join(caveat.span.of(reading.article.text).split())
        who = f", by {caveat.verifier}" if caveat.verifier else ""
        line = f"“{words}” ({caveat.kind}{who}) covers {_scope(caveat)}. Rule: {caveat.rule}"
        yield Text()
        yield plain(f"[!{caveat.sentence}] {line}", "yellow")


def _scope(caveat: Caveat) -> str:
    covered = "the article as a whole" if caveat.is_notice else _numbers(caveat.covers)
    return f"{covered}, perhaps {_numbers(caveat.possible)}" if caveat.possible else covered


def _numbers(indexes: tuple[int, ...]) -> str:
    return f"{'sentence' if len(indexes) == 1 else 'sentences'} {', '.join(map(str, indexes))}"
