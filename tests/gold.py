"""What is right about the articles in ``tests/fixtures``: a TOML file in, frozen rows out.

The format is described in ``tests/fixtures/README.md``; ``ValueError`` names the words of the row that breaks it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.evaluation.golden import squash
from retrieval.model import CaveatKind, Voice

FIXTURES = Path(__file__).parent / "fixtures"
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
