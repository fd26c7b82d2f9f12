"""Files of golden questions: questions with their right answers.

A TOML file has the keys that ``seeds/README.md`` describes, and no others. A ``.jsonl`` file has a question a line,
under those keys or their longer names (``LONGER``); other keys are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import TypeVar

from bot.errors import GoldenError
from retrieval import BATCH, ArticleError, decode, read_bytes, read_json, read_toml, shown

KEYS = frozenset({"id", "question", "previous", "answers", "speaker", "caveat"})
LONGER = {"doc": "article", "must_contain": "words", "speaker_any": "speaker"}
WANTED: dict[type, str] = {dict: "keys and values are", list: "a list is", str: "words are"}

Row = Mapping[str, object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted:
    article: str
    words: str


@dataclass(frozen=True, slots=True)
class Golden:
    """A question with its answers; without ``answers``, the articles do not say.

    One of the names in ``speaker`` must be shown, and the words of ``caveat``; with ``uncaveated``, no caveat may be.
    """

    id: str
    question: str
    previous: str | None
    answers: tuple[Wanted, ...]
    speaker: tuple[str, ...]
    caveat: str | None
    uncaveated: bool

    def is_answered_by(self, article: str, text: str) -> bool:
        return any(wanted.article == article and wanted.words in squash(text) for wanted in self.answers)


def squash(text: str) -> str:
    """Return ``text`` with white space collapsed, and a literal backslash-n dropped."""
    return " ".join(text.replace("\\n", " ").split())


def load(path: Path) -> tuple[Golden, ...]:
    """Return the questions of the file, in order; ``GoldenError`` says what is wrong, and where."""
    rows: Iterable[object]
    if path.suffix == ".jsonl":
        rows = starmap(_shortened, json_rows(path))
    else:
        try:
            rows = _of(list, str(path), read_toml(_text(path)).get("questions", []))
        except ArticleError as error:
            raise GoldenError(f"{path}: {error}") from error
    golden = tuple(_golden(_of(dict, str(path), row)) for row in rows)
    if not golden:
        raise GoldenError(f"{path} has no question: each begins with [[questions]] in TOML, or is a line of JSON.")
    if twice := [name for name, times in Counter(each.id for each in golden).items() if times > 1]:
        raise GoldenError(f"{path} has more than one question called {', '.join(twice)}.")
    return golden


def json_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Yield the objects of a file of JSON lines, each with its place; ``GoldenError`` as ``load`` raises it."""
    for number, line in enumerate(_text(path).split("\n"), 1):  # JSON may contain U+2028 and other line ends
        place = f"{path}, line {number}"
        if line.strip():
            try:
                row = read_json(line)
            except ArticleError as error:
                raise GoldenError(f"{place}: {error}") from error
            yield place, _of(dict, place, row)


def _text(path: Path) -> str:
    try:
        return decode(read_bytes(path, BATCH))
    except ArticleError as error:
        raise GoldenError(f"{path} cannot be read. {error}") from error


def _shortened(place: str, row: Row) -> Row:
    """Return the row of a line with the keys of a TOML file, without other keys."""
    short = {LONGER.get(key, key): value for key, value in row.items() if value is not None}
    known = {key: value for key, value in short.items() if key in KEYS and key != "caveat"}
    answers = [_of(dict, place, answer) for answer in _of(list, place, short.get("answers", []))]
    known["answers"] = [{LONGER.get(key, key): value for key, value in answer.items()} for answer in answers]
    if not short.get("borderline") and ("caveat" in short or short.get("must_not_caveat") is True):
        # words, an object that contains them, or that there is none
        caveat = short.get("caveat", False)
        known["caveat"] = caveat.get("must_contain") if isinstance(caveat, Mapping) else caveat
    return known


def _golden(row: Row) -> Golden:
    name = row.get("id")
    if not isinstance(name, str) or not name:
        raise GoldenError(f"a question without an id: {shown(row.get('question'))}")
    if unknown := row.keys() - KEYS:
        raise GoldenError(f"{name}: no such key: {', '.join(sorted(unknown))}")
    caveat = row.get("caveat", "")
    if caveat is not False and not isinstance(caveat, str):
        raise GoldenError(f"{name}: a caveat is words, or false")
    return Golden(
        id=name,
        question=_of(str, name, row.get("question")),
        previous=_of(str, name, row["previous"]) if "previous" in row else None,
        answers=tuple(_wanted(name, answer) for answer in _of(list, name, row.get("answers"))),
        speaker=tuple(_of(str, name, speaker) for speaker in _of(list, name, row.get("speaker", []))),
        caveat=squash(caveat) or None if caveat is not False else None,
        uncaveated=caveat is False,
    )


def _wanted(name: str, answer: object) -> Wanted:
    if not isinstance(answer, Mapping) or answer.keys() != {"article", "words"}:
        raise GoldenError(f"{name}: an answer is an article and words, not {shown(answer)}")
    return Wanted(_of(str, name, answer["article"]), squash(_of(str, name, answer["words"])))


def _of(kind: type[T], place: str, value: object) -> T:
    """Return ``value`` if it is of that kind, and words not blank; ``GoldenError`` names the place where it isn't."""
    if not isinstance(value, kind) or (isinstance(value, str) and not value.strip()):
        raise GoldenError(f"{place}: {WANTED[kind]} wanted, not {shown(value)}")
    return value
