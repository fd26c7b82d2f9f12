"""What ``stet read`` and ``stet eval`` show a person: an article as the bot reads it, and how good its answers are.

Each sentence has its number, and its speaker in the margin; names are underlined. A sentence that a caveat covers has
the number of the caveat's own sentence, with a question mark where the caveat only may cover it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from adapters.json_contract import attributes
from adapters.terminal.text import plain
from bot import source_lines
from bot.evaluation.benchmarks import GROUP
from bot.evaluation.evaluate import Bin, Grade, Scores, Share, ThresholdScore, tenths
from retrieval import LeftOut, LeftOutKind, Passage, Reading, Voice

MARGIN = 26  # columns for the speaker


def draw_benchmark(shares: Mapping[str, Share]) -> str:
    """Draw the figures of a public test, one a line; those by layout or kind are in JSON alone."""
    drawn = ((name, share) for name, share in shares.items() if GROUP not in name)
    return "\n".join(f"{name}: {share.part} of {share.whole}, {_figure(share.value)}" for name, share in drawn)


def draw_reading(reading: Reading, left_out: Sequence[LeftOut] = (), *, explain: bool = False) -> RenderableType:
    """Draw an article, and what its file has beside its words.

    With ``explain``, also the rule behind each decision and the parts of each score.
    """
    grid = Table.grid(Column(justify="right", style="dim"), Column(width=MARGIN), Column(ratio=1), padding=(0, 2))
    for passage in reading.passages:
        index = passage.sentence.index
        grid.add_row(str(index), _margin(passage), _sentence(passage, reading))
        if explain:
            grid.add_row("", "", plain(_rules(passage), "dim italic"))
            for caveat in reading.caveats:
                for probability in (likely for at, likely in caveat.judgements if at == index):
                    grid.add_row("", "", plain(f"covered by [!{caveat.sentence}]: {probability:.2f}", "dim"))
    article = reading.article
    details = filter(None, (article.source, str(article.published or ""), article.author, article.url))
    head = plain(source_lines.heading(reading), "bold"), plain(" · ".join([*details, article.path]), "dim")
    beside = [plain(line, "dim") for line in left_out_lines(left_out)]
    return Group(*head, Text(), grid, *_foot(reading), *([Text(), *beside] if beside else ()), Text())


def left_out_lines(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Yield a line for each kind of what was left out of an article, with the words."""
    for kind in LeftOutKind:
        if words := " · ".join(dict.fromkeys(part.text for part in left_out if part.kind is kind)):
            yield f"Left out, {kind.replace('_', ' ')}: {words}"


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


def _foot(reading: Reading) -> Iterator[RenderableType]:
    for caveat in reading.caveats:
        words = " ".join(caveat.span.of(reading.article.text).split())
        who = f", by {caveat.verifier}" if caveat.verifier else ""
        covered = "the article as a whole" if caveat.is_notice else _numbers(caveat.covers)
        perhaps = f", perhaps {_numbers(caveat.possible)}" if caveat.possible else ""
        line = f"“{words}” ({caveat.kind}{who}) covers {covered}{perhaps}. Rule: {caveat.rule}"
        yield Text()
        yield plain(f"[!{caveat.sentence}] {line}", "yellow")


def _numbers(indexes: tuple[int, ...]) -> str:
    return f"{'sentence' if len(indexes) == 1 else 'sentences'} {', '.join(map(str, indexes))}"


def figures(scores: Scores) -> dict[str, Any]:
    """Return what ``stet eval --json`` prints. A share is [part, whole]."""
    pairs = {name: _pair(share) for name, share in scores.shares.items()}
    of_quotations = {name: pairs.pop(name) for name in ("caveats_given", "caveats_borrowed", "speakers_named")}
    return {
        "questions": scores.questions,
        **pairs,
        "confidence_auc": scores.calibration.auc,
        "calibration_error": scores.calibration.error,
        "reliability": [{"told": each.confidence, "right": _pair(each.right)} for each in scores.calibration.bins],
        **of_quotations,
        **attributes(scores, "extracts misquotes uncited"),
        "misses": [attributes(m.golden, "id question") | attributes(m, "faults shown") for m in scores.misses],
        "now": _point_figures(scores.now),
        "curve": [_point_figures(point) for point in scores.curve],
    }


def _pair(share: Share) -> list[int]:
    return [share.part, share.whole]


def _point_figures(point: ThresholdScore) -> dict[str, Any]:
    return {"threshold": point.threshold, "answered": _pair(point.answered), "right": _pair(point.right)}


def draw_scores(scores: Scores) -> RenderableType:
    table = Table.grid(Column(), Column(justify="right", style="bold"), Column(style="dim"), padding=(0, 2, 0, 0))
    for row in _rows(scores):
        table.add_row(*row)
    return Group(table, *_misses(scores.misses), *_reliability(scores.calibration.bins), *_curve(scores))


def _rows(scores: Scores) -> Iterator[tuple[str, str, str]]:
    shares = scores.shares
    yield "questions", str(scores.questions), ""
    yield _share("answered", shares["answered"], "that the articles answer")
    yield _share("right sentence first", shares["first"], "of those")
    yield _share("right sentence in the first three", shares["within_three"], "of those")
    yield _share("wrongly refused", shares["falsely_refused"], "of those")
    yield _share("answered with confidence", shares["sure"], "of those")
    yield _share("right when confident", shares["right_when_sure"], "confident answers, in the first three")
    unanswerable = "questions that the articles don't answer"
    yield _share("confident though unanswerable", shares["sure_though_unanswerable"], unanswerable)
    yield "confidence, AUC", _figure(scores.calibration.auc, ".2f"), "how often a right reply is surer than a wrong one"
    yield "calibration error", _figure(scores.calibration.error, ".2f"), "how far the confidence is off, in ten bins"
    yield _share("caveat given", shares["caveats_given"], "where it is due")
    yield _share("caveat borrowed", shares["caveats_borrowed"], "where none may be")
    yield _share("speaker named", shares["speakers_named"], "where the file names one")
    yield "misquotes", str(scores.misquotes), f"in {scores.extracts} sentences shown, with their caveats and context"
    yield "uncited", str(scores.uncited), ""


def _share(name: str, share: Share, of: str) -> tuple[str, str, str]:
    return name, _figure(share.value), f"{share.part} of {share.whole} {of}"


def _figure(value: float | None, form: str = ".1%") -> str:
    return "–" if value is None else format(value, form)


def _misses(misses: Sequence[Grade]) -> Iterator[RenderableType]:
    if misses:
        yield from (Text(), plain("Misses", "underline"))
    for miss in misses:
        yield plain(f"{', '.join(miss.faults)}: {miss.golden.id}: {miss.golden.question}")
        yield plain(f"    {miss.shown or 'nothing was shown'}", "dim")


def _reliability(bins: Sequence[Bin]) -> Iterator[RenderableType]:
    if bins:
        table = _columns("confidence", "right", "replies")
        for each in bins:
            table.add_row(_figure(each.confidence), _figure(each.right.value), str(each.right.whole))
        yield from (Text(), plain("Reliability: confidence against how often it was right", "underline"), table)


def _curve(scores: Scores) -> Iterator[RenderableType]:
    if scores.curve:
        table = _columns("shown from a confidence of", "questions answered", "answers right")
        table.add_column(style="dim")
        for point in tenths(scores.curve):
            table.add_row(*_point(point))
        table.add_row()
        table.add_row(*_point(scores.now), "today's setting")
        yield from (Text(), plain("Questions answered against answers right", "underline"), table)


def _columns(*names: str) -> Table:
    columns = (Column(name, justify="right") for name in names)
    return Table(*columns, box=None, pad_edge=False, padding=(0, 2, 0, 0))


def _point(point: ThresholdScore) -> tuple[str, str, str]:
    return f"{point.threshold:.2f}", _figure(point.answered.value), _figure(point.right.value)
