"""Reply -> Listing: the one shape that every drawing walks, a title and the sections under it.

And which caveats must be shown below a reply: computed from its extracts, so that no command can forget them. The
caveats of the quotations themselves: ``verbatim.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from bot import messages, model, source_lines, verdicts
from bot.model import Answer, Candidates, Card, Change, Check, Clipping, Listing, Message, NoAnswer, Reply, Section

ARTICLES = 10  # listed on a card, the newest
NAMED_WITH = 3  # names on a brief card
SPOKEN = Answer | NoAnswer | Message | Clipping  # whose title is no heading: the bot says it, or it is pasted
MARKS = {Change.SAME: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "[+{}+]"}


def outline(reply: Reply) -> Listing:
    """Return ``reply`` under headings, with nothing lost but its type; the title of most is what the bot says."""
    match reply:
        case Answer():
            return Listing(reply.message or "", (Section("", reply.extracts),))
        case NoAnswer():
            named = Section("", lines=tuple(map(source_lines.source, reply.articles)), cited=reply.articles)
            return Listing(reply.message, (named,) if reply.articles else ())
        case Message() | Clipping():  # what is copied has its caveats in its text
            return Listing(reply.text)
        case Card():
            return Listing(reply.name, tuple(s for s in _card(reply) if s.extracts or s.lines))
        case Check():
            return Listing(verdicts.title(reply), tuple(_check(reply)))
        case Candidates():
            names = (
                f"{each.name} ({messages.KINDS[each.kind]}, in {messages.count(each.articles, 'article')})"
                for each in reply.candidates
            )
            return Listing(reply.message, (Section("", lines=tuple(names)),) if reply.candidates else ())
        case Listing():
            return reply
    assert_never(reply)


def _card(card: Card) -> Iterator[Section]:
    number, looked = max(card.in_all, len(card.articles)), len(card.articles)
    said = messages.newest_sentences(card.said_in_all, card.name, at_least=number > looked)
    yield Section("", lines=tuple(_facts(card, number, looked)), rests_on=card.roles)
    if not card.brief:
        yield Section(
            "Described as",
            lines=tuple(f"“{role.text}” · {source_lines.source(role.citation)}" for role in card.described),
            cited=tuple(role.citation for role in card.described),
        )
    yield Section("Said", card.said, (said,) if card.said_in_all > len(card.said) else ())
    yield Section("Said of them", card.about)
    if not card.brief:
        company = (f"{c.name}, in {messages.count(c.sentences, 'sentence')}" for c in card.company)
        yield Section("Named together with", lines=tuple(company))
        listed = card.articles[:ARTICLES]
        lines = (*map(source_lines.source, listed), *messages.and_more(number - ARTICLES, "article"))
        yield Section("Articles", lines=lines, cited=listed)


def _facts(card: Card, number: int, looked: int) -> Iterator[str]:
    """Yield lines about an entity; on a brief card also what it is called, and who is named with it."""
    yield f"{messages.KINDS[card.kind].capitalize()}, in {messages.count(number, 'article')}."
    if spellings := ", ".join(variant for variant in card.variants if variant != card.name):
        yield f"Also spelt {spellings.removesuffix('.')}."
    if card.may_be_several:
        yield messages.may_be_several(card.name)
    if number > looked:
        yield messages.newest_articles(looked)
    if card.brief and card.described:
        yield messages.described_as(role.text for role in card.described)
    often = [companion.name for companion in card.company if companion.sentences > 1]
    if card.brief and often:
        yield messages.named_with(", ".join(often[:NAMED_WITH]))


def listed_checks(checks: Sequence[Check], not_compared: Sequence[str], left: int) -> Listing:
    """Return the checks of several quotations of one text, each under its verdict, with what was not compared."""
    sections: list[Section] = []
    for check in checks:
        first, *others = tuple(_check(check)) or (Section(""),)
        sections += [replace(first, heading=verdicts.heading(check), check=check), *others]
    lines = [messages.not_compared(dict.fromkeys(not_compared))] if not_compared else []
    lines += messages.and_more(left, "quotation")
    if lines:
        sections.append(Section(messages.NOT_COMPARED, lines=tuple(lines)))
    return Listing(verdicts.summary(checks), tuple(sections))


def _check(check: Check) -> Iterator[Section]:
    for number, match in enumerate(check.matches):
        changed = any(change is not Change.SAME for change, _ in match.difference)
        # one over several sentences is drawn once
        is_new = match.difference not in [earlier.difference for earlier in check.matches[:number]]
        yield Section("", (match.extract,), difference=match.difference if changed and is_new else ())
    if check.context and check.context.kind is model.ContextKind.TAKEN_BACK:
        yield Section(messages.GOES_ON, (check.context.sentence,))


def notices(extracts: Iterable[model.Extract]) -> tuple[model.Notice, ...]:
    """Return the notices of ``extracts`` and of the sentences shown with them, each once.

    Of a caveat in two versions of an article, the later one's is returned.
    """
    parts = (part for extract in extracts for part in quoted_parts(extract))
    return tuple({notice.key: notice for part in parts for notice in part.notices}.values())


def quoted_parts(extract: model.Extract) -> Iterator[model.Extract]:
    """Yield an extract and the sentences that are shown with it, in reading order."""
    if extract.before:
        yield from quoted_parts(extract.before)
    yield extract
    if extract.newest is not extract:
        yield from quoted_parts(extract.newest)


def remaining_notices(listing: Listing) -> list[model.Notice]:
    """Return the notices that a reply needs below, without those that its extracts show in time."""
    shown, due = listing.extracts, notices(listing.extracts)
    return not_yet_shown((notice for notice in notices(listing.all_extracts) if notice in due), shown)


def not_yet_shown(due: Iterable[model.Notice], extracts: Sequence[model.Extract]) -> list[model.Notice]:
    """Return the notices in ``due`` that no extract shows as a caveat before, or on, the first extract that needs them.

    The reader is assumed to read ``extracts`` from the top.
    """
    return [notice for notice in due if not _is_shown_in_time(notice, extracts)]


def _is_shown_in_time(notice: model.Notice, extracts: Iterable[model.Extract]) -> bool:
    for extract in extracts:
        is_caveat_itself = (extract.text, extract.citation.article_id) == notice.identity
        if is_caveat_itself or shows_caveat(extract, notice):
            return True
        if notice.key in {each.key for each in notices((extract,))}:
            return False
    return False


def shows_caveat(extract: model.Extract, notice: model.Notice) -> bool:
    return any(caveat.identity == notice.identity for part in quoted_parts(extract) for caveat in part.caveats)
