"""What a page of HTML shows, read back out of it."""

from __future__ import annotations

from lxml import html

from bot.verbatim import collapse
from retrieval.model import Reading

Covered = set[tuple[int, int, bool]]


def rows(page: html.HtmlElement) -> list[html.HtmlElement]:
    """Return the sentences of a page in their order."""
    return list(page.xpath("//li[contains(concat(' ', @class, ' '), ' row ')]"))


def index(row: html.HtmlElement) -> int:
    """Return which sentence a row shows."""
    return int(row.get("id").rpartition("s")[2])


def words(row: html.HtmlElement) -> str:
    """Return the words of a row's sentence."""
    (shown,) = row.xpath("./p[@class='words']")
    return str(shown.text_content())


def covered(page: html.HtmlElement) -> Covered:
    """Return which sentence each caveat is drawn on, which sentence holds it, and whether it is drawn as sure."""
    return {
        (index(row), int(mark.xpath("./a")[0].get("href").rpartition("s")[2]), "sure" in mark.get("class"))
        for row in rows(page)
        for mark in row.xpath("./div[@class='beside']/p[contains(@class, 'caveat')]")
    }


def due(reading: Reading) -> Covered:
    """Return the same of what was read."""
    return {
        (place, caveat.sentence, sure)
        for caveat in reading.caveats
        for sure, places in ((True, caveat.covers), (False, caveat.possible))
        for place in places
    }


def squashed(element: html.HtmlElement) -> str:
    """Return an element's text with its white space collapsed."""
    return collapse(str(element.text_content()))
