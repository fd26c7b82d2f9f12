"""The tokens of sentences -> the cue that shows who speaks in each, and the phrase for the speaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from retrieval.lexicon.reporting_verbs import HEARSAY, VERBS, Force, Form, Verb
from retrieval.model import Kind
from retrieval.press import outlets
from retrieval.press.outlets import Outlet, Press
from retrieval.speech.cues import ASIDE, BELOW, MAIN, Shape, Source, Speech, cues
from retrieval.speech.phrases import OWNS, is_speaker, phrase
from retrieval.speech.reporting import can_speak, helpers, participle, rank_of, reporting_verb, separates
from retrieval.speech.speech_features import beside_quotation, weigh
from retrieval.speech.subjects import phrase_before, subject_before
from retrieval.speech.syntax import Tree, parse_sentences, with_full_phrase
from retrieval.text.tokens import Tokens

_STATE_MEDIA = frozenset(("state television", "state tv", "state media", "state radio", "news agency", "local media"))
_ROLE_TOKENS = 6  # in a role before a name
_STATEMENT_TOKENS = 6  # from "issued" to what is issued
_MAX_ADJECTIVES = 3  # between an owner and the claim

CueRule = Callable[[Tokens, range, int], Speech | None]


def find_speeches(tokens: Tokens, lines: Sequence[range | None], press: Press) -> tuple[Speech | None, ...]:
    """Return the best speech of each sentence, or None; only sentences with a candidate are parsed.

    A line is the range of a sentence's tokens, or None for a sentence to leave out.
    """
    speeches = [[*candidates(tokens, line, press)] if line else [] for line in lines]
    trees = parse_sentences(tokens, [line for line, found in zip(lines, speeches, strict=True) if line and found])
    pairs = zip(lines, speeches, strict=True)
    return tuple(_best(tokens, line, found, next(trees)) if line and found else None for line, found in pairs)


def _best(tokens: Tokens, line: range, found: Sequence[Speech], tree: Tree) -> Speech | None:
    """Return the likely speech that is nearest to the main clause."""
    best: Speech | None = None
    for speech in (with_full_phrase(tokens, tree, each) for each in found):
        if best is None or _priority(tokens, line, tree, speech) > _priority(tokens, line, tree, best):
            best = weigh(tokens, line, speech, tree) or best
    return best


def candidates(tokens: Tokens, line: range, press: Press) -> Iterator[Speech]:
    for i in line:
        if tokens.lower[i] in _CUES and not tokens.quoted[i] and not tokens.named[i]:
            yield from _speeches(tokens, line, i, press)


def _speeches(tokens: Tokens, line: range, i: int, press: Press) -> Iterator[Speech]:
    word = tokens.lower[i]
    for rule in _RULES.get(word, ()):
        if speech := rule(tokens, line, i):
            yield speech
    if word in cues.witnessing_verbs and (seen := _observed(tokens, line, i, press)):
        yield seen


def _priority(tokens: Tokens, line: range, tree: Tree, speech: Speech) -> tuple[int, bool, bool]:
    """Rank a cue: main clause first, acts last; in "Lee demands a pier, police said" it is the police."""
    acts = tree.has_plain_object(speech.cue) and beside_quotation(tokens, line, speech) == "none"
    return speech.rank, not acts, _is_plain_attribution(speech)


def _is_plain_attribution(speech: Speech) -> bool:
    """Return whether a cue can only be an attribution, as "said" and "according to" are."""
    verb = VERBS.get(speech.lemma)
    return speech.source is None or speech.rule == "according to" or (verb is not None and verb.force is Force.SAYING)


def _according(tokens: Tokens, line: range, i: int) -> Speech | None:
    if i + 2 >= line.stop or tokens.lower[i + 1] != "to":
        return None
    source = phrase(tokens, i + 2, line.stop)
    if source is None or source.head in cues.non_speakers or source.head in cues.pointers:
        return None
    if source.first == source.last and tokens.words[source.first] in cues.documents:
        return Speech(None, i, i + 1, MAIN, "according to")  # "according to documents": of an unknown author
    return Speech(source, i, i + 1, MAIN, "according to")


def _colon(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "Ann Lee: “…”" and "Lee: pier is safe"."""
    named = tokens.ending.get(i - 1)
    if named is None or named[0] - line.start > _ROLE_TOKENS or i + 1 >= line.stop or named[1].kind is not Kind.PERSON:
        return None
    if any(separates(tokens, j) or tokens.quoted[j] for j in range(line.start, i)):
        return None
    return Speech(Source(Shape.NAME, named[0], i - 1, tokens.lower[i - 1], named[1]), i, i, MAIN, "name and colon")


def _hearsay(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "reportedly" and "is believed to"."""
    word = tokens.lower[i]
    if word in cues.impersonal_adverbs:
        return Speech(None, i, i, BELOW, "hearsay adverb")
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    if helpers(tokens, line, i) & cues.being and following in ("to", "that"):
        return Speech(None, i, i, BELOW, "hearsay passive")
    return None


def _reports_say(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "reports say that …"."""
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    bare = i == line.start or tokens.lower[i - 1] in ("media", "unconfirmed", "some", "local", "according", "to", "but")
    if bare and VERBS.get(following):
        return Speech(None, i, i + 1, MAIN, "reports say")
    return None


def _observed(tokens: Tokens, line: range, i: int, press: Press) -> Speech | None:
    """Match "Reporters from … saw at least 20 …"."""
    source = subject_before(tokens, line.start, i)
    if source is None or source.shape is Shape.PRONOUN or helpers(tokens, line, i) & cues.being:
        return None
    if source.head in outlets.STAFF or _newsroom(tokens, source, press) is not None:
        return Speech(source, i, i, MAIN, "reporters saw", observed=True)
    return None


def _newsroom(tokens: Tokens, source: Source, press: Press) -> Outlet | None:
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


def _issued(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "issued a statement", "made a fresh plea"."""
    near = range(i + 1, min(i + _STATEMENT_TOKENS, line.stop))
    noun = next((j for j in near if tokens.lower[j] in cues.statement_nouns), None)
    if noun is None or "no" in tokens.lower[i:noun]:
        return None
    if any(separates(tokens, j) or tokens.quoted[j] for j in range(i + 1, noun)):
        return None
    source = subject_before(tokens, line.start, i)
    if source is None or helpers(tokens, line, i) & (cues.being | cues.negations | {"to"}):
        return None
    verb = Verb("issue", Form.PAST, Force.ACT)
    if not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, noun, rank_of(tokens, line, source, verb) or ASIDE, "made a statement")


def _claimed(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "Lee's claim that …" and "claims by the ministry that …"."""
    if tokens.word(i + 1) == "that":
        source = _owner(tokens, line, i)
    elif tokens.word(i + 1) in ("by", "from", "of"):
        source = phrase(tokens, i + 2, line.stop)
        source = source if source and tokens.word(source.last + 1) == "that" else None
    else:
        return None
    if source is None or (source.shape is Shape.PHRASE and not is_speaker(tokens, source)):
        return None
    return Speech(source, i, i, ASIDE, "claim of")


def _owner(tokens: Tokens, line: range, i: int) -> Source | None:
    for j in range(i - 1, max(line.start, i - 2 - _MAX_ADJECTIVES), -1):
        if tokens.quoted[j] or tokens.lower[j] in cues.determiners:
            return None
        if tokens.lower[j] in OWNS:
            return phrase_before(tokens, line.start, j)
    return None


def _rules() -> dict[str, tuple[CueRule, ...]]:
    found: dict[str, tuple[CueRule, ...]] = {
        word: (participle if verb.form is Form.ING else reporting_verb,) for word, verb in VERBS.items()
    }
    for words, rule in (
        (frozenset({"according"}), _according),
        (cues.impersonal_adverbs | cues.impersonal_participles | HEARSAY, _hearsay),
        (frozenset({"reports"}), _reports_say),
        (cues.issuing_verbs, _issued),
        (cues.claim_nouns, _claimed),
        (frozenset({":"}), _colon),
    ):
        for word in words:
            found[word] = (*found.get(word, ()), rule)
    return found


_RULES = _rules()
_CUES = _RULES.keys() | cues.witnessing_verbs
