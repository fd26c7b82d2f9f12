"""What governs a part of a sentence: the words around it that deny it, doubt it, wish it or make it conditional.

Rules over the words of its clause, without a parser; the words are in ``governing.toml``. ``stet eval cuts`` says how
good they are. Of a quotation in its article, also what takes it back in the next sentence, and in whose voice it is.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bot import verbatim
from bot.commands.alignment import Piece
from bot.model import ContextKind, QuotationContext
from retrieval import VERBS, Archive, Boilerplate, Force, Passage, Span, Voice, classes, quoted_spans, read_table

CLAUSE = 40  # words before a part that are looked at
LEAD = 4  # words at most between a clause in front and the part that it governs: "she said, then"
SHORT = 5  # words of a clause that are all shown before the one that governs
BEHIND = 16  # words behind a part that are looked at
LEAST = 4  # words of a quotation: fewer state nothing that could be turned
NEAR = 6  # words before inner quotation marks, of which one may say that somebody speaks
BEFORE = 60  # characters before a quotation in which somebody may be said to quote another

_TOKEN = re.compile(
    rf"(?i)\b(?:[a-z]\.){{2,}}|\b(?:{'|'.join(sorted(classes('courtesy_titles', 'cut_titles')))})\.(?=\s)|\.\.+"
    r"|can(?=not\b)|\w+?(?=n['’]t\b)|n['’]t\b|['’](?:s|re|m|ve|ll|d)\b|\d+(?:[.,]\d+)+|--+|[\w-]+|[^\w\s]"
)
_NAMED = re.compile(r"\{([a-z_]+)\}")
_QUOTES = " \"“”'‘’`|"  # the last parts what governs from what is governed
_MARKS = frozenset(_QUOTES)
_ENDS = frozenset(".;?!—–")
_ASIDE = re.compile(r" , [^,]{1,80} ,(?= (?:that|to|whether|of)\b|$)")
_INSERTED = re.compile(r" , (?:however|though|too|meanwhile|of course|in turn) ,$")
_SHARED = re.compile(
    r"(?:^| )(?:that|to|whether|if)(?: (?!said|says|but|who|which|that|whether|if)[\w'-]+){1,12}"
    r" (?:and|or)(?: that| to)?$"
)
_ASKS = re.compile(r"(?:(?!\s[\"“‘]\w)[^.;:?]){0,120}\?")  # behind a colon or a mark somebody else asks
_VERB = re.compile(  # what goes on behind "to go and" or "that he": no infinitive
    r"(?:has|had|was|were|is|are|will|would|could|can|did|does|says?|said|left|went|took|gave|came|made|got|told|saw|found"
    r"|kept|held|began|became|brought|bought|ran|spoke|wrote|won|lost|met|paid|sent|sold|stood|knew|led"
    r"|(?!need|feed|proceed|succeed|speed)\w+ed)\b"
)
_SUBJECT = re.compile(r"(?:^| )(?:that|whether|if)(?: (?!who|which|that|and|but)[\w'-]+){1,5}$")
_OWN_CLAUSE = re.compile(  # "refused to pay and | the bank has sued"
    r"(?:he|she|it|they|we|i|you|there) |(?:this|that|the|an?|his|her|their|its|our|my|some|many|most|all|[\w'-]+s)"
    rf"(?: (?!who|which|that|where|whose)[\w'-]+){{0,6}}? {_VERB.pattern}"
)
_RELATIVE = re.compile(
    r"(?:^| )(?:who|which|where|whose|when)$|^an? (?:[\w-]+ ){1,3}that$|^(?:it|this) (?:is|was|'s) that$"
)
_QUOTED = re.compile(r"(?P<opens>“|``|\"(?=\w|$))|”|''|\"")
_SAYS = re.compile(r"(?:even |also |then )?(?:said|says|told) ")
_WHO = re.compile(r"(?:who|which|where|whose|when)\b")
_RESULT = re.compile(r"(?:but|so|yet)\b")
_NEGATED, _UNLESS = re.compile(r"\b(?:not|never|no|nobody|nothing|none)\b"), re.compile(r",? ?(?:without|before)\b")
_MODAL = re.compile(r"\b(?:would|could|might|may|will|'ll)\b")
_WORD = re.compile(r"[\w’']+")
_INNER = re.compile(r"(?<!\w)['‘](?=\w)|[’'](?!\w)")
_READS = frozenset({"read", "reads", "reading", "goes", "went"})  # "the sign read ‘…’"
_QUOTING = re.compile(
    r"(?i)\b(?:quot|cit|paraphras|echo|recit|repeat|borrow)ing\b(?!.*\b(?:and|but) )|\bin the words of\b"
    r"|\b(?:false|wrong|mistaken)ly \w+"
    r"|\breading (?:out )?from\b|\bread (?:out|aloud) (?:from )?(?:a|an|the|his|her|their)\b"
)


class Governor(NamedTuple):
    """How words govern a part of a sentence, and their place in it."""

    kind: ContextKind
    start: int
    end: int


class _Token(NamedTuple):
    form: str
    start: int
    end: int


def plain(text: str, words: Mapping[str, str]) -> str:
    """Return a pattern of a table with its ``words`` for their names, and the forms of a verb for "~"."""
    text = _NAMED.sub(lambda name: words[name[1]], text)
    return text.replace("\n", "").replace("~", "(?:e?s|e?d|e|ing)?")


_TABLE = read_table("bot.commands", "governing.toml")
_WORDS = {name: plain(text, _TABLE["words"]) for name, text in _TABLE["words"].items()}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<= ))(?:{_WORDS[name]})")


@cache
def _rules(name: str) -> list[tuple[ContextKind, re.Pattern[str]]]:
    rules = list[tuple[ContextKind, re.Pattern[str]]]()
    for kind, row in ((kind, row) for kind, rows in _TABLE[name].items() for row in rows):
        then = f"(?: (?:{plain(row['then'], _WORDS)}))*" if "then" in row else ""
        pattern = rf"(?:^|(?<= ))(?:{plain(row['words'], _WORDS)}){then} \|{row.get('part', '')}"
        rules.append((ContextKind(kind), re.compile(pattern)))
    return rules


def governor(sentence: str, start: int, end: int) -> Governor | None:
    """Return what governs the words of ``sentence`` from ``start`` to before ``end``; None where they stand alone."""
    clause = _clause(_tokens(sentence, 0, start))
    part = _text([token for token in _tokens(sentence, start, end) if token.form not in _MARKS])
    text, is_spoken = _INSERTED.sub("", _text(clause)), sentence[:start].rstrip(_QUOTES)[-1:] == ":"
    is_behind_comma = text.endswith(",")
    if found := _match("false", text, part) or (None if is_behind_comma or is_spoken else _left(text, part)):
        kind, first = found
        # shown from the beginning of its clause, where that is near
        begins = max((number + 1 for number in range(first) if clause[number].form == ","), default=0)
        return Governor(kind, clause[begins if first - begins <= SHORT else first].start, start)
    front = None if is_spoken else _in_front(clause, part, is_behind_comma=is_behind_comma)
    # "“If it rains, we lose,” said Ann, who …": what is quoted before governs nothing behind the quotation
    marks = [*_QUOTED.finditer(sentence[front.start : start].rstrip())] if front else []
    if front and not (marks and marks[-1].lastgroup is None):
        return front
    if behind := _right(_tokens(sentence, end, len(sentence)), part):
        return behind
    asks = _ASKS.match(sentence, end) if clause and sentence[:start].rstrip()[-1:] not in _MARKS else None
    return Governor(ContextKind.QUESTIONED, end, asks.end()) if asks else None


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text, start, end):
        form = match[0].lower().replace("’", "'")
        found.append(_Token("not" if form == "n't" else "can" if form == "ca" else form, *match.span()))
    return found


def _clause(tokens: Sequence[_Token]) -> list[_Token]:
    """Return the tokens of the clauses that lead to the last token, without quotation marks."""
    found: list[_Token] = []
    for token in reversed(tokens):
        if token.form in _MARKS or (token.form == ":" and not found):
            continue
        if token.form in _ENDS or token.form == ":" or len(found) > CLAUSE:
            break
        found.append(token)
    return found[::-1]


def _text(tokens: Sequence[_Token]) -> str:
    return " ".join(token.form for token in tokens)


def _left(text: str, part: str) -> tuple[ContextKind, int] | None:
    """Return the kind and the first token of what governs from directly before."""
    for whole in dict.fromkeys(each.strip(" ,") for each in (text, _ASIDE.sub("", text))):
        tried = whole.rsplit(" , ", 1)[-1]  # the last part of the clause, also without an aside before it
        offset = whole[: len(whole) - len(tried)].count(" ")
        if _pattern("stated").search(f"{tried} | {part}"):
            return None
        found = _match("before", tried, part)
        shared = _SHARED.search(tried) or (_VERB.match(part) and _SUBJECT.search(tried))
        if shared and not found:
            head = f"{tried[: shared.start()]} {shared[0].split()[0]}".strip()
            is_own = _VERB.match(part) or _OWN_CLAUSE.match(part)
            goes_on = (head.endswith(" to") and is_own) or _SAYS.match(part)
            is_stated = goes_on or _pattern("stated").search(f"{head} | ")
            found = None if is_stated else _match("before", head, "" if head.endswith(" to") else part)
        if found:
            return found[0], offset + found[1]
    return None


def _match(rules: str, text: str, part: str) -> tuple[ContextKind, int] | None:
    for kind, pattern in _rules(rules):
        match = pattern.search(f"{text} | {part}")
        if match and match[0].strip(" |"):
            return kind, text[: match.start()].count(" ")
    return None


def _in_front(clause: Sequence[_Token], part: str, *, is_behind_comma: bool) -> Governor | None:
    commas = [number for number, token in enumerate(clause) if token.form == ","]
    starts = [0, *(number + 1 for number in commas)]
    parts = [(begin, stop) for begin, stop in zip(starts, [*commas, len(clause)], strict=True) if begin < stop]
    if not parts:
        return None
    begin, stop = parts[-1]
    last = _text(clause[begin:stop])
    if _RELATIVE.search(last) or (not is_behind_comma and _WHO.match(last)):
        return None
    front = _pattern("front")
    is_near = is_behind_comma or stop - begin <= LEAD or front.match(last)
    # "if it rains, we lose, but | we have a roof": the clause in front governs its own consequence
    results = 1 if _RESULT.match(part) else 2 if _RESULT.match(last) else len(parts)
    reached = parts[-results:] if not _MODAL.search(part) else parts
    for first, end in reached if is_near else ():
        governs = front.match(f"{_text(clause[first:end])} | {part}")
        if governs and governs.lastgroup == ContextKind.DOUBTED and is_behind_comma and end - first > 1:
            continue
        if governs and (is_behind_comma or (first, end) != parts[-1] or front.match(last)):
            kind = ContextKind(governs.lastgroup or ContextKind.CONDITIONAL)
            return Governor(kind, clause[first].start, clause[end - 1].end)
    return None


def _right(tokens: Sequence[_Token], part: str) -> Governor | None:
    behind = [token for token in tokens[:BEHIND] if token.form not in _MARKS]
    text = _text(behind)
    match = _pattern("behind").match(text) or (_NEGATED.search(part) and _UNLESS.match(text))
    if match and match[0].strip(" .,—–-"):
        first, last = text[: match.start()].count(" "), match[0].rstrip().count(" ")
        return Governor(ContextKind.LIMITED, behind[first].start, behind[last].end)
    return None


def context_of(archive: Archive, place: Piece) -> QuotationContext | None:
    """Return what turns or limits the words of ``place`` in their own sentence, the next one or a correction."""
    reading, text = place.source.reading, place.source.reading.article.text
    corrects = [passage.sentence.boilerplate is Boilerplate.CORRECTION for passage in reading.passages]
    note = next((index for index in place.source.sentences(place.at, place.at + 1) if corrects[index]), None)
    if note is not None:  # what a note quotes is withdrawn
        return _taken_back(archive, reading.article.id, note + any(corrects[note + 1 : note + 2]))
    indexes = place.source.sentences(place.at, place.end)
    start, end = place.words[0].start, place.words[-1].end
    for index in dict.fromkeys((*indexes[:1], *indexes[-1:]) if place.length >= LEAST else ()):
        span = reading.passages[index].sentence.span
        if found := governor(span.of(text), max(start, span.start) - span.start, min(end, span.end) - span.start):
            words = verbatim.collapse(span.of(text)[found.start : found.end]).strip(" ,:“”\"'‘’`")
            extract = verbatim.extract(archive, reading.article.id, index)
            return QuotationContext(found.kind, words, extract) if extract and words else None
    after = indexes[-1] + 1 if indexes else len(reading.passages)
    if after < len(reading.passages) and _takes_back(text, reading.passages[after - 1], reading.passages[after]):
        return _taken_back(archive, reading.article.id, after)
    return None


def _taken_back(archive: Archive, article_id: str, index: int) -> QuotationContext | None:
    extract = verbatim.extract(archive, article_id, index)
    return QuotationContext(ContextKind.TAKEN_BACK, extract.text, extract) if extract else None


def _takes_back(text: str, passage: Passage, after: Passage) -> bool:
    """Return whether the next sentence, by the same speaker or the outlet, says that *this* is not so."""
    if after.sentence.boilerplate or after.sentence.paragraph > passage.sentence.paragraph + 1:
        return False
    words = after.sentence.span.of(text).lstrip("“\"'‘")
    is_theirs = after.voice is Voice.OUTLET or (after.speaker is not None and after.speaker == passage.speaker)
    names_them = passage.speaker is not None and passage.speaker.split()[-1] in words.split()[:4]
    return (is_theirs or names_them) and _pattern("takes_back").match(words.lower()) is not None


def is_spoken_under(place: Piece, context: QuotationContext) -> bool:
    """Return whether what turns the words is said by their speaker: it is in the same quotation marks."""
    if context.kind in (ContextKind.TAKEN_BACK, ContextKind.LIMITED):
        return context.kind is ContextKind.LIMITED
    text, start = place.source.reading.article.text, place.words[0].start
    around = next((span for span in quoted_spans(text) if span.start <= start < span.end), None)
    if around is None:
        return context.kind is not ContextKind.DENIED and context.kind is not ContextKind.REPORTED
    begin = max(around.start, start - len(context.sentence.text))
    return context.words.split()[-1] in text[begin:start]


def is_by_another_voice(place: Piece) -> bool:
    """Return whether the words stand in inner quotation marks behind a verb of saying, or are said to be quoted."""
    text, start = place.source.reading.article.text, place.words[0].start
    index = place.source.sentences(place.at, place.end)
    span = place.source.reading.passages[index[0]].sentence.span if index else Span(start, start + 1)
    before = text[span.start : start]
    outer = max(before.rfind("“"), before.find('"'), before.rfind("«"))
    if outer >= 0:
        marks = list(_INNER.finditer(text, span.start + outer + 1, start + 1))
        if marks and (marks[-1][0] == "‘" or (marks[-1][0] == "'" and len(marks) % 2)):
            ahead = text[span.start + outer : marks[-1].start()].rstrip()
            last = _WORD.findall(ahead.lower())[-NEAR if ahead.endswith((",", ":")) else -1 :]
            return any(word in _READS or ((verb := VERBS.get(word)) and verb.force is Force.SAYING) for word in last)
    return _QUOTING.search(before[: max(outer, 0)][-BEFORE:]) is not None
