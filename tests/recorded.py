"""Has any reply changed? `python -m tests.recorded record FILE`, `python -m tests.recorded compare BEFORE AFTER`.

A recording holds the replies to all golden questions and to every command, over the articles of ``seeds`` and
``tests/fixtures``, each as JSON and as every platform draws it. Record at one commit, record at another, and compare:
what was meant to change nothing gives two equal files. Answers go by words alone, so no encoder is needed.

Where ``STET_TEST_SHARED`` names the development data, their questions are recorded too. Such a recording holds
sentences of their articles: keep it out of the repository.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner
from rich.console import Console
from starlette.testclient import TestClient

from adapters import json_contract
from adapters.compose import open_service
from adapters.discord.custom_ids import Act
from adapters.discord.panels import ROOM, arrange, compose, controls
from adapters.page import rendering
from adapters.page.addresses import Links, article_path
from adapters.page.app import application
from adapters.page.reply_view import view
from adapters.settings import load
from adapters.slack import blocks
from adapters.terminal import cli, text as terminal
from bot import references
from bot.command import Library
from bot.model import Answer, Place, Question, Reply
from bot.service import QuestionService
from retrieval import load_articles, open_archive, read_all

PROJECT = Path(__file__).resolve().parent.parent
FOLDERS = ("seeds", "tests/fixtures")
PATHS = ("seeds", "tests/fixtures/articles")
CHANNEL = Place("slack", "T1", "C0BOUNDED")
CHANNELS = """[slack.C0BOUNDED]
sources = ["The Aldervik Times", "Pellmarsh Herald", "The Marlsbury Gazette", "Quayside Daily"]
since = "2022-04-04"
"""
PRINTED = 40  # differences
REPEATED = 30  # questions that are asked in the other scenes as well
SHARED = 60  # questions of each set of the development data
FOLLOWED = 24  # answers after which a thread goes on
FOLLOW_UPS = ("says who?", "when was that?", "is that verified?", "source?", "context 1", "copy 1 markdown", "and why?")
DOCKERS = "how+many+dockers+have+stopped+work+at+aldmouth"
ADDRESSES = f"""\
 ?q={DOCKERS} ?q=and+why&after={DOCKERS} who/Denise%20Okafor said?q=Douglas+Wray&outlet=The+Marlsbury+Gazette
unverified?since=2022-04-04 disputed?q=rota sources verify nowhere"""
COMMANDS = (
    ("who", "Marta Lindqvist; Anatoly Fedoruk; Denise Okafor; Douglas Wray; Astrid Holm; Okafor; Zebedee"),
    ("said", "Douglas Wray; Denise Okafor about rota; Anatoly Fedoruk; Kuleba; Nobody at all"),
    ("verify", "a further 280 people were buried in mass graves; a further 290 people were buried in mass graves"),
    ("verify", "describes the vote as ‘a formality’ — Douglas Wray; Plans for 340 homes — Denise Okafor"),
    ("verify", "The moon is made of cheese; “Plans for 340 homes” and “close to 300 bodies in the street”, it said."),
    ("unverified", "; video; rota; bodies; cheese"),
    ("disputed", "rota; killing of civilians; vote; cheese"),
    ("sources", "; Bucha; cheese"),
    ("article", "strike.md; bucha-condemned.md; torture; nothing-such.md"),
    ("help", "; verify; cheese"),
    ("watch", "strike"),
)
CORRECTED, OLD, NEW = "council-planning-row.md", "seven votes to five", "eight votes to four"
REMOVED = ("strike.md", "torture-room.md")

Case = tuple[str, Question]
Recording = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Record or compare; 1 where recordings differ, 2 where the command is wrong."""
    match [arguments[0], *(Path(file).absolute() for file in arguments[1:])] if arguments else []:
        case ["record", Path() as file]:
            file.write_text(json.dumps(record(), ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")
            return 0
        case ["compare", Path() as before, Path() as after]:
            return compare(json.loads(before.read_bytes()), json.loads(after.read_bytes()))
    print(__doc__, file=sys.stderr)
    return 2


def compare(before: Recording, after: Recording) -> int:
    """Print each recorded thing that differs, with the first place in it; 1 where any does."""
    names = sorted({*before, *after})
    found = {name: next(_differences(before.get(name), after.get(name)), None) for name in names}
    differing = [f"{name}{difference}" for name, difference in found.items() if difference]
    print(*differing[:PRINTED], f"{len(differing)} of {len(names)} differ", sep="\n")
    return int(bool(differing))


def _differences(before: object, after: object, place: str = "") -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _differences(before.get(key), after.get(key), f"{place} > {key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, f"{place} > {number}")
    else:
        old, new = (json.dumps(value, ensure_ascii=False)[:400] for value in (before, after))
        yield f"{place}\n  - {old}\n  + {new}"


def record() -> Recording:
    """Return all that is recorded, by a name that says what it is."""
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        for name in [name for name in os.environ if name.startswith(("STET_", "SLACK_", "DISCORD_"))]:
            if name != "STET_TEST_SHARED":
                del os.environ[name]
        os.environ |= {f"XDG_{name}_HOME": str(place / name) for name in ("STATE", "CACHE", "DATA")}
        os.environ |= {"STET_ENCODER": "none", "STET_ARCHIVE": str(place / "archive.sqlite"), "COLUMNS": "100"}
        os.chdir(place)  # so that no path in a reply tells where this runs
        for name in FOLDERS:
            shutil.copytree(PROJECT / name, name)
        today = date.today()  # noqa: DTZ011 - whatever day this machine prints
        recorded = dict(_all())
    text = json.dumps(recorded, ensure_ascii=False).replace(f"{place}/", "")
    for words in (today.isoformat(), f"{today:%d %B %Y}".lstrip("0"), f"{today:%d %b %Y}".lstrip("0")):
        text = text.replace(words, "TODAY")
    return dict(json.loads(text))


def _all() -> Iterator[tuple[str, Any]]:
    golden = (tomllib.loads(Path(name, "questions.toml").read_text(encoding="utf-8"))["questions"] for name in FOLDERS)
    every = [*(case for rows in golden for case in _questions(rows)), *_commands()]
    few = [*every[:: len(every) // REPEATED], *_commands()]
    memory = QuestionService(Library(open_archive(read_all(load_articles(map(Path, PATHS)).articles))))
    yield from _replies("memory", memory, every)
    yield from _threads("memory", memory, every)
    yield from _pages(memory)
    yield from _replies("folder", _service(STET_ARTICLES=os.pathsep.join(PATHS)), few)
    _stet("add", *PATHS)
    Path("channels.toml").write_text(CHANNELS, encoding="utf-8")
    yield from _replies("file", _service(), few)
    channel = [(name, replace(question, place=CHANNEL, brief=True)) for name, question in few]
    yield from _replies("limits", _service(STET_CHANNELS="channels.toml"), channel)
    for name in REMOVED:
        _stet("remove", name)
    article = Path("tests/fixtures/articles", CORRECTED)
    article.write_text(article.read_text(encoding="utf-8").replace(OLD, NEW), encoding="utf-8")
    _stet("add", str(article))
    yield from _replies(
        "removed and corrected", _service(), [*few, ("vote", Question("what was the vote on the dairy"))]
    )
    if shared := os.environ.get("STET_TEST_SHARED"):
        yield from _shared(Path(shared, "data"))


def _shared(data: Path) -> Iterator[tuple[str, Any]]:
    """Yield the replies to the first questions of each set, over the articles that hold the answers to these."""
    off_topic = _rows(data / "questions/off_topic/questions.jsonl")
    for name, held in (("newsroom", "corpus/news_2000.jsonl"), ("newsqa", "questions/newsqa/articles.jsonl")):
        rows, copied = _rows(data / f"questions/{name}/questions.jsonl"), Path(f"{name}.jsonl")
        docs = {answer["doc"] for row in rows for answer in row["answers"]}
        lines = (data / held).read_text(encoding="utf-8").splitlines(keepends=True)
        copied.write_text("".join(line for line in lines if json.loads(line)["id"] in docs), encoding="utf-8")
        yield from _replies(name, _service(STET_ARTICLES=str(copied)), _questions([*rows, *off_topic]))
    for name, file in (
        ("seeds", "seed_questions_dev.jsonl"),
        ("data/articles_dev/articles", "articles_dev/questions.jsonl"),
    ):
        shutil.copytree(data.parent / name, "shared" / Path(name))
        yield from _replies(f"shared/{name}", _service(STET_ARTICLES=f"shared/{name}"), _questions(_rows(data / file)))


def _rows(file: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[:SHARED]]


def _questions(rows: Iterable[Mapping[str, Any]]) -> list[Case]:
    return [(row["id"], Question(row["question"], row.get("previous"))) for row in rows]


def _commands() -> list[Case]:
    lines = [f"/{name} {argument}".strip() for name, arguments in COMMANDS for argument in arguments.split("; ")]
    return [(line, Question(line)) for line in lines]


def _service(**settings: str) -> QuestionService:
    return open_service(load({**os.environ, **settings}, Path("none.env")))


def _stet(*arguments: str) -> None:
    done = CliRunner().invoke(cli.cli, arguments)
    if done.exit_code:
        raise SystemExit(f"stet {' '.join(arguments)}: {done.output}") from done.exception


def _replies(scene: str, service: QuestionService, cases: Iterable[Case]) -> Iterator[tuple[str, Any]]:
    for name, question in cases:
        yield f"{scene}: {name}", _drawn(question.text, service.answer(question))


def _drawn(asked: str, reply: Reply) -> dict[str, Any]:
    """Return a reply as JSON, and as each platform draws it."""
    console = Console(width=100, color_system=None)
    with console.capture() as printed:
        console.print(terminal.draw(reply))
    slack = blocks.draw(reply, blocks.Buttons(answer=1, shareable=True, asked=asked, handover=True))
    return {
        "json": json_contract.reply(reply),
        "slack": {"text": slack.text, "blocks": slack.blocks},
        "discord": asyncio.run(_discord(reply)),
        "terminal": printed.get().splitlines(),
        "page": rendering.reply(view(reply, asked), Links()).partition("<main")[2].splitlines(),
    }


async def _discord(reply: Reply) -> Any:  # noqa: ANN401 - what its library takes; which makes no view outside a loop
    panels = arrange(reply, ROOM)
    return compose(panels, controls(reply, 1, frozenset(Act), handover=True)).to_components()


def _threads(scene: str, service: QuestionService, cases: Iterable[Case]) -> Iterator[tuple[str, Any]]:
    """Yield what comes after answers: their further extracts, and the replies to what refers to them."""
    answers = ((name, question, service.answer(question)) for name, question in cases)
    led = [each for each in answers if isinstance(each[2], Answer)]
    for number, (name, question, reply) in enumerate(led[:: max(1, len(led) // FOLLOWED)]):
        asked = FOLLOW_UPS[number % len(FOLLOW_UPS)]
        follows = Question(asked, previous=question.text, shown=references.state_of(reply))
        yield f"{scene}: {name} > {asked}", _drawn(asked, service.answer(follows))
        if isinstance(reply, Answer) and reply.more:
            yield f"{scene}: {name} > more", _drawn("more", service.command("more", reply.more, question))


def _pages(service: QuestionService) -> Iterator[tuple[str, Any]]:
    """Yield what the page serves, besides replies to questions: its first page, lists, threads and articles."""
    archive = service.library.archive
    articles = [article_path(article.id, article.digest).lstrip("/") for article in archive.articles()]
    browser = TestClient(application(service), base_url="http://127.0.0.1")
    for address in (*re.split(r"\s", ADDRESSES), *articles):
        answer = browser.get(f"/{address}")
        yield f"page: {address}", {"status": answer.status_code, "html": answer.text.splitlines()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
