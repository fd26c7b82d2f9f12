"""A place in the tokens -> the noun phrase that begins or ends there, and its head.

English syntax is guessed from closed word classes and the names found, never parsed.
"""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.model import Kind, Mention
from retrieval.speech import cues
from retrieval.speech.cue_match import Shape, Source
from retrieval.speech.galley import GLUE, Galley

# After these a word in -ed is no verb: "the armed men", "a US-backed group".
_BEFORE_ADJECTIVES = cues.DETERMINERS | cues.PREPOSITIONS | cues.ADVERBS | {GLUE, "'s", "’s"}

# What may stand between the names of a list.
_LISTING = cues.TITLES | frozenset(("and", ",", "the", "both"))
_OWNS = frozenset(("'s", "’s", "'", "’"))

# No noun phrase begins with these.
_NO_PHRASE = cues.PREPOSITIONS | cues.NEGATIONS | cues.AUXILIARIES


def phrase(galley: Galley, first: int, high: int) -> Source | None:
    """Return the noun phrase that begins at ``first`` and ends before ``high``."""
    end = first
    if first < high and galley.lower[first] in _NO_PHRASE:
        return None
    while end < high and not stops(galley, end) and not _leaves(galley, first, end):
        end += 1
    if end == first:
        return None
    core = end - 1
    named = _first_person(galley, first, core) or _last_name(galley, first, core)
    if named and (named[1].kind is Kind.PERSON or named[2] == core):
        return Source(Shape.NAME, named[0], named[2], galley.lower[named[2]], named[1])
    if end < high - 1 and galley.lower[end] == ",":
        apposed = _apposition(galley, end + 1, high)
        if apposed:
            return apposed
    if not galley.words[core][0].isalpha():
        return None
    return Source(Shape.PHRASE, first, _with_tail(galley, end, high), galley.lower[core])


def _leaves(galley: Galley, first: int, i: int) -> bool:
    """Return whether the core of a phrase from ``first`` ends before ``i``."""
    word = galley.lower[i]
    return i > first and (
        word in cues.PREPOSITIONS
        or word in cues.ADVERBS
        or (word in cues.TIMES and i not in galley.opening)
        or is_participle(galley, i)
    )


def is_participle(galley: Galley, i: int) -> bool:
    """Return whether a word in -ed or -ing follows its noun ("the man wanted for theft")."""
    word = galley.lower[i]
    return (
        word.endswith(("ed", "ing"))
        and galley.words[i] == word
        and not galley.named[i]
        and galley.word(i - 1) not in _BEFORE_ADJECTIVES
    )


def _first_person(galley: Galley, first: int, core: int) -> tuple[int, Mention, int] | None:
    """Return the first person in a phrase whose name a verb may follow ("Lee visited the site")."""
    for i in range(first, core):
        named = galley.ending.get(i)
        if named and named[1].kind is Kind.PERSON and named[0] >= first:
            following = galley.words[i + 1]
            return (named[0], named[1], i) if following.isalpha() and following.islower() else None
    return None


def _last_name(galley: Galley, first: int, core: int) -> tuple[int, Mention, int] | None:
    for i in range(core, first - 1, -1):
        named = galley.ending.get(i)
        if named and named[0] >= first:
            owns = i < core and galley.lower[i + 1] in _OWNS | {GLUE}
            return None if owns else (named[0], named[1], i)
    return None


def _apposition(galley: Galley, first: int, high: int) -> Source | None:
    end = first
    while end < high and galley.lower[end] not in cues.COMMAS and galley.lower[end] != "." and not galley.quoted[end]:
        end += 1
    named = galley.ending.get(end - 1)
    if named and named[0] == first and named[1].kind is Kind.PERSON:
        return Source(Shape.NAME, first, end - 1, galley.lower[end - 1], named[1])
    return None


def _with_tail(galley: Galley, end: int, high: int) -> int:
    """Return the last token of a phrase with the "of …", "from …" that belongs to it."""
    last = end - 1
    if end + 1 < high and galley.lower[end].endswith("ed") and galley.lower[end + 1] == "by":
        end += 1
    while end < high and galley.lower[end] in ("of", "for", "from", "at", "in", "with", "on", "inside", "near", "by"):
        if galley.lower[end] in ("on", "in") and end + 1 < high and galley.lower[end + 1] in cues.TIMES:
            break
        if galley.lower[end] == "in" and galley.lower[end + 1 : end + 3] in (("a", "statement"), ("an", "interview")):
            break
        if galley.word(end + 1).endswith("ing"):
            break
        end += 1
        while end < high and not stops(galley, end) and not _leaves(galley, end - 1, end):
            end += 1
        last = end - 1
    return last


def of_core(galley: Galley, first: int, last: int) -> Source | None:
    """Return the source in the phrase from ``first`` to ``last``: a name where its head is one."""
    end = first
    while end < last and galley.lower[end + 1] not in cues.PREPOSITIONS and not is_participle(galley, end + 1):
        end += 1
    named = galley.ending.get(end)
    if named and named[0] >= first:
        mention = named[1]
        return several(galley, first, Source(Shape.NAME, named[0], end, galley.lower[end], mention))
    if not galley.words[end][0].isalpha() or galley.lower[first] in _NO_PHRASE:
        return None
    owner = galley.ending.get(end - 2)
    if owner and owner[0] >= first and galley.lower[end] in cues.DOCUMENTS and galley.word(end - 1) in _OWNS:
        return Source(Shape.NAME, owner[0], end - 2, galley.lower[end - 2], owner[1])
    return Source(Shape.PHRASE, first, last, galley.lower[end])


def several(galley: Galley, low: int, source: Source) -> Source:
    """Return the whole of a list of names ("Britain, France and Italy") that ends with ``source``."""
    first, joined = source.first, False
    while True:
        i = first - 1
        while i > low and galley.lower[i] in _LISTING and not galley.quoted[i]:
            joined = joined or galley.lower[i] == "and"
            i -= 1
        before = galley.ending.get(i)
        if i == first - 1 or not before or before[0] < low or not joined:
            break
        first = before[0]
    if first == source.first or _has_front(galley, low, first):
        return source
    return Source(Shape.PHRASE, first, source.last, source.head)


def _has_front(galley: Galley, low: int, first: int) -> bool:
    """Return whether words before a list show that it began as something else ("met Lee and Kay said")."""
    i = first - 1
    while i >= low and galley.lower[i] in cues.DETERMINERS | cues.TITLES:
        i -= 1
    return i >= low and not galley.quoted[i] and galley.lower[i] not in cues.CLAUSE_OPENERS | cues.COMMAS | {"and"}


def stops(galley: Galley, i: int) -> bool:
    """Return whether no noun phrase reaches over the token ``i``."""
    word = galley.lower[i]
    return bool(
        (galley.quoted[i] and word in cues.CLOSING_MARKS)
        or word in cues.COMMAS
        or word in cues.CLAUSE_OPENERS
        or word in cues.PRONOUNS
        or word in (":", ".", "!", "?", "to")
        or (
            word in cues.AUXILIARIES and not (word in ("'s", "’s") and i > 0 and galley.ends[i - 1] == galley.starts[i])
        )
        or (word in VERBS and word not in cues.NOUNS_TOO and not galley.named[i] and not _adjective(galley, i))
    )


def _adjective(galley: Galley, i: int) -> bool:
    """Return whether a form in -ed stands before a noun ("of alleged thefts")."""
    return galley.lower[i].endswith("ed") and galley.word(i - 1) in _BEFORE_ADJECTIVES - cues.ADVERBS


def has_verb(galley: Galley, low: int, high: int) -> bool:
    """Return whether a verb known here stands from ``low`` to before ``high``."""
    return any(
        (word in cues.AUXILIARIES and word not in _OWNS)
        or (word in VERBS and not galley.named[i] and not _is_noun(galley, i))
        for i, word in enumerate(galley.lower[low:high], low)
    )


def _is_noun(galley: Galley, i: int) -> bool:
    """Return whether a form that may be a noun is one: an article or a preposition stands before it."""
    return galley.lower[i] in cues.NOUNS_TOO and galley.word(i - 1) in cues.DETERMINERS | cues.PREPOSITIONS


def is_speaker(galley: Galley, source: Source) -> bool:
    """Return whether a noun phrase can speak: its head is a speaker or a document, or it bears a capital."""
    return (
        names_speaker(source.head)
        or source.head in cues.DOCUMENTS
        or source.head in cues.PRESS
        or any(galley.words[i][0].isupper() for i in range(source.first + 1, source.last + 1))
        or (galley.word(source.first - 1) == "," and galley.words[source.first][0].isupper())
    )


def names_speaker(head: str) -> bool:
    """Return whether a noun is one for people or bodies that speak: of the table, or by its ending."""
    return (
        head in cues.SPEAKERS
        or head.removesuffix("s") in cues.SPEAKERS
        or head.removesuffix("es") in cues.SPEAKERS
        or head.endswith(
            ("ists", "ers", "ors", "ians", "ees", "ist", "ian", "ee", "men", "man", "woman", "women", "person")
        )
    )


def hangs(galley: Galley, low: int, first: int) -> bool:
    """Return whether the phrase that begins at ``first`` depends on a preposition before it."""
    i = first - 1
    while i >= low and (galley.lower[i] in cues.DETERMINERS or galley.lower[i].isdigit()) and not galley.quoted[i]:
        i -= 1
    return i >= low and galley.lower[i] in cues.PREPOSITIONS


def lead_of(galley: Galley, low: int, first: int, mention: Mention) -> int:
    """Return where the role before a name begins ("Foreign Minister …")."""
    if mention.role and mention.role.start < mention.span.start:
        return max(low, galley.within(mention.role).start)
    return first
