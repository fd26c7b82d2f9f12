"""What metadata say of publication: drafts, private pieces, and what waits for its day are not published.

The keys are those of site generators' front matter and of editing systems: Hugo, Jekyll, Eleventy, Astro, Gatsby,
Pelican, Zola, WordPress, Ghost, ninjs, schema.org. Case, spaces and "_" in a key make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta, timezone
from unicodedata import category, normalize

from retrieval.errors import UnpublishedError
from retrieval.intake.dates import UnclearDayError, day_of
from retrieval.limits import shown

Keys = Mapping[str, object]

DATES = frozenset(
    """
    published date publishdate publishedat publishedon publishat publishon publishtime publicationdate pubdate
    datepublished firstpublished firstpublishedat displaydate postdate postdategmt dategmt articlepublishedtime
    """.split()
)
# of these, a day that cannot be read holds the article as well
_HOLDS = frozenset(
    """
    scheduled scheduledat scheduledfor scheduleddate scheduledtime holduntil hold holdforrelease releaseat
    notbefore publishafter publishfrom availablefrom availableat golive goliveat golivedate goesliveat
    donotpublishbefore donotpublishuntil donotuseuntil donotusebefore notforpublicationbefore
    notforreleasebefore
    """.split()
)
_RELEASES = frozenset("releasedate releasedon releasetime".split())  # of a text that has no other day; else of a film
_ENDS = frozenset("expirydate unpublishdate unpublishedat".split())
_TRUE_IF_DRAFT = frozenset("draft isdraft unpublished private isprivate hidden unlisted".split())
_FALSE_IF_DRAFT = frozenset("published ispublished publish dgpublish public ispublic live islive permalink".split())
_STATUS = frozenset(
    """
    status poststatus articlestatus contentstatus publishstatus publishingstatus publicationstatus pubstatus
    workflowstatus workflowstate state stage visibility creativeworkstatus articlecreativeworkstatus draft published
    """.split()
)
_UNPUBLISHED = frozenset(
    """
    draft drafts autodraft indraft inprogress working wip incomplete idea assigned unpublished private hidden internal
    pending pendingreview inreview review forreview needsreview underreview editing inediting awaitingapproval
    readytopublish scheduled future planned embargoed withheld withhold onhold hold held cancelled canceled
    spiked killed trash trashed deleted inherit skip
    """.split()
)
# whatever the status is of: "first draft", "pending legal review", "not yet published"
_UNREADY = re.compile(
    r"^(?:\w*drafts?|un(?:published|approved)|(?:not|tobe)(?:yet)?(?:published|approved)|(?:in|for|needs|under|pending)\w*(?:review|approval)|awaiting\w*|\w*(?:copyedit(?:ing)?|subediting))$"
)
_INSIDE = frozenset(
    """
    meta metadata params extra data post page article publication publishing workflow frontmatter attributes cms
    wordpress ghost
    """.split()
)
_NAMES = ("name", "value", "label", "slug", "code")  # of a status that is a table
_YES, _NO = frozenset(("true", "yes", "on", "1", "y")), frozenset(("false", "no", "off", "0", "n"))
_JOINS = re.compile(r"[\s_.:-]+")
_FILED_BY_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=[-_])")
_LAST_TO_HAVE_A_DAY = timezone(timedelta(hours=-12))
_FIRST_TO_HAVE_A_DAY = timezone(timedelta(hours=14))


def plain(key: str) -> str:
    """Return a key for comparison: lower case, one width, without invisible characters."""
    return "".join(c for c in normalize("NFKC", key) if category(c) != "Cf").strip().lower()


def is_status(key: str) -> bool:
    """Whether a key says whether, or when, an article is published."""
    return _bare(key) in DATES | _HOLDS | _ENDS | _RELEASES | _TRUE_IF_DRAFT | _FALSE_IF_DRAFT | _STATUS


def refuse_unpublished(keys: Keys, until: datetime | None, now: datetime) -> None:
    """Raise ``UnpublishedError`` for what is not published when its embargo, if it has one, ends."""
    every = list(_all(keys))
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
            _refuse_day(path, key, value, max(until, now) if until else now)


def _refuse_day(path: str, key: str, value: object, at: datetime) -> None:
    try:
        day = value if isinstance(value, date) else day_of(str(value))
    except UnclearDayError as error:
        if key in _HOLDS:
            raise UnpublishedError(f"It waits for its {shown(path)}, which cannot be read. {error}") from error
        return
    says = f"{day:%Y-%m-%d}, as its {shown(path)} says"
    if key in _ENDS and begin_of(day, _LAST_TO_HAVE_A_DAY) <= at:
        raise UnpublishedError(f"It is not published: it was published until {says}.")
    if key not in _ENDS and begin_of(day) > at:
        raise UnpublishedError(f"It is not published: it is to be published on {says}.", begin_of(day))


def begin_of(day: date, zone: timezone = _FIRST_TO_HAVE_A_DAY) -> datetime:
    """Return a moment as it is, and of a day when it begins: without a zone, where it begins first."""
    if isinstance(day, datetime) and day.tzinfo:
        return day
    return datetime.combine(day.date() if isinstance(day, datetime) else day, time(), zone)


def refuse_future_name(name: str, now: datetime) -> None:
    """Raise ``UnpublishedError`` for a file that is named by a coming day, as Jekyll files its posts."""
    if filed := _FILED_BY_DAY.match(name):
        _refuse_day("name", "date", filed[0], now)


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
