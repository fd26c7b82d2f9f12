"""What metadata, and a line above the text, say of publication: drafts, private pieces, what waits for its day.

The keys are those of site generators' front matter and of editing systems: Hugo, Jekyll, Eleventy, Astro, Gatsby,
Pelican, Zola, WordPress, Ghost, ninjs, schema.org. Case, spaces and "_" in a key make no difference.
Days are read as people and programs write them, where no other can be meant.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from itertools import chain
from unicodedata import category, normalize

from retrieval.errors import UnpublishedError
from retrieval.lexicon.word_classes import ordered
from retrieval.limits import shown

Keys = Mapping[str, object]


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


DATES = _words("""
    published date publishdate publishedat publishedon publishat publishon publishtime publicationdate pubdate
    datepublished firstpublished firstpublishedat displaydate postdate postdategmt dategmt articlepublishedtime
""")
# of these, a day that cannot be read holds the article as well
_HOLDS = _words("""
    scheduled scheduledat scheduledfor scheduleddate scheduledtime holduntil hold holdforrelease releaseat notbefore
    publishafter publishfrom availablefrom availableat golive goliveat golivedate goesliveat donotpublishbefore
    donotpublishuntil donotuseuntil donotusebefore notforpublicationbefore notforreleasebefore
""")
_RELEASES = _words("releasedate releasedon releasetime")  # of a text that has no other day; else of a film
_ENDS = _words("expirydate unpublishdate unpublishedat")
_TRUE_IF_DRAFT = _words("draft isdraft unpublished private isprivate hidden unlisted")
_FALSE_IF_DRAFT = _words("published ispublished publish dgpublish public ispublic live islive permalink")
_STATUS = _words("""
    status poststatus articlestatus contentstatus publishstatus publishingstatus publicationstatus pubstatus
    workflowstatus workflowstate state stage visibility creativeworkstatus articlecreativeworkstatus draft published
""")
_UNPUBLISHED = _words("""
    inprogress working wip incomplete idea assigned private hidden internal pending review editing inediting
    readytopublish scheduled future planned embargoed withheld withhold onhold hold held cancelled canceled spiked
    killed trash trashed deleted inherit skip
""")
# whatever the status is of: "first draft", "pending legal review", "not yet published"
_UNREADY = re.compile(
    r"^(?:\w*drafts?|un(?:published|approved)|(?:not|tobe)(?:yet)?(?:published|approved)|(?:in|for|needs|under|pending)\w*(?:review|approval)|awaiting\w*|\w*(?:copyedit(?:ing)?|subediting))$"
)
_INSIDE = _words("""
    meta metadata params extra data post page article publication publishing workflow frontmatter attributes cms
    wordpress ghost
""")
_NAMES = ("name", "value", "label", "slug", "code")  # of a status that is a table
_YES, _NO = frozenset(("true", "yes", "on", "1", "y")), frozenset(("false", "no", "off", "0", "n"))
_JOINS = re.compile(r"[\s_.:-]+")
_FILED_BY_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=[-_])")
LAST_TO_HAVE_A_DAY = timezone(timedelta(hours=-12))
_FIRST_TO_HAVE_A_DAY = timezone(timedelta(hours=14))

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

_MONTHS = [month[:3] for month in ordered("months")]
_MONTH = rf"(?P<month>{'|'.join((*ordered('months'), 'sept', *_MONTHS))})\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DAYS = chain.from_iterable(map(ordered, ("weekdays", "short_weekdays", "house_weekdays")))
_WEEKDAY = rf"(?:(?:{'|'.join(_DAYS)})\b\.?,?\s+)?"
_HOUR = r"\d{1,2}(?:[:.]\d\d){0,2}(?:[.,]\d+)?\s*(?:[ap]\.?m\.?|h|hrs|hours)?"
_ZONE = r"(?:[+-]\d\d:?\d\d|\(?[a-z]{1,5}(?:[+-]\d{1,4})?\)?|local\s+time|\([a-z .]{1,40}\))"
_CLOCK = rf"(?:(?:[\s,–—|-]+|t)(?:at\s+|around\s+)?{_HOUR}(?:\s*{_ZONE}){{0,3}})?"
_BEFORE = rf"(?:(?:first\s+)?(?:published|posted|dated?)(?:\s+on)?\s*:?\s+)?{_WEEKDAY}(?:(?:on\s+)?the\s+)?"
_ORDERS = (
    rf"{_DAY}[\s-]+(?:of\s+)?{_MONTH},?[\s-]+{_YEAR}",
    rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
    rf"{_YEAR}[\s-]+{_MONTH}[\s-]+{_DAY}",
    r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)",
)
_WRITTEN = tuple(re.compile(f"{_BEFORE}{order}{_CLOCK}", re.IGNORECASE | re.ASCII) for order in _ORDERS)
_NUMBERS = re.compile(rf"{_WEEKDAY}(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}}){_CLOCK}", re.IGNORECASE | re.ASCII)
_UNNAMED = "|".join(re.sub(r"\?P<\w+>", "", order) for order in _ORDERS)
_ANY_DAY = re.compile(rf"\b(?:{_UNNAMED}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}})\b", re.IGNORECASE | re.ASCII)
_LONGEST = 100  # characters


class UnclearDayError(ValueError):
    """No day, or more than one, may be meant; the message is a sentence for people."""


def day_of(written: str) -> date:
    """Return the day that is written, with its moment where it is in ISO 8601. Raises ``UnclearDayError``.

    >>> day_of("Friday, December 23rd, 2022"), day_of("23/12/2022")
    (datetime.date(2022, 12, 23), datetime.date(2022, 12, 23))
    """
    written = " ".join(written.split())[:_LONGEST]
    with suppress(ValueError):
        return datetime.fromisoformat(written)
    if match := next(filter(None, (pattern.fullmatch(written) for pattern in _WRITTEN)), None):
        month = match["month"].lower()
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
        orders = [(int(match["year"]), number, int(match["day"]))]
    elif match := _NUMBERS.fullmatch(written):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        orders = [(year, second, first), (year, first, second)]
    else:
        raise UnclearDayError("It names no day that can be read.")
    days = list[date]()
    for order in dict.fromkeys(orders):
        with suppress(ValueError):
            days.append(date(*order))
    if len(days) != 1:
        either = " or ".join(f"{day.day} {day:%B %Y}" for day in days)
        raise UnclearDayError(f"It may be {either}." if days else "There is no such day.")
    return days[0]


def plain(key: str) -> str:
    """Return a key for comparison: lower case, one width, without invisible characters."""
    return "".join(c for c in normalize("NFKC", key) if category(c) != "Cf").strip().lower()


def is_status(key: str) -> bool:
    """Whether a key says whether, or when, an article is published."""
    return _bare(key) in DATES | _HOLDS | _ENDS | _RELEASES | _TRUE_IF_DRAFT | _FALSE_IF_DRAFT | _STATUS


def refuse_unpublished(keys: Keys, until: datetime | None, file: str, zone: tzinfo | None) -> None:
    """Raise ``UnpublishedError`` for what is not published when its embargo, if it has one, ends.

    ``file`` may begin with the day of publication, as Jekyll's do; ``zone`` is that of an awaited hour without one.
    """
    every, now = list(_all(keys)), datetime.now(UTC)
    dates = DATES if any(_bare(name) in DATES for _, name, _ in every) else DATES | _RELEASES
    for path, name, value in every:
        key, word = _bare(name), flag(value)
        is_off = word is not None and key in (_TRUE_IF_DRAFT | _HOLDS if word else _FALSE_IF_DRAFT)
        says = _bare(value.removeprefix("https://schema.org/")) if isinstance(value, str) else ""
        is_unready = _UNREADY.search(says) if key.endswith("status") or key in _STATUS else None
        is_off |= key in _STATUS and says in _UNPUBLISHED and not (until and says == "embargoed")
        if is_off or is_unready:
            said = {True: "true", False: "false", None: value}[word]
            raise UnpublishedError(f"It is not published: its {shown(path)} is {shown(str(said))}.")
        if value and word is None and key in dates | _HOLDS | _ENDS:
            _refuse_day(path, key, value, max(until, now) if until else now, zone)
    if filed := _FILED_BY_DAY.match(file):
        _refuse_day("name", "date", filed[0], now)


def _refuse_day(path: str, key: str, value: object, at: datetime, zone: tzinfo | None = None) -> None:
    try:
        day = value if isinstance(value, date) else day_of(str(value))
    except UnclearDayError as error:
        if key in _HOLDS:
            raise UnpublishedError(f"It waits for its {shown(path)}, which cannot be read. {error}") from error
        return
    says = f"{day:%Y-%m-%d}, as its {shown(path)} says"
    if isinstance(day, datetime) and not (day.tzinfo or (":" in str(value) and (zone or key in _HOLDS))):
        day = day.date()  # without a zone, the hour doesn't tell when it is
    place = LAST_TO_HAVE_A_DAY if key in _ENDS or isinstance(day, datetime) else _FIRST_TO_HAVE_A_DAY
    begin = begin_of(day, zone if zone and isinstance(day, datetime) else place)
    if key in _ENDS and begin <= at:
        raise UnpublishedError(f"It is not published: it was published until {says}.")
    if key not in _ENDS and begin > at:
        raise UnpublishedError(f"It is not published: it is to be published on {says}.", begin)


def begin_of(day: date, zone: tzinfo) -> datetime:
    """Return a moment, or when a day begins; in ``zone`` if it has none, the later if there are two such hours."""
    moment = day if isinstance(day, datetime) else datetime.combine(day, time())
    hours = [moment] if moment.tzinfo else [moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    return max(hours, key=datetime.timestamp)


def flag(value: object) -> bool | None:
    """Return what a yes or no means, however it is written; None for anything else."""
    word = str(value).strip().lower() if isinstance(value, str | bool | int) else ""
    return True if word in _YES else False if word in _NO else None


def _all(keys: Keys) -> Iterator[tuple[str, str, object]]:
    """Yield the path, the key and the value of each key, and of those inside a table of the article's metadata."""
    for key, value in keys.items():
        yield str(key), str(key), value
        if isinstance(value, Mapping) and _bare(str(key)) in _STATUS:
            yield from ((f"{key}.{inside}", str(key), value[inside]) for inside in _NAMES if inside in value)
        elif isinstance(value, Mapping) and _bare(str(key)) in _INSIDE:
            yield from ((f"{key}.{inside}", str(inside), own) for inside, own in value.items())


def _bare(key: str) -> str:
    return _JOINS.sub("", plain(key))


def is_notice(line: str) -> bool:
    """Whether a line announces an embargo, as wires and press offices write above a text.

    No sentence of a report about an arms or oil embargo does, nor one that quotes such words, or what a label says.
    """
    line = normalize("NFKC", line[:_LINE_START])
    if any(notice.search(line) for notice in (_EMBARGO, _HOLD, _KEYED, _IN_CAPITALS)):
        return True
    release, now = _FOR_RELEASE.search(line), datetime.now(UTC)
    if release is None or not _SAID_OF_TIME.search(release["when"]):
        return False
    with suppress(UnclearDayError):
        day = day_of(written[0] if (written := _ANY_DAY.search(release["when"])) else "")
        return begin_of(day, _FIRST_TO_HAVE_A_DAY) > now or day == now.date()
    return True
