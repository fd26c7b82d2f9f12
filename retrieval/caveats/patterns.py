"""How news English words a claim, a reaction, a toll, a description: patterns to be searched in one sentence."""

from __future__ import annotations

import re


def _pattern(words: str) -> re.Pattern[str]:
    """Compile a verbose pattern in which ``_`` is white space."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


# Signs that somebody speaks, where no speaker was found.
CLAIMING = _pattern(
    r"""\b(?: sa(?:ys?|id|ying) | claim(?:ed|ing) | claims(?= _(?:to|that|it|he|she|they|the)\b)
        | (?-i:claims(?= _[A-Z])) | alleged(?:ly)? _ (?:that|to) | allegedly | accus(?:e[sd]?|ing) | purport\w*
        | reportedly | reported _ that | according _ to | told | apparently | tweeted | wrote | rumou?red
        | believed _ to | appear(?:s|ed)? _ to )\b"""
)
REACTING = _pattern(
    r"""\b(?: condemn\w* | pledg\w* | vow(?:s|ed) | call(?:s|ed)_(?:for|on) | urg(?:es?|ed) | welcom\w+ | prais\w+
        | apologi\w+ | declin\w+ | refus\w+ | not_(?:immediately_)?(?:respond|comment|repl)\w* | reach\w*_for_comment
        | request_for_comment | den(?:y|ies|ied) | reject(?:s|ed) | dismiss(?:es|ed) )\b"""
)
HEARSAY = _pattern(
    r"""\b(?: reportedly | allegedly | purported(?:ly)? | apparently | rumou?r\w* | believed_to | said_to_(?:be|have)
        | appear(?:s|ed)?_to | claims?_(?:that|to) | unconfirmed | reports?_(?:that|of|suggest\w*) | allegations?
        | accus(?:ed|ations?) | alleged | suspected )\b"""
)
REPORTED = _pattern(r"\b(?:was|were|been)_reported\b")
SHOWING = _pattern(
    r"""\b(?: show(?:s|ed|n|ing)? | depict\w* | captur\w+ | featur\w+ | appear(?:s|ed|ing)?_to | purport\w* | seen
        | heard | contain\w* | filmed | read(?:s|ing)? | entitled | titled )\b"""
)
DESCRIBING = _pattern(
    r"""\b(?: show(?:s|ed|n|ing)? | depict\w* | captur\w+ | appear(?:s|ed|ing)?_to | purport\w* )\b"""
)
NUMBER = _pattern(
    r"""\d | \b(?: two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | dozens? | scores
        | hundreds? | thousands? | millions? )\b"""
)
TOLL = _pattern(
    r"""\b(?: kill\w* | dead | die[ds]? | deaths? | wound\w* | injur\w* | casualt\w+ | fatalit\w+ | victims?
        | arrest\w* | detain\w* | displaced | missing | captur\w+ | losses )\b"""
)
# What is wished, judged or foretold is not what a caveat is about.
OPINION = _pattern(
    r"""\b(?: should | must | need(?:s|ed)?_to | hope[sd]? | believe[sd]? | think[s]? | thought | feel[s]?
        | want(?:s|ed)? | will | would | vow\w* | pledg\w* | urg\w* | call(?:s|ed)_(?:for|on) | warn\w* | demand\w*
        | condemn\w* | critici[sz]\w* | prais\w* | welcom\w* | deserve\w* | terrible | unacceptable | immoral\w*
        | worried | concern\w* )\b"""
)
IF_TRUE = _pattern(r"\bif_(?:true|confirmed|verified|correct|proven)\b | \A\W*if\b")
NO_COMMENT = _pattern(
    r"""\b(?: no_comment | declin\w+ | did(?:n't|_not)_(?:immediately_)?(?:respond|comment|reply|return)
        | request\w*_for_comment | reached_out | could_not_be_reached )\b"""
)
OFFICE = _pattern(
    r"""\b(?: president | minister | ministry | spokes\w+ | secretary | chief | general | governor | mayor | officials?
        | government | embassy | ambassador | chancellor | senator | commission\w* | director | head | office
        | department | agency )\b"""
)
ANYBODY = _pattern(
    r"""(?: leader | member | source | people | resident | witness | group | another | other | former | senior | local
        | some | many | several | most | staff | men | women | activist | expert | report | media | news )"""
)
PRESS_ACCESS = _pattern(
    r"\b(?: journalists? | media | reporters? | press | correspondents? | access | communications )\b"
)
RESTRICTING = _pattern(
    r"""\b(?: restrict\w* | barr(?:ed|ing) | bann?(?:ed|s)? | prevent\w* | expel\w* | not_allow\w* | limit\w*
        | block\w* | curb\w* | report_freely )\b"""
)
# How a sentence begins that goes on with people, with somebody just named, with a thing.
OF_PEOPLE = _pattern(
    r"\W*(?: he | she | they | his | her | their | we | i | others? | another | both | one | some | many | most )\b"
)
GOING_ON = _pattern(
    r"""\W*(?: he | she | they | it | his | her | their | its | we | i | others? | another
        | the_(?: group | man | woman | official | spokes\w+ | ministry | statement | report | agency | activists?
                | witness(?:es)? | organi[sz]ation | post | letter | message | video | footage | clip | document
                | caller | author ) )\b"""
)
OF_THE_THING = _pattern(
    r"""\W*(?: it | they | in_it
        | the_(?:\w+_)?(?: video | footage | clip | recording | post | letter | message | document | memo | report
                         | draft | images? | photos? | pictures? | statement ) )\b"""
)
QUOTED = re.compile(r"“[^”]*(?:”|\Z)|\"[^\"]*(?:\"|\Z)")


def asserts(text: str) -> bool:
    """Return whether somebody claims something in ``text``, and does not only answer a claim."""
    claiming = CLAIMING.search(text)
    if claiming is None:
        return False
    answering = REACTING.search(text)
    return answering is None or claiming.start() < answering.start()
