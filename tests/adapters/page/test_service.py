"""The page, served on a port: for this machine alone, or by links; and how replies lead there."""

import asyncio
import socket
import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import httpx
import pytest

from adapters import web
from adapters.page.addresses import EVERYTHING, Pages, Passes, article_path
from adapters.page.service import check, serve
from adapters.settings import SettingsError
from adapters.terminal.configuration_check import report
from adapters.web import PortError
from bot.model import Question
from bot.outline import outline
from bot.service import QuestionService
from tests.adapters.page.serving import HERE, PASSES, SECRET, SETTINGS, parsed, served
from tests.stock import FERRY, holdings, service
from tests.support.program import Stet

pytestmark = pytest.mark.rest

OPEN = replace(SETTINGS, page_secret=SECRET, page_url="https://desk.example/stet/")


def test_it_is_served_until_it_is_stopped() -> None:
    with served(service()) as address:
        assert address.startswith("http://127.0.0.1:")
        assert FERRY.text[:40] in httpx.get(address + article_path(FERRY.id, FERRY.digest)).text
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)


def test_with_a_secret_it_takes_a_link() -> None:
    with served(service(), OPEN) as address:
        assert httpx.get(address).status_code == 403
        given = Passes(SECRET).issue(EVERYTHING)
        opened = httpx.get(address, params={"pass": given}, headers={"Host": "desk.example"})
        assert opened.status_code == 200


def test_a_slow_client_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    halves = (  # nothing, half a head, half a form, half of a second request
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nhalf",
        b"GET /style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ",
    )
    monkeypatch.setattr(web, "REQUEST_SECONDS", 0.5)
    with served(service()) as address:
        for half in halves:
            with socket.create_connection(address.removeprefix("http://").split(":"), 30) as slow:
                slow.sendall(half)
                slow.settimeout(0.05)
                end = time.monotonic() + 30
                while not is_closed(slow):
                    assert time.monotonic() < end, half
                    if half and not half.endswith(b"half"):
                        with suppress(OSError):
                            slow.sendall(b"a")
            assert httpx.get(f"{address}/style.css").status_code == 200


def test_of_too_many_idle_clients_the_first_are_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MAX_CONNECTIONS", 5)
    with served(service()) as address, ExitStack() as stack:
        place = address.removeprefix("http://").split(":")
        slow = [stack.enter_context(socket.create_connection(place, 10)) for _ in range(20)]
        assert httpx.get(f"{address}/style.css").status_code == 200
        for each in slow[:12]:
            assert is_closed(each)


def is_closed(connection: socket.socket) -> bool:
    try:
        while connection.recv(65_536):
            pass
    except OSError as error:
        return not isinstance(error, TimeoutError)
    return True


async def test_what_opens_no_port_or_would_open_it_to_strangers_is_refused() -> None:
    advice = r"\. STET_PAGE_PORT sets another\.$"
    elsewhere = replace(OPEN, host="192.0.2.1", page_port=0)  # another port does not help where the host is wrong
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        in_use = f"port {taken} cannot be opened on 127.0.0.1: Address already in use"
        for settings, kind, words in (
            (replace(SETTINGS, host="0.0.0.0"), SettingsError, "that takes a STET_PAGE_SECRET"),
            (replace(SETTINGS, page_secret="short"), SettingsError, "it could be guessed"),
            (replace(SETTINGS, page_port=taken), PortError, in_use + advice),
            (replace(SETTINGS, page_port=65_536), PortError, "65535" + advice),
            (elsewhere, PortError, r"cannot be opened on 192\.0\.2\.1: Cannot assign requested address\.$"),
        ):
            with pytest.raises(kind, match=words):
                await serve(service(), settings, asyncio.Event())


def test_check_says_for_whom_it_is() -> None:
    assert "only for this machine" in next(check(SETTINGS))
    assert "takes a STET_PAGE_SECRET" in next(check(replace(SETTINGS, host="0.0.0.0")))
    assert "hold for 7 days" in next(check(OPEN))
    assert "could be guessed" in next(check(replace(OPEN, page_secret="hush")))
    shown = "\n".join(report(replace(OPEN, encoder="none", articles=("none",))))
    assert "Page: every token is set." in shown
    assert SECRET not in shown


def test_the_entrance_link_is_printed(stet: Stet) -> None:
    status, out, _ = stet("page", "--link", STET_PAGE_URL=OPEN.page_url, STET_PAGE_SECRET=SECRET)
    address, _, given = out.strip().partition("?pass=")
    assert (status, address) == (0, "https://desk.example/stet/")
    assert Passes(SECRET).opens(given, EVERYTHING)


async def test_every_extract_leads_to_its_place(guarded: httpx.AsyncClient) -> None:
    answering = QuestionService(holdings(), pages=Pages(HERE, PASSES))
    about = ("/who Marta Lindqvist", "/said Marta Lindqvist", "/verify nobody was at the wheel", "/unverified")
    for words in ("how many people on board the ferry", *about):
        extracts = outline(answering.answer(Question(words))).extracts
        assert extracts, words
        for extract in extracts:
            path, _, place = (extract.page or "").removeprefix(HERE).partition("#")
            row = parsed(await guarded.get(path)).get_element_by_id(place)
            assert row.xpath("string(./span[starts-with(@class, 'words')])") == extract.text
