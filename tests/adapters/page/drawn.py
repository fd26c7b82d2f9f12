"""What a page of HTML shows, read back out of it."""

from __future__ import annotations

import httpx
from lxml import html

from bot.verbatim import collapse
from retrieval.model import Reading

Covered = set[tuple[int, int, bool]]


def parsed(response: httpx.Response) -> html.HtmlElement:
    assert response.status_code == 200, response.text
    return html.document_fromstring(response.text)


def rows(page: html.HtmlElement) -> list[html.HtmlElement]:
    return list(page.xpath("//span[contains(concat(' ', @class, ' '), ' sentence ')]"))


def index(row: html.HtmlElement) -> int:
    return int(row.get("id").rpartition("s")[2])


def words(row: html.HtmlElement) -> str:
    (shown,) = row.xpath("./span[starts-with(@class, 'words')]")
    return str(shown.text_content())


def covered(page: html.HtmlElement) -> Covered:
    """Return which sentence each caveat is drawn on, which sentence holds it, and whether it is drawn as sure."""
    return {
        (index(row), int(note.xpath("./a")[0].get("href").rpartition("s")[2]), "sure" in note.get("class"))
        for row in rows(page)
        for described in row.xpath("./span/@aria-describedby")
        for note in map(page.get_element_by_id, described.split())
    }


def due(reading: Reading) -> Covered:
    return {
        (place, caveat.sentence, sure)
        for caveat in reading.caveats
        for sure, places in ((True, caveat.covers), (False, caveat.possible))
        for place in places
    }


def squashed(element: html.HtmlElement) -> str:
    return collapse(str(element.text_content()))
