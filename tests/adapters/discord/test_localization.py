"""What Discord is told of the commands in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import discord
import pytest

from adapters.discord.slash_commands import translations
from tests.adapters.discord.bench import UMBRELLAS, newsroom
from tests.emulators.discord import shown
from tests.emulators.discord_payloads import Payload

# Discord's own rules: https://discord.com/developers/docs/interactions/application-commands
NAME = re.compile(r"[-_'\w]{1,32}")
LONGEST_DESCRIPTION = 100
SLASH = 1
LANGUAGES = sorted(Path(file.name).stem for file in files("adapters.discord").joinpath("locales").iterdir())


@pytest.fixture
async def told(tmp_path: Path) -> list[Payload]:
    """Return the commands as they are registered."""
    async with newsroom(tmp_path) as discord:
        return discord.rest.commands


def named(commands: list[Payload]) -> Iterator[Payload]:
    """Yield everything that has a name: the commands, and their options."""
    for command in commands:
        yield command
        yield from command.get("options") or ()


def test_every_language_is_one_of_discords() -> None:
    """A file under another name would never be read."""
    assert "de" in LANGUAGES
    assert set(LANGUAGES) <= {locale.value for locale in discord.Locale}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_command_and_option_has_a_name_and_a_description(told: list[Payload], language: str) -> None:
    """None stays English, and each is one that Discord takes."""
    for one in named(told):
        name = one["name_localizations"][language]
        assert len(name) <= 32
        if one.get("description"):  # a message's command has none, and may have spaces and capitals
            assert NAME.fullmatch(name)
            assert name == name.lower()
            assert 1 <= len(one["description_localizations"][language]) <= LONGEST_DESCRIPTION


@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_two_commands_and_no_two_options_share_a_name(told: list[Payload], language: str) -> None:
    """In English or in the other language."""
    for level in (told, *(command.get("options") or () for command in told)):
        names = [one["name_localizations"][language] for one in level]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_nothing_is_translated_that_is_not_there(told: list[Payload], language: str) -> None:
    """What was renamed in English would stay English."""
    names = {one["name"] for one in named(told)}
    descriptions = {one["description"] for one in named(told) if one.get("description")}
    assert set(translations(language)["names"]) == names
    assert set(translations(language)["descriptions"]) == descriptions


async def test_a_language_without_a_file_stays_english(told: list[Payload]) -> None:
    """And so does a client of that language."""
    assert translations("tlh") == {}
    assert all(set(one["name_localizations"]) == set(LANGUAGES) for one in named(told))


@pytest.mark.parametrize(
    ("command", "options", "heading"),
    [
        ("ask", {"question": UMBRELLAS}, UMBRELLAS),
        ("who", {"name": "Wilma Oake"}, "/who Wilma Oake"),
        ("said", {"name": "Marta Lindqvist", "about": "the wheel"}, "/said Marta Lindqvist about the wheel"),
        ("sources", {}, "/sources"),
    ],
)
async def test_what_was_asked_stands_above_the_answer(
    command: str, options: dict[str, str], heading: str, tmp_path: Path
) -> None:
    """Nobody else has seen it; what a button is given is nobody's to read."""
    async with newsroom(tmp_path) as discord:
        one = await discord.answered(await discord.command(command, options))
        assert shown(one.message or {}).startswith(f"-# {heading}\n")
        if command == "ask":
            context = await discord.answered(await discord.click(one.message or {}, "Context"))
            assert not shown(context.message or {}).startswith("-#")
