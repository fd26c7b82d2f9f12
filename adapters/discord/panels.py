"""Reply -> panels of Discord's markdown that fit a message, each whole or not at all; and what is pressed below them.

The markdown shows exactly the words: un-escaping (a backslash goes, the mark behind it stays) gives them back,
character for character. discord.py's own ``escape_markdown`` is not used: it leaves marks inside ``[…](…)`` to be
obeyed, and mentions, which a quotation may hold, to be drawn as somebody's name. Nothing is sent here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import discord

from adapters.answer_record import accepts_feedback, is_confident, more_of
from adapters.chat.parts import LineRole, ReplyLine, ReplyPart, groups, overview, pack_all, parts_of, room, title_of
from adapters.discord.requests import MENU, REASON, Act, custom_id
from bot import messages, references, verdicts
from bot.escaping import escape_controls
from bot.model import Answer, Check, Clipping, Message, NoAnswer, Reply
from bot.outline import MARKS, SPOKEN
from bot.sentence_links import addresses, encode
from bot.source_lines import Quotation, opens
from bot.verdicts import Lead

LEFT_OUT = "There is more than Discord shows in one message: {} left out."
TITLE_CHARACTERS = 1800
CAVEATED = (LineRole.WARNING, LineRole.CAVEAT, LineRole.NOTICE)
LONGEST_LINK = 1500
ELLIPSIS = "…"
SAFE = "!#$%&'*+,/:;=?@[]~"  # of an address; the brackets that could end the link are encoded

# Discord takes an address literally, backslashes included; an address ends at a mark that must be escaped.
_ADDRESS = r"https?://[^\s<>\\|*`~\[\]()]+"
_OPENS = r"(?m:^)(?=>|#|-)"  # a quotation, a heading, a list, a small line
_MENTION = r"<(?=[@#:/]|a:|t:|id:|https?:)"
_SPECIAL = re.compile(rf"(?P<address>{_ADDRESS})|{_OPENS}|(?P<mark>[\\*_~`|\[]|{_MENTION})")


@dataclass(frozen=True, slots=True)
class Panel:
    """One block of markdown; ``quotations`` are those it shows, each with its number, or 0 for an only one.

    ``lead`` is the verdict that it says.
    """

    text: str
    quotations: tuple[tuple[int, Quotation], ...] = ()
    is_caveated: bool = False
    lead: Lead | None = None

    @property
    def size(self) -> tuple[int, int]:
        """UTF-16 units, and panels."""
        return length(self.text), 1

    @property
    def count(self) -> int:
        return max(len(self.quotations), 1)


# What a message has room for: characters in all, in UTF-16 units, and panels. Of 40 components the container takes one,
# the row of buttons five, the menu two, lines between panels eight.
ROOM = (4000, 24)


def arrange(reply: Reply, *headings: str) -> tuple[Panel, ...]:
    """Return the panels of a reply that fit below ``headings``, which are small; the empty ones are left out."""
    above = tuple(Panel(f"-# {escape(heading)}") for heading in headings if heading)
    budget = room(ROOM, above)
    most = budget[0] - length(LEFT_OUT) - 10  # beside the line that more is left out
    parts, notices = parts_of(reply, lambda part: length(_panel(part).text) <= most)
    title, rest, notes = tuple(_title(reply)), tuple(map(_panel, parts)), tuple(map(_panel, notices))
    summary = overview(reply)
    if summary and min(room(budget, (*title, *rest, *notes))) < 0:
        title = (*title, _panel(summary))
    panels = (*title, *rest) or (Panel(messages.NOTHING_TO_SHOW),)
    return (*above, *pack_all(panels, notes, budget, lambda number: Panel(LEFT_OUT.format(number))))


def _title(reply: Reply) -> Iterator[Panel]:
    title = title_of(reply)
    if isinstance(reply, SPOKEN):
        yield from (_panel(ReplyPart(lines)) for lines in groups(title.split("\n"), limit=TITLE_CHARACTERS))
    elif isinstance(reply, Check):
        verdict, rest = escape(verdicts.signed(reply)), escape(one_line(verdicts.explanation(reply), TITLE_CHARACTERS))
        yield Panel(f"**{verdict}**: {rest}", lead=verdicts.lead_of(reply))
    else:
        yield Panel(f"**{escape(one_line(title, TITLE_CHARACTERS))}**")


def _panel(part: ReplyPart) -> Panel:
    return Panel("\n".join(map(_drawn, part.lines)), part.quotations, part.has(*CAVEATED), part.lead)


def _drawn(line: ReplyLine) -> str:
    match line.role:
        case LineRole.BEFORE:
            return f"-# {line.text}"
        case LineRole.VERDICT:
            return f"**{escape(line.label)}** {escape(one_line(line.text))}"
        case LineRole.QUOTATION:
            return quotation(*line.pieces)
        case LineRole.CAVEAT | LineRole.NOTICE:
            return f"**{line.label}** {escape(line.text)}"
        case LineRole.SOURCE:
            page = f" · {linked(messages.IN_ARTICLE, line.page)}" if line.page else ""
            return f"-# {linked(one_line(line.text), line.address)}{page}"
        case LineRole.COMPARISON:
            difference = " ".join(MARKS[change].format(words) for change, words in line.difference)
            return f"{line.text} {escape(difference)}"
        case LineRole.CODE:
            return escape(line.text) if "```" in line.text else f"```\n{escape_controls(line.text)}\n```"
        case role if role.is_bold:
            return f"**{escape(one_line(line.text))}**"
    return escape(line.text)


def escape(text: str) -> str:
    return _SPECIAL.sub(_escaped, escape_controls(text))


def _escaped(match: re.Match[str]) -> str:
    """Return an address as it is and a mark with a backslash, a bracket only where it begins a link's label."""
    if match["mark"] == "[":
        text, start = match.string, match.end()
        end = text.find("]", start)
        if end < 0 or text[end + 1 : end + 2] != "(" or "\n" in text[start:end]:
            return "["
    return match["address"] or "\\" + (match["mark"] or "")


def quotation(before: str, answer: str = "", behind: str = "") -> str:
    """Return words as a quotation, verbatim, ``answer`` within them emphasised."""
    text = escape(before) + (f"**{escape(answer)}**" if answer else "") + escape(behind)
    return "\n".join(f"> {line}" for line in text.split("\n"))


def linked(text: str, address: str | None) -> str:
    """Return ``text``, as a link where there is an address that a browser can open."""
    label = escape(text)
    if not address or len(address) > LONGEST_LINK or not opens(address):
        return label
    # inside a link's label a bracket would end it, and an address would be a link of its own
    label = re.sub(r"(?<!\\)([\[\]])", r"\\\1", label).replace("://", ":\u200b//")
    return f"[{label}](<{quote(address, safe=SAFE, errors='replace')}>)"


def one_line(text: str, most: int = 300) -> str:
    """Return a label (never a quotation) on one line, at most so long."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + ELLIPSIS


def length(text: str) -> int:
    """Return the length as the strictest reader counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


# -- colours, buttons and the menu ---------------------------------------------------------------------------------

SPACED = 8  # panels: where there are more, no line is drawn between them
WARNING = discord.Colour(0xF0B232)
QUIET = discord.Colour(0x5865F2)
VERDICTS = {
    Lead.MISATTRIBUTED: discord.Colour(0xDA373C),
    Lead.ALTERED: discord.Colour(0xEB459E),
    Lead.STITCHED: discord.Colour(0x9B59B6),
    Lead.ABSENT: discord.Colour(0x4E5058),
    Lead.UNCHECKED: discord.Colour(0x23272A),
    Lead.PARTIAL: discord.Colour(0xE67E22),
    Lead.UNVERIFIED: WARNING,
    Lead.OUT_OF_CONTEXT: discord.Colour(0xA0752D),
    Lead.UNNAMED: discord.Colour(0x99AAB5),
    Lead.EXACT: discord.Colour(0x248046),
}

Item = discord.ui.Item[discord.ui.LayoutView]
LONGEST_REASON = 1000
FORM_OPEN = 900.0  # seconds: no form can be sent later than that

ACT_LABELS = {
    Act.CLOSEST: messages.CLOSEST,
    Act.CONTEXT: messages.MENU["context"],
    Act.COPY: messages.MENU["copy"],
    Act.RIGHT: messages.RIGHT,
    Act.WRONG: messages.WRONG,
    Act.CALL: "Ask the newsroom",
    Act.SHARE: "Share to channel",
    Act.DONE: "Done",
}
PLACEHOLDER = "Context, copy"
QUOTATIONS = 12  # in the menu; it has room for 25 options


@dataclass(frozen=True, slots=True)
class DiscordDrawing:
    """A reply laid out, or a link's card: all that can be worked out away from the loop.

    Below the panels are a ``row`` of buttons, each with its state, and a menu with CONTEXT and COPY for every
    quotation. ``more`` is what the button MORE says.
    """

    panels: tuple[Panel, ...] = ()
    row: tuple[tuple[Act, str], ...] = ()
    more: str = messages.MORE
    has_menu: bool = False
    card: discord.Embed | None = None


def draw(
    reply: Reply, answer: int | None = None, *headings: str, handover: bool = False, shareable: bool = False
) -> DiscordDrawing:
    """Draw a reply below ``headings``, and what can be done: the bot's commands, and verdicts on ``answer``.

    With ``handover``, also a button that hands a question without a sure answer to people; ``shareable``, one that
    shows everybody what one person sees.
    """
    pressed: list[Act] = []
    if answer is not None:
        pressed += [Act.CALL] if handover and not is_confident(reply) else []
        pressed += [Act.RIGHT, Act.WRONG] if accepts_feedback(reply) else []
        pressed += [Act.SHARE] if shareable else []
    more = more_of(reply)
    row = ((Act.CLOSEST if isinstance(reply, NoAnswer) else Act.MORE, more),) if more else ()
    label = references.more_label(reply) if isinstance(reply, Answer) and more else messages.MORE
    has_menu = not isinstance(reply, Clipping | Message)
    return DiscordDrawing(arrange(reply, *headings), (*row, *((act, str(answer)) for act in pressed)), label, has_menu)


def form(answer: str) -> discord.ui.Modal:
    modal = discord.ui.Modal(title=messages.WHY_WRONG, timeout=FORM_OPEN, custom_id=custom_id(Act.WHY, answer))
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        style=discord.TextStyle.paragraph, custom_id=REASON, required=False, max_length=LONGEST_REASON
    )
    modal.add_item(discord.ui.Label(text="In a sentence, for the bot's administrator", component=field))
    return modal


def layout(*items: Item) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()  # discord.py need not keep it: what is pressed is known by its id alone
    return view


def button(act: Act, state: str, more: str = messages.MORE) -> discord.ui.Button[discord.ui.LayoutView]:
    style = discord.ButtonStyle.primary if act is Act.MORE else discord.ButtonStyle.secondary
    return discord.ui.Button(label=ACT_LABELS.get(act, more), style=style, custom_id=custom_id(act, state))


def compose(drawing: DiscordDrawing) -> discord.ui.LayoutView:
    items: list[Item] = []
    panels = drawing.panels
    for number, panel in enumerate(panels):
        if number and len(panels) <= SPACED and (panel.quotations or panel.is_caveated):
            items.append(discord.ui.Separator())
        items.append(discord.ui.TextDisplay(panel.text))
    below: list[Item] = []
    if drawing.row:
        below.append(discord.ui.ActionRow(*(button(act, state, drawing.more) for act, state in drawing.row)))
    numbers: dict[str, int] = {}  # of the first quotations, by their states; none of them twice
    for number, quotation in (numbered for panel in panels for numbered in panel.quotations):
        if drawing.has_menu and len(numbers) < QUOTATIONS:
            numbers.setdefault(encode(addresses(quotation)), number)
    options = [
        discord.SelectOption(label=f"{ACT_LABELS[act]} {number or ''}".strip(), value=custom_id(act, state))
        for state, number in numbers.items()
        for act in (Act.CONTEXT, Act.COPY)
    ]
    if options:
        menu: discord.ui.Select[discord.ui.LayoutView]
        menu = discord.ui.Select(custom_id=MENU, placeholder=PLACEHOLDER, options=options)
        below.append(discord.ui.ActionRow(menu))
    return layout(discord.ui.Container(*items, accent_colour=colour(panels)), *below)


def colour(panels: tuple[Panel, ...]) -> discord.Colour:
    """Return the colour at the side of a message: of the worst verdict in it, else another where it has a caveat."""
    leads = {panel.lead for panel in panels}
    worst = next((lead for lead in Lead if lead in leads), None)
    if worst:
        return VERDICTS[worst]
    return WARNING if any(panel.is_caveated for panel in panels) else QUIET
