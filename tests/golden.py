"""Golden questions: a TOML file of them in, frozen questions with their right answers out.

The format is described in ``seeds/README.md``; ``ValueError`` names the question that breaks it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

KEYS = {"id", "question", "previous", "answers", "speaker", "caveat"}


@dataclass(frozen=True, slots=True)
class Place:
    """Words that answer, and the file name of the article they stand in."""

    article: str
    words: str


@dataclass(frozen=True, slots=True)
class Golden:
    """A question with the places that answer it; no place: the articles do not say.

    ``speaker`` are the names of which one must be shown.
    ``caveat`` are words of the caveat to be shown; ``uncaveated`` says that none may be.
    """

    id: str
    question: str
    previous: str | None
    answers: tuple[Place, ...]
    speaker: tuple[str, ...]
    caveat: str | None
    uncaveated: bool

    def is_answered_by(self, article: str, text: str) -> bool:
        """Tell whether a sentence shown from that article (its file name) is a right answer."""
        return any(place.article == article and place.words in squash(text) for place in self.answers)


def squash(text: str) -> str:
    """Collapse white space, and drop a literal backslash-n."""
    return " ".join(text.replace("\\n", " ").split())


def load(path: Path) -> tuple[Golden, ...]:
    """Read every question of the file, in order."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["questions"]
    return tuple(_golden(row) for row in rows)


def _golden(row: dict[str, object]) -> Golden:
    name = row.get("id")
    if not isinstance(name, str) or not name:
        raise ValueError(f"a question without an id: {row}")
    if unknown := row.keys() - KEYS:
        raise ValueError(f"{name}: no such key: {', '.join(sorted(unknown))}")
    caveat = row.get("caveat")
    if caveat is not None and caveat is not False and not isinstance(caveat, str):
        raise ValueError(f"{name}: a caveat is words, or false")
    return Golden(
        id=name,
        question=_words(name, row.get("question")),
        previous=_words(name, row["previous"]) if "previous" in row else None,
        answers=tuple(_place(name, place) for place in _list(name, row.get("answers"))),
        speaker=tuple(_words(name, speaker) for speaker in _list(name, row.get("speaker", []))),
        caveat=caveat if isinstance(caveat, str) else None,
        uncaveated=caveat is False,
    )


def _place(name: str, place: object) -> Place:
    if not isinstance(place, dict) or place.keys() != {"article", "words"}:
        raise ValueError(f"{name}: an answer is an article and words, not {place!r}")
    return Place(_words(name, place["article"]), squash(_words(name, place["words"])))


def _words(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name}: words are wanted, not {value!r}")
    return value


def _list(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{name}: a list is wanted, not {value!r}")  # noqa: TRY004 (one error for every slip)
    return value
