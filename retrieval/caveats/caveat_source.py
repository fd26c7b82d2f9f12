"""A trigger -> whose inability it speaks of: an outlet's, or somebody's who is merely reported."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.caveats.inability import Form, Trigger
from retrieval.caveats.nouns import FIGURES
from retrieval.caveats.verifying import AUXILIARIES
from retrieval.lexicon.reporting_verbs import NOUNS_TOO, SOURCED, VERBS, Force
from retrieval.lexicon.word_classes import classes
from retrieval.press.outlets import AGENCIES, COMMON, Outlet, Press
from retrieval.text.tokens import FARTHEST, Tokens

# Verbs whose subject is the source of a clause, whatever stands beside them.
SAYING = {"determined"} | {word for word, verb in VERBS.items() if verb.force is Force.SAYING or verb.lemma in SOURCED}
_TURNS = classes("adversatives", "concessives") | {";", "—", "–", "--"}
_CONCEDING = classes("concessives") - {"whereas"}
_RELATIVE = frozenset(("which", "whose", "where"))
_ASIDE = {"who", "like"} | {"citing", "having", "along"}
_INSERTING = frozenset((",", "—", "–"))
_AFTER_NOUN = AUXILIARIES | classes("basic_prepositions") | {",", "about"}
_DETERMINERS = classes("determiners", "clitic_s") | {"of", "not", "one"}
_PRONOUNS = frozenset(("it", "they"))
_BEFORE_VERB = classes("forms_of_have") | {"which", "who"}
_LINKING = classes("coordinators") | {"as", "of"}
_ANYBODY = (classes("confirming_adjectives", "alternatives") - {"such", "same", "another"}) | {"any"}
_INSERTED = {"claims", "reports"} | {"a", "something"} | {"whose", "with"}
_HANGING = (classes("relatives") - {"whose"}) | {"that", "what"}
_OFFICES = FIGURES | {"information"}  # what the office that speaks of it may itself call unverified
_WHEN = classes("weekdays", "day_adverbs", "time_adverbs", "ordinals") | {"on", "in", "at"} | {"out"}
_NOT_FINITE = (classes("negations") - {"never"}) | {"to"}
_LONGEST_SUBJECT = 5  # words
_AFTERWORD = 3  # words that may follow the last clause: a full stop, a quotation mark
_FAR = 12  # words in which an agent follows its verb
_SKIPPED = (
    classes("additive_adverbs", "so", "time_adverbs") | {"itself", "themselves"} | {"however", "meanwhile", "far"}
)


@dataclass(frozen=True, slots=True)
class Inability:
    """An outlet's inability: its name where told; ``relayed`` where another than the article's own says so.

    ``officials`` where it is nobody's but theirs who were asked or are cited.
    """

    verifier: str | None
    relayed: bool = False
    officials: bool = False


def source_of(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    """Return whose inability ``trigger`` speaks of; none where it is not a newsroom's."""
    if trigger.form is Form.ACTIVE:
        return _of_subject(line, trigger, press)
    return _of_nobody(line, trigger, press)


def _as_inability(outlet: Outlet | None, *, by_speech: bool = False) -> Inability | None:
    """Return an outlet's inability; an agency's copy is printed everywhere, and is not relayed for that."""
    if outlet is None:
        return None
    return Inability(outlet.name, relayed=not outlet.own and (by_speech or outlet.name not in AGENCIES))


def _of_subject(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    if trigger.subject:
        start, end = trigger.subject
        return _as_inability(press.outlet(line.words[start:end]))
    end = line.back_over(trigger.start, lambda word: word in _SKIPPED)
    start = line.clause_start(end)
    if start == end:
        return _of_interrupted(line, start, press) or _of_earlier_subject(line, start, press)
    if line.lower[end - 1] in _PRONOUNS:
        return _of_pronoun(line, end - 1, press)
    subject = line.words[start:end]
    found = press.outlet(subject) or _of_longer_name(line, start, end, press)
    if found is None and line.word(trigger.start) == "being":  # "the Herald printed it despite being unable to"
        found = _opening_outlet(subject, press)
    if found is None and "independently" in line.lower[trigger.start : trigger.end]:
        found = press.stranger(subject)
    return _as_inability(found)


def _of_interrupted(line: Tokens, end: int, press: Press) -> Inability | None:
    """Match "The Herald, which has seen the letter, could not …": a clause stands between subject and verb."""
    opening = _before_insertion(line, end - 1) if line.word(end - 1) in _INSERTING else end
    if opening >= end - 1 or line.word(opening + 1) not in _RELATIVE | _ASIDE:
        return None
    return _as_inability(press.outlet(line.words[line.clause_start(opening) : opening]))


def _of_longer_name(line: Tokens, start: int, end: int, press: Press) -> Outlet | None:
    """Match a name with a conjunction in it: "The Mail and Times could not …"."""
    if line.word(start - 1) not in {"and", "&"}:
        return None
    return press.outlet(line.words[line.clause_start(start - 1) : end])


def _of_pronoun(line: Tokens, at: int, press: Press) -> Inability | None:
    """Match "CNN, which said it could not verify": the one who says it."""
    saying = at - 2 if line.word(at - 1) == "that" else at - 1
    if line.word(saying) in SAYING:
        words = _subject_words(line, saying)
        itself = words[-1:] and words[-1].lower() in _PRONOUNS
        outlet = _opening_paper(line) if itself else press.outlet(words)
        return _as_inability(outlet, by_speech=True)
    return _of_earlier_subject(line, at, press)


def _opening_paper(line: Tokens) -> Outlet | None:
    """Return the newsroom that opens a sentence with what it is: "Another paper, the Echo, …"."""
    comma = line.clause_end(0)
    end = line.clause_end(comma + 1)
    named = line.words[comma + 1 : end] if line.word(comma) == "," and line.word(end) == "," else ()
    if not named or line.word(comma - 1) not in COMMON or not all(word[0].isupper() for word in named[1:]):
        return None
    return Outlet(" ".join(named).removeprefix("the "), own=False)


def _subject_words(line: Tokens, verb: int) -> tuple[str, ...]:
    """Return the words of the subject of the verb at ``verb``, past an insertion between commas."""
    end = line.back_over(verb, lambda word: word in _BEFORE_VERB or word.endswith("ly"))
    if line.word(end - 1) == ",":
        end = _before_insertion(line, end - 1) if end == verb else end - 1
    return line.words[line.clause_start(end) : end]


def _before_insertion(line: Tokens, comma: int) -> int:
    """Return where the words before the insertion that closes at ``comma`` end."""
    return next((i for i in line.before(comma, FARTHEST) if line.lower[i] == line.lower[comma]), comma)


def _of_earlier_subject(line: Tokens, before: int, press: Press) -> Inability | None:
    """Match "Reuters went there but could not verify": the subject that opened the sentence, or the clause."""
    end = before
    while end > 0 and before - end < FARTHEST:
        start = line.clause_start(end)
        clause = line.words[start:end]
        found = press.outlet(clause[:_LONGEST_SUBJECT]) or _opening_outlet(clause, press)
        if found or (start < end and not _leads_back(line, start)):
            return _as_inability(found)
        end = start - 1
    return None


def _leads_back(line: Tokens, start: int) -> bool:
    """Return whether the clause at ``start`` depends on an earlier one: "…, and found that …"."""
    return line.lower[start] in _SKIPPED or line.lower[start] in SAYING or line.word(start - 1) == "that"


def _of_nobody(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    """Passive or impersonal: the agent's, or the reporting speaker's, or else the outlet's."""
    agent = _agent(line, trigger)
    if agent is not None:
        return _of_agent(agent, press)
    if trigger.form is Form.ATTRIBUTIVE and line.word(trigger.end) not in _OFFICES:
        return Inability(None)  # an epithet is the reporter's, whoever says the rest
    speaker = _speaker_before(line, trigger) or _speaker_after(line, trigger)
    if speaker is None:
        return Inability(None)
    return _as_inability(press.outlet(speaker) or _opening_outlet(speaker, press), by_speech=True)


def _agent(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of "by …" or "from …" after the trigger, within its clause."""
    stop = min(line.clause_end(trigger.end), trigger.end + _FAR)
    if trigger.form is not Form.PASSIVE and trigger.rule not in {"lacking", "out of reach"}:
        return None
    for i in range(trigger.end, stop):
        word = line.lower[i]
        if word == "by" or (word == "from" and trigger.rule == "lacking"):
            return line.words[i + 1 : stop]
        if trigger.form is Form.PASSIVE and i > trigger.end and not (word.endswith("ly") or word in _LINKING):
            return None
    return None


def _of_agent(agent: tuple[str, ...], press: Press) -> Inability | None:
    if agent and agent[0].lower() in _ANYBODY:
        return Inability(None)
    return _as_inability(press.outlet(agent) or _opening_outlet(agent, press))


def _opening_outlet(words: tuple[str, ...], press: Press) -> Outlet | None:
    """Return the newsroom that opens ``words``, where what follows is no part of its name: "by Reuters shows men"."""
    openings = (words[:end] for end in range(min(len(words) - 1, _LONGEST_SUBJECT), 0, -1))
    return next((found for opening in openings if (found := press.outlet(opening))), None)


def _speaker_before(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of the one in whose mouth the trigger is put: "officials said the claim could not …"."""
    for i in line.before(trigger.start, FARTHEST):
        if _returns_to_outlet(line, i) or _concluding(line, i):
            return None
        if line.lower[i] in SAYING and _governs(line, i):
            return _subject_words(line, i)
        if line.lower[i] in SAYING and _adds(line, i):
            return line.words
    passive = trigger.form is Form.PASSIVE
    if passive and line.lower[:2] == ("according", "to") and line.lower[: trigger.start].count(",") <= 1:
        return line.words[2 : line.clause_end(2)]
    return None


def _returns_to_outlet(line: Tokens, i: int) -> bool:
    """Return whether word ``i`` begins a clause of the outlet's own: "…, but", "…, which", "…, a claim that"."""
    word = line.lower[i]
    inserted = line.word(i - 1) in {",", "-"} and word in _INSERTED
    return word == "which" or inserted or (word in _TURNS and line.breaks(i))


def _concluding(line: Tokens, i: int) -> bool:
    """Return whether the main clause begins at ``i``: "Although police believe so, …" is the outlet's to end."""
    return line.word(i) == "," and line.word(0) in _CONCEDING and "," not in line.lower[:i]


def _governs(line: Tokens, verb: int) -> bool:
    """Return whether a verb of saying leads the sentence, not a clause hung on a noun ("a video activists said …")."""
    if _is_noun(line, verb):
        return False
    start = line.clause_start(verb)
    if start == verb:
        return line.word(verb - 1) == "," and _before_insertion(line, verb - 1) < verb - 1
    return line.word(start - 1) not in _HANGING


def _adds(line: Tokens, verb: int) -> bool:
    """Tell "…, saying that" and "as saying": whoever opens the sentence says it, and in "while admitting" the next."""
    return line.lower[verb].endswith("ing") and line.word(verb - 1) in {",", "as", "while"}


def _is_noun(line: Tokens, verb: int) -> bool:
    """Tell "casualty reports are", "his claim" from "the army claims"."""
    if line.word(verb - 1) in _DETERMINERS:
        return True
    after_name = verb > 0 and line.words[verb - 1][0].isupper()
    return line.lower[verb] in NOUNS_TOO and (not after_name or line.word(verb + 1) in _AFTER_NOUN)


def _speaker_after(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of the speaker named behind: ", police said", ", as the Post noted", "according to the army"."""
    clause = line.clause_start(trigger.start)
    opener = line.word(clause - 1)
    if opener in _RELATIVE or (opener == "," and clause == trigger.start):
        return None
    for i in line.after(trigger.end - 1, FARTHEST):
        if line.lower[i : i + 2] == ("according", "to"):
            return line.words[i + 2 : line.clause_end(i + 2)]
        if line.lower[i] in SAYING and _closes(line, i, trigger.end):
            start = line.clause_start(i)
            return line.words[start:i] if start < i else line.words[i + 1 : line.clause_end(i + 1)]
    return None


def _closes(line: Tokens, verb: int, after: int) -> bool:
    """Return whether the verb of saying at ``verb`` stands in the sentence's last clause, behind the trigger."""
    start = line.clause_start(verb)
    set_off = start >= after and line.word(start - 1) in {",", "as"}
    finite = line.word(verb - 1) not in _NOT_FINITE
    said_no_more = start == verb or not line.word(verb + 1).isalpha() or line.word(verb + 1) in _WHEN
    return set_off and finite and said_no_more and line.clause_end(verb) >= len(line) - _AFTERWORD
