"""The source model's guesses -> the phrase for the speaker of each sentence, and the cue that shows it."""

from collections.abc import Mapping
from dataclasses import replace

from retrieval.lexicon.reporting_verbs import HEARSAY, VERBS
from retrieval.model import Kind, Span
from retrieval.models.source_model import SourceGuess
from retrieval.names import outlets
from retrieval.names.outlets import Newsroom, Press
from retrieval.speech.cues import (
    OWNS,
    Shape,
    Source,
    Speech,
    cues,
    has_verb,
    phrase_start,
    role_start,
    skip_back,
    source_ending_at,
)
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

LIKELY = 0.2  # the probability of a source from which it helps to find denials and caveats
NAMED = 0.5  # of a name: below it the source's own words count
EVEN = 0.85  # the probability of speech from which somebody may speak
SURE_PLACE = 0.5  # the probability of a place from which it counts against grammar, and against another name
_STATE_MEDIA = frozenset(("state television", "state tv", "state media", "state radio", "news agency", "local media"))
_MAX_TOKENS = 14  # of a phrase for a speaker
_REPORTS = frozenset(("reports", "rumours", "rumors"))  # of nobody in particular
BEFORE_OTHERS = cues.prepositions | {"to", "of"}  # than who speaks: "a lawyer for Lee"
_SHARES = frozenset(("%", "percent"))
_OWNERS = {"his": "he", "her": "she", "its": "it", "their": "they"}
_NO_SPEAKERS = frozenset(("the", "a", "an", "you", "one", "both"))  # by themselves


def find_speeches(layout: Layout, guesses: Mapping[int, SourceGuess], press: Press) -> dict[int, Speech]:
    """Return for each sentence that reports somebody the likely source, which may stand in another sentence."""
    found: dict[int, Speech] = {}
    for i, line in enumerate(layout.tokens.sentences):
        guess = guesses.get(i)
        speech = _guessed(layout, line, guess) if guess else None
        speech = speech or _observed(layout.tokens, line, press) or _hearsay(layout.tokens, line)
        if speech:
            found[i] = speech
    return found


def _guessed(layout: Layout, line: range, guess: SourceGuess) -> Speech | None:
    if guess.speech < EVEN:
        return None
    tokens = layout.tokens
    source = _likely_source(tokens, guess)
    name = guess.name if guess.named >= NAMED else None
    sourced = guess.probability if source else 0.0
    if source is None and name is None:
        return None
    if source and source.shape is Shape.PHRASE and source.head in _REPORTS and source.first == source.last:
        return Speech(None, source.first, source.last, "reports say")
    cue = tokens.within(guess.cue) if guess.cue else range(0)
    if not cue or cue[0] not in line:
        cue = range(source.first, source.last + 1) if source and source.first in line else line
    rule = f"source, {guess.kind.name.lower()}"
    found = Speech(source, cue[0], cue[-1], rule, name=name, names=guess.names)
    return replace(found, sourced=sourced, named=guess.named, likely=guess.speech)


def _likely_source(tokens: Tokens, guess: SourceGuess) -> Source | None:
    """Return whom a guess means, if that is likely."""
    if guess.source is None or guess.probability < LIKELY:
        return None
    span = guess.source
    if guess.cue and span.start < guess.cue.start < span.end:
        span = Span(span.start, guess.cue.start)  # "Lee has said that …"
    source = source_at(tokens, span)
    if source and source.shape is Shape.PRONOUN and tokens.quoted[source.first]:
        return None  # "he" in a quotation is whom its speaker talks about
    return source


def source_at(tokens: Tokens, span: Span) -> Source | None:
    """Return the speaker in a stretch of text: its name or pronoun, or the whole description."""
    own = tokens.within(Span(span.start, max(span.end, span.start + 1)))
    if not any(tokens.words[i][0].isalpha() for i in own):
        return None
    line = tokens.sentences[tokens.sentence_at(own[0])]
    first, last = own[0], min(own[-1], own[0] + _MAX_TOKENS, line.stop - 1)
    if tokens.lower[last] in OWNS and last > first:
        last -= 1  # "Lee's" is whose claim it is
    if tokens.lower[first] in _NO_SPEAKERS and first == last:
        return None
    first = next((i + 2 for i in range(last - 1, first, -1) if tokens.lower[i : i + 2] == ("according", "to")), first)
    if last > first and tokens.lower[last] in cues.pronouns and tokens.lower[last - 1] in cues.commas:
        first = last  # "Lee left at noon, she"
    if tokens.lower[first] in ("who", "which"):
        return source_ending_at(tokens, first - 1 - (tokens.word(first - 1) == ","))
    if first == last or tokens.lower[first + 1] not in ("and", "or"):
        pronoun = _OWNERS.get(tokens.lower[first], tokens.lower[first]) if first == last else tokens.lower[first]
        if pronoun in cues.pronouns:
            is_clause = has_verb(tokens, first + 1, last + 1)  # "he would …" is no source
            return None if is_clause else Source(Shape.PRONOUN, first, first, pronoun)
    return _person(tokens, first, last) or _described(tokens, first, last)


def _described(tokens: Tokens, first: int, last: int) -> Source | None:
    if not _SHARES.isdisjoint(tokens.words[first : last + 1]):
        return None  # "5 percent of voters": the sentence tells it already
    if tokens.lower[first] == "both" and "and" in tokens.lower[first:last]:
        first += 1
    if first == last and tokens.lower[first] in _NO_SPEAKERS:
        return None
    name = tokens.ending.get(last)
    if name and name[0] <= first + (tokens.lower[first] == "the") and name[0] >= first:
        return Source(Shape.NAME, name[0], last, tokens.lower[last], name[1])
    return Source(Shape.PHRASE, first, last, tokens.lower[_head(tokens, first, last)])


def _person(tokens: Tokens, first: int, last: int) -> Source | None:
    """Return the one person in a phrase who is neither an owner ("Lee's lawyer") nor behind a preposition."""
    titled = tokens.opening.get(first + 1) if first == last and tokens.lower[first] in cues.titles else None
    if titled:
        return Source(Shape.NAME, first + 1, titled[0], tokens.lower[titled[0]], titled[1])
    found = []
    for i in range(first, last + 1):
        named = tokens.ending.get(i)
        if named is None or named[1].kind is not Kind.PERSON or named[0] < first:
            continue
        if tokens.word(i + 1) in OWNS and i < last:
            continue
        start = role_start(tokens, first, named[0], named[1])  # "a lawyer for Senator Lee"
        while start > first + 1 and tokens.words[start - 1].islower() and tokens.word(start - 1) not in BEFORE_OTHERS:
            start -= 1  # "an aide to the former minister Lee"
        before = tokens.word(start - 1) if start > first else tokens.word(named[0] - 1)
        if named[0] > first and before in BEFORE_OTHERS:
            continue
        found.append(Source(Shape.NAME, named[0], i, tokens.lower[i], named[1]))
    if len({source.mention.name for source in found if source.mention}) != 1:
        return None
    following = tokens.word(found[0].last + 1)
    is_compound = found[0].last < last and following.isalpha() and following not in cues.commas
    if is_compound and following not in cues.prepositions and following not in ("who", "and"):
        return None  # "Lee spokesman"
    if "and" in tokens.lower[first : found[0].first]:
        return None  # "the mayor and Lee"
    return found[0] if following != "and" or found[0].last == last else None


def _head(tokens: Tokens, first: int, last: int) -> int:
    """Return the chief word: the one before a preposition."""
    for i in range(first + 1, last + 1):
        if tokens.lower[i] in cues.prepositions or tokens.lower[i] in ("of", "to", "who"):
            return i - 1
    return last


def _hearsay(tokens: Tokens, line: range) -> Speech | None:
    """Match "reportedly" and "is believed to"."""
    for i in line:
        word = tokens.lower[i]
        if tokens.quoted[i] or tokens.named[i]:
            continue
        if word in cues.impersonal_adverbs:
            return Speech(None, i, i, "hearsay adverb")
        passive = word in cues.impersonal_participles or word in HEARSAY
        if passive and tokens.word(i + 1) in ("to", "that") and _is_passive(tokens, line, i):
            return Speech(None, i, i, "hearsay passive")
    return None


def _is_passive(tokens: Tokens, line: range, i: int) -> bool:
    while i > line.start and (tokens.lower[i - 1] in cues.adverbs or tokens.lower[i - 1].endswith("ly")):
        i -= 1
    return i > line.start and tokens.lower[i - 1] in cues.being


def _observed(tokens: Tokens, line: range, press: Press) -> Speech | None:
    """Match "Reporters from … saw at least 20 …"."""
    for i in line:
        if tokens.lower[i] in cues.witnessing_verbs and not (tokens.quoted[i] or tokens.named[i]):
            source = None if tokens.word(i - 1) in cues.being else _witness(tokens, line.start, i, press)
            if source:
                return Speech(source, i, i, "reporters saw", observed=True)
    return None


def _witness(tokens: Tokens, low: int, verb: int, press: Press) -> Source | None:
    """Return the reporters, or the newsroom, before a verb."""
    last = skip_back(tokens, low, verb - 1)
    for i in range(last, low - 1, -1):
        if tokens.quoted[i] or tokens.lower[i] in cues.commas or tokens.lower[i] in VERBS:
            return None
        if tokens.lower[i] in outlets.STAFF:
            return Source(Shape.PHRASE, phrase_start(tokens, i), last, tokens.lower[i])
        source = source_ending_at(tokens, i) if i == last else None
        if source and _newsroom(tokens, source, press):
            return source
    return None


def _newsroom(tokens: Tokens, source: Source, press: Press) -> Newsroom | None:
    if source.mention is not None and source.mention.kind is Kind.PERSON:
        return None
    first = source.first - (tokens.word(source.first - 1) == "the")
    return press.outlet(tokens.words[first : source.last + 1])


def is_outlet(tokens: Tokens, source: Source, press: Press) -> bool:
    if f"{tokens.word(source.last - 1)} {tokens.lower[source.last]}" in _STATE_MEDIA:
        return True
    if source.shape is Shape.PHRASE and source.head in cues.media_nouns:
        return True
    outlet = _newsroom(tokens, source, press)
    return outlet is not None and outlet.name is not None and source.shape is Shape.NAME
