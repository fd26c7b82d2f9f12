"""A trigger -> whose inability it speaks of: an outlet's, or somebody's who is merely reported."""

import re
from dataclasses import dataclass

from retrieval.caveats.cues import cues
from retrieval.caveats.triggers import Trigger, Wording
from retrieval.lexicon.reporting_verbs import NOUNS_TOO, SOURCED, VERBS, Force
from retrieval.names.outlets import AGENCIES, COMMON, Newsroom, Press
from retrieval.text.tokens import FARTHEST, Tokens

# Verbs whose subject is the source of a clause, whatever is beside them.
SAYING = {"determined"} | {word for word, verb in VERBS.items() if verb.force is Force.SAYING or verb.lemma in SOURCED}
_SITE = re.compile(r"[^\W_]\.(?:com|org|net|news|info|co\.\w\w)$", re.IGNORECASE)  # "Example.com has been unable to"
_RELATIVE = frozenset(("which", "whose", "where"))
_INSERTING = frozenset((",", "—", "–"))
_PRONOUNS = frozenset(("it", "they"))
_WORDLESS = frozenset(("comment", "reply", "respond"))  # whose object is never what is said
_BEHIND_WORDLESS = frozenset(("to", "on", "and", "but", ",", ";", ""))
_LONGEST_SUBJECT = 5  # words
_AFTERWORD = 3  # words that may follow the last clause: a full stop, a quotation mark
_FAR = 12  # words in which an agent follows its verb


@dataclass(frozen=True, slots=True)
class Inability:
    """An outlet's inability: ``relayed`` by another than the article's own; ``officials``: of sources, not outlets."""

    verifier: str | None
    relayed: bool = False
    officials: bool = False


def source_of(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    """Return whose inability it is; None where it is not a newsroom's."""
    return _of_subject(line, trigger, press) if trigger.form is Wording.ACTIVE else _of_nobody(line, trigger, press)


def _as_inability(outlet: Newsroom | None, *, by_speech: bool = False) -> Inability | None:
    """Return an outlet's inability; agency copy is printed everywhere and does not count as relayed."""
    if outlet is None:
        return None
    return Inability(outlet.name, relayed=not outlet.own and (by_speech or outlet.name not in AGENCIES))


def _of_subject(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    if trigger.subject:
        start, end = trigger.subject
        return _as_inability(press.outlet(line.words[start:end]))
    end = line.back_over(trigger.start, lambda word: word in cues.skipped_adverbs)
    start = line.clause_start(end)
    if start == end:
        return _of_interrupted(line, start, press) or _of_earlier_subject(line, start, press)
    if line.lower[end - 1] in _PRONOUNS:
        return _of_pronoun(line, end - 1, press)
    subject = line.words[start:end]
    found = press.outlet(subject) or _of_longer_name(line, start, end, press)
    if found is None and line.word(trigger.start) == "being":  # "the Herald printed it despite being unable to"
        found = _opening_outlet(subject, press)
    if found is None and _SITE.search(subject[-1]):
        found = Newsroom(subject[-1], own=not press.own)
    if found is None and "independently" in line.lower[trigger.start : trigger.end]:
        found = press.stranger(subject)
    return _as_inability(found)


def _of_interrupted(line: Tokens, end: int, press: Press) -> Inability | None:
    """Match "The Herald, which has seen the letter, could not …"."""
    opening = _before_insertion(line, end - 1) if line.word(end - 1) in _INSERTING else end
    if opening >= end - 1 or line.word(opening + 1) not in _RELATIVE | cues.insertion_openers:
        return None
    return _as_inability(press.outlet(line.words[line.clause_start(opening) : opening]))


def _of_longer_name(line: Tokens, start: int, end: int, press: Press) -> Newsroom | None:
    """Match "The Mail and Times could not …"."""
    if line.word(start - 1) not in {"and", "&"}:
        return None
    return press.outlet(line.words[line.clause_start(start - 1) : end])


def _of_pronoun(line: Tokens, at: int, press: Press) -> Inability | None:
    """Match "CNN, which said it could not verify"."""
    saying = at - 2 if line.word(at - 1) == "that" else at - 1
    if line.word(saying) in SAYING:
        words = _subject_words(line, saying)
        itself = words[-1:] and words[-1].lower() in _PRONOUNS
        return _as_inability(_opening_paper(line) if itself else press.outlet(words), by_speech=True)
    return _of_earlier_subject(line, at, press)


def _opening_paper(line: Tokens) -> Newsroom | None:
    """Match "Another paper, the Echo, …"."""
    comma = line.clause_end(0)
    end = line.clause_end(comma + 1)
    named = line.words[comma + 1 : end] if line.word(comma) == "," and line.word(end) == "," else ()
    if not named or line.word(comma - 1) not in COMMON or not all(word[0].isupper() for word in named[1:]):
        return None
    return Newsroom(" ".join(named).removeprefix("the "), own=False)


def _subject_words(line: Tokens, verb: int) -> tuple[str, ...]:
    end = line.back_over(verb, lambda word: word in cues.before_verbs or word.endswith("ly"))
    if line.word(end - 1) == ",":
        end = _before_insertion(line, end - 1) if end == verb else end - 1
    return line.words[line.clause_start(end) : end]


def _before_insertion(line: Tokens, comma: int) -> int:
    return next((i for i in line.before(comma, FARTHEST) if line.lower[i] == line.lower[comma]), comma)


def _of_earlier_subject(line: Tokens, before: int, press: Press) -> Inability | None:
    """Match "Reuters went there but could not verify"."""
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
    """Return whether the clause depends on an earlier one: "…, and found that …"."""
    return line.lower[start] in cues.skipped_adverbs or line.lower[start] in SAYING or line.word(start - 1) == "that"


def _of_nobody(line: Tokens, trigger: Trigger, press: Press) -> Inability | None:
    """Passive or impersonal: the agent's, or the reporting speaker's, or else the outlet's."""
    agent = _agent(line, trigger)
    if agent is not None:
        if agent and agent[0].lower() in cues.no_agents:
            return Inability(None)
        return _as_inability(press.outlet(agent) or _opening_outlet(agent, press))
    if trigger.form is Wording.ATTRIBUTIVE and line.word(trigger.end) not in cues.office_nouns:
        return Inability(None)  # an epithet is the reporter's, whoever says the rest
    speaker = _speaker_before(line, trigger) or _speaker_after(line, trigger)
    if speaker is None:
        return Inability(None)
    return _as_inability(press.outlet(speaker) or _opening_outlet(speaker, press), by_speech=True)


def _agent(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of "by …" or "from …" after the trigger, within its clause."""
    stop, passive = min(line.clause_end(trigger.end), trigger.end + _FAR), trigger.form is Wording.PASSIVE
    if not passive and trigger.rule not in {"lacking", "out of reach"}:
        return None
    for i in range(trigger.end, stop):
        word = line.lower[i]
        if word == "by" or (word == "from" and trigger.rule == "lacking"):
            return line.words[i + 1 : stop]
        if passive and i > trigger.end and not (word.endswith("ly") or word in cues.agent_links):
            return None
    return None


def _opening_outlet(words: tuple[str, ...], press: Press) -> Newsroom | None:
    """Return the newsroom that opens ``words``: "by Reuters shows men"."""
    openings = (words[:end] for end in range(min(len(words) - 1, _LONGEST_SUBJECT), 0, -1))
    return next((found for opening in openings if (found := press.outlet(opening))), None)


def _speaker_before(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Match "officials said the claim could not …"."""
    for i in line.before(trigger.start, FARTHEST):
        if _returns_to_outlet(line, i) or _concluding(line, i):
            return None
        if line.lower[i] in SAYING and _governs(line, i):
            return _subject_words(line, i)
        if line.lower[i] in SAYING and line.lower[i].endswith("ing") and line.word(i - 1) in {",", "as", "while"}:
            return line.words  # "…, saying that": whoever opens the sentence says it
    passive = trigger.form is Wording.PASSIVE
    if passive and line.lower[:2] == ("according", "to") and line.lower[: trigger.start].count(",") <= 1:
        return line.words[2 : line.clause_end(2)]
    return None


def _returns_to_outlet(line: Tokens, i: int) -> bool:
    """Return whether a clause of the outlet's own begins: "…, but", "…, which", "…, a claim that"."""
    word = line.lower[i]
    inserted = line.word(i - 1) in {",", "-"} and word in cues.apposition_openers
    return word == "which" or inserted or (word in cues.clause_turns and line.breaks(i))


def _concluding(line: Tokens, i: int) -> bool:
    """Return whether the main clause begins, which is the outlet's: "Although police believe so, …"."""
    return line.word(i) == "," and line.word(0) in cues.concessives and "," not in line.lower[:i]


def _governs(line: Tokens, verb: int) -> bool:
    """Return whether a verb of saying leads the sentence, and no clause behind a noun ("a video activists said …")."""
    if _is_noun(line, verb) or _says_nothing(line, verb):
        return False
    start = line.clause_start(verb)
    if start == verb:
        return line.word(verb - 1) == "," and _before_insertion(line, verb - 1) < verb - 1
    return line.word(start - 1) not in cues.hanging_clause_openers


def _says_nothing(line: Tokens, verb: int) -> bool:
    """Match "police did not respond" and "the minister declined to comment and …": nothing is reported."""
    start = line.back_over(verb, lambda word: word in cues.skipped_adverbs)
    known = VERBS.get(line.lower[verb])
    wordless = known is not None and known.lemma in _WORDLESS and line.word(verb + 1) in _BEHIND_WORDLESS
    return wordless or line.word(start - 1) in cues.negations


def _is_noun(line: Tokens, verb: int) -> bool:
    """Tell "casualty reports are", "his claim" from "the army claims"."""
    if line.word(verb - 1) in cues.determiners:
        return True
    after_name = verb > 0 and line.words[verb - 1][0].isupper()
    return line.lower[verb] in NOUNS_TOO and (not after_name or line.word(verb + 1) in cues.after_nouns)


def _speaker_after(line: Tokens, trigger: Trigger) -> tuple[str, ...] | None:
    """Match ", police said", ", as the Post noted", "according to the army"."""
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
    """Return whether the verb of saying is in the sentence's last clause, behind the trigger."""
    start = line.clause_start(verb)
    set_off = start >= after and line.word(start - 1) in {",", "as"}
    finite = line.word(verb - 1) not in cues.not_finite
    said_no_more = start == verb or not line.word(verb + 1).isalpha() or line.word(verb + 1) in cues.time_openers
    return set_off and finite and said_no_more and line.clause_end(verb) >= len(line) - _AFTERWORD
