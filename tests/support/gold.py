"""What is right about the articles in ``tests/fixtures``: a TOML file in, frozen rows out.

A row names a sentence by words that stand in it alone; where a word of it is free, nothing is judged.
The format is described in ``tests/fixtures/README.md``; ``ValueError`` names the words of the row that breaks it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.evaluation.golden import squash
from retrieval.model import Caveat, CaveatKind, Passage, Reading, Voice

FIXTURES = Path(__file__).parents[1] / "fixtures"
ARTICLE_KEYS = {"file", "sentences", "caveats", "not_caveats", "boilerplate"}
SENTENCE_KEYS = {"words", "voice", "speaker", "caveat", "denial"}
CAVEAT_KEYS = {"words", "kind", "verifier", "notice"}


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A sentence by some of its ``words``; what is empty or none is not judged.

    ``voices`` and ``speakers`` are those of which one is right.
    ``caveat`` are words of the caveat that covers it; ``uncovered`` says that none may.
    """

    words: str
    voices: tuple[Voice, ...]
    speakers: tuple[str, ...]
    caveat: str | None
    uncovered: bool
    denial: bool | None


@dataclass(frozen=True, slots=True)
class GoldCaveat:
    """An outlet's caveat by some of its ``words``; ``verifiers`` are the names of which one must be given."""

    words: str
    kind: CaveatKind
    verifiers: tuple[str, ...]
    notice: bool


@dataclass(frozen=True, slots=True)
class GoldArticle:
    """What is right about one article; ``not_caveats`` and ``boilerplate`` are words of it too."""

    path: Path
    sentences: tuple[GoldSentence, ...]
    caveats: tuple[GoldCaveat, ...]
    not_caveats: tuple[str, ...]
    boilerplate: tuple[str, ...]


def body(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("---\n", 2)[2]


def load_gold(folder: Path = FIXTURES) -> tuple[GoldArticle, ...]:
    """Read ``gold.toml`` of the folder, in its order."""
    rows = tomllib.loads((folder / "gold.toml").read_text(encoding="utf-8"))["articles"]
    return tuple(_article(folder, row) for row in rows)


def _article(folder: Path, row: Mapping[str, object]) -> GoldArticle:
    _check(row, ARTICLE_KEYS, required=ARTICLE_KEYS)
    return GoldArticle(
        path=folder / "articles" / str(row["file"]),
        sentences=tuple(_sentence(each) for each in _rows(row["sentences"])),
        caveats=tuple(_caveat(each) for each in _rows(row["caveats"])),
        not_caveats=_several(row["not_caveats"]),
        boilerplate=_several(row["boilerplate"]),
    )


def _sentence(row: Mapping[str, object]) -> GoldSentence:
    _check(row, SENTENCE_KEYS, required={"words"})
    caveat, denial = row.get("caveat"), row.get("denial")
    if not isinstance(caveat, str | None) and caveat is not False:
        raise ValueError(f"a caveat is words, or false: {row}")
    if denial not in (True, False, None):
        raise ValueError(f"a denial is true or false: {row}")
    return GoldSentence(
        words=squash(str(row["words"])),
        voices=tuple(Voice(voice) for voice in _several(row.get("voice", []))),
        speakers=_several(row.get("speaker", [])),
        caveat=squash(caveat) if isinstance(caveat, str) else None,
        uncovered=caveat is False,
        denial=None if denial is None else denial is True,
    )


def _caveat(row: Mapping[str, object]) -> GoldCaveat:
    _check(row, CAVEAT_KEYS, required={"words", "kind", "notice"})
    return GoldCaveat(
        words=squash(str(row["words"])),
        kind=CaveatKind(str(row["kind"])),
        verifiers=_several(row.get("verifier", [])),
        notice=row["notice"] is True,
    )


def _check(row: Mapping[str, object], keys: set[str], required: set[str]) -> None:
    if wrong := (row.keys() - keys) | (required - row.keys()):
        raise ValueError(f"{', '.join(sorted(wrong))}: unknown or missing in {row}")


def _rows(value: object) -> list[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError(f"a list of rows is wanted, not {value!r}")
    return value


def _several(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) and each.strip() for each in values):
        raise ValueError(f"words are wanted, not {value!r}")
    return tuple(squash(each) for each in values)


# -- what was read, set against it --------------------------------------------------------------------------------

Where = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something read is right; ``where`` is the article's file and the words of the row of gold."""

    where: Where
    right: bool


@dataclass(frozen=True, slots=True)
class Read:
    """An article as read, beside its gold."""

    gold: GoldArticle
    reading: Reading

    def voices(self) -> Iterator[Verdict]:
        return (self._verdict(row.words, self._at(row.words).voice in row.voices) for row in self._rows() if row.voices)

    def speakers(self) -> Iterator[Verdict]:
        for row in self._rows():
            if row.speakers:
                speaker = (self._at(row.words).speaker or "").casefold()
                yield self._verdict(row.words, any(name.casefold() in speaker for name in row.speakers))

    def denials(self) -> Iterator[Verdict]:
        for row in self._rows():
            if row.denial is not None:
                yield self._verdict(row.words, (self._at(row.words).denial is not None) is row.denial)

    def covered(self) -> Iterator[Verdict]:
        """Judge whether each sentence has the caveat that is due; one that has not is severed from it."""
        for row in self._rows():
            if row.caveat:
                held = (self._words(caveat) for caveat in self._at(row.words).caveats)
                yield self._verdict(row.words, any(row.caveat in words for words in held))

    def never_bare(self) -> Iterator[Verdict]:
        """Judge whether each sentence has the caveat that is due on it, or beside it as a possible one."""
        for row in self._rows():
            if row.caveat:
                passage = self._at(row.words)
                held = (self._words(caveat) for caveat in (*passage.caveats, *passage.possible_caveats))
                yield self._verdict(row.words, any(row.caveat in words for words in held))

    def uncovered(self) -> Iterator[Verdict]:
        """Judge whether each sentence that no caveat covers has none; one that has borrowed it."""
        return (self._verdict(row.words, not self._at(row.words).caveats) for row in self._rows() if row.uncovered)

    def caveats(self) -> Iterator[Verdict]:
        """Judge whether each caveat is found, as one on sentences or as a notice on the article."""
        for row in self.gold.caveats:
            found = self._caveat(row)
            yield self._verdict(row.words, found is not None and found.is_notice is row.notice)

    def kinds(self) -> Iterator[Verdict]:
        for row in self.gold.caveats:
            if found := self._caveat(row):
                named = not row.verifiers or any(name in (found.verifier or "") for name in row.verifiers)
                yield self._verdict(row.words, found.kind is row.kind and named)

    def not_caveats(self) -> Iterator[Verdict]:
        for words in self.gold.not_caveats:
            yield self._verdict(words, not self._at(words).is_caveat)

    def boilerplate(self) -> Iterator[Verdict]:
        for words in self.gold.boilerplate:
            yield self._verdict(words, self._at(words).sentence.boilerplate is not None)

    def _rows(self) -> tuple[GoldSentence, ...]:
        return self.gold.sentences

    def _verdict(self, words: str, right: object) -> Verdict:
        return Verdict((self.gold.path.name, words), bool(right))

    def _at(self, words: str) -> Passage:
        (passage,) = (each for each in self.reading.passages if words in self._text(each))
        return passage

    def _text(self, passage: Passage) -> str:
        return squash(passage.sentence.span.of(self.reading.article.text))

    def _words(self, caveat: Caveat) -> str:
        return self._text(self.reading.passages[caveat.sentence])

    def _caveat(self, row: GoldCaveat) -> Caveat | None:
        return next((caveat for caveat in self.reading.caveats if row.words in self._words(caveat)), None)
