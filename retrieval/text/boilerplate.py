"""A sentence -> why it is not part of the report, or nothing; and what boilerplate looks like, at any outlet.

Words in quotation marks are never boilerplate, unless they are a heading ('Nobody came').
A rule looks at one sentence and its surroundings; the first that applies decides.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from retrieval.model import Boilerplate

_AGENCIES = (
    "AFP|AP Photo|AP|The Associated Press|Associated Press|Agence France-Presse|Reuters|Getty Images|Getty|EPA-EFE|EPA"
    "|PA Media|PA Wire|PA|TASS|Xinhua|Shutterstock|Anadolu Agency|Anadolu|dpa|DPA|ANSA|EFE|UPI|Bloomberg|NurPhoto"
    "|Alamy|iStock|AAP|Zuma|ZUMA|Rex"
)
_NAME = r"[A-Z][\w.’'-]*(?: (?:[A-Z][\w.’'-]*|de|da|van|von|der|al|bin|el)){0,4}"
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?"
    r"|Sep(?:t(?:ember|\.)?|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )"
_TIME = r"(?:(?:\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|[Nn]oon|[Mm]idnight)(?: ?[A-Z]{2,4})?)"
_DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})"
)
_STAMP = r"(?:(?i:(?:first |last |page )*(?:date|published|updated?|posted|modified|issued)(?: on| at)?):? )"
# Copy that came through a tokenizer has brackets spelt out, slashes escaped and spaces round its punctuation.
OPEN, CLOSE, SLASH = r"(?:(?:\(|-LRB-) ?)", r"(?: ?(?:\)|-RRB-))", r"(?: ?(?:\\?/|\|) ?)"
PHOTOGRAPH = (
    rf"(?:(?:Photograph|Photo|Picture|Image) ?: (?:{_NAME}{SLASH})?(?:{_NAME}{SLASH})?(?:{_AGENCIES})\b"
    rf"|(?:{_AGENCIES}) (?:[Pp]hoto|[Ii]mage){SLASH}[A-Z][\w.’'-]+(?: [A-Z]\.?)? [A-Z][\w’'-]+)"
)


def _one_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


ADVERTISEMENT = _one_of(
    r"(?i:(?:skip )?advertisements?\b[^a-z]*(?:continue reading below)?[^a-z]*$)",
    r"(?i:(?:(?:story|article|post) continues|continue reading) (?:after|below)\b.{0,40}$)",
)

LINK = _one_of(
    # what is around a film: what was seen, what is to be seen next, and how long it takes
    r"(?:(?:JUST|MUST|NOW) WATCH(?:ED)?|Replay More|Play Video|Media playback)\b",
    r"(?:[A-Z].{0,150} )?\d{1,2}:\d\d$",
    r"(?i:\( ?(?:also on|see also|related|read|watch|photos?|video|more on)\b[^()]{1,120}\)$)",
    r"(?i:more on this(?: story| topic)?\W*$|ad policy$|add interest$)",
    r"(?i:(?:(?:also|must|now) )?read(?: also| more| next| on| now)? ?[|:»>…])",
    r"(?i:(?:read|see|click)(?: more| here| the (?:full|rest|original)\b[^.]{0,40}?)(?: here)?\W*$)",
    r"(?i:(?:see also|related(?: (?:stories|story|articles|coverage|content|topics|news))?)(?: ?[|:»>].*)?$)",
    r"(?i:more from .{0,40}$|(?:https?://|www\.)\S+$)",
)

# An outlet speaks to its reader, of the page and not of the world.
TO_THE_READER = re.compile(
    r"(?i)\b(?:you (?:can |may )?(?:unsubscribe|opt[- ]out)|thank you for subscribing|(?:your|our) inbox"
    r"|you (?:agree|consent) (?:to (?:our|receive)|that anything)|you're not a robot|protected by recaptcha"
    r"|(?:invalid|your|valid) e-?mail address|e-?mail sign ?up|click to subscribe|an error has occurred"
    r"|select a newsletter|(?:view|manage|see) (?:all )?(?:[\w ]{0,30} )?newsletters|need help using the site"
    r"|we welcome comments|comments on our articles|(?:letters|questions) for publication|rules of conduct set"
    r"|(?:views|opinions) expressed (?:here|are|by (?:the author|columnists|commenters)|in (?:the|this)"
    r" (?:comments?|commentary|article|column|piece|blog|post))|this discussion is (?:now )?closed"
    r"|visit [\w .&]{2,40}(?:'s|’s|s’) homepage|prior written consent of|licensing opportunities of our"
    r"|are registered trademarks|consider (?:making a contribution|subscribing|donating|supporting us)"
    r"|(?:read|get) more (?:stories|news|coverage) (?:like this|from|on))\b"
)
CALL = _one_of(
    r"(?i:please (?:try again later|re-?enter)\W*$|.{0,50}\breport (?:as )?abuse\b)",
    r"(?i:watch\b.{0,80}\b(?:here|below|above|on youtube)\b\W*$|(?:watch|listen) ?[|:])",
    r"(?i:(?:subscribe|sign up)\b.{0,100}"
    r"\b(?:here|now|today|newsletters?|channel|podcasts?|inbox|briefing|alerts?|updates|app)\b.{0,60}$)",
    r"(?i:(?:like and |please )?follow (?:us|@\w+)\b)",
    r"(?i:follow .{2,60} on (?:twitter|facebook|instagram|x|tiktok|telegram|linkedin|threads|bluesky|whatsapp)\b)",
    r"(?i:follow .{2,60}\bfor (?:the |all the |our )?(?:live|latest|breaking|more)\b"
    r"(?: \w+)? ?(?:updates|news|coverage|reports|stories)?\W*$)",
    r"(?i:(?:like|find|join|message|contact|e-?mail) us (?:on|at)\b|join (?:our|the conversation)\b)",
    r"(?i:(?:click|tap) here\b|download (?:the|our)\b.{0,40}\bapp\b|(?:read or )?share this\b|have your say\b)",
    r"(?i:get (?:the latest|our|all the|more) .{0,80}\b(?:inbox|newsletters?|alerts?|app|here)\b.{0,40}$)",
)

REPORTERS = _one_of(
    rf"{OPEN}?[-–—*\s]*(?i:(?:additional |further )?"
    rf"(?:reporting|writing|editing|research|production|translation) by) [A-Z]"
    rf"|{OPEN}?[-–—*\s]*(?i:(?:with )?additional reporting)\b",
    r"[-–—*\s]*(?i:with assistance (?:by|from)) [A-Z]",
    r"(?i:(?:write to|contact|e-?mail|reach|to contact|letters)\b).{0,100}@",
    r"(?i:(?:this is a|this) (?:developing|breaking)(?: news)? story\b)",
    rf"(?i:contributing|contributors|reporting): (?:{_NAME}|{_AGENCIES}).{{0,80}}$",
    r"(?i:with (?:inputs?|files|reports?|reporting|agencies)\b).{0,60}$",
    r"(?i:(?:this|the) (?:story|article|piece) (?:was|has been|is|first|originally)) "
    r".{0,40}\b(?:published|appeared|updated|corrected|produced)\b",
    r"(?i:©|\(c\) |copyright (?:©|\(c\)|\d|reserved)|all rights reserved\b)",
    rf"[-–—\s]*(?:{_AGENCIES})\W*$",
)

CONTRIBUTORS = re.compile(r".{2,200}\bcontributed (?:to (?:this|the) (?:report|story|article|piece)|reporting)\b")

PICTURE = _one_of(
    r"(?i:(?:file )?(?:image|photo|photograph|picture|pic|video|graphic|illustration)s?"
    r"(?: ?(?:credit|courtesy|source))?s?)(?: ?:| ?©| (?i:by) [A-Z]| courtesy).{0,120}$",
    r"(?i:(?:credit|courtesy)s? ?(?::|of )).{0,100}$|(?i:source)s?: [A-Z0-9].{0,60}$|Image source, ",
    r"\((?i:image|photo|picture)s?[ :/].{0,60}\)$",
    rf"[(\[]?(?:{_AGENCIES}) (?i:photo|image)\b.{{0,80}}$|(?i:(?:video|photo|image)s? provided by) [A-Z].{{0,60}}$",
    rf"{PHOTOGRAPH}$|.{{0,200}}\(Photo: [^()]{{1,80}}\)$",
    rf"[(\[]?(?:© ?)?{_NAME}(?: for)?(?: ?[/|] ?(?:{_NAME}|{_AGENCIES})){{1,4}}[.)\]]*$",
)

SHOWN = _one_of(
    r"(?i:(?:file|handout|undated|archive) (?:photo|picture|image|photograph)\b|pictured?:|caption:)",
    r"(?i:in this (?:\w+ )?(?:file )?(?:photo|image|picture)\b)",
    r"(?:Image|Media|Video) (?:caption|copyright)\b,? ?|Hide Caption\b|Enlarge this image\b",
    rf".{{0,300}}\({_MONTH} \d{{1,2}}\)(?: (?:{_AGENCIES}))?(?:, (?:{_AGENCIES}))?$",
    r"(?:Above|Below|Left|Right|Top),? ?:",
)

# A small word, and behind it one that begins a sentence and no name, with no stop between.
HEADLINE_END = re.compile(
    r"(?<=[a-z0-9] )(?=(?:The|An?|In|At|After|As|But|This|There|It|He|She|They|We|Our|If) [a-z`])"
)

COMMENTS = re.compile(
    r"(?i:views expressed in the comments|.{0,50}\breport (?:as )?abuse\b|.{0,80}\d ?[ap]\.?m\.? \| reply\b)"
)

PHOTOGRAPH_AT = re.compile(PHOTOGRAPH)

GALLERY = re.compile(r"(?:Hide Caption|Photos?:?|Slide|Image) \d+ of \d+\b")

BYLINE = _one_of(
    rf"(?i:by|words by|posted by|written by|story by|author:|reporter:) {_NAME}"
    rf"(?:(?:,| and| &| in| at| for| of| [|–—-]) {_NAME}){{0,4}}"
    r"(?:,? [^.,]{0,40}\b(?i:correspondent|editor|reporter|writer|columnist|producer|staff|agencies|desk))?\W*$",
    rf"{_NAME},? (?:[A-Z]\w+ ){{0,2}}(?i:staff writer|correspondent|reporter|editor|special to .{{3,40}})\W*$",
)

# A posting is signed with a handle, and what was quoted with the name of who wrote it and of where.
HANDLE = rf"(?:--|[–—―-]) ?(?P<poster>[^()\n]{{2,50}})\(@\w+\)(?: {_DAY})?"
POSTER = re.compile(HANDLE)
POSTED = re.compile(rf"{HANDLE}$")
SIGNATURE = _one_of(rf"(?:--|[–—―-]) ?{_NAME}(?:, [A-Z][^.!?]{{0,60}})?$", rf"{_NAME}, {_NAME}$")

_ZONE = r"(?:GMT|BST|UTC|CET|[ECMP][SD]?T|UK)"
_CLOCK = rf"(?:\d{{1,2}}[:.]\d\d(?: ?[apAP]\.?[mM]\.?)?(?: {_ZONE}\b)?)"
_DATE = rf"(?:{_WEEKDAY}?(?:{_MONTH} \d{{1,2}}|\d{{1,2}} {_MONTH}) ?,? \d{{4}})".replace(",? )", " ?,? )")
STAMP = _one_of(
    rf"{_DATE} ?[,;:|]? (?:Last updated at )?{_CLOCK}",
    rf"(?:Page |Last )*(?:[Ll]ast )?updated at {_CLOCK} ?,? {_DATE}(?: {_CLOCK})?",
)
AGENCY_DATELINE = re.compile(
    rf"{OPEN}(?:{_AGENCIES}|[A-Z]{{3}}|[A-Z][A-Za-z]{{2}} News){CLOSE}"
    rf"(?: ?(?:''|\"))? ?(?:--|[-–—]) (?=[\"“‘'`A-Z])"
)

UPDATED = _one_of(
    rf"(?:{OPEN}|(?:--|[–—-]) ?)(?:Updated?|Posted)(?: at)? {_CLOCK}.{{0,30}}$",
    rf"[ ,]*{_DATE}\W*$",
)

DATELINE = _one_of(
    rf"{_STAMP}?(?:{_TIME},? ?(?:on )?)?{_WEEKDAY}?{_DAY}(?:,? ?(?:at |[|–—-] ?)?{_TIME})?"
    rf"(?: ?[|·–—-] ?.{{0,60}})?\W*$",
    rf"{_STAMP}?{_TIME}\W*$",
    rf"{_STAMP}.{{0,50}}\d.{{0,30}}$",
)

# A note of what an article had wrong, or how it was changed; earlier versions of a bill, and others' reports, are news.
_COPY = "(?:article|story|report|piece|post|page|column|headline|caption|graphic|interview|review|update|entry)"
_OWN = rf"(?:(?:this|our) {_COPY}|the (?:article|story|piece|headline|caption|column))(?: above)?"
_WRONGLY = r"(?:(?:originally |previously |earlier )?(?:incorrectly|wrongly|mistakenly|erroneously|inaccurately))"
_EARLIER = r"(?:earlier|previous|original|initial|first|prior)"
_LEAD = r"[^\"“‘A-Za-z0-9]{0,20}"
_NOTE = rf"{_LEAD}(?:(?:editor[’']?s[’']? )?note ?[:–—] ?)?"
CORRECTION = _one_of(
    rf"(?i:{_LEAD}(?:correction|clarification|corrections? and clarification|erratum|corrigendum|retraction)s?"
    r"(?: appended| notice| of record)?(?:,? ?\(?[^:()]{0,40}\d\)?)?[*_]* ?[:–—])",
    rf"(?i:[^\"“”]{{0,80}}?\b{_EARLIER} (?:version|edition|draft)s? of (?:this|our) {_COPY}\b)",
    rf"(?i:{_NOTE}{_OWN} (?:was|has been|had been) (?:later |since )?(?:amended|corrected|clarified|changed (?:on|to)"
    r"|edited (?:on|to)|revised (?:on|to)|updated to (?:correct|clarify|reflect|remove|make|show))\b)",
    rf"(?i:{_NOTE}(?:earlier,? )?(?:{_OWN}|an {_EARLIER} {_COPY}|we(?: had)?) {_WRONGLY} )",
    rf"(?i:{_LEAD}(?:because of|due to|owing to) an? (?:editing|reporting|production|transcription) error\b)",
    rf"(?i:{_LEAD}we (?:regret|apologi[sz]e for) (?:the|this|our) (?:errors?|mistakes?)\b)",
)
EARLIER_POST = re.compile(
    rf"(?i){_LEAD}(?:(?:our|this) {_EARLIER} {_COPY}|an {_EARLIER} (?:post|version|update|entry|alert))s?"
    r"(?: (?:here|on this page))? (?:said|stated|gave|quoted|named|had)\b"
)
TAKEN_BACK = re.compile(
    rf"(?i){_LEAD}(?:that|this|it) (?:was|is) (?:wrong|incorrect|not (?:right|correct|so)|an error|a mistake)\b[^,;:]*$"
)

_FULL_STOP = re.compile(r"[.!?…][\"”’')\]]*$")
_HEADING_WORDS = 14
_CAPTION_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a sentence is in its article.

    ``block`` counts the blocks of the article from 0, ``blocks`` is how many there are.
    ``sentences`` is how many sentences the block has, ``rule`` what cut this one off.
    ``has_credit`` where the block holds a picture credit, ``is_gallery`` where it is a row of pictures,
    ``after_quotation`` where a quotation ends right before the sentence.
    """

    block: int
    blocks: int
    sentences: int
    rule: str
    title: str | None = None
    has_credit: bool = False
    is_gallery: bool = False
    after_quotation: bool = False

    @property
    def is_only_sentence(self) -> bool:
        return self.sentences == 1


def classify(words: str, place: Surroundings, *, quoted: bool) -> tuple[Boilerplate | None, str]:
    """Return the kind of boilerplate that ``words`` (white space collapsed) are, and the name of the rule."""
    for kind, name, applies in () if not words else _RULES[-1:] if quoted else _RULES:
        if applies(words, place):
            return kind, name
    return None, ""


def _is_link(words: str, place: Surroundings) -> object:
    # titles of other pages, one after the other, below the report
    row = place.block == place.blocks - 1 and not _FULL_STOP.search(words) and HEADLINE_END.search(words)
    return row or LINK.match(words)


def _is_credit(words: str, place: Surroundings) -> object:
    picture = place.sentences <= _CAPTION_SENTENCES and PICTURE.match(words)
    reporters = REPORTERS.match(words) or ("contributed" in words and CONTRIBUTORS.match(words))
    return place.rule == "run-in credit" or picture or reporters


def _is_byline(words: str, place: Surroundings) -> object:
    signature = place.after_quotation and SIGNATURE.match(words)
    return signature or POSTED.match(words) or (place.is_only_sentence and BYLINE.match(words))


def _is_dateline(words: str, place: Surroundings) -> object:
    day = UPDATED.match(words) or (place.is_only_sentence and DATELINE.match(words))
    return place.rule == "dateline" or day


def _is_title(words: str, place: Surroundings) -> bool:
    if place.rule == "run-in title":
        return True
    if place.block or place.blocks == 1 or not place.is_only_sentence:
        return False
    if place.title and _plain(words) == _plain(place.title):
        return True
    return (not _FULL_STOP.search(words) and words[-1] not in ":,;") or _is_in_title_case(words)


def _is_caption(words: str, place: Surroundings) -> object:
    return (place.has_credit and place.sentences <= _CAPTION_SENTENCES) or SHOWN.match(words)


def _is_heading(words: str, place: Surroundings) -> bool:
    capitals = words.isupper()
    only = place.is_only_sentence
    if place.rule == "run-in heading" or (not place.block and only and words[-1] == ":" and capitals):
        return True
    if not only or place.block == place.blocks - 1 or words[-1] in ":,;–—-":
        return False
    short = len(words.split()) <= _HEADING_WORDS and not words[0].islower()
    stopped = _FULL_STOP.search(words) is not None
    return (capitals and (short or not stopped)) or (short and not stopped)


def _plain(words: str) -> str:
    return " ".join(words.rstrip(".").casefold().split())


def _is_in_title_case(words: str) -> bool:
    """Whether every long word begins with a capital, as in American headlines."""
    long = [word for word in words.split() if len(word) > 4]  # noqa: PLR2004 - "with", "from", "over" stay small
    return len(long) > 2 and all(not word.lstrip("\"“‘'([")[:1].islower() for word in long)  # noqa: PLR2004


_RULES: tuple[tuple[Boilerplate, str, Callable[[str, Surroundings], object]], ...] = (
    (Boilerplate.CAPTION, "gallery", lambda _, place: place.is_gallery),
    (Boilerplate.ADVERTISEMENT, "advertisement", lambda words, _: ADVERTISEMENT.match(words)),
    (Boilerplate.LINK, "link", _is_link),
    (Boilerplate.CALL, "call", lambda words, _: CALL.match(words) or TO_THE_READER.search(words)),
    (Boilerplate.CREDIT, "credit", _is_credit),
    (Boilerplate.BYLINE, "by-line", _is_byline),
    (Boilerplate.DATELINE, "dateline", _is_dateline),
    (Boilerplate.TITLE, "title", _is_title),
    (Boilerplate.CAPTION, "caption", _is_caption),
    (Boilerplate.HEADING, "heading", _is_heading),
)
