"""The words of a question that say what kind of answer is asked for, and so need not stand in the answer.

"Can we run the gas claim as fact" is about gas: no article says "run" or "fact". A word counts as framing only in a
question of its kind; "plead" is framing where a denial is asked for, "bank" never.
"""

from __future__ import annotations

from bot.shorthand import FRAME
from retrieval.search import Answering

_BY_KIND = {
    Answering.VERIFICATION: """
        run running safe use fact facts factual confirm confirms confirmed confirming confirmation verify verifies
        verified verifying verification verifiable corroborate corroborated corroboration stand stands stood standing
        solid check checks checked checking sure certain vouch vouches vouched proven proof prove true reliable
        authenticate authenticated authentic caveat caveats independent independently officially official stack stacks
        hold holds water claim claims report good legit sound bulletproof print publish attribute attribution""",
    Answering.DENIAL: """
        deny denies denied denying denial denials admit admits admitted admitting admission accept accepts accepted
        accepting own owns owned owning responsibility responsible blame acknowledge acknowledges acknowledged concede
        concedes conceded confess confesses confessed confession plead pleads pleaded guilty come comes came clean
        dispute disputes disputed reject rejects rejected rebut rebuts rebuttal refute refutes refuted contest contests
        contested push pushes pushed take takes took side response""",
    Answering.QUOTATION: """
        best top good great strong strongest punchy killer money key full short soundbite soundbites bite grab quip
        verbatim reaction reactions react reacts reacted response responses respond responded reply replies replied
        answer answers answered comeback excuse explanation argument line lines take view views verdict version claim
        claims remark remarks feel feels feeling stance message reckon""",
    Answering.NUMBER: """
        figure figures number numbers total totals count counts tally estimate estimates latest exact current currently
        running overall altogether all toll""",
    Answering.REASON: "reason reasons explanation explain explains explained excuse because motive",
    Answering.DAY: "date dates day time timing exactly",
    Answering.PLACE: "location whereabouts exactly place spot",
    Answering.COMPARISON: """
        same differ differs different difference compare compared comparison match matches agree agrees outlets papers
        conflict conflicting discrepancy consistent contradict contradicts versus vs tally tallies""",
}
_WORDS = {kind: frozenset(found.split()) for kind, found in _BY_KIND.items()}


def framing(kinds: tuple[Answering, ...]) -> frozenset[str]:
    """Return the words that are framing in a question that asks for ``kinds`` of answer."""
    return FRAME.union(*(_WORDS.get(kind, frozenset()) for kind in kinds))
