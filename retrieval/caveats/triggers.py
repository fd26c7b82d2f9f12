"""A sentence's tokens -> the words by which somebody says that something could not be verified.

Each rule is a pattern before a word of verifying ("could not be | verified"), and where wanted one behind it
("verification | was not possible"). Whose inability it is, is decided elsewhere: "police could not confirm" is a
trigger too. What looks like an outlet's caveat and is none is excused (``EXCUSES``).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.caveats.cues import cues
from retrieval.text.tokens import TokenLine, TokenPattern, Tokens, line_of, one_of

REACH = 9  # words between an inability and the word it bears on
_ABLE = frozenset(("able", "possible", "independently"))
_BADGED = frozenset(("account", "accounts"))
_POINTING_BACK = frozenset(("that", "which"))
_TOLD = frozenset(("of", "from", "by"))
_OBJECT = 5  # words behind a verb that are taken for its object
_NOUN_PHRASE_WORDS = 6  # words of a noun phrase

CLASSES = {
    "AUX": one_of(cues.auxiliaries, "ly"),
    "NOT": one_of(cues.negations) + rf"|(?:{one_of(cues.remaining | {'yet'})})(?= to )",
    "LINK": one_of(cues.links, "ly", r"ed(?= (?:or|nor) )"),
    "LINKED": one_of((cues.links | cues.auxiliaries) - {","}, "ly"),
    "HAVING": one_of(cues.having),
    "DOES": rf"(?<!\N{{BROKEN BAR}})(?!(?:{one_of(cues.being)}) )[^\s\N{{BROKEN BAR}}]\S*",
    "NOUNLINK": one_of(cues.noun_links),
    "NOUN": one_of(cues.verification | cues.noun_links | {"of", "or"}),
    "MEANS": one_of(cues.links | cues.noun_links | cues.means, "ly"),
    "HAMPERING": one_of(cues.hampering),
    "NOBODY": one_of(cues.negative_subjects),
    "TRYING": one_of(cues.trying - {"process"}),
    "GETTING": one_of(cues.getting),
    "LACKING": one_of(cues.lacking),
    "EVIDENCE": one_of(cues.evidence),
    "FINDING": one_of({"find", "found"} | {"locate", "located"} | {"obtain", "obtained"}),
    "REMAINING": one_of(cues.being | cues.remaining),
    "STATED": one_of((cues.links | cues.auxiliaries | cues.remaining) - {","}, "ly"),
    "NEWS": one_of(cues.news),
    "ELSE": rf"(?!(?:{one_of(cues.no_nouns)}) )[^\W_]\S*",
    "ON": "(?!\N{BROKEN BAR}?[,;] )\\S+",
    "TO": one_of({"to"}, "ly"),
}


class Wording(StrEnum):
    """How the inability is put, which decides where to look for whose it is."""

    ACTIVE = "active"  # "Reuters could not verify"
    PASSIVE = "passive"  # "could not be verified (by Reuters)"
    IMPERSONAL = "impersonal"  # "it was not possible to verify", "no independent confirmation"
    ATTRIBUTIVE = "attributive"  # "unverified footage"


@dataclass(frozen=True, slots=True)
class Trigger:
    """Words ``start`` to ``end`` (half-open) of a sentence; ``start`` is where the subject has ended.

    ``subject`` is the place of the subject where it does not end at ``start`` ("nor could CNN verify").
    """

    start: int
    end: int
    form: Wording
    rule: str
    subject: tuple[int, int] | None = None


Check = Callable[[Tokens, Trigger], bool]
FormOf = Callable[[Tokens, int, int], Wording]


def form_of(line: Tokens, start: int, i: int) -> Wording:
    between = set(line.lower[start:i])
    if between & cues.impersonal:
        return Wording.IMPERSONAL
    if line.lower[i] in cues.verify or line.lower[i] in cues.check or line.lower[i] == "vouch":
        return Wording.ACTIVE
    return Wording.PASSIVE if between & cues.being or not between & cues.having else Wording.ACTIVE


def form_of_lack(line: Tokens, start: int, i: int) -> Wording:
    """Tell "Reuters had no way", which is active, from "there was no way"."""
    having = not cues.having.isdisjoint(line.lower[start:i])
    return Wording.ACTIVE if having and line.word(start - 1) != "there" else Wording.IMPERSONAL


def form_of_getting(line: Tokens, start: int, i: int) -> Wording:
    """Tell "could not obtain", which is active, from "difficult to obtain"."""
    return Wording.ACTIVE if cues.impersonal.isdisjoint(line.lower[start:i]) else Wording.IMPERSONAL


def _is_verified(line: Tokens, trigger: Trigger) -> bool:
    """Tell "no deaths have been confirmed", which counts, from "no independent source has confirmed it"."""
    clause = line.lower[line.clause_start(trigger.start) : trigger.end + 1]
    return clause[0] != "no" or line.lower[trigger.end - 1] != "confirmed" or not cues.independent.isdisjoint(clause)


def _of_truth(line: Tokens, trigger: Trigger) -> bool:
    """Match "could not be independently assessed", "could not establish its authenticity"."""
    if "independently" in line.lower[trigger.start : trigger.end + REACH]:
        return True
    return not cues.truth.isdisjoint(line.lower[line.clause_start(trigger.start) : trigger.end + REACH])


def _of_nobody(line: Tokens, start: int, i: int) -> Wording:
    """Match "nobody has verified it", which is impersonal."""
    form, subject = form_of(line, start, i), line.lower[line.clause_start(start) : start]
    return Wording.IMPERSONAL if form is Wording.ACTIVE and subject in {("nobody",), ("no", "one")} else form


class Rule:
    """A pattern before a word of verifying, and one behind it; ``holds`` must hold of what they find."""

    def __init__(
        self, name: str, form: Wording | FormOf, before: str, after: str = "", holds: Check | None = None
    ) -> None:
        self.name, self.form, self.holds = name, form, holds
        self.before, self.after = TokenPattern(before, CLASSES), TokenPattern(after, CLASSES) if after else None

    def find(self, line: Tokens, text: TokenLine, i: int) -> Trigger | None:
        found = self.before.before(text, i)
        behind = self.after.after(text, i + 1) if self.after else {}
        if found is None or behind is None:
            return None
        start, subject = found["match"].start, found.get("subject")
        trigger = Trigger(
            start=start,
            end=behind["match"].stop if behind else i + 1,
            form=self.form if isinstance(self.form, Wording) else self.form(line, start, i),
            rule=self.name,
            subject=(subject.start, subject.stop) if subject else None,
        )
        return trigger if self.holds is None or self.holds(line, trigger) else None


_WAY = "AUX* no|little NOUNLINK* way|means|possibility LINK*"
_DENIED = Rule("denied verb", form_of, "AUX* NOT LINK{0,8}")  # "could not be independently verified"
_NO_WAY = Rule("no way", form_of_lack, _WAY)
_UNFOUND = (  # "was unable to find records corroborating it", "found no evidence to support it"
    Rule("nothing found", Wording.ACTIVE, "AUX* NOT LINK{0,8} FINDING PLAIN{0,7} EVIDENCE PLAIN{0,7}"),
    Rule("nothing found", Wording.ACTIVE, "AUX* FINDING PLAIN{0,6} no PLAIN{0,6} EVIDENCE PLAIN{0,6}"),
    Rule("nothing found", Wording.ACTIVE, "AUX* NOT LINK{0,8} FINDING EVIDENCE who|that PLAIN{0,3}"),
    Rule("nothing found", Wording.ACTIVE, "AUX* FINDING no PLAIN{0,3}", "EVIDENCE"),
    Rule("nothing found", Wording.ACTIVE, "AUX* NOT LINK{0,8} FINDING PLAIN{0,3}", "EVIDENCE"),
)
_HAMPERED = (  # "hampering efforts to confirm", "ability to verify is limited"
    Rule("hampered", Wording.IMPERSONAL, "HAMPERING MEANS*"),
    Rule("hampered", Wording.IMPERSONAL, "MEANS* ability|efforts MEANS*", "ANY{0,8}? HAMPERING"),
)
_OUT_OF_REACH = (  # "independent verification was not possible", "getting corroboration is impossible"
    Rule("out of reach", Wording.IMPERSONAL, "", "ON{0,8}? impossible|difficult|unavailable|hard"),
    Rule("out of reach", Wording.IMPERSONAL, "", "ON{0,7}? not|n't|n’t|never ON{0,7}? possible|available"),
)
_PENDING_VERB = (  # "is working to verify", "is in the process of confirming"
    Rule("pending", Wording.ACTIVE, "AUX* TRYING PLAIN{0,4}"),
    Rule("pending", Wording.ACTIVE, "AUX* PLAIN{0,2} process PLAIN{0,4}"),
)
_VERB = (
    # "has seen but not independently verified": the auxiliary is before the first verb
    Rule("seen but not verified", Wording.ACTIVE, "HAVING DOES{0,8} but|and|or|though NOT LINK{0,8}"),
    _DENIED,
    _NO_WAY,
    # "impossible for AP to verify": whoever is unable is between
    Rule("impossible for", Wording.ACTIVE, "AUX* impossible|difficult|hard for (subject ANY{1,8}? ) TO+"),
    Rule("impossible for", Wording.ACTIVE, "NOT LINK{0,8}? ~ AUX* possible|easy for (subject ANY{1,8}? ) TO+"),
    Rule("impossible for", Wording.ACTIVE, "no ~ way for (subject ANY{1,8}? ) TO+"),
    # "nor could the paper verify"
    Rule("inverted", form_of, "nor|neither AUX (subject PLAIN{0,7}? ) LINK*"),
    # "none of the claims could be verified", "neither report has been confirmed"
    Rule("negative subject", form_of, "BREAK not all PLAIN*? ~ LINKED+"),
    Rule("negative subject", _of_nobody, "BREAK PLAIN? NOBODY PLAIN*? ~ LINKED+", holds=_is_verified),
    Rule("negative subject", form_of, "none|neither of which|whom ~ LINKED+"),
    Rule("negative subject", form_of, "BREAK PLAIN* nor|neither PLAIN*? ~ LINKED+"),
    # "attempts to verify the account were unsuccessful"
    Rule("in vain", Wording.IMPERSONAL, "attempt|attempts|efforts LINK*", "ANY{0,8}? unsuccessful|failed|fruitless"),
    *_HAMPERED,
    *_UNFOUND,
    *_PENDING_VERB,
    # "is still being verified", not "without being verified"
    Rule("being verified", Wording.PASSIVE, "AUX+ being AUX?"),
    # "could not travel there to confirm": only good where an outlet is the subject
    Rule("denied from afar", Wording.ACTIVE, "AUX* NOT PLAIN{0,8} to|or|and"),
)
_WEAK = (
    Rule("denied verb", form_of, "AUX* NOT LINK{0,8}", holds=_of_truth),
    Rule("no way", form_of_lack, _WAY, holds=_of_truth),
)
_FOUND_OUT = (Rule("not found out", Wording.ACTIVE, "AUX* NOT LINK{0,8}"),)  # only good where an outlet is the subject
_SEEN = Rule("denied verb", form_of, "AUX* NOT LINK{0,8}", holds=lambda _, found: found.form is Wording.ACTIVE)
_NOUN = (
    # "no reaction or any independent confirmation"
    Rule("lacking", Wording.IMPERSONAL, "no PLAIN* ~ any independent NOUN*"),
    Rule("lacking", form_of_lack, "AUX* LACKING NOUN*"),  # "no independent confirmation", "without corroboration"
    # "could not obtain independent confirmation", "difficult to get verification"
    Rule("not obtained", form_of_getting, "AUX* NOT LINK{0,8} GETTING NOUNLINK*"),
    Rule("pending", Wording.ACTIVE, "AUX* TRYING PLAIN{0,4} GETTING NOUNLINK*"),
    *_HAMPERED,
    *_OUT_OF_REACH,
)
_ATTRIBUTE = (
    # "unverified but widely shared images", "unverified footage", "a letter, still unverified, says", "is unverified"
    Rule("unverified something", Wording.ATTRIBUTIVE, "", "(?= but|and|though|or ANY{0,4} NEWS )"),
    Rule("unverified something", Wording.ATTRIBUTIVE, "", "(?= ELSE )"),
    Rule("unverified", Wording.PASSIVE, ", ~ STATED*"),
    Rule("unverified", Wording.PASSIVE, "STATED* REMAINING STATED*"),
)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(cues.verify | cues.verified | {"vouch"}, _VERB),
    **dict.fromkeys(cues.verifying, (_NO_WAY, *_PENDING_VERB, *_OUT_OF_REACH, *_UNFOUND)),
    **dict.fromkeys(cues.check | cues.checked, _WEAK),
    **dict.fromkeys(("determine", "establish", "ascertain"), (*_WEAK, *_FOUND_OUT)),
    **dict.fromkeys(cues.viewed, (*_WEAK, _SEEN)),
    **dict.fromkeys(cues.verification, _NOUN),
    **dict.fromkeys(cues.unverified, _ATTRIBUTE),
}


def find_triggers(line: Tokens) -> Iterator[Trigger]:
    """Yield the triggers of a sentence, in order; at most one for each word."""
    end, text = 0, line_of(line)
    for i, word in enumerate(line.lower):
        found = (rule.find(line, text, i) for rule in RULES.get(word, ()))
        trigger = next((each for each in found if each and each.end > end), None)
        if trigger:
            end = trigger.end
            yield trigger


# -- what looks like an outlet's caveat and is none: rules that each excuse a trigger ------------------------------


def named_thing(line: Tokens, trigger: Trigger, things: frozenset[str]) -> int | None:
    """Return the place of the last of ``things`` in the noun phrase behind "unverified"."""
    found = None
    for i in range(trigger.end, min(len(line), trigger.end + _NOUN_PHRASE_WORDS)):
        word = line.lower[i]
        if word in cues.after_noun_phrases or (i > trigger.end and line.breaks(i) and word not in cues.coordinators):
            break
        if word in things:
            found = i
    return found


def is_excused(line: Tokens, trigger: Trigger) -> bool:
    """Return whether ``trigger`` is about something other than verifying news."""
    return any(excuse(line, trigger) for excuse in EXCUSES)


def _subject(line: Tokens, trigger: Trigger) -> tuple[str, ...]:
    return line.lower[line.clause_start(trigger.start) : trigger.start]


def _business(line: Tokens, trigger: Trigger) -> bool:
    """Match ballots, incomes, passwords, warheads, unless an outlet could not verify them."""
    if trigger.form is Wording.ACTIVE or "independently" in line.lower[trigger.start : trigger.end]:
        return False
    behind = line.lower[trigger.end : min(line.clause_end(trigger.end), trigger.end + _OBJECT)]
    about = set(_subject(line, trigger) if trigger.form is Wording.PASSIVE else behind)
    return not cues.business.isdisjoint(about) and cues.not_business.isdisjoint(about)


def _status(line: Tokens, trigger: Trigger) -> bool:
    """Match "the date has not been confirmed": it is not settled, and nobody failed to find out."""
    said = set(line.lower[trigger.start : trigger.end + 1])
    if trigger.form is not Wording.PASSIVE or "confirmed" not in said or said & cues.finding_out:
        return False
    subject = _subject(line, trigger)
    if subject or cues.being.isdisjoint(line.lower[trigger.start : trigger.end]):
        return cues.stated.isdisjoint(subject) and not _opens_sentence(line, trigger)
    return line.word(trigger.start - 1) not in _POINTING_BACK


def _opens_sentence(line: Tokens, trigger: Trigger) -> bool:
    """Match "while not confirmed, …" at the beginning of a sentence."""
    opens = trigger.start == 0 or (trigger.start == 1 and line.word(0) in cues.conceding)
    return opens and line.breaks(min(trigger.end, len(line) - 1))


def _appointed(line: Tokens, trigger: Trigger) -> bool:
    """Match "she was never confirmed", "block his confirmation": a person is appointed, not verified."""
    if line.lower[trigger.end - 1] == "confirmation":
        return line.word(trigger.end - 2) in cues.possessive_endings
    return trigger.form is Wording.PASSIVE and bool(cues.people & set(_subject(line, trigger)[-1:]))


def _badge(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unverified account": one without the platform's tick."""
    following = range(trigger.end, trigger.end + 3)
    account = next((i for i in following if line.word(i) in _BADGED), None)
    return trigger.form is Wording.ATTRIBUTIVE and account is not None and line.word(account + 1) not in _TOLD


def _condition(line: Tokens, trigger: Trigger) -> bool:
    """Match "if the images cannot be verified", not "whether the unverified images"."""
    if trigger.form is Wording.ATTRIBUTIVE:
        return False
    start = line.clause_start(trigger.start)
    if start <= 1 and line.word(0) == "whether":
        return False  # "whether it is genuine could not be verified": it is the subject
    return not cues.conditions.isdisjoint({line.word(start - 1), line.word(start)})


def _officially(line: Tokens, trigger: Trigger) -> bool:
    """Match "has not been officially confirmed", "no official confirmation"."""
    return not cues.officially.isdisjoint(line.lower[max(0, trigger.start - 1) : trigger.end + 2])


def _nor_denied(line: Tokens, trigger: Trigger) -> bool:
    """Match "could neither confirm nor deny"."""
    said = line.lower[trigger.start : trigger.end + 4]
    return trigger.form is not Wording.IMPERSONAL and not cues.denying.isdisjoint(said)


def _no_news(line: Tokens, trigger: Trigger) -> bool:
    """Match "an unconfirmed hypothesis", "unverified suppliers", not "an unconfirmed blast"."""
    epithet = trigger.form is Wording.ATTRIBUTIVE and not line.word(trigger.end).endswith("ly")
    happening = cues.happenings if line.lower[trigger.end - 1] == "unconfirmed" else frozenset[str]()
    return epithet and named_thing(line, trigger, cues.news_nouns | happening) is None


def _unwilling(line: Tokens, trigger: Trigger) -> bool:
    """Match "would not confirm", "will never be tested": nobody tried and failed."""
    said = frozenset(line.lower[trigger.start : trigger.end])
    return not cues.willing.isdisjoint(said) and _ABLE.isdisjoint(said)


def _no_longer(line: Tokens, trigger: Trigger) -> bool:
    """Match "previously unconfirmed reports"."""
    return trigger.form is Wording.ATTRIBUTIVE and line.word(trigger.start - 1) in cues.no_longer


def _disclosed(line: Tokens, trigger: Trigger) -> bool:
    """Match "they hid that the file was unverified"."""
    start = line.clause_start(trigger.start)
    content = line.word(start - 1) == "that" and start < trigger.start and not line.breaks(max(0, start - 2))
    return trigger.rule == "unverified" and content


def _required(line: Tokens, trigger: Trigger) -> bool:
    """Match "sold without verification": a newsroom would write "independent" or "there is no", or be named."""
    said = line.lower[trigger.start : trigger.end + 1]
    if "no" in said and "there" in _subject(line, trigger) + line.lower[trigger.start : trigger.start + 3]:
        return False
    impersonal = trigger.rule == "lacking" and trigger.form is Wording.IMPERSONAL
    return impersonal and not any(word.startswith("independent") for word in said)


def _unseen(line: Tokens, trigger: Trigger) -> bool:
    """Match "I had not seen him for years": a newsroom would be named."""
    seen = line.lower[trigger.end - 1] in cues.viewed and "independently" not in line.lower[trigger.start : trigger.end]
    return seen and not cues.first_persons.isdisjoint(_subject(line, trigger)[-1:])


EXCUSES: tuple[Check, ...] = (
    _no_news,
    _unwilling,
    _no_longer,
    _required,
    _disclosed,
    _unseen,
    _business,
    _status,
    _appointed,
    _badge,
    _condition,
    _officially,
    _nor_denied,
)
