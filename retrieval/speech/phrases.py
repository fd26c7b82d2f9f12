"""A place in the tokens -> the noun phrase that begins or ends there, and its head.

English syntax is guessed from closed word classes and the names found, never parsed.
"""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import NOUNS_TOO, VERBS
from retrieval.model import Kind, Mention
from retrieval.speech.cues import Shape, Source, cues
from retrieval.text.tokens import GLUE, Tokens

# After these a word in -ed is no verb: "the armed men", "a US-backed group".
_BEFORE_ADJECTIVES = cues.determiners | cues.prepositions | cues.adverbs | {GLUE, "'s", "’s"}

OWNS = frozenset(("'s", "’s", "'", "’"))
_PHRASE_STOPS = cues.commas | cues.clause_openers | cues.pronouns | {":", ".", "!", "?", "to"}
_SPEAKER_ENDINGS = ("ists", "ers", "ors", "ians", "ees", "ist", "ian", "ee", "men", "man", "women", "woman", "person")
# No noun phrase begins with these.
_NO_PHRASE = cues.prepositions | cues.negations | cues.auxiliaries


def phrase(tokens: Tokens, first: int, high: int) -> Source | None:
    """Return the noun phrase that begins at ``first`` and ends before ``high``."""
    end = first
    if first < high and tokens.lower[first] in _NO_PHRASE:
        return None
    while end < high and not ends_phrase(tokens, end) and not _leaves(tokens, first, end):
        end += 1
    if end == first:
        return None
    core = end - 1
    named = _first_person(tokens, first, core) or _last_name(tokens, first, core)
    if named and (named[1].kind is Kind.PERSON or named[2] == core):
        return Source(Shape.NAME, named[0], named[2], tokens.lower[named[2]], named[1])
    if end < high - 1 and tokens.lower[end] == ",":
        apposed = _apposition(tokens, end + 1, high)
        if apposed:
            return apposed
    if not tokens.words[core][0].isalpha():
        return None
    return Source(Shape.PHRASE, first, _with_tail(tokens, end, high), tokens.lower[core])


def _leaves(tokens: Tokens, first: int, i: int) -> bool:
    word = tokens.lower[i]
    return i > first and (
        _is_preposition(tokens, i)
        or word in cues.adverbs
        or (word in cues.times and i not in tokens.opening)
        or is_participle(tokens, i)
    )


def _is_preposition(tokens: Tokens, i: int) -> bool:
    """Look at capitals: "Under Secretary" is an office."""
    return tokens.words[i] in cues.prepositions


def is_participle(tokens: Tokens, i: int) -> bool:
    """Return whether a word in -ed or -ing follows its noun ("the man wanted for theft")."""
    word = tokens.lower[i]
    return (
        word.endswith(("ed", "ing"))
        and tokens.words[i] == word
        and not tokens.named[i]
        and tokens.word(i - 1) not in _BEFORE_ADJECTIVES
    )


def _first_person(tokens: Tokens, first: int, core: int) -> tuple[int, Mention, int] | None:
    """Return the first person whose name a verb may follow ("Lee visited the site")."""
    for i in range(first, core):
        named = tokens.ending.get(i)
        if named and named[1].kind is Kind.PERSON and named[0] >= first:
            following = tokens.words[i + 1]
            # but "Lee spokesman Ed Bell"
            ends = following.isalpha() and following.islower() and not names_speaker(following)
            return (named[0], named[1], i) if ends else None
    return None


def _last_name(tokens: Tokens, first: int, core: int) -> tuple[int, Mention, int] | None:
    for i in range(core, first - 1, -1):
        named = tokens.ending.get(i)
        if named and named[0] >= first:
            owns = i < core and tokens.lower[i + 1] in OWNS | {GLUE}
            return None if owns else (named[0], named[1], i)
    return None


def _apposition(tokens: Tokens, first: int, high: int) -> Source | None:
    end = first
    while end < high and tokens.lower[end] not in cues.commas and tokens.lower[end] != "." and not tokens.quoted[end]:
        end += 1
    named = tokens.ending.get(end - 1)
    if named and named[0] == first and named[1].kind is Kind.PERSON:
        return Source(Shape.NAME, first, end - 1, tokens.lower[end - 1], named[1])
    return None


def _with_tail(tokens: Tokens, end: int, high: int) -> int:
    """Return the last token of a phrase with its "of …", "from …"."""
    last = end - 1
    if end + 1 < high and tokens.lower[end].endswith("ed") and tokens.lower[end + 1] == "by":
        end += 1
    while end < high and tokens.lower[end] in ("of", "for", "from", "at", "in", "with", "on", "inside", "near", "by"):
        if tokens.lower[end] in ("on", "in") and end + 1 < high and tokens.lower[end + 1] in cues.times:
            break
        if tokens.word(end + 1).endswith("ing"):
            break
        end += 1
        while end < high and not ends_phrase(tokens, end) and not _leaves(tokens, end - 1, end):
            end += 1
        last = end - 1
    return last


def core_source(tokens: Tokens, first: int, last: int) -> Source | None:
    end = first
    while end < last and not _is_preposition(tokens, end + 1) and not is_participle(tokens, end + 1):
        end += 1
    named = tokens.ending.get(end)
    if named and named[0] >= first:
        mention = named[1]
        return Source(Shape.NAME, named[0], end, tokens.lower[end], mention)
    if not tokens.words[end][0].isalpha() or tokens.lower[first] in _NO_PHRASE:
        return None
    owner = tokens.ending.get(end - 2)
    if owner and owner[0] >= first and tokens.lower[end] in cues.documents and tokens.word(end - 1) in OWNS:
        return Source(Shape.NAME, owner[0], end - 2, tokens.lower[end - 2], owner[1])
    # "a video shared (on Monday) shows": a participle alone is no part of it
    bare = last == end + 1 and tokens.lower[last].endswith("ed")
    return Source(Shape.PHRASE, first, end if bare else last, tokens.lower[end])


def ends_phrase(tokens: Tokens, i: int) -> bool:
    word = tokens.lower[i]
    is_ending = word in ("'s", "’s") and i > 0 and tokens.ends[i - 1] == tokens.starts[i]
    return bool(
        (tokens.quoted[i] and word in cues.closing_marks)
        or word in _PHRASE_STOPS
        or (word in cues.auxiliaries and not is_ending and not tokens.named[i])
        or (word in VERBS and word not in NOUNS_TOO and not tokens.named[i] and not _adjective(tokens, i))
    )


def _adjective(tokens: Tokens, i: int) -> bool:
    """Match "of alleged thefts"."""
    return tokens.lower[i].endswith("ed") and tokens.word(i - 1) in _BEFORE_ADJECTIVES - cues.adverbs


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


def follows_preposition(tokens: Tokens, low: int, first: int) -> bool:
    i = first - 1
    while i >= low and (tokens.lower[i] in cues.determiners or tokens.lower[i].isdigit()) and not tokens.quoted[i]:
        i -= 1
    return i >= low and tokens.lower[i] in cues.prepositions


def role_start(tokens: Tokens, low: int, first: int, mention: Mention) -> int:
    """Return where the role before a name begins ("Foreign Minister …")."""
    if mention.role and mention.role.start < mention.span.start:
        return max(low, tokens.within(mention.role).start)
    return first
