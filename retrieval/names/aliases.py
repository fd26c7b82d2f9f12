"""``names.toml``: what an editor says of names that the rules got wrong.

same = [["Kyiv", "Kiev"], ["Jane Roe", "Mrs Doe"]]     joined; the first is the name shown
different = [["Jan Kask", "Jaan Kask"]]                kept apart, each from every other

[shorthand]                                            what the desk types for short
mod = "Ministry of Defence"
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import ArticleError, BrokenNamesError
from retrieval.limits import TABLE, decode, read_bytes, read_toml, shown

ALIASES_FILE = "names.toml"


@dataclass(frozen=True, slots=True)
class Aliases:
    """What ``names.toml`` says: names to join, names to keep apart, and desk shorthand."""

    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    shorthand: tuple[tuple[str, str], ...] = ()


NO_ALIASES = Aliases()


def read_aliases(path: Path) -> Aliases:
    """Return what the file says, nothing where there is none; ``BrokenNamesError`` where it cannot be used."""
    if not path.exists():
        return NO_ALIASES
    try:
        told = read_toml(decode(read_bytes(path, TABLE)))
    except ArticleError as error:
        raise BrokenNamesError(f"{path} cannot be read. {error} Or take it away.") from error
    unknown = sorted(told.keys() - {"same", "different", "shorthand"})
    if unknown:
        raise BrokenNamesError(f"{path}: no such key as {shown(unknown[0])}; there are same, different and shorthand.")
    return Aliases(
        same=_groups(told.get("same", []), "same", path),
        different=_groups(told.get("different", []), "different", path),
        shorthand=_pairs(told.get("shorthand", {}), path),
    )


def _groups(told: object, key: str, path: Path) -> tuple[tuple[str, ...], ...]:
    if not isinstance(told, list):
        raise _broken(path, key)
    return tuple(_group(group, key, path) for group in told)


def _group(told: object, key: str, path: Path) -> tuple[str, ...]:
    if not isinstance(told, list) or len(told) < 2:  # noqa: PLR2004 - one name alone says nothing
        raise _broken(path, key)
    names = tuple(" ".join(name.split()) if isinstance(name, str) else "" for name in told)
    if not all(names) or len(set(names)) < len(names):
        raise _broken(path, key)
    return names


def _broken(path: Path, key: str) -> BrokenNamesError:
    example = f'{key} = [["One Name", "Another Name"]]'
    return BrokenNamesError(f"{path}: {key} takes lists of at least two different names, such as {example}.")


def _pairs(told: object, path: Path) -> tuple[tuple[str, str], ...]:
    if not isinstance(told, dict):
        raise BrokenNamesError(f'{path}: [shorthand] is a table, such as mod = "Ministry of Defence".')
    for short, meant in told.items():
        if not isinstance(meant, str) or not meant.strip() or not short.strip():
            raise BrokenNamesError(f"{path}: what {shown(short)} is short for must be words in quotation marks.")
    return tuple(sorted((short.strip().lower(), " ".join(meant.split())) for short, meant in told.items()))
