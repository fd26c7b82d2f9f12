"""The desk's shorthand, and the words of a question that are not about its subject."""

from __future__ import annotations

import re

# What is written short -> what articles write. Longer ones first where one begins another.
SHORTHAND: tuple[tuple[str, str], ...] = (
    ("un chief", "un secretary general"),
    ("un boss", "un secretary general"),
    ("un head", "un secretary general"),
    ("un sec gen", "un secretary general"),
    ("sec gen", "secretary general"),
    ("secgen", "secretary general"),
    ("sec of state", "secretary of state"),
    ("us sec", "us secretary"),
    ("def sec", "defence secretary"),
    ("foreign sec", "foreign secretary"),
    ("home sec", "home secretary"),
    ("def min", "defence ministry"),
    ("defmin", "defence minister"),
    ("mod", "defence ministry"),
    ("mfa", "foreign ministry"),
    ("moj", "justice ministry"),
    ("moh", "health ministry"),
    ("foreign min", "foreign minister"),
    ("fin min", "finance minister"),
    ("finmin", "finance minister"),
    ("foreign office", "foreign ministry"),
    ("fm", "foreign minister"),
    ("pm", "prime minister"),
    ("vp", "vice president"),
    ("pres", "president"),
    ("potus", "us president"),
    ("veep", "vice president"),
    ("dep", "deputy"),
    ("amb", "ambassador"),
    ("govt", "government"),
    ("gov", "governor"),
    ("sen", "senator"),
    ("rep", "representative"),
    ("min", "minister"),
    ("gen", "general"),
    ("lt", "lieutenant"),
    ("col", "colonel"),
    ("sgt", "sergeant"),
    ("capt", "captain"),
    ("prof", "professor"),
    ("dr", "doctor"),
    ("spox", "spokesman"),
    ("spokes", "spokesman"),
    ("pros gen", "prosecutor general"),
    ("ag", "attorney general"),
    ("da", "district attorney"),
    ("hrw", "human rights watch"),
    ("msf", "doctors without borders"),
    ("icc", "icc international criminal court"),
    ("icj", "icj international court of justice"),
    ("icrc", "icrc red cross"),
    ("iom", "iom international organization for migration"),
    ("unga", "un general assembly"),
    ("unsc", "un security council"),
    ("unhrc", "un human rights council"),
    ("unhcr", "unhcr un refugee agency"),
    ("ec", "european commission"),
    ("mep", "european parliament"),
    ("eu", "eu european union"),
    ("un", "un united nations"),
    ("uk", "uk britain"),
    ("usa", "usa united states"),
    ("us", "usa united states"),
    ("america", "usa america"),
    ("who", "who"),
    ("nyt", "new york times"),
    ("wapo", "washington post"),
    ("wsj", "wall street journal"),
    ("grauniad", "guardian"),
    ("indy", "independent"),
    ("scotus", "supreme court"),
    ("dod", "department of defense"),
    ("doj", "justice department"),
    ("fbi", "fbi federal bureau of investigation"),
    ("cops", "police"),
    ("intel", "intelligence"),
    ("neg", "negotiator"),
    ("negs", "negotiators"),
    ("presser", "press conference"),
    ("pix", "pictures"),
    ("pics", "pictures"),
    ("pic", "picture"),
    ("vid", "video"),
    ("vids", "videos"),
    ("ppl", "people"),
    ("civvies", "civilians"),
    ("civs", "civilians"),
    ("tv", "television"),
    ("fb", "facebook"),
    ("insta", "instagram"),
    ("info", "information"),
    ("dept", "department"),
    ("uni", "university"),
    ("hq", "headquarters"),
    ("temp", "temperature"),
    ("hosp", "hospital"),
    ("dem", "democrat"),
    ("gop", "republican"),
    ("anniv", "anniversary"),
    ("approx", ""),
    ("govs", "governors"),
    ("mins", "minutes"),
    ("yr", "year"),
    ("yrs", "years"),
    ("km", "km kilometres"),
    ("k", "thousand"),
    ("mon", "monday"),
    ("tues", "tuesday"),
    ("weds", "wednesday"),
    ("wed", "wednesday"),
    ("thurs", "thursday"),
    ("fri", "friday"),
    ("nkorea", "north korea"),
    ("skorea", "south korea"),
    ("n korea", "north korea"),
    ("s korea", "south korea"),
    ("saffa", "south african"),
    ("bn", "billion"),
    ("aussie", "australian"),
    ("aussies", "australians"),
    ("oz", "australia"),
    ("brits", "british"),
    ("brit", "british"),
    ("yanks", "americans"),
    ("kiwi", "new zealand"),
)

# Asked-for things and courtesies: they say what is wanted of the bot, not what the article is about.
_FRAME = """
relation relative cite cites cited
else source sources
need needs pls please plz thanks thx cheers hi hello hey morning quick quickly ta mate guys folks anyone anybody
got have give gimme get find show check remind wondering wonder know knows looking want wanna can could
quote quotes quoted line lines wording word words exact exactly verbatim precise precisely actual actually
statement comment comments remark remarks say says said saying tell tells told mention mentions mentioned
call calls called describe describes described according reckon reckons reckoned think thinks thought
story stories article articles piece pieces copy report reports reported coverage text item write-up
picture desk subs sub editor here there thing things stuff something anything everything someone somebody
about regarding re bit part point sort kind type way ways lot much many number figure figures
happen happens happened happening going
person people guy man woman bloke lady
which what who whom whose when where why how many ever
really just even still yet anyway again also actually basically definitely maybe perhaps
long old name names called
true version versions
"""
FRAME = frozenset(_FRAME.split())

_GREETING = re.compile(
    r"^\s*(?:(?:hi|hello|hey|morning|afternoon|evening)\b[\s,!.]*)?"
    r"(?:(?:\w+ ){0,2}(?:desk|team|subs?)(?: here)?\s*[-–—:,]+\s*)?",
    re.IGNORECASE,
)


def plain(question: str) -> str:
    """Return ``question`` without its greeting and the desk's name before it."""
    return _GREETING.sub("", question, count=1)


def written_out(
    words: tuple[str, ...], more: tuple[tuple[str, str], ...] = ()
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each of the asker's words (or shorthand of several) with the words it stands for, itself if none.

    ``more`` is the newsroom's own shorthand; it goes before the table's.
    """
    table = {tuple(short.split()): tuple(full.split()) for short, full in (*SHORTHAND, *more)}
    found: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    while at < len(words):
        length = next((n for n in (3, 2, 1) if words[at : at + n] in table and at + n <= len(words)), 0)
        meant = table[words[at : at + length]] if length else (words[at],)
        found.append((" ".join(words[at : at + max(length, 1)]), meant))
        at += max(length, 1)
    return tuple(found)
