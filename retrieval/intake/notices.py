"""A line -> whether it announces an embargo, as wires and press offices write above a text.

No sentence of a report about an arms or oil embargo is one, nor is one that quotes such words, or what a label says.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from unicodedata import normalize

from retrieval.intake.dates import UnclearDayError, day_in
from retrieval.intake.publication import begin_of
from retrieval.lexicon.word_classes import ordered

_LINE_START = 200  # characters of a line that are searched
_WHEN = (
    r"(?:\d{1,2}[:.h]\d\d|\d\s*[ap]\.?m\b|\d{4}-\d\d-\d\d|\d{4}\s*(?:gmt|utc|cet|bst|est|edt|hrs|hours)|midnight|noon)"
)
_CALENDAR = "weekdays short_weekdays house_weekdays months short_months house_months time_zones zone_names parts_of_day"
_TIME_WORDS = "|".join(word for name in _CALENDAR.split() for word in ordered(name))
# nothing but a time, up to the end
_SCHEDULE = rf"""(?:[\W\d_]|(?:{_TIME_WORDS}|[ap]\.?m|midnight|midday|noon|hrs|hours?|h|time|st|nd|rd|th|s|today|tonight
    |tomorrow|until|till|before|after|from|at|on|in|of|the|and|or|not|earlier|than|only|please|further|notice|delivery
    |newspapers?|papers?|editions?|onwards?|release|publication|broadcast|use|date|london|your)(?![^\W\d_]))*+$"""
_RELEASE = "(?:release|publication|publishing|broadcast|transmission|distribution|circulation|print|use)"
_PUBLISH = "(?:use|publish|broadcast|release|print|post|share|transmit|distribute|circulate|run|report|air|quote)"
_PUBLISHED = "(?:used|published|broadcast|released|printed|posted|shared|transmitted|distributed|circulated|reported)"
_WHERE = r"(?:\s+(?:online|on\s+air|in\s+(?:print|any\s+form)|anywhere|elsewhere|on\s+social\s+media))?"
_AND = r"\s*(?:,\s*or|,|/|or|and|nor)\s*(?:for\s+)?"
_UNTIL = r"(?:(?:un)?till?|before|prior\s+to|ahead\s+of|earlier\s+than)\b"
_PREFIX = r"""(?:(?:strict(?:ly)?|under|news|press|media|publication|note|notice|attention|still|is|this|the|please
    |all|to|editors?|are|following|(?:press\s+|news\s+|media\s+)?(?:story|article|report|copy|text|material|document|speech
    |information|release|statement|content|data|figures|findings|study|paper|announcement|briefing|e-?mail|message)
    )\b[\s,:–—-]*){0,6}"""
_SURELY = "(?:publish|broadcast|transmit|distribute|circulate)"  # nobody is told this of anything but a text
_EMBARGO = re.compile(
    rf"""
    (?:^ [^\w(\[]*+ | (?:[(\[{{|*–—:] | \s-\s | [.!]\s) [^\w(\[]{{0,9}}+)  # at the beginning, or set apart
    {_PREFIX}
    (?: embargo(?:ed)? (?:[\s_-]*(?:date|time|day|until|till|ends?|lifts?|expires?|period|notice|at)){{0,3}}
        ["'*_]* \s* [:=]
      | embargo(?:ed)? ,? \s+ (?:strictly\s+)? (?:un)?till? \b
      | embargoed \s+ (?:for|against|pending) \s+ (?:\w+\s+)? (?:release|publication|broadcast|use)
      | embargo(?:ed)? \s (?:\w+\s){{0,4}} [^\w]* {_WHEN}
      | embargo(?:ed)? \W* $
      | (?:not|hold) \s+ for \s+ (?:release|publication|broadcast) \s+ (?:(?:un)?till?|before) \b
      | (?:do\s+not|don['’]t) \s+ {_SURELY} (?:{_AND}{_PUBLISH})* (?:\s+(?:this|it|story|copy|article))* \s+ {_UNTIL}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_UNQUOTED = r"""(?:^ [^\w(\["“”'‘’«]*+ | (?:[(\[{|*–—:] | \s-\s | [.!]\s) [^\w(\["“”'‘’«]{0,9}+)"""
_HOLD = re.compile(
    rf"""
    {_UNQUOTED} {_PREFIX}
    (?: (?:hold|held) (?:\s+(?:this|the|story|copy|report|article))* \s+ (?:for \s+ {_RELEASE} | {_UNTIL})
      | hfr | (?:withhold|delay|postpone) \s+ (?:all\s+)? {_RELEASE} \s+ {_UNTIL}
      | (?:not|nothing) \s+ for \s+ (?:(?:any|public|general)\s+)? {_RELEASE} (?:{_AND}{_RELEASE})* (?:\s+{_UNTIL})?
      | (?:do\s+not|don['’]t) \s+ {_PUBLISH} (?:{_AND}{_PUBLISH})*
        (?:\s+(?:this|the|it|story|copy|report|article))* \s+ {_UNTIL}
      | (?:not|(?:must|may|should|can|shall)\s*not|can['’]t) \s+ (?:to\s+)?
        (?:be \s+ {_PUBLISHED} {_WHERE} (?:{_AND}{_PUBLISHED}{_WHERE})* | run | appear | go\s+(?:out|live|online)) \s+
        {_UNTIL}
      | no \s+ {_RELEASE} (?:{_AND}{_RELEASE})* \s+ {_UNTIL}
      | {_RELEASE} \s+ (?:is\s+)? (?:not|forbidden|prohibited) (?:\s+(?:permitted|allowed|authori[sz]ed))? \s+ {_UNTIL}
      | embargo(?:ed)? (?:\s+(?:date|time|day|ends?|lifts?|lifted|expires?|to|for|on|at))*
      | (?:confidential|private|off\s+the\s+record) (?:\s+and\s+confidential)? \s+ {_UNTIL}
    ) (?: \W* : | {_SCHEDULE} )""",
    re.IGNORECASE | re.VERBOSE,
)
# These stand above old releases too: one whose day is past holds nothing.
_FOR_RELEASE = re.compile(
    rf"""
    {_UNQUOTED} (?:(?:press|news|media|advance)\b[\s,:–—-]*)*
    (?: (?:not\s+)? for \s+ (?:(?:general|public|media|press)\s+)? {_RELEASE} (?:{_AND}{_RELEASE})*
      | {_RELEASE} (?:\s+and\s+{_RELEASE})? \s+ (?:date|time|at|on|from|after) (?:\s+and\s+time)?
      | (?:(?:to|may|can) \s+ be \s+ {_PUBLISHED} | publish | release | use) \s+ (?:at|on|from|after)
      | advance \s+ for
    ) \b (?P<when>{_SCHEDULE})""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYED = re.compile(r"""["']embargo\w*["']\s*:|\bembargo\w*\s*[:=]\s*["']?\d{4}-\d\d""", re.IGNORECASE)
_IN_CAPITALS = re.compile(
    rf"\bEMBARGOED\s+(?:UNTIL|TILL|TO|FOR|AT)\b|\bUNDER\s+EMBARGO\b"
    rf"|\b(?:NOT\s+(?:FOR|TO\s+BE)|DO\s+NOT|HOLD\s+FOR)\s+(?:{_RELEASE.upper()}|{_PUBLISH.upper()}|{_PUBLISHED.upper()})"
    r"\b[^.!?a-z]{0,60}?\b(?:UNTIL|TILL|BEFORE)\b"
)
_SAID_OF_TIME = re.compile(rf"\d|\b(?:{_TIME_WORDS}|midnight|noon|today|tonight|tomorrow)\b", re.IGNORECASE)


def is_notice(line: str) -> bool:
    """Whether a line announces an embargo."""
    line = normalize("NFKC", line[:_LINE_START])
    if any(notice.search(line) for notice in (_EMBARGO, _HOLD, _KEYED, _IN_CAPITALS)):
        return True
    release, now = _FOR_RELEASE.search(line), datetime.now(UTC)
    if release is None or not _SAID_OF_TIME.search(release["when"]):
        return False
    try:
        day = day_in(release["when"])
    except UnclearDayError:
        return True
    return day is None or begin_of(day) > now or day == now.date()
