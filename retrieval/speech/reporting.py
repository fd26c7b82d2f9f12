"""A reporting verb -> the speech it tells of, where it reports and is no passive, no noun and no denial of speech."""

from __future__ import annotations

from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.galley import Galley
from retrieval.speech.inversion import inverted
from retrieval.speech.phrases import has_verb, is_speaker
from retrieval.speech.sources import ASIDE, BELOW, MAIN, Shape, Source, Speech
from retrieval.speech.subjects import before, before_relative, opener, skip_back
from retrieval.speech.verbs import VERBS, Force, Form, Verb

_NEAR = 12  # tokens within which a clause shows its verb


_LONG_QUOTE = 3  # tokens: shorter ones are a word held at arm's length


def reporting_verb(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech that the verb at ``i`` tells of, if it is one of the sentence's own."""
    verb = VERBS[galley.lower[i]]
    if verb.form is Form.ING:
        return _participle(galley, line, i, verb)
    last = _particle(galley, line, i, verb)
    after = inverted(galley, line, i, verb)
    if after:
        return Speech(after, i, last, MAIN, "cue before its subject", verb.lemma)
    source = before(galley, line.start, i)
    if source is None or (verb.force is Force.SAYING and not _stands(galley, source)):
        source = before_relative(galley, line.start, i)
    if source is None:
        return None
    beside = _quote_follows(galley, line, last) or _quote_precedes(galley, line, min(source.first, i))
    if not _reports(galley, line, i, verb, source, beside=beside):
        return None
    if not can_speak(galley, source, i, verb, beside=beside):
        return None
    rank = rank_of(galley, line, source, verb)
    if rank == BELOW:
        return None
    return Speech(source, i, last, rank, "subject before its cue", verb.lemma)


def _stands(galley: Galley, source: Source) -> bool:
    """Tell whether a source can be a subject: a word in -ed or -ing without an article is none."""
    first = galley.lower[source.first]
    return source.shape is not Shape.PHRASE or is_speaker(galley, source) or first in cues.DETERMINERS


def _particle(galley: Galley, line: range, i: int, verb: Verb) -> int:
    """Return the last token of a verb with its particle ("pointed out", "called for")."""
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    return i + 1 if (verb.lemma, following) in cues.PARTICLES else i


def _quote_follows(galley: Galley, line: range, last: int) -> bool:
    """Tell whether a quotation of some length opens right after the cue ("said: “…", "told us on Sunday “…")."""
    for j in range(last + 1, min(last + 5, line.stop)):
        if galley.quoted[j]:
            return all(galley.quoted[j : min(j + _LONG_QUOTE + 2, line.stop)])
    return False


def _quote_precedes(galley: Galley, line: range, first: int) -> bool:
    """Tell whether a quotation closes right before the speaker or the cue, words of his role passed over."""
    j = first - 1
    while j > line.start and not galley.quoted[j] and j > first - _NEAR and not parts(galley, j):
        j -= 1
    if j >= line.start and galley.lower[j] == ",":
        j -= 1
    return j >= line.start and all(galley.quoted[max(line.start, j - _LONG_QUOTE) : j + 1])


def parts(galley: Galley, j: int) -> bool:
    """Tell whether a speaker and what belongs to him cannot lie on both sides of the token ``j``."""
    word = galley.lower[j]
    return word in cues.COMMAS or word in cues.AUXILIARIES or word in cues.CLAUSE_OPENERS or word in VERBS


def _reports(galley: Galley, line: range, i: int, verb: Verb, source: Source, *, beside: bool) -> bool:  # noqa: PLR0913 - the verb and where it stands
    """Tell whether the verb at ``i`` reports speech: no passive, no denial of speech, with the object it needs."""
    word, last = galley.lower[i], _particle(galley, line, i, verb)
    previous = helpers(galley, line, i)
    if verb.form in (Form.PAST, Form.PARTICIPLE) and previous & cues.BEING:
        return False
    if previous & cues.NEGATIONS or previous & cues.MODALS or "to" in previous:
        return False
    if verb.form is Form.PARTICIPLE and not previous & cues.HAVING:
        return False
    following = galley.lower[last + 1] if last + 1 < line.stop else "."
    if verb.force is Force.ACT and not beside and last == i and following in cues.AGENT_MARKS:
        return False
    if source.head in cues.DOCUMENTS | cues.PRESS and verb.lemma in cues.FINDING:
        return True
    if verb.force is Force.ACT and verb.form is Form.THIRD and following in cues.DETERMINERS and i - 1 == source.last:
        return True
    if word in cues.NOUNS_TOO or verb.force in (Force.CLAUSE, Force.THINKING):
        return beside or last > i or has_clause(galley, line, i, verb, strict=word in cues.NOUNS_TOO)
    return True


def helpers(galley: Galley, line: range, i: int) -> set[str]:
    """Return the auxiliaries, negations and "to" that stand right before the verb, adverbs passed over."""
    found: set[str] = set()
    j = i - 1
    while j >= line.start and not galley.quoted[j]:
        word = galley.lower[j]
        if word in cues.AUXILIARIES or word in cues.NEGATIONS or word == "to":
            found.add(word)
        elif word not in cues.ADVERBS:
            break
        j -= 1
    return found


def has_clause(galley: Galley, line: range, i: int, verb: Verb, *, strict: bool) -> bool:
    """Tell whether what was said follows the verb, or closed before it ("…, he added.")."""
    if _wrote_somewhere(galley, line, i, verb):
        return True
    j = i + 1
    while j < line.stop and galley.lower[j] in cues.ADVERBS | cues.TIMES | {"on"} and not galley.quoted[j]:
        j += 1
    if j >= line.stop:
        return True
    following = galley.lower[j]
    if galley.quoted[j] or following in cues.CLAUSE_WORDS:
        return True
    if following == "," and "that" in _after_commas(galley, line, j):
        return True
    if following in (",", ".", "in", "on"):
        return (not strict or following == ".") and parenthetical(galley, line, i)
    return not strict and (following in cues.CLAUSE_STARTS or j in galley.opening) and _verb_follows(galley, line, j)


def _wrote_somewhere(galley: Galley, line: range, i: int, verb: Verb) -> bool:
    """Tell "the road was shut, the office wrote on its website"."""
    if verb.lemma not in cues.WRITING or galley.lower[i + 1 : i + 2] not in (("on",), ("in",)):
        return False
    comma = skip_back(galley, line.start, i - 1)
    while comma > line.start and galley.lower[comma] not in cues.COMMAS:
        comma -= 1
    return has_verb(galley, line.start, comma)


def _after_commas(galley: Galley, line: range, comma: int) -> set[str]:
    """Return the words that stand right after a comma behind an aside ("reported, citing two divers, that …")."""
    stop = min(comma + 2 * _NEAR, line.stop) - 1
    return {galley.lower[j + 1] for j in range(comma + 1, stop) if galley.lower[j] == ","}


def _verb_follows(galley: Galley, line: range, j: int) -> bool:
    """Tell whether a clause begins at ``j``: a verb within a dozen words, before the next comma."""
    for k in range(j, min(j + _NEAR, line.stop)):
        if galley.lower[k] == ",":
            return False
        if galley.lower[k] in cues.AUXILIARIES and galley.lower[k] not in ("'s", "’s"):
            return True
    return False


def parenthetical(galley: Galley, line: range, i: int) -> bool:
    """Tell whether the verb ends a "…, X added" that hangs on the words before it."""
    j = skip_back(galley, line.start, i - 1)
    while j >= line.start and galley.lower[j] not in cues.COMMAS and not galley.quoted[j]:
        j -= 1
    return j > line.start


def can_speak(galley: Galley, source: Source, cue: int, verb: Verb, *, beside: bool) -> bool:
    """Tell whether ``source`` can be what the verb at ``cue`` makes speak."""
    if source.shape is Shape.PRONOUN:
        return source.head not in ("i", "we")
    if verb.force is Force.THINKING and (source.shape is not Shape.NAME or verb.form is Form.PAST):
        return False
    if source.shape is Shape.NAME:
        return _agrees(source, verb) and source.mention is not None and source.mention.kind is not Kind.EVENT
    if galley.lower[cue] in cues.NOUNS_TOO and not beside and not is_speaker(galley, source):
        return False
    if verb.form is Form.BASE and not _is_plural(galley, source):
        return False
    if is_speaker(galley, source):
        return True
    first = galley.lower[source.first]
    speaks = verb.force is Force.SAYING or _denies(galley, cue, verb)
    return speaks and source.head not in cues.NEVER_SPEAK and first in cues.DETERMINERS


def _denies(galley: Galley, cue: int, verb: Verb) -> bool:
    """Tell "denied that", "denies any": whatever denies can speak."""
    return verb.lemma == "deny" and galley.word(cue + 1) in cues.DETERMINERS


def _is_plural(galley: Galley, source: Source) -> bool:
    return (
        source.head.endswith(("s", "men"))
        or source.head in cues.PLURALS
        or "and" in galley.lower[source.first : source.last]
    )


def _agrees(source: Source, verb: Verb) -> bool:
    """Tell whether a name and a verb agree: a person "says", and never "say"."""
    mention = source.mention
    return not (verb.form is Form.BASE and mention is not None and mention.kind is Kind.PERSON)


def rank_of(galley: Galley, line: range, source: Source, verb: Verb) -> int:
    """Return how surely this is the sentence's own speaker."""
    i = source.first - 1
    while i >= line.start and (galley.lower[i] in cues.ADVERBS or galley.lower[i] in cues.DETERMINERS - {"that"}):
        i -= 1
    word = galley.lower[i] if i >= line.start and not galley.quoted[i] else ""
    if word in cues.HINDERING:
        return BELOW
    if word in cues.ASIDES and not (word in cues.JOINING and i == line.start):
        return ASIDE if verb.force is Force.SAYING or verb.lemma == "put" or word in cues.JOINING else BELOW
    return MAIN


def _progressive(galley: Galley, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "is saying"."""
    source = before(galley, line.start, i)
    if source is None or verb.force in (Force.CLAUSE, Force.THINKING):
        return None
    if not can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, rank_of(galley, line, source, verb), "is saying", verb.lemma)


def _participle(galley: Galley, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "…, saying that …": the main clause's subject speaks."""
    if helpers(galley, line, i) & cues.BEING:
        return _progressive(galley, line, i, verb)
    if galley.word(i - 1) == "as" and verb.lemma == "say":
        return _quoted_as(galley, line, i)
    if i == line.start or verb.force is Force.THINKING:
        return None
    if galley.word(i - 1) not in cues.COMMAS | {"by", "in"} and not galley.is_quoted(i - 1):
        return None
    if verb.force is not Force.SAYING and not has_clause(galley, line, i, verb, strict=True):
        return None
    source = opener(galley, line.start, i)
    if source is None or not can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, ASIDE, "subject of a participle", verb.lemma)


def _quoted_as(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "was quoted by an agency as saying": the one quoted speaks."""
    words = galley.lower
    for j in range(i - 2, max(line.start, i - _NEAR), -1):
        if words[j] in ("quoted", "cited") and galley.word(j - 1) in cues.BEING and not galley.quoted[j]:
            source = before(galley, line.start, j)
            return Speech(source, j, i, MAIN, "quoted as saying", "say") if source else None
    return None
