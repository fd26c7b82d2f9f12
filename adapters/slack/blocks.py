"""Reply -> Block Kit: quotations as literal text, each with its caveat directly under it, its source, its buttons.

Nothing is sent here. Whatever the reply, the drawing is within Slack's limits; what does not fit is left out whole,
further extracts first, and never a citation or a caveat of what is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from adapters.answer_record import accepts_feedback
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
from bot import messages, references, verdicts
from bot.model import (
    Answer,
    Candidates,
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
from bot.notices import remaining_notices
from bot.outline import MARKS, SPOKEN, outline
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
BARE = Candidates | Clipping | Message  # beside which nothing is clicked but what is theirs


@dataclass(frozen=True, slots=True)
class Buttons:
    """What can be clicked beside a reply's own: ``answer`` is its number in the store, for feedback and sharing.

    ``shareable`` is set for what the asker alone sees; ``asked`` is the question, where it is to be shown above;
    ``handover`` is set where people can be asked what the articles do not say for certain.
    """

    answer: int | None = None
    shareable: bool = False
    asked: str = ""
    handover: bool = False


def draw(reply: Reply, buttons: Buttons | None = None) -> Drawing:
    """Return the message for a reply."""
    buttons, listing = buttons or Buttons(), outline(reply)
    title = listing.title.strip() or ("" if listing.sections else messages.NOTHING_TO_SHOW)
    if isinstance(reply, Clipping):
        head, parts = NOTHING, [_clipping(reply)]
    else:
        head = _verdict(reply) if isinstance(reply, Check) else said(title, *_styles(reply))
        parts = [*_parts(reply, listing), *(_picks(reply) if isinstance(reply, Candidates) else ())]
    foot = NOTHING if isinstance(reply, BARE) else _foot(buttons, reply)
    return fit(_under(buttons.asked, head), parts, foot, LEFT_OUT, _verdicts(listing))


def _styles(reply: Reply) -> tuple[str, ...]:
    return () if isinstance(reply, SPOKEN | Candidates) else ("bold",)


def _verdict(check: Check) -> Part:
    """Return the line over a check: of the whole, the verdict alone is bold."""
    leaves = words(verdicts.signed(check), "bold"), words(shorten(f": {verdicts.explanation(check)}", LEAST))
    return Part((rich(section(*leaves)),), verdicts.title(check))


def _verdicts(listing: Listing) -> Part | None:
    """Return the verdict of each of several quotations, a line each; None where none was checked."""
    lines = [line(each.heading) for each in listing.sections if each.check]
    return _part(lines) if lines else None


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


def _parts(reply: Reply, listing: Listing) -> list[Part]:
    """Return each extract with the notices on its article, where it is the article's first; then the other notices."""
    due, numbers = remaining_notices(listing), count(0 if references.single_extract(reply) else 1)
    if isinstance(reply, Check):
        parts = [_extract(match.extract, next(numbers), due, after=_compared(match)) for match in reply.matches]
        parts += [part for each in listing.sections[len(parts) :] for part in _section(each, due, numbers)]
    else:
        parts = [part for section in listing.sections for part in _section(section, due, numbers)]
    return parts + _notices(due)


def _extract(
    extract: Extract, number: int, due: list[Notice], before: Sequence[Line] = (), after: Iterable[Line] = ()
) -> Part:
    lines = [*before, *extract_lines(extract, number), *after]
    for notice in _claimed(extract, due):
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


def _claimed(extract: Extract, due: list[Notice]) -> list[Notice]:
    """Remove from ``due`` the notices on the extract's article, and return them."""
    own = [notice for notice in due if notice.citation.article_id == extract.citation.article_id]
    due[:] = [notice for notice in due if notice not in own]
    return own


def _notices(notices: Iterable[Notice]) -> list[Part]:
    parts = [_part([*notice_lines(notice)]) for notice in notices]
    return [part for part in parts if _bounded(part)]


def _section(section: Section, due: list[Notice], numbers: Iterator[int]) -> Iterator[Part]:
    """Yield a section; its lines come in groups, each of which finds room or does not."""
    above = [line(section.heading, "bold")] if section.heading else []
    if section.lines:
        lines, above = [*above, *map(line, section.lines)], []
        yield from (_part(lines[start : start + LINES]) for start in range(0, len(lines), LINES))
    for place, extract in enumerate(section.extracts):
        mark = [line(MARKED, "bold")] if place == section.marked else []
        yield _extract(extract, next(numbers), due, [*above, *mark])
        above = []
    if above:
        yield _part(above)


def _picks(reply: Candidates) -> list[Part]:
    """Return those to pick from as buttons; a name that no button can carry is only listed."""
    names = [c.name for c in reply.candidates[:PICKS] if len(c.name) <= VALUE]
    picks = [_button(name, f"{WHO}_{number}", name) for number, name in enumerate(names)]
    return [Part((_actions(*picks),), "")] if picks else []


def _compared(match: Match) -> Iterator[Line]:
    """Yield what a quotation made of the words, where they are not the same."""
    if any(change is not Change.SAME for change, _ in match.difference):
        leaves = [leaf for change, run in match.difference for leaf in (words(run, *STYLES[change]), words(" "))]
        told = " ".join(MARKS[change].format(run) for change, run in match.difference)
        yield section(*LEGEND, *leaves[:-1]), f"{messages.COMPARED} {told}"


def _clipping(clipping: Clipping) -> Part:
    extract = clipping.extract
    lines = [
        *warning(extract.caveats),
        (preformatted(clipping.text or messages.NOTHING_TO_SHOW), clipping.text),
        *caveat_lines(extract.caveats),
        placed(extract),
    ]
    return _whole(extract, lines)


def call(question: str, asker: str, link: str) -> Drawing:
    """Return the message in which a question is handed to people, with the button that marks it as dealt with."""
    head = said(messages.handover_request(asker))
    where = Part((rich(section(linked(link, link))),), link) if link else NOTHING
    parts = [_part([quoted(shorten(question, LEAST))]), where]
    return fit(head, parts, Part((_actions(_button("Done", DONE, "done")),), ""), LEFT_OUT)


def _foot(buttons: Buttons, reply: Reply) -> Part:
    more = reply.more if isinstance(reply, Answer) else ""
    unsure = isinstance(reply, NoAnswer) or (isinstance(reply, Answer) and not reply.sure)
    row = [_button("More", MORE, more)] if more else []
    if buttons.shareable and buttons.answer is not None:
        row.append(_button("Share to channel", SHARE, str(buttons.answer)))
    if unsure and buttons.handover and buttons.answer is not None:
        row.append(_button("Ask the newsroom", CALL, str(buttons.answer)))
    alone = references.single_extract(reply)
    row += [_menu(alone)] if alone else []
    blocks = [_actions(*row)] if row else []
    if buttons.answer is not None and accepts_feedback(reply):
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
