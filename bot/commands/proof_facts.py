"""The figures and names of a draft beside those of the archive.

A figure, with its noun, is compared with those in the sentences that say nearly the same; of names, other spellings,
other first names and other titles are found.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from rapidfuzz.distance import OSA

import retrieval
from bot import messages, verbatim
from bot.commands.proof_draft import ALIKE, Draft, Statement, Twin
from bot.commands.who import bearers
from bot.model import Finding, FindingKind
from retrieval import Kind, Passage, Reading, Span, bare_name, classes, fold, may_be_one, ordered, sound, term, terms

SAME = 0.75  # likeness of a sentence of the archive with the draft's, from which what it lacks is missing in all
RELATED_FIGURES = 5  # articles in which a figure with its noun may be, where the nearest sentence lacks it
NOUNS = 3  # words behind a figure that may be its noun
FARTHEST = 0.1  # share of a figure by which a round one may be off
ROUND_DIGITS = 2  # that a round figure has at most, such as "about 400"

_SCALES = {"hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9}
_SCALES |= {"bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12, "dozen": 12.0}
_UNITS = {word: float(number) for number, word in enumerate(ordered("units"), 1) if number > 1}  # "one" is a pronoun
_TENS = {word: float(number * 10) for number, word in enumerate(ordered("tens"), 2)}
_ONES = {word: float(number) for number, word in enumerate(ordered("units")[:9], 1)}
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"  # noqa: E501
_WORDED = rf"(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join(_UNITS)})\b|a(?=\s(?:dozen|hundred|thousand|million|billion)\b)"  # noqa: E501
_FIGURE = re.compile(
    rf"(?i)(?<![\w.,:/])(?<![^\W\d_][-‐‑])(?P<currency>[$£€¥]\s?)?"
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<clock>[:.]\d\d(?!\d)(?=\s?[ap]\.?m\b)|:\d\d)?"
    rf"(?:st|nd|rd|th)?|(?P<words>\b(?:{_WORDED})))"
    rf"(?P<scale>(?:[\s-]?(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b)*)"
    rf"(?P<percent>\s?%|[\s-]per\s?cent\b|[\s-]percentage\spoints?\b)?(?![\w/])"
)
_MONTH_BEFORE = re.compile(rf"\b({_MONTH})\.?\s$", re.IGNORECASE)
_MONTH_BEHIND = re.compile(rf"(?:\s|-)({_MONTH})\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?i)\b(?:about|around|almost|nearly|some|roughly|approximately|over|under|up to|at least|at most|close to"
    r"|(?:more|fewer|less) than)\s$"
)
_NOUN = re.compile(r"[\s-]+([^\W\d_][\w’'-]*)")
_LARGEST_AGE = 110


@dataclass(frozen=True, slots=True)
class DraftFigure:
    """A number at its place; ``unit`` is "%", "$", "year", "age", a month or empty, ``nouns`` the words behind it."""

    value: float
    span: Span
    text: str
    unit: str
    nouns: frozenset[str]
    is_rounded: bool

    def is_like(self, other: DraftFigure) -> bool:
        """Return whether the two count the same kind of thing."""
        return self.unit == other.unit and (bool(self.unit) or bool(self.nouns & other.nouns))

    def equals(self, other: DraftFigure) -> bool:
        return self.value == other.value or self._rounds(other) or other._rounds(self)

    def _rounds(self, other: DraftFigure) -> bool:
        """Return whether this is the other in round figures: "about 400", "more than 400" and "nearly 500" for 412."""
        digits = f"{self.value:f}".rstrip("0").rstrip(".").rstrip("0").replace(".", "").lstrip("0")
        may_round = self.is_rounded and not other.is_rounded and self.unit not in {"year", "age", "time"}
        is_near = bool(other.value) and abs(self.value - other.value) <= FARTHEST * other.value
        if not may_round or not is_near or len(digits) > ROUND_DIGITS:
            return False
        step = 10.0 ** (math.floor(math.log10(other.value)) + 1 - len(digits))
        return self.value in {step * math.floor(other.value / step), step * math.ceil(other.value / step)}


@lru_cache(maxsize=8192)
def figures(text: str) -> tuple[DraftFigure, ...]:
    """Return the figures in a sentence, in order."""
    return tuple(_figure(text, match) for match in _FIGURE.finditer(text))


def _figure(text: str, match: re.Match[str]) -> DraftFigure:
    before, behind = text[max(0, match.start() - 24) : match.start()], text[match.end() :]
    nouns: list[re.Match[str]] = []
    while len(nouns) < NOUNS and (noun := _NOUN.match(behind, nouns[-1].end() if nouns else 0)):
        nouns.append(noun)
    is_noun = nouns and not match["percent"] and nouns[0][1].lower() not in retrieval.STOPWORDS
    shown = match[0] + (behind[: nouns[0].end()] if is_noun else "")
    return DraftFigure(
        _value(match),
        Span(match.start(), match.end()),
        verbatim.collapse(shown),
        _unit(match, before, behind),
        frozenset(term for noun in nouns for term in terms(noun[1]) if not term.isdigit()),
        _ABOUT.search(before) is not None,
    )


def _value(match: re.Match[str]) -> float:
    if match["clock"]:
        return float(match["digits"]) * 100 + float(match["clock"][1:])
    if match["digits"]:
        value = float(match["digits"].replace(",", ""))
    else:
        tens, _, ones = match["words"].lower().replace("-", " ").partition(" ")
        value = 1.0 if tens == "a" else _TENS.get(tens, 0.0) + _ONES.get(ones.strip(), 0.0) or _UNITS[tens]
    for scale in re.findall(r"[a-z]+", match["scale"].lower()):
        value *= _SCALES[scale]
    return value


def _unit(match: re.Match[str], before: str, behind: str) -> str:
    if match["clock"]:
        return "time"
    if match["percent"]:
        return "%"
    if match["currency"]:
        return "$"
    month = _MONTH_BEFORE.search(before) or _MONTH_BEHIND.match(behind)
    digits = match["digits"] or ""
    if month and len(digits) <= len("31"):
        return month[1][:3].lower()
    if len(digits) == len("2031") and digits[:2] in {"18", "19", "20"} and not match["scale"]:
        return "year"
    is_between = before.endswith(", ") and behind[:1] in {",", ")", "."}
    return "age" if is_between and digits.isdigit() and float(digits) <= _LARGEST_AGE else ""


def check_figures(draft: Draft) -> Iterator[Finding]:
    """Yield each figure outside quotations that the archive has differently, or not at all."""
    for statement in draft.statements:
        for figure in figures(statement.text) if statement.near else ():
            span = Span(statement.span.start + figure.span.start, statement.span.start + figure.span.end)
            if draft.is_quoted(span) or _is_supported(statement, figure):
                continue
            near, ours = statement.near, [each.value for each in figures(statement.text)]
            differing = ((twin, other) for twin in near for other in figures(twin.text) if other.value not in ours)
            twin, other = next(((twin, other) for twin, other in differing if figure.is_like(other)), (near[0], None))
            if other or near[0].likeness >= SAME:
                what = messages.other_figure(figure.text, other.text) if other else messages.no_figure(figure.text)
                instead = other.span.of(twin.text) if other else ""
                yield from draft.finding(FindingKind.FIGURE, span, what, twin.likeness, twin.place, instead=instead)


def _is_supported(statement: Statement, figure: DraftFigure) -> bool:
    """Return whether a sentence that says nearly the same has the figure, or its article has it with its noun."""
    same = [each for each in figures(statement.text) if each.equals(figure)]
    if any(len(same) <= sum(each.equals(figure) for each in figures(twin.text)) for twin in statement.near):
        return True
    return any(
        # but for dates and times, it must be of the same thing
        each.equals(figure)
        and each.unit == figure.unit
        and (each.unit not in {"", "%", "$"} or each.nouns & figure.nouns)
        for reading in statement.readings(RELATED_FIGURES, ALIKE)
        for passage in reading.passages
        for each in figures(passage.sentence.span.of(reading.article.text))
    )


KINDS = (Kind.PERSON, Kind.ORG, Kind.PLACE)
FAIRLY_LONG, LONG = 5, 8  # letters of a word, from which one slip or two leave no doubt what is meant
BY_FAR = 5  # times as often as in the draft's spelling, for a spelling to be the archive's own
CLOSE = 0.7  # likeness of a sentence of the archive with the draft's, from which a wholly other name is a difference
RELATED_NAMES = 6  # articles whose names a draft's are compared with
ROLES_OF = 20  # articles, the newest, in which somebody's roles are looked up

_OFFICES = classes("offices", "women_in_office", "men_in_office", "ranks", "high_clergy")
_CUT = {"gov": "governor", "sen": "senator", "pres": "president", "gen": "general", "col": "colonel", "capt": "captain"}
_NARROWER = classes("portfolios", "fields_of_state") | frozenset("deputy foreign home prime treasury vice".split())
_CAPITAL = re.compile(r"[^\W\d_][\w’'-]+")

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A name at its place in a sentence; ``words`` without titles, case and accents."""

    text: str
    words: Words
    kind: Kind
    span: Span
    role: Span | None
    place: tuple[str, int]

    def is_within(self, other: Name) -> bool:
        return set(self.words) <= set(other.words)


def check_names(draft: Draft) -> Iterator[Finding]:
    """Yield each name, once, and each role that the archive has otherwise; what is quoted is checked as a quotation."""
    seen: set[Words] = set()
    found: set[Words] = set()
    for statement in draft.statements:
        for name in _names(statement.passage, draft.reading):
            if draft.is_quoted(name.span):
                continue
            otherwise = [] if name.words in seen else [*_otherwise(draft, statement, name)]
            seen.add(name.words)
            if otherwise:
                found.add(name.words)
                yield from otherwise
            elif name.role:
                yield from _other_role(draft, name, name.role)
        yield from _misspelt(draft, statement, found)


def _misspelt(draft: Draft, statement: Statement, known: set[Words]) -> Iterator[Finding]:
    """Yield each word with a capital that no article has, and the closest sentence has spelt nearly so."""
    for match in _CAPITAL.finditer(statement.text) if statement.near else ():
        word, start = match[0], statement.span.start + match.start()
        span = Span(start, start + len(word))
        words = bare_name(word)
        is_open = word[0].isupper() and len(words) == 1 and not any(words[0] in each for each in known)
        if not is_open or draft.is_quoted(span) or not _is_unknown(draft, words, ()):
            continue
        for twin in statement.near:
            theirs = [each[0] for each in _CAPITAL.finditer(twin.text) if each[0][0].isupper()]
            theirs = [each for each in theirs if len(bare_name(each)) == 1 and _slips(words, bare_name(each))]
            if theirs:
                what = messages.other_name(word, theirs[0])
                yield from draft.finding(FindingKind.NAME, span, what, twin.likeness, twin.place, instead=theirs[0])
                known.add(words)
                break


def _names(passage: Passage, reading: Reading) -> Iterator[Name]:
    for mention in passage.mentions:
        text = mention.span.of(reading.article.text)
        words = bare_name(text)
        if words and mention.kind in KINDS:
            place = reading.article.id, passage.sentence.index
            yield Name(text, words, mention.kind, mention.span, mention.role, place)


def names_in(passage: Passage) -> frozenset[str]:
    """Return the last words of the names in a sentence."""
    return frozenset(words[-1] for mention in passage.mentions if (words := bare_name(mention.name)))


def _otherwise(draft: Draft, statement: Statement, name: Name) -> Iterator[Finding]:
    """Yield the finding of a name that is spelt otherwise in the archive, or is another there."""
    related = ((passage, reading) for reading in statement.readings(RELATED_NAMES) for passage in reading.passages)
    known = [each for passage, reading in related for each in _names(passage, reading)]
    if any(name.is_within(each) for each in known):
        return _rare_spelling(draft, name)
    confidence = statement.near[0].likeness if statement.near else 0.0
    other = next(filter(None, (_partly_the_same(draft, statement, name, twin) for twin in statement.near)), None)
    if other is None:
        slips = (each for each in known if _slips(name.words, each.words))
        other = next((each for each in slips if _is_unknown(draft, name.words, each.words)), None)
        confidence = 0.8 if other else confidence
    if other is None and confidence >= CLOSE:
        other = _in_its_place(draft, statement, name)
    if other is None:
        return _slip_of_any(draft, name)
    what = messages.other_name(name.text, other.text)
    return draft.finding(FindingKind.NAME, name.span, what, confidence, other.place, instead=other.text)


def _free(draft: Draft, statement: Statement, twin: Twin) -> list[Name]:
    """Return the names in a sentence of the archive that the draft's has not."""
    ours = list(_names(statement.passage, draft.reading))
    theirs = _names(twin.passage, twin.reading)
    return [each for each in theirs if not any(each.is_within(own) or own.is_within(each) for own in ours)]


def _partly_the_same(draft: Draft, statement: Statement, name: Name, twin: Twin) -> Name | None:
    """Return the name in a sentence that is the draft's but for its spelling, or for its first or last word."""
    for each in _free(draft, statement, twin):
        is_person = name.kind is each.kind is Kind.PERSON and min(len(name.words), len(each.words)) > 1
        shares = is_person and set(name.words) & set(each.words) and not may_be_one(name.text, each.text)
        if shares or _slips(name.words, each.words):
            return each
    return None


def _in_its_place(draft: Draft, statement: Statement, name: Name) -> Name | None:
    """Return the one name of its kind that the closest sentence has in place of the draft's."""
    twin = statement.twins[0]
    theirs = list(_names(twin.passage, twin.reading))
    ours = [own for own in _names(statement.passage, draft.reading) if own.kind is name.kind]
    alone = [own for own in ours if not any(own.is_within(each) for each in theirs)]
    free = [each for each in _free(draft, statement, twin) if each.kind is name.kind]
    return free[0] if alone == [name] and len(free) == 1 else None


def _slips(one: Words, other: Words) -> list[tuple[str, str]]:
    """Return the words in which two names differ only by how they are spelt, in pairs; none where they differ more."""
    length = min(len(one), len(other))
    pairs = [(a, b) for a, b in zip(one[-length:], other[-length:], strict=True) if a != b]
    return pairs if all(_is_slip(a, b) for a, b in pairs) else []


def _is_slip(one: str, other: str) -> bool:
    shortest = min(len(one), len(other))
    if shortest < FAIRLY_LONG:
        return shortest > FAIRLY_LONG - 2 and sound(one) == sound(other)
    most = 2 if shortest >= LONG else 1
    return sound(one) == sound(other) or OSA.distance(one, other, score_cutoff=most) <= most


def _is_unknown(draft: Draft, ours: Words, theirs: Words) -> bool:
    """Return whether no sentence of the archive has the words in which a name differs from another."""
    differing = {term(a) or a for a in ours if a not in theirs}
    counts = draft.archive.vocabulary().frequencies(differing)
    return all(not counts.get(each, 0) for each in differing)


def _slip_of_any(draft: Draft, name: Name) -> Iterator[Finding]:
    """Yield the finding of a full name of which the archive has all words but one, spelt nearly like it."""
    matches = draft.archive.register().find(" ".join(name.words))[:3] if len(name.words) > 1 else ()
    for spelt in (spelt for match in matches for spelt in (match.entity.name, *match.entity.variants)):
        words = bare_name(spelt)
        if words == name.words:
            break
        one_word = len(words) == len(name.words) and bool(set(words) & set(name.words))
        if one_word and _slips(name.words, words) and _is_unknown(draft, name.words, words):
            if found := [*_spelling(draft, name, spelt, 0.7)]:
                return iter(found)
            break
    return _rare_spelling(draft, name)


def _rare_spelling(draft: Draft, name: Name) -> Iterator[Finding]:
    """Yield the finding of a spelling that the archive has far less often than another of the same entity."""
    meant = bearers(draft.archive, name.text)
    entity = meant[0].entity if len(meant) == 1 else None
    if entity is None or entity.kind not in KINDS or not (pairs := _slips(name.words, bare_name(entity.name))):
        return
    counts = draft.archive.vocabulary().frequencies({term(each) or each for pair in pairs for each in pair})
    if all(
        sound(a) == sound(b) and counts.get(term(b) or b, 0) >= BY_FAR * max(1, counts.get(term(a) or a, 0))
        for a, b in pairs
    ):
        yield from _spelling(draft, name, entity.name, 0.9)


def _spelling(draft: Draft, name: Name, spelt: str, confidence: float) -> Iterator[Finding]:
    """Yield the finding of another spelling, with a sentence that has the archive's own."""
    places = retrieval.places_with(draft.archive, {each for word in bare_name(spelt) if (each := term(word))})
    what = messages.other_spelling(name.text, spelt, messages.count(len(places), "sentence"))
    shown = draft.finding(FindingKind.NAME, name.span, what, confidence, *places[-1:], instead=spelt)
    return shown if places else iter(())


def _other_role(draft: Draft, name: Name, role: Span) -> Iterator[Finding]:
    """Yield the finding of an office that the archive does not give to somebody, and gives another."""
    ours = role.of(draft.text)
    meant = bearers(draft.archive, name.text) if _office(ours) else ()
    if len(meant) != 1:
        return
    roles = [
        (mention.role.of(reading.article.text), (reading.article.id, index))
        for reading in islice(draft.archive.readings(meant[0].articles), ROLES_OF)
        for index, passage in enumerate(reading.passages)
        for mention in passage.mentions
        if mention.role and meant[0].is_called(mention.name, mention.kind)
    ]
    office, offices = _office(ours), [_office(theirs) for theirs, _ in roles]
    if any(office <= other or (other and other <= office) for other in offices):  # one says no more than the other
        return
    for (theirs, place), other in zip(roles, offices, strict=True):  # the newest first
        what = messages.other_role(meant[0].entity.name, ours, theirs)
        if other and (found := [*draft.finding(FindingKind.NAME, role, what, 0.75, place, instead=theirs)]):
            yield from found
            return


def _office(role: str) -> frozenset[str]:
    """Return the words by which a role names an office, not where and since when; none for anything else."""
    words = (fold(word).strip(".,’'") for word in role.replace("-", " ").split())
    found = frozenset(_CUT.get(word, word) for word in words)
    return found & _NARROWER | found & _OFFICES if found & _OFFICES else frozenset()
