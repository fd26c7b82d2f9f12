"""What a line refers to among the extracts shown last: "copy 2", "says who?", "when was that?", "is that verified?".

Quotations are numbered in the order in which a reply shows them, on every platform and after every command, however
many sentences they have. Their addresses travel as a state (see ``bot.sentence_links``), so a line always refers to
what was on the screen.
"""

import re
from collections.abc import Iterator
from enum import Enum
from itertools import chain

from bot import messages, sentence_links, source_lines, verbatim
from bot.commands.ask import fill_page
from bot.commands.clip import FORMS
from bot.model import Answer, Check, Extract, Message, NoAnswer, Reply
from bot.outline import outline
from bot.source_lines import Quotation
from retrieval import Archive, words

LONGEST_STATE = 600  # characters: more extracts than any reply shows
_NUMBERED = re.compile(
    rf"/?(?P<command>context|copy)(?:\s+(?P<number>\d{{1,3}}))?(?:\s+(?P<form>{'|'.join(map(re.escape, FORMS))}))?"
)
_AND = r"(?:and |but |so |ok |okay )?"
_THAT = r"(?:that|this|it|these|those)"


class Aspect(Enum):
    """What can be asked about extracts that are shown; the value matches a line in lower case without punctuation."""

    SPEAKER = rf"{_AND}(?:says who|who sa(?:ys|id)(?: so| {_THAT})?|according to whom?|whose words (?:is|are) {_THAT})"
    DAY = (
        rf"{_AND}(?:when (?:is|was|were) {_THAT}(?: from| published| written| said| reported)?|how old is {_THAT}"
        rf"|when did (?:he|she|they) say (?:{_THAT}|so))"
    )
    CAVEAT = (
        rf"{_AND}(?:is|was|are|were|has|have) {_THAT}(?: been)?(?: independently)? (?:verified|confirmed|corroborated)"
        r"(?: yet| independently| by any(?:body|one))?"
    )
    SOURCE = (
        rf"{_AND}(?:the )?(?:source|link)(?: please)?|{_AND}(?:what|which) (?:source|article|outlet|paper)"
        rf"(?: (?:is|was) {_THAT}(?: in| from)?)?|{_AND}where (?:is|was) {_THAT} (?:from|published|reported)"
    )


def single_quotation(reply: Reply) -> Quotation:
    """Return the only quotation of an answer or a check, which needs no number; empty where there are others."""
    shown = list(_quotations(reply)) if isinstance(reply, Answer | Check) else []
    return shown[0] if len(shown) == 1 else ()


def _quotations(reply: Reply) -> Iterator[Quotation]:
    for section in outline(reply).sections:
        yield from source_lines.quotations(section.extracts, section.marked)


def more_label(reply: Answer | NoAnswer) -> str:
    """Return what the button says that brings the next extracts, or the closest matches."""
    if isinstance(reply, NoAnswer):
        return messages.CLOSEST
    return messages.MORE if reply.sure else messages.further(len(sentence_links.decode(reply.more)))


def state_of(reply: Reply) -> str:
    """Return the state of the quotations that a reply shows; empty for none."""
    shown = chain.from_iterable(map(sentence_links.addresses, _quotations(reply)))
    return sentence_links.encode(shown, most=LONGEST_STATE)


def is_reference(text: str) -> bool:
    return _NUMBERED.fullmatch(text.strip()) is not None or _aspect(text) is not None


def numbered_command(text: str, shown: str) -> str:
    """Return "copy 2 csv" as the command on that quotation of the state ``shown``; any other line unchanged."""
    match = _NUMBERED.fullmatch(text.strip())
    if match is None or not (shown or text.startswith("/")):
        return text
    number, numbered = int(match["number"] or 1), sentence_links.quotations(shown) if shown else ()
    meant = sentence_links.encode(numbered[number - 1]) if 0 < number <= len(numbered) else ""
    return f"/{match['command']} {meant or number} {match['form'] or ''}".strip()


def answer_about(archive: Archive, text: str, shown: str) -> Answer | Message | None:
    """Return the answer to a question about the extracts of the state ``shown``; ``None`` for any other line."""
    aspect = _aspect(text) if shown else None
    if aspect is None:
        return None
    extracts, _ = fill_page(verbatim.named_by(archive, sentence_links.decode(shown)))
    if not extracts:
        return Message(messages.CHANGED)
    lines = [_line(aspect, first) for first, *_ in source_lines.quotations(extracts)]
    if len(lines) > 1:
        lines = [f"[{n}] {line}" for n, line in enumerate(lines, 1)]
    return Answer(extracts, message="\n".join(lines))


def _aspect(text: str) -> Aspect | None:
    line = " ".join(words(text))
    return next((aspect for aspect in Aspect if re.fullmatch(aspect.value, line)), None)


def _line(aspect: Aspect, extract: Extract) -> str:
    match aspect:
        case Aspect.SPEAKER:
            return source_lines.speaker(extract) or messages.OWN_VOICE
        case Aspect.DAY:
            day = messages.day(extract.citation.published)
            return messages.published_on(day) if day else messages.UNDATED
        case Aspect.SOURCE:
            return source_lines.source(extract.citation)
    if extract.caveats:
        return messages.NOT_VERIFIED
    return messages.POSSIBLY_COVERED if extract.notices else messages.NO_CAVEAT
