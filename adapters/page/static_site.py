"""The page -> a folder of files that anyone can host: questions with their replies, and what they lead to.

The files are the page's own responses. Links between them are made relative, and forms, which need a server, are
left out. A link to a page beyond the last one that is saved becomes plain text.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256
from os.path import relpath
from pathlib import Path
from urllib.parse import unquote, urlencode, urlsplit

from lxml import html
from lxml.html import builder as build
from starlette.applications import Starlette
from starlette.types import Message as Event

from adapters.page import labels, rendering
from adapters.page.app import application
from bot.service import QuestionService

MOST_PAGES = 500
LONGEST_NAME = 60  # characters of an address in a file's name
NEEDS_SERVER = ("/copy/", "/verify", "/proof", "/feedback/")
STATIC = tuple(f"/{name}" for name in rendering.STATIC)
NEED_WORDS = {name for name, page in labels.LISTS.items() if page.needs_words}


class StaticSite:
    """The pages to save, each under the file that it becomes; ``questions`` are those on the first page."""

    def __init__(self, service: QuestionService, questions: Sequence[str]) -> None:
        self._app = application(service)
        self._questions = {f"/?{urlencode({'q': words})}": words for words in questions}

    def write(self, folder: Path, advance: Callable[[], None] = lambda: None) -> int:
        """Write the files and return how many pages there are; raises ``OSError``."""
        pages = self._collect(advance)
        files = {address: _file_name(address) for address in (*pages, *STATIC)}
        for address, page in pages.items():
            _relink(page, files, files[address])
            path = folder / files[address]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(html.tostring(page, doctype="<!doctype html>", encoding="utf-8"))
        for address in STATIC:
            (folder / files[address]).write_bytes(_response(self._app, address)[1])
        return len(pages)

    def _collect(self, advance: Callable[[], None]) -> dict[str, html.HtmlElement]:
        """Return the pages by address: the first page, the questions, and what these lead to, nearest first."""
        pages: dict[str, html.HtmlElement] = {}
        waiting = deque(["/", *self._questions])
        while waiting and len(pages) < MOST_PAGES:
            address = waiting.popleft()
            if address in pages:
                continue
            status, content = _response(self._app, address)
            if status != 200:  # noqa: PLR2004 - HTTP's "OK"
                continue
            page = html.document_fromstring(content.decode())
            if address == "/":
                self._list_questions(page)
            _drop_forms(page)
            pages[address] = page
            advance()
            waiting.extend(each for each in map(_address, page.xpath("//a/@href")) if each and each not in pages)
        return pages

    def _list_questions(self, page: html.HtmlElement) -> None:
        """Put the questions where the first page has its field."""
        links = (build.A(words, href=address) for address, words in self._questions.items())
        listed = build.UL(build.CLASS("examples"), *map(build.LI, links))
        note = build.P(build.CLASS("source"), labels.STATIC_SITE)
        main = page.get_element_by_id("main")
        field = next(main.iter("form"), None)
        if field is None:
            main.extend((note, listed))
        else:
            field.addprevious(note)
            field.addprevious(listed)


def _drop_forms(page: html.HtmlElement) -> None:
    for form in page.xpath("//form"):
        form.drop_tree()
    for link in page.xpath("//a[@href]"):
        address = link.get("href")
        if address.startswith(NEEDS_SERVER) or address.removeprefix("/") in NEED_WORDS:
            item = link.getparent()
            (item if item.tag == "li" and len(item) == 1 else _without_separator(link)).drop_tree()


def _without_separator(link: html.HtmlElement) -> html.HtmlElement:
    """Return a link, without the dot that sets it apart from the text before it."""
    before = link.getprevious()
    if before is not None:
        before.tail = (before.tail or "").rstrip().removesuffix("·")
    return link


def _relink(page: html.HtmlElement, files: dict[str, str], name: str) -> None:
    """Make the links of a page lead to files, seen from the file ``name``."""
    for element in page.xpath("//*[@href or @src]"):
        attribute = "href" if "href" in element.attrib else "src"
        target = element.get(attribute)
        address, fragment = _address(target), urlsplit(target).fragment
        if address is None:  # within the page, or elsewhere on the web
            continue
        if address in files:
            anchor = f"#{fragment}" if fragment else ""
            element.set(attribute, relpath(files[address], Path(name).parent) + anchor)
        else:
            del element.attrib[attribute]


def _address(target: str) -> str | None:
    """Return the address of a page of ours, without a fragment; None for other links."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not parts.path:
        return None
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _file_name(address: str) -> str:
    """Return a file's name that is safe everywhere, and different for every address."""
    if address == "/":
        return "index.html"
    if address in STATIC:
        return address.removeprefix("/")
    words = re.sub(r"[^a-z0-9]+", "-", unquote(address.replace("?q=", "/")).lower()).strip("-")
    return f"pages/{words[:LONGEST_NAME].strip('-')}-{sha256(address.encode()).hexdigest()[:8]}.html"


def _response(app: Starlette, address: str) -> tuple[int, bytes]:
    """Return the status and the body of the app's response to a GET from this machine."""
    parts = urlsplit(address)
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "headers": [(b"host", b"localhost")],
    }
    status, body = 0, b""

    async def receive() -> Event:
        return {"type": "http.request"}

    async def send(event: Event) -> None:
        nonlocal status, body
        status = event.get("status", status)
        body += event.get("body", b"")

    asyncio.run(app(scope, receive, send))
    return status, body
