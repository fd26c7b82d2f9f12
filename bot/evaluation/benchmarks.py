"""The public tests of ``stet eval NAME``: cases, one a line of JSON -> what the program does with each, in figures.

Caveats: a passage with a caveat, or with what looks like one: whether it is recognised, and which sentences it covers.
Cuts: a quotation cut out of a larger sentence: whether one that misleads is called exact, or an honest one isn't.
Premises: a question that takes something for granted, rightly or wrongly: whether the reply shows what is so.
Speakers: several people speak in turn: which sentences are given to the right one, and to nobody.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from bot.commands.comparison import Quoted, compare
from bot.errors import GoldenError
from bot.evaluation.evaluate import Share
from bot.evaluation.golden import json_rows
from bot.model import Answer, Question, Verdict
from bot.service import QuestionService
from retrieval import Article, Passage, Query, Reading, Span, open_archive, program_version, read_one, terms

BUNDLED = Path(str(files("bot.evaluation")))  # the folder of the cases that come with the program
ARTICLES = BUNDLED / "premises_articles.jsonl"  # that the questions of ``premises`` are asked of
GROUP = " · "  # between what was looked at and the layout or kind of the cases
SIMPLE = ", by the simple rule"
SAME = 0.4  # share of a labelled sentence that one of the program's must have, to be compared with it
CAVEATS = frozenset({"own", "relayed", "inline", "partial", "standing"})
LOOKALIKES = frozenset({"none", "verified"})  # the other kinds aren't scored: readers differ about them
BEFORE = 2  # sentences that the simple rule takes for covered
HONEST = "honest"
SEEN = 3  # extracts that are looked at
PROPOSED = 40  # sentences by which the simple rule chooses
TITLES = frozenset("a an the of mr mrs ms dr sir".split())

T = TypeVar("T")
Row = Mapping[str, Any]
Observation = tuple[str, bool]  # what was looked at, and whether it is so


def load_rows(path: Path, parse: Callable[[Row], T]) -> tuple[T, ...]:
    """Read a file of JSON lines; ``GoldenError`` says what is wrong, and where."""
    rows = list[T]()
    for place, row in json_rows(path):
        try:
            rows.append(parse(row))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GoldenError(f"{place}, is no case of this test: {error!r}.") from error
    if not rows:
        raise GoldenError(f"{path} has no case: each is a line of JSON.")
    return tuple(rows)


def figures(observations: Iterable[Observation]) -> dict[str, Share]:
    """Return of how many each thing is so, in order of name."""
    seen: dict[str, list[bool]] = {}
    for name, verdict in observations:
        seen.setdefault(name, []).append(verdict)
    return {name: Share(sum(verdicts), len(verdicts)) for name, verdicts in sorted(seen.items())}


def passages_at(reading: Reading, span: Span) -> tuple[Passage, ...]:
    """Return the passages with a good part of the sentence at ``span``, however the program cuts sentences."""
    parts = ((passage, passage.sentence.span) for passage in reading.passages)
    least = SAME * (span.end - span.start)
    return tuple(passage for passage, part in parts if min(part.end, span.end) - max(part.start, span.start) > least)


@dataclass(frozen=True, slots=True)
class CaveatCase:
    """``spans`` are those of the sentences; ``at``, ``covers`` and ``border`` (not scored) are indexes of them."""

    article: Article
    spans: tuple[Span, ...]
    at: int
    kind: str
    covers: frozenset[int]
    border: frozenset[int]

    @classmethod
    def of(cls, row: Row) -> CaveatCase:
        text, spans, ends = "", list[Span](), set(row["paragraph_ends"])
        for index, sentence in enumerate(row["sentences"]):
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += sentence + ("\n\n" if index in ends else " ")
        spans[row["at"]]  # IndexError
        article = Article(row["id"], text.rstrip(), title=row.get("title") or None, source=row.get("source") or None)
        kind = "soft" if row.get("soft") else row["kind"]
        return cls(article, tuple(spans), row["at"], kind, frozenset(row["covers"]), frozenset(row["border"]))


def observe_caveat(case: CaveatCase) -> Iterator[Observation]:
    """Read the passage as an article of its own. The simple rule is told which sentence is the caveat."""
    reading = read_one(case.article)
    places = [passages_at(reading, span) for span in case.spans]
    is_recognised = any(passage.is_caveat for passage in places[case.at])
    if case.kind in LOOKALIKES:
        yield "no caveat, taken for one", is_recognised
    if case.kind not in CAVEATS:
        return
    yield "caveats recognised", is_recognised
    here = {passage.sentence.index for passage in places[case.at]}
    for index, passages in enumerate(places):
        if index in case.border or (index == case.at and index not in case.covers):
            continue
        within = index == case.at and is_recognised  # its own words are beside the claim
        sure = within or any(caveat.sentence in here for passage in passages for caveat in passage.caveats)
        may = any(caveat.sentence in here for passage in passages for caveat in passage.possible_caveats)
        due = "sentences covered" if index in case.covers else "sentences covered wrongly"
        yield due, sure
        yield f"{due}, or noted", sure or may
        yield f"{due}, by the simple rule", case.at - BEFORE <= index <= case.at


def parse_cut(row: Row) -> tuple[str, str, str]:
    """Return a sentence, a part of it, word for word, and "honest", or how the part misleads."""
    if row["cut"] not in row["sentence"]:
        raise ValueError(f"the cut is not in its sentence: {row['cut']}")
    return row["sentence"], row["cut"], row["kind"]


def observe_cut(case: tuple[str, str, str]) -> Iterator[Observation]:
    """Check the cut against its own sentence alone."""
    sentence, cut, kind = case
    check = compare(open_archive([read_one(Article("cut", sentence))]), Quoted(cut))
    is_exact = check.verdict is Verdict.EXACT
    if kind == HONEST:
        yield "honest, flagged", not is_exact
    else:
        yield "misleading, called exact", is_exact


Premise = tuple[str, bool, Sequence[str]]


def parse_premise(row: Row) -> Premise:
    """Return a question, whether what it takes for granted is so, and the words of what answers or corrects it."""
    words = [_bare(answer["must_contain"]) for answer in row["answers"]]
    return row["question"], {"true": True, "false": False}[row["premise"]], words


def observe_premise(service: QuestionService, premise: Premise) -> Iterator[Observation]:
    """Ask the question. The simple rule shows the sentence with the best BM25."""
    question, is_true, words = premise
    reply = service.answer(Question(question))
    extracts = reply.extracts[:SEEN] if isinstance(reply, Answer) else ()
    texts = [f"{part.before.text if part.before else ''} {part.text}" for part in extracts]
    archive, query = service.library.archive, Query(tuple((term, 1.0) for term in dict.fromkeys(terms(question))))
    best = max(archive.search(query, PROPOSED), key=lambda hit: hit.sentence, default=None)
    texts.append(best.passage.sentence.span.of(archive.article(best.article_id).text) if best else "")
    *met, by_rule = [any(each in _bare(text) for each in words) for text in texts]
    is_sure = isinstance(reply, Answer) and reply.sure
    what = "true premises, answered" if is_true else "false premises, corrected"
    yield f"{what} first", met[:1] == [True]
    yield f"{what} by one of three", any(met)
    yield f"{what} first, by the simple rule", by_rule
    if is_true:
        yield "true premises, called an answer", is_sure
    else:
        yield "false premises, called an answer without a correction", is_sure and not any(met)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


SpeakerCase = tuple[Article, Sequence[tuple[Span, str | None]]]


def parse_speakers(row: Row) -> SpeakerCase:
    """Return the sentences, each with the fullest name or description of its speaker in the text, None for nobody."""
    text, end, sentences = row["text"], 0, list[tuple[Span, str | None]]()
    for sentence in row["sentences"]:
        start = text.index(sentence["text"], end)
        end = start + len(sentence["text"])
        if sentence["sure"]:
            sentences.append((Span(start, end), sentence["speaker"]))
    return Article(row["id"], text), sentences


def observe_speakers(case: SpeakerCase) -> Iterator[Observation]:
    """Read the stretch as an article of its own. The simple rule takes the speaker who was named last."""
    article, sentences = case
    reading = read_one(article)
    everybody = sorted({speaker for _, speaker in sentences if speaker})
    for span, speaker in sentences:
        named = [passage.speaker for passage in passages_at(reading, span) if passage.speaker]
        so_far = article.text[: span.end]
        places = ((max(so_far.rfind(name), so_far.rfind(name.split()[-1])), name) for name in everybody)
        place, last = max(places, default=(-1, ""))
        if speaker is None:
            yield "a speaker where nobody speaks", bool(named)
            yield "a speaker where nobody speaks, by the simple rule", place >= 0
            continue
        whole, shown = _words(speaker), [_words(name) for name in named]
        is_right = any(words <= whole or whole <= words for words in shown if words)
        yield "the right speaker", is_right
        yield "another speaker", bool(named) and not is_right
        yield "no speaker though the text names one", not named
        yield "the right speaker, by the simple rule", place >= 0 and last == speaker
        if is_right:
            yield "right ones with the whole name", whole in shown


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w'-]+", name.lower().replace("’", "'"))) - TITLES


BENCHMARKS: Mapping[str, tuple[Callable[[Row], Any], Callable[..., Iterator[Observation]]]] = {
    "caveats": (CaveatCase.of, observe_caveat),
    "cuts": (parse_cut, observe_cut),
    "premises": (parse_premise, observe_premise),
    "speakers": (parse_speakers, observe_speakers),
}


def run_benchmark(name: str, file: Path | None, service: Callable[[], QuestionService]) -> dict[str, Share]:
    """Run the test on the cases of ``file``, or on its own; ``service`` is for the one that asks."""
    parse, observe = BENCHMARKS[name]
    rows = load_rows(file or BUNDLED / f"{name}.jsonl", lambda row: (parse(row), row.get("layout") or row.get("kind")))
    if name == "premises":
        observe = partial(observe, service())
    seen = [(what, group, verdict) for case, group in rows for what, verdict in observe(case)]
    # of all cases, and of those of each layout or kind
    grouped = ((f"{what}{GROUP}{group}", so) for what, group, so in seen if group and not what.endswith(SIMPLE))
    return figures([*((what, verdict) for what, _, verdict in seen), *grouped])


def record(name: str, file: Path | None, shares: Mapping[str, Share]) -> dict[str, object]:
    """Return the figures with the day, and the digests of the cases, the models and the rest of the reading program."""
    cases = (file,) if file else sorted(BUNDLED.glob(f"{name}*.jsonl"))
    models = sorted(Path(str(files("retrieval"))).glob("models/*/*.onnx"))
    return {
        "test": name,
        "day": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
        "program": program_version(),
        "digests": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*cases, *models)},
        "figures": {what: (share.part, share.whole) for what, share in shares.items()},
    }


def _commit() -> str:
    """Return the commit that the program is a checkout of, with a plus where files differ from it; else nothing."""
    command = ("git", "-C", str(BUNDLED), "describe", "--always", "--exclude=*", "--abbrev=8", "--dirty=+")
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""
