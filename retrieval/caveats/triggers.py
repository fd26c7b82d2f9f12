"""A sentence's tokens -> the words by which somebody says that something could not be verified.

Each rule is a pattern before a word of verifying ("could not be | verified"), and where wanted one behind it
("verification | was not possible"). Whose inability it is, is decided elsewhere: "police could not confirm" is a
trigger too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from retrieval.caveats.inability import REACH, Form, Trigger, form_of, obtained, owned
from retrieval.caveats.nouns import ACCOUNTS, CLAIM, CLAIMS, FIGURES
from retrieval.caveats.object_phrase import PICTURES
from retrieval.caveats.verifying import (
    AUXILIARIES,
    BASE,
    BEING,
    DOING,
    DONE,
    GETTING,
    HAMPERING,
    HAVING,
    LACKING,
    LINKS,
    MEANS,
    NEGATIONS,
    NEGATIVE_SUBJECTS,
    NOUN_LINKS,
    NOUNS,
    REMAINING,
    SEEN,
    TRUTH,
    TRYING,
    UNDONE,
    WEAK_BASE,
    WEAK_DONE,
)
from retrieval.lexicon.word_classes import classes, nouns
from retrieval.text.token_patterns import Line, TokenPattern, line_of, one_of
from retrieval.text.tokens import Tokens

_OTHERS = classes("outlets") | {"independent", "independently"}
_EVIDENCE = classes("evidence") | nouns("documents") | {"records", "record"} | {"anyone", "witness", "witnesses"}
_NEWS = PICTURES | FIGURES | ACCOUNTS | CLAIMS | CLAIM
_NO_NOUN = classes("basic_prepositions", "coordinators", "adversatives", "whether", "causal_conjunctions") | {
    "as",
    "when",
}

CLASSES = {
    "AUX": one_of(AUXILIARIES, "ly"),
    "NOT": one_of(NEGATIONS) + rf"|(?:{one_of(REMAINING | {'yet'})})(?= to )",
    "LINK": one_of(LINKS, "ly", r"ed(?= (?:or|nor) )"),
    "LINKED": one_of((LINKS | AUXILIARIES) - {","}, "ly"),
    "HAVING": one_of(HAVING),
    "DOES": rf"(?<!\N{{BROKEN BAR}})(?!(?:{one_of(BEING)}) )[^\s\N{{BROKEN BAR}}]\S*",
    "NOUNLINK": one_of(NOUN_LINKS),
    "NOUN": one_of(NOUNS | NOUN_LINKS | {"of", "or"}),
    "MEANS": one_of(LINKS | NOUN_LINKS | MEANS, "ly"),
    "HAMPERING": one_of(HAMPERING),
    "NOBODY": one_of(NEGATIVE_SUBJECTS),
    "TRYING": one_of(TRYING - {"process"}),
    "GETTING": one_of(GETTING),
    "LACKING": one_of(LACKING),
    "EVIDENCE": one_of(_EVIDENCE),
    "FINDING": one_of({"find", "found"} | {"locate", "located"} | {"obtain", "obtained"}),
    "REMAINING": one_of(BEING | REMAINING),
    "STATED": one_of((LINKS | AUXILIARIES | REMAINING) - {","}, "ly"),
    "NEWS": one_of(_NEWS),
    "ELSE": rf"(?!(?:{one_of(_NO_NOUN)}) )[^\W_]\S*",
    "ON": "(?!\N{BROKEN BAR}?[,;] )\\S+",
    "TO": one_of({"to"}, "ly"),
}

Check = Callable[[Tokens, Trigger], bool]
FormOf = Callable[[Tokens, int, int], Form]


def _stood_up(line: Tokens, trigger: Trigger) -> bool:
    """Tell "no deaths have been confirmed", which counts, from "no independent source has confirmed it"."""
    clause = line.lower[line.clause_start(trigger.start) : trigger.end + 1]
    if clause[0] != "no" or line.lower[trigger.end - 1] != "confirmed":
        return True
    return not _OTHERS.isdisjoint(clause)


def _of_truth(line: Tokens, trigger: Trigger) -> bool:
    """Match "could not be independently assessed", "could not establish its authenticity"."""
    if "independently" in line.lower[trigger.start : trigger.end + REACH]:
        return True
    return not TRUTH.isdisjoint(line.lower[line.clause_start(trigger.start) : trigger.end + REACH])


def _of_nobody(line: Tokens, start: int, i: int) -> Form:
    """Return how "nobody has verified it" is put: not by anybody."""
    form, subject = form_of(line, start, i), line.lower[line.clause_start(start) : start]
    return Form.IMPERSONAL if form is Form.ACTIVE and subject in {("nobody",), ("no", "one")} else form


def _active(line: Tokens, trigger: Trigger) -> bool:
    del line
    return trigger.form is Form.ACTIVE


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern before a word of verifying, and one behind it; ``holds`` must hold of what they find."""

    name: str
    before: TokenPattern
    after: TokenPattern | None
    form: Form | FormOf
    holds: Check | None = None

    def find(self, line: Tokens, text: Line, i: int) -> Trigger | None:
        """Return the trigger around word ``i``."""
        found = self.before.before(text, i)
        behind = self.after.after(text, i + 1) if self.after else {}
        if found is None or behind is None:
            return None
        start, subject = found["match"].start, found.get("subject")
        trigger = Trigger(
            start=start,
            end=behind["match"].stop if behind else i + 1,
            form=self.form if isinstance(self.form, Form) else self.form(line, start, i),
            rule=self.name,
            subject=(subject.start, subject.stop) if subject else None,
            pending=self.name in _PENDING,
        )
        return trigger if self.holds is None or self.holds(line, trigger) else None


_PENDING = frozenset({"pending", "being verified"})


def _rule(name: str, form: Form | FormOf, before: str, after: str = "", holds: Check | None = None) -> Rule:
    return Rule(name, TokenPattern(before, CLASSES), TokenPattern(after, CLASSES) if after else None, form, holds)


_WAY = "AUX* no|little NOUNLINK* way|means|possibility LINK*"
_DENIED = _rule("denied verb", form_of, "AUX* NOT LINK{0,8}")  # "could not be independently verified"
_NO_WAY = _rule("no way", owned, _WAY)
_UNFOUND = (  # "was unable to find records corroborating it", "found no evidence to support it"
    _rule("nothing found", Form.ACTIVE, "AUX* NOT LINK{0,8} FINDING PLAIN{0,7} EVIDENCE PLAIN{0,7}"),
    _rule("nothing found", Form.ACTIVE, "AUX* FINDING PLAIN{0,6} no PLAIN{0,6} EVIDENCE PLAIN{0,6}"),
    _rule("nothing found", Form.ACTIVE, "AUX* NOT LINK{0,8} FINDING EVIDENCE who|that PLAIN{0,3}"),
    _rule("nothing found", Form.ACTIVE, "AUX* FINDING no PLAIN{0,3}", "EVIDENCE"),
    _rule("nothing found", Form.ACTIVE, "AUX* NOT LINK{0,8} FINDING PLAIN{0,3}", "EVIDENCE"),
)
_HAMPERED = (  # "hampering efforts to confirm", "ability to verify is limited"
    _rule("hampered", Form.IMPERSONAL, "HAMPERING MEANS*"),
    _rule("hampered", Form.IMPERSONAL, "MEANS* ability|efforts MEANS*", "ANY{0,8}? HAMPERING"),
)
_OUT_OF_REACH = (  # "independent verification was not possible", "getting corroboration is impossible"
    _rule("out of reach", Form.IMPERSONAL, "", "ON{0,8}? impossible|difficult|unavailable|hard"),
    _rule("out of reach", Form.IMPERSONAL, "", "ON{0,7}? not|n't|n’t|never ON{0,7}? possible|available"),
)
_PENDING_VERB = (  # "is working to verify", "is in the process of confirming"
    _rule("pending", Form.ACTIVE, "AUX* TRYING PLAIN{0,4}"),
    _rule("pending", Form.ACTIVE, "AUX* PLAIN{0,2} process PLAIN{0,4}"),
)
_VERB = (
    # "has seen but not independently verified": the auxiliary stands before the first verb
    _rule("seen but not verified", Form.ACTIVE, "HAVING DOES{0,8} but|and|or|though NOT LINK{0,8}"),
    _DENIED,
    _NO_WAY,
    # "impossible for AP to verify": the unable stands between
    _rule("impossible for", Form.ACTIVE, "AUX* impossible|difficult|hard for (subject ANY{1,8}? ) TO+"),
    _rule("impossible for", Form.ACTIVE, "NOT LINK{0,8}? ~ AUX* possible|easy for (subject ANY{1,8}? ) TO+"),
    _rule("impossible for", Form.ACTIVE, "no ~ way for (subject ANY{1,8}? ) TO+"),
    # "nor could the paper verify"
    _rule("inverted", form_of, "nor|neither AUX (subject PLAIN{0,7}? ) LINK*"),
    # "none of the claims could be verified", "neither report has been confirmed"
    _rule("negative subject", form_of, "BREAK not all PLAIN*? ~ LINKED+"),
    _rule("negative subject", _of_nobody, "BREAK PLAIN? NOBODY PLAIN*? ~ LINKED+", holds=_stood_up),
    _rule("negative subject", form_of, "none|neither of which|whom ~ LINKED+"),
    _rule("negative subject", form_of, "BREAK PLAIN* nor|neither PLAIN*? ~ LINKED+"),
    # "attempts to verify the account were unsuccessful"
    _rule("in vain", Form.IMPERSONAL, "attempt|attempts|efforts LINK*", "ANY{0,8}? unsuccessful|failed|fruitless"),
    *_HAMPERED,
    *_UNFOUND,
    *_PENDING_VERB,
    _rule("being verified", Form.PASSIVE, "AUX* being AUX?"),  # "is still being verified"
    # "could not travel there to confirm": only good where an outlet is the subject
    _rule("denied from afar", Form.ACTIVE, "AUX* NOT PLAIN{0,8} to|or|and"),
)
_WEAK = (
    _rule("denied verb", form_of, "AUX* NOT LINK{0,8}", holds=_of_truth),
    _rule("no way", owned, _WAY, holds=_of_truth),
)
_NOUN = (
    # "no reaction or any independent confirmation"
    _rule("lacking", Form.IMPERSONAL, "no PLAIN* ~ any independent NOUN*"),
    _rule("lacking", owned, "AUX* LACKING NOUN*"),  # "no independent confirmation", "without corroboration"
    # "could not obtain independent confirmation", "difficult to get verification"
    _rule("not obtained", obtained, "AUX* NOT LINK{0,8} GETTING NOUNLINK*"),
    _rule("pending", Form.ACTIVE, "AUX* TRYING PLAIN{0,4} GETTING NOUNLINK*"),
    *_HAMPERED,
    *_OUT_OF_REACH,
)
_ATTRIBUTE = (
    # "unverified but widely shared images", "unverified footage", "a letter, still unverified, says", "is unverified"
    _rule("unverified something", Form.ATTRIBUTIVE, "", "(?= but|and|though|or ANY{0,4} NEWS )"),
    _rule("unverified something", Form.ATTRIBUTIVE, "", "(?= ELSE )"),
    _rule("unverified", Form.PASSIVE, ", ~ STATED*"),
    _rule("unverified", Form.PASSIVE, "STATED* REMAINING STATED*"),
)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(BASE | DONE | {"vouch"}, _VERB),
    **dict.fromkeys(DOING, (_NO_WAY, *_PENDING_VERB, *_OUT_OF_REACH, *_UNFOUND)),
    **dict.fromkeys(WEAK_BASE | WEAK_DONE, _WEAK),
    **dict.fromkeys(SEEN, (*_WEAK, _rule("denied verb", form_of, "AUX* NOT LINK{0,8}", holds=_active))),
    **dict.fromkeys(NOUNS, _NOUN),
    **dict.fromkeys(UNDONE, _ATTRIBUTE),
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
