"""The words by which news copy says who speaks (``cues.toml``), and the noun phrase for a speaker with its head.

English syntax is guessed from closed word classes and the names found, never parsed.
"""

from dataclasses import dataclass
from enum import Enum, auto

from retrieval.lexicon.reporting_verbs import NOUNS_TOO, VERBS
from retrieval.lexicon.word_classes import WordSets
from retrieval.model import Kind, Mention, Span
from retrieval.models.source_model import Places
from retrieval.text.tokens import Tokens

cues = WordSets(__package__)

OWNS = frozenset(("'s", "’s", "'", "’"))
_SPEAKER_ENDINGS = ("ists", "ers", "ors", "ians", "ees", "ist", "ian", "ee", "men", "man", "women", "woman", "person")
_SKIPPED = cues.auxiliaries | cues.adverbs | cues.negations
_BEFORE_PHRASE = cues.commas | cues.prepositions | cues.clause_openers | cues.pronouns | cues.adverbs
_BEFORE_PHRASE |= {*VERBS.keys() - NOUNS_TOO, *("and", "but", "or", "to", "of", ":")}
_NO_SUBJECTS = cues.relatives | cues.prepositions | cues.determiners


class Shape(Enum):
    NAME = auto()
    PHRASE = auto()
    PRONOUN = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """Who is said to speak: tokens ``first`` to ``last`` (inclusive), ``head`` its chief word in lower case.

    ``mention`` is there for a name only.
    """

    shape: Shape
    first: int
    last: int
    head: str
    mention: Mention | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """A cue for speech: the tokens ``cue`` to ``last``, with ``source`` as the speaker.

    Without a source it is hearsay ("is believed to"). ``observed`` where the source saw and does not speak.
    ``name`` is where the article names in full whom the source means, ``names`` are all whom it may mean.
    ``sourced`` and ``named`` are the probabilities of either place, ``likely`` is that of its being speech at all.
    ``rule`` found it.
    """

    source: Source | None
    cue: int
    last: int
    rule: str
    observed: bool = False
    name: Span | None = None
    names: Places = ()
    sourced: float = 1.0
    named: float = 0.0
    likely: float = 1.0


def subject_before(tokens: Tokens, low: int, verb: int) -> Source | None:
    """Return the name, the pronoun or the chief word before a verb; a person rather than what is said of them."""
    i = skip_back(tokens, low, verb - 1)
    if i >= low and tokens.lower[i] in ("who", "which"):
        i -= 1 + (tokens.word(i - 1) in cues.commas)
    elif i >= low and tokens.lower[i] in cues.commas:
        i = _before_aside(tokens, low, i)
    return None if i < low or (tokens.quoted[i] and i not in tokens.ending) else source_ending_at(tokens, i)


def source_ending_at(tokens: Tokens, last: int) -> Source | None:
    named, word = tokens.ending.get(last), tokens.lower[last]
    if named:
        return Source(Shape.NAME, named[0], last, word, named[1])
    if word in cues.pronouns:
        return Source(Shape.PRONOUN, last, last, word)
    is_noun = word[0].isalpha() and word not in _NO_SUBJECTS
    return Source(Shape.PHRASE, phrase_start(tokens, last), last, word) if is_noun else None


def phrase_start(tokens: Tokens, last: int) -> int:
    """Return where the noun phrase begins that ends at ``last``: behind a preposition, a conjunction or a verb."""
    first, low = last, tokens.sentences[tokens.sentence_at(last)].start
    while first > low and not (tokens.quoted[first - 1] or tokens.lower[first - 1] in _BEFORE_PHRASE):
        first -= 1
    return first


def _before_aside(tokens: Tokens, low: int, comma: int) -> int:
    """Return the last token of the subject before an aside between commas: "Ann Lee, the mayor, said"."""
    end = comma - 1
    for i in range(comma - 1, low - 1, -1):
        if end in tokens.ending and tokens.ending[end][1].kind is Kind.PERSON:
            break
        is_aside = tokens.word(i + 1) in cues.relatives or not has_verb(tokens, i + 1, end + 1)
        if i > low and tokens.lower[i] in cues.commas and is_aside:
            end = i - 1
    return end


def skip_back(tokens: Tokens, low: int, i: int) -> int:
    """Skip auxiliaries, adverbs and dates backwards from ``i``."""
    while i >= low and not tokens.quoted[i]:
        word = tokens.lower[i]
        is_skipped = word in _SKIPPED or (word.endswith("ly") and word not in cues.nouns_in_ly) or word in cues.times
        is_date = word.isdigit() and tokens.word(i - 1) in cues.months
        is_date = is_date or (word in ("on", "in") and tokens.word(i + 1) in cues.times)
        if i in tokens.ending or not (is_skipped or is_date):
            break
        i -= 1
    return i


def has_verb(tokens: Tokens, low: int, high: int) -> bool:
    return any(
        (word in cues.auxiliaries and word not in OWNS and not tokens.named[i])
        or (word in VERBS and not tokens.named[i] and not _is_noun(tokens, i))
        for i, word in enumerate(tokens.lower[low:high], low)
    )


def _is_noun(tokens: Tokens, i: int) -> bool:
    return tokens.lower[i] in NOUNS_TOO and tokens.word(i - 1) in cues.determiners | cues.prepositions


def names_speaker(head: str) -> bool:
    singulars = {head, head.removesuffix("s"), head.removesuffix("es")}
    return not cues.speakers.isdisjoint(singulars) or head.endswith(_SPEAKER_ENDINGS)


def role_start(tokens: Tokens, low: int, first: int, mention: Mention) -> int:
    """Return where the role before a name begins ("Foreign Minister …")."""
    if mention.role and mention.role.start < mention.span.start:
        return max(low, tokens.within(mention.role).start)
    return first
