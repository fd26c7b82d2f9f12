"""One sentence's tokens -> the cue by which it tells who speaks, and the phrase that names the speaker."""

from __future__ import annotations

from collections.abc import Callable

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form
from retrieval.model import Kind
from retrieval.press import newsrooms
from retrieval.press.outlets import Outlet
from retrieval.speech import cues
from retrieval.speech.cue_match import BELOW, MAIN, Shape, Source, Speech
from retrieval.speech.galley import Galley
from retrieval.speech.participles import participle
from retrieval.speech.phrases import phrase
from retrieval.speech.reporting import helpers, parts, reporting_verb
from retrieval.speech.statements import claimed, issued
from retrieval.speech.subjects import before

_ROLE = 6  # tokens of a role before a name


def find_speech(galley: Galley, line: range) -> Speech | None:
    """Return what tells best who speaks in the sentence of the tokens ``line``; none where nothing does."""
    best: Speech | None = None
    for i in line:
        word = galley.lower[i]
        if word not in _OPENINGS or galley.quoted[i] or galley.named[i]:
            continue
        for rule in _OPENINGS[word]:
            speech = rule(galley, line, i)
            if speech and (best is None or _outranks(speech, best)):
                best = speech
    return best


def _outranks(speech: Speech, best: Speech) -> bool:
    """Return whether a later cue tells better who speaks: "Lee demands a pier, police said" is police."""
    if speech.observed and not best.observed:
        return True
    return (speech.rank, _frames(speech)) > (best.rank, _frames(best))


def _frames(speech: Speech) -> bool:
    """Return whether a cue can only be the outlet's way to say who told it."""
    verb = VERBS.get(speech.lemma)
    return speech.source is None or speech.rule == "according to" or (verb is not None and verb.force is Force.SAYING)


def _according(galley: Galley, line: range, i: int) -> Speech | None:
    if i + 2 >= line.stop or galley.lower[i + 1] != "to":
        return None
    source = phrase(galley, i + 2, line.stop)
    if source is None or source.head in cues.NEVER_SPEAK:
        return None
    return Speech(source, i, i + 1, MAIN, "according to")


def _colon(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "Ann Lee: “…”" and "Lee: pier is safe"."""
    named = galley.ending.get(i - 1)
    if named is None or named[0] - line.start > _ROLE or i + 1 >= line.stop or named[1].kind is not Kind.PERSON:
        return None
    if any(parts(galley, j) or galley.quoted[j] for j in range(line.start, i)):
        return None
    return Speech(Source(Shape.NAME, named[0], i - 1, galley.lower[i - 1], named[1]), i, i, MAIN, "name and colon")


def _hearsay(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reportedly" and "is believed to"."""
    word = galley.lower[i]
    if word in cues.IMPERSONAL_ADVERBS:
        return Speech(None, i, i, BELOW, "hearsay adverb")
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    if helpers(galley, line, i) & cues.BEING and following in ("to", "that"):
        return Speech(None, i, i, BELOW, "hearsay passive")
    return None


def _reports_say(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reports say that …"."""
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    bare = i == line.start or galley.lower[i - 1] in ("media", "unconfirmed", "some", "local", "according", "to", "but")
    if bare and VERBS.get(following) and i - 1 not in galley.ending:
        return Speech(None, i, i + 1, MAIN, "reports say")
    return None


def _observed(galley: Galley, line: range, i: int) -> Speech | None:
    """Return that reporters saw: "Reporters from …  saw at least 20 …"."""
    source = before(galley, line.start, i)
    if source is None or source.shape is Shape.PRONOUN or helpers(galley, line, i) & cues.BEING:
        return None
    if source.head in newsrooms.STAFF or _newsroom(galley, source) is not None:
        return Speech(source, i, i, MAIN, "reporters saw", observed=True)
    return None


def _newsroom(galley: Galley, source: Source) -> Outlet | None:
    """Return the newsroom that a source is or works for."""
    if source.mention is not None and source.mention.kind is Kind.PERSON:
        return None
    first = source.first - (galley.word(source.first - 1) == "the")
    return galley.press.outlet(galley.words[first : source.last + 1])


def is_outlet(galley: Galley, source: Source) -> bool:
    """Return whether a source is a newspaper, an agency or a broadcaster."""
    if f"{galley.word(source.last - 1)} {galley.lower[source.last]}" in cues.STATE_MEDIA:
        return True
    if source.shape is Shape.PHRASE and source.head in cues.PRESS:
        return True
    outlet = _newsroom(galley, source)
    return outlet is not None and outlet.name is not None and source.shape is Shape.NAME


Rule = Callable[[Galley, range, int], Speech | None]


def _openings() -> dict[str, tuple[Rule, ...]]:
    """Return the rules that a word calls up."""
    found: dict[str, tuple[Rule, ...]] = {
        word: (participle if verb.form is Form.ING else reporting_verb,) for word, verb in VERBS.items()
    }
    for words, rule in (
        (frozenset({"according"}), _according),
        (cues.IMPERSONAL_ADVERBS | cues.IMPERSONAL_PARTICIPLES, _hearsay),
        (frozenset({"reports"}), _reports_say),
        (cues.ISSUING, issued),
        (cues.CLAIMS, claimed),
        (frozenset({":"}), _colon),
        (cues.WITNESSING, _observed),
    ):
        for word in words:
            found[word] = (*found.get(word, ()), rule)
    return found


_OPENINGS = _openings()
