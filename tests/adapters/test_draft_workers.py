"""Drafts that take all the time and memory there is: whoever else asks is answered, and the program can be ended."""

import asyncio
import html
import re
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from threading import Thread

import httpx
import pytest

from adapters import draft_workers
from adapters.draft_workers import DraftWorkers
from bot import messages
from bot.command import Library
from bot.model import Message, Proof, Question
from bot.service import QuestionService
from retrieval import PersistentArchive, Scope, reparse, runs
from tests.adapters.mcp.serving import TOKEN, assistant
from tests.adapters.slack import office
from tests.adapters.slack.office import answer_to
from tests.emulators.discord import DiscordEmulator
from tests.emulators.slack import Slack
from tests.retrieval.intake.test_office_files import word_file
from tests.stock import FERRY, holdings, service
from tests.support.program import STARTING_SECONDS, Stet, kill, launch, wait_until

pytestmark = pytest.mark.rest

HOSTILE = "A.B.C. said.D.E.F. " * 9_500  # all of it within the limits, and ten seconds' work
DRAFTED = (
    "A ferry with 214 people on board ran aground off Sandholm on Friday, the coastguard said.\n\n"
    "“Somebody was at the wheel,” said Marta Lindqvist."
)
NOBODY = Question("")
IN_TIME, SOON = 4.0, 5.0  # seconds
GIVEN_UP, WAIT = Message(messages.DRAFT_TAKES_TOO_LONG), Message(messages.DRAFTS_UNDER_WAY)


@pytest.fixture(scope="module")
def workers() -> Iterator[DraftWorkers]:
    with closing(DraftWorkers(holdings())) as workers:
        yield workers


@pytest.fixture
def bot(workers: DraftWorkers) -> QuestionService:
    bot = service()
    bot.proofer = workers
    return bot


@pytest.mark.parametrize(
    ("draft", "name"),
    [
        (DRAFTED, ""),
        (DRAFTED.encode(), "draft.md"),
        (word_file(DRAFTED), "draft.docx"),
        (" ", ""),
        (b"PK\x03\x04 and no more", "draft.docx"),
        (b"%PDF-1.7", "scan.pdf"),
    ],
)
def test_a_draft_is_proofed_as_in_this_process(bot: QuestionService, draft: str | bytes, name: str) -> None:
    here = service().proof(draft, NOBODY, name)
    assert bot.proof(draft, NOBODY, name) == here
    assert isinstance(here, Proof) == (DRAFTED[:9] in getattr(here, "text", ""))


def test_another_process_opens_the_same_archive_within_the_same_scope(tmp_path: Path) -> None:
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=partial(float, 1_900_000_000), read=reparse)
    archive.add([holdings().archive.reading(FERRY.id)])
    with closing(DraftWorkers(Library(archive).within(Scope(frozenset({str(FERRY.source)}))))) as workers:
        assert workers.proof(DRAFTED, "", Scope()).extracts
        assert not workers.proof(DRAFTED, "", Scope(frozenset({"Daily Quill"}))).extracts
        archive.remove(FERRY.id)
        assert not workers.proof(DRAFTED, "", Scope()).extracts


@pytest.mark.parametrize(
    ("limit", "value"), [("SECONDS", 0.5), pytest.param("MEMORY", 1_000_000, marks=pytest.mark.soak)]
)
def test_a_draft_that_takes_too_much_is_given_up_and_the_next_is_proofed(
    bot: QuestionService, monkeypatch: pytest.MonkeyPatch, limit: str, value: float
) -> None:
    assert isinstance(bot.proof(DRAFTED, NOBODY), Proof)  # with the process started
    with monkeypatch.context() as limited:
        limited.setattr(draft_workers, limit, value)
        began = time.monotonic()
        assert bot.proof(HOSTILE, NOBODY) == GIVEN_UP
        assert time.monotonic() - began < 5
    assert isinstance(bot.proof(DRAFTED, NOBODY), Proof)


def test_a_third_draft_is_told_to_wait_and_a_killed_process_is_given_up(bot: QuestionService) -> None:
    with proofing(bot) as replies:
        assert bot.proof(DRAFTED, NOBODY) == WAIT
        for process in active_children():
            process.kill()
    assert replies == [GIVEN_UP, GIVEN_UP]
    assert isinstance(bot.proof(DRAFTED, NOBODY), Proof)


def test_drafts_under_way_are_given_up_at_the_end() -> None:
    bot = service()
    bot.proofer = DraftWorkers(bot.library)
    with proofing(bot) as replies:
        bot.close()
    assert replies == [Message(messages.PROOF_INTERRUPTED)] * 2


@contextmanager
def proofing(bot: QuestionService) -> Iterator[list[Proof | Message]]:
    """Have as many hostile drafts under way as there may be; give their replies, which are there at the end."""
    replies: list[Proof | Message] = []
    threads = [Thread(target=lambda: replies.append(bot.proof(HOSTILE, NOBODY))) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(active_children()) >= len(threads))
    time.sleep(0.2)
    yield replies
    began = time.monotonic()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < SOON


def test_the_terminal_gives_up_too(stet: Stet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "draft.html").write_text(f"<p>{HOSTILE}</p>")
    monkeypatch.setattr("adapters.terminal.proofing.SECONDS", 0.5)
    status, _, err = stet("proof", tmp_path / "draft.html")
    assert (status, " ".join(err.split())) == (2, f"stet: {messages.DRAFT_TAKES_TOO_LONG}")


@asynccontextmanager
async def program(folder: Path, *command: str, **environment: str) -> AsyncIterator[tuple[Process, list[str]]]:
    """Run the program over the office's articles; give it with the addresses that it prints, the page's first."""
    given = {
        "STET_ARTICLES": str(office.write_articles(folder / "articles")),
        "STET_STATE": str(folder / "state.sqlite"),
        "STET_PAGE_PORT": "0",
        "STET_HEALTH": "127.0.0.1:0",
        **environment,
    }
    bot, line = await launch(folder, given, *command)
    try:
        for _ in range(4 if command == ("run",) else 1):
            line += (await asyncio.wait_for(bot.stdout.readline(), STARTING_SECONDS)).decode()
        yield bot, ["".join(re.findall(rf"{name} ready \((.*)\)", line)) for name in ("page", "health", "mcp")]
    finally:
        await kill(bot)


async def upload(address: str, draft: str) -> str:
    async with httpx.AsyncClient(timeout=60, headers={"Origin": address}) as client:
        return (await client.post(f"{address}/proof", files={"file": ("draft.txt", draft.encode())})).text


def children(process: int) -> set[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's children, and ends them with it")
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.soak)])
async def test_nothing_is_left_of_a_program_that_is_ended_meanwhile(tmp_path: Path, how: signal.Signals) -> None:
    async with program(tmp_path, "page") as (bot, [page, *_]):
        assert "Somebody was at the wheel" in await upload(page, DRAFTED)  # the process has started
        proofing = asyncio.ensure_future(upload(page, HOSTILE))
        await asyncio.sleep(1)
        left = children(bot.pid)
        assert left
        bot.send_signal(how)
        assert await asyncio.wait_for(bot.wait(), SOON) == (0 if how == signal.SIGTERM else -how)
        await asyncio.to_thread(wait_until, lambda: not any(map(runs, left)))
        with suppress(httpx.HTTPError):
            assert messages.PROOF_INTERRUPTED in html.unescape(await proofing)


@pytest.mark.parametrize("second", ["slack", pytest.param("mcp", marks=pytest.mark.soak)])
async def test_everybody_else_is_answered_meanwhile(tmp_path: Path, second: str) -> None:
    async with Slack() as slack, DiscordEmulator() as discord:
        environment = {
            **office.environment(slack, tmp_path),
            **discord.environment,
            "STET_PAGE_URL": "http://127.0.0.1",
            "STET_MCP_TOKENS": f"research:{TOKEN}",
            "STET_MCP_PORT": "0",
        }
        slack.files["draft.txt"] = HOSTILE.encode()
        async with program(tmp_path, "run", **environment) as (bot, [page, health, mcp]), assistant(mcp) as client:
            await discord.gateway.ready()
            await slack.connected()
            hostile = [asyncio.ensure_future(upload(page, HOSTILE))]
            if second == "mcp":
                hostile.append(asyncio.ensure_future(client.call_tool("proof", {"draft": HOSTILE})))
            else:
                await slack.shortcut("proof_draft", "", file="draft.txt")
            await asyncio.sleep(3)  # the processes have started

            async with httpx.AsyncClient(timeout=IN_TIME) as reader:
                in_time = partial(asyncio.wait_for, timeout=IN_TIME)
                assert (await in_time(reader.get(f"{health}/healthz"))).status_code == 200
                answers = [(await in_time(reader.get(page, params={"q": office.QUESTION}))).text]
            answers.append(await in_time(client.call_tool("ask", {"question": office.QUESTION})))
            answers.append((await in_time(answer_to(slack, await slack.mention(office.QUESTION))))["text"])
            answers += await in_time(discord.answers(await discord.mention(office.QUESTION)))
            assert ["lifeboats" in str(answer) for answer in answers] == [True] * 4
            told = await discord.answered(await discord.apply("Proof this", await discord.say(DRAFTED)))
            assert messages.DRAFTS_UNDER_WAY in str(told.message)
            assert len(slack.web.messages) == 1
            assert not any(each.done() for each in hostile)

            bot.terminate()
            assert await asyncio.wait_for(bot.wait(), SOON) == 0
            await asyncio.gather(*hostile, return_exceptions=True)
