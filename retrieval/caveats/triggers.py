"""A sentence's tokens -> the words by which somebody says that something could not be verified.

Each rule is a pattern before a word of verifying ("could not be | verified"), and where wanted one behind it
("verification | was not possible"). Whose inability it is, is decided elsewhere: "police could not confirm" is a
trigger too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.caveats.cues import cues
from retrieval.text.tokens import TokenLine, TokenPattern, Tokens, line_of, one_of

REACH = 9  # words between an inability and the word it bears on

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
    if between & cues.being or not between & cues.having:
        return Wording.PASSIVE
    return Wording.ACTIVE


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
    if clause[0] != "no" or line.lower[trigger.end - 1] != "confirmed":
        return True
    return not cues.independent.isdisjoint(clause)


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
