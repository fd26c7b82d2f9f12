"""A question's words -> what kind of answer it asks for; the surest first, and several where several fit."""

from __future__ import annotations

import re

from retrieval.search import Answering

# In verbose mode: white space and line ends are not part of a pattern, so a space is written \s.
_PATTERNS = (
    (
        Answering.VERIFICATION,
        r"""verif\w+ | (?:stands?|stood)\s(?:\w+\s){0,3}up | run\s(?:it|this|that|with|as) | as\sfact | corroborat\w+
        | (?:is|was|are|were|been|has|have|independently|officially|it|that|this)\s(?:\w+\s){0,6}confirmed
        | (?:can|could|did|do|does)\s(?:\w+\s){0,6}confirm | solid | check(?:ed)? | vouch\w* | proven | caveat\w*
        | (?:safe|good|ok|okay|fine)\sto\s(?:run|use|say|print|publish|go) | authenticat\w+ | sure | reliable
        | stacks?\sup | independent\sconfirmation | holds?\s(?:up|water) | legit
        | (?:can|could|should)\swe\s(?:run|use|say|print|trust)
        | nailed\sdown | (?:is|are|was|were)\s(?:\w+\s){1,6}(?:true|real|genuine)$""",
    ),
    (Answering.DEFINITION, r"(?<!\w\s)who(?:s|\sis|\sare|\swas|\sthe\shell\sis)\s(?!the\b|a\b|an\b)(?:\w+\s?){1,3}$"),
    (
        Answering.DENIAL,
        r"""den(?:y|ies|ied|ial|ials) | accepts? | admit(?:s|ted)? | own(?:s|ed)?\sup | conced\w+ | confess\w*
        | c[ao]mes?\sclean | admission | contest(?:s|ed)? | pleads? | refut\w+ | disputed? | reject(?:s|ed)? | rebut\w*
        | t(?:ake[sn]?|ook)\s(?:the\s)?(?:blame|responsibility) | acknowledged? | plead(?:s|ed)?\snot\sguilty
        | (?:its|their|his|her)\sside""",
    ),
    (
        Answering.COMPARISON,
        r"""same | both | compar\w+ | differ\w* | versus | vs | match(?:es)? | agree\son | conflict(?:s|ing)
        | discrepanc\w+ | consistent | each\s(?:outlet|paper|story|article|side) | difference\w*\sbetween | tally\swith
        | contradict\w* | either\sstory | all\sthe\s(?:stories|articles)""",
    ),
    (
        Answering.NUMBER,
        r"""how\s(?:many|much|old|long|far|big|large|high|tall|fast|often|heavy|deep|few) | number\sof | toll
        | what\s(?:percent\w*|share|proportion|age|score|number|fraction) | percentage
        | (?:any|a|the|latest|exact)\s(?:figures?|numbers?|tally|estimates?) | figures?\s(?:for|on|of)
        | total | count | age\sof | cost\sof | price""",
    ),
    (Answering.REASON, r"why | reasons? | how\scome | what\s(?:caused|made|led|prompted|brought|triggered) | motive"),
    (
        Answering.DAY,
        r"""whens | when$ | when\s(?:did|do|does|is|are|was|were|will|would|has|have|had|can)
        | wh(?:at|ich)\s(?:day|date|time|year|month) | how\slong\sago | date\sof""",
    ),
    (
        Answering.PLACE,
        r"""wheres | where$ | where\s(?:did|do|does|is|are|was|were|will|would|has|have|had|can|exactly) | whereabouts
        | location | wh(?:at|ich)\s(?:town|city|country|place|village|street|state|region|museum|building|venue)s?""",
    ),
    (
        Answering.QUOTATION,
        r"""quot\w+ | sound\s?bites? | quip | (?:best|top|key|killer|punchy|money)\slines? | excuse | argument
        | verdict | exact\swords | wording | verbatim | comeback | react(?:ion|ed|s)? | answer | statement
        | what\s(?:did|does|do|has|have|is|was)\s(?:\w+\s){1,6}
          (?:say|said|saying|tell|told|write|wrote|tweet\w*|post\w*|call|called|think)
        | respon(?:se|d|ded|ds) | repl(?:y|ied|ies) | tweet(?:ed)? | comments? | line\sfrom | message | post""",
    ),
    (
        Answering.PERSON,
        r"""(?<!\w\s)who(?:s|m|se)? | (?:and|but|so|by|from|with|know|me)\swho(?:s|m|se)?
        | who\s(?:is|was)\s(?:he|she|that|this)
        | (?:the\s)?names?\sof | what(?:s|\sis|\swas)\s(?:the\s)?name
        | what\s(?:is|are|was|were)\s(?:\w+\s){1,3}called
        | which\s(?:\w+\s)?(?:official|minister|ambassador|leader|president|journalist|politician|senator|general
          |spokes\w+|founder|person|man|woman|player|scientist|expert|researcher|writer|author|judge|doctor)s?""",
    ),
    (
        Answering.DEFINITION,
        r"whos? | who\s(?:is|was|are) | what(?:s|\sis|\sare|\swas) | stand\sfor | meaning\sof | job | role | position",
    ),
)

_RULES = tuple((kind, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE | re.VERBOSE)) for kind, pattern in _PATTERNS)


def kinds_of(question: str) -> tuple[Answering, ...]:
    """Return the kinds of answer ``question`` (apostrophes left out) asks for; ``ANY`` where no rule says."""
    found = tuple(dict.fromkeys(kind for kind, pattern in _RULES if pattern.search(question)))
    if found[:1] == (Answering.DEFINITION,):
        # "who is X" has the name already: what X is, is wanted
        found = tuple(kind for kind in found if kind is not Answering.PERSON)
    return found or (Answering.ANY,)
