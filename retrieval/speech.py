"""One sentence's tokens -> the cue by which it tells who speaks, and the phrase that names the speaker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval import cues
from retrieval.galley import Galley
from retrieval.model import Kind, Mention
from retrieval.phrases import Shape, Source, is_speaker, phrase
from retrieval.subjects import before, opener, skip_back
from retrieval.verbs import VERBS, Force, Form, Verb

_MAIN, _ASIDE, _BELOW = 2, 1, 0
_ROLE = 6  # tokens of a role before a name
_NEAR = 12  # tokens within which a clause shows its verb
_LONG_QUOTE = 3  # tokens: shorter ones are a word held at arm's length


@dataclass(frozen=True, slots=True)
class Speech:
    """That a sentence tells of speech: the tokens ``cue`` to ``last`` are the cue, ``source`` who speaks.

    Without a source it is hearsay ("is believed to"). ``observed`` where the source saw and does not speak.
    ``rank`` orders the cues of one sentence; ``rule`` found it.
    """

    source: Source | None
    cue: int
    last: int
    rank: int
    rule: str
    lemma: str = ""
    observed: bool = False


def find_speech(galley: Galley, line: range) -> Speech | None:
    """Return what tells best who speaks in the sentence of the tokens ``line``; none where nothing does."""
    best: Speech | None = None
    for i in line:
        word = galley.lower[i]
        if word not in _OPENINGS or galley.quoted[i] or galley.named[i]:
            continue
        for rule in _OPENINGS[word]:
            speech = rule(galley, line, i)
            if speech and (best is None or speech.rank > best.rank or (speech.observed and not best.observed)):
                best = speech
    return best


def _reporting_verb(galley: Galley, line: range, i: int) -> Speech | None:
    verb = VERBS[galley.lower[i]]
    if verb.form is Form.ING:
        return _participle(galley, line, i)
    last = _particle(galley, line, i)
    after = _inverted(galley, line, i)
    if after:
        return Speech(after, i, last, _MAIN, "cue before its subject", verb.lemma)
    source = before(galley, line.start, i)
    if source is None:
        return None
    beside = _quote_follows(galley, line, last) or _quote_precedes(galley, line, min(source.first, i))
    if not _reports(galley, line, i, source, beside=beside) or not _can_speak(galley, source, i, verb, beside=beside):
        return None
    rank = _rank(galley, line, source, verb)
    if rank == _BELOW:
        return None
    return Speech(source, i, last, rank, "subject before its cue", verb.lemma)


def _particle(galley: Galley, line: range, i: int) -> int:
    """Return the last token of a verb with its particle ("pointed out", "called for")."""
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    return i + 1 if (VERBS[galley.lower[i]].lemma, following) in cues.PARTICLES else i


def _quote_follows(galley: Galley, line: range, last: int) -> bool:
    """Tell whether a quotation of some length opens right after the cue ("said: “…", "told us on Sunday “…")."""
    for j in range(last + 1, min(last + 5, line.stop)):
        if galley.quoted[j]:
            return all(galley.quoted[j : min(j + _LONG_QUOTE + 2, line.stop)])
    return False


def _quote_precedes(galley: Galley, line: range, first: int) -> bool:
    """Tell whether a quotation closes right before the speaker or the cue, words of his role passed over."""
    j = first - 1
    while j > line.start and not galley.quoted[j] and j > first - _NEAR and not _parts(galley, j):
        j -= 1
    if j >= line.start and galley.lower[j] == ",":
        j -= 1
    return j >= line.start and all(galley.quoted[max(line.start, j - _LONG_QUOTE) : j + 1])


def _parts(galley: Galley, j: int) -> bool:
    word = galley.lower[j]
    return word in cues.COMMAS or word in cues.AUXILIARIES or word in cues.CLAUSE_OPENERS or word in VERBS


def _reports(galley: Galley, line: range, i: int, source: Source, *, beside: bool) -> bool:
    """Tell whether the verb at ``i`` reports speech: no passive, no denial of speech, with the object it needs."""
    word, verb, last = galley.lower[i], VERBS[galley.lower[i]], _particle(galley, line, i)
    previous = _helpers(galley, line, i)
    if verb.form in (Form.PAST, Form.PARTICIPLE) and previous & cues.BEING:
        return False
    if previous & cues.NEGATIONS or previous & cues.MODALS or "to" in previous:
        return False
    if verb.form is Form.PARTICIPLE and not previous & cues.HAVING:
        return False
    following = galley.lower[last + 1] if last + 1 < line.stop else "."
    if verb.force is Force.ACT and not beside and last == i and following in cues.AGENT_MARKS:
        return False
    if source.head in cues.DOCUMENTS and verb.lemma in cues.FINDING:
        return True
    if word in cues.NOUNS_TOO or verb.force in (Force.CLAUSE, Force.THINKING):
        return beside or last > i or _has_clause(galley, line, i, strict=word in cues.NOUNS_TOO)
    return True


def _helpers(galley: Galley, line: range, i: int) -> set[str]:
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


def _has_clause(galley: Galley, line: range, i: int, *, strict: bool) -> bool:
    """Tell whether what was said follows the verb, or closed before it ("…, he added.")."""
    j = i + 1
    while j < line.stop and galley.lower[j] in cues.ADVERBS | cues.TIMES | {"on"} and not galley.quoted[j]:
        j += 1
    if j >= line.stop:
        return True
    following = galley.lower[j]
    if galley.quoted[j] or following in (
        "that",
        ":",
        "how",
        "why",
        "whether",
        "it",
        "he",
        "she",
        "they",
        "there",
        "we",
    ):
        return True
    if following in (",", ".", "in", "on"):
        return (not strict or following == ".") and _parenthetical(galley, line, i)
    return not strict and (following in cues.CLAUSE_STARTS or j in galley.opening) and _verb_follows(galley, line, j)


def _verb_follows(galley: Galley, line: range, j: int) -> bool:
    """Tell whether a clause begins at ``j``: a verb within a dozen words, before the next comma."""
    for k in range(j, min(j + _NEAR, line.stop)):
        if galley.lower[k] == ",":
            return False
        if galley.lower[k] in cues.AUXILIARIES and galley.lower[k] not in ("'s", "’s"):
            return True
    return False


def _parenthetical(galley: Galley, line: range, i: int) -> bool:
    """Tell whether the verb ends a "…, X added" that hangs on the words before it."""
    j = skip_back(galley, line.start, i - 1)
    while j >= line.start and galley.lower[j] not in cues.COMMAS and not galley.quoted[j]:
        j -= 1
    return j > line.start


def _inverted(galley: Galley, line: range, i: int) -> Source | None:
    """Return the subject of a verb that stands before it: "…," said Ann Lee."""
    if VERBS[galley.lower[i]].lemma not in cues.INVERTING:
        return None
    opens = i == line.start
    if not opens and not galley.quoted[i - 1] and galley.lower[i - 1] not in cues.COMMAS - {")", "]"}:
        return None
    source = phrase(galley, i + 1, line.stop)
    if source is None and i + 1 < line.stop and galley.lower[i + 1] in cues.PRONOUNS and galley.quoted[i - 1]:
        source = Source(Shape.PRONOUN, i + 1, i + 1, galley.lower[i + 1])
    if source is None or not _closes(
        galley, line, source.last + 1, after_quote=not opens and bool(galley.quoted[i - 1])
    ):
        return None
    if source.shape is Shape.PHRASE and not is_speaker(galley, source):
        return None
    if opens:
        return source if galley.lower[source.last + 1 : source.last + 2] == (":",) else None
    return source if galley.quoted[i - 1] or _clause_before(galley, line, i - 1) else None


def _closes(galley: Galley, line: range, i: int, *, after_quote: bool) -> bool:
    """Tell whether the subject after an inverted verb ends before ``i``, and no verb of its own follows."""
    if i >= line.stop or galley.quoted[i]:
        return True
    word = galley.lower[i]
    return (
        word in cues.COMMAS
        or word in cues.PREPOSITIONS
        or word in cues.TIMES
        or word in cues.SUBORDINATORS
        or word in (".", "!", "?", ":", "who", "...", "…")
        or (after_quote and word.endswith(("ing", "ed")))
    )


def _clause_before(galley: Galley, line: range, comma: int) -> bool:
    """Tell whether a whole clause stands before the comma, and not only a name and what it is apposed to."""
    return any(
        (galley.lower[j] in cues.AUXILIARIES and galley.lower[j] not in ("'s", "’s"))
        or (galley.lower[j].endswith("ed") and j > line.start)
        for j in range(line.start, comma)
    )


def _can_speak(galley: Galley, source: Source, cue: int, verb: Verb, *, beside: bool) -> bool:
    if source.shape is Shape.PRONOUN:
        return source.head not in ("i", "we")
    if verb.force is Force.THINKING and (source.shape is not Shape.NAME or verb.form is Form.PAST):
        return False
    if source.shape is Shape.NAME:
        return _agrees(source, verb) and source.mention is not None and source.mention.kind is not Kind.EVENT
    if galley.lower[cue] in cues.NOUNS_TOO and not beside and not is_speaker(galley, source):
        return False
    if verb.form is Form.BASE and not source.head.endswith(("s", "people", "men", "women", "police")):
        return False
    if is_speaker(galley, source):
        return True
    first = galley.lower[source.first]
    return verb.force is Force.SAYING and source.head not in cues.NEVER_SPEAK and first in cues.DETERMINERS


def _agrees(source: Source, verb: Verb) -> bool:
    """Tell whether a name and a verb agree: a person "says", and never "say"."""
    mention: Mention | None = source.mention
    return not (verb.form is Form.BASE and mention is not None and mention.kind is Kind.PERSON)


def _rank(galley: Galley, line: range, source: Source, verb: Verb) -> int:
    """Return how surely this is the sentence's own speaker."""
    i = source.first - 1
    while i >= line.start and (galley.lower[i] in cues.ADVERBS or galley.lower[i] in cues.DETERMINERS - {"that"}):
        i -= 1
    word = galley.lower[i] if i >= line.start and not galley.quoted[i] else ""
    if word in cues.HINDERING:
        return _BELOW
    if word in cues.ASIDES and not (word in cues.JOINING and i == line.start):
        return _ASIDE if verb.force is Force.SAYING or verb.lemma == "put" or word in cues.JOINING else _BELOW
    return _MAIN


def _progressive(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "is saying"."""
    verb = VERBS[galley.lower[i]]
    source = before(galley, line.start, i)
    if source is None or verb.force in (Force.CLAUSE, Force.THINKING):
        return None
    if not _can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, _rank(galley, line, source, verb), "is saying", verb.lemma)


def _participle(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "…, saying that …": the main clause's subject speaks."""
    verb = VERBS[galley.lower[i]]
    if _helpers(galley, line, i) & cues.BEING:
        return _progressive(galley, line, i)
    if i == line.start or verb.force is Force.THINKING:
        return None
    if galley.lower[i - 1] not in cues.COMMAS | {"by", "in"} and not galley.quoted[i - 1]:
        return None
    if verb.force is not Force.SAYING and not _has_clause(galley, line, i, strict=True):
        return None
    source = opener(galley, line.start, i)
    if source is None or not _can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, _ASIDE, "subject of a participle", verb.lemma)


def _according(galley: Galley, line: range, i: int) -> Speech | None:
    if i + 2 >= line.stop or galley.lower[i + 1] != "to":
        return None
    source = phrase(galley, i + 2, line.stop)
    if source is None or source.head in cues.RULES_NOT_SPEAKERS:
        return None
    return Speech(source, i, i + 1, _MAIN, "according to")


def _statement(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "issued a statement", "made a fresh plea"."""
    noun = next((j for j in range(i + 1, min(i + 6, line.stop)) if galley.lower[j] in cues.STATEMENTS), None)
    if noun is None or any(_parts(galley, j) or galley.quoted[j] for j in range(i + 1, noun)):
        return None
    source = before(galley, line.start, i)
    if source is None or _helpers(galley, line, i) & (cues.BEING | cues.NEGATIONS | {"to"}):
        return None
    verb = Verb("issue", Form.PAST, Force.ACT)
    if not _can_speak(galley, source, i, verb, beside=False):
        return None
    return Speech(source, i, noun, _rank(galley, line, source, verb) or _ASIDE, "made a statement")


def _colon(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the speech in "Ann Lee: “…”" and "Lee: pier is safe"."""
    named = galley.ending.get(i - 1)
    if named is None or named[0] - line.start > _ROLE or i + 1 >= line.stop or named[1].kind is not Kind.PERSON:
        return None
    if any(_parts(galley, j) or galley.quoted[j] for j in range(line.start, i)):
        return None
    return Speech(Source(Shape.NAME, named[0], i - 1, galley.lower[i - 1], named[1]), i, i, _MAIN, "name and colon")


def _hearsay(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reportedly" and "is believed to"."""
    word = galley.lower[i]
    if word in cues.IMPERSONAL_ADVERBS:
        return Speech(None, i, i, _BELOW, "hearsay adverb")
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    if _helpers(galley, line, i) & cues.BEING and following in ("to", "that"):
        return Speech(None, i, i, _BELOW, "hearsay passive")
    return None


def _reports_say(galley: Galley, line: range, i: int) -> Speech | None:
    """Return the hearsay in "reports say that …"."""
    following = galley.lower[i + 1] if i + 1 < line.stop else ""
    bare = i == line.start or galley.lower[i - 1] in ("media", "unconfirmed", "some", "local", "according", "to", "but")
    if bare and VERBS.get(following) and i - 1 not in galley.ending:
        return Speech(None, i, i + 1, _MAIN, "reports say")
    return None


def _observed(galley: Galley, line: range, i: int) -> Speech | None:
    """Return that reporters saw: "Reporters from …  saw at least 20 …"."""
    source = before(galley, line.start, i)
    if source is None or source.shape is Shape.PRONOUN or _helpers(galley, line, i) & cues.BEING:
        return None
    words = set(galley.lower[source.first : source.last + 1])
    if words & cues.REPORTERS or is_outlet(galley, source):
        return Speech(source, i, i, _MAIN, "reporters saw", observed=True)
    return None


def is_outlet(galley: Galley, source: Source) -> bool:
    """Tell whether a source is a newspaper, an agency or a broadcaster."""
    if source.mention is not None and source.mention.kind is Kind.PERSON:
        return False
    words = galley.lower[source.first : source.last + 1]
    name = " ".join(words).removeprefix("the ")
    return (
        name in cues.AGENCY_NAMES
        or source.head in cues.AGENCIES
        or " ".join(words[-2:]) in cues.AGENCY_NAMES | cues.STATE_MEDIA
        or (source.mention is not None and bool({words[-1], name.split()[0]} & cues.OUTLET_WORDS))
    )


Rule = Callable[[Galley, range, int], Speech | None]


def _openings() -> dict[str, tuple[Rule, ...]]:
    """Return the rules that a word calls up."""
    found: dict[str, tuple[Rule, ...]] = dict.fromkeys(VERBS, (_reporting_verb,))
    for words, rule in (
        (frozenset({"according"}), _according),
        (cues.IMPERSONAL_ADVERBS | cues.IMPERSONAL_PARTICIPLES, _hearsay),
        (frozenset({"reports"}), _reports_say),
        (cues.ISSUING, _statement),
        (frozenset({":"}), _colon),
        (cues.WITNESSING, _observed),
    ):
        for word in words:
            found[word] = (*found.get(word, ()), rule)
    return found


_OPENINGS = _openings()
