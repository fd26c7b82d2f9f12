"""A pasted text -> what the articles have of it: as a whole where it is one quotation, else of each quotation in it.

Every word is compared, or the reply names it. Words around quotation marks are compared with the article where it has
most of them too; where it hasn't, the quotation is checked by itself, with whoever is named beside it as its speaker.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import retrieval
from bot import messages
from bot.command import Library
from bot.commands.alignment import FIGURE, quote_words
from bot.commands.comparison import FEWEST, SENTENCES, Comparison, Quoted, alters, compare, is_too_short, searched
from bot.model import Agreement, Change, Check, ClaimedSpeaker, Listing, Message, Verdict
from bot.outline import listed_checks
from bot.verbatim import collapse
from retrieval import QUESTION, STOPWORDS, VERBS, Archive, Force, Kind, Span, bare_name, classes, is_word, quoted_spans

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST = 15  # quotations of one message
RUN = 5  # words in a row that are no accident
LONGEST = 2 * QUESTION  # characters of a quotation
BESIDE = 100  # characters around a quotation in which its speaker is named

_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_EMPHASIS = re.compile(rf"[*_`](?!(?<=\d.)\d)|~(?!{FIGURE})")
_OPENED, _CLOSED = "“«„", "”»"
_NUMBERED = re.compile(r"\s*(?P<number>\d{1,2}[.)])\s+(?P<words>\S.*)", re.DOTALL)
_LIST_NUMBER = re.compile(r"\d{1,2}[.)]?")
_EDGES = "\"“”„«»‘’' \n"

_TITLES = classes("courtesy_titles", "cut_titles")
TITLE = rf"(?:{'|'.join(sorted(_TITLES))})\."
_PART = rf"(?:{TITLE}|[A-ZÀ-ÖØ-Þ](?:\.|[\w’'-]*))"
_NAME = rf"(?P<name>{_PART}(?:\s+(?:{_PART}|al|bin|da|de|der|di|el|la|of|the|van|von)(?!\w)){{0,6}})"
_NO_VERB = r"(?!(?:is|are|was|were|has|have|had|says?|said|reads?|runs?|goes)\b)[\w’'-]+"
_ROLE = (
    rf"(?P<role>(?i:the|a|an|his|her|their|our|my)(?:\s+{_NO_VERB}){{1,4}}"
    rf"|[A-Z][\w’'-]*[’']s?(?:\s+{_NO_VERB}){{1,3}})"
)
_DASH = r"(?P<dash>—|–|--|-)"
_SPACED_DASH = r"\s*+(?P<dash>—|--|(?<=\s)[–-])\s*"
_TYPED = r"(?P<typed>[^\W\d_][\w.’'-]*(?:\s+[^\W\d_][\w.’'-]*){0,3})"  # a name in small letters, or any few words
_OFFICE = r"(?P<office>[^\W\d_][\w’'-]*(?:\s+[a-z][\w’'-]*){0,6}),?\s+"  # before a name: city engineer Ann Lee
_APPOSED = r"(?:,[^,:\"“”]{2,60},)?"
_BESIDE = r"(?:,\s*(?P<beside>[^,:“”\"—]{1,60}))?"
_VERB = r"(?P<verb>[\w’]+)"
_FILLERS = r"(?P<filler>(?:\s+(?:also|has|had|have|then|later|that|once|as))*)"
_BEHIND = (
    re.compile(rf"[.,\s]*{_DASH}\s*{_NAME}(?=\s*(?:$|[\n.,;:!?)]))"),
    re.compile(rf"[.,\s]*{_DASH}\s*{_ROLE}\s*[.,]?\s*$"),
    re.compile(rf"[.,\s]*{_DASH}\s*{_OFFICE}{_NAME}\s*[.,]?\s*$"),
    re.compile(rf"[.,\s]*{_DASH}\s*{_TYPED}\s*$"),
    re.compile(rf"[.,]?\s*\(\s*{_NAME}\s*\)"),
    re.compile(rf"[.,\s]*according\s+to\s+(?:the\s+)?{_NAME}"),
    re.compile(rf"[.,\s]*{_VERB}(?:\s+(?!the\s)[a-z]+){{0,3}}\s+{_NAME}"),
    re.compile(rf"[.,\s]*{_NAME}{_APPOSED}{_FILLERS}\s+{_VERB}"),
)
_BEFORE = (
    re.compile(rf"(?:^|[\n.!?•*-])\s*{_NAME}\s*:\s*$"),
    re.compile(rf"(?:^|[\n.!?•*-])\s*{_ROLE}\s*:\s*$"),
    re.compile(rf"[Aa]ccording\s+to\s+(?:the\s+)?{_NAME}\s*[,:]?\s*$"),
    re.compile(rf"{_NAME}{_APPOSED}{_FILLERS}\s+{_VERB}[^.!?\"“”]{{0,40}}$"),
)
_UNMARKED = (
    re.compile(rf"(?P<words>.*?\S){_SPACED_DASH}(?:{_NAME}{_BESIDE}|{_ROLE})\s*\.?", re.DOTALL),
    re.compile(rf"(?P<words>.*\S){_SPACED_DASH}{_OFFICE}{_NAME}\s*\.?\s*", re.DOTALL),
    re.compile(rf"(?P<words>.*\S){_SPACED_DASH}{_TYPED}\s*", re.DOTALL),
    re.compile(rf"(?:{_NAME}|{_ROLE})\s*:(?!\d)\s*(?P<words>.+)", re.DOTALL),
)
_PRONOUNS = classes("third_persons", "first_persons", "second_persons")
_IN_OFFICES = frozenset("the a an of for our my his her their".split())
_FRAME = frozenset("said says say also has had have then that according to as by the".split())


@dataclass(frozen=True, slots=True)
class PastedQuotation:
    """What is quoted in a text from ``start`` to ``end``, with its marks, and who is claimed beside it to say it.

    ``frame`` are the stretches of the text that name the speaker.
    """

    words: str
    start: int
    end: int
    speaker: str | None = None
    frame: tuple[tuple[int, int], ...] = ()

    @property
    def claim(self) -> str:
        """The two in one line, as somebody would type them."""
        return f"“{self.words}” — {self.speaker}" if self.speaker else f"“{self.words}”"


def check(library: Library, text: str) -> Check | Listing | Message:
    """Return what the articles have of a pasted text; a ``Message`` where there is nothing to check."""
    archive, through = library.archive, searched(library.archive)
    found_in = quotations(library, text)
    whole = Quoted(_plain(text))
    if found := _whole(library, text, whole, found_in):
        return replace(found, searched=through)
    if not quote_words(text):
        return Message(messages.NO_QUOTE)
    if not found_in and len(text) > QUESTION:
        return Message(messages.NO_QUOTE_IN_MESSAGE)
    if not found_in and is_too_short(next((claim.text for claim in _claims(archive, text)), text)):
        return Message(messages.TOO_SHORT)
    if not found_in:
        found = attempt(whole, lambda: _unmarked(archive, text))
        # a question that no article has is the person's own: "lunch at one?"
        is_own = found.verdict is Verdict.ABSENT and text.rstrip().endswith("?")
        return Message(messages.NO_QUOTE) if is_own else replace(found, searched=through)
    left = rest(text, found_in[:MOST])
    if len(found_in) > 1:
        left = tuple(words for words in left if not _LIST_NUMBER.fullmatch(words))
    alone = left if len(found_in) == 1 else ()
    checks = [replace(check_one(library, each, alone), searched=through) for each in found_in[:MOST]]
    is_by_another = any(each.is_by_another for each in checks)
    one = None if is_by_another else attempt(whole, lambda: _as_one(archive, text, found_in))
    if one and one.verdict is not Verdict.UNCHECKED:
        return replace(one, searched=through)
    return checks[0] if len(found_in) == 1 else listed_checks(checks, left, len(found_in) - len(checks))


def _whole(library: Library, text: str, whole: Quoted, found_in: Sequence[PastedQuotation]) -> Check | None:
    """Return the check of a text that an article has as it is, a speaker beside the words included."""
    if len(text) > QUESTION or is_too_short(whole.text):
        return None
    found = attempt(whole, lambda: Comparison(library.archive, whole).exact())
    if found is None or found.verdict is Verdict.UNCHECKED:
        return None
    if len(found_in) != 1 or not (speaker := found_in[0].speaker):
        return found
    alone = check_one(library, found_in[0])
    around = f"{text[: found_in[0].start]} {text[found_in[0].end :]}"
    # the article's own sentence around the quotation, which says who speaks
    is_prose = not found.context and any(word.form in VERBS for word in quote_words(around))
    if alone.is_by_another and not is_prose:
        return alone
    is_open = alone.claimed is None or alone.claimed.agreement is Agreement.UNKNOWN
    if is_prose or (is_open and _signs(found, text, found_in[0])):
        return replace(found, claimed=ClaimedSpeaker(speaker, Agreement.RIGHT, speaker))
    return replace(found, claimed=alone.claimed)


def _signs(check: Check, text: str, quotation: PastedQuotation) -> bool:
    """Return whether the speaker's name is the last line of what was found, as an author's, or says the words there."""
    if check.context or not check.matches:
        return False
    last = check.matches[-1].extract.text
    name = re.escape(collapse(quotation.speaker or ""))
    framing = (word.form for start, end in quotation.frame for word in quote_words(text[start:end]))
    says = any((verb := VERBS.get(form)) and verb.force is Force.SAYING for form in framing)
    return says or re.fullmatch(rf"(?:.*[—–-]\s*)?\W*{name}(?:, (?!who\b|which\b)[^,.;:!?]*)?\W*", last) is not None


def check_quotation(library: Library, quotation: PastedQuotation) -> Check:
    """Return what the articles have of one quotation of a text; where that is nothing, with how many were searched."""
    found = check_one(library, quotation)
    return found if found.matches else replace(found, searched=searched(library.archive))


def check_one(
    library: Library, quotation: PastedQuotation, not_compared: tuple[str, ...] = (), proposed: int = SENTENCES
) -> Check:
    """Return what the articles have of one quotation of a text; ``proposed`` sentences are asked for."""
    quoted = Quoted(quotation.words, quotation.speaker, not_compared)
    return attempt(quoted, lambda: compare(library.archive, quoted, proposed))


def attempt(quoted: Quoted, make: Callable[[], T]) -> T | Check:
    """Return what is made, or where it fails, that this quotation could not be checked: others can."""
    try:
        return make()
    except retrieval.RetrievalError:
        raise
    except Exception:
        log.exception("a quotation could not be checked")
        claimed = ClaimedSpeaker(quoted.speaker, Agreement.UNKNOWN) if quoted.speaker else None
        return Check(Verdict.UNCHECKED, quoted.text, (), quoted.not_compared, claimed)


def quotations(library: Library, text: str, fewest: int = FEWEST) -> tuple[PastedQuotation, ...]:
    """Return what is quoted in a text, in order: in marks of any kind, or in lines that begin with ">".

    What is too long to check or has fewer words than ``fewest`` is left out.
    """
    text = _EMPHASIS.sub(" ", text)
    spans = [match.span() for match in _BLOCK.finditer(text)]
    wrapped = _wrapped(text)
    marked = [wrapped] if wrapped else [(span.start, span.end) for span in quoted_spans(text)]
    spans += [(start, end) for start, end in marked if not any(begin <= start < stop for begin, stop in spans)]
    cut = (PastedQuotation(_plain(text[start:end]).strip(_EDGES), start, end) for start, end in sorted(spans))
    found = [each for each in cut if len(quote_words(each.words)) >= fewest and len(each.words) <= LONGEST]
    ends = [0, *(each.end for each in found)]
    starts = [*(each.start for each in found[1:]), len(text)]
    return tuple(
        _with_speaker(library.archive, text, each, before, behind)
        for each, before, behind in zip(found, ends, starts, strict=False)
    )


def too_long(text: str, checked: Iterable[PastedQuotation]) -> tuple[Span, ...]:
    """Return what is quoted in a text and is too long to check."""
    places = {(each.start, each.end) for each in checked}
    spans = quoted_spans(_EMPHASIS.sub(" ", text))
    return tuple(s for s in spans if s.end - s.start > LONGEST and (s.start, s.end) not in places)


def rest(text: str, found: Iterable[PastedQuotation]) -> tuple[str, ...]:
    """Return the stretches of a text that are in no quotation, and name no speaker."""
    taken = sorted(span for each in found for span in ((each.start, each.end), *each.frame))
    left: list[str] = []
    at = 0
    for start, end in [*taken, (len(text), len(text))]:
        words = collapse(text[at : max(at, start)]).strip(" ,;:—–-\"“”„«»‘’'()*_~`>").lstrip(".!?… ")
        if any(word.form not in _FRAME for word in quote_words(words)):
            left.append(words)
        at = max(at, end)
    return tuple(left)


def _plain(text: str) -> str:
    """Return a text on one line, without the marks of block quotes."""
    return collapse("\n".join(line.strip().removeprefix(">") for line in text.split("\n")))


def _wrapped(text: str) -> tuple[int, int] | None:
    """Return the one quotation that a text is but for a speaker behind it, whatever is quoted within."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] not in _OPENED or not text.strip():
        return None
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in _OPENED) - (text[at] in _CLOSED)
        if depth == 0:
            return (start, at + 1) if not any(mark in text[at + 1 :] for mark in _OPENED + '"') else None
    return None


def _with_speaker(archive: Archive, text: str, quotation: PastedQuotation, before: int, behind: int) -> PastedQuotation:
    """Return a quotation with its speaker, if one is named beside it."""
    begin = max(before, quotation.start - BESIDE)
    after, ahead = text[quotation.end : min(behind, quotation.end + BESIDE)], text[begin : quotation.start]
    tries = [(pattern.match(after), quotation.end) for pattern in _BEHIND]
    tries += [(pattern.search(ahead), begin) for pattern in _BEFORE]
    for match, at in tries:
        if match and (speaker := _speaker(archive, match)):
            # "claimed" is not what an article with "said" has
            says = (match.groupdict().get("verb") or "").lower() in _FRAME
            names = ("name", "role", "typed", "verb", "filler") if says else ("name", "role", "typed", "filler")
            groups = [name for name in names if match.groupdict().get(name)]
            frame = tuple((at + match.start(name), at + match.end(name)) for name in groups)
            return replace(quotation, speaker=speaker, frame=frame)
    return quotation


def _speaker(archive: Archive, match: re.Match[str]) -> str | None:
    """Return who is named as the speaker; a bare capital that begins a sentence is no name.

    In small letters only a name that the archive has is one.
    """
    groups = match.groupdict()
    verb = VERBS.get((groups.get("verb") or "said").lower())
    if verb is None or (verb.force is not Force.SAYING and verb.lemma not in ("tell", "write", "add", "tweet", "ask")):
        return None
    if groups.get("role"):
        return groups["role"]
    office = quote_words(groups.get("office") or "")
    if any(alters(word) or (word.form in STOPWORDS and word.form not in _IN_OFFICES) for word in office):
        return None
    register = archive.register()
    if typed := groups.get("typed"):
        meant = register.meant(typed) if " " in typed or not is_word(typed) else None
        spelt = {word for name in (meant.name, *meant.variants) for word in bare_name(name)} if meant else set()
        return meant.name if meant and {*bare_name(typed)} <= spelt else None
    name = collapse(groups["name"]).rstrip(".,")
    if name in _TITLES or name.lower() in _PRONOUNS:
        return None
    words = name.split()
    if not all(map(is_word, words)):
        return name
    # "Brown", "Jane Roe" and "Trump" are words too; "He", "Thanks" and "Good Morning: “…”" are no names
    known = any(match.entity.kind is not Kind.EVENT for match in register.find(name))
    is_full = len(words) > 1 and ("dash" in groups or any(map(retrieval.is_first_name, words)))
    return name if known or is_full or (len(words) > 1 and archive.listed(quoting={name})) else None


def _as_one(archive: Archive, text: str, found: Sequence[PastedQuotation]) -> Check | None:
    """Return the check of a text with quotations in it as one passage, where an article has the words around them."""
    signed = (text[each.end : each.frame[0][0]].strip(" .,") for each in found if each.frame)
    if len(text) > QUESTION or not rest(text, found) or any(re.match(_DASH, between) for between in signed):
        return None
    if any("\n" in text[one.end : other.start] for one, other in pairwise(found)):
        return None
    taken = [span for each in found for span in ((each.start, each.end), *each.frame)]
    is_one = Comparison(archive, Quoted(text)).has_around(taken)
    return Comparison(archive, Quoted(_plain(text))).other() if is_one else None


def _unmarked(archive: Archive, text: str) -> Check:
    """Return the check of a text without quotation marks: whole, less its speaker, or the part that an article has."""
    whole, bare = _plain(text), _EMPHASIS.sub(" ", text)
    # less what may be no part of its words: a speaker, or its number in a list
    claims = [quoted for quoted in _claims(archive, bare) if not is_too_short(quoted.text)]
    listed = _NUMBERED.fullmatch(bare)
    if listed and not is_too_short(listed["words"]):
        claims.insert(0, Quoted(_plain(listed["words"]), None, (listed["number"],)))
    comparison = Comparison(archive, Quoted(whole))
    for quoted in claims:
        found = Comparison(archive, quoted).exact()
        is_cut = quoted.speaker is None and not whole.endswith(quoted.text)
        if found is None or (is_cut and _ends_alike(comparison.other())):
            continue
        if found.claimed and found.claimed.agreement is Agreement.UNKNOWN:
            # without marks a name may be part of the words
            left = (quoted.speaker or "", *quoted.not_compared)
            return replace(found, verdict=Verdict.PARTIAL, not_compared=left)
        return found
    found = comparison.other()
    signed = next((quoted for quoted in claims if quoted.speaker), None)
    alone = Comparison(archive, signed).other() if signed else found
    is_clear = alone.claimed is not None and alone.claimed.agreement is not Agreement.UNKNOWN
    if alone.verdict is not Verdict.ABSENT and (is_clear or not _ends_alike(found)):
        return alone
    run = comparison.longest_run() if found.verdict is Verdict.ABSENT else ""
    if len(quote_words(run)) < RUN:
        return found
    left = tuple(filter(quote_words, (part.strip(" ,;:—–-") for part in whole.split(run, 1))))
    return Comparison(archive, Quoted(run, None, left)).exact() or found


def _ends_alike(check: Check) -> bool:
    """Return whether an article has the last words too, so that they name no speaker."""
    return any(match.difference[-1][0] is Change.SAME for match in check.matches[:1])


def _claims(archive: Archive, text: str) -> Iterator[Quoted]:
    """Yield the words of a text without marks, with who is named before or behind them; else with what a dash sets off.

    Words behind a dash that inform, deny or go on ("— and the ferry too") are no name, and stay to be compared.
    """
    for match in filter(None, (pattern.fullmatch(text.strip()) for pattern in _UNMARKED)):
        speaker, groups = _speaker(archive, match), match.groupdict()
        left = groups.get("beside") or (groups.get("office") if speaker else groups.get("typed")) or ""
        words = quote_words(left)
        if speaker or (words and words[0].form not in STOPWORDS and not any(map(alters, words))):
            yield Quoted(_plain(match["words"]), speaker, (left,) if left else ())
