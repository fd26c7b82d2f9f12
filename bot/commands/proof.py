"""A whole draft -> what is to be corrected or checked before it is printed, in its order. It rewrites nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot import messages, verdicts
from bot.command import Library
from bot.commands.alignment import quote_words
from bot.commands.comparison import is_too_short, searched
from bot.commands.proof_claims import check_claims
from bot.commands.proof_draft import Draft
from bot.commands.proof_facts import check_figures, check_names, figures
from bot.commands.verify import BESIDE, LONGEST, TITLE, PastedQuotation, check_one, too_long
from bot.errors import DraftError
from bot.model import Change, Check, Finding, FindingKind, Listing, Proof, Searched, Section, Verdict
from bot.outline import outline
from bot.verbatim import collapse
from retrieval import DRAFT_TEXT, VERBS, ArticleError, Span, Voice, bare_name, classes, read_draft

MOST_QUOTATIONS = 300
_FRAME = re.compile(rf"(?:{TITLE}|\b[A-Z]\.|(?!\n\s*\n)[^.!?:;“”«»\"]){{2,250}}")  # “…,” said Dr. Lee, “…”
_INTERRUPTION = re.compile(rf"{_FRAME.pattern}(?:[,)—–]|--)\s*")
_PRONOUNS = classes("third_persons", "first_persons")
_CONJUNCTION = re.compile(r"\b(?:and|as|but|when|while|whereas|yet)\b")
_OUTSIDE = r"[”\"»’],?\s*[—–(-]?\s*{}\W{{1,4}}?[“\"«‘]"
_SPEAKING = (Voice.NAMED, Voice.UNNAMED, Voice.MEDIA)
_WHOLE = (Verdict.EXACT, Verdict.OUT_OF_CONTEXT, Verdict.ALTERED, Verdict.MISATTRIBUTED)
PROPOSED = 12  # sentences of the archive that each quotation is compared with first: a draft has many


def proof(library: Library, content: str | bytes, name: str = "") -> Proof:
    """Return what was found in a text, or in a file by its name.

    Raises ``DraftError`` where it is empty or too long, or the file cannot be read.
    """
    try:
        text = content if isinstance(content, str) else read_draft(content, name)
    except ArticleError as error:
        raise DraftError(f"{messages.UNREADABLE_DRAFT} {error}") from error
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
    left_out = tuple(span.of(draft.text).strip('“”«»"') for span in too_long(draft.text, draft.quotations))
    return Proof(text, tuple(replace(each, text=each.span.of(text)) for each in ordered), left_out)


def _quotations(draft: Draft) -> Iterator[Finding]:
    chain, looked = list[PastedQuotation](), searched(draft.archive)
    for quotation in (*draft.pieces, None):
        if chain and (quotation is None or not _continues(draft, chain, quotation)):
            yield from _compared(draft, chain, looked)
            chain = []
        chain += [quotation] if quotation else []


def _continues(draft: Draft, chain: Sequence[PastedQuotation], then: PastedQuotation) -> bool:
    """Return whether the draft only interrupts a quotation ("…,” she said, “…"), rather than begin another."""
    one = chain[-1]
    between = draft.text[one.end : then.start]
    words, is_open = between.split(), one.words.endswith(",")
    says = [word for word in words if _says(word)]
    is_named = is_open and any(word[0].isupper() or word in _PRONOUNS for word in words)
    is_led_in = _INTERRUPTION.fullmatch(between) or (is_open and says and words[-1] == says[-1].rstrip(".!?:;"))
    if not (says or is_named) or not is_led_in or sum(len(each.words) + 1 for each in (*chain, then)) > LONGEST:
        return False
    if len(says) > 1 and _CONJUNCTION.search(between):  # "…,” said Ann, but Bob said, “…"
        return False
    names = [{*bare_name(each.speaker)} for each in (one, then) if each.speaker]
    if len(names) > 1 and not (names[0] <= names[1] or names[1] <= names[0]):
        return False
    if not any(is_too_short(each.words) for each in (one, then)):
        return not then.words[0].isupper()
    # behind a word that says nothing, one or two words are a term: called it “a hoax”
    ahead = draft.text[max(0, one.start - BESIDE) : one.start].rpartition("\n")[2].split()[-1:]
    is_term = any(word[-1].isalpha() and not _says(word) for word in ahead)
    return len(chain) > 1 or not is_too_short(one.words) or not is_term


def _compared(draft: Draft, chain: Sequence[PastedQuotation], looked: Searched) -> Iterator[Finding]:
    """Yield the finding of a quotation, whose pieces are compared as one; none where it is too short."""
    words = " ".join(each.words for each in chain)
    if is_too_short(words):
        return
    span, beside = Span(chain[0].start, chain[-1].end), next((each.speaker for each in chain if each.speaker), None)
    own = next((p.attribution for p in draft.reading.passages if _overlap(p.sentence.span, span)), None)
    is_named = own is not None and own.sure and own.voice in _SPEAKING and own.span  # in the sentence itself
    whole = PastedQuotation(words, span.start, span.end, (own.speaker if own and is_named else None) or beside)
    check = check_one(draft.library, whole, proposed=PROPOSED)
    theirs = _interrupted(check) if len(chain) > 1 else words
    if theirs != words:
        alike = check_one(draft.library, replace(whole, words=theirs), proposed=PROPOSED)
        check = replace(alike, quote=words) if alike.verdict in _WHOLE else check
    check = replace(check, searched=looked)
    extracts = tuple(match.extract for match in check.matches)
    yield Finding(FindingKind.QUOTATION, span, span.of(draft.text), verdicts.message(check), 1.0, extracts, check)


def _interrupted(check: Check) -> str:
    """Return the words of a quotation with what interrupts them in the article, outside its marks."""
    text = collapse(" ".join(match.extract.text for match in check.matches))
    words, at, parts, number = quote_words(check.quote), 0, list[str](), 0
    for change, there in check.matches[0].difference if check.matches else ():
        run = there.strip(' ,.—–-"“”«»‘’')
        if change is not Change.REMOVED:
            number += len(quote_words(run))
        elif 0 < number < len(words) and _FRAME.fullmatch(run) and re.search(_OUTSIDE.format(re.escape(run)), text):
            parts += [check.quote[at : words[number].start].rstrip(), f"” {run}, “"]
            at = words[number].start
    return "".join((*parts, check.quote[at:])) if number == len(words) else check.quote


def _says(words: str) -> bool:
    return any(word.form in VERBS for word in quote_words(words))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def listing(found: Proof) -> Listing:
    """Return a proof for people: what is to be corrected or checked with its sources, the rest in a line each."""
    title = messages.proofed(found.words, found.quotations, len(found.to_check))
    sections = [section for finding in found.findings for section in _sections(finding)]
    if found.left_out:
        sections.append(Section(messages.TOO_LONG_TO_CHECK, lines=tuple(map(messages.quoted, found.left_out))))
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
