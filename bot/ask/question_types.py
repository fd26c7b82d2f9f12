"""A question's words -> the types of answer it asks for; the surest first, and several where several fit.

The question word decides ("how many were confirmed" asks for a number). Whether something was verified or denied
counts beside a question word only where nothing else can be meant.
"""

from __future__ import annotations

import re
from enum import StrEnum

_IS = r"(?:is|was|are|were|has|have|had|can|could|should|did|do|does|will|would)"


class AnswerType(StrEnum):
    ANY = "any"
    NUMBER = "number"
    AGE = "age"
    MONEY = "money"
    DURATION = "duration"
    PERSON = "person"
    NAME = "name"  # of a thing: a firm, a ship, a film
    PLACE = "place"
    DATE = "date"
    QUOTATION = "quotation"
    REASON = "reason"
    DEFINITION = "definition"
    DENIAL = "denial"
    VERIFICATION = "verification"
    COMPARISON = "comparison"


# Nouns that name the type of answer asked for: "the mayor's age" is answered by a sentence without the word.
TYPE_NOUNS = frozenset(
    "age ages date location whereabouts price prices cost costs salary amount percentage proportion reason reasons"
    " motive motives total tally toll".split()
)

# In verbose mode: white space and line ends are not part of a pattern, so a space is written \s.
_PATTERNS = (
    (
        AnswerType.VERIFICATION,
        rf"""(?:un)?verif\w+ | corroborat\w+ | authenticat\w+ | independently\sconfirmed | stands?\sup | stood\sup
        | as\sfact | ^{_IS}\s.*\b(?:confirm\w* | proven | solid | reliable | legit | true | real | genuine)$
        | ^(?:\w+\s){{0,3}}confirmed$ | (?:safe|good|ok|okay|fine)\sto\s(?:run|use|say|print|publish)
        | (?:can|could|should)\swe\s(?:run|use|say|print|trust) | caveats?""",
    ),
    (
        AnswerType.DENIAL,
        rf"""den(?:y|ies|ied|ial|ials) | refut\w+ | rebut\w* | disput\w+
        | ^{_IS}\s.*\b(?:accept | admit | acknowledge | concede | confess | own\sup | take\sresponsibility)\w*""",
    ),
    (
        AnswerType.COMPARISON,
        r"""compar\w+ | differ\w* | versus | vs | agree\son | discrepanc\w+ | consistent | contradict\w*
        | each\s(?:outlet|paper|story|article|side) | all\sthe\s(?:stories|articles|papers)""",
    ),
    (AnswerType.AGE, r"how\sold | ages?(?:\sof)? | aged"),
    (
        AnswerType.DURATION,
        r"""how\s(?:long|often|fast|far|high|tall|big|large|deep|heavy|wide)
        | how\smany\s(?:years|months|weeks|days|hours)""",
    ),
    (
        AnswerType.MONEY,
        r"""how\smuch | cost | costs | price | prices | worth | salary | fined? | percentage
        | what\s(?:percent\w*|share|proportion|amount)""",
    ),
    (
        AnswerType.NUMBER,
        r"""how\s(?:many|few) | numbers?\sof | toll | what\s(?:number|score|fraction) | total | tally | count
        | (?:any|a|the|latest|exact)\s(?:figures?|numbers?|estimates?) | figures?\s(?:for|on|of)""",
    ),
    (
        AnswerType.REASON,
        r"why | reasons? | how\scome | what\s(?:caused|led|prompted|triggered) | motive | because\sof\swhat",
    ),
    (
        AnswerType.DATE,
        r"""whens? | wh(?:at|ich)\s(?:day|date|time|year|month) | how\slong\sago | date\sof | since\swhen""",
    ),
    (
        AnswerType.PLACE,
        r"""wheres? | whereabouts | location
        | wh(?:at|ich)\s(?:\w+\s)?(?:town|city|country|nation|place|village|street|state|region|province|county
          |continent)s?""",
    ),
    (
        AnswerType.QUOTATION,
        r"""quot(?:e|es|ed|ation|ations) | sound\s?bites? | exact\swords | verbatim | wording | reaction | statement
        | comments?
        | (?:respon(?:se|d|ded|ds) | repl(?:y|ied|ies) | react(?:ed|s)?)\sto
        | what\s(?:did|does|do|has|have)\s(?:\w+\s){1,6}
          (?:say|said|tell|told|write|written|tweet\w*|post\w*|call|called|think|claim\w*|warn\w*)""",
    ),
    (
        AnswerType.NAME,
        r"""names?\sof | what(?:s|\sis|\swas)\s(?:\w+\s){1,5}names?
        | what\s(?:is|are|was|were)\s(?:\w+\s){1,4}(?:called|named)
        | wh(?:at|ich)\s(?:\w+\s)?(?:company|firm|bank|team|club|party|agency|group|organi[sz]ation|airline|newspaper
          |magazine|network|university|school|hospital|brand|film|movie|show|song|book|band|ship|website|app|actor
          |actress|singer|player|official|minister|leader|president|senator|general|judge|author|celebrity|star|coach)s?""",
    ),
    (
        AnswerType.DEFINITION,
        r"^who(?:s|\sis|\sare|\swas)\s(?!the\b|a\b|an\b)(?:\w+\s?){1,3}$ | ^what(?:s|\sis|\sare)\s(?:\w+\s?){1,3}$",
    ),
    (
        AnswerType.PERSON,
        r"""who | whom | whose | whos
        | names?\sof\s(?:the|a|his|her|their)\s(?:\w+\s)?(?:man|woman|boy|girl|person|people)""",
    ),
)

_RULES = tuple((kind, re.compile(rf"\b(?:{pattern})\b", re.VERBOSE)) for kind, pattern in _PATTERNS)


def types_of(asked: tuple[str, ...]) -> tuple[AnswerType, ...]:
    """Return the types of answer that a question (its folded words) asks for; ``ANY`` where no rule says."""
    text = " ".join(asked)
    return tuple(kind for kind, pattern in _RULES if pattern.search(text)) or (AnswerType.ANY,)
