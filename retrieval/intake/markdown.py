"""Markdown -> text, by way of HTML: links and emphasis keep their words only.

A line break stays one, an empty line parts two blocks. The number of a list item is a word, its bullet is none. A text
without marks stays as it is, character for character.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from retrieval.intake.markup import body_of
from retrieval.limits import TEXT
from retrieval.model import Body, LeftOut, LeftOutKind

MOST_MARKS = 20_000  # beyond which a text is taken as it is: the parser would need minutes
_MARK = re.compile(r"[*_~`\[<&\\|{⁰¹²³⁴-⁹⁺⁻]|^[ \t]{0,3}[#>+=:-]", re.MULTILINE)
# of site generators and editors: Hugo, Jekyll, Eleventy, kramdown, Docusaurus, GitHub, Obsidian
_CODE = re.compile(
    r"\{\{.{1,400}?\}\}|\{%.{1,400}?%\}|\{[:#.][^{}\n]{1,100}\}|(?m:^:::+[^\n]*$)"
    r"|(?m:(?<=^> )\[![A-Za-z-]{1,30}\][+-]?)|(?<=[-*+] )\[[ xX]\] ",
    re.DOTALL,
)
_TIMES, _MASK = re.compile(r"(?<=\d)\*(?=\d)"), "\ue000"  # in a sum: as emphasis it would leave another figure
_NOTE = re.compile(r"\[\^[^\]\s]{1,60}\](:?)")
_LIST_NUMBER = re.compile(r"^([ \t]*\d{1,9})([.)])(?=[ \t])", re.MULTILINE)
_PARSER = MarkdownIt("commonmark", {"html": True, "breaks": True}).enable(["strikethrough", "table"]).disable("code")


def markdown_body(text: str) -> Body:
    """Read Markdown. Raises as ``body_of``."""
    marks = 0 if "\0" in text else sum(1 for _ in _MARK.finditer(text))
    if not 0 < marks <= MOST_MARKS:
        return Body(text)
    left_out = list[LeftOut]()

    def leave_out(mark: re.Match[str]) -> str:
        kind = LeftOutKind.FOOTNOTE_MARK if mark.re is _NOTE else LeftOutKind.PAGE_CODE
        left_out.append(LeftOut(kind, " ".join(mark[0].split())))
        return ""

    plain = _NOTE.sub(leave_out, _CODE.sub(leave_out, text.replace("\r\n", "\n").replace("\r", "\n")))
    markup = _PARSER.render(_LIST_NUMBER.sub(r"\1\\\2", _TIMES.sub(_MASK, plain)))
    body = body_of(markup.replace(_MASK, "*"), TEXT, paragraph="\n\n")
    if body.text.split() == text.split() and not body.layout:
        return Body(text)
    return Body(body.text, body.layout, (*left_out, *body.left_out))
