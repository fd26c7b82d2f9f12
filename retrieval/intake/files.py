"""A file -> the drafts of the articles in it, by its kind.

Each reader raises ``ArticleError`` for a file it cannot take, or yields one in the place of a line it cannot take.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from retrieval.errors import ArticleError, BrokenFrontMatterError, UnreadableArticleError
from retrieval.intake.particulars import Draft, Keys

_FENCE = "---"
_CLOSING_FENCES = ("---", "...")

Found = Draft | tuple[str, ArticleError]


def read_file(file: Path) -> Iterator[Found]:
    """Yield the drafts in ``file``, and for each line that is refused its place and the reason."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise UnreadableArticleError(f"It is of no kind that is read here: save it as one of {', '.join(READERS)}.")
    yield from reader(file)


def _text(file: Path) -> Iterator[Found]:
    keys, text = _front_matter(decode(file))
    yield Draft(file.name, text, keys, str(file))


def decode(file: Path) -> str:
    """Return the text of a UTF-8 file, a byte-order mark dropped and line ends as they are."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UnreadableArticleError(f"It cannot be opened ({error.strerror}): see to its permissions.") from error
    except UnicodeDecodeError as error:
        raise UnreadableArticleError("It is not in UTF-8: save it again as plain text in UTF-8.") from error


def _front_matter(text: str) -> tuple[Keys, str]:
    """Part the head between two lines of hyphens from the text after it."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return {}, text
    for i, line in enumerate(lines[1:], start=1):
        if line.rstrip() in _CLOSING_FENCES:
            return _yaml("".join(lines[1:i])), "".join(lines[i + 1 :])
    raise BrokenFrontMatterError('It begins like a front matter that never ends: close it with a line "---".')


def _yaml(head: str) -> Keys:
    import yaml  # noqa: PLC0415 - texts that carry no front matter need not wait for it

    try:
        keys = yaml.safe_load(head)
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
    for number, line in enumerate(decode(file).split("\n"), start=1):
        if line.strip():
            try:
                yield _json_line(line, number, file)
            except ArticleError as error:
                yield f"{file}, line {number}", error


def _json_line(line: str, number: int, file: Path) -> Draft:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableArticleError("It is not JSON: write one article a line.") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise UnreadableArticleError('It holds no text: write {"id": "…", "text": "…"}.')
    if row.get("id") in (None, ""):
        raise UnreadableArticleError('It has no "id": give each line one of its own.')
    return Draft(f"{file.name}:{number}", row.pop("text"), row, str(file), number)


def _web_page(file: Path) -> Iterator[Found]:
    from retrieval.intake.webpages import read_web_page  # noqa: PLC0415 - a quarter of a second that other kinds need not wait

    yield read_web_page(file)


def _print_out(file: Path) -> Iterator[Found]:
    from retrieval.intake.printouts import read_print_out  # noqa: PLC0415 - as above

    yield read_print_out(file)


READERS: dict[str, Callable[[Path], Iterator[Found]]] = {
    ".txt": _text,
    ".md": _text,
    ".html": _web_page,
    ".htm": _web_page,
    ".pdf": _print_out,
    ".jsonl": _json_lines,
}
