"""What is right about the articles in ``tests/fixtures``: a TOML file in, frozen rows out.

A row names a sentence by words that stand in it alone; where a word of it is free, nothing is judged.
The format is described in ``tests/fixtures/README.md``; ``msgspec.ValidationError`` says where in it a slip is.
"""

from collections.abc import Iterable, Iterator
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


@dataclass(frozen=True, slots=True)
class Read:
    """An article as read, beside its gold. Each measure gives the words of the rows that were misread."""

    gold: GoldArticle
    reading: Reading

    def voices(self) -> Iterator[str]:
        return (row.words for row in self.gold.sentences if row.voice and self._at(row.words).voice not in row.voice)

    def speakers(self) -> Iterator[str]:
        for row in self.gold.sentences:
            if row.speaker:
                speaker = (self._at(row.words).speaker or "").casefold()
                if not any(name.casefold() in speaker for name in row.speaker):
                    yield row.words

    def denials(self) -> Iterator[str]:
        judged = (row for row in self.gold.sentences if row.denial is not None)
        return (row.words for row in judged if (self._at(row.words).denial is not None) is not row.denial)

    def covered(self) -> Iterator[str]:
        """Judge whether each sentence has the caveat that is due; one that has not is severed from it."""
        judged = (row for row in self.gold.sentences if row.caveat)
        return (row.words for row in judged if not self._has(row, self._at(row.words).caveats))

    def never_bare(self) -> Iterator[str]:
        """Judge whether each sentence has the caveat that is due on it, or beside it as a possible one."""
        judged = ((row, self._at(row.words)) for row in self.gold.sentences if row.caveat)
        return (row.words for row, at in judged if not self._has(row, (*at.caveats, *at.possible_caveats)))

    def uncovered(self) -> Iterator[str]:
        """Judge whether each sentence that no caveat covers has none; one that has borrowed it."""
        return (row.words for row in self.gold.sentences if row.uncovered and self._at(row.words).caveats)

    def caveats(self) -> Iterator[str]:
        """Judge whether each caveat is found, as one on sentences or as a notice on the article."""
        judged = ((row, self._caveat(row)) for row in self.gold.caveats)
        return (row.words for row, caveat in judged if caveat is None or caveat.is_notice is not row.notice)

    def kinds(self) -> Iterator[str]:
        for row in self.gold.caveats:
            if caveat := self._caveat(row):
                named = not row.verifier or any(name in (caveat.verifier or "") for name in row.verifier)
                if caveat.kind is not row.kind or not named:
                    yield row.words

    def not_caveats(self) -> Iterator[str]:
        return (words for words in self.gold.not_caveats if self._at(words).is_caveat)

    def boilerplate(self) -> Iterator[str]:
        return (words for words in self.gold.boilerplate if self._at(words).sentence.boilerplate is None)

    def _at(self, words: str) -> Passage:
        (passage,) = (each for each in self.reading.passages if words in self._text(each))
        return passage

    def _text(self, passage: Passage) -> str:
        return squash(passage.sentence.span.of(self.reading.article.text))

    def _words(self, caveat: Caveat) -> str:
        return self._text(self.reading.passages[caveat.sentence])

    def _has(self, row: GoldSentence, caveats: Iterable[Caveat]) -> bool:
        return any((row.caveat or "") in self._words(caveat) for caveat in caveats)

    def _caveat(self, row: GoldCaveat) -> Caveat | None:
        return next((caveat for caveat in self.reading.caveats if row.words in self._words(caveat)), None)
