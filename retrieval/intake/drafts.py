"""A draft that is to be proofed -> its text: a file of text, Markdown, HTML or Word.

A draft has no limits of an article's: it is read once, and nothing of it is stored.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.errors import EmptyArticleError, UnreadableArticleError
from retrieval.limits import DRAFT, UNPACKED, decode, read_bytes

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.run import Run

DRAFT_KINDS = (".txt", ".md", ".markdown", ".html", ".htm", ".docx")
_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE file: Word's before 2007, and today's with a password
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # a text box, a second time
_LOCKED = 0x1  # the flag of an encrypted part
_HEAD = re.compile(r"<head\b.*?</head\s*>", re.DOTALL | re.IGNORECASE)
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_draft_file(file: Path) -> str:
    """Return the text of a draft; ``ArticleError`` where it cannot be read, is too large or has no words."""
    return read_draft(read_bytes(file, DRAFT), file.name)


def read_draft(content: bytes, name: str = "") -> str:
    """Return the text of a draft by the end of its name; one without is text. Raises as ``read_draft_file``."""
    DRAFT.check(len(content))
    kind = Path(name).suffix.lower()
    if content.startswith(_ENCRYPTED):
        raise UnreadableArticleError("It is protected by a password, or is an old .doc: save it as .docx without one.")
    if kind == ".docx" or content.startswith(b"PK\x03\x04"):
        text = read_word_file(content).text
    elif kind in {".html", ".htm"}:
        from retrieval.intake.markup import text_of  # noqa: PLC0415 - the HTML parser is slow to load

        text = text_of(_HEAD.sub("", _decoded(content)))
    elif kind in DRAFT_KINDS or not kind:
        text = _decoded(content)
    else:
        raise UnreadableArticleError(f"Drafts of this kind are not read. Save it as one of {', '.join(DRAFT_KINDS)}.")
    if not text.strip():
        raise EmptyArticleError("It has no words.")
    return text


def _decoded(content: bytes) -> str:
    text = decode(content).replace("\r\n", "\n").replace("\r", "\n")
    if _BINARY.search(text):
        raise UnreadableArticleError(f"It is not text. Save it as one of {', '.join(DRAFT_KINDS)}.")
    return text


@dataclass(frozen=True, slots=True)
class WordFile:
    """A Word file with its text, and the runs of it, each with its start and end there."""

    document: Document
    text: str
    runs: tuple[tuple[int, int, Run], ...]


def read_word_file(content: bytes) -> WordFile:
    """Read a .docx: its paragraphs and tables as they would be with all changes accepted, a line each."""
    from docx import Document  # noqa: PLC0415 - slow to load
    from docx.oxml.ns import qn  # noqa: PLC0415
    from docx.text.paragraph import Paragraph  # noqa: PLC0415
    from docx.text.run import Run  # noqa: PLC0415

    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            UNPACKED.check(sum(each.file_size for each in packed.infolist()))
            if any(each.flag_bits & _LOCKED for each in packed.infolist()):
                raise UnreadableArticleError("It is protected by a password: save it without one.")
        document = Document(BytesIO(content))
    except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError) as error:
        raise UnreadableArticleError("It is no Word file: save it again as .docx, or as .txt.") from error
    marks = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
    skipped = {_FALLBACK, qn("w:moveFrom")}
    lines: list[str] = []
    runs: list[tuple[int, int, Run]] = []
    at = 0
    for element in document.element.body.iter(qn("w:p")):
        if any(ancestor.tag in skipped for ancestor in element.iterancestors()):
            continue
        paragraph = Paragraph(element, document)
        line = ""
        for run in element.iter(qn("w:r")):
            own = next(run.iterancestors(qn("w:p"))) is element
            if not own or any(ancestor.tag in skipped for ancestor in run.iterancestors()):
                continue
            words = "".join((each.text or "") if each.tag == qn("w:t") else marks.get(each.tag, "") for each in run)
            if words:
                start = at + len(line)
                runs.append((start, start + len(words), Run(run, paragraph)))
                line += words
        lines.append(line)
        at += len(line) + 1
    return WordFile(document, "\n".join(lines), tuple(runs))
