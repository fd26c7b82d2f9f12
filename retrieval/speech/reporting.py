"""A reporting verb -> the speech it tells of, where it reports and is no passive, no noun and no denial of speech."""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form, Verb
from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.cues import ASIDE, BELOW, MAIN, Shape, Source, Speech
from retrieval.speech.inversion import inverted
from retrieval.speech.phrases import is_speaker, names_speaker, phrase
from retrieval.speech.subjects import before, before_relative, skip_back
from retrieval.text.tokens import Tokens

_FIGURE = 4  # tokens from "at" to its number: "at more than about 300"
_NEAR = 12  # tokens within which a clause shows its verb
_DOING = frozenset(("did", "does"))
_POSSESSIVE = frozenset(("'s", "’s"))  # of whom somebody is the director
_ON = 5  # tokens after a cue within which its quotation opens
_LONG_QUOTE = 3  # tokens: shorter ones are a word held at arm's length


def reporting_verb(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Return the speech that the verb at ``i`` tells of, if it is one of the sentence's own."""
    verb = VERBS[tokens.lower[i]]
    agent = _agent(tokens, line, i, verb)
    if agent:
        return Speech(agent, i, i, MAIN, "passive with its agent", verb.lemma)
    last = _particle(tokens, line, i, verb)
    setting_out = _setting_out(tokens, line, i, verb)
    if setting_out:
        return setting_out
    after = inverted(tokens, line, i, verb)
    if after:
        return Speech(after, i, last, MAIN, "cue before its subject", verb.lemma)
    source = before(tokens, line.start, i)
    if source is None or not _stands(tokens, source):
        source = before_relative(tokens, line.start, i) or source
    if source is None:
        return None
    beside = quote_follows(tokens, line, last) or quote_precedes(tokens, line, min(source.first, i))
    if not _reports(tokens, line, i, verb, source, beside=beside):
        return None
    if not can_speak(tokens, source, i, verb, beside=beside):
        return None
    rank = rank_of(tokens, line, source, verb)
    if _relative(tokens, line, i):
        rank = min(rank, ASIDE) if verb.force is Force.SAYING else BELOW
    if rank == BELOW:
        return None
    return Speech(source, i, last, rank, "subject before its cue", verb.lemma)


def _setting_out(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Return the speech in "went on to claim that", "took to the airwaves to say": what somebody sets out to say."""
    if verb.form is not Form.BASE or tokens.word(i - 1) != "to":
        return None
    low = max(line.start, i - 1 - _FIGURE)
    start = next((j for j in range(i - 2, low - 1, -1) if tokens.lower[j] in cues.SETTING_OUT), None)
    if start is None or any(parts(tokens, j) or tokens.quoted[j] for j in range(start + 1, i)):
        return None
    source, beside = before(tokens, line.start, start), quote_follows(tokens, line, i)
    if source is None or not (beside or has_clause(tokens, line, i, strict=True)):
        return None
    if helpers(tokens, line, start) & (cues.NEGATIONS | cues.MODALS | cues.BEING | {"to"}):
        return None
    past = Verb(verb.lemma, Form.PAST, verb.force)
    if not can_speak(tokens, source, i, past, beside=beside):
        return None
    return Speech(source, start, i, rank_of(tokens, line, source, past), "sets out to say", verb.lemma)


def _relative(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether the verb at ``i`` belongs to a clause with "who"."""
    return tokens.word(skip_back(tokens, line.start, i - 1)) == "who"


def _agent(tokens: Tokens, line: range, i: int, verb: Verb) -> Source | None:
    """Return who speaks in "was first reported by …"."""
    if verb.form not in (Form.PAST, Form.PARTICIPLE) or tokens.word(i + 1) != "by" or i + 2 >= line.stop:
        return None
    if not helpers(tokens, line, i) & cues.BEING or helpers(tokens, line, i) & cues.NEGATIONS:
        return None
    if verb.lemma in ("quote", "cite"):  # whom they quote speaks
        return None
    source = phrase(tokens, i + 2, line.stop)
    return source if source and (source.mention or is_speaker(tokens, source)) else None


def _stands(tokens: Tokens, source: Source) -> bool:
    """Return whether a source can be a subject: a word in -ed or -ing without an article is none."""
    first = tokens.lower[source.first]
    return source.shape is not Shape.PHRASE or is_speaker(tokens, source) or first in cues.DETERMINERS


def _particle(tokens: Tokens, line: range, i: int, verb: Verb) -> int:
    """Return the last token of a verb with its particle ("pointed out", "called for")."""
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    return i + 1 if (verb.lemma, following) in cues.PARTICLES else i


def quote_follows(tokens: Tokens, line: range, last: int) -> bool:
    """Return whether a quotation of some length opens right after the cue ("said: “…", "told us on Sunday “…")."""
    for j in range(last + 1, min(last + _ON, line.stop)):
        if tokens.quoted[j]:
            return all(tokens.quoted[j : min(j + _LONG_QUOTE + 2, line.stop)])
    return False


def quote_precedes(tokens: Tokens, line: range, first: int) -> bool:
    """Return whether a quotation closes right before the speaker or the cue, words of his role passed over.

    "“It is time,” the port's director, Ann Lee, wrote": what he is apposed to is passed over too.
    """
    j = first - 1
    if tokens.word(j) == "," and not tokens.is_quoted(j - 1):
        j -= 1
    while j > line.start and not tokens.quoted[j] and j > first - _NEAR:
        if parts(tokens, j) and tokens.lower[j] not in _POSSESSIVE:
            break
        j -= 1
    if j >= line.start and tokens.lower[j] == ",":
        j -= 1
    return j >= line.start and all(tokens.quoted[max(line.start, j - _LONG_QUOTE) : j + 1])


def parts(tokens: Tokens, j: int) -> bool:
    """Return whether a speaker and what belongs to him cannot lie on both sides of the token ``j``."""
    word = tokens.lower[j]
    return word in cues.COMMAS or word in cues.AUXILIARIES or word in cues.CLAUSE_OPENERS or word in VERBS


def _reports(tokens: Tokens, line: range, i: int, verb: Verb, source: Source, *, beside: bool) -> bool:  # noqa: PLR0913 - the verb, its subject and where they stand
    """Return whether the verb at ``i`` reports speech: it is told of as said, and has beside it what it needs."""
    if not _is_told(helpers(tokens, line, i), verb):
        return False
    word, last = tokens.lower[i], _particle(tokens, line, i, verb)
    following = tokens.lower[last + 1] if last + 1 < line.stop else "."
    if verb.force is Force.ACT and not beside and following in cues.AGENT_MARKS:
        return False
    if source.head in cues.DOCUMENTS | cues.PRESS and verb.lemma in cues.FINDING:
        return True
    if verb.lemma in cues.PARTICLED:
        return beside or last > i or (verb.lemma == "put" and _puts_at(tokens, line, i))
    if _has_subject(tokens, line, i, verb, source) and (following in cues.DETERMINERS or last + 1 in tokens.opening):
        return True
    if word not in cues.NOUNS_TOO and verb.force not in (Force.CLAUSE, Force.THINKING):
        return True
    if word in cues.NOUNS_TOO and following == "to" and source.last == skip_back(tokens, line.start, i - 1):
        return verb.force is Force.SAYING and source.mention is not None  # "Lee claims to …"
    noun = word in cues.NOUNS_TOO and tokens.word(i - 1) != ","
    return beside or last > i or has_clause(tokens, line, i, strict=noun)


def _is_told(beside: set[str], verb: Verb) -> bool:
    """Return whether the auxiliaries beside a verb let it say that somebody spoke: no passive, no "not", no "will"."""
    if beside & cues.NEGATIONS or beside & cues.MODALS or "to" in beside:
        return False
    if verb.form is Form.PARTICIPLE and not beside & cues.HAVING:
        return False
    return not (verb.form in (Form.PAST, Form.PARTICIPLE) and beside & cues.BEING)


def _has_subject(tokens: Tokens, line: range, i: int, verb: Verb, source: Source) -> bool:
    """Return whether a form that may be a noun agrees with the subject right before it ("Lee disputes the tale")."""
    agrees = verb.form is Form.THIRD or (verb.form is Form.BASE and _is_plural(tokens, source))
    return verb.force is Force.ACT and agrees and source.last in (i - 1, skip_back(tokens, line.start, i - 1))


def _puts_at(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether the verb at ``i`` is of "put the toll at 300": an "at", and a number soon behind it."""
    words = tokens.lower[i + 1 : min(i + _NEAR, line.stop)]
    if "at" not in words:
        return False
    figures = words[words.index("at") + 1 :][:_FIGURE]
    return any(word[0].isdigit() for word in figures)


def helpers(tokens: Tokens, line: range, i: int) -> set[str]:
    """Return the auxiliaries, negations and "to" that stand right before the verb, adverbs passed over."""
    found: set[str] = set()
    j = i - 1
    while j >= line.start and not tokens.quoted[j]:
        word = tokens.lower[j]
        if word in cues.AUXILIARIES or word in cues.NEGATIONS or word == "to":
            found.add(word)
        elif word not in cues.ADVERBS and not (word.endswith("ly") and word not in cues.NOUNS_IN_LY):
            break
        j -= 1
    return found


def has_clause(tokens: Tokens, line: range, i: int, *, strict: bool) -> bool:
    """Return whether what was said follows the verb, or closed before it ("…, he added.")."""
    j = i + 1
    while j < line.stop and tokens.lower[j] in cues.ADVERBS | cues.TIMES | {"on"} and not tokens.quoted[j]:
        j += 1
    if j >= line.stop:
        return True
    following = tokens.lower[j]
    if tokens.quoted[j] or following in cues.CLAUSE_WORDS:
        return True
    if following in (",", ".", "in", "on"):
        return (not strict or following == ".") and parenthetical(tokens, line, i)
    if strict:
        return False
    if tokens.lower[j - 1] == "on":  # "wrote on her blog that …", but "continued on its path as it …"
        return "that" in tokens.lower[j : min(j + _NEAR, line.stop)]
    return (following in cues.CLAUSE_STARTS or j in tokens.opening) and _verb_follows(tokens, line, j)


def _verb_follows(tokens: Tokens, line: range, j: int) -> bool:
    """Return whether a clause begins at ``j``: a verb within a dozen words, before the next comma."""
    for k in range(j, min(j + _NEAR, line.stop)):
        if tokens.lower[k] == ",":
            return False
        word = tokens.lower[k]
        if word in cues.AUXILIARIES and word not in ("'s", "’s"):
            return True
        if k > j and (word in VERBS or word.endswith("ed")) and word not in cues.NOUNS_TOO:
            return True
    return False


def parenthetical(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether the verb ends a "…, X added" that hangs on the words before it."""
    j = skip_back(tokens, line.start, i - 1)
    while j >= line.start and tokens.lower[j] not in cues.COMMAS and not tokens.quoted[j]:
        j -= 1
    return j > line.start


def can_speak(tokens: Tokens, source: Source, cue: int, verb: Verb, *, beside: bool) -> bool:
    """Return whether ``source`` can be what the verb at ``cue`` makes speak."""
    if source.shape is Shape.PRONOUN:
        return source.head not in ("i", "we")
    if verb.force is Force.THINKING and not _thinks_aloud(tokens, source, cue, verb):
        return False
    if source.shape is Shape.NAME:
        agrees = tokens.lower[cue - 1] in _DOING or _agrees(source, verb)
        return agrees and source.mention is not None and source.mention.kind is not Kind.EVENT
    if source.head in cues.NEVER_SPEAK or (verb.lemma in cues.FINDING and not _finds(tokens, source)):
        return False
    that = tokens.word(cue + 1) == "that"
    if tokens.lower[cue] in cues.NOUNS_TOO and not beside and not that and not is_speaker(tokens, source):
        return False
    if verb.form is Form.BASE and not _is_plural(tokens, source):
        return False
    if is_speaker(tokens, source):
        return True
    if that and tokens.lower[source.first] in cues.DETERMINERS:
        return True
    if verb.force is Force.SAYING:
        return (
            (that and source.head not in VERBS)
            or tokens.lower[source.first] in cues.DETERMINERS
            or _tell_somebody(tokens, source, cue)
        )
    return False


def _finds(tokens: Tokens, source: Source) -> bool:
    """Return whether it is a speaker or a document that "shows" or "reveals": storms do so too."""
    if source.first in tokens.opening and source.last in tokens.ending:
        return True
    return names_speaker(source.head) or source.head in cues.DOCUMENTS | cues.PRESS


def _thinks_aloud(tokens: Tokens, source: Source, cue: int, verb: Verb) -> bool:
    """Return whether who thinks has said so: a name or several who speak, who think now, or thought "that …"."""
    speaks = source.shape is Shape.NAME or (is_speaker(tokens, source) and _is_plural(tokens, source))
    return speaks and (verb.form is not Form.PAST or tokens.word(cue + 1) == "that")


def _tell_somebody(tokens: Tokens, source: Source, cue: int) -> bool:
    """Return whether several speak ("onlookers tell us …") and are not spoken of ("boats said to be lost")."""
    return _is_plural(tokens, source) and tokens.word(cue + 1) not in ("to", "by")


def _is_plural(tokens: Tokens, source: Source) -> bool:
    return (
        source.head.endswith(("s", "men"))
        or source.head in cues.PLURALS
        or "and" in tokens.lower[source.first : source.last]
    )


def _agrees(source: Source, verb: Verb) -> bool:
    """Return whether a name and a verb agree: a person "says", and never "say"."""
    mention = source.mention
    return not (verb.form is Form.BASE and mention is not None and mention.kind is Kind.PERSON)


def rank_of(tokens: Tokens, line: range, source: Source, verb: Verb) -> int:
    """Return how surely this is the sentence's own speaker."""
    i = source.first - 1
    while i >= line.start and (tokens.lower[i] in cues.ADVERBS or tokens.lower[i] in cues.DETERMINERS - {"that"}):
        i -= 1
    word = tokens.lower[i] if i >= line.start and not tokens.quoted[i] else ""
    if word in cues.TELLING_WHEN and i > line.start and verb.force is not Force.THINKING:
        return ASIDE
    if word in cues.HINDERING:
        return BELOW
    if word in cues.ASIDES and not (word in cues.JOINING and i == line.start):
        return ASIDE if verb.force is not Force.ACT or word in cues.JOINING else BELOW
    return MAIN
