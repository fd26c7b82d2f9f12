"""What readers of the page hold to be read wrongly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adapters.storage.keeper import Keeper
from adapters.storage.records import Flag, Wrong
from retrieval import version_key

MOST = 50  # flags on one sentence: whoever may read an article may not fill the disk


class Flags(Keeper):
    """The flags that are kept."""

    def record_flag(self, flag: Flag) -> bool:
        """Keep a flag, the same one once; return False where its sentence has as many as are kept."""
        place = (flag.article, flag.digest, flag.index)
        with self._transaction() as run:
            (others,) = run(
                "SELECT count(*) FROM flags WHERE article = ? AND digest = ? AND sentence = ?", place
            ).fetchone()
            if others >= MOST:
                return False
            run(
                "INSERT INTO flags (article, digest, sentence, path, words, wrong, correct, was, note, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (article, digest, sentence, wrong, correct, note) DO UPDATE SET at = excluded.at",
                (
                    *place,
                    flag.path,
                    flag.words,
                    flag.wrong.value,
                    flag.right,
                    flag.read,
                    flag.note,
                    flag.at or self._clock(),
                ),
            )
            return True

    def forget_flags(self, digest: str, gone: Callable[[str], bool]) -> None:
        """Forget the flags on the versions with this digest that are ``gone``, by their keys."""
        with self._transaction() as run:
            articles = run("SELECT DISTINCT article FROM flags WHERE digest = ?", (digest,)).fetchall()
            for (article,) in articles:
                if gone(version_key(article, digest)):
                    run("DELETE FROM flags WHERE article = ? AND digest = ?", (article, digest))

    def flags(self) -> tuple[Flag, ...]:
        """Return every flag, newest first."""
        with self._reading() as run:
            rows = run(
                "SELECT article, path, digest, sentence, words, wrong, correct, was, note, at FROM flags"
                " ORDER BY at DESC, article, sentence, wrong, correct, note"
            ).fetchall()
            return tuple(_flag(row) for row in rows)


def _flag(row: Sequence[Any]) -> Flag:
    article, path, digest, index, words, wrong, right, read, note, at = row
    return Flag(article, path, digest, index, words, Wrong(wrong), right, read, note, at)
