"""Reply -> panels of Discord's markdown that fit a message.

A panel is shown whole or not at all. An extract's panel holds its citation and its caveats, so that none is
ever shown without them; nor is one whose article has a notice that found no room, alone or as a caveat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count

from adapters.discord.markdown import escape, length, linked, one_line, quotation
from bot import citing, messages, references, verdicts
from bot.citing import link
from bot.escaping import escape_controls
from bot.model import Check, Citation, Clipping, Extract, Notice, QuotedCaveat, Reply, Section
from bot.notices import notices, quoted_parts, remaining_notices, shows_caveat
from bot.outline import SPOKEN, outline

LEFT_OUT = "There is more than Discord shows in one message; what found no room is left out."
TOO_LONG = "The passage is too long for a message on Discord. It stands here:"
CHUNK = 1000  # characters of lines that are shown or left out together
LONGEST_WORDS = 1800  # of the bot's own in one piece: it is cut, for it is no quotation


class Tone(Enum):
    """What a panel is."""

    OWN = auto()  # the bot's own voice
    HEADING = auto()
    NOTICE = auto()
    QUOTED = auto()
    WARNED = auto()  # quoted, with a caveat


@dataclass(frozen=True, slots=True)
class Panel:
    """One block of markdown; ``extract`` is the one it shows, under its ``number`` unless it stands alone.

    ``tells`` are the articles that a notice in it is about, or a caveat in it that is told in a notice's place.
    ``lead`` is the verdict that it says.
    """

    text: str
    tone: Tone = Tone.OWN
    extract: Extract | None = None
    tells: frozenset[str] = frozenset()
    number: int = 0
    lead: verdicts.Lead | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """What a message has room for: ``characters`` in all and ``each`` panel, in UTF-16 units."""

    characters: int
    each: int
    panels: int

    def without(self, panel: Panel) -> Room:
        """Return the room that is left beside ``panel``."""
        return Room(self.characters - length(panel.text), self.each, self.panels - 1)


def arrange(reply: Reply, room: Room) -> tuple[Panel, ...]:
    """Return the panels of ``reply`` that fit, in the order they are read; where some do not, a panel says so."""
    panels = tuple(_panels(reply)) or (Panel(messages.NOTHING_TO_SHOW),)
    if len(_fitting(panels, room)) == len(panels):
        return panels
    note = Panel(LEFT_OUT)
    kept = _fitting(panels, room.without(note))
    best = next((panel.extract for panel in panels if panel.extract), None)
    if best is not None and not any(panel.extract for panel in kept):
        note = Panel(f"{TOO_LONG}\n{_cited(best.citation, best.text)}")
        # where this note takes less room than the other, a passage that now fits is still the one it speaks of
        kept = tuple(panel for panel in _fitting(panels, room.without(note)) if panel.extract is None)
    return (*_without_orphans(kept), note)


def _fitting(panels: tuple[Panel, ...], room: Room) -> tuple[Panel, ...]:
    """Return the panels that fit: the bot's words and the notices first, then the extracts, best first."""
    order = sorted(range(len(panels)), key=lambda n: (panels[n].extract is not None, n))
    kept: set[int] = set()
    severed: set[str] = set()
    characters = room.characters
    for number in order:
        panel, size = panels[number], length(panels[number].text)
        quoted = quoted_parts(panel.extract) if panel.extract else ()
        barred = not severed.isdisjoint(part.citation.article_id for part in quoted)
        if barred or size > min(room.each, characters) or len(kept) == room.panels:
            severed |= panel.tells
            continue
        kept.add(number)
        characters -= size
    return tuple(panels[number] for number in sorted(kept))


def _without_orphans(panels: tuple[Panel, ...]) -> Iterator[Panel]:
    """Yield the panels, without headings that nothing follows any more."""
    for panel, after in zip(panels, (*panels, None)[1:], strict=True):
        if panel.tone is not Tone.HEADING or (after is not None and after.tone is not Tone.HEADING):
            yield panel


def _panels(reply: Reply) -> Iterator[Panel]:
    if isinstance(reply, Clipping):
        yield _clipping(reply)
        return
    listing, alone = outline(reply), references.single_extract(reply)
    if isinstance(reply, SPOKEN):
        yield from _own(listing.title)
    elif isinstance(reply, Check):
        verdict, rest = escape(verdicts.signed(reply)), escape(one_line(verdicts.explanation(reply), LONGEST_WORDS))
        yield Panel(f"**{verdict}**: {rest}", lead=verdicts.lead_of(reply))
    else:
        yield Panel(f"**{escape(one_line(listing.title, LONGEST_WORDS))}**")
    due, numbers = remaining_notices(listing), count(0 if alone else 1)
    told = [notice for notice in notices(listing.extracts) if notice not in due]  # by the extracts, in time
    for section in listing.sections:
        yield from _section(section, told, numbers)
    yield from (_notice(notice, alone) for notice in due)


def _own(text: str) -> Iterator[Panel]:
    for chunk in chunks(text.split("\n")):
        yield Panel(chunk)


def chunks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, escaped, in blocks of about ``CHUNK`` characters; nothing for no words at all."""
    block: list[str] = []
    for line in lines:
        words = escape(line[:LONGEST_WORDS])
        if block and sum(map(len, block)) + len(words) > CHUNK:
            yield "\n".join(block)
            block = []
        block.append(words)
    if any(words.strip() for words in block):
        yield "\n".join(block)


def _section(section: Section, told: Iterable[Notice], numbers: Iterator[int]) -> Iterator[Panel]:
    if section.heading:
        # the verdict on one of several quotations is shown even where its extracts find no room
        tone, lead = (Tone.OWN, verdicts.lead_of(section.check)) if section.check else (Tone.HEADING, None)
        yield Panel(f"**{escape(one_line(section.heading))}**", tone, lead=lead)
    yield from (Panel(chunk) for chunk in chunks(section.lines))
    for number, extract in enumerate(section.extracts):
        yield _extract(extract, next(numbers), told, marked=number == section.marked)


def _extract(extract: Extract, number: int, told: Iterable[Notice], *, marked: bool = False) -> Panel:
    warned = any(e.caveats or (e.before and e.before.caveats) for e in (extract, extract.newest))
    tone = Tone.WARNED if warned else Tone.QUOTED
    articles = frozenset(notice.citation.article_id for notice in told if shows_caveat(extract, notice))
    return Panel("\n".join(_lines(extract, number, marked=marked)), tone, extract, articles, number)


def _lines(extract: Extract, number: int = 0, *, marked: bool = False) -> list[str]:
    lines = [f"-# {messages.BEFORE}", *_quoted(extract.before)] if extract.before else []
    lines += _quoted(extract, f"{'→ ' if marked else ''}{citing.number(number)}" if number else "")
    lines.append(_placed(extract))
    if extract.revision:
        lines.append(f"**{messages.CHANGED_SINCE if extract.revision.now else messages.NO_LONGER_SAID}**")
    return lines if extract.newest is extract else [*lines, *_lines(extract.newest)]


def _quoted(extract: Extract, mark: str = "") -> Iterator[str]:
    label = " ".join(filter(None, (mark, messages.UNVERIFIED if extract.caveats else "")))
    if label:
        yield f"**{label}**"
    yield quotation(*extract.pieces)
    speaker = citing.speaker(extract)
    if speaker:
        yield f"— {escape(speaker)}"
    yield from map(_caveat, extract.caveats)


def _placed(extract: Extract) -> str:
    page = f" · {linked(messages.IN_ARTICLE, extract.page)}" if extract.page else ""
    return f"{_cited(extract.citation, extract.text)}{page}"


def _cited(citation: Citation, text: str) -> str:
    return f"-# {linked(one_line(citing.source(citation)), link(citation, text))}"


def _caveat(caveat: QuotedCaveat) -> str:
    return f"**{messages.CAVEAT_INTRO}** {escape(caveat.text)}"


def _notice(notice: Notice, above: Extract | None = None) -> Panel:
    """Return a notice, with its source unless the one extract ``above`` tells the same."""
    text = f"**{messages.CHAT_NOTICES[notice.why]}** {escape(notice.text)}"
    if above is None or not citing.same_source(above.citation, notice.citation):
        text += f"\n{_cited(notice.citation, notice.text)}"
    return Panel(text, Tone.NOTICE, tells=frozenset({notice.citation.article_id}))


def _clipping(clipping: Clipping) -> Panel:
    """Return it as code, which can be copied as a whole; as escaped words where its own marks would end the code."""
    if "```" in clipping.text:
        return Panel(escape(clipping.text), Tone.QUOTED, clipping.extract)
    return Panel(f"```\n{escape_controls(clipping.text)}\n```", Tone.QUOTED, clipping.extract)
