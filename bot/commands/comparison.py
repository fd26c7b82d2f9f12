"""A quotation -> what the articles have of it: exact, altered, misattributed, stitched or absent.

The archive proposes articles; the words decide. What may differ without altering a quotation is a ``QuotationLiberty``.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from operator import itemgetter

from rapidfuzz.distance import Indel, LCSseq, Levenshtein

import retrieval
from bot import model, verbatim
from bot.commands.alignment import DOTS, SHORTEST, VISIBLE, ComparedArticle, Piece, Word, code_for, pieces, quote_words
from bot.commands.governing import context_of, is_by_another_voice, is_spoken_under
from bot.model import Agreement, Change, Check, ClaimedSpeaker, Difference, QuotationContext, QuotationLiberty, Verdict
from retrieval import VERBS, Archive, Entity, Kind, Query, Reading, Voice, bare_name, classes, fold, plural, terms

RULES = "2026.15"  # the version of the rules by which quotations are compared: docs/commands.md says what changed
SENTENCES = 40  # that the archive is asked to propose
ARTICLES = 40  # looked through where it has nothing to propose
CHARACTERS = 300_000  # of articles that are looked through, the first whatever its length
PLACES = 3_000  # that are compared with the quotation as wholes
COVERED = 0.85  # share of the words that pieces must have, to have been stitched, or a place with a sentence more
HALF = 0.5  # the same share of a place, below which one sentence more does not make it the quotation
ALIKE = 0.7  # share of the quotation's words that one place must have in order, to be what was altered
MOSTLY = 0.75  # the same share, from which short pieces from elsewhere are chance
LONG_PIECE = 5  # words in a row from elsewhere that are stitched in, even where one place has most of the quotation
AROUND = 0.5  # share of the words around inner quotation marks that a place must have, to be the whole quotation
SHOWN = 3  # matches in a reply
JUDGED = 40  # places of a quotation whose contexts are looked at
FEW = 12  # words of a quotation, up to which it is looked for literally too
FEWEST = 3  # words of a quotation: anything shorter occurs everywhere
OMITTED = 60  # words that an ellipsis may replace
OFFICE_REACH = 6  # words on either side of a surname among which its bearer's office is looked for
REACH = 90  # characters beside a quotation in which an article's own brackets are looked for
REPLACED = 6  # words in square brackets, and the words that they replace

_GAP = re.compile(rf"[\[(]\s*{DOTS}\s*[\])]|{DOTS}|\[(?![^\W\d_]\]\w)[^\[\]]{{0,80}}\]")
# brackets at the end of a quotation, and those of the article there
_ENDS = (re.compile(r"\[([^\[\]]{1,80})\]\W*\Z"), re.compile(r"\A\W*?\[([^\[\]]{1,80})\]"))
_NEGATIONS = classes("denying_words")
_NUMBERS = classes("units", "tens", "round_numbers") | frozenset(map(plural, classes("round_numbers")))
_NUMBERS |= frozenset("trillion half quarter first second third".split())
_REFUSALS = classes("refusing", "unable", "falsehoods")
_TURNS = classes("turning_words") | {form for form, verb in VERBS.items() if verb.lemma in classes("doubting")}
_TURNS_TOGETHER = re.compile(rf"\b(?:{'|'.join(retrieval.ordered('turning_together'))})\b")
# between two quotations: who says them; without the group no other quotation follows, and nothing is read twice
_BESIDE = re.compile(r"[”\"’»](?!\w)[^“”«»\"‘]*([“\"‘«](?=\w))?")
_DIRECTIONS = "\u200e\u200f\u202a\u202c\u2066\u2068\u2069"
_MARKS = re.compile(r"[\"“”„‟«»‹›‘’'‚‛`´]")
_PAIRS = {"“": "”", "«": "»", "‘": "’", '"': '"'}  # marks that open, and those that close
_CLOSING = re.compile(r"[,.;:!?…]{0,3}([”»’\"])(?!\w)")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))
_ASKED_BY = r"\b(?i:asked|questioned|pressed|quizzed) by (?:[a-z’' -]+,? )?(?:[A-Z][\w’'-]+ ){{0,3}}{}(?=,|{})"
_ASKS = r" (?:whether|if|about|how|why|what|when|who|on|in|at|to|that)\b"
_INVISIBLE = str.maketrans(dict.fromkeys(f"\u00ad\u200b\u200c\u200d\u2060\ufeff{_DIRECTIONS}"))
_COURTESIES, _CUT_TITLES = classes("courtesy_titles", "forms_of_address") | {"the", "The"}, classes("cut_titles")
_GENERATIONS = frozenset(("jr", "sr"))  # which tell a father from a son of the same name
_NAMED = (Voice.NAMED, Voice.MEDIA)  # the voices whose speaker is a name


def _claimed(archive: Archive, name: str, piece: Piece) -> ClaimedSpeaker:
    """Return whether the words of ``piece`` are said by ``name``, who is claimed to.

    Wrong if any sentence of it is another's, open where nobody is named.
    """
    reading, register, ours = piece.source.reading, archive.register(), bare_name(name)
    passages = [reading.passages[index] for index in piece.source.sentences(piece.at, piece.end)]
    meant, outlet = register.meant(name), reading.article.source
    is_name = name[:1].isupper() and name.rsplit(maxsplit=1)[-1][0].isupper()  # "Brandt's deputy" is a role
    if outlet and all(p.voice is Voice.OUTLET for p in passages) and bare_name(outlet) == ours:
        return ClaimedSpeaker(name, Agreement.RIGHT, outlet)
    found: list[ClaimedSpeaker] = []
    for passage in passages:
        sentence, speaker = passage.sentence.span.of(reading.article.text), passage.speaker
        last = speaker.rsplit(maxsplit=1)[-1] if speaker else ""
        # "Questioned by Ann Lee, the pilot said": she stands in the sentence once, as who asks
        is_asking = sentence.count(last) == 1 and re.search(_ASKED_BY.format(re.escape(last), _ASKS), sentence)
        if not speaker or is_asking:
            continue
        agreement, theirs = Agreement.WRONG, bare_name(speaker)
        if _is_called(name, speaker, meant, is_name=is_name):
            son, other_son = (_GENERATIONS.intersection(retrieval.titleless(each)) for each in (name, speaker))
            agreement = Agreement.RIGHT if len(ours) == 1 or son == other_son else Agreement.UNKNOWN
        # a surname alone, or a body for its members, leaves it open
        elif (
            not (is_name and passage.voice in _NAMED and ours and theirs)
            or (1 in (len(ours), len(theirs)) and retrieval.may_be_one(name, speaker))
            or (meant and meant == register.meant(speaker))
        ):
            agreement = Agreement.UNKNOWN
        found.append(ClaimedSpeaker(name, agreement, speaker))
    order = (Agreement.WRONG, Agreement.RIGHT, Agreement.UNKNOWN)
    nobody = ClaimedSpeaker(name, Agreement.UNKNOWN)
    return min(found, key=lambda each: order.index(each.agreement), default=nobody)


def _is_called(name: str, speaker: str, meant: Entity | None, *, is_name: bool) -> bool:
    ours, theirs, wanted = bare_name(name), bare_name(speaker), {*terms(name)}
    # "May" and "him" have no term, and nothing is described by none; of "Min-in" and "Will" some words have none
    is_within = wanted <= {*terms(speaker)} and (not is_name or {*ours} <= {*theirs})
    if wanted and (is_within or ours == theirs):
        return True
    spellings = map(fold, (meant.name, *meant.variants)) if meant else ()
    if meant and fold(speaker) in spellings and (len(theirs) >= len(ours) or meant.kind is not Kind.PERSON):
        return True
    return len(ours) > 1 < len(theirs) and retrieval.may_be_one(name, speaker)


def _other_offices(name: str, text: str) -> Iterator[str]:
    """Yield the words of an office before a name ("Senator Ann Lee") that a text has with nobody of that surname."""
    typed, words = name.split(), re.findall(r"\w+", text.lower())
    (*_, surname) = re.findall(r"\w+", next((word.lower() for word in reversed(typed) if bare_name(word)), "")) or [""]
    beside = [slice(max(0, at - OFFICE_REACH), at + 1 + OFFICE_REACH) for at, w in enumerate(words) if w == surname]
    near = {word for place in beside for word in words[place]} - {surname}
    for at, word in enumerate(typed):
        title = word.strip(".")
        behind, whole = (retrieval.titleless(" ".join(typed[start:])) for start in (at + 1, at))
        if behind != whole and title not in _CUT_TITLES:
            return
        if title not in _COURTESIES and not any(other.startswith(title[:3].lower()) for other in near):
            yield word


@dataclass(frozen=True)
class Quoted:
    """Words to compare, with who is claimed to have said them and the pasted words that are not compared."""

    text: str
    speaker: str | None = None
    not_compared: tuple[str, ...] = ()

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return quote_words(self.text)

    @cached_property
    def gaps(self) -> tuple[re.Match[str], ...]:
        return tuple(_GAP.finditer(self.text))

    @cached_property
    def runs(self) -> tuple[tuple[Word, ...], ...]:
        """The words before, between and behind its gaps; without those at the ends, where there are none."""
        begins, ends = [0, *(gap.end() for gap in self.gaps)], [*(gap.start() for gap in self.gaps), len(self.text)]
        each = zip(begins, ends, strict=True)
        runs = [tuple(word for word in self.words if begin <= word.start < end) for begin, end in each]
        used = [number for number, run in enumerate(runs) if run] or [0]
        return tuple(runs[used[0] : used[-1] + 1])


@dataclass(frozen=True, slots=True)
class QuotationPlace:
    """The place of a quotation, but for some freedoms; ``left_out`` counts words that an ellipsis replaces."""

    piece: Piece
    freedoms: frozenset[QuotationLiberty]
    difference: Difference
    left_out: int = 0


class Comparison:
    """One quotation compared with the articles that may have it."""

    def __init__(self, archive: Archive, quoted: Quoted, proposed: int = SENTENCES) -> None:
        """``proposed`` is how many sentences the archive is asked for."""
        self._archive = archive
        self._quoted = quoted
        self._code = code_for(quoted.words)
        self._coded = self._code(quoted.words)
        readings = _readings(archive, quoted.text, proposed)
        self._sources = tuple(ComparedArticle(reading, self._code) for reading in readings)

    def exact(self) -> Check | None:
        """Return the check of a quotation that an article has, but for freedoms."""
        places = self._occurrences()
        if not places and len(self._quoted.words) <= FEW:  # of which the archive finds many sentences more alike
            known = {source.reading.article.id for source in self._sources}
            new = [each for each in _literally(self._archive, self._quoted.text) if each not in known]
            readings = (verbatim.reading(self._archive, article_id) for article_id in new)
            self._sources += tuple(ComparedArticle(reading, self._code) for reading in readings if reading)
            places = self._occurrences()
        if not places:
            return None
        places.sort(key=lambda place: len(place.freedoms))
        judged = [(place, context_of(self._archive, place.piece)) for place in places[:JUDGED]]
        claimed = None
        if self._quoted.speaker:
            spoken = [self._spoken(place.piece, context) for place, context in judged]
            # one place with the speaker is enough; without, one that names somebody else
            wanted = (Agreement.RIGHT, Agreement.WRONG, Agreement.UNKNOWN)
            claimed = min(spoken, key=lambda each: wanted.index(each.agreement))
            judged = [pair for pair, each in zip(judged, spoken, strict=True) if each.agreement is claimed.agreement]
        turned = [(place, context) for place, context in judged if context]
        plain = [place for place, context in judged if not context]
        is_theirs = claimed is not None and claimed.agreement is Agreement.RIGHT
        context = turned[0][1] if turned and not (plain and is_theirs) else None
        if context:
            shown = [turned[0][0], *plain[:1], *(place for place, _ in turned[1:])]
        else:
            shown = [place for place in plain if len(place.freedoms) == len(plain[0].freedoms)]
        first, verdict = shown[0], Verdict.OUT_OF_CONTEXT if context else Verdict.EXACT
        check = self._check(verdict, [(place.piece, place.difference) for place in shown[:SHOWN]], claimed)
        theirs = first.piece.source.reading.article.text
        theirs = theirs[max(0, first.piece.words[0].start - 1) : first.piece.words[-1].end + 1]
        is_directed = any(mark in self._quoted.text and mark not in theirs for mark in _DIRECTIONS)
        taken = first.freedoms | ({QuotationLiberty.DIRECTION} if is_directed else set())
        freedoms = tuple(freedom for freedom in QuotationLiberty if freedom in taken)
        return replace(check, freedoms=freedoms, left_out=first.left_out, context=context)

    def _spoken(self, place: Piece, context: QuotationContext | None) -> ClaimedSpeaker:
        """Return whether the claimed speaker says the words there; open where the article says that nobody did."""
        claimed = _claimed(self._archive, self._quoted.speaker or "", place)
        is_open = is_by_another_voice(place) or (context is not None and not is_spoken_under(place, context))
        if claimed.agreement is Agreement.RIGHT and is_open:
            return ClaimedSpeaker(claimed.name, Agreement.UNKNOWN)
        return claimed

    def _occurrences(self) -> list[QuotationPlace]:
        """Return where all words are in a row, else where an ellipsis or square brackets replace some of the place."""
        quoted, found = self._quoted, list[QuotationPlace]()
        certain = [word for run in quoted.runs for word in run]
        sources = [source for source in self._sources if source.may_have(certain)]
        for source in sources:
            for piece in (Piece(source, 0, at, len(self._coded)) for at in source.places(self._coded)):
                if all(map(Word.is_like, quoted.words, piece.words)):
                    same = ((Change.SAME, _words(source.reading.article.text, piece.words)),)
                    found.append(QuotationPlace(piece, frozenset(_freedoms(quoted.text, quoted.words, piece)), same))
        own = [quote_words(gap[0]) for gap in quoted.gaps]
        is_free = any(len(words) > REPLACED or any(map(alters, words)) for words in own)
        if found or not own or is_free or len(certain) < FEWEST:
            return found
        first = self._code(quoted.runs[0])
        with_gaps = (_from(quoted, source, at) for source in sources for at in source.places(first))
        return [place for place in with_gaps if place]

    def other(self) -> Check:
        """Return the check of a quotation that no article has unchanged."""
        place, share = self._most_alike()
        if stitched := self._stitched(LONG_PIECE if share >= MOSTLY else SHORTEST):
            return stitched
        if ALIKE > share >= HALF:
            longer, its_share = self._most_alike(more=1)
            place, share = (longer, its_share) if its_share >= COVERED else (place, share)
        if place is None or share < ALIKE:
            return self._check(Verdict.ABSENT, ())
        return self._differing(Verdict.ALTERED, (self._trimmed(place),))

    def has_around(self, inner: Sequence[tuple[int, int]]) -> bool:
        """Return whether the best place has the words outside these stretches of the quotation too."""
        place, share = self._most_alike()
        words = enumerate(self._quoted.words)
        outside = [at for at, word in words if not any(start <= word.start < end for start, end in inner)]
        if place is None or share < ALIKE or not outside:
            return False
        blocks = Indel.opcodes(place.coded, self._coded)
        same = {n for op in blocks if op.tag == "equal" for n in range(op.dest_start, op.dest_end)}
        return len(same.intersection(outside)) >= AROUND * len(outside)

    def longest_run(self) -> str:
        """Return the longest run of the words that an article has in a row; "" where there is none."""
        found = max(pieces(self._coded, self._sources), key=lambda piece: piece.length, default=None)
        if found is None:
            return ""
        words = self._quoted.words[found.start : found.start + found.length]
        return self._quoted.text[words[0].start : words[-1].end]

    def _differing(self, verdict: Verdict, places: Sequence[Piece]) -> Check:
        """Return the check of a quotation with other words; the first place of another's than the claimed decides."""
        claimed = None
        if self._quoted.speaker:
            spoken = [_claimed(self._archive, self._quoted.speaker, place) for place in places]
            claimed = max(spoken, key=lambda each: list(Agreement).index(each.agreement))
        return self._check(verdict, [(place, _difference(self._quoted, place)) for place in places], claimed)

    def _check(
        self, verdict: Verdict, places: Sequence[tuple[Piece, Difference]], claimed: ClaimedSpeaker | None = None
    ) -> Check:
        quoted = self._quoted
        if quoted.speaker and not claimed:
            claimed = ClaimedSpeaker(quoted.speaker, Agreement.UNKNOWN)
        if claimed and claimed.agreement is Agreement.WRONG:
            verdict = Verdict.MISATTRIBUTED
        left = quoted.not_compared
        if claimed and claimed.agreement is Agreement.RIGHT and places:
            left += tuple(_other_offices(claimed.name, places[0][0].source.reading.article.text))
        if verdict is Verdict.EXACT and left:
            verdict = Verdict.PARTIAL
        # the sentences of each place, each with what the quotation made of the place's words
        shown = (
            (verbatim.extract(self._archive, place.source.reading.article.id, index), difference)
            for place, difference in places
            for index in place.source.sentences(place.at, place.end)
        )
        matches = tuple(islice((model.Match(extract, difference) for extract, difference in shown if extract), SHOWN))
        return Check(verdict, quoted.text, matches, left, claimed)

    def _stitched(self, least: int) -> Check | None:
        """Return the check of a quotation that is put together from pieces of at least two places."""
        places: list[list[Piece]] = []
        for piece in pieces(self._coded, self._sources):
            if places and piece.continues(places[-1][-1]):
                places[-1].append(piece)
            else:
                places.append([piece])
        places = [place for place in places if max(piece.length for piece in place) >= min(least, len(self._coded))]
        covered = sum(piece.length for place in places for piece in place)
        if len(places) < 2 or covered < COVERED * len(self._coded):  # noqa: PLR2004 - stitching takes two
            return None
        return self._differing(Verdict.STITCHED, [place[0] for place in places])

    def _most_alike(self, more: int = 0) -> tuple[Piece | None, float]:
        """Return the place most like the quotation, with ``more`` sentences, and the share that it has in order."""
        every = (place for source in self._sources for place in _places(source, len(self._coded), more))
        # the words that it shares with the quotation, in order
        places = [(LCSseq.similarity(self._coded, place.coded), place) for place in islice(every, PLACES)]
        # of equals the shortest, then the first
        shared, best = max(places, key=lambda found: (found[0], -found[1].length), default=(0, None))
        return best, shared / len(self._coded)

    def _trimmed(self, place: Piece) -> Piece:
        """Return a place without what is before and behind the quotation's words, and those that they replace."""
        source = place.source
        same = [block for block in Indel.opcodes(place.coded, self._coded) if block.tag == "equal"]
        start, end = place.at + same[0].src_start, place.at + same[-1].src_end
        indexes = source.sentences(start, end)
        if not indexes:  # of words that belong to no sentence
            return Piece(source, 0, start, end - start)
        at = max(source.starts[indexes[0]], start - same[0].dest_start)
        end = min(source.starts[indexes[-1] + 1], end + len(self._coded) - same[-1].dest_end)
        return Piece(source, 0, at, end - at)


def searched(archive: Archive) -> model.Searched:
    outlets = archive.outlets()
    return model.Searched(sum(outlet.articles for outlet in outlets), sum(bool(outlet.source) for outlet in outlets))


def is_too_short(text: str) -> bool:
    return len(quote_words(text)) < FEWEST


def compare(archive: Archive, quoted: Quoted, proposed: int = SENTENCES) -> Check:
    """Return what the articles have of a quotation of at least ``FEWEST`` words."""
    comparison = Comparison(archive, quoted, proposed)
    return comparison.exact() or comparison.other()


def _readings(archive: Archive, quote: str, proposed: int) -> Iterator[Reading]:
    """Yield the articles of the sentences most like the quotation, as many as can be looked through at once."""
    query = Query(terms=tuple((term, 1.0) for term in dict.fromkeys(terms(quote))))
    found = dict.fromkeys(hit.article_id for hit in archive.search(query, proposed))
    room = CHARACTERS
    for article_id in found or _literally(archive, quote):
        reading = verbatim.reading(archive, article_id)  # of a damaged one there is none; the log says so
        if reading and (room == CHARACTERS or len(reading.article.text) <= room):
            room -= len(reading.article.text)
            yield reading


def _literally(archive: Archive, quote: str) -> tuple[str, ...]:
    """Return the articles that contain the quotation literally, except its first word: it has no word to search for."""
    words = quote_words(quote)
    bare = quote[words[0].start + 1 : words[-1].end]
    listed = archive.listed(quoting={bare, bare.replace("'", "’"), bare.replace("’", "'")})
    return tuple(article.id for article in listed[:ARTICLES])


def _freedoms(text: str, words: Sequence[Word], piece: Piece) -> Iterator[QuotationLiberty]:
    """Yield how a quotation differs from a place that has the same words."""
    article = piece.source.text
    if any(ours.cased != theirs.cased for ours, theirs in zip(words, piece.words, strict=True)):
        yield QuotationLiberty.CAPITAL
    for one, other in zip(_between(text, words), _between(article, piece.words), strict=True):
        if one == other:
            continue
        ours, theirs = (re.sub(DOTS, "…", "".join(each.translate(_DASHES).split())) for each in (one, other))
        if ours == theirs:
            yield QuotationLiberty.SPACES
        elif _MARKS.sub("", ours) != _MARKS.sub("", theirs):
            yield QuotationLiberty.PUNCTUATION
        elif _MARKS.sub("'", ours) != _MARKS.sub("'", theirs):
            yield QuotationLiberty.QUOTATION_MARKS


def _between(text: str, words: Sequence[Word]) -> Iterator[str]:
    between = (text[one.end : other.start].translate(_INVISIBLE) for one, other in pairwise(words))
    return (re.sub(r"\s+", " ", each) for each in between)


def _from(quoted: Quoted, source: ComparedArticle, at: int) -> QuotationPlace | None:
    """Return the place of the runs of a quotation, the first of them at ``at``, each as near as it may be."""
    runs, text = quoted.runs, source.reading.article.text
    between = (gap for gap in quoted.gaps if runs[0][-1].end <= gap.start() and gap.end() <= runs[-1][0].start)
    runs_there, freedoms = list[tuple[Change, Sequence[Word] | str]](), set[QuotationLiberty]()
    end, left_out = at, 0
    for run, gap in zip(runs, (None, *between), strict=True):
        start = at
        if gap:
            is_bracket = quote_words(gap[0]) != ()
            start = source.coded.find(source.code(run), end, end + (REPLACED if is_bracket else OMITTED) + len(run))
            removed = source.words[end:start]
            if start < 0 or not (_may_replace(gap, removed, text) if is_bracket else _may_omit(source, end, start)):
                return None
            left_out += 0 if is_bracket else len(removed)
            runs_there += [(Change.REMOVED, removed)] if removed else []
            runs_there += [(Change.ADDED, gap[0])] if is_bracket else []
            without = QuotationLiberty.OMISSION if removed else QuotationLiberty.PUNCTUATION
            freedoms.add(QuotationLiberty.BRACKETS if is_bracket else without)
        end = start + len(run)
        if not all(map(Word.is_like, run, source.words[start:end])):
            return None
        freedoms |= {*_freedoms(quoted.text, run, Piece(source, 0, start, len(run)))}
        runs_there.append((Change.SAME, source.words[start:end]))
    outside = (text[: source.words[at].start][-REACH:], text[source.words[end - 1].end :][:REACH])
    beside = (quoted.text[: runs[0][0].start], quoted.text[runs[-1][-1].end :])
    for pattern, theirs, ours in zip(_ENDS, outside, beside, strict=True):
        one, other = pattern.search(ours), pattern.search(theirs)
        if one and other and [w.form for w in quote_words(one[1])] != [w.form for w in quote_words(other[1])]:
            return None
    difference = tuple(
        (change, run if isinstance(run, str) else _words(text, run, source.words[at:end])) for change, run in runs_there
    )
    return QuotationPlace(Piece(source, 0, at, end - at), frozenset(freedoms), difference, left_out)


def _may_replace(gap: re.Match[str], removed: Sequence[Word], text: str) -> bool:
    """Return whether brackets may replace these words: no figure, negation, refusal, other name, or own brackets."""
    if any(map(alters, removed)) or any("[" in text[word.start - 1 : word.start] for word in removed):
        return False
    ours = {word.form for word in quote_words(gap[0]) if word.cased[0].isupper()}
    names = (word for word in removed if not word.opens)
    theirs = {word.form for word in names if word.cased[0].isupper()}
    return not (ours and theirs) or bool(ours & theirs)


def _may_omit(source: ComparedArticle, start: int, end: int) -> bool:
    """Return whether an ellipsis may replace words: one speaker's, which neither turn what goes on nor inform."""
    removed, indexes = source.words[start:end], source.sentences(start - 1, end + 1)
    if not removed or not indexes:
        return not removed
    passages = source.reading.passages[indexes[0] : indexes[-1] + 1]
    behind, before = source.starts[indexes[0] + 1], source.starts[indexes[-1]]
    if any(map(_is_negation, removed)) or _turns(source.words[start : min(behind, end)]):
        return False
    if len(passages) > 1:
        speakers = {passage.speaker for passage in passages if passage.speaker}
        return len(speakers) <= 1 and not _turns(source.words[max(before, start) : end])
    asides = _BESIDE.finditer(source.reading.article.text, source.words[start - 1].end, source.words[end].start)
    told = set(removed)
    for aside in filter(itemgetter(1), asides):
        said = [word for word in removed if aside.start() <= word.start < aside.end()]
        told -= {*said} if any(word.form in VERBS for word in said) else set()
    names = [mention.span for mention in passages[0].mentions]
    named = (any(name.start <= word.start < name.end for name in names) for word in told)
    capitals = (word.cased[0].isupper() and not word.opens and word.form.split("'")[0] != "i" for word in told)
    return not (any(map(_is_figure, told)) or any(capitals) or any(named))


def _turns(words: Sequence[Word]) -> bool:
    """Return whether words turn what the rest of their sentence says, or say that it may not be so."""
    forms = [word.form for word in words]
    return not _TURNS.isdisjoint(forms) or _TURNS_TOGETHER.search(" ".join(forms)) is not None


def alters(word: Word) -> bool:
    return _is_figure(word) or _is_negation(word) or word.form in _REFUSALS


def _is_figure(word: Word) -> bool:
    return word.form in _NUMBERS or any(map(str.isdigit, word.form))


def _is_negation(word: Word) -> bool:
    return word.form in _NEGATIONS or word.form.endswith("n't")


def _places(source: ComparedArticle, length: int, more: int) -> Iterator[Piece]:
    """Yield each run of whole sentences that just holds ``length`` words, with ``more`` sentences behind it."""
    starts = source.starts
    for number, first in enumerate(starts[:-1]):
        last = starts[min(bisect_left(starts, first + length, number + 1) + more, len(starts) - 1)]
        if last > first:
            yield Piece(source, 0, first, last - first)


def _difference(quoted: Quoted, place: Piece) -> Difference:
    """Return the changes from a place to the quotation, word by word; words beyond its ends are left out."""
    there, ours = place.words, quoted.words
    # a capital at the start of either does not count
    free = {word.form for word in (*there, *ours) if word.opens}
    steps = Levenshtein.opcodes(*([w.form if w.form in free else w.cased for w in words] for words in (there, ours)))
    changes: list[tuple[Change, str]] = []
    for step in steps:
        old = _words(place.source.reading.article.text, there[step.src_start : step.src_end], there)
        new = _words(quoted.text, ours[step.dest_start : step.dest_end], ours).translate(VISIBLE)
        if step.tag == "equal":
            changes.append((Change.SAME, old))
        else:
            changes += [(change, words) for change, words in ((Change.REMOVED, old), (Change.ADDED, new)) if words]
    if changes[0][0] is Change.REMOVED and changes[1:] and changes[1][0] is Change.SAME:
        del changes[0]
    if changes[-1][0] is Change.REMOVED:  # what is replaced is before what replaces it
        del changes[-1]
    return tuple(changes)


def _words(text: str, words: Sequence[Word], place: Sequence[Word] = ()) -> str:
    """Return words of a place literally, with the square brackets around them and its own quotation marks."""
    if not words:
        return ""
    start, end = words[0].start, words[-1].end
    opened, closed = text.rfind("[", 0, start), text.find("]", end)
    if "]" in text[start:end].split("[", maxsplit=1)[0] or (opened == start - 1 and closed == end):
        start = opened if opened > text.rfind("]", 0, start) else start
    if "[" in text[start:end].rsplit("]", maxsplit=1)[-1]:
        end = closed + 1 if closed >= 0 and "[" not in text[end:closed] else end
    first, last = _with_marks(text, place or words)
    while first < start and text[start - 1] in _PAIRS:
        start -= 1
    while closing := _CLOSING.match(text, end, max(end, last)):
        end = closing.end()
    return verbatim.collapse(text[start:end])


def _with_marks(text: str, place: Sequence[Word]) -> tuple[int, int]:
    """Return where a place begins and ends: with each mark at its edge whose other is within it."""
    start, end = place[0].start, place[-1].end
    while (closing := _CLOSING.match(text, end)) and _surplus(text[start:end], closing[1]) < 0:
        end = closing.end()
    while start and (pair := _PAIRS.get(text[start - 1])) and _surplus(text[start:end], pair) > 0:
        start -= 1
    return start, end


def _surplus(text: str, closing: str) -> int:
    """Return how many closing marks a text has more than those that open; of straight ones, -1 or 1 if one is alone."""
    if closing == '"':
        return text.count(closing) % 2 * (-1 if text.rpartition(closing)[2][:1].isalnum() else 1)
    opening = next(one for one, other in _PAIRS.items() if other == closing)
    return len(re.findall(rf"{closing}(?!\w)", text)) - text.count(opening)
