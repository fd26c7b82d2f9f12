"""How news English words a claim, a reaction, a description: patterns to be searched in one sentence."""

import re


def _pattern(words: str) -> re.Pattern[str]:
    """Compile a verbose pattern in which ``_`` is white space."""
    return re.compile(words.replace("_", r"\s+"), re.IGNORECASE | re.VERBOSE)


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
DESCRIBING = _pattern(
    r"""\b(?: show(?:s|ed|n|ing)? | depict\w* | captur\w+ | appear(?:s|ed|ing)?_to | purport\w* )\b"""
)
NO_COMMENT = _pattern(
    r"""\b(?: no_comment | declin\w+ | did(?:n't|_not)_(?:immediately_)?(?:respond|comment|reply|return)
        | request\w*_for_comment | reached_out | could_not_be_reached )\b"""
)
# "… that the video was fake": it answers a claim, as a denial does.
COUNTERING = _pattern(
    r"""\b(?: videos? | footage | clips? | images? | pictures? | photos? | claims? | allegations? | accusations?
        | charges | reports? | stor(?:y|ies) )_(?:is|are|was|were|had_been|has_been|have_been)_(?:\w+_)?[“"'‘]?
        (?: false | untrue | fake[ds]? | fabricat(?:ed|ions?) | invented | invention | staged | rigged | doctored
        | forged | forger(?:y|ies) | a_hoax | hoaxes | a_lie | lies | baseless | groundless | unfounded )\b"""
)
PRESS_ACCESS = _pattern(
    r"\b(?: journalists? | media | reporters? | press | correspondents? | access | communications )\b"
)
RESTRICTING = _pattern(
    r"""\b(?: restrict\w* | barr(?:ed|ing) | bann?(?:ed|s)? | prevent\w* | expel\w* | not_allow\w* | limit\w*
        | block\w* | curb\w* | report_freely )\b"""
)


def asserts(text: str) -> bool:
    """Return whether somebody claims something in ``text``, and does not only answer a claim."""
    claiming = CLAIMING.search(text)
    if claiming is None:
        return False
    answering = REACTING.search(text)
    return answering is None or claiming.start() < answering.start()
