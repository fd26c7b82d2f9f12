"""HTML or Markdown -> text, one paragraph per line, and how it was set: an article's body from an editing system.

Hidden elements are left out, and so are scripts, frames, captions and pull quotes. Only attributes tell what is hidden;
style sheets are not read.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from lxml import etree
from lxml.html import HtmlElement, fragment_fromstring
from markdown_it import MarkdownIt

from retrieval.errors import UnreadableArticleError
from retrieval.intake.marks import CODE, ELEMENT, INLINE, clean, collapsed
from retrieval.limits import ARTICLE, ATTRIBUTES, ELEMENTS, TEXT, Limit
from retrieval.model import Body, LayoutKind, LayoutSpan, LeftOut, LeftOutKind, Span

MARKS = 5  # most "<" per element; scripts have some too
# as in XML, without "<" in quotation marks, so that each "<" starts at most one match
_TAG = re.compile(rb"""<[^\s<>"'=!?/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_QUOTED = re.compile(rb""""[^"]*"|'[^']*'""")
_UNSEEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!\s*important\s*)?(?:;|$)"
)
_ROOTS = frozenset(("html", "body"))  # hidden by some pages until their scripts have run
_NAMED = {  # what is left out and may have words that somebody sees
    **dict.fromkeys(("iframe", "object", "audio", "video"), LeftOutKind.EMBED),
    **dict.fromkeys(("figcaption", "form", "button"), LeftOutKind.OTHER),
}
_SKIPPED = CODE | {"title", "svg"} | _NAMED.keys()
_LAYOUT = {
    **dict.fromkeys(("b", "strong"), LayoutKind.BOLD),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), LayoutKind.HEADING),
    **dict.fromkeys(("caption", "figcaption"), LayoutKind.CAPTION),
    "cite": LayoutKind.CITE,
    "blockquote": LayoutKind.BLOCK_QUOTATION,
    "li": LayoutKind.LIST_ITEM,
}
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)")
_DISPLAYED = ("blockquote", "aside")
_MOST_DISPLAYED, _FEWEST_SPACES, _LONGEST_PULL_QUOTE = 100, 4, 600
_QUOTATION_MARKS = re.compile("[\"“”„«»‘’']")
_PULL_QUOTE = re.compile(r"pull(?:ed)?[_-]?quote|quote[_-]?pull")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")  # separates paragraphs in editing systems that write them without elements
_BREAK, _SOFT_BREAK = "\n", "\v"  # between blocks, and where a line ends inside one
_TOKEN = re.compile(rf"[{_BREAK}{_SOFT_BREAK}]|[^\S{_BREAK}{_SOFT_BREAK}]+|\S+")

MOST_MARKS = 20_000  # of Markdown, beyond which a text is taken as it is: the parser would need minutes
_MARKDOWN = re.compile(r"[*_~`\[<&\\|{⁰¹²³⁴-⁹⁺⁻]|^[ \t]{0,3}[#>+=:-]", re.MULTILINE)
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


def refuse_attributes(content: bytes) -> None:
    """Raise ``TooLargeError`` for too many attributes in one element: some parsers need quadratic time."""
    for tag in _TAG.finditer(content):
        if tag.end() - tag.start() > 2 * ATTRIBUTES.most:
            bare = _QUOTED.sub(b"", tag[0])
            ATTRIBUTES.check(max(bare.count(b"="), len(bare.split())))


def local_name(element: etree._Element) -> str:
    """Return an element's name without its namespace; "" for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def is_hidden(element: HtmlElement) -> bool:
    if element.tag in _ROOTS or element.getparent() is None:
        return False
    return (
        "hidden" in element.attrib
        or element.get("aria-hidden", "").strip().lower() == "true"
        or _UNSEEN.search(element.get("style", "").lower()) is not None
    )


def body_of(markup: str, limit: Limit = ARTICLE, paragraph: str = _BREAK) -> Body:
    r"""Read an article's body; ``paragraph`` is put between its blocks, a line end at each ``br``.

    Raises ``TooLargeError`` where it is beyond the limits, ``UnreadableArticleError`` where it is no text at all.

    >>> body_of("<p>It <b>rained</b>.</p><p>Nobody slept.</p>").text
    'It rained.\nNobody slept.'
    """
    ELEMENTS.check(markup.count("<") // MARKS)
    limit.check(len(markup) - sum(map(len, ELEMENT.findall(markup))))
    refuse_attributes(markup.encode(errors="replace"))
    try:
        root = fragment_fromstring(markup.replace("\0", ""), create_parent="div")
    except (etree.ParserError, AssertionError):  # a comment, or a page's head, and nothing else
        return Body()
    except ValueError as error:  # half a character
        raise UnreadableArticleError("Its HTML cannot be read: save the text alone.") from error
    ELEMENTS.check(sum(1 for _ in root.iter("*")))
    left_out = (*clean(root), *drop_pull_quotes(root))
    body = lay_out(root, paragraph)
    return replace(body, left_out=(*left_out, *body.left_out))


def markdown_body(text: str) -> Body:
    """Read Markdown, by way of HTML: links and emphasis keep their words only. Raises as ``body_of``.

    A line break stays one, an empty line parts two blocks. The number of a list item is a word, its bullet is none. A
    text without marks stays as it is, character for character.
    """
    marks = 0 if "\0" in text else sum(1 for _ in _MARKDOWN.finditer(text))
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


def joined(bodies: Iterable[Body]) -> Body:
    """Return one body of several; those without text add what they left out."""
    text, layout, left_out = "", list[LayoutSpan](), list[LeftOut]()
    for body in bodies:
        left_out += body.left_out
        if body.text:
            text += _BREAK if text else ""
            layout += (part.moved(len(text)) for part in body.layout)
            text += body.text
    return Body(text, tuple(layout), tuple(left_out))


def lay_out(root: HtmlElement, paragraph: str = _BREAK, skipped: Collection[str] = _SKIPPED) -> Body:
    """Return the words of a tree with one space between, and a break where a block begins or ends.

    Without recursion: pages may be deep.
    """
    gaps = {_BREAK: paragraph, _SOFT_BREAK: _BREAK}
    pieces, starts, size, gap = list[str](), list[int](), 0, ""  # the gap comes before the next word
    opened, layout = dict[HtmlElement, tuple[LayoutKind, int]](), list[LayoutSpan]()
    left_out = list[LeftOut]()
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walk:
        if event == "start" and (element.tag in skipped or is_hidden(element)):
            walk.skip_subtree()
            named = None if is_hidden(element) else _NAMED.get(element.tag)
            if named and (words := collapsed(element) or element.get("src", "")):
                left_out.append(LeftOut(named, words))
            continue
        if event == "start":
            piece = _edge(element) + _inline(element.text)
            if kind := kind_of(element):
                opened[element] = kind, len(starts)
        else:
            edge = _edge(element) if event == "end" else ""
            piece = edge + (_inline(element.tail) if element is not root else "")
            if element in opened:
                kind, first = opened.pop(element)
                layout += [LayoutSpan(kind, Span(starts[first], size))] if first < len(starts) else []
        for token in _TOKEN.findall(piece):
            if token.isspace():
                gap = max(gap, gaps.get(token, " "), key=lambda own: (own.count(_BREAK), own))
            else:
                pieces += gap if starts else "", token
                starts.append(size + len(gap if starts else ""))
                size, gap = starts[-1] + len(token), ""
    layout.sort(key=lambda part: (part.span.start, -part.span.end, part.kind))
    return Body("".join(pieces), tuple(layout), tuple(left_out))


def kind_of(element: HtmlElement) -> LayoutKind | None:
    if kind := _LAYOUT.get(element.tag):
        return kind
    if "caption" in element.get("class", ""):
        return LayoutKind.CAPTION
    return LayoutKind.BOLD if _BOLD_STYLE.search(element.get("style", "").lower()) else None


def drop_pull_quotes(root: HtmlElement) -> tuple[LeftOut, ...]:
    """Remove the blocks that repeat words of the article in large letters, and return them.

    A name says so, or each word of a block quotation stands in one of the paragraphs too.
    """
    left_out = list[LeftOut]()
    blocks = [e for e in root.iter("*") if e.tag not in INLINE and e.tag not in _ROOTS and e is not root]
    named = {e for e in blocks if _PULL_QUOTE.search(f"{e.get('class', '')} {e.get('role', '')}".lower())}
    displayed = set([e for e in blocks if e.tag in _DISPLAYED][:_MOST_DISPLAYED])
    texts = (collapsed(e) for e in blocks if e.tag == "p" and next(e.iterancestors(*_DISPLAYED), None) is None)
    top = root.getroottree().getroot()
    running = _plain("\n".join(texts)) if displayed else ""
    for element in [e for e in blocks if e in named or e in displayed]:
        words = " ".join(lay_out(element).text.split())
        is_repeated = element in named or (words.count(" ") >= _FEWEST_SPACES and _plain(words) in running)
        if words and is_repeated and element.getroottree().getroot() is top and len(words) <= _LONGEST_PULL_QUOTE:
            left_out.append(LeftOut(LeftOutKind.PULL_QUOTE, words))
            element.drop_tree()
    return tuple(left_out)


def _plain(words: str) -> str:
    """Return words for comparison: without quotation marks, and without a stop at the end."""
    return _QUOTATION_MARKS.sub("", words).strip(" .,…").casefold()


def _edge(element: HtmlElement) -> str:
    return _SOFT_BREAK if element.tag == "br" else "" if element.tag in INLINE else _BREAK


def _inline(text: str | None) -> str:
    """Replace line ends with spaces, and blank lines with a break."""
    parts = _BLANK_LINE.split((text or "").replace("\r\n", "\n"))
    return _BREAK.join(part.replace("\n", " ").replace(_SOFT_BREAK, " ") for part in parts)
