"""Marks that are no words of an article: footnote marks, struck-out words, and the codes of page builders and plugins.

A superscript is read by what stands around it. Powers, units, isotopes and ions are figures: they become characters of
their own (10⁶, m², ¹⁴C), and so do fractions (4½) and subscripts (CO₂). Any other number is the mark of a note.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from unicodedata import normalize

from lxml import etree
from lxml.html import HtmlElement, defs

from retrieval.model import LeftOut, LeftOutKind
from retrieval.names.gazetteer import is_word

_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_TO_RAISED, _TO_LOWERED = str.maketrans("0123456789+-", _RAISED), str.maketrans("0123456789+-", _LOWERED)
_TO_DIGITS = str.maketrans(_RAISED, "0123456789+-")
_RAISED_RUN = re.compile(f"[{_RAISED}]+")
_VULGAR = {normalize("NFKD", own): own for own in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"}  # the parts have a fraction slash between
_FRACTION = re.compile(r"(\d{1,3})[/⁄](\d{1,3})")
_NUMBER = re.compile(r"\d{1,3}")
_EXPONENT = re.compile(r"[+-]?\d{1,3}|\d?[+-]")
_NOTE_MARK = re.compile(
    r"[*†‡§¶#]+|[\[(](?:note |fn\.? ?)?(?:\d{1,3}|[a-z]|[ivx]{1,4})[\])]|\d{1,3}(?:[,;–-]\d{1,3})+|[↩↑^⏎]\ufe0e?"
)
_LETTER_MARK = re.compile(r"[a-d]")
_LETTERS = re.compile(r"[^\W\d_]{4}$")  # that such a letter may mark: "M<sup>c</sup>" and "D<sup>a</sup>" have less
_NOTE_NAME = re.compile(r"(?:^|[\s_-])(?:end|side)?note(?:s|call)?(?:$|[\s_-])|footnote|\bfn\b|fnref|reference|noteref")

_BASE = re.compile(r"(?P<sign>[$£€¥×x·]? ?)(?P<number>\d[\d.,]*)$|(?P<ahead>[\d/·=] ?|per )?(?P<word>[^\W\d_]+)$")
_UNITS = frozenset("m km cm mm dm nm µm μm ft yd mi in s h kg g l lb K N W V mc".split())
_AMBIGUOUS_UNITS = frozenset(("in", "mi", "h", "g"))  # words, or the end of one, unless a number is before them
_MOLECULES = frozenset(("CO", "SO", "NO", "CH", "NH", "PO"))
_ISOTOPE = re.compile(r"[A-Z][a-z]?(?![^\W\d_])")
_LONGEST_MARK, _LONGEST_SHEET = 12, 200_000  # characters
_STOPS = frozenset(".,;:!?)]”’…")
_STRUCK = frozenset(("del", "s", "strike"))
_STRUCK_STYLE = re.compile(r"text-decoration[\w-]*\s*:[^;]*line-through")
_STRUCK_NAME = re.compile(r"(?:^|[\s_-])(?:(?:strike|line)-?through|strike|struck-?(?:out|through)|deletion)(?:$|\s)")
_RAISED_STYLE = re.compile(r"vertical-align\s*:\s*(?:super|text-top)")
# of a style sheet, for a class by itself
_RULE = re.compile(r"(?:^|[},;{])\s*(?:[a-z]+)?\.([\w-]+)\s*\{([^{}]*)(?=\})", re.IGNORECASE)
CODE = frozenset(("script", "style", "template", "noscript"))
ELEMENT = re.compile(r"<[^<>]*>")
_HTML5_INLINE = frozenset("bdi data mark time wbr".split())  # lxml's lists are HTML 4's
INLINE = (defs.special_inline_tags | defs.phrase_tags | defs.font_style_tags | _HTML5_INLINE) - {"br"}
_BEFORE = 24  # characters that are looked at

# WordPress's codes, those of plugins and page builders, and those of forums: [name key="value"], [/name]
_BRACKET = re.compile(
    r"""\[(?P<end>/?)(?P<name>[A-Za-z][\w-]{0,60}+)(?P<rest>(?:[\s=/](?:[^\[\]"'<>]|"[^"]{0,999}"|'[^']{0,999}'){0,400}+)?)\]"""
)
# of templates that were not filled in, and of plugins that fill them
_TEMPLATE = re.compile(r"\{\{[^{}]{1,200}\}\}|\{%[^{}]{1,200}%\}|%%[a-z_]{2,40}%%|<\?php\b[^<>]{0,400}\?>")
_BUILDERS_NAME = re.compile(r"[a-z]{2,}_")  # "vc_row"; "x86_64" is none
_KEY = re.compile(r"\s[\w-]+=")
_MEDIA = frozenset(("caption", "wp_caption", "embed"))
_MEDIA_WORDS = frozenset(("audio", "video", "gallery", "playlist"))  # an editor's bracket may have these
_ENCLOSES = re.compile(  # what is between a pair of these is left out too; the groups are kinds of it
    r"""(?P<pull_quote>.*pull[_-]?quote.*|.*quote[_-]pull)
    |(?P<footnote_mark>(?:\w+_)?(?:foot|end|side)?notes?|fn|ref|mfn)
    |(?P<embed>embed|audio|video|gallery|playlist|(?:\w+_)?(?:youtube|vimeo|tweet|twitter|instagram|facebook|tiktok
      |soundcloud|raw_html|raw_js|iframe|map|googlemap))
    |(?P<teaser>(?:\w+_)?(?:related\w*|read_?more|button|cta|subscribe\w*|newsletter\w*))
    |(?P<other>(?:wp_)?caption|contact-form\S*|(?:\w+_)?form)""",
    re.VERBOSE,
)
_ENDS_SENTENCE = re.compile(r"(?:[.!?…][\"”’)]*|^|[\n>])$")
_BEGINS_SENTENCE = re.compile(r"[\"“‘(]?[A-Z]|$|[\n<]")


def fraction(above: str, below: str) -> str:
    return _VULGAR.get(f"{above}⁄{below}") or f"{above.translate(_TO_RAISED)}⁄{below.translate(_TO_LOWERED)}"


@dataclass(slots=True)
class Notes:
    """The marks of notes that were found so far: ``last`` is the number, ``sure`` whether one can't be a power."""

    left_out: list[LeftOut] = field(default_factory=list)
    last: int = 0
    sure: bool = False

    def superscript(self, words: str, before: str, after: str, *, linked: bool = False) -> str | None:
        """Return a superscript as characters, None where it is the mark of a note."""
        if vulgar := _FRACTION.fullmatch(words):
            return fraction(*vulgar.groups())
        if not (linked or _NOTE_MARK.fullmatch(words)):
            if _EXPONENT.fullmatch(words):
                if self._is_exponent(words, before, after):
                    return words.translate(_TO_RAISED)
            elif not (_LETTER_MARK.fullmatch(words) and _LETTERS.search(before)):
                return words
        self.leave_out(words)
        self.sure |= linked or not before[-1:].isdigit()
        return None

    def leave_out(self, words: str) -> None:
        self.left_out.append(LeftOut(LeftOutKind.FOOTNOTE_MARK, words))
        if number := re.search(r"\d+$", words.strip("[]()")):
            self.last = int(number[0])

    def _is_exponent(self, words: str, before: str, after: str) -> bool:
        base = _BASE.search(before)
        if base is None:  # an isotope, or a mark that stands apart or behind a stop
            return bool(_ISOTOPE.match(after)) and not before[-1:].strip(" (\xa0")
        if not words.isdigit():  # a negative power, an ion
            return True
        if words == "1":
            return False
        is_next, word = self.sure and int(words) == self.last + 1, base["word"]
        if number := base["number"]:
            sign = base["sign"].strip()
            if number == "10" and sign and sign in "×x·":
                return True
            return not (sign or is_next) and (number == "10" or len(number) == 1)
        if word in _UNITS and base["ahead"]:
            return words in ("2", "3")
        is_unit = word in _UNITS - _AMBIGUOUS_UNITS and words in ("2", "3")
        return word in _MOLECULES or ((is_unit or len(word) == 1) and not is_next)

    def in_text(self, text: str, before: str = "") -> str:
        """Return a text without the marks that are superscript characters; ``before`` is what stands before it."""

        def read(run: re.Match[str]) -> str:
            around = (before + text[: run.start()])[-_BEFORE:], text[run.end() : run.end() + _BEFORE]
            if around[1][:1] == "⁄":
                return run[0]
            return "" if self.superscript(run[0].translate(_TO_DIGITS), *around) is None else run[0]

        return _RAISED_RUN.sub(read, text)


def clean(root: HtmlElement) -> tuple[LeftOut, ...]:
    """Take struck-out words, the marks of notes and page codes out of a tree; return what was taken."""
    notes, left_out, replaced = Notes(), list[LeftOut](), dict[HtmlElement, str]()
    _apply_sheets(root)
    closed = {code["name"].lower() for text in root.itertext() for code in _BRACKET.finditer(text) if code["end"]}
    gone: HtmlElement | None = None
    before = ""  # the last characters in the block

    def read(text: str | None, *, whole: bool = False) -> str | None:
        nonlocal before
        text, codes = without_codes(text or "", closed, whole=whole)
        left_out.extend(codes)
        text = notes.in_text(text, before)
        before = (before + text)[-_BEFORE:]
        return text or None

    for event, element in list(etree.iterwalk(root, events=("start", "end", "comment", "pi"))):
        if gone is not None and element is not gone:
            continue
        is_block = isinstance(element.tag, str) and element.tag not in INLINE
        before = "" if is_block else before
        if event == "start":
            if element is not root and (replacement := _replacement(element, before, notes)) is not None:
                gone, replaced[element] = element, replacement
                if _is_struck(element) and (words := collapsed(element)):
                    left_out.append(LeftOut(LeftOutKind.STRUCK_OUT, words))
            elif element.tag in CODE:
                gone = element
            else:
                element.text = read(element.text, whole=is_block and len(element) == 0)
            continue
        gone = None
        if element is not root:
            before += replaced.get(element, "")
            element.tail = read(element.tail)
            if element in replaced:
                _replace_with(element, replaced[element])
    return (*notes.left_out, *left_out)


def _replacement(element: HtmlElement, before: str, notes: Notes) -> str | None:
    """Return the characters that an element becomes, "" where its words are no words of the article, None else."""
    if _is_struck(element):
        return ""
    if element.tag == "sub" and len(element) == 0:
        words = "".join((element.text or "").split())
        return words.translate(_TO_LOWERED) if _EXPONENT.fullmatch(words) else element.text or ""
    if _is_note_mark(element, before):
        notes.sure = True
        notes.leave_out(collapsed(element))
        return ""
    is_raised = element.tag == "sup" or _RAISED_STYLE.search(element.get("style", "").lower())
    if not is_raised or len(words := "".join(element.text_content().split())) > _LONGEST_MARK or not words:
        return None
    after, below = (element.tail or "")[:_BEFORE], element.getnext()
    if after in ("/", "⁄") and below is not None and below.tag == "sub" and _NUMBER.fullmatch(below.text or ""):
        vulgar = fraction(words, below.text or "")
        element.tail, below.text = "", ""
        return vulgar
    linked = _is_note(element) or any(_is_note(inside) or "#" in inside.get("href", "") for inside in element.iter("a"))
    outer = element.getparent()
    linked |= outer is not None and outer.tag == "a" and "#" in outer.get("href", "")
    return notes.superscript(words.replace("−", "-"), before, after, linked=linked) or ""


def _apply_sheets(root: HtmlElement) -> None:
    """Give elements the style that a sheet gives to their class, where it strikes out or raises words."""
    sheets = "".join(style.text or "" for style in root.iter("style"))[:_LONGEST_SHEET].lower()
    rules = {
        name: rule for name, rule in _RULE.findall(sheets) if _STRUCK_STYLE.search(rule) or _RAISED_STYLE.search(rule)
    }
    for element in root.iter() if rules else ():
        for name in element.get("class", "").lower().split() if isinstance(element.tag, str) else ():
            if name in rules:
                element.set("style", f"{element.get('style', '')};{rules[name]}")


def _is_struck(element: HtmlElement) -> bool:
    names = f"{element.get('class', '')} {element.get('role', '')}".lower() if element.tag in INLINE else ""
    is_set = element.tag in _STRUCK or _STRUCK_STYLE.search(element.get("style", "").lower()) is not None
    return is_set or _STRUCK_NAME.search(names) is not None


def _is_note(element: HtmlElement) -> bool:
    return any(_NOTE_NAME.search(element.get(key, "").lower()) for key in ("class", "role", "rel", "epub:type"))


def _is_note_mark(element: HtmlElement, before: str) -> bool:
    """Whether a class names what is short and inside a line as the mark of a note, or a link leads to one, or back."""
    is_note = element.tag in INLINE | {"button"} and element.tag != "sup" and _is_note(element)
    is_link = element.tag == "a" and "#" in element.get("href", "")
    words = collapsed(element) if is_note or is_link else ""
    is_mark = _NOTE_MARK.fullmatch(words) is not None
    if not (is_mark or _NUMBER.fullmatch(words)):
        return False
    is_apart = element.find(".//sup") is not None or (words[0] != "(" if is_mark else before[-1:].strip() != "")
    return is_note or (is_apart and len(words) <= _LONGEST_MARK)


def _replace_with(element: HtmlElement, words: str) -> None:
    """Put words where an element is; without any, a space before a stop goes too."""
    previous, parent, tail = element.getprevious(), element.getparent(), element.tail or ""
    if not words and tail[:1] in _STOPS:
        if previous is not None:
            previous.tail = (previous.tail or "").rstrip()
        else:
            parent.text = (parent.text or "").rstrip()
    element.tail = words + tail
    element.drop_tree()


def collapsed(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def without_codes(text: str, closed: Collection[str] = (), *, whole: bool = True) -> tuple[str, list[LeftOut]]:
    """Remove the codes of plugins and page builders; an editor's brackets stay.

    ``closed`` are the names that are closed somewhere ("[/name]"), if not in this text; ``whole`` says that nothing
    stands beside it in its block. Between blocks, a code becomes an empty line.
    """
    left_out = {LeftOut(LeftOutKind.PAGE_CODE, " ".join(code.split())): None for code in _TEMPLATE.findall(text)}
    text = _TEMPLATE.sub("", text)
    brackets = list(_BRACKET.finditer(text)) if "[" in text else []
    ends = {bracket["name"].lower() for bracket in brackets if bracket["end"]} | set(closed)
    codes = [bracket for bracket in brackets if _is_code(bracket, ends, whole=whole)]
    next_ends, behind = dict[str, re.Match[str]](), list[re.Match[str] | None]()
    for code in reversed(codes):
        name = code["name"].lower()
        behind.append(next_ends.get(name))
        if code["end"]:
            next_ends[name] = code
    parts, done = list[str](), 0
    for code, closing in zip(codes, reversed(behind), strict=True):
        if code.start() < done:
            continue
        end = code.end()
        left_out[LeftOut(LeftOutKind.PAGE_CODE, " ".join(code[0].split()))] = None
        if closing and not code["end"] and (encloses := _ENCLOSES.fullmatch(code["name"].lower())):
            end = closing.end()
            if words := " ".join(ELEMENT.sub(" ", text[code.end() : closing.start()]).split()):
                left_out[LeftOut(LeftOutKind(encloses.lastgroup or LeftOutKind.OTHER), words)] = None
        before = text[done : code.start()]
        is_between = _ENDS_SENTENCE.search(before[-9:] or "\n") and _BEGINS_SENTENCE.match(text[end : end + 2])
        parts += before, "\n\n" if is_between else ""
        done = end
    return "".join(parts) + text[done:], list(left_out)


def _is_code(bracket: re.Match[str], ends: Collection[str], *, whole: bool) -> bool:
    text, name, rest = bracket.string, bracket["name"], bracket["rest"]
    folded = name.lower()
    if bracket["end"]:
        return not rest.strip()
    if folded in _MEDIA or _KEY.search(rest) or rest.rstrip().endswith("/"):
        return True
    if rest and not rest.startswith("="):
        return False
    if folded in ends:
        return True
    if _BUILDERS_NAME.match(name) and not text[: bracket.start()][-1:].isalnum():  # no index, as in "row[a_b]"
        return True
    ahead, behind = text[: bracket.start()][-9:].rstrip(" \t"), text[bracket.end() : bracket.end() + 9].lstrip(" \t")
    is_alone = ahead[-1:] in ("", "\n", ">", "]") and behind[:1] in ("", "\n", "\r", "<", "[")
    return whole and is_alone and name.islower() and (folded in _MEDIA_WORDS or not is_word(folded))
