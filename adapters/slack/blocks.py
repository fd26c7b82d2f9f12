"""Reply -> Block Kit: quotations as literal text, each with its caveat directly under it, its source, its buttons.

Nothing is sent here. Whatever the reply, the drawing is within Slack's limits; what does not fit is left out whole,
further extracts first, and never a citation or a caveat of what is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import assert_never

from adapters.slack.extracts import Line, caveat_lines, extract_lines, line, notice_lines, placed, quoted, warning
from adapters.slack.rich_text import (
    LEAST,
    Block,
    Drawing,
    Part,
    fit,
    linked,
    plain,
    preformatted,
    rich,
    said,
    section,
    shorten,
    stacked,
    words,
)
from adapters.storage.answer_record import can_be_judged
from bot import messages, shown
from bot.model import (
    Answer,
    Candidates,
    Card,
    Change,
    Check,
    Clipping,
    Extract,
    Listing,
    Match,
    Message,
    NoAnswer,
    Notice,
    Reply,
    Section,
)
from bot.notices import untold_of
from bot.outline import outline
from bot.state import address, encode

MORE, MENU, SHARE, FEEDBACK, WHO, CALL, DONE = (
    f"stet_{name}" for name in ("more", "menu", "share", "feedback", "who", "call", "done")
)
PICKS = 10
LINES = 9
LONGEST_ASKED = 300
# What one part may take, so that the first always finds room beside the longest message and the buttons.
PART = 6_000
PART_ESCAPED = 20_000
LEFT_OUT = "There is more than Slack shows in one message: {} left out."
TOO_LONG = "The passage is too long for a message in Slack; it stands here:"
STYLES: dict[Change, tuple[str, ...]] = {Change.SAME: (), Change.REMOVED: ("strike",), Change.ADDED: ("bold",)}
LEGEND = (
    words("Compared", "bold"),
    words(" ("),
    words("in the article", *STYLES[Change.REMOVED]),
    words(" "),
    words("in the quotation", *STYLES[Change.ADDED]),
    words("): "),
)
MARKED = "▸ This sentence:"
NOTHING = Part((), "")
VALUE = 2_000
MARKS = {Change.SAME: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "[+{}+]"}


@dataclass(frozen=True, slots=True)
class Buttons:
    """What can be clicked beside a reply's own: ``answer`` is its number in the store, for feedback and sharing.

    ``shareable`` is set for what the asker alone sees; ``asked`` is the question, where it is to be shown above;
    ``desk`` is set where people can be asked what the articles do not say for certain.
    """

    answer: int | None = None
    shareable: bool = False
    asked: str = ""
    desk: bool = False


def draw(reply: Reply, buttons: Buttons | None = None) -> Drawing:
    """Return the message for a reply."""
    buttons = buttons or Buttons()
    foot = NOTHING
    match reply:
        case Answer():
            head, parts, foot = said(reply.message or ""), _answer(reply), _foot(buttons, reply)
        case NoAnswer():
            head, parts, foot = said(reply.message), _notices(reply.notices), _foot(buttons, reply)
        case Message():
            head, parts = said(reply.text or messages.SPEECHLESS), []
        case Candidates():
            head, parts = said(reply.message), _candidates(reply)
        case Check():
            head, parts, foot = said(reply.message, "bold"), _check(reply), _foot(buttons, reply)
        case Card() | Listing():
            listing = outline(reply) if isinstance(reply, Card) else reply
            head, parts, foot = said(listing.title, "bold"), _listing(listing), _foot(buttons, reply)
        case Clipping():
            head, parts = NOTHING, [_clipping(reply)]
        case _:
            assert_never(reply)
    return fit(_under(buttons.asked, head), parts, foot, LEFT_OUT)


def _under(asked: str, head: Part) -> Part:
    """Return the head of a message, with the question above it where it is to be shown."""
    question = said(shorten(f"“{asked}”", LONGEST_ASKED) if asked else "", "italic")
    return Part((*question.blocks, *head.blocks), "\n".join(filter(None, (question.text, head.text))))


def _part(lines: Sequence[Line], *blocks: Block) -> Part:
    """Return lines, and blocks under them, as one part, so that nothing comes between them."""
    drawn = stacked(paragraph for paragraph, _ in lines)
    return Part((*drawn, *blocks), "\n".join(text for _, text in lines))


def _whole(extract: Extract, lines: Sequence[Line], *blocks: Block) -> Part:
    """Return a part for an extract; where it is too long for any message, what must be known about it instead."""
    part = _part(lines, *blocks)
    if _bounded(part):
        return part
    instead = [line(TOO_LONG), placed(extract)]
    caveated = _part([*warning(extract.caveats), *instead, *caveat_lines(extract.caveats)])
    return caveated if _bounded(caveated) else _part(instead)


def _bounded(part: Part) -> bool:
    return part.size <= PART and part.escaped <= PART_ESCAPED


def _extract(extract: Extract, number: int, *before: Line, notices: Sequence[Notice] = ()) -> Part:
    lines = [*before, *extract_lines(extract, number)]
    for notice in notices:
        lines += notice_lines(notice, extract.citation)
    return _whole(extract, lines, *_beside(extract, number))


def _beside(extract: Extract, number: int) -> Iterator[Block]:
    """Yield the row with an extract's menu; of one without a number, which stands alone, it is in the reply's row."""
    if number:
        yield _actions(_menu(extract, f" {number}"))


def _menu(extract: Extract, mark: str = "") -> Block:
    """Return what is seldom done with an extract, each under a name of its own where there are several."""
    state = encode([address(extract.newest.citation, extract.newest.index)])
    options = [
        {"text": plain(f"{label}{mark}"), "value": f"{command}:{state}"} for command, label in messages.MENU.items()
    ]
    return {"type": "overflow", "action_id": MENU, "options": options}


def _numbers(reply: Answer | Check) -> Iterator[int]:
    """Return the numbers of extracts: 0 for one that stands alone, otherwise from 1."""
    return count(0 if shown.alone(reply) else 1)


def _answer(answer: Answer) -> list[Part]:
    """Return each extract with the notices on its article, where it is the article's first; then the other notices."""
    due = untold_of(answer)
    numbered = zip(_numbers(answer), answer.extracts, strict=False)
    parts = [_extract(extract, number, notices=_claimed(extract, due)) for number, extract in numbered]
    return parts + _notices(due)


def _claimed(extract: Extract, due: list[Notice]) -> list[Notice]:
    """Remove from ``due`` the notices on the extract's article, and return them."""
    own = [notice for notice in due if notice.citation.article_id == extract.citation.article_id]
    due[:] = [notice for notice in due if notice not in own]
    return own


def _notices(notices: Iterable[Notice]) -> list[Part]:
    parts = [_part([*notice_lines(notice)]) for notice in notices]
    return [part for part in parts if _bounded(part)]


def _headed(heading: Sequence[Line], section: Section, due: list[Notice], numbers: Iterator[int]) -> list[Part]:
    parts = []
    for number, extract in enumerate(section.extracts):
        before = [*heading] if number == 0 else []
        if number == section.marked:
            before.append(line(MARKED, "bold"))
        parts.append(_extract(extract, next(numbers), *before, notices=_claimed(extract, due)))
    return parts


def _listing(listing: Listing) -> list[Part]:
    due, numbers = untold_of(listing), count(1)
    parts = [part for section in listing.sections for part in _section(section, due, numbers)]
    return parts + _notices(due)


def _section(section: Section, due: list[Notice], numbers: Iterator[int]) -> list[Part]:
    """Return a section; its lines come in groups, each of which finds room or does not."""
    heading = [line(section.heading, "bold")] if section.heading else []
    if not section.lines:
        return _headed(heading, section, due, numbers)
    lines = [*heading, *(line(text) for text in section.lines)]
    groups = [_part(lines[start : start + LINES]) for start in range(0, len(lines), LINES)]
    return [*groups, *_headed([], section, due, numbers)]


def _candidates(reply: Candidates) -> list[Part]:
    """Return those to pick from, each as a button too; a name that no button can carry is only listed."""
    names = [c.name for c in reply.candidates[:PICKS] if len(c.name) <= VALUE]
    picks = [_button(name, f"{WHO}_{number}", name) for number, name in enumerate(names)]
    return [*_listing(outline(reply)), *([Part((_actions(*picks),), "")] if picks else ())]


def _check(check: Check) -> list[Part]:
    due = untold_of(check)
    numbered = zip(_numbers(check), check.matches, strict=False)
    parts = [_match(match, number, _claimed(match.extract, due)) for number, match in numbered]
    return parts + _notices(due)


def _match(match: Match, number: int, notices: Sequence[Notice]) -> Part:
    lines = [*extract_lines(match.extract, number)]
    if any(change is not Change.SAME for change, _ in match.difference):
        leaves = [words(run, *STYLES[change]) for change, run in match.difference]
        told = "".join(MARKS[change].format(run) for change, run in match.difference)
        lines.append((section(*LEGEND, *leaves), f"{messages.COMPARED} {told}"))
    for notice in notices:
        lines += notice_lines(notice, match.extract.citation)
    return _whole(match.extract, lines, *_beside(match.extract, number))


def _clipping(clipping: Clipping) -> Part:
    extract = clipping.extract
    lines = [
        *warning(extract.caveats),
        (preformatted(clipping.text or messages.SPEECHLESS), clipping.text),
        *caveat_lines(extract.caveats),
        placed(extract),
    ]
    return _whole(extract, lines)


def call(question: str, asker: str, link: str) -> Drawing:
    """Return the message in which a question is handed to people, with the button that marks it as dealt with."""
    head = said(messages.called(asker))
    where = Part((rich(section(linked(link, link))),), link) if link else NOTHING
    parts = [_part([quoted(shorten(question, LEAST))]), where]
    return fit(head, parts, Part((_actions(_button("Done", DONE, "done")),), ""), LEFT_OUT)


def _foot(buttons: Buttons, reply: Reply) -> Part:
    more = reply.more if isinstance(reply, Answer) else ""
    unsure = isinstance(reply, NoAnswer) or (isinstance(reply, Answer) and not reply.sure)
    row = [_button("More", MORE, more)] if more else []
    if buttons.shareable and buttons.answer is not None:
        row.append(_button("Share to channel", SHARE, str(buttons.answer)))
    if unsure and buttons.desk and buttons.answer is not None:
        row.append(_button("Ask the desk", CALL, str(buttons.answer)))
    alone = shown.alone(reply)
    row += [_menu(alone)] if alone else []
    blocks = [_actions(*row)] if row else []
    if buttons.answer is not None and can_be_judged(reply):
        blocks.append(_feedback(buttons.answer))
    return Part(tuple(blocks), "")


def _actions(*buttons: Block) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def _button(label: str, action: str, value: str) -> Block:
    return {"type": "button", "text": plain(label), "action_id": action, "value": value}


def _feedback(answer: int) -> Block:
    sides = {
        f"{side}_button": {"text": plain(label), "value": f"{answer}:{verdict}", "accessibility_label": label}
        for side, label, verdict in (("positive", messages.RIGHT, "right"), ("negative", messages.WRONG, "wrong"))
    }
    return {"type": "context_actions", "elements": [{"type": "feedback_buttons", "action_id": FEEDBACK, **sides}]}
