"""A check -> the line that says what was found: the worst of it first, with a sign of its own."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum

from bot import messages
from bot.model import Agreement, Check, ContextKind, QuotationLiberty, Verdict

NAMED = 60  # characters of each quotation, where several are listed
NOT_VERIFIED = "not verified"
CONTEXTS = {
    ContextKind.DENIED: "denies it",
    ContextKind.CONDITIONAL: "makes it depend on something",
    ContextKind.QUESTIONED: "leaves it open",
    ContextKind.FEARED: "says that it is feared",
    ContextKind.WISHED: "says that it is wished",
    ContextKind.PLANNED: "says that it is planned",
    ContextKind.DOUBTED: "says that it may be so",
    ContextKind.REPORTED: "gives it as somebody's claim",
    ContextKind.LIMITED: "limits it",
}


class Lead(Enum):
    """What a verdict line begins with, worst first: its sign and its word."""

    MISATTRIBUTED = ("👤", "Said by another")
    ALTERED = ("✏️", "Altered")
    STITCHED = ("🧵", "Stitched")
    ABSENT = ("❌", "Absent")
    UNCHECKED = ("🚫", "Not checked")
    OUT_OF_CONTEXT = ("↩️", "Exact, out of context")
    PARTIAL = ("🔸", "Exact in part, the rest not checked")
    UNVERIFIED = ("⚠️", "Exact · not verified")
    UNNAMED = ("❔", "Exact words, speaker open")
    EXACT = ("✅", "Exact")

    def __init__(self, sign: str, word: str) -> None:
        self.sign = sign
        self.word = word

    @property
    def css(self) -> str:
        return self.name.lower().replace("_", "-")


def lead_of(check: Check) -> Lead:
    if check.verdict is not Verdict.EXACT:
        return Lead[check.verdict.name]
    if check.is_unverified:
        return Lead.UNVERIFIED
    return Lead.UNNAMED if check.claimed and check.claimed.agreement is Agreement.UNKNOWN else Lead.EXACT


def label(check: Check) -> str:
    """Return the verdict in a few words, with that the outlet could not verify the quotation where it couldn't."""
    lead = lead_of(check)
    word = lead.word
    if lead is Lead.MISATTRIBUTED and check.claimed:
        differs = any(match.has_new_words or match.lacks_words for match in check.matches)
        words = "Altered, and" if differs and not check.freedoms else "Exact words, but"
        word = f"{words} said by {check.claimed.in_article or 'another'}"
    return f"{word} · {NOT_VERIFIED}" if check.is_unverified and lead is not Lead.UNVERIFIED else word


def signed(check: Check) -> str:
    return f"{lead_of(check).sign} {label(check)}"


def title(check: Check) -> str:
    """Return the line over a check: its sign, its label and what that means."""
    return f"{signed(check)}: {explanation(check)}"


def heading(check: Check) -> str:
    """Return the line over one check of several, which names the quotation."""
    besides = " ".join((*_besides(check), speaker_there(check)))
    return f"{signed(check)} · {messages.quoted(check.quote, NAMED)} {besides}".rstrip()


def speaker_there(check: Check) -> str:
    """Return who says an exact quotation in the article, where none was compared; else ""."""
    is_open = check.verdict is Verdict.EXACT and not check.claimed
    speaker = check.matches[0].extract.speaker if is_open and check.matches else None
    return messages.speaker_there(speaker) if speaker else ""


def summary(checks: Iterable[Check]) -> str:
    """Return how many quotations were checked, and how many have each verdict, worst first."""
    counts = Counter(map(lead_of, checks))
    each = (f"{counts[lead]} {lead.word[:1].lower()}{lead.word[1:]}" for lead in Lead if counts[lead])
    return f"{messages.count(counts.total(), 'quotation')} checked: {', '.join(each)}"


def message(check: Check) -> str:
    """Return the same as ``title`` for who shows no signs."""
    return f"{label(check)}: {explanation(check)}"


def explanation(check: Check) -> str:
    found = {
        Verdict.MISATTRIBUTED: f"the article does not say that it was {check.claimed.name if check.claimed else ''}.",
        Verdict.ALTERED: "the published wording is different.",
        Verdict.STITCHED: "these words come from different places.",
        Verdict.ABSENT: f"no article has these words, or words like them: {messages.quoted(check.quote)}"
        f"{messages.searched_through(check.searched) if check.searched else ''}",
        Verdict.UNCHECKED: "the program failed to compare this quotation. The error is in the log.",
        Verdict.PARTIAL: f"an article has the words {messages.quoted(check.quote.rstrip('.'))}.",
        Verdict.EXACT: "an article has these words.",
        Verdict.OUT_OF_CONTEXT: "an article has these words, but they mean something else there.",
    }
    return " ".join((found[check.verdict], *_besides(check)))


def _besides(check: Check) -> Iterator[str]:
    if check.not_compared:
        each = ", ".join(messages.quoted(words) for words in check.not_compared)
        yield f"Not compared, because they are not part of that quotation: {each}."
    claimed = check.claimed
    if claimed and claimed.agreement is Agreement.UNKNOWN and check.matches:
        if claimed.in_article is None:
            yield f"The article doesn't say who said this, so we can't confirm that it was {claimed.name}."
        else:
            yield f"The article says “{claimed.in_article}”. Check that this is {claimed.name}."
    elif claimed and claimed.agreement is Agreement.RIGHT:
        yield f"Said by {claimed.in_article}."
    omission, brackets = QuotationLiberty.OMISSION, QuotationLiberty.BRACKETS
    if small := [freedom.value for freedom in check.freedoms if freedom not in (omission, brackets)]:
        yield f"Only these differ: {', '.join(small)}."
    if omission in check.freedoms:
        yield f"The ellipsis leaves out {messages.count(check.left_out, 'word')}."
    if brackets in check.freedoms:
        yield "The words in square brackets are not the article's."
    if check.context and check.context.kind is ContextKind.TAKEN_BACK:
        yield "The article takes this back in the next sentence, which is shown below."
    elif check.context:
        yield f"Where it stands, its sentence {CONTEXTS[check.context.kind]}: “{check.context.words}”."
