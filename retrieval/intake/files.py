"""A file -> the drafts of the articles in it, by its kind.

Each reader raises ``ArticleError`` for a file it cannot take, or yields one in the place of a line it cannot take.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from textwrap import dedent

import yaml

from retrieval.errors import ArticleError, BrokenFrontMatterError, UnreadableArticleError
from retrieval.intake.metadata import KNOWN, Draft, Keys, nearest, plain
from retrieval.limits import (
    FRONT_MATTER,
    LINE,
    NESTING,
    TEXT,
    decode,
    depth,
    legible,
    read_bytes,
    read_json,
    read_lines,
    read_toml,
)


class PlainLoader(yaml.SafeLoader):
    """A safe loader that takes no alias: a few of them, each of ten of the one before, make millions of values."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias where a value is expected; ``ComposerError`` says so."""
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
            raise yaml.composer.ComposerError(None, None, "an alias, which is not read here", event.start_mark)
        return super().compose_node(parent, index)


TABLE = "articles.toml"  # in a folder: what its own texts do not say themselves
STORY = "story"  # what Arc calls an article
_FENCE = re.compile(r"-{3,}|\+{3}")

Found = Draft | tuple[str, ArticleError]


def read_file(file: Path) -> Iterator[Found]:
    """Yield the drafts in ``file``, and for each line that is refused its place and the reason."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise UnreadableArticleError(f"It is of no kind that is read here: save it as one of {', '.join(READERS)}.")
    yield from reader(file)


def folder_state(place: Path) -> str:
    """Return what is equal for as long as no file within a folder, or the one file, is made, changed or deleted."""
    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    told = [(str(file), each.st_mtime_ns, each.st_size) for file in files for each in (file.lstat(),)]
    return blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def newest_table(place: Path) -> float:
    """Return when a table in a folder was last written, in seconds; 0 where there is none."""
    tables = place.rglob(TABLE) if place.is_dir() else [place.with_name(TABLE)]
    return max((table.lstat().st_mtime for table in tables if table.exists()), default=0.0)


def _text(file: Path) -> Iterator[Found]:
    keys, text = _front_matter(decode(read_bytes(file, TEXT)))
    yield Draft(legible(file.name), text, keys, legible(file))


def _front_matter(text: str) -> tuple[Keys, str]:
    """Return the front matter, and the text behind it: YAML between lines of hyphens, TOML of plus signs, or JSON."""
    if text.startswith("---") and text.partition("\n")[0].rstrip() == "---":
        return _fenced(text)
    # what only may be one: where it has none of our keys, it is a text that begins with a rule or a bracket
    begun = text.lstrip()
    try:
        keys, rest = _json_head(begun) if begun.startswith("{") else _fenced(begun)
    except ArticleError:
        return {}, text
    return (keys, rest) if any(plain(key) in KNOWN or nearest(key) for key in keys) else ({}, text)


def _fenced(text: str) -> tuple[Keys, str]:
    lines = text.splitlines(keepends=True)
    fence = lines[0].strip() if lines else ""
    read, closing = (_toml, {fence}) if fence == "+++" else (_yaml, {fence, "---", "..."})
    if not _FENCE.fullmatch(fence):
        return {}, text
    for i, line in enumerate(lines[1:], start=1):
        if line.strip() in closing:
            return read(dedent("".join(lines[1:i]))), "".join(lines[i + 1 :])
    raise BrokenFrontMatterError(f'It begins like a front matter that never ends: close it with a line "{fence}".')


def _toml(head: str) -> Keys:
    FRONT_MATTER.check(len(head))
    return read_toml(head)


def _json_head(text: str) -> tuple[Keys, str]:
    head = text[: FRONT_MATTER.most]
    NESTING.check(depth(head))
    try:
        keys, end = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError) as error:
        raise BrokenFrontMatterError("Its front matter is not JSON.") from error
    return keys, text[end:].removeprefix("\r").removeprefix("\n")


def _yaml(head: str) -> Keys:
    FRONT_MATTER.check(len(head))
    import yaml  # noqa: PLC0415 - texts that carry no front matter need not wait for it

    from retrieval.intake.files import PlainLoader  # noqa: PLC0415 - as above

    try:
        keys = yaml.load(head, PlainLoader)  # noqa: S506 - a safe loader, and less
    # the constructor of a date raises ValueError for the 31st of June
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = getattr(error, "problem", None) or "a value that is none"
        raise BrokenFrontMatterError(
            f"Its front matter is not YAML ({reason}): put values in quotation marks."
        ) from error
    if keys is None:
        return {}
    if not isinstance(keys, dict):
        raise BrokenFrontMatterError("Its front matter holds no keys: write lines such as `title: …`.")
    return {str(key): value for key, value in keys.items()}


def _json_lines(file: Path) -> Iterator[Found]:
    for number, line in enumerate(read_lines(file), start=1):
        try:
            draft = _json_line(line, number, file)
        except ArticleError as error:
            yield f"{legible(file)}, line {number}", error
        else:
            if draft:
                yield draft


def _json_line(line: bytes | None, number: int, file: Path) -> Draft | None:
    LINE.check(LINE.most + 1 if line is None else len(line))
    if not line or not line.strip(b"\xef\xbb\xbf \t\r\n"):
        return None
    row = read_json(decode(line))
    if isinstance(row, dict) and row.get("type") == STORY and "text" not in row:
        from retrieval.intake.arc import arc_draft  # noqa: PLC0415 - the parser of HTML, which other lines do without

        return arc_draft(row, f"{legible(file.name)}:{number}", legible(file), number)
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise UnreadableArticleError('It holds no text: write {"id": "…", "text": "…"}.')
    if row.get("id") in (None, ""):
        raise UnreadableArticleError('It has no "id": give each line one of its own.')
    return Draft(f"{legible(file.name)}:{number}", row.pop("text"), row, legible(file), number)


def _web_page(file: Path) -> Iterator[Found]:
    from retrieval.intake.markup import read_web_page  # noqa: PLC0415 - a quarter of a second that other kinds need not wait

    yield read_web_page(file)


def _print_out(file: Path) -> Iterator[Found]:
    from retrieval.intake.pdf import read_print_out  # noqa: PLC0415 - as above

    yield read_print_out(file)


def _wordpress(file: Path) -> Iterator[Found]:
    from retrieval.intake.wordpress import read_wordpress  # noqa: PLC0415 - as above

    yield from read_wordpress(file)


def _arc(file: Path) -> Iterator[Found]:
    from retrieval.intake.arc import read_arc  # noqa: PLC0415 - as above

    yield from read_arc(file)


READERS: dict[str, Callable[[Path], Iterator[Found]]] = {
    ".txt": _text,
    ".md": _text,
    ".html": _web_page,
    ".htm": _web_page,
    ".pdf": _print_out,
    ".jsonl": _json_lines,
    ".json": _arc,
    ".xml": _wordpress,
}
