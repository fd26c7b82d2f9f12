"""A draft that is to be proofed -> its text: a file of text, Markdown, HTML or Word.

It is read once, and nothing of it is stored.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from retrieval.errors import EmptyArticleError, UnreadableArticleError
from retrieval.limits import DRAFT, DRAFT_TEXT, PARTS, UNPACKED, XML, XML_DEPTH, XML_NODES, decode, read_bytes

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.run import Run

DRAFT_KINDS = (".txt", ".md", ".markdown", ".html", ".htm", ".docx")
_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE file: Word's before 2007, and today's with a password
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # a text box, a second time
_LOCKED = 0x1  # the flag of an encrypted part
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,  # packed in a way that is not supported
    EOFError,
    OSError,
    KeyError,  # parts are missing, or of another kind
    ValueError,
    AttributeError,
    SyntaxError,
    RecursionError,
)
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

        text = text_of(_decoded(content), DRAFT_TEXT)
    elif kind in DRAFT_KINDS or not kind:
        text = _decoded(content)
    else:
        raise UnreadableArticleError(f"Drafts of this kind are not read. Save it as one of {', '.join(DRAFT_KINDS)}.")
    DRAFT_TEXT.check(len(text))
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

    @classmethod
    def of(cls, document: Document) -> WordFile:
        """Lay out paragraphs and tables as they would be with all changes accepted, a line each."""
        from docx.oxml.ns import qn  # noqa: PLC0415 - slow to load
        from docx.text.paragraph import Paragraph  # noqa: PLC0415
        from docx.text.run import Run  # noqa: PLC0415

        marks = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
        skipped = {_FALLBACK, qn("w:moveFrom")}
        paragraph, stretch, words = qn("w:p"), qn("w:r"), qn("w:t")
        lines: list[list[tuple[str, Run]]] = []
        around: list[tuple[Paragraph, list[tuple[str, Run]]]] = []  # the walk's: a text box is inside another's
        walk = etree.iterwalk(document.element, ("start", "end"), (paragraph, stretch, *skipped))
        for event, element in walk:
            if event == "end":
                if element.tag == paragraph:
                    around.pop()
            elif element.tag in skipped:
                walk.skip_subtree()
            elif element.tag == paragraph:
                lines.append([])
                around.append((Paragraph(element, document), lines[-1]))
            elif around:
                own, line = around[-1]
                text = "".join((leaf.text or "") if leaf.tag == words else marks.get(leaf.tag, "") for leaf in element)
                line.append((text, Run(element, own)))
        text, runs = "", list[tuple[int, int, Run]]()
        for line in lines:
            for words, run in line:
                runs += [(len(text), len(text) + len(words), run)] if words else []
                text += words
            text += "\n"
        return cls(document, text[:-1], tuple(runs))


def read_word_file(content: bytes) -> WordFile:
    from docx import Document  # noqa: PLC0415 - slow to load

    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            _refuse_hostile(packed)
        return WordFile.of(Document(BytesIO(content)))
    except _BROKEN as error:
        raise UnreadableArticleError("It is no Word file: save it again as .docx, or as .txt.") from error


def _refuse_hostile(packed: zipfile.ZipFile) -> None:
    """Raise where python-docx, which makes a tree of each part, would need minutes or gigabytes."""
    parts = packed.infolist()
    PARTS.check(len(parts))
    UNPACKED.check(sum(part.file_size for part in parts))
    if any(part.flag_bits & _LOCKED for part in parts):
        raise UnreadableArticleError("It is protected by a password: save it without one.")
    nodes = size = 0
    for part in parts:
        content, depth = BytesIO(packed.read(part)), 0
        if part.filename.endswith((".xml", ".rels")):  # this takes no time
            XML_NODES.check(content.getvalue().count(b"<") - content.getvalue().count(b"</"))
        with suppress(etree.XMLSyntaxError):  # a picture
            for event, element in etree.iterparse(content, ("start", "end", "comment", "pi"), resolve_entities=False):
                if event == "end":
                    depth -= 1
                    element.clear()
                    continue
                if depth == 0 and element.getroottree().docinfo.internalDTD is not None:
                    raise UnreadableArticleError("It declares entities, as no Word file does: save it again as .docx.")
                depth += event == "start"
                XML_DEPTH.check(depth)
                nodes += 1 + len(element.attrib)
                XML_NODES.check(nodes)
            size += part.file_size
            XML.check(size)
