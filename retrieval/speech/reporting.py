"""A reporting verb -> the speech it reports, unless it is a passive, a noun or a denial of speech.

It is behind its subject ("Ann Lee said"), before it ("…," said Ann Lee), or in -ing ("…, adding that").
"""

from __future__ import annotations

from retrieval.lexicon.reporting_verbs import (
    FINDING,
    INVERTING,
    NOUNS_TOO,
    PARTICLED,
    PARTICLES,
    VERBS,
    Force,
    Form,
    Verb,
)
from retrieval.model import Kind
from retrieval.speech.cues import ASIDE, BELOW, MAIN, Shape, Source, Speech, cues
from retrieval.speech.phrases import is_speaker, names_speaker, phrase
from retrieval.speech.subjects import clause_subject, phrase_before, skip_back, subject_before, subject_before_relative
from retrieval.text.tokens import Tokens

_FIGURE_TOKENS = 4  # tokens from "at" to its number: "at more than about 300"
_CLAUSE_TOKENS = 12  # tokens within which a clause shows its verb
_DO_FORMS = frozenset(("did", "does"))
_POSSESSIVE = frozenset(("'s", "’s"))  # of whom somebody is the director
_QUOTE_TOKENS = 5  # tokens after a cue within which its quotation opens
_LONG_QUOTE_TOKENS = 3  # shorter ones are a quoted term
_ROLE_TOKENS = 10  # tokens between a verb and the name of its subject
_NAME_STOPS = (
    cues.commas | cues.prepositions | cues.auxiliaries | cues.subordinators | {".", "!", "?", ":", "who", "that"}
)
_SUBJECT_ENDS = cues.commas | cues.prepositions | cues.times | cues.subordinators | set(".!?:") | {"who", "...", "…"}
_APPOSITION_OPENERS = cues.determiners | {"who"}
_QUOTED_AS_TOKENS = 12  # tokens from "quoted" to "as saying"
# After them a participle has the main clause's subject: "began by saying", "praised him for saying".
_PARTICIPLE_OPENERS = cues.commas | {"by", "in"}


def reporting_verb(tokens: Tokens, line: range, i: int) -> Speech | None:
    verb = VERBS[tokens.lower[i]]
    agent = _agent(tokens, line, i, verb)
    if agent:
        return Speech(agent, i, i, MAIN, "passive with its agent", verb.lemma)
    last = _particle(tokens, line, i, verb)
    going_on = _goes_on_to_say(tokens, line, i, verb)
    if going_on:
        return going_on
    after = inverted(tokens, line, i, verb)
    if after:
        return Speech(after, i, last, MAIN, "cue before its subject", verb.lemma)
    source = subject_before(tokens, line.start, i)
    if source is None or not _can_be_subject(tokens, source):
        source = subject_before_relative(tokens, line.start, i) or source
    if source is None:
        return None
    beside = quote_follows(tokens, line, last) or quote_precedes(tokens, line, min(source.first, i))
    if not _reports(tokens, line, i, verb, source, beside=beside):
        return None
    if not can_speak(tokens, source, i, verb, beside=beside):
        return None
    rank = rank_of(tokens, line, source, verb)
    if _is_in_who_clause(tokens, line, i):
        rank = min(rank, ASIDE) if verb.force is Force.SAYING else BELOW
    if rank == BELOW:
        return None
    return Speech(source, i, last, rank, "subject before its cue", verb.lemma)


def _goes_on_to_say(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Match "went on to claim that", "took to the airwaves to say"."""
    if verb.form is not Form.BASE or tokens.word(i - 1) != "to":
        return None
    low = max(line.start, i - 1 - _FIGURE_TOKENS)
    start = next((j for j in range(i - 2, low - 1, -1) if tokens.lower[j] in cues.beginning_verbs), None)
    if start is None or any(separates(tokens, j) or tokens.quoted[j] for j in range(start + 1, i)):
        return None
    source, beside = subject_before(tokens, line.start, start), quote_follows(tokens, line, i)
    if source is None or not (beside or has_clause(tokens, line, i, strict=True)):
        return None
    if helpers(tokens, line, start) & (cues.negations | cues.modals | cues.being | {"to"}):
        return None
    past = Verb(verb.lemma, Form.PAST, verb.force)
    if not can_speak(tokens, source, i, past, beside=beside):
        return None
    return Speech(source, start, i, rank_of(tokens, line, source, past), "sets out to say", verb.lemma)


def _is_in_who_clause(tokens: Tokens, line: range, i: int) -> bool:
    return tokens.word(skip_back(tokens, line.start, i - 1)) == "who"


def _agent(tokens: Tokens, line: range, i: int, verb: Verb) -> Source | None:
    """Match "was first reported by …"."""
    if verb.form not in (Form.PAST, Form.PARTICIPLE) or tokens.word(i + 1) != "by" or i + 2 >= line.stop:
        return None
    if not helpers(tokens, line, i) & cues.being or helpers(tokens, line, i) & cues.negations:
        return None
    if verb.lemma in ("quote", "cite"):  # whom they quote speaks
        return None
    source = phrase(tokens, i + 2, line.stop)
    return source if source and (source.mention or is_speaker(tokens, source)) else None


def _can_be_subject(tokens: Tokens, source: Source) -> bool:
    """Return False for a word in -ed or -ing without an article, which is no subject."""
    first = tokens.lower[source.first]
    return source.shape is not Shape.PHRASE or is_speaker(tokens, source) or first in cues.determiners


def _particle(tokens: Tokens, line: range, i: int, verb: Verb) -> int:
    """Return the last token of a verb with its particle ("pointed out", "called for")."""
    following = tokens.lower[i + 1] if i + 1 < line.stop else ""
    return i + 1 if (verb.lemma, following) in PARTICLES else i


def quote_follows(tokens: Tokens, line: range, last: int) -> bool:
    """Return whether a quotation opens soon after the cue ("said: “…", "told us on Sunday “…")."""
    for j in range(last + 1, min(last + _QUOTE_TOKENS, line.stop)):
        if tokens.quoted[j]:
            return all(tokens.quoted[j : min(j + _LONG_QUOTE_TOKENS + 2, line.stop)])
    return False


def quote_precedes(tokens: Tokens, line: range, first: int) -> bool:
    """Return whether a quotation closes right before the speaker or the cue, words of his role skipped.

    "“It is time,” the port's director, Ann Lee, wrote": what he is apposed to is skipped too.
    """
    j = first - 1
    if tokens.word(j) == "," and not tokens.is_quoted(j - 1):
        j -= 1
    while j > line.start and not tokens.quoted[j] and j > first - _CLAUSE_TOKENS:
        if separates(tokens, j) and tokens.lower[j] not in _POSSESSIVE:
            break
        j -= 1
    if j >= line.start and tokens.lower[j] == ",":
        j -= 1
    return j >= line.start and all(tokens.quoted[max(line.start, j - _LONG_QUOTE_TOKENS) : j + 1])


def separates(tokens: Tokens, j: int) -> bool:
    """Return whether a token separates a speaker from words that belong to the speaker."""
    word = tokens.lower[j]
    return word in cues.commas or word in cues.auxiliaries or word in cues.clause_openers or word in VERBS


def _reports(tokens: Tokens, line: range, i: int, verb: Verb, source: Source, *, beside: bool) -> bool:  # noqa: PLR0913 - the verb, its subject and their places
    """Return whether the verb asserts that somebody spoke, and has beside it what it needs."""
    if not _is_asserted(helpers(tokens, line, i), verb):
        return False
    word, last = tokens.lower[i], _particle(tokens, line, i, verb)
    following = tokens.lower[last + 1] if last + 1 < line.stop else "."
    if verb.force is Force.ACT and not beside and following in cues.agent_prepositions:
        return False
    if source.head in cues.documents | cues.media_nouns and verb.lemma in FINDING:
        return True
    if verb.lemma in PARTICLED:
        return beside or last > i or (verb.lemma == "put" and _puts_at(tokens, line, i))
    if _has_subject(tokens, line, i, verb, source) and (following in cues.determiners or last + 1 in tokens.opening):
        return True
    if word not in NOUNS_TOO and verb.force not in (Force.CLAUSE, Force.THINKING):
        return True
    if word in NOUNS_TOO and following == "to" and source.last == skip_back(tokens, line.start, i - 1):
        return verb.force is Force.SAYING and source.mention is not None  # "Lee claims to …"
    noun = word in NOUNS_TOO and tokens.word(i - 1) != ","
    return beside or last > i or has_clause(tokens, line, i, strict=noun)


def _is_asserted(beside: set[str], verb: Verb) -> bool:
    """Return False for a passive, and behind "not", "will" or "to"."""
    if beside & cues.negations or beside & cues.modals or "to" in beside:
        return False
    if verb.form is Form.PARTICIPLE and not beside & cues.having:
        return False
    return not (verb.form in (Form.PAST, Form.PARTICIPLE) and beside & cues.being)


def _has_subject(tokens: Tokens, line: range, i: int, verb: Verb, source: Source) -> bool:
    """Return whether a form that may be a noun agrees with its subject ("Lee disputes the tale")."""
    agrees = verb.form is Form.THIRD or (verb.form is Form.BASE and _is_plural(tokens, source))
    return verb.force is Force.ACT and agrees and source.last in (i - 1, skip_back(tokens, line.start, i - 1))


def _puts_at(tokens: Tokens, line: range, i: int) -> bool:
    """Match "put the toll at 300"."""
    words = tokens.lower[i + 1 : min(i + _CLAUSE_TOKENS, line.stop)]
    if "at" not in words:
        return False
    figures = words[words.index("at") + 1 :][:_FIGURE_TOKENS]
    return any(word[0].isdigit() for word in figures)


def helpers(tokens: Tokens, line: range, i: int) -> set[str]:
    """Return the auxiliaries, negations and "to" before the verb; adverbs are skipped."""
    found: set[str] = set()
    j = i - 1
    while j >= line.start and not tokens.quoted[j]:
        word = tokens.lower[j]
        if word in cues.auxiliaries or word in cues.negations or word == "to":
            found.add(word)
        elif word not in cues.adverbs and not (word.endswith("ly") and word not in cues.nouns_in_ly):
            break
        j -= 1
    return found


def has_clause(tokens: Tokens, line: range, i: int, *, strict: bool) -> bool:
    """Return whether what was said follows the verb, or closed before it ("…, he added.")."""
    j = i + 1
    while j < line.stop and tokens.lower[j] in cues.adverbs | cues.times | {"on"} and not tokens.quoted[j]:
        j += 1
    if j >= line.stop:
        return True
    following = tokens.lower[j]
    if tokens.quoted[j] or following in cues.clause_words:
        return True
    if following in (",", ".", "in", "on"):
        return (not strict or following == ".") and is_parenthetical(tokens, line, i)
    if strict:
        return False
    if tokens.lower[j - 1] == "on":  # "wrote on her blog that …", but "continued on its path as it …"
        return "that" in tokens.lower[j : min(j + _CLAUSE_TOKENS, line.stop)]
    return (following in cues.clause_starts or j in tokens.opening) and _verb_follows(tokens, line, j)


def _verb_follows(tokens: Tokens, line: range, j: int) -> bool:
    for k in range(j, min(j + _CLAUSE_TOKENS, line.stop)):
        if tokens.lower[k] == ",":
            return False
        word = tokens.lower[k]
        if word in cues.auxiliaries and word not in ("'s", "’s"):
            return True
        if k > j and (word in VERBS or word.endswith("ed")) and word not in NOUNS_TOO:
            return True
    return False


def is_parenthetical(tokens: Tokens, line: range, i: int) -> bool:
    """Match a closing "…, X added"."""
    j = skip_back(tokens, line.start, i - 1)
    while j >= line.start and tokens.lower[j] not in cues.commas and not tokens.quoted[j]:
        j -= 1
    return j > line.start


def can_speak(tokens: Tokens, source: Source, cue: int, verb: Verb, *, beside: bool) -> bool:
    if source.shape is Shape.PRONOUN:
        return source.head not in ("i", "we")
    if verb.force is Force.THINKING and not _thinks_aloud(tokens, source, cue, verb):
        return False
    if source.shape is Shape.NAME:
        agrees = tokens.lower[cue - 1] in _DO_FORMS or _agrees(source, verb)
        return agrees and source.mention is not None and source.mention.kind is not Kind.EVENT
    if source.head in cues.non_speakers or (verb.lemma in FINDING and not _finds(tokens, source)):
        return False
    that = tokens.word(cue + 1) == "that"
    if tokens.lower[cue] in NOUNS_TOO and not beside and not that and not is_speaker(tokens, source):
        return False
    if verb.form is Form.BASE and not _is_plural(tokens, source):
        return False
    determined = tokens.lower[source.first] in cues.determiners
    if is_speaker(tokens, source) or (that and determined):
        return True
    speaks = determined or (that and source.head not in VERBS) or _address_somebody(tokens, source, cue)
    return verb.force is Force.SAYING and speaks


def _finds(tokens: Tokens, source: Source) -> bool:
    """Return False for a storm that "shows" or "reveals"."""
    if source.first in tokens.opening and source.last in tokens.ending:
        return True
    return names_speaker(source.head) or source.head in cues.documents | cues.media_nouns


def _thinks_aloud(tokens: Tokens, source: Source, cue: int, verb: Verb) -> bool:
    """Return whether a thought was spoken: by a name or several speakers, in the present or with "that"."""
    speaks = source.shape is Shape.NAME or (is_speaker(tokens, source) and _is_plural(tokens, source))
    return speaks and (verb.form is not Form.PAST or tokens.word(cue + 1) == "that")


def _address_somebody(tokens: Tokens, source: Source, cue: int) -> bool:
    """Tell "onlookers tell us …" from "boats said to be lost"."""
    return _is_plural(tokens, source) and tokens.word(cue + 1) not in ("to", "by")


def _is_plural(tokens: Tokens, source: Source) -> bool:
    is_list = "and" in tokens.lower[source.first : source.last]
    return is_list or source.head.endswith(("s", "men")) or source.head in cues.plurals


def _agrees(source: Source, verb: Verb) -> bool:
    """Match a person who "says", and never one who "say"."""
    mention = source.mention
    return not (verb.form is Form.BASE and mention is not None and mention.kind is Kind.PERSON)


def rank_of(tokens: Tokens, line: range, source: Source, verb: Verb) -> int:
    i = source.first - 1
    while i >= line.start and (tokens.lower[i] in cues.adverbs or tokens.lower[i] in cues.determiners - {"that"}):
        i -= 1
    word = tokens.lower[i] if i >= line.start and not tokens.quoted[i] else ""
    if word in cues.report_clause_openers and i > line.start and verb.force is not Force.THINKING:
        return ASIDE
    if word in cues.dependent_clause_openers:
        return BELOW
    if word in cues.side_clause_openers and not (word in cues.contrasting and i == line.start):
        return ASIDE if verb.force is not Force.ACT or word in cues.contrasting else BELOW
    return MAIN


def inverted(tokens: Tokens, line: range, i: int, verb: Verb) -> Source | None:
    """Return the subject behind its verb: "…," said Ann Lee."""
    opens = i == line.start
    quoted = tokens.is_quoted(i - 1) or (tokens.word(i - 1) == "," and tokens.is_quoted(i - 2))
    # "“Night Ferry” tells the story of two sisters" is a title's verb
    if verb.lemma not in INVERTING and (opens or not quoted or not _is_parted(tokens, i)):
        return None
    if not opens and not tokens.is_quoted(i - 1) and tokens.word(i - 1) not in cues.commas - {")", "]"}:
        return None
    after_quote = not opens and tokens.is_quoted(i - 1)
    found = (phrase(tokens, i + 1, line.stop), _introduced(tokens, line, i) if quoted else None)
    speaking = [_with_another(tokens, each) for each in found if each]
    closed = (each for each in speaking if _closes(tokens, line, each.last + 1, after_quote=after_quote))
    source = next(closed, None)
    if source is None or (source.shape is Shape.PHRASE and not is_speaker(tokens, source)):
        return None
    if opens:
        behind = range(source.last + 1, line.stop)
        quoted_from = next((j for j in behind if tokens.is_quoted(j)), source.last + 1)
        leads = tokens.word(source.last + 1) == ":" or tokens.word(quoted_from - 1) in (":", ",")
        return source if leads else None
    sure = quoted or tokens.word(source.last + 1) == ":"
    if sure or _clause_before(tokens, line, i - 1):
        return source
    can_speak = source.shape is not Shape.PHRASE or names_speaker(source.head)
    # who tweets or comments may do so about what follows
    speaks = can_speak and verb.lemma not in NOUNS_TOO
    return source if speaks and _ends(tokens, line, source.last + 1) else None


def _with_another(tokens: Tokens, source: Source) -> Source:
    """Return both speakers of "Ann Lee and Jon Kay"."""
    last, mention = tokens.opening.get(source.last + 2, (0, None))
    people = {each.kind if each else None for each in (source.mention, mention)}
    if people != {Kind.PERSON} or tokens.lower[source.last + 1] != "and":
        return source
    return Source(Shape.PHRASE, source.first, last, tokens.lower[last])


def _introduced(tokens: Tokens, line: range, i: int) -> Source | None:
    """Return the name behind a long role: said "the port's founder and co-director Ann Lee"."""
    for j in range(i + 1, min(i + _ROLE_TOKENS, line.stop)):
        last, mention = tokens.opening.get(j, (j, None))
        if mention is not None and mention.kind is Kind.PERSON:
            return Source(Shape.NAME, j, last, tokens.lower[last], mention)
        if tokens.quoted[j] or tokens.lower[j] in _NAME_STOPS:
            return None
    return None


def _is_parted(tokens: Tokens, i: int) -> bool:
    """Return whether a comma or a stop separates a quotation from the verb behind it."""
    behind = tokens.text[tokens.starts[i - 2] : tokens.starts[i]] if i > 1 else ""
    return any(mark in behind for mark in ",.!?…—–-")


def _closes(tokens: Tokens, line: range, i: int, *, after_quote: bool) -> bool:
    if i >= line.stop or tokens.quoted[i]:
        return True
    word = tokens.lower[i]
    return word in _SUBJECT_ENDS or (after_quote and word.endswith(("ing", "ed")))


def _ends(tokens: Tokens, line: range, i: int) -> bool:
    """Return whether the sentence ends before ``i``, or with no more than what the subject is apposed to.

    Or goes on with the verb of what is said: "The ferry, said Ann Lee, was late."
    """
    if i < line.stop and tokens.word(i) in cues.commas:
        parted = any(tokens.word(j) in cues.commas for j in range(i + 1, line.stop))
        apposed = tokens.word(i + 1) in _APPOSITION_OPENERS and not parted
        return apposed or tokens.word(i + 1) in cues.auxiliaries
    return i >= line.stop or tokens.word(i) in (".", "!", "?", "...", "…")


def _clause_before(tokens: Tokens, line: range, comma: int) -> bool:
    """Return whether a whole clause precedes the comma, and not only a name and its apposition."""
    return any(
        (tokens.lower[j] in cues.auxiliaries and tokens.lower[j] not in ("'s", "’s"))
        or (tokens.lower[j].endswith("ed") and j > line.start)
        for j in range(line.start, comma)
    )


def participle(tokens: Tokens, line: range, i: int) -> Speech | None:
    verb = VERBS[tokens.lower[i]]
    if verb.force is Force.THINKING or i == line.start:
        return None
    if helpers(tokens, line, i) & cues.being:
        return _progressive(tokens, line, i, verb)
    if tokens.word(i - 1) == "as" and verb.lemma == "say":
        return _quoted_as(tokens, line, i)
    if tokens.word(i - 1) in _PARTICIPLE_OPENERS or tokens.is_quoted(i - 1):
        return _adjoined(tokens, line, i, verb)
    return _joined(tokens, line, i, verb)


def _says_what(tokens: Tokens, line: range, i: int) -> bool:
    return quote_follows(tokens, line, i) or has_clause(tokens, line, i, strict=True)


def _progressive(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Match "is saying", "is reporting that"."""
    source = subject_before(tokens, line.start, i)
    needs = verb.force is Force.CLAUSE or verb.lemma == "report"
    if source is None or (needs and not _says_what(tokens, line, i)):
        return None
    if not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, rank_of(tokens, line, source, verb), "is saying", verb.lemma)


def _adjoined(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Match "…, saying that …": the main clause's subject speaks."""
    acts = verb.force is Force.ACT and tokens.lower[i] not in NOUNS_TOO and tokens.word(i - 1) in cues.commas
    if verb.force is not Force.SAYING and not acts and not _says_what(tokens, line, i):
        return None
    source = clause_subject(tokens, line.start, i)
    if source is None or not can_speak(tokens, source, i, verb, beside=False):
        return None
    return Speech(source, i, i, ASIDE, "subject of a participle", verb.lemma)


def _joined(tokens: Tokens, line: range, i: int, verb: Verb) -> Speech | None:
    """Match "with activists saying that …": who is named right before the verb speaks."""
    if not _says_what(tokens, line, i):
        return None
    source = phrase_before(tokens, line.start, i)
    if source is None or source.last < i - 1 or source.head in cues.documents:
        return None
    speaks = source.mention or is_speaker(tokens, source)
    return Speech(source, i, i, ASIDE, "subject right before a participle", verb.lemma) if speaks else None


def _quoted_as(tokens: Tokens, line: range, i: int) -> Speech | None:
    """Match "was quoted by an agency as saying", "quoted him as saying": the one quoted speaks."""
    words = tokens.lower
    for j in range(i - 2, max(line.start, i - _QUOTED_AS_TOKENS), -1):
        if words[j] in cues.quoting_verbs and not tokens.quoted[j]:
            passive = tokens.word(j - 1) in cues.being
            source = subject_before(tokens, line.start, j) if passive else phrase_before(tokens, j + 1, i - 1)
            return Speech(source, j, i, MAIN, "quoted as saying", "say") if source else None
    return None
