"""A whole draft -> what is to be corrected or checked before it is printed, in its order. It rewrites nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot import messages, verdicts
from bot.command import Library
from bot.commands.alignment import quote_words
from bot.commands.proof_claims import check_claims
from bot.commands.proof_draft import Draft
from bot.commands.proof_figures import check_figures, figures
from bot.commands.proof_names import check_names
from bot.commands.verify import LONGEST, PastedQuotation, check_one
from bot.errors import DraftError
from bot.model import Change, Finding, FindingKind, Listing, Proof, Section, Verdict
from bot.outline import outline
from bot.verbatim import collapse
from retrieval import DRAFT_TEXT, VERBS, ArticleError, Force, Span, Voice, quoted_spans, read_draft

MOST_QUOTATIONS = 300
_INTERRUPTION = re.compile(r"[^.!?:;“”\"\n]{2,80},\s*")
_WHOLE = (Verdict.EXACT, Verdict.OUT_OF_CONTEXT, Verdict.ALTERED, Verdict.MISATTRIBUTED)
PROPOSED = 12  # sentences of the archive that each quotation is compared with first: a draft has many


def proof(library: Library, text: str) -> Proof:
    """Return what was found in a draft; raises ``DraftError`` where it is empty or too long."""
    if len(text) > DRAFT_TEXT.most:
        raise DraftError(messages.draft_too_long(DRAFT_TEXT.most, "characters"))
    if not text.strip():
        raise DraftError(messages.EMPTY_DRAFT)
    draft = Draft(library, text)
    if len(draft.quotations) > MOST_QUOTATIONS:
        raise DraftError(messages.draft_too_long(MOST_QUOTATIONS, "quotations"))
    try:
        found = [*_quotations(draft), *check_figures(draft), *check_names(draft)]
        # a quotation in the statement already says that it is not verified
        unverified = [each.span for each in found if each.check and each.check.is_unverified]
        found += [each for each in check_claims(draft) if not any(_overlap(each.span, span) for span in unverified)]
    finally:
        figures.cache_clear()  # no sentence of a draft stays in memory
    ordered = sorted(found, key=lambda each: (each.span.start, list(FindingKind).index(each.kind)))
    checked = {(each.start, each.end) for each in draft.quotations}
    too_long = (s for s in quoted_spans(draft.text) if s.end - s.start > LONGEST and (s.start, s.end) not in checked)
    left_out = tuple(span.of(draft.text) for span in too_long)
    return Proof(text, tuple(replace(each, text=each.span.of(text)) for each in ordered), left_out)


def proof_file(library: Library, draft: str | bytes, name: str) -> Proof:
    """Proof a text, or a file by its name; raises as ``proof``, and where the file cannot be read."""
    try:
        text = draft if isinstance(draft, str) else read_draft(draft, name)
    except ArticleError as error:
        raise DraftError(f"{messages.UNREADABLE_DRAFT} {error}") from error
    return proof(library, text)


def _quotations(draft: Draft) -> list[Finding]:
    found: list[Finding] = []
    for quotation in draft.quotations:
        finding = _quotation(draft, quotation)
        if found and (one := _as_one(draft, found[-1], finding)):
            found[-1] = one
        else:
            found.append(finding)
    return found


def _as_one(draft: Draft, first: Finding, second: Finding) -> Finding | None:
    """Return the finding of a quotation that the draft interrupts ("…,” she said, “…"), and the archive doesn't."""
    between = draft.text[first.span.end : second.span.start]
    if not first.check or not second.check or not _INTERRUPTION.fullmatch(between) or not _says(between):
        return None
    words = f"{first.check.quote} {second.check.quote}"
    if not second.check.quote[0].islower() or (first.is_correct and second.is_correct) or len(words) > LONGEST:
        return None
    speaker = first.check.claimed.name if first.check.claimed else None
    found = _quotation(draft, PastedQuotation(words, first.span.start, second.span.end, speaker))
    if found.check is None or found.check.verdict not in _WHOLE:
        return None
    differences = (match.difference for match in found.check.matches)
    is_interrupted = any(change is Change.REMOVED and _says(run) for each in differences for change, run in each)
    return None if is_interrupted else found


def _says(words: str) -> bool:
    verbs = (VERBS.get(word.form) for word in quote_words(words))
    return any(verb is not None and verb.force is Force.SAYING for verb in verbs)


def _quotation(draft: Draft, quotation: PastedQuotation) -> Finding:
    span = Span(quotation.start, quotation.end)
    speaker = _speaker(draft, span) or quotation.speaker
    check = check_one(draft.library, replace(quotation, speaker=speaker), proposed=PROPOSED)
    check = replace(check, searched=draft.searched)
    extracts = tuple(match.extract for match in check.matches)
    return Finding(FindingKind.QUOTATION, span, span.of(draft.text), verdicts.message(check), 1.0, extracts, check)


def _speaker(draft: Draft, span: Span) -> str | None:
    """Return who says a quotation in the draft, where that is named in its own sentence."""
    for passage in draft.reading.passages:
        if _overlap(passage.sentence.span, span):
            says = passage.attribution
            return says.speaker if says and says.sure and says.voice is Voice.NAMED and says.span else None
    return None


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def listing(found: Proof) -> Listing:
    """Return a proof for people: what is to be corrected or checked with its sources, the rest in a line each."""
    title = messages.proofed(found.words, found.quotations, len(found.to_check))
    sections = [section for finding in found.findings for section in _sections(finding)]
    if found.left_out:
        lines = tuple(map(messages.quoted, found.left_out))
        sections.append(Section(messages.TOO_LONG_TO_CHECK, lines=lines))
    return Listing(title, tuple(sections))


def heading(finding: Finding) -> str:
    """Return the line over a finding: its sign, its kind or verdict, and the draft's words."""
    if finding.check:
        return verdicts.heading(finding.check)
    return f"{messages.FINDINGS[finding.kind]} · {messages.quoted(collapse(finding.text), verdicts.NAMED)}"


def _sections(finding: Finding) -> Iterator[Section]:
    check = finding.check
    if check is None:
        yield Section(heading(finding), finding.extracts, (finding.what,))
    elif finding.is_correct:
        yield Section(heading(finding), check=check, rests_on=finding.extracts)
    else:
        first, *others = outline(check).sections or (Section(""),)
        yield replace(first, heading=heading(finding), check=check)
        yield from others
