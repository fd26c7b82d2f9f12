"""The tokens of sentences -> the cue by which each tells who speaks, and the phrase that names the speaker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form, Verb
from retrieval.lexicon.word_classes import classes
from retrieval.model import Kind
from retrieval.press import outlets
from retrieval.press.outlets import Outlet, Press
from retrieval.speech import cues
from retrieval.speech.cues import ASIDE, BELOW, MAIN, Shape, Source, Speech
from retrieval.speech.participles import participle
from retrieval.speech.phrases import OWNS, is_speaker, phrase
from retrieval.speech.reporting import can_speak, helpers, parts, rank_of, reporting_verb
from retrieval.speech.speech_features import beside_quotation, weighed
from retrieval.speech.subjects import before, right_before
from retrieval.speech.syntax import Tree, made_whole, parsed
from retrieval.text.tokens import Tokens

_POINTERS = classes("demonstratives") | {"it"}
_ROLE = 6  # tokens of a role before a name


def find_speeches(tokens: Tokens, lines: Sequence[range | None], press: Press) -> tuple[Speech | None, ...]:
    """Return for each sentence, given by its tokens, what tells best who speaks; none where nothing does.

    Only sentences in which something may tell are parsed.
    """
    held = {i: found for i, line in enumerate(lines) if line and (found := [*candidates(tokens, line, press)])}
    trees = dict(zip(held, parsed(tokens, [line for i in held if (line := lines[i])]), strict=True))
    return tuple(_best(tokens, line, held[i], trees[i]) if line and i in held else None for i, line in enumerate(lines))


def _best(tokens: Tokens, line: range, found: Sequence[Speech], tree: Tree) -> Speech | None:
    """Return the speech of a sentence that is likely and nearest to its main clause."""
    best: Speech | None = None
    for speech in (made_whole(tokens, tree, each) for each in found):
        if best is None or _order(tokens, line, tree, speech) > _order(tokens, line, tree, best):
            best = weighed(tokens, line, speech, tree) or best
    return best


def candidates(tokens: Tokens, line: range, press: Press) -> Iterator[Speech]:
    """Yield what each cue of a sentence may tell, not yet weighed."""
    for i in line:
        if tokens.lower[i] in _CUES and not tokens.quoted[i] and not tokens.named[i]:
            yield from _speeches(tokens, line, i, press)


def _speeches(tokens: Tokens, line: range, i: int, press: Press) -> Iterator[Speech]:
    """Yield what the cue at ``i`` may tell, as each rule for its word has it."""
    word = tokens.lower[i]
    for rule in _RULES.get(word, ()):
        if speech := rule(tokens, line, i):
            yield speech
    if word in cues.WITNESSING and (seen := _observed(tokens, line, i, press)):
        yield seen


def _order(tokens: Tokens, line: range, tree: Tree, speech: Speech) -> tuple[int, bool, bool]:
    """Return how well a cue tells who speaks: the main one, no act; "Lee demands a pier, police said" is police."""
    acts = tree.takes_a_thing(speech.cue) and beside_quotation(tokens, line, speech) == "none"
    return speech.rank, not acts, _frames(speech)


def _frames(speech: Speech) -> bool:
    """Return whether a cue can only be the outlet's way to say who told it."""
    verb = VERBS.get(speech.lemma)
    return speech.source is None or speech.rule == "according to" or (verb is not None and verb.force is Force.SAYING)


def _according(tokens: Tokens, line: range, i: int) -> Speech | None:
    if i + 2 >= line.stop or tokens.lower[i + 1] != "to":
        return None
    source = phrase(tokens, i + 2, line.stop)
    if source is None or source.head in cues.NEVER_SPEAK or source.head in _POINTERS:
        return None
    if source.first == source.last and tokens.words[source.first] in cues.DOCUMENTS:
        return Speech(None, i, i + 1, MAIN, "according to")  # "according to documents": whose is not told
    return Speech(source, i, i + 1, MAIN, "according to")


def _colon(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "Ann Lee: “…”" and "Lee: pier is safe"."""
    named = tokens.ending.get(i - 1)
    if named is None or named[0] - line.start > _ROLE or i + 1 >= line.stop or named[1].kind is not Kind.PERSON:
        return None
    if any(parts(tokens, j) or tokens.quoted[j] for j in range(line.start, i)):
        return None
    return Speech(Source(Shape.NAME, named[0], i - 1, tokens.lower[i - 1], named[1]), i, i, MAIN, "name and colon")


def _hearsay(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reportedly" and "is believed to"."""
    word = tokens.lower[i]
    if word in cues.IMPERSONAL_ADVERBS:
        return Speech(None, i, i, BELOW, "hearsay adverb")
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    if helpers(tokens, line, i) & cues.BEING and following in ("to", "that"):
        return Speech(None, i, i, BELOW, "hearsay passive")
    return None


def _reports_say(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reports say that …"."""
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    bare = i == line.start or tokens.lower[i - 1] in ("media", "unconfirmed", "some", "local", "according", "to", "but")
    if bare and VERBS.get(following):
        return Speech(None, i, i + 1, MAIN, "reports say")
    return None


def _observed(tokens: Tokens, line: range, i: int, press: Press) -> Speech | None:
    """Return that reporters saw: "Reporters from …  saw at least 20 …"."""
    source = before(tokens, line.start, i)
    if source is None or source.shape is Shape.PRONOUN or helpers(tokens, line, i) & cues.BEING:
        return None
    if source.head in outlets.STAFF or _newsroom(tokens, source, press) is not None:
        return Speech(source, i, i, MAIN, "reporters saw", observed=True)
    return None


def _newsroom(tokens: Tokens, source: Source, press: Press) -> Outlet | None:
    """Return the newsroom that a source is or works for."""
    if source.mention is not None and source.mention.kind is Kind.PERSON:
        return None
    first = source.first - (tokens.word(source.first - 1) == "the")
    return press.outlet(tokens.words[first : source.last + 1])


def is_outlet(tokens: Tokens, source: Source, press: Press) -> bool:
    """Return whether a source is a newspaper, an agency or a broadcaster."""
    if f"{tokens.word(source.last - 1)} {tokens.lower[source.last]}" in cues.STATE_MEDIA:
        return True
    if source.shape is Shape.PHRASE and source.head in cues.PRESS:
        return True
    outlet = _newsroom(tokens, source, press)
    return outlet is not None and outlet.name is not None and source.shape is Shape.NAME


Rule = Callable[[Tokens, range, int], Speech | None]


_FAR = 6  # tokens from "issued" to what is issued
_ADJECTIVES = 3  # that may stand between an owner and his claim


def _issued(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "issued a statement", "made a fresh plea"."""
    noun = next((j for j in range(i + 1, min(i + _FAR, line.stop)) if tokens.lower[j] in cues.STATEMENTS), None)
    if (
        noun is None
        or "no" in tokens.lower[i:noun]
        or any(parts(tokens, j) or tokens.quoted[j] for j in range(i + 1, noun))
    ):
        return None
    source = before(tokens, line.start, i)
    if source is None or helpers(tokens, line, i) & (cues.BEING | cues.NEGATIONS | {"to"}):
        return None
    verb = Verb("issue", Form.PAST, Force.ACT)
    if not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, noun, rank_of(tokens, line, source, verb) or ASIDE, "made a statement")


def _claimed(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech in "Lee's claim that …" and "claims by the ministry that …"."""
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
    """Return whose the noun at ``i`` is."""
    for j in range(i - 1, max(line.start, i - 2 - _ADJECTIVES), -1):
        if tokens.quoted[j] or tokens.lower[j] in cues.DETERMINERS:
            return None
        if tokens.lower[j] in OWNS:
            return right_before(tokens, line.start, j)
    return None


def _rules() -> dict[str, tuple[Rule, ...]]:
    """Return the rules that a word calls up."""
    found: dict[str, tuple[Rule, ...]] = {
        word: (participle if verb.form is Form.ING else reporting_verb,) for word, verb in VERBS.items()
    }
    for words, rule in (
        (frozenset({"according"}), _according),
        (cues.IMPERSONAL_ADVERBS | cues.IMPERSONAL_PARTICIPLES, _hearsay),
        (frozenset({"reports"}), _reports_say),
        (cues.ISSUING, _issued),
        (cues.CLAIMS, _claimed),
        (frozenset({":"}), _colon),
    ):
        for word in words:
            found[word] = (*found.get(word, ()), rule)
    return found


_RULES = _rules()
_CUES = _RULES.keys() | cues.WITNESSING
