"""Embargoes however they are written: read where that is clear, refused aloud where they are not."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from retrieval.errors import BrokenFrontMatterError, UnpublishedError
from retrieval.intake.publication import is_notice
from tests.retrieval.intake.exports import FOOT, HEAD, post
from tests.retrieval.intake.test_articles import PAGE
from tests.retrieval.intake.test_exports import story
from tests.support.articles import SUNK, loaded, refused, taken

UNTIL = datetime(2096, 3, 1, 18, tzinfo=UTC)
KEY = "embargo: 2096-03-01T18:00Z"

READ = {
    "a blank line before it": f"\n\n---\n{KEY}\n---\n{SUNK}",
    "a space before it": f" ---\n {KEY}\n ---\n{SUNK}",
    "four hyphens": f"----\n{KEY}\n----\n{SUNK}",
    "three after four": f"----\n{KEY}\n---\n{SUNK}",
    "TOML": f'+++\nembargo = "2096-03-01T18:00Z"\n+++\n{SUNK}',
    "JSON": f'{{\n  "embargo": "2096-03-01T18:00Z"\n}}\n{SUNK}',
    "wide letters": f"---\nｅｍｂａｒｇｏ: 2096-03-01T18:00Z\n---\n{SUNK}",
    "a soft hyphen": f"---\nem\u00adbargo: 2096-03-01T18:00Z\n---\n{SUNK}",
}
REFUSED = {
    "a line": f"Embargo: 6pm Friday\n{SUNK}",
    "in capital letters": f"EMBARGOED UNTIL 6PM FRIDAY\n\n{SUNK}",
    "below a title": f"The quay\n\n{KEY}\n\n{SUNK}",
    "front matter further down": f"The quay\n---\n{KEY}\n---\n{SUNK}",
    "inside another key": f"---\nmeta:\n  {KEY}\n---\n{SUNK}",
    "in a list": f"---\nmeta:\n  - {KEY}\n---\n{SUNK}",
    "in a note": f"---\nnote: EMBARGOED UNTIL 6PM FRIDAY\n---\n{SUNK}",
    "a letter of another alphabet": f"---\n\u0435mbargo: 2096-03-01T18:00Z\n---\n{SUNK}",
    "TOML that is none": f"+++\nembargo = Friday 6pm\n+++\n{SUNK}",
    "JSON that is none": f'{{"title": "A", "embargo": "Friday",}}\n{SUNK}',
    "a comment": f"<!-- embargo: Friday -->\n{SUNK}",
}
TAKEN = [
    f"---\nmeta:\n  embargo: 2020-01-01\n---\n{SUNK}",
    f"---\nmeta:\n  embargo:\n---\n{SUNK}",
    f"----\n{SUNK}\n----\n",
    f"+++\n{SUNK}\n+++\n",
    f"{{{SUNK}}}",
]
NOTICES = """\
Embargo: 6pm Friday
EMBARGOED UNTIL 6PM FRIDAY
Embargoed until 00:01 GMT Tuesday 5 April
STRICTLY EMBARGOED UNTIL 00.01
*** EMBARGO ***
UNDER EMBARGO UNTIL 18:00
embargo_until: 2026-12-01
"embargo": "2026-12-01T18:00Z"
(Embargoed for release at 9pm)
Press release – embargoed until 6pm Friday
NEWS RELEASE - UNDER EMBARGO UNTIL MONDAY
Embargo 00:01 Tuesday
Embargo till noon
EMBARGOED FOR PUBLICATION 2026-12-01
Not for publication before 6pm
HOLD FOR RELEASE UNTIL FRIDAY
ＥＭＢＡＲＧＯ: Friday
[EMBARGOED TO 0001 FRIDAY]
Media embargo until 9am
{"title": "A", "embargo": "Friday"}
Hold for release
HOLD FOR RELEASE: 6pm, 5 January 2097
Held for release until Monday, Jan. 5
Hold until Friday 9am
Hold this story until 6 p.m. Thursday
Do not use until 5 January 2097
DO NOT PUBLISH OR BROADCAST BEFORE THE CHANCELLOR SITS DOWN
Please do not publish, post or share before 00:01 on Tuesday
Don't use before noon on Sunday
Not for publication before 6pm
NOT FOR RELEASE OR BROADCAST UNTIL 10.30 GMT
Not for publication
Not for use before Sunday's papers
Not to be published or broadcast before 9am Wednesday
No use before midnight on Friday
Strictly embargoed until the ceremony
This story is under embargo until Friday
STRICTLY UNDER EMBARGO – not before 18:00
Embargo lifts 5 January 2097
EMBARGO ENDS 00:01 TUESDAY
Embargoed until 03/04/2097
For release at 6pm, 5 January 2097
For release on Monday
FOR PUBLICATION FROM 6 JANUARY 2097
For use from 18:00 on Tuesday
Release time: 6pm
Release date: January 5, 2097
Release date and time: 03/04/2097, noon
Advance for Sunday, Jan. 5
Media release – hold for release: Friday
Confidential until Thursday noon
Not to be published, broadcast or posted online before 5 March 2097
This press release is under strict embargo until 00:01 on 5 March 2097.
The findings are embargoed until Monday, 6pm
HFR 4 March 2097
Publication is not permitted until 09:00, 4 March 2097
May be published from 4 March 2097 onwards
WITHHOLD PUBLICATION UNTIL 4 MARCH
This story must not run before Thursday
Do not publish until the family has been told
"""
NEWS = """\
The oil embargo was lifted on Friday.
Embargo on grain hits farmers
EMBARGO ON OIL TO END
Arms embargo: what the council decided
Embargo lifted as ships sail
Embargoed oil reaches the port
OIL EMBARGO LIFTED
The study, which was embargoed until Wednesday, found that tides rise.
He said the embargo would stay until December.
What the embargo means for trade: questions and answers
The blockade (embargo) of the port went on.
An embargo until December was agreed.
State keeps arms embargo until 2025
Under embargo rules, ships were turned back.
Embargo to hit exports, ministers say
Hold for release of hostages grows longer
Hold until the bus stops, drivers tell pupils
"Hold for release," a stamp on the folder said, and nobody had opened it.
“Do not use until Friday,” the label read.
Do not use until the light is green, the maker of the heater warns.
Do not publish names before families are told, editors say
FOR IMMEDIATE RELEASE
For immediate release: 5 January 2097
For release: 4 March 2020
FOR RELEASE 10:00 A.M. (EST), FRIDAY, MARCH 4, 2016
Release date: March 4, 2016
Release date
For release contact Ann Bell
Not for publication in the north, the paper was sold in the south.
Not for sale before 18
No use before trial for seized boats
Embargo ends decade of trade, and farmers look elsewhere
Embargo lifted on Monday after talks
Advance for Orient as rivals lose
The minister said the figures were not to be published before Friday.
Publication from Monday of the royal letters is planned
Release of prisoners before Sunday unlikely
The trains must not run before Thursday's inspection, the union said.
The names may be published from here on, the judge ruled.
Publication of the letters is not easy until the archive opens, she said.
HFR, the radio station, was sold.
Don't publish the list until you have asked its author, teachers say.
"""


def test_a_notice_is_known_from_news_of_embargoes() -> None:
    assert [line for line in NOTICES.splitlines() if not is_notice(line)] == []
    assert [line for line in NEWS.splitlines() if is_notice(line)] == []


HEADS = [
    ('name="embargo" content="2096-03-01T18:00Z"', UNTIL),
    ('property="EMBARGO" content="2096-03-01T18:00Z"', UNTIL),
    ('name="embargo" content=""', None),
    ('property="article:embargo" content="2096-03-01T18:00Z"', "Its key “article:embargo” is unknown"),
]
FIELD = "<wp:postmeta><wp:meta_key>{}</wp:meta_key><wp:meta_value>{}</wp:meta_value></wp:postmeta></item>"
FIELDS = [
    ("embargo", "2096-03-01T18:00Z", UNTIL),
    ("_embargo_until", "2020-03-01 18:00", None),
    ("_edit_last", "7", None),
    ("_embargo_until", "2096-03-01T18:00Z", "Its key “_embargo_until” is unknown"),
    ("_embargo_until", "Friday", "Its key “_embargo_until” is unknown"),
]
PAST = (datetime.now(UTC) - timedelta(days=1)).isoformat()
DATED = {"revision": {}, "first_publish_date": PAST}
STORIES: list[tuple[dict[str, object], datetime | str | None]] = [
    ({"status": "draft"}, "not published"),
    ({"status": "Working", **DATED}, "not published"),
    ({"workflow": {"status_code": 1}, **DATED}, "not published"),
    ({"embargo": "Friday"}, "embargo"),
    ({"embargo": True}, "embargo"),
    ({"planning": {"embargo": "2096-03-01T18:00Z"}}, "embargo"),
    ({"additional_properties": {"embargo_date": "2096-03-01T18:00Z"}}, "embargo"),
    ({"embargo": "2096-03-01T18:00Z"}, UNTIL),
    ({"embargo": None, "status": "published"}, None),
    ({"workflow": {"status_code": 1}}, None),  # and its revision is said to be published
    ({"planning": {"embargo": "2020-03-01"}}, None),
    ({"promo_items": {"basic": {"embargo": "2096-03-01T18:00Z"}}}, None),
]
FILES = [
    *(("a.txt", text, UNTIL) for text in READ.values()),
    *(("a.txt", text, "mbargo") for text in REFUSED.values()),
    ("a.txt", f"---\nembargo: 2020-01-01T00:00Z\n---\nEmbargo: 6pm\n{SUNK}", datetime(2020, 1, 1, tzinfo=UTC)),
    *(("a.txt", text, None) for text in TAKEN),
    ("a.eml", f"From: Ann Bell\r\n\r\nStrictly embargoed until 6pm Friday\r\n\r\n{SUNK}", "mbargo"),
    *(("a.html", PAGE.replace("<head>", f"<head><meta {meta}>"), until) for meta, until in HEADS),
    *(
        ("a.xml", HEAD + post().replace("</item>", FIELD.format(key, value)) + FOOT, until)
        for key, value, until in FIELDS
    ),
    *(("a.json", json.dumps(story(**told)), until) for told, until in STORIES),
]


@pytest.mark.parametrize(
    ("name", "content", "until"), FILES, ids=[*READ, *REFUSED, *range(len(FILES) - len(READ) - len(REFUSED))]
)
def test_an_embargo_is_read_that_is_clear_and_any_other_is_refused_aloud(
    tmp_path: Path, name: str, content: str, until: datetime | str | None
) -> None:
    found = loaded(tmp_path, content, name)
    if isinstance(until, str):
        error = refused(found, tmp_path / name)
        assert isinstance(error, UnpublishedError | BrokenFrontMatterError)
        assert until in str(error)
    else:
        [article] = taken(found)
        assert article.embargo == until
        assert "2096" not in article.text
