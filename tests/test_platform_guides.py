"""``docs/slack.md`` and ``docs/discord.md`` are followed to the letter, with the vendors' other ends on loopback.

``python3 -m venv`` and ``pip`` need a package index: of their lines only the names of the extras are tried.
What is pressed on the vendors' own pages is tried nowhere.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.channel_rules import read_channels, unknown_sources
from adapters.mcp.tools import TOOLS
from adapters.settings import TABLE, load
from tests.emulators.discord import DiscordEmulator
from tests.emulators.slack import Slack
from tests.stock import written

PROJECT = Path(__file__).parents[1]
SLACK, DISCORD = ((PROJECT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("slack", "discord"))
TOKENS = {"slack": ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"), "discord": ("DISCORD_TOKEN",)}
GUIDES = pytest.mark.parametrize(("platform", "guide"), [("slack", SLACK), ("discord", DISCORD)], ids=tuple(TOKENS))


def shell(guide: str) -> list[str]:
    lines = re.findall(r"(?m)^    (\S.*)$", guide)
    return [line for line in lines if not re.match(r"[A-Z_]+=", line)]


def bare(machine: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(machine), "PYTHONPATH": str(PROJECT)}


def follow(line: str, machine: Path, **more: str) -> tuple[int, str]:
    """Run a command of a document on such a machine; return status and what is told."""
    line = line.replace("/where/the/articles/are", str(machine / "articles"))
    line = re.sub("^stet ", f"{sys.executable} -m adapters ", line)
    given = bare(machine) | more
    done = subprocess.run(["/bin/sh", "-ec", line], capture_output=True, text=True, env=given, cwd=machine, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.soak
@GUIDES
def test_the_commands_lead_to_your_articles_and_to_the_tokens(platform: str, guide: str, tmp_path: Path) -> None:
    """One after the other, in a folder of their own; what a token is missing for is named, and none is invented."""
    written(tmp_path / "articles")
    add, check, start = (line for line in shell(guide) if line.startswith("stet "))
    status, told = follow(add, tmp_path)
    assert (status, "2 added" in told) == (0, True), told
    status, told = follow(check, tmp_path)
    assert "Articles: from the archive." in told
    assert all(token in told.split(f"{platform.title()}: not set up")[1] for token in TOKENS[platform]), told
    status, told = follow(start, tmp_path)
    missing = [name for name in TOKENS[platform] if f"\n  {name}: " not in told]
    assert (status, "Traceback" in told, missing) == (2, False, []), told


@pytest.mark.rest
@GUIDES
async def test_with_tokens_they_lead_to_a_bot_that_is_ready(platform: str, guide: str, tmp_path: Path) -> None:
    async with Slack() as slack, DiscordEmulator() as discord:
        given = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app_token, **discord.environment}
        lines = (f"{token}={given.pop(token)}\n" for token in TOKENS[platform])
        (tmp_path / ".env").write_text("".join(lines), encoding="utf-8")
        ends = {"SLACK_API_URL": slack.url} | {name: url for name, url in given.items() if "TOKEN" not in name}
        closing = re.findall("`(chmod [^`]+)`", guide)[0]
        check, start = (line for line in shell(guide) if line in ("stet check", f"stet {platform}"))
        for line in (closing, check):
            status, told = await asyncio.to_thread(follow, line, tmp_path, **ends)
            assert status == 0, told
        assert f"{platform.title()}: every token is set." in told
        assert "Other users of this machine" not in told
        command = (sys.executable, "-m", "adapters", *start.split()[1:])
        bot = await asyncio.create_subprocess_exec(
            *command, env=bare(tmp_path) | ends, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(60):
                ready = (await bot.stdout.readline()).decode().strip()
        finally:
            bot.terminate()
            await bot.wait()
        assert (f"`{ready}`" in guide, ready.startswith(f"stet: {platform} ready"), bot.returncode) == (True, True, 0)


@GUIDES
def test_every_setting_that_is_named_exists_and_what_is_installed_is_an_extra(platform: str, guide: str) -> None:
    named = set(re.findall(r"\b(?:STET|SLACK|DISCORD)_[A-Z_]*[A-Z]\b", guide))
    assert named >= set(TOKENS[platform])
    assert named - {row.name for row in TABLE} == set()
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = next(line for line in shell(guide) if line.startswith("pip install")).split("[")[1].split("]")[0]
    assert {platform} <= {*installed.split(",")} <= extras.keys()


def test_the_guide_to_assistants_lists_every_tool_with_what_it_takes() -> None:
    guide = (PROJECT / "docs" / "assistants.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.*?) \|", guide)
    takes = {name: [argument.name for argument in tool.arguments] for name, tool in TOOLS.items()}
    assert {name: re.findall(r"`(\w+)`", cell) for name, cell in rows} == takes


@pytest.mark.parametrize("document", ["channels", "assistants"])
def test_the_outlets_of_an_example_are_those_of_the_samples(document: str, tmp_path: Path) -> None:
    rules, guide = tmp_path / "channels.toml", (PROJECT / "docs" / f"{document}.md").read_text(encoding="utf-8")
    rules.write_text(guide.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    channels = read_channels(load({"STET_CHANNELS": str(rules)}, tmp_path / "none"))
    samples = open_service(load({}, tmp_path / "none")).library.archive.outlets()
    assert [*unknown_sources(channels, {outlet.source for outlet in samples})] == []


def test_the_guide_names_the_manifests_scopes_and_commands() -> None:
    """Those that are needed in one table, those that an admin may leave out in another; and no command besides."""
    manifest = json.loads((PROJECT / "docs" / re.findall(r"\(([^()]*manifest\.json)\)", SLACK)[0]).read_text())
    scopes = manifest["oauth_config"]["scopes"]
    needed, optional = (
        set(re.findall(r"`([a-z_]+(?::[a-z]+)?)`", "".join(re.findall(r"(?m)^(\|[^|]+\|)", part))))
        for part in SLACK.split("### What it may do")[1].split("## 2.")[0].split("| what is lost")
    )
    assert optional == set(scopes["bot_optional"])
    assert needed == set(scopes["bot"]) - optional
    commands = {command["command"] for command in manifest["features"]["slash_commands"]}
    assert set(re.findall(r"`(/[a-z]+)(?= |`)", SLACK)) - {"/healthz", "/readyz", "/invite"} == commands
