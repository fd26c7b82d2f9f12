"""Reply -> Block Kit: quotations as literal text, each with its caveat directly under it, its source, its buttons.

Nothing is sent here. Whatever the reply, the drawing is within Slack's limits.
Everything an article, an asker or a name contributes goes into rich text, where nothing is interpreted.
The top-level text is the one place that must be escaped; Slack knows three characters there, and no others.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from adapters.answer_record import accepts_feedback, is_confident, more_of
from adapters.chat.parts import LineRole, ReplyLine, ReplyPart, overview, pack_all, parts_of, room, shorten, title_of
from bot import messages, references, verdicts
from bot.commands.command_table import TABLE
from bot.escaping import escape_controls, escape_line
from bot.model import Answer, Candidates, Change, Check, Clipping, Extract, Message, NoAnswer, Reply
from bot.outline import MARKS, SPOKEN, outline
from bot.sentence_links import addresses, encode

Block = dict[str, Any]
Leaf = dict[str, Any]

# Blocks; characters over all blocks (Slack was seen to take 13,200); characters of the escaped text (Slack: 40,000).
BUDGET = (50, 10_000, 30_000)
LEFT_OUT = "There is more than Slack shows in one message: {} left out."
MAX_URL = 3_000
MAX_LABEL = 75
MAX_SMALL = 2_900  # beside the marks of a link
LEAST = 3_000  # what a text in the bot's own voice is cut to
_OBEYED = re.compile(r"[*_~`|\n]|:\S+:")  # in mrkdwn, where alone Slack has small links
_COMMAND = re.compile(rf"(?<![\w/])/(?={'|'.join(command.name for command in TABLE)}\b)")
_WEB = re.compile(r"https?://[^\s<>|\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """Something that is shown whole or not at all: its blocks, and the same in plain text (not escaped).

    ``count`` is what it counts for where it is left out.
    """

    blocks: tuple[Block, ...]
    text: str
    count: int = 1

    @property
    def size(self) -> tuple[int, int, int]:
        """The blocks, the characters in them, and those of the escaped text with the line between it and the next."""
        return len(self.blocks), sum(map(_size, self.blocks)), len(escape(self.text)) + 2


@dataclass(frozen=True, slots=True)
class SlackDrawing:
    """A message as Slack takes it: ``text`` is escaped, and says all that the blocks say.

    ``is_failure`` is set where it says why there is no reply.
    """

    text: str
    blocks: tuple[Block, ...]
    is_failure: bool = False


def escape(text: str) -> str:
    return html.escape(escape_controls(text), quote=False)


def unescape(text: str) -> str:
    """Return what somebody typed, from the form in which Slack delivers it."""
    for entity, character in (("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


def words(text: str, *styles: str) -> Leaf:
    leaf: Leaf = {"type": "text", "text": escape_controls(text)}
    return leaf | {"style": dict.fromkeys(styles, True)} if styles else leaf


def linked(text: str, url: str | None) -> Leaf:
    """Return words that lead to ``url`` where it is one that can be followed."""
    if url and len(url) <= MAX_URL and _WEB.fullmatch(url):
        return {"type": "link", "url": url, "text": escape_controls(text)}
    return words(text)


def section(*leaves: Leaf) -> Block:
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if leaf.get("text")]}


def quote(before: str, answer: str = "", behind: str = "") -> Block:
    leaves = words(before), words(answer, "bold"), words(behind)
    return {"type": "rich_text_quote", "elements": [leaf for leaf in leaves if leaf["text"]]}


def rich(*paragraphs: Block) -> Block:
    """Return one block of several paragraphs; they cannot be torn apart."""
    return {"type": "rich_text", "elements": [p for p in paragraphs if p["elements"]]}


def context(text: str) -> Block:
    return {"type": "context", "elements": [plain(text)]}


def small(*leaves: Leaf) -> Block:
    """Return words, with their links, as a small grey line; in full size where Slack would obey a mark in them."""
    if any(
        _OBEYED.search(leaf["text"]) or len(escape(leaf["text"] + leaf.get("url", ""))) > MAX_SMALL for leaf in leaves
    ):
        first, *rest = leaves
        return section(first, *(part for leaf in rest for part in (words(" · "), leaf)))
    elements = [
        {"type": "mrkdwn", "text": f"<{escape(leaf['url'])}|{escape(leaf['text'])}>", "verbatim": True}
        if leaf["type"] == "link"
        else {"type": "plain_text", "text": leaf["text"], "emoji": False}
        for leaf in leaves
    ]
    return {"type": "context", "elements": elements}


def plain(text: str, most: int = MAX_LABEL) -> Block:
    return {"type": "plain_text", "text": shorten(escape_line(text), most), "emoji": False}


def with_slack_commands(text: str) -> str:
    """Return what the bot says in its own voice with the commands as every Slack has them: ``/stet verify …``."""
    return _COMMAND.sub("/stet ", text)


def said(text: str, *styles: str) -> DrawnPart:
    """Return words in the bot's own voice, cut to length; empty without words."""
    text = shorten(text.strip(), LEAST)
    return DrawnPart((rich(section(words(text, *styles))),), text) if text else DrawnPart((), "")


def whole(*parts: DrawnPart) -> SlackDrawing:
    text = "\n\n".join(part.text for part in parts if part.text)
    return SlackDrawing(escape(text), tuple(block for part in parts for block in part.blocks))


def _size(thing: object) -> int:
    match thing:
        case Mapping():
            return sum(len(v) if k in ("text", "url") and isinstance(v, str) else _size(v) for k, v in thing.items())
        case list():
            return sum(_size(value) for value in thing)
    return 0


MORE, CLOSEST, MENU, SHARE, FEEDBACK, WHO, CALL, DONE = (
    f"stet_{name}" for name in ("more", "closest", "menu", "share", "feedback", "who", "call", "done")
)
PICKS = 10
LONGEST_ASKED = 300
# What one part may take, so that the first always finds room beside the longest message and the buttons.
PART = 6_000
PART_ESCAPED = 20_000
NOTHING = DrawnPart((), "")
VALUE = 2_000
BARE = Candidates | Clipping | Message  # beside which nothing is clicked but what is theirs


STYLES: dict[Change, tuple[str, ...]] = {Change.SAME: (), Change.REMOVED: ("strike",), Change.ADDED: ("bold",)}
LEGEND = (
    words("Compared", "bold"),
    words(" ("),
    words("in the article", *STYLES[Change.REMOVED]),
    words(" "),
    words("in the quotation", *STYLES[Change.ADDED]),
    words("): "),
)
DrawnLine = tuple[Block, str]


def draw(
    reply: Reply, answer: int | None = None, *, shareable: bool = False, asked: str = "", handover: bool = False
) -> SlackDrawing:
    """Draw a reply, and what can be clicked: ``answer`` is its number in the store, for feedback and sharing.

    ``shareable`` is set for what the asker alone sees; ``asked`` is the question, where it is to be shown above;
    ``handover`` is set where people can be asked what the articles do not say for certain.
    """
    parts, notices = (list(map(_drawn, each)) for each in parts_of(reply, lambda part: _is_drawable(_drawn(part))))
    if isinstance(reply, Check):
        verdict, why = verdicts.signed(reply), shorten(f": {verdicts.explanation(reply)}", LEAST)
        # of the whole, the verdict alone is bold
        head = DrawnPart((rich(section(words(verdict, "bold"), words(why))),), verdicts.title(reply))
    else:
        title = title_of(reply)
        if not title and not parts:
            title = messages.NOTHING_TO_SHOW
        is_spoken = isinstance(reply, SPOKEN)
        style = () if is_spoken or isinstance(reply, Candidates) else ("bold",)
        head = said(with_slack_commands(title) if is_spoken else title, *style)
    if isinstance(reply, Candidates):
        names = [c.name for c in reply.candidates[:PICKS] if len(c.name) <= VALUE]  # any other name is only listed
        picks = [_button(name, f"{WHO}_{number}", name) for number, name in enumerate(names)]
        parts += [DrawnPart((_actions(*picks),), "")] if picks else []
    foot = NOTHING if isinstance(reply, BARE) else _foot(reply, answer, shareable=shareable, handover=handover)
    summary = overview(reply)
    above = said(shorten(f"“{asked}”", LONGEST_ASKED) if asked else "", "italic")
    head = DrawnPart((*above.blocks, *head.blocks), "\n".join(filter(None, (above.text, head.text))))
    if summary and min(room(BUDGET, (head, *parts, *notices, foot))) < 0:  # some find no room
        below = _drawn(summary)
        head = DrawnPart((*head.blocks, *below.blocks), f"{head.text}\n{below.text}")
    packed = pack_all(parts, notices, room(BUDGET, (head, foot)), lambda number: said(LEFT_OUT.format(number)))
    return whole(head, *packed, foot)


def _drawn(part: ReplyPart) -> DrawnPart:
    """Return a part drawn; beside a quotation's number is its menu, that of an only one is in the reply's row."""
    drawn = [draw_line(line) for line in part.lines]
    blocks: list[Block] = [
        {
            "type": "section",
            "text": {"type": "mrkdwn", "text": f"*{escape(line.text)}*"},
            "accessory": _menu(line.quotation, f" {line.number}"),
        }
        if line.quotation and line.number
        else block
        for line, (block, _) in zip(part.lines, drawn, strict=True)
    ]
    # paragraphs of rich text that follow each other are one block
    runs = groupby(blocks, key=lambda block: block["type"].startswith("rich_text"))
    stacked = tuple(block for is_rich, run in runs for block in ((rich(*run),) if is_rich else run))
    return DrawnPart(stacked, "\n".join(text for _, text in drawn), max(len(part.quotations), 1))


def _is_drawable(part: DrawnPart) -> bool:
    _, characters, escaped = part.size
    return characters <= PART and escaped <= PART_ESCAPED


def _menu(quotation: Sequence[Extract], mark: str = "") -> Block:
    """Return what is seldom done with a quotation, each under a name of its own where there are several."""
    state = encode(addresses(quotation))
    options = [{"text": plain(f"{label}{mark}"), "value": f"{name}:{state}"} for name, label in messages.MENU.items()]
    return {"type": "overflow", "action_id": MENU, "options": options}


def call(question: str, asker: str, link: str) -> SlackDrawing:
    text = shorten(question, LEAST)
    asked = DrawnPart((rich(quote(text)),), marked(text))
    where = [DrawnPart((rich(section(linked(link, link))),), link)] if link else []
    done = DrawnPart((_actions(_button("Done", DONE, "done")),), "")
    return whole(said(messages.handover_request(asker)), asked, *where, done)


def _foot(reply: Reply, answer: int | None, *, shareable: bool, handover: bool) -> DrawnPart:
    more = more_of(reply)
    doubtful = isinstance(reply, Answer | NoAnswer) and not is_confident(reply)
    row: list[Block] = []
    if more:
        action = CLOSEST if isinstance(reply, NoAnswer) else MORE
        label = references.more_label(reply) if isinstance(reply, Answer | NoAnswer) else messages.MORE
        row.append(_button(label, action, more))
    row += [_button("Share to channel", SHARE, str(answer))] if shareable and answer is not None else []
    row += [_button("Ask the newsroom", CALL, str(answer))] if doubtful and handover and answer is not None else []
    alone = references.single_quotation(reply)
    row += [_menu(alone)] if alone else []
    blocks = [_actions(*row)] if row else []
    if answer is not None and accepts_feedback(reply):
        sides = {
            f"{side}_button": {"text": plain(says), "value": f"{answer}:{verdict}", "accessibility_label": says}
            for side, says, verdict in (("positive", messages.RIGHT, "right"), ("negative", messages.WRONG, "wrong"))
        }
        feedback = {"type": "feedback_buttons", "action_id": FEEDBACK, **sides}
        blocks.append({"type": "context_actions", "elements": [feedback]})
    return DrawnPart(tuple(blocks), "")


def _actions(*buttons: Block) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def _button(label: str, action: str, value: str) -> Block:
    return {"type": "button", "text": plain(label), "action_id": action, "value": value}


def draw_line(line: ReplyLine) -> DrawnLine:
    match line.role:
        case LineRole.QUOTATION:
            return quote(*line.pieces), marked(line.text)
        case LineRole.CAVEAT | LineRole.NOTICE:
            text = marked(line.text)
            return section(words(f"{line.label} ", "bold"), words(text)), f"{line.label} {text}"
        case LineRole.SOURCE:
            return _source(line)
        case LineRole.VERDICT:
            return section(words(line.label, "bold"), words(line.text)), f"{line.label}{line.text}"
        case LineRole.BEFORE:
            return small(words(line.text)), line.text
        case LineRole.COMPARISON:
            leaves = [leaf for change, run in line.difference for leaf in (words(run, *STYLES[change]), words(" "))]
            text = " ".join(MARKS[change].format(run) for change, run in line.difference)
            return section(*LEGEND, *leaves[:-1]), f"{line.text} {text}"
        case LineRole.CODE:
            return {"type": "rich_text_preformatted", "elements": [words(line.text)]}, line.text
    spoken = with_slack_commands(line.text) if line.role is LineRole.TEXT else line.text
    text = shorten(spoken.strip() or "…")
    return section(words(text, *(("bold",) if line.role.is_bold else ()))), text


def _source(line: ReplyLine) -> DrawnLine:
    text = shorten(line.text)
    leaf: Leaf = linked(text, line.address)
    says = f"{text} {line.citation.url}" if line.citation and leaf["type"] == "link" else text
    if not line.page:
        return small(leaf), says
    return small(leaf, linked(messages.IN_ARTICLE, line.page)), f"{says}\n{messages.IN_ARTICLE} {line.page}"


def marked(text: str) -> str:
    """Return words in quotation marks, as plain text has to have them.

    Those that are one quotation already, or a part of one, get the mark that they lack.
    """
    for opens, closes in (("“", "”"), ("„", "“"), ("«", "»"), ('"', '"')):
        inner = text.removeprefix(opens).removesuffix(closes)
        if opens not in inner and closes not in inner and inner != text:
            return f"{opens}{inner}{closes}"
    return f"‘{text}’" if re.search('[“”„«»"]', text) else f"“{text}”"


PICK, NAME, WHY, REASON = "stet_pick", "stet_name", "stet_why", "stet_reason"
MAX_NAMES, LONGEST_NAME = 100, 150
LONGEST_REASON = 1_000
WAYS = (
    "Mention me, or write to me here: I answer in a thread. Follow-ups need no mention where I may read along.",
    "/stet with a question asks for your eyes only; a button shares the answer. /stet help lists what else it takes.",
    "“Check this quote”, in the menu of any message, compares it with the articles.",
)
PRIVACY = (
    "I quote the newsroom's own articles, word for word, and nothing leaves this machine but the answers themselves.",
    "Questions, answers and your feedback are stored for {} days, to answer follow-ups and to find mistakes.",
)


# questions to begin with: what is shown, and what is asked
PROMPTS = {
    "What could not be verified?": "unverified",
    "Which articles are here?": "sources",
    "What can I ask?": "help",
}


def home(holds: Reply, keep_days: int) -> Block:
    blocks = [
        *_chapter("How to ask", WAYS),
        *_chapter("To begin with", [f"/stet {asked}: {title}" for title, asked in PROMPTS.items()]),
        _header("What I know"),
        # what is clicked is answered beside its message, and here is none
        *(
            {key: value for key, value in block.items() if key != "accessory"}
            for block in draw(holds).blocks
            if block["type"] != "actions"
        ),
        *_chapter("Privacy", [text.format(keep_days) for text in PRIVACY]),
    ]
    return {"type": "home", "blocks": blocks}


def _chapter(heading: str, lines: Iterable[str]) -> list[Block]:
    return [_header(heading), rich(*(section(words(text)) for text in lines))]


def _header(text: str) -> Block:
    return {"type": "header", "text": plain(text)}


def name_picker(channel: str, response_url: str) -> Block:
    """Return the modal in which a name is chosen; where the answer goes travels with it."""
    select = {"type": "external_select", "action_id": NAME, "min_query_length": 1, "placeholder": plain("A name")}
    field = {"type": "input", "block_id": NAME, "label": plain("Person, body or place"), "element": select}
    return _modal(PICK, json.dumps({"channel": channel, "response_url": response_url}), "Who is it?", "Show", field)


def _modal(name: str, metadata: str, title: str, submit: str, field: Block) -> Block:
    modal = {"type": "modal", "callback_id": name, "private_metadata": metadata, "title": plain(title)}
    return {**modal, "submit": plain(submit), "close": plain("Cancel"), "blocks": [field]}


def name_options(names: Iterable[str]) -> list[Block]:
    fitting = [name for name in names if 0 < len(name) <= LONGEST_NAME]
    return [{"text": plain(name), "value": name} for name in fitting[:MAX_NAMES]]


def why_form(answer: int) -> Block:
    text = {"type": "plain_text_input", "action_id": REASON, "multiline": True, "max_length": LONGEST_REASON}
    label = plain("In a sentence, for the bot's administrator")
    field = {"type": "input", "block_id": REASON, "label": label, "element": text, "optional": True}
    return _modal(WHY, str(answer), messages.WHY_WRONG, "Send", field)


def given_reason(view: Block) -> str | None:
    text = (view["state"]["values"].get(REASON, {}).get(REASON, {}).get("value") or "").strip()
    return shorten(text, LONGEST_REASON) or None


def draw_card(reply: Reply) -> SlackDrawing:
    """Return the card of a link, or what is said in its place; its words are text, nothing in it is interpreted."""
    listing = outline(reply)
    texts = (listing.title or "", *(line for section in listing.sections for line in section.lines))
    title, *facts = (plain(text, LEAST) for text in texts)
    grey: list[Block] = [{"type": "context", "elements": facts[:1]}] if facts else []
    heading, *rest = ({"type": "section", "text": text} for text in (title, *facts[1:]))
    return SlackDrawing(listing.title or "", (heading, *grey, *rest))
