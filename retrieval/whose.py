"""A trigger -> whose inability it speaks of: an outlet's, or somebody's who is merely reported."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.inability import Form, Trigger
from retrieval.outlets import Outlet, Press
from retrieval.titles import listed
from retrieval.verifying import AUXILIARIES
from retrieval.wording import Wording

SAYING = listed("""
    say says said saying told tells tell add adds added adding note notes noted noting report reports reported
    reporting state states stated stress stresses stressed warn warns warned caution cautioned cautions explain
    explained explains acknowledge acknowledged acknowledges admit admitted admits concede conceded claim claims
    claimed insist insisted insists argue argued argues announce announced confirm confirmed write wrote writes
    tweeted replied point pointed emphasize emphasized emphasised testified maintain maintained believe believes
    believed conclude concluded found finds ruled rule determined
""")
_TURNS = listed("but though although while whilst yet ; — – --")
_RELATIVE = listed("which whose where")
_NOUNS_TOO = listed("report reports claim claims note notes state states point")
_AFTER_NOUN = AUXILIARIES | listed("from of by about ,")
_DETERMINERS = listed("""
    a an the this that these those of no not his her their its our my 's ’s such any some neither either each both
    one another all many most other
""")
_PRONOUNS = listed("it they")
_SKIPPED = listed("also still however itself themselves meanwhile so far")


@dataclass(frozen=True, slots=True)
class Inability:
    """An outlet's inability: its name where told; ``relayed`` where another than the article's own says so."""

    verifier: str | None
    relayed: bool = False


def whose(line: Wording, trigger: Trigger, press: Press) -> Inability | None:
    """Return whose inability ``trigger`` speaks of; none where it is not a newsroom's."""
    if trigger.form is Form.ACTIVE:
        return _of_subject(line, trigger, press)
    return _of_nobody(line, trigger, press)


def _as_inability(outlet: Outlet | None, *, by_speech: bool = False) -> Inability | None:
    if outlet is None:
        return None
    return Inability(outlet.name, relayed=by_speech and not outlet.own)


def _of_subject(line: Wording, trigger: Trigger, press: Press) -> Inability | None:
    if trigger.subject:
        start, end = trigger.subject
        return _as_inability(press.outlet(line.words[start:end]))
    end = _phrase_end(line, trigger.start)
    start = line.clause_start(end)
    phrase = line.words[start:end]
    if not phrase:
        return _of_earlier_subject(line, start, press)
    if phrase[-1].lower() in _PRONOUNS:
        return _of_pronoun(line, end - 1, press)
    return _as_inability(press.outlet(phrase))


def _phrase_end(line: Wording, end: int) -> int:
    while end > 0 and line.lower[end - 1] in _SKIPPED:
        end -= 1
    return end


def _of_pronoun(line: Wording, at: int, press: Press) -> Inability | None:
    """Take "CNN, which said it could not verify": the one who says it."""
    saying = at - 1 - (line.lower[at - 1] == "that")
    if at == 0:
        return None
    if line.lower[saying] in SAYING:
        speaker = _subject_of(line, saying, press)
        return _as_inability(speaker, by_speech=True)
    return _of_earlier_subject(line, at, press)


def _subject_of(line: Wording, verb: int, press: Press) -> Outlet | None:
    """Return the newsroom that is the subject of the verb at ``verb``."""
    return press.outlet(_subject_words(line, verb))


def _subject_words(line: Wording, verb: int) -> tuple[str, ...]:
    """Return the words of the subject of the verb at ``verb``, past an insertion between commas."""
    end = verb
    while end > 0 and (
        line.lower[end - 1] in {"has", "have", "had", "which", "who"} or line.lower[end - 1].endswith("ly")
    ):
        end -= 1
    if end > 1 and line.lower[end - 1] == ",":
        end = _before_insertion(line, end - 1) if end == verb else end - 1
    return line.words[line.clause_start(end) : end]


def _before_insertion(line: Wording, comma: int) -> int:
    """Return where the words before the insertion that closes at ``comma`` end."""
    for i in range(comma - 1, 0, -1):
        if line.lower[i] == ",":
            return i
    return comma


def _of_earlier_subject(line: Wording, before: int, press: Press) -> Inability | None:
    """Take "Reuters went there but could not verify": the subject that opened the sentence, or the clause."""
    end = before
    while end > 0:
        start = line.clause_start(end)
        for stop in range(min(end, start + 5), start, -1):
            found = press.outlet(line.words[start:stop])
            if found and stop < end:
                return Inability(found.name)
        if start < end and line.lower[start] not in _SKIPPED:
            found = press.outlet(line.words[start:end])
            return Inability(found.name) if found else None
        end = start - 1
    return None


def _of_nobody(line: Wording, trigger: Trigger, press: Press) -> Inability | None:
    """Passive or impersonal: the agent's, or the reporting speaker's, or else the outlet's."""
    agent = _agent(line, trigger)
    if agent is not None:
        return _of_agent(agent, press)
    speaker = _speaker_before(line, trigger)
    if speaker is None:
        speaker = _speaker_after(line, trigger)
    if speaker is None:
        return Inability(None)
    return _as_inability(press.outlet(speaker), by_speech=True)


def _agent(line: Wording, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of "by …" or "from …" after the trigger, within its clause."""
    if trigger.form is Form.IMPERSONAL and trigger.rule not in {"lacking", "out of reach"}:
        return None
    prepositions = {"by", "from"} if trigger.rule == "lacking" else {"by"}
    stop = min(line.clause_end(trigger.end), trigger.end + 12)
    for i in range(trigger.end, stop):
        if line.lower[i] in prepositions:
            return line.words[i + 1 : stop]
        if trigger.form is Form.PASSIVE and not (
            line.lower[i].endswith("ly")
            or line.lower[i] in {"or", "and", "as", "of"}
            or i == trigger.end
            or line.lower[i].endswith("day")
        ):
            return None
    return None


def _of_agent(agent: tuple[str, ...], press: Press) -> Inability | None:
    if agent and agent[0].lower() in {"independent", "any", "outside", "external", "other"}:
        return Inability(None)
    return _as_inability(press.outlet(agent))


def _speaker_before(line: Wording, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of the one in whose mouth the trigger is put: "officials said the claim could not …"."""
    i = line.clause_start(trigger.start)
    i = trigger.start
    while i > 0:
        i -= 1
        word = line.lower[i]
        if word in _TURNS and line.breaks(i):
            return None
        if word in {"claims", "reports", "a", "something"} and i and line.lower[i - 1] in {",", "-"}:
            return None
        if word == "which" or line.lower[i - 1 : i + 1] == (",", "whose") or line.lower[i - 1 : i + 1] == (",", "with"):
            return None
        if word in SAYING and _governs(line, i):
            return _subject_words(line, i)
    return None


def _governs(line: Wording, verb: int) -> bool:
    """Tell whether a verb of saying leads the sentence, not a clause hung on a noun ("a video activists said …")."""
    start = line.clause_start(verb)
    before = line.words[verb - 1]
    if before.lower() in _DETERMINERS:
        return False
    if line.lower[verb] in _NOUNS_TOO and (not before[0].isupper() or line.lower[verb + 1] in _AFTER_NOUN):
        return False
    if start == verb:
        return before == "," and _before_insertion(line, verb - 1) < verb - 1
    return start == 0 or line.lower[start - 1] not in {"that", "which", "what", "who", "whom"}


def _speaker_after(line: Wording, trigger: Trigger) -> tuple[str, ...] | None:
    """Return the words of the speaker named behind: ", police said", ", as the Post noted", "according to the army"."""
    clause = line.clause_start(trigger.start)
    if clause and (line.lower[clause - 1] in _RELATIVE or (clause == trigger.start and line.lower[clause - 1] == ",")):
        return None
    for i in range(trigger.end, len(line)):
        if line.lower[i : i + 2] == ("according", "to"):
            return line.words[i + 2 : line.clause_end(i + 2)]
        start = line.clause_start(i)
        if line.lower[i] in SAYING and start >= trigger.end and _last_clause(line, i):
            if start == i:
                return line.words[i + 1 : line.clause_end(i + 1)]
            return line.words[start:i]
    return None


def _last_clause(line: Wording, verb: int) -> bool:
    start = line.clause_start(verb)
    if line.lower[verb - 1] in {"to", "not", "n't", "n’t"}:
        return False
    return (
        start > 0
        and (line.lower[start - 1] == "," or line.lower[start - 1] == "as")
        and line.clause_end(verb) >= len(line) - 3
    )
