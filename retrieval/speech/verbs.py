"""The reporting verbs of English: ``VERBS`` maps every inflected form to its ``Verb``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Force(Enum):
    """What a reporting verb must have beside it before it is believed to report."""

    SAYING = auto()  # nothing: it means speech wherever it is a verb
    ACT = auto()  # an object or a preposition: to condemn, to call for
    CLAUSE = auto()  # a quotation, "that", a clause or a colon: to add, to find, to suggest
    THINKING = auto()  # as CLAUSE, and nobody need have said it aloud


class Form(Enum):
    """The shape a verb stands in; a past form may be the participle too, where no ``PARTICIPLE`` is told apart."""

    BASE = auto()
    THIRD = auto()
    PAST = auto()
    PARTICIPLE = auto()
    ING = auto()


@dataclass(frozen=True, slots=True)
class Verb:
    """One inflected form of a reporting verb."""

    lemma: str
    form: Form
    force: Force


_SAYING = """
say tell insist allege assert claim announce declare explain complain argue reiterate exclaim quip remark stress
emphasise emphasize caution joke lament concede acknowledge admit confess recount testify boast retort reply respond
opine clarify contend maintain proclaim recall tweet comment whisper shout swear counter
"""
_ACT = """
accuse condemn denounce criticise criticize blast slam deny reject dismiss refute rebut dispute urge call demand vow
pledge promise threaten warn describe praise blame hail deplore decry appeal plead implore label brand liken
characterise characterize apologise apologize thank congratulate chastise rebuke mock defend welcome vilify
castigate lambast lambaste attack beg invite challenge question applaud salute commend tout compare cite invoke
lash deride ridicule voice express scold berate admonish fault rail laud
"""
_CLAUSE = """
add note observe write report suggest state conclude continue reveal indicate show find point estimate repeat
answer agree assess read confirm predict forecast propose advise hint imply mention signal speculate
post respond quote echo rule disclose ask tell record relate advocate inform notify assure remind recommend calculate
charge joke chant sing interject muse wonder confirm advance hear learn interrupt
highlight outline underline underscore specify detail document hit fire speak lay put take
"""
_THINKING = "believe think hope fear suspect expect feel consider worry want regret doubt"

_IRREGULAR = {
    "say": ("says", "said", "said"),
    "tell": ("tells", "told", "told"),
    "write": ("writes", "wrote", "written"),
    "swear": ("swears", "swore", "sworn"),
    "show": ("shows", "showed", "shown"),
    "find": ("finds", "found", "found"),
    "read": ("reads", "read", ""),
    "think": ("thinks", "thought", "thought"),
    "feel": ("feels", "felt", "felt"),
    "sing": ("sings", "sang", "sung"),
    "hear": ("hears", "heard", "heard"),
    "learn": ("learns", "learned", "learnt"),
    "put": ("puts", "put", ""),
    "take": ("takes", "took", "taken"),
    "hit": ("hits", "hit", ""),
    "speak": ("speaks", "spoke", "spoken"),
    "lay": ("lays", "laid", "laid"),
    "plead": ("pleads", "pleaded", "pled"),
}
_DOUBLED = {
    "admit": "admitt",
    "beg": "begg",
    "rebut": "rebutt",
    "quip": "quipp",
    "log": "logg",
    "hit": "hitt",
    "regret": "regrett",
}
_VOWELS = frozenset("aeiou")


def _stem(lemma: str) -> str:
    """Return what the endings -ed and -ing are put on."""
    return _DOUBLED.get(lemma) or lemma.removesuffix("e")


def _third(lemma: str) -> str:
    if lemma.endswith(("s", "sh", "ch", "x")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _past(lemma: str) -> str:
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied"
    return _stem(lemma) + "ed"


def _inflect(lemma: str) -> tuple[tuple[str, Form], ...]:
    third, past, participle = _IRREGULAR.get(lemma, (_third(lemma), _past(lemma), ""))
    forms = ((lemma, Form.BASE), (third, Form.THIRD), (_stem(lemma) + "ing", Form.ING))
    pasts = ((past, Form.PAST),) if past else ()
    return (*forms, *pasts, *(((participle, Form.PARTICIPLE),) if participle not in ("", past) else ()))


def _table() -> dict[str, Verb]:
    table: dict[str, Verb] = {}
    for words, force in (
        (_THINKING, Force.THINKING),
        (_CLAUSE, Force.CLAUSE),
        (_ACT, Force.ACT),
        (_SAYING, Force.SAYING),
    ):
        for lemma in words.split():
            table.update({form: Verb(lemma, shape, force) for form, shape in _inflect(lemma)})
    return table


VERBS = _table()
