"""What is right about the articles in ``tests/fixtures``: a TOML file in, frozen rows out.

A row names a sentence by words that stand in it alone; where a word of it is free, nothing is judged.
The format is described in ``tests/fixtures/README.md``; ``msgspec.ValidationError`` says where in it a slip is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bot.evaluation.golden import squash
from retrieval.model import Caveat, CaveatKind, Passage, Reading, Voice

FIXTURES = Path(__file__).parents[1] / "fixtures"


class GoldSentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence by some of its ``words``; what is empty or none is not judged.

    ``voice`` and ``speaker`` are those of which one is right.
    ``caveat`` are words of the caveat that covers it; ``uncovered`` says that none may.
    """

    words: str
    voice: tuple[Voice, ...] = ()
    speaker: tuple[str, ...] = ()
    caveat: str | None = None
    uncovered: bool = False
    denial: bool | None = None


class GoldCaveat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An outlet's caveat by some of its ``words``; ``verifier`` are the names of which one must be given."""

    words: str
    kind: CaveatKind
    notice: bool
    verifier: tuple[str, ...] = ()


class GoldArticle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is right about one article; ``not_caveats`` and ``boilerplate`` are words of it too."""

    file: str
    sentences: tuple[GoldSentence, ...]
    caveats: tuple[GoldCaveat, ...]
    not_caveats: tuple[str, ...]
    boilerplate: tuple[str, ...]

    @property
    def path(self) -> Path:
        return FIXTURES / "articles" / self.file


def body(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("---\n", 2)[2]


def load_gold(folder: Path = FIXTURES) -> tuple[GoldArticle, ...]:
    """Read ``gold.toml`` of the folder, in its order."""
    table = dict[str, tuple[GoldArticle, ...]]
    return msgspec.toml.decode((folder / "gold.toml").read_bytes(), type=table)["articles"]


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
        return (self._verdict(row.words, self._at(row.words).voice in row.voice) for row in self._rows() if row.voice)

    def speakers(self) -> Iterator[Verdict]:
        for row in self._rows():
            if row.speaker:
                speaker = (self._at(row.words).speaker or "").casefold()
                yield self._verdict(row.words, any(name.casefold() in speaker for name in row.speaker))

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
                named = not row.verifier or any(name in (found.verifier or "") for name in row.verifier)
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
