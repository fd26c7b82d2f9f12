"""A file -> the drafts of the articles in it, by its kind; a draft that is to be proofed -> its text.

Each reader raises ``ArticleError`` for a file that it cannot read, or yields one for a line that it cannot read.
What is to be proofed is read once, and nothing of it is stored.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from pkgutil import resolve_name
from textwrap import dedent

import yaml

from retrieval import limits
from retrieval.errors import ArticleError, BrokenFrontMatterError, EmptyArticleError, UnreadableArticleError
from retrieval.intake.metadata import KNOWN, ArticleDraft, Rejected, nearest
from retrieval.intake.publication import Keys, is_status, plain
from retrieval.model import Body, LayoutKind, LayoutSpan, Span

TABLE = "articles.toml"  # a folder's metadata
READERS = {  # by name, as the libraries of most are slow to load
    **dict.fromkeys((".txt", ".md"), "files:read_text"),
    **dict.fromkeys((".html", ".htm"), "pages:read_web_page"),
    ".pdf": "pdf:read_pdf",
    ".docx": "office:read_word",
    ".rtf": "office:read_rtf",
    ".eml": "office:read_mail",
    ".jsonl": "files:read_json_lines",
    ".json": "exports:read_json_export",
    ".xml": "exports:read_wordpress",
}
EXPORT_FORMAT = "stet-reading/1"  # of the lines of `stet export`; their schema: docs/reading.v1.schema.json
DRAFT_KINDS = (".txt", ".md", ".markdown", ".html", ".htm", ".docx")
_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE file: Word's before 2007, and today's with a password
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_FENCE = re.compile(r"(-{3,}|\+{3})[^\S\n]*(json|toml|ya?ml|js|javascript)?", re.IGNORECASE)
_HEADER = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?")  # of Pelican, without a fence
_NOT_YAML = "Its front matter is not YAML ({}): put values in quotation marks."
_PELICAN = frozenset("title date modified category tags keywords slug author authors summary status lang".split())


def read_file(file: Path) -> Iterator[ArticleDraft | Rejected]:
    """Yield the drafts in ``file``, and the reason for each line that is refused."""
    if file.suffix.lower() not in READERS:
        raise UnreadableArticleError(f"Files of this kind are not read. Save it as one of {', '.join(READERS)}.")
    yield from resolve_name(f"retrieval.intake.{READERS[file.suffix.lower()]}")(file)


def folder_state(place: Path) -> str:
    """Return a token. Equal tokens mean that no file in the folder was made, changed or deleted."""
    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    states = [(str(file), each.st_mtime_ns, each.st_size) for file in files for each in (file.lstat(),)]
    return blake2b(repr(states).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def newest_table(place: Path) -> float:
    """Return when a table in a folder was last written, in seconds; 0 where there is none."""
    tables = place.rglob(TABLE) if place.is_dir() else [place.with_name(TABLE)]
    return max((table.lstat().st_mtime for table in tables if table.exists()), default=0.0)


def read_text(file: Path) -> Iterator[ArticleDraft | Rejected]:
    content = limits.decode(limits.read_bytes(file, limits.TEXT))
    if file.suffix.lower() == ".txt":
        keys, text = _front_matter(content) or ({}, content)
        yield ArticleDraft(Body(text), keys)
        return
    from retrieval.intake.markup import markdown_body  # noqa: PLC0415 - the HTML parser is slow to load

    keys, text = _front_matter(content) or _headers(content)
    yield ArticleDraft(markdown_body(text), keys)


def _front_matter(text: str) -> tuple[Keys, str] | None:
    """Return the front matter and the text after it: YAML between lines of hyphens, TOML between pluses, or JSON."""
    fence = _FENCE.fullmatch(text.partition("\n")[0].rstrip())
    if fence and (fence[0] == "---" or fence[2]):
        return _fenced(text)
    # without one of our keys, it is a text that begins with a rule or a bracket
    start = text.lstrip()
    try:
        keys, rest = _json_head(start) if start.startswith("{") else _fenced(start)
    except ArticleError:
        return None
    return (keys, rest) if any(plain(key) in KNOWN or nearest(key) or is_status(key) for key in keys) else None


def _fenced(text: str) -> tuple[Keys, str]:
    lines = text.splitlines(keepends=True)
    fence = _FENCE.fullmatch(lines[0].strip()) if lines else None
    if fence is None:
        return {}, text
    mark, language = fence[1], (fence[2] or "").lower()
    if language in ("js", "javascript"):
        raise BrokenFrontMatterError("Its front matter is a script, which is not run. Write it as YAML.")
    parse = {"toml": limits.read_toml, "json": limits.read_json}.get("toml" if mark == "+++" else language, _yaml)
    closing = {mark} if mark == "+++" else {mark, "---", "..."}
    for i, line in enumerate(lines[1:], start=1):
        if line.strip() in closing:
            head = dedent("".join(lines[1:i]))
            limits.FRONT_MATTER.check(len(head))
            return _table(parse(head)), "".join(lines[i + 1 :])
    raise BrokenFrontMatterError(f'Its front matter has no end. Close it with a line "{mark}".')


def _headers(text: str) -> tuple[Keys, str]:
    """Return Pelican's front matter: lines "Title: …", "Date: …" above the first empty line."""
    head, _, rest = text.lstrip("\n").partition("\n\n")
    if len(head) > limits.FRONT_MATTER.most:
        return {}, text
    lines = [_HEADER.fullmatch(line.rstrip()) for line in head.split("\n")]
    keys = {line[1]: line[2] or "" for line in lines if line}
    are_all = len(lines) == len(keys) > 1 and all(plain(key) in _PELICAN or is_status(key) for key in keys)
    return (keys, rest) if are_all else ({}, text)


def _json_head(text: str) -> tuple[Keys, str]:
    head = text[: limits.FRONT_MATTER.most]
    limits.NESTING.check(limits.depth(head))
    try:
        keys, end = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError) as error:
        raise BrokenFrontMatterError("Its front matter is not JSON.") from error
    return keys, text[end:].removeprefix("\r").removeprefix("\n")


def _yaml(head: str) -> object:
    try:
        # a few aliases, each with ten of the one before, make millions of values
        is_plain = "*" not in head or not any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(head, yaml.SafeLoader))
        keys = yaml.safe_load(head) if is_plain else None
    # the constructor of a date raises ValueError for the 31st of June
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = getattr(error, "problem", None) or "a value that cannot be read"
        raise BrokenFrontMatterError(_NOT_YAML.format(reason)) from error
    if not is_plain:
        raise BrokenFrontMatterError(_NOT_YAML.format("an alias, which is not read here"))
    return {} if keys is None else keys


def _table(keys: object) -> Keys:
    if not isinstance(keys, dict):
        raise BrokenFrontMatterError("Its front matter has no keys. Write lines such as `title: …`.")
    return {str(key): value for key, value in keys.items()}


def read_json_lines(file: Path) -> Iterator[ArticleDraft | Rejected]:
    for number, line in enumerate(limits.read_lines(file), start=1):
        try:
            limits.LINE.check(len(line))
            if line.strip(b"\xef\xbb\xbf \t\r\n"):
                yield _json_line(line, number)
        except ArticleError as error:
            yield f"line {number}", error


def _json_line(line: bytes, number: int) -> ArticleDraft:
    row = limits.read_json(limits.decode(line))
    if isinstance(row, dict) and row.get("type") == "story" and "text" not in row:  # Arc's
        from retrieval.intake.exports import arc_draft  # noqa: PLC0415 - the HTML parser is slow to load

        return replace(arc_draft(row), line=number)
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise UnreadableArticleError('It has no text. Write {"id": "…", "text": "…"}.')
    if row.get("id") in (None, ""):
        raise UnreadableArticleError('It has no "id". Give each line its own.')
    # an article of an export is still known by the file that it came from
    exported = row if row.get("format") == EXPORT_FORMAT else {}
    origin, parts, layout = exported.get("path"), exported.get("layout") or (), tuple[LayoutSpan, ...]()
    with suppress(TypeError, KeyError, ValueError):  # what was changed by hand
        layout = tuple(LayoutSpan(LayoutKind(part["kind"]), Span(part["start"], part["end"])) for part in parts)
    path = limits.legible(origin.encode(errors="replace").decode()) if isinstance(origin, str) else ""
    return ArticleDraft(Body(row.pop("text"), layout), row, number, path=path)


def read_draft(content: bytes, name: str = "") -> str:
    """Return the text of a draft by the end of its name; one without is text.

    Raises ``ArticleError`` where it cannot be read, is too large or has no words.
    """
    limits.DRAFT.check(len(content))
    kind = Path(name).suffix.lower()
    if content.startswith(_ENCRYPTED):
        raise UnreadableArticleError("It is protected by a password, or is an old .doc: save it as .docx without one.")
    if kind == ".docx" or content.startswith(b"PK\x03\x04"):
        from retrieval.intake.office import read_word_file  # noqa: PLC0415 - python-docx is slow to load

        text = read_word_file(content).text
    elif kind in {".html", ".htm"}:
        from retrieval.intake.markup import body_of  # noqa: PLC0415 - the HTML parser is slow to load

        text = body_of(_draft_text(content), limits.DRAFT_TEXT).text
    elif kind in DRAFT_KINDS or not kind:
        text = _draft_text(content)
    else:
        raise UnreadableArticleError(f"Drafts of this kind are not read. Save it as one of {', '.join(DRAFT_KINDS)}.")
    limits.DRAFT_TEXT.check(len(text))
    if not text.strip():
        raise EmptyArticleError("It has no words.")
    return text


def _draft_text(content: bytes) -> str:
    text = limits.decode(content).replace("\r\n", "\n").replace("\r", "\n")
    if _BINARY.search(text):
        raise UnreadableArticleError(f"It is not text. Save it as one of {', '.join(DRAFT_KINDS)}.")
    return text
