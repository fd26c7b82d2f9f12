"""Word files, RTF and e-mails -> drafts, by way of HTML: raised, struck-out and bold words are read as on a page.

A Word file is read as it would be with all changes accepted.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parseaddr
from html import escape
from io import BytesIO
from pathlib import Path

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from lxml import etree

from retrieval.errors import UnreadableArticleError
from retrieval.intake.markup import body_of
from retrieval.intake.metadata import ArticleDraft
from retrieval.limits import DRAFT, FILE, PARTS, UNPACKED, XML, XML_DEPTH, XML_NODES, Limit, read_bytes
from retrieval.model import Body, LeftOut, LeftOutKind

_GROUPS = Limit(200, "groups inside one another", "save its text as .txt")
_CONTROLS = Limit(400_000, "control words", "save its text as .txt")
_LINES = Limit(400_000, "lines", "save its text as .txt")
_MULTIPARTS = Limit(20, "parts that have parts", "save its text as .txt")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # a text box, a second time
_SKIPPED = {_FALLBACK, qn("w:moveFrom")}
_LEAVES = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_PARAGRAPH, _RUN, _WORDS = qn("w:p"), qn("w:r"), qn("w:t")
_LOCKED = 0x1  # the flag of an encrypted part
_UNPACKING = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError)
_PARSING = (KeyError, ValueError, AttributeError, SyntaxError, RecursionError)  # parts are missing, or of another kind
_LONGEST_HEADER = 8_000  # bytes: no title, sender, day or kind is as long
_MULTIPART = re.compile(rb"^content-type:\s*multipart/", re.IGNORECASE | re.MULTILINE)
_SIGNATURE = r"--[ ]?(?:\n[^\n]{0,200}){1,20}\Z"
_ANSWERED = r"-{2,}[ ]*Original Message\b|_{20,}\nFrom:|On [^\n]{5,150} wrote:(?:\n[ ]*(?:>[^\n]*)?)+\Z"
_TRAILER = re.compile(rf"^(?:{_SIGNATURE}|{_ANSWERED})", re.MULTILINE | re.IGNORECASE)
_MOST_ADDED = 8  # paragraphs
_ADDED = re.compile(
    r"""(?:\**\s*+(?:(?:disclaimer|confidentiality(?:\ notice)?)\s*[:\n]\s*)?
      (?:this|the\ (?:information|contents?)\ (?:in|of)\ this)\ (?:e-?mail|message|communication|transmission)\b
      [^"“]*\b(?:confidential|privileged|addressee|virus|intended\ (?:solely|only|exclusively|for\ the))
    |sent\ from\ my\b|get\ outlook\ for\b|(?:to\ )?unsubscribe\b|you\ (?:are\ receiving|received)\ this\b
    |please\ (?:consider|think\ of)\ the\ environment\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_READ_AS = {"us-ascii": "utf-8", "iso-8859-1": "cp1252"}  # what programs write that say so
_RTF = re.compile(
    r"\\'([0-9a-fA-F]{2})|\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\\Z"
)
_RTF_TITLE = re.compile(r"\{\\title ([^\\{}]+)\}")
_CODE_PAGE = re.compile(r"\\ansicpg(\d{1,5})")
_BREAKS = frozenset(("par", "line", "sect", "page", "row", "\n", "\r"))
_CHARACTERS = dict.fromkeys(_BREAKS, "\n") | dict(zip("\\{}~_", "\\{}\xa0\u2011", strict=True))
_CHARACTERS |= {"tab": "\t", "cell": "\t", "emdash": "—", "endash": "–", "bullet": "•"}
_CHARACTERS |= {"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"}
_HIDDEN = "hidden"
_ASIDE = "aside"  # no part of the text
_TAGS = {"b": "b", "strike": "s", "striked": "s", "deleted": "s", "super": "sup", "sub": "sub", "v": _HIDDEN}
_PLAIN = {"plain": frozenset(_TAGS.values()), "nosupersub": frozenset(("sup", "sub"))}  # what they end
_ASIDES = frozenset(
    """
    * fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf
    footnote annotation nonshppict listtable listtext
    """.split()
)


@dataclass(frozen=True, slots=True)
class WordFile:
    """A Word file with its text, and the runs of it, each with its start and end there."""

    document: Document
    text: str
    runs: tuple[tuple[int, int, Run], ...]


def read_word_file(content: bytes) -> WordFile:
    """Lay out paragraphs and tables as they would be with all changes accepted, a line each."""
    lines: list[list[tuple[str, Run]]] = []
    around: list[tuple[Paragraph, list[tuple[str, Run]]]] = []  # the walk's: a text box is inside another's
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            _refuse_hostile(packed)
        document = docx.Document(BytesIO(content))
        walk = etree.iterwalk(document.element, ("start", "end"), (_PARAGRAPH, _RUN, *_SKIPPED))
        for event, element in walk:
            if event == "end":
                if element.tag == _PARAGRAPH:
                    around.pop()
            elif element.tag in _SKIPPED:
                walk.skip_subtree()
            elif element.tag == _PARAGRAPH:
                lines.append([])
                around.append((Paragraph(element, document), lines[-1]))
            elif around:
                own, line = around[-1]
                words = (leaf.text or "" if leaf.tag == _WORDS else _LEAVES.get(leaf.tag, "") for leaf in element)
                line.append(("".join(words), Run(element, own)))
    except (*_UNPACKING, *_PARSING) as error:
        raise UnreadableArticleError("It is no Word file: save it again as .docx, or as .txt.") from error
    text, runs = "", list[tuple[int, int, Run]]()
    for line in lines:
        for piece, run in line:
            runs += [(len(text), len(text) + len(piece), run)] if piece else []
            text += piece
        text += "\n"
    return WordFile(document, text[:-1], tuple(runs))


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


def read_word(file: Path) -> Iterator[ArticleDraft]:
    word = read_word_file(read_bytes(file, DRAFT))
    pieces, done = list[str](), 0
    for start, end, run in word.runs:
        font = run.font
        marks = {"b": font.bold, "s": font.strike or font.double_strike, _HIDDEN: font.hidden}
        marks |= {"sup": font.superscript, "sub": font.subscript}
        pieces += (word.text[done:start], _set(word.text[start:end], marks))  # line ends, and the run
        done = end
    yield _draft("".join(pieces), {"title": word.document.core_properties.title})


def read_rtf(file: Path) -> Iterator[ArticleDraft]:
    content = read_bytes(file, FILE).decode("latin-1")
    if not content.startswith("{\\rtf"):
        raise UnreadableArticleError("It is no RTF: save it again as .docx, or as .txt.")
    _CONTROLS.check(content.count("\\"))
    title = _RTF_TITLE.search(content)
    yield _draft(_rtf_markup(content), {"title": title[1] if title else None})


def read_mail(file: Path) -> Iterator[ArticleDraft]:
    """Yield the body of a message, with its subject, sender and date; what is attached is not read."""
    content = read_bytes(file, FILE)
    _LINES.check(content.count(b"\n"))
    PARTS.check(content.count(b"\n--"))
    _MULTIPARTS.check(len(_MULTIPART.findall(content)))
    try:
        message = message_from_bytes(content, policy=_MailPolicy())
        part = message.get_body(("plain", "html")) if isinstance(message, EmailMessage) else None
        sender, _ = parseaddr(str(message["from"] or ""))
        keys = {"title": message["subject"], "author": sender, "published": message["date"]}
    except (LookupError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise UnreadableArticleError("It is no e-mail that can be read: save its text as .txt.") from error
    text = _decoded(part).replace("\r\n", "\n") if isinstance(part, EmailMessage) else ""
    is_html = part is not None and part.get_content_subtype() == "html"
    body = _without_trailers(body_of(text) if is_html else Body(text))
    written = {key: str(value) for key, value in keys.items() if value and "\ufffd" not in str(value)}
    yield ArticleDraft(body, written)


def _without_trailers(body: Body) -> Body:
    """Leave out the signature below a mail, the mail that it answers, and what a lawyer or a list server has added."""
    trailer = _TRAILER.search(body.text, len(body.text) - len(body.text.lstrip()) + 1)
    text = body.text[: trailer.start()].rstrip() if trailer else body.text
    for _ in range(_MOST_ADDED):
        before, _, paragraph = text.rpartition("\n\n" if "\n\n" in text else "\n")
        if before.strip() and _ADDED.match(paragraph.strip()):
            text = before.rstrip()
    if not (added := body.text[len(text) :].strip()):
        return body
    layout = tuple(part for part in body.layout if part.span.end <= len(text))
    return Body(text, layout, (*body.left_out, LeftOut(LeftOutKind.OTHER, " ".join(added.split()))))


class _MailPolicy(EmailPolicy):
    """Reads headers as the library does, but none whose reading may take minutes."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value if len(value) <= _LONGEST_HEADER else ""


def _decoded(part: EmailMessage) -> str:
    payload, named = part.get_payload(decode=True), part.get_content_charset("utf-8")
    for charset in (_READ_AS.get(named, named), "utf-8"):
        with suppress(LookupError, ValueError):
            return payload.decode(charset) if isinstance(payload, bytes) else ""
    raise UnreadableArticleError("Its text is not in the character set that it names: save it as .txt in UTF-8.")


def _rtf_markup(rtf: str) -> str:
    code_page = _CODE_PAGE.search(rtf[:1_000])
    codec = f"cp{code_page[1]}" if code_page else "mac_roman" if "\\mac" in rtf[:1_000] else "cp1252"
    # how the words of each are set, and how many characters stand behind one of Unicode in its place
    groups = [{"uc": 1, _ASIDE: 0}]
    pieces, encoded = list[str](), bytearray()
    at = skipped = 0
    while groups and (token := _RTF.match(rtf, at)):
        at, own = token.end(), groups[-1]
        byte, word, number, sign, brace, text = token.groups("")
        if encoded and not byte:
            try:
                pieces.append(_set(encoded.decode(codec), own))
            except (LookupError, ValueError) as error:
                raise UnreadableArticleError("Its characters cannot be read: save it as .docx.") from error
            encoded.clear()
        if brace == "{":
            groups.append(own.copy())
            _GROUPS.check(len(groups))
        elif brace:
            groups.pop()
        elif word == "bin":
            at += max(int(number or 0), 0)
        else:
            own.update(dict.fromkeys(_PLAIN.get(word, ()), 0))
            if word in _TAGS or word == "uc":
                own[_TAGS.get(word, word)] = int(number or 1)
            own[_ASIDE] |= (word or sign) in _ASIDES
            cut = min(skipped, 1 if byte else len(text))
            skipped = own["uc"] if word == "u" else skipped - cut
            if byte and not (cut or own[_ASIDE]):
                encoded.append(int(byte, 16))
            elif not own[_ASIDE]:
                letter = chr(int(number or 0) % 0x10000) if word == "u" else ""
                pieces.append(_set(letter or text[cut:] or _CHARACTERS.get(word or sign, ""), own))
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _set(words: str, marks: Mapping[str, object]) -> str:
    """Mark words as they are set; white space, and what is hidden, has no mark."""
    if marks.get(_HIDDEN):
        return "".join(letter for letter in words if letter == "\n")
    marked = escape(words, quote=False)
    for tag in ("b", "s", "sub", "sup") if words.strip() else ():
        marked = f"<{tag}>{marked}</{tag}>" if marks.get(tag) else marked
    return marked


def _draft(markup: str, keys: Mapping[str, object]) -> ArticleDraft:
    """Return the draft of a text whose paragraphs are its lines."""
    whole = re.sub(r"</(\w+)><\1>", "", markup)  # a mark in several pieces is one
    return ArticleDraft(body_of(whole.replace("\n", "\n\n")), keys)
