"""What each address of the page shows, and to whom."""

import asyncio
import csv
import random
import re
import string
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from time import monotonic
from unittest.mock import Mock

import pytest
from httpx import AsyncClient as Client

from adapters.page import app, labels
from adapters.page.access import HEADERS
from adapters.page.addresses import DAY_SECONDS, EVERYTHING, Links, Passes, article_path, article_scope, version
from adapters.page.reply_view import overview
from adapters.storage.store import Store
from adapters.web import OTHER_SITE
from bot import messages, sentence_links, source_lines
from bot.command import Library
from bot.model import Answer, Clipping, Question
from bot.service import QuestionService
from retrieval import version_key
from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.archive.interface import Archive
from retrieval.errors import ArchiveError
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from tests.adapters.page.articles import HOSTILE, MARKUP, SCRIPT
from tests.adapters.page.serving import HERE, NOON, PASSES, SECRET, browser, parsed, squashed
from tests.shelf import FIXTURES, golden, readings, service as over
from tests.stock import BRIDGE, FERRY, service
from tests.support.tables import cases, rows

ASKED = "how many people on board the ferry"
FERRY_PATH = article_path(FERRY.id, FERRY.digest)
FERRY_SCOPE = article_scope(FERRY.id, version(FERRY.digest))
EVERYWHERE = (
    *"/ /?q=ferry /who/Marta /unverified /sources /who /said /disputed /verify /?q=ferry&more=00000000.1".split(),
    FERRY_PATH,
    f"/copy/text/{FERRY.id}/{version(FERRY.digest)}/0",
)


async def test_a_question_has_the_same_reply_as_everywhere() -> None:
    answering = over(readings(FIXTURES))
    async with browser(answering) as client:
        for row in golden(FIXTURES)[:40]:
            reply = answering.answer(Question(row.question, brief=True))
            page = parsed(await client.get("/", params={"q": row.question}))
            shown = [squashed(each) for each in page.xpath("//blockquote")]
            quotations = source_lines.quotations(reply.extracts if isinstance(reply, Answer) else ())
            whole = [each for quotation in quotations for each in ((quotation[0].before,), quotation) if each[0]]
            assert shown == [" ".join(e.text for e in each if e) for each in whole]
            due = [caveat.text for each in whole if each[0] for caveat in each[0].caveats]
            drawn = page.xpath("//figure//p[contains(@class, 'caveat')]/q")
            assert [squashed(each) for each in drawn] == due


@cases("asked, kind, shown, near")
async def test_only_over_a_sure_answer_is_nothing_said(
    client: Client, asked: str, kind: str, shown: str, near: tuple[str, ...]
) -> None:
    sure = parsed(await client.get("/", params={"q": ASKED}))
    assert sure.xpath("//main//div[starts-with(@class, 'band')]") == []
    assert squashed(sure.xpath("//aside//mark")[0]) in map(squashed, sure.xpath("//blockquote"))
    page = parsed(await client.get("/", params={"q": asked}))
    (band,) = page.xpath("//main//div[starts-with(@class, 'band')]")
    assert (band.get("class"), squashed(band)) == (f"band {kind}", shown)
    assert band.xpath(".//a/@href") == [*near]
    for address in near:
        assert parsed(await client.get(address)).xpath("//blockquote")


async def test_an_extract_leads_to_its_sentence(client: Client) -> None:
    page = parsed(await client.get("/", params={"q": ASKED}))
    address = page.xpath("//figcaption//a[@class='opens']/@href")[0]
    path, _, place = address.partition("#")
    article = parsed(await client.get(path))
    (words,) = article.get_element_by_id(place).xpath("./span[starts-with(@class, 'words')]")
    assert squashed(words) == squashed(page.xpath("//blockquote")[0])
    assert "/who/Marta%20Lindqvist" in article.xpath("//span[@class='who']//a/@href")


@cases("narrowed, articles, says")
async def test_a_list_is_narrowed_to_an_outlet_and_to_days(
    client: Client, narrowed: dict[str, str], articles: tuple[str, ...], says: str
) -> None:
    page = parsed(await client.get("/sources", params=narrowed))
    assert [address.split("/")[2] for address in page.xpath("//ul[@class='lines']/li/a/@href")] == [*articles]
    assert says in squashed(page)
    outlet = narrowed.get("outlet")
    assert page.xpath("//option[@selected]/text()") == [outlet] * (outlet not in (None, "Nobody's"))
    unverified = parsed(await client.get("/unverified", params=narrowed))
    assert ("could not be independently verified" in squashed(unverified)) == ("ferry.txt" in articles)


async def test_the_first_page_has_the_archives_size_and_examples(client: Client) -> None:
    page = parsed(await client.get("/"))
    asking, checking = page.xpath("//form")
    assert (asking.get("action"), list(asking.fields)) == ("/", ["q"])
    assert (checking.get("action"), list(checking.fields)) == ("/proof", ["file"])
    assert "2 articles of 2 outlets, the newest of 10 May 2031." in squashed(page.xpath("//main")[0])
    examples = page.xpath("//ul[@class='examples']//a")
    assert [squashed(each) for each in examples] == [
        "What did Tomas Brandt say?",
        "What is denied about Norfar?",
        "Who is Marta Lindqvist?",
        "What could not be verified?",
    ]
    for each in examples:
        assert parsed(await client.get(each.get("href"))).xpath("//blockquote")
    (recent,) = page.xpath("//section[@class='recent']")
    assert "The accounts could not be independently verified." in squashed(recent)
    async with browser(service([]), PASSES) as empty:
        page = parsed(await empty.get("/", params={"pass": PASSES.issue(EVERYTHING)}))
        assert page.xpath("//ul[@class='examples'] | //section") == []


async def test_an_example_is_a_question_that_the_articles_answer() -> None:
    told = replace(FERRY, text="Ten ferries were inspected at Sandholm on Monday, the harbour said.", title="Ferries")
    untold = replace(told, text="We wonder how many. Ten or so were, perhaps.")
    let_go = replace(told, text="Ten workers were let go at Sandholm on Monday, the harbour said.")
    for article, asks in ((told, ["How many ferries were inspected?"]), (untold, []), (let_go, [])):
        async with browser(service([article])) as client:
            page = parsed(await client.get("/"))
            links = page.xpath("//ul[@class='examples']//a[starts-with(., 'How many')]")
            assert [squashed(link) for link in links] == asks
            for link in links:
                assert article.text in squashed(parsed(await client.get(link.get("href"))).xpath("//blockquote")[0])


async def test_a_persons_page_leads_on(client: Client) -> None:
    page = parsed(await client.get("/who/Marta Lindqvist"))
    statements, words = page.xpath("//main//a[@class='button']")
    assert "Marta Lindqvist" in squashed(parsed(await client.get(statements.get("href"))).xpath("//h1")[0])
    assert parsed(await client.get(words.get("href"))).xpath("//textarea")[0].value.strip() == "“” — Marta Lindqvist"
    (field,) = page.xpath("//main//form")
    sent = {"q": "what did she say about that?", "after": field.fields["after"]}
    answer = parsed(await client.get("/", params=sent))
    assert "Marta Lindqvist" in squashed(answer.xpath("//p[@class='by']")[0])
    unnamed = parsed(await client.get("/who/Zebedee"))
    assert unnamed.xpath("//main//a[@class='button']") == []


async def test_statements_are_on_one_page_each_article_named_once() -> None:
    said = [f"“There is room for {n} boats in the harbour,” Marta Lindqvist said." for n in range(2, 32)]
    articles = [replace(FERRY, id=f"{n}.txt", title=f"Day {n}", text="\n\n".join(said[n::2])) for n in (0, 1)]
    async with browser(service(articles)) as client:
        page = parsed(await client.get("/said", params={"q": "Marta Lindqvist"}))
        shown = re.findall("“.+? said[.]", squashed(page.xpath("//main")[0]))
        assert len(shown) == app.STATEMENTS
        assert [squashed(each) for each in page.xpath("//p[@class='origin source']//a")] == ["Day 0", "Day 1"]
        (more,) = page.xpath("//main/div/p/a[@class='button']/@href")
        page = parsed(await client.get(more))
        rest = re.findall("“.+? said[.]", squashed(page.xpath("//main")[0]))
        assert {*shown, *rest} == {*said}
        assert (len(rest), page.xpath("//main/div/p/a[@class='button']")) == (len(said) - app.STATEMENTS, [])


@pytest.mark.parametrize("name", ["sources", "quoted"])
async def test_a_list_is_downloaded_with_all_its_figures(client: Client, guarded: Client, name: str) -> None:
    page = parsed(await client.get(f"/{name}", params={"outlet": FERRY.source}))
    (link,) = page.xpath("//a[@download]")
    sent = await client.get(link.get("href"))
    assert sent.headers["content-type"] == "text/csv; charset=utf-8"
    assert f"{name}.csv" in sent.headers["content-disposition"]
    head, *rows = csv.reader(sent.text.splitlines())
    assert rows
    assert {len(row) for row in rows} == {len(head)}
    assert "Tomas Brandt" not in sent.text
    assert BRIDGE.id not in sent.text
    assert len((await client.get(f"/{name}.csv")).text.splitlines()) > len(rows) + 1
    assert (await client.get("/quoted.csv", params={"q": "since May"})).status_code == 400
    assert (await guarded.get(f"/{name}.csv")).status_code == 403


async def test_help_lists_the_views(client: Client) -> None:
    page = parsed(await client.get("/", params={"q": "help"}))
    links = page.xpath("//main//li/a/@href")
    assert {link.lstrip("/") for link in links} == {*labels.ABOUT}
    for link in links:
        assert (await client.get(link)).status_code == 200


async def test_the_first_page_says_what_was_changed(tmp_path: Path) -> None:
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=datetime(2031, 5, 12, 8, tzinfo=UTC).timestamp)
    for article in (FERRY, BRIDGE):
        archive.add([read_one(article)])
        archive.add([read_one(replace(article, text=f"{article.text} It rained."))])
        archive.add([read_one(replace(article, text=f"{article.text} It snowed."))])
    async with browser(QuestionService(Library(archive))) as client:
        page = parsed(await client.get("/"))
        changed = page.xpath("//section[@aria-labelledby='changed']//li")
        assert [squashed(each) for each in changed] == ["bridge.txt 12 May 2031", f"{FERRY.title} 12 May 2031"]
        assert "It snowed." in squashed(parsed(await client.get(changed[0].xpath("./a/@href")[0])))
        archive.remove(BRIDGE.id)
        assert "bridge.txt" not in squashed(parsed(await client.get("/")))
    archive.close()


async def test_an_unreachable_archive_is_reported() -> None:
    asked = {f"{name}.side_effect": ArchiveError("it is away") for name in dir(Archive) if not name.startswith("_")}
    away = Mock(spec=Archive, **asked)
    away.snapshot, away.scoped = Mock(return_value=nullcontext(away)), Mock(return_value=away)
    async with browser(QuestionService(Library(away))) as client:
        first = await client.get("/")
        assert (first.status_code, first.text.count('class="examples"')) == (200, 0)
        for view in ("/sources", "/unverified", "/who"):
            assert (await client.get(view)).status_code == 200
        assert messages.UNAVAILABLE in squashed(parsed(await client.get("/unverified")))


async def test_copying_gives_the_reply_of_copy(client: Client) -> None:
    answering = service()
    address = sentence_links.encode([sentence_links.Pointer(version_key(FERRY.id, FERRY.digest), 2)])
    for form in Links().forms:
        clipping = answering.command("copy", f"{address} {form}", Question(""))
        assert isinstance(clipping, Clipping)
        given = await client.get(f"/copy/{form}/{FERRY.id}/{version(FERRY.digest)}/2")
        assert given.text == clipping.text
        assert given.headers["content-type"] == "text/plain; charset=utf-8"


async def test_a_page_that_is_not_there_says_so(client: Client) -> None:
    for address in (f"/copy/text/{FERRY.id}/{version(FERRY.digest)}/99", f"/a/{FERRY.id}/000000000000", "/nowhere"):
        response = await client.get(address)
        due = (404, "There is no such page.") if address == "/nowhere" else (410, "changed or removed")
        assert (response.status_code, due[1] in response.text) == (due[0], True), address


async def test_without_a_pass_nothing_is_open(guarded: Client) -> None:
    for address in EVERYWHERE:
        response = await guarded.get(address)
        assert (response.status_code, "opens from a link" in response.text) == (403, True)
    absent = await guarded.get("/a/absent.txt/000000000000")
    assert (absent.status_code, absent.text) == (403, (await guarded.get(FERRY_PATH)).text)


async def test_a_pass_for_an_article_opens_that_article_alone(guarded: Client) -> None:
    given = {"pass": PASSES.issue(FERRY_SCOPE)}
    page = parsed(await guarded.get(FERRY_PATH, params=given))
    assert page.xpath("//nav | //form") == []
    assert not [a for a in page.xpath("//a/@href") if "/who/" in a]
    copies = page.xpath("//a[@class='copy']/@href")
    assert (await guarded.get(copies[0])).text.startswith("A ferry with 212 people")
    others = [a for a in EVERYWHERE if FERRY.id not in a] + [article_path(BRIDGE.id, BRIDGE.digest)]
    for address in others:
        assert (await guarded.get(address, params=given)).status_code == 403


async def test_a_pass_for_everything_opens_everything_and_is_carried_on(guarded: Client) -> None:
    given = {"pass": PASSES.issue(EVERYTHING)}
    for address in (FERRY_PATH, "/unverified", "/sources", "/who/Marta%20Lindqvist"):
        page = parsed(await guarded.get(address, params=given))
        inner = [a for a in page.xpath("//a/@href") if a.startswith("/")]
        assert inner
        assert all(f"?pass={given['pass']}" in a for a in inner)
        assert set(page.xpath("//form/input[@name='pass']/@value")) == {given["pass"]}
    assert parsed(await guarded.get("/", params={**given, "q": ASKED})).xpath("//blockquote")


def wrong_passes(chance: random.Random) -> Iterator[str]:
    """Yield endless passes that must not open the ferry's article: forged, for something else, or expired."""
    ending, signature = PASSES.issue(FERRY_SCOPE).split(".")
    letters = string.ascii_letters + string.digits + "-_"
    while True:
        place = chance.randrange(len(signature))
        letter = chance.choice(letters.replace(signature[place], ""))
        yield f"{ending}.{signature[:place]}{letter}{signature[place + 1 :]}"
        yield f"{int(ending) + chance.randint(1, 10**6)}.{signature}"
        yield f"{ending}.{''.join(chance.choices(letters, k=len(signature)))}"
        yield f"{ending}.{signature[: chance.randrange(len(signature))]}"
        yield Passes(SECRET + chance.choice(letters), 7, lambda: NOON).issue(FERRY_SCOPE)
        yield Passes(SECRET, 7, lambda: NOON - DAY_SECONDS * chance.randint(9, 999)).issue(FERRY_SCOPE)
        yield PASSES.issue(article_scope(BRIDGE.id, version(BRIDGE.digest)))
        yield PASSES.issue(article_scope(FERRY.id, f"{chance.randrange(16**12):012x}"))
        yield "".join(chance.choices(string.printable + "é١", k=chance.randint(0, 80)))
        yield f"0{ending}.{signature}"


async def test_of_a_thousand_forged_or_expired_passes_none_opens(guarded: Client) -> None:
    passes = list(islice(wrong_passes(random.Random(17)), 1_000))  # noqa: S311 - the same on every run
    assert [given for given in passes if PASSES.opens(given, FERRY_SCOPE)] == []
    for given in passes[:50]:
        response = await guarded.get(FERRY_PATH, params={"pass": given})
        assert (response.status_code, "212 people" in response.text) == (403, False)
    assert (await guarded.get(FERRY_PATH, params={"pass": PASSES.issue(FERRY_SCOPE)})).status_code == 200


def test_a_pass_holds_for_its_days_and_no_more_than_one_longer() -> None:
    given = PASSES.issue(FERRY_SCOPE)
    ending = int(given.partition(".")[0])
    assert 7 * DAY_SECONDS < ending - NOON <= 8 * DAY_SECONDS
    assert replace(PASSES, now=lambda: ending - 1.0).opens(given, FERRY_SCOPE)
    assert not replace(PASSES, now=lambda: float(ending)).opens(given, FERRY_SCOPE)


@cases("host, status")
async def test_only_this_machine_may_open_the_page(client: Client, host: str, status: int) -> None:
    for address in ("/style.css", *(EVERYWHERE if status == 400 else ())):
        response = await client.get(address, headers={"Host": host})
        assert (response.status_code, "ferry" in response.text) == (status, False)


ENDLESS = ("", "localhost", "http://localhost:" + "8" * 5_000, False)


@pytest.mark.parametrize(
    ("url", "host", "origin", "is_own"), [*rows(__file__, "only_its_own_forms_are_taken"), ENDLESS]
)
async def test_only_its_own_forms_are_taken(url: str, host: str, origin: str | None, *, is_own: bool) -> None:
    passes = PASSES if url else None
    headers = {"Host": host} if origin is None else {"Host": host, "Origin": origin}
    async with browser(service(), passes, url) as client:
        if origin is None:
            del client.headers["Origin"]
        for path in ("/verify", "/proof", "/feedback/1", "/nowhere"):
            answer = await client.post(path, params={"pass": PASSES.issue(EVERYTHING)}, headers=headers)
            assert (OTHER_SITE not in answer.text) is is_own
            assert is_own or answer.status_code == 403


async def test_a_form_with_two_origins_is_refused(client: Client) -> None:
    del client.headers["Origin"]
    answer = await client.post("/verify", headers=[("Origin", HERE), ("Origin", "http://evil.example")])
    assert answer.status_code == 403


@cases("method, site, destination, status")
async def test_other_sites_ask_nothing(method: str, site: str | None, destination: str | None, status: int) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Dest": destination}
    with Store("state.sqlite") as store:
        async with browser(service(), store=store) as client:
            answer = await client.request(
                method,
                "/verify" if method == "POST" else "/",
                params={"q": ASKED},
                data={"text": "“Nobody was at the wheel,” said Marta Lindqvist."},
                headers={name: value for name, value in headers.items() if value},
            )
        assert answer.status_code == status
        assert bool(store.last_answers(1)) is (status == 200)


async def test_a_number_in_an_address_that_is_none_leads_nowhere() -> None:
    with Store("state.sqlite") as store:
        async with browser(service(), store=store) as client:
            for number in ("-1", "１", "1_0", "%201", "9" * 18, "9" * 19, "9" * 5_000, "x"):
                copied = await client.get(f"/copy/text/{FERRY.id}/{version(FERRY.digest)}/{number}")
                judged = await client.post(f"/feedback/{number}", data={"verdict": "right"})
                assert copied.status_code in (404, 410), number
                assert judged.status_code in (403, 404), number


@pytest.mark.parametrize("look", ["revision", "history", "reading"])
async def test_waiting_for_the_archive_delays_no_other_request(look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    over, go_on = service(), threading.Event()
    archive = over.library.archive
    real = getattr(archive, look)

    def slowed(*given: object) -> object:
        go_on.wait(2)
        return real(*given)

    monkeypatch.setattr(archive, look, slowed)
    async with browser(over) as client:
        asking = asyncio.ensure_future(client.get(FERRY_PATH))
        began = monotonic()
        for _ in range(20):
            await asyncio.sleep(0)
        assert (await client.get("/style.css")).status_code == 200
        assert monotonic() - began < 0.5
        assert not asking.done()
        go_on.set()
        assert (await asking).status_code == 200


async def test_every_response_keeps_the_browser_to_the_page(client: Client) -> None:
    assert "unsafe" not in HEADERS["content-security-policy"]
    for address in (*EVERYWHERE, "/style.css", "/page.js", "/icon.svg", "/nowhere", "/a/x/y"):
        response = await client.get(address)
        assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("article", HOSTILE, ids=lambda article: article.id)
async def test_a_hostile_article_is_only_shown(article: Article) -> None:
    async with browser(service([article])) as client:
        own = parsed(await client.get(article_path(article.id, article.digest)))
        asked = parsed(await client.get("/", params={"q": "what did the harbour master, the council or the clerk say"}))
        for page in (own, asked):
            assert page.xpath("//main//script | //main//img | //@onerror | //@onmouseover") == []
            assert not [a for a in page.xpath("//a/@href") if a.lower().startswith("javascript")]


async def test_a_hostile_question_is_only_shown() -> None:
    async with browser(service([MARKUP])) as client:
        page = parsed(await client.get("/", params={"q": f'"{SCRIPT}\u202e'}))
        assert page.xpath("//main//script") == []
        assert squashed(page.xpath("//h1")[0]) == f'"{SCRIPT}\\x202e'
        assert page.xpath("//nav//input[@name='q']/@value") == [f'"{SCRIPT}\\x202e']
        long = await client.get("/", params={"q": "w" * 5_000})
        assert "longer than" in long.text


async def test_no_more_articles_are_cached_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "CACHED_PAGES", 1)
    async with browser(service()) as client:
        for article in (FERRY, BRIDGE, FERRY):
            response = await client.get(article_path(article.id, article.digest))
            assert article.text[:30] in response.text


async def test_a_page_comes_packed_only_where_that_is_understood(client: Client) -> None:
    packed = await client.get(FERRY_PATH, headers={"Accept-Encoding": "gzip"})
    plain = await client.get(FERRY_PATH, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text


async def test_the_page_can_stand_under_a_path() -> None:
    async with browser(service(), url="https://desk.example/stet/") as client:
        page = parsed(await client.get(FERRY_PATH))
        addresses = page.xpath("//a/@href | //link/@href | //script/@src | //form/@action")
        inner = [a for a in addresses if not a.startswith(("#", "https://echo.example"))]
        assert inner
        assert all(a.startswith("/stet/") for a in inner)


async def test_a_question_goes_on_from_the_one_before_it(client: Client) -> None:
    page = parsed(await client.get("/", params={"q": ASKED}))
    form = page.xpath("//form[@aria-label='Follow-up question']")[0]
    carried = {each.name: each.value for each in form.xpath(".//input[@type='hidden']")}
    assert carried["after"] == ASKED
    page = parsed(await client.get("/", params={**carried, "q": "says who?"}))
    assert page.xpath("//ol[contains(@class, 'thread')]/li/a/text()") == [ASKED]
    assert "the coastguard, as reported" in squashed(page.xpath("//main//div[starts-with(@class, 'band')]")[0])
    form = page.xpath("//form[@aria-label='Follow-up question']")[0]
    assert [each.value for each in form.xpath(".//input[@name='after']")] == [ASKED]
    page = parsed(await client.get("/", params={"after": ASKED, "shown": "none", "q": "and the bridge?"}))
    assert page.xpath("//ol[contains(@class, 'thread')]/li/a/text()") == [ASKED]


@cases("days, bars")
def test_days_are_counted(days: tuple[date | None, ...], bars: tuple[tuple[str, int], ...]) -> None:
    alike = replace(FERRY, source="The Post")
    articles = [replace(alike, id=f"{n}", text=f"{FERRY.text} {n}.", published=day) for n, day in enumerate(days)]
    archive = overview(open_archive(read_separately(articles)))
    assert archive.bars == bars
    (row,) = archive.outlets
    dated = [day for day in days if day]
    assert (row.source, row.articles, row.first, row.last) == ("The Post", len(days), min(dated), max(dated))
