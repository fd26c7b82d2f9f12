"""How fast the page is: a long article, asked for 200 times a second, as the links in replies ask for it."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from adapters.page.addresses import Passes, article_path, article_scope, version
from adapters.terminal import cli
from benches.sizes import TINY, judge, sized
from retrieval.model import Article
from retrieval.pipeline import read_all

PROJECT = Path(cli.__file__).parents[2]
SECRET = "a secret of the benchmarks"
SENTENCES = sized(1_000, 20)
RATE = 200  # requests a second
REQUESTS = sized(2_000, 20)
CONNECTIONS = 16
NINETY_FIFTH = 50.0  # ms

ROUND = (
    "The ferry left pier {n} at dawn, the harbour master said.",
    "“There were {n} of us on deck,” said Ida Holm, a baker.",
    "Two passengers said that lifeboat {n} had never been lowered.",
    "These accounts could not be independently verified.",
    "The line denied that lifeboat {n} was out of order.",
)


def long_article() -> Article:
    sentences = [ROUND[number % len(ROUND)].format(n=number) for number in range(SENTENCES)]
    paragraphs = (" ".join(sentences[start : start + 5]) for start in range(0, SENTENCES, 5))
    return Article(id="long.txt", text="\n\n".join(paragraphs))


@contextmanager
def serving(article: Article, folder: Path) -> Iterator[str]:
    """Serve an article in a process of its own, and give the address."""
    (folder / article.id).write_text(article.text, encoding="utf-8")
    told = {"STET_PAGE_PORT": "0", "STET_PAGE_SECRET": SECRET, "STET_ENCODER": "none", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "adapters", "page", "--articles", str(folder)]
    with subprocess.Popen(
        command, env={**os.environ, **told}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().partition("(")[2].rstrip(")\n")
        finally:
            process.terminate()


async def load(address: str, path: str) -> list[float]:
    """Ask ``REQUESTS`` times at ``RATE``; return what each took, in ms, from when it was due."""
    due: asyncio.Queue[float] = asyncio.Queue()
    taken: list[float] = []
    host, port = urlsplit(address).hostname, urlsplit(address).port

    async def ask() -> None:
        reader, writer = await asyncio.open_connection(host, port, limit=2**22)
        while (moment := await due.get()) >= 0:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
            await reader.readexactly(length)
            taken.append(1_000 * (time.perf_counter() - moment))
        writer.close()

    asking = [asyncio.ensure_future(ask()) for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    for number in range(REQUESTS):
        moment = start + number / RATE
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        due.put_nowait(moment)
    for _ in asking:
        due.put_nowait(-1.0)
    await asyncio.gather(*asking)
    return taken


def test_a_long_article_is_served_two_hundred_times_a_second(tmp_path: Path) -> None:
    article = long_article()
    assert TINY or len(read_all([article])[0].passages) == SENTENCES
    given = Passes(SECRET, 7).issue(article_scope(article.id, version(article.digest)))
    path = f"{article_path(article.id, article.digest)}?pass={given}"
    with serving(article, tmp_path) as address:
        taken = asyncio.run(load(address, path))
    cuts = statistics.quantiles(taken, n=100)
    print(f"\n{SENTENCES:,} sentences, {RATE}/s: median {cuts[49]:.1f} ms, p95 {cuts[94]:.1f}")
    assert len(taken) == REQUESTS
    judge(cuts[94], NINETY_FIFTH)
