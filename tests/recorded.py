"""Has any reply changed? `python -m tests.recorded record FILE`, `python -m tests.recorded compare BEFORE AFTER`.

A recording holds what people are shown over the articles of ``seeds`` and ``tests/fixtures``: all golden questions,
every command, threads, buttons and files, in the terminal, on the page, over MCP, in Slack and in Discord.
Record at one commit, record at another, and compare: what was meant to change nothing gives two equal files.

The program runs as a process and is reached as people and services reach it; nothing here imports it. So one script
records any checkout: ``--program FOLDER`` names it, otherwise it is this one. ``--scene NAME`` records a part.
What is asked is in ``recorded.toml``; answers go by words alone, except in the scene "meaning".
"""

import asyncio
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import date
from functools import partial
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import httpx

from tests import recorded_chats
from tests.recorded_chats import Case, Chat, in_discord, in_slack
from tests.support.program import end, launch

PROJECT = Path(__file__).resolve().parent.parent
FOLDERS = ("seeds", "tests/fixtures")
PATHS = ("seeds", "tests/fixtures/articles")
BOTH = os.pathsep.join(PATHS)
AT_ONCE = 2  # scenes
PRINTED = 40  # differences
REPEATED = 6  # each so many-th question is asked in further scenes as well
FOLLOWED = 8  # each so many-th question has a follow-up, and every button below its answer is pressed
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LINES = [(name, argument) for name, arguments in TABLE["commands"] for argument in arguments]

Recording = dict[str, Any]
Recorded = Iterator[tuple[str, Any]]


def main(arguments: Sequence[str]) -> int:
    """Record or compare; 1 where recordings differ, 2 where the command is wrong."""
    parser = ArgumentParser("tests.recorded", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording, comparison = verbs.add_parser("record"), verbs.add_parser("compare")
    recording.add_argument("file", type=Path)
    recording.add_argument("--scene", action="append", choices=SCENES)
    recording.add_argument("--program", type=Path, default=PROJECT)
    comparison.add_argument("before", type=Path)
    comparison.add_argument("after", type=Path)
    given = parser.parse_args(arguments)
    if given.verb == "compare":
        return compare(json.loads(given.before.read_bytes()), json.loads(given.after.read_bytes()))
    file = given.file.absolute()
    recorded = record(given.program.resolve(), given.scene or [*SCENES])
    file.write_text(json.dumps(recorded, ensure_ascii=False, indent=1, sort_keys=True), encoding="utf-8")
    return 0


def compare(before: Recording, after: Recording) -> int:
    """Print each recorded thing that differs, with the first place in it; 1 where any does."""
    names = sorted({*before, *after})
    first = {name: next(_differences(before.get(name), after.get(name)), None) for name in names}
    differing = [f"{name}{difference}" for name, difference in first.items() if difference]
    print(*differing[:PRINTED], f"{len(differing)} of {len(names)} differ", sep="\n")
    return int(bool(differing))


def _differences(before: object, after: object, place: str = "") -> Iterator[str]:
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            yield from _differences(before.get(key), after.get(key), f"{place} > {key}")
    elif isinstance(before, list) and isinstance(after, list):
        for number, (old, new) in enumerate(itertools.zip_longest(before, after)):
            yield from _differences(old, new, f"{place} > {number}")
    else:
        old, new = (json.dumps(value, ensure_ascii=False)[:400] for value in (before, after))
        yield f"{place}\n  - {old}\n  + {new}"


def record(program: Path, scenes: Sequence[str]) -> Recording:
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        for name in [name for name in os.environ if name.startswith(("STET_", "SLACK_", "DISCORD_", "COVERAGE_"))]:
            del os.environ[name]
        os.environ |= {f"XDG_{name}_HOME": str(place / name) for name in ("STATE", "CACHE", "DATA")}
        os.environ |= {"HOME": str(place), "STET_ENCODER": "none", "COLUMNS": "100", "PYTHONPATH": str(program)}
        os.chdir(place)  # so that no path in a reply tells where this runs
        for name in FOLDERS:
            shutil.copytree(PROJECT / name, name)
        today = date.today()  # noqa: DTZ011 - whatever day this machine prints
        with ThreadPoolExecutor(AT_ONCE) as pool:
            recorded = dict(itertools.chain.from_iterable(pool.map(lambda scene: [*SCENES[scene]()], scenes)))
    text = json.dumps(recorded, ensure_ascii=False).replace(f"{place}/", "")
    for words in (today.isoformat(), f"{today:%d %B %Y}".lstrip("0"), f"{today:%d %b %Y}".lstrip("0")):
        text = text.replace(words, "TODAY")
    for pattern, name in TABLE["unstable"]:
        text = re.sub(pattern, name, text)
    return dict(json.loads(text))


# -- what is asked ---------------------------------------------------------------------------------------------


def _golden() -> list[Case]:
    rows = (tomllib.loads(Path(name, "questions.toml").read_text(encoding="utf-8"))["questions"] for name in FOLDERS)
    cases = [Case(row["id"], row["question"], row.get("previous")) for row in itertools.chain.from_iterable(rows)]
    follow_ups = itertools.cycle(TABLE["follow_ups"])
    return [case if n % FOLLOWED else case._replace(follow_up=next(follow_ups)) for n, case in enumerate(cases)]


def _some() -> list[Case]:
    return [case._replace(follow_up="") for case in _golden()[::REPEATED]]


def _commands() -> list[Case]:
    lines = [f"/{name} {argument}".strip() for name, argument in LINES]
    return [Case(line, line) for line in lines]


# -- the terminal ----------------------------------------------------------------------------------------------


def _stet(*words: str, read: str = "", **given: str) -> dict[str, Any]:
    """Run a command; return what it prints, as JSON where every line is."""
    environment = {**os.environ, "STET_ARTICLES": BOTH, **given}
    command = [sys.executable, "-m", "adapters", *words]
    done = subprocess.run(command, input=read, capture_output=True, text=True, env=environment, check=False)
    lines: list[Any] = done.stdout.splitlines()
    with suppress(ValueError):
        lines = [json.loads(line) for line in lines]
    return {"status": done.returncode, "out": lines, "err": done.stderr.splitlines()}


def _batch(scene: str, cases: Iterable[Case], **given: str) -> Recorded:
    rows = [{"id": case.name, "question": case.words, "previous": case.previous} for case in cases]
    file = Path(f"{scene}.questions").absolute()
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = _stet("ask", "--batch", str(file), **given)
    if done["status"]:
        raise SystemExit(f"{scene}: {done['err']}")
    yield from ((f"{scene}: {reply['id']}", reply) for reply in done["out"])


def _asked() -> Recorded:
    yield from _batch("asked", [*_golden(), *_commands()])
    for case in _some()[:FOLLOWED]:
        follows = ("--previous", case.previous) if case.previous else ()
        yield f"asked in the terminal: {case.name}", _stet("ask", case.words, *follows)
    threads = (line for case in _golden() if case.follow_up for line in (case.words, case.follow_up, "more"))
    typed = "\n".join((*threads, *(command.words for command in _commands()), ""))
    yield "asked at the prompt", _stet("chat", read=typed)


def _printed() -> Recorded:
    stet = partial(_stet, STET_STATE=str(Path("printed.sqlite").absolute()))
    Path("draft.md").write_text(TABLE["draft"], encoding="utf-8")
    asked = stet("ask", "how many bodies were in the street in bucha", "--json")["out"][0]
    state = asked["extracts"][0]["state"]
    commands = [(name, *argument.split()) for name, argument in dict(reversed(LINES)).items()]
    commands += [("more", asked["more"]), ("context", state), ("copy", state, "csv"), ("proof", "draft.md")]
    commands += [("read", *PATHS), ("read", "--explain", PATHS[0]), ("eval", "seeds/questions.toml")]
    for words in commands:
        for form in ((), ("--json",)):
            yield f"terminal: {' '.join((*words, *form))}", stet(*words, *form)
    wrong = (("askk",), ("ask",), ("read", "nowhere"), ("ask", "what", "--since", "yesterdayish"))
    for words in (("audit", "--words"), ("ask", "--explain", "who is the mayor"), *wrong):
        yield f"terminal: {' '.join(words)}", stet(*words)


def _archive() -> Recorded:
    """Yield the replies over an archive: in bounded channels, and after articles are removed and corrected."""
    channels, archive, state = (str(Path(name).absolute()) for name in ("channels.toml", "archive.sqlite", "archived"))
    given = {"STET_ARTICLES": "", "STET_ARCHIVE": archive, "STET_STATE": state}
    given["XDG_CACHE_HOME"] = f"{state}.cache"  # what is removed here goes from every cache
    few = [*_some(), *_commands()]
    yield "archive: add", _stet("add", *PATHS, **given)
    yield from _batch("archive", few, **given)
    yield "archive: export", _stet("export", **given)
    bounded = "\n".join(f"[slack.C{number:03}]\n{TABLE['bounds']}" for number in range(len(few)))
    Path(channels).write_text(bounded, encoding="utf-8")
    yield from _chat("limits", in_slack(_serving, given | {"STET_CHANNELS": channels}), few)
    article, old, new = TABLE["corrected"]
    corrected = Path("corrected", article)
    corrected.parent.mkdir()
    text = Path("tests/fixtures/articles", article).read_text(encoding="utf-8")
    corrected.write_text(text.replace(old, new), encoding="utf-8")
    for words in (*(("remove", name) for name in TABLE["removed"]), ("add", str(corrected))):
        yield f"archive: {words[0]} {Path(words[1]).name}", _stet(*words, **given)
    yield from _batch("removed and corrected", [*few, Case("vote", "what was the vote on the dairy")], **given)
    for command in ("corrections", "sources", "reindex", "audit", "feedback", "subscriptions"):
        yield f"removed and corrected: {command}", _stet(command, **given)


def _meaning() -> Recorded:
    yield from _batch("meaning", _some(), STET_ENCODER="e5")


# -- services --------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _serving(command: str, **given: str) -> AsyncIterator[str]:
    """Run a service over the articles, and give its first line; afterwards it has done what it was asked."""
    with TemporaryDirectory() as folder:
        state = {"STET_ARTICLES": BOTH, "STET_STATE": f"{folder}/state.sqlite"}
        bot, line = await launch(Path(folder), state | given, command)
        try:
            yield line
        finally:
            await end(bot)


async def _page() -> Recording:
    recorded: Recording = {}
    async with _serving("page", STET_PAGE_PORT="0") as line:
        address = re.search(r"http://[^\s)]+", line)
        assert address, line
        async with httpx.AsyncClient(base_url=address[0], headers={"Origin": address[0]}, timeout=60) as browser:

            async def visit(path: str, name: str = "", **sent: Any) -> str:  # noqa: ANN401 - what httpx takes
                answer = await (browser.post(path, **sent) if sent else browser.get(path))
                html = answer.text if path in ("", "nowhere") else answer.text.partition("<main")[2] or answer.text
                recorded[f"page: {name or path}"] = {"status": answer.status_code, "html": html.splitlines()}
                return html

            for path in TABLE["addresses"]:
                await visit(path)
            for name, argument in LINES:
                if name in TABLE["views"]:
                    await visit(f"{name}?{urlencode({'q': argument})}")
            for case in _golden():
                after = {"after": case.previous} if case.previous else {}
                html = await visit(f"?{urlencode({'q': case.words, **after})}", case.name)
                if not case.follow_up:
                    continue
                if more := re.search(r'href="([^"]*(?:/more/|[?;&]more=)[^"]*)"', html):
                    await visit(unescape(more[1]), f"{case.name} > more")
                hidden = re.findall(r'<input type="hidden" name="(after|shown)" value="([^"]*)">', html)
                sent = [*((name, unescape(value)) for name, value in hidden), ("q", case.follow_up)]
                await visit(f"?{urlencode(sent)}", f"{case.name} > {case.follow_up}")
            for path in sorted(set(re.findall(r'href=\\"(/a/[^"#]*?)[#\\]', json.dumps(recorded)))):
                await visit(unescape(path))
            await visit("verify", "checked quotations", data={"text": TABLE["draft"]})
            await visit("proof", "proofed draft", data={"text": TABLE["draft"]}, files={"file": ("", b"")})
    return recorded


def _assistant() -> Recorded:
    """Yield what an assistant is given over MCP: its tools, and their results in words and as JSON."""
    calls = [("ask", _given(question=case.words, previous=case.previous), case.name) for case in _golden()]
    arguments = {"who": "name", "said": "name", "verify": "quote", "first": "phrase", "article": "id"}
    calls += [(name, _given(**{arguments.get(name, "words"): argument}), argument) for name, argument in LINES]
    calls += [("proof", {"draft": TABLE["draft"]}, "draft"), ("ask", {}, "nothing"), ("nothing", {}, "")]
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "recorded", "version": "1"}}
    requests = [("initialize", client, "hello"), ("tools/list", {}, "tools"), ("resources/list", {}, "resources")]
    requests += [("tools/call", {"name": tool, "arguments": given}, f"{tool} {name}") for tool, given, name in calls]
    command = [sys.executable, "-m", "adapters", "mcp"]
    environment = {**os.environ, "STET_ARTICLES": BOTH, "STET_STATE": str(Path("mcp.sqlite").absolute())}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
    ) as program:
        assert program.stdin
        assert program.stdout
        for number, (method, params, name) in enumerate(requests):
            lines = [{"id": number, "method": method, "params": params}]
            lines += [{"method": "notifications/initialized"}] if method == "initialize" else []
            for line in lines:
                print(json.dumps({"jsonrpc": "2.0", **line}), file=program.stdin, flush=True)
            while (answer := json.loads(program.stdout.readline())).get("id") != number:
                pass
            yield f"mcp: {name}", answer.get("result", answer)
        program.stdin.close()


def _given(**arguments: str | None) -> dict[str, str]:
    return {name: value for name, value in arguments.items() if value}


def _chat(scene: str, chat: AbstractAsyncContextManager[Chat], cases: Sequence[Case]) -> Recorded:
    calls = asyncio.run(recorded_chats.record(chat, cases, TABLE["draft"]))
    yield from ((f"{scene}: {name}", value) for name, value in calls.items())


SCENES: dict[str, Callable[[], Recorded]] = {
    "slack": lambda: _chat("slack", in_slack(_serving, {}), [*_golden(), *_commands()]),
    "discord": lambda: _chat("discord", in_discord(_serving), [*_golden(), *_commands()]),
    "archive": _archive,
    "printed": _printed,
    "page": lambda: iter(asyncio.run(_page()).items()),
    "asked": _asked,
    "assistant": _assistant,
    "meaning": _meaning,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
