"""``names.toml``: an editor's corrections of names that the rules got wrong.

same = [["Kyiv", "Kiev"], ["Jane Roe", "Mrs Doe"]]     joined; the first is the name shown
different = [["Jan Kask", "Jaan Kask"]]                separated, each from every other

[shorthand]                                            what the newsroom types for short
mod = "Ministry of Defence"
"""

from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import ArticleError, BrokenNamesError
from retrieval.limits import TABLE, decode, read_bytes, read_toml, shown

ALIASES_FILE = "names.toml"


@dataclass(frozen=True, slots=True)
class Aliases:
    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    shorthand: tuple[tuple[str, str], ...] = ()


NO_ALIASES = Aliases()


def read_aliases(path: Path) -> Aliases:
    """Read the file, which need not exist; ``BrokenNamesError`` where it cannot be used."""
    if not path.exists():
        return NO_ALIASES
    try:
        table = read_toml(decode(read_bytes(path, TABLE)))
    except ArticleError as error:
        raise BrokenNamesError(f"{path} cannot be read. {error} Or remove it.") from error
    unknown = sorted(table.keys() - {"same", "different", "shorthand"})
    if unknown:
        raise BrokenNamesError(f"{path}: no such key as {shown(unknown[0])}; there are same, different and shorthand.")
    return Aliases(
        same=_groups(table.get("same", []), "same", path),
        different=_groups(table.get("different", []), "different", path),
        shorthand=_shorthand(table.get("shorthand", {}), path),
    )


def _groups(rows: object, key: str, path: Path) -> tuple[tuple[str, ...], ...]:
    groups = [_group(row) for row in rows] if isinstance(rows, list) else [()]
    if not all(groups):
        example = f'{key} = [["One Name", "Another Name"]]'
        raise BrokenNamesError(f"{path}: {key} takes lists of at least two different names, such as {example}.")
    return tuple(groups)


def _group(row: object) -> tuple[str, ...]:
    """Return the names of a row; () where it is none."""
    if not isinstance(row, list):
        return ()
    names = tuple(" ".join(name.split()) if isinstance(name, str) else "" for name in row)
    return names if len(names) > 1 and all(names) and len(set(names)) == len(names) else ()


def _shorthand(table: object, path: Path) -> tuple[tuple[str, str], ...]:
    if not isinstance(table, dict):
        raise BrokenNamesError(f'{path}: [shorthand] is a table, such as mod = "Ministry of Defence".')
    for short, meant in table.items():
        if not isinstance(meant, str) or not meant.strip() or not short.strip():
            raise BrokenNamesError(f"{path}: what {shown(short)} is short for must be words in quotation marks.")
    return tuple(sorted((short.strip().lower(), " ".join(meant.split())) for short, meant in table.items()))
