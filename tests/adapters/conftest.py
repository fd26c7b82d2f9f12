"""Fixtures that several packages share."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest

from adapters.storage.store import Store
from tests.emulators.discord_payloads import World
from tests.shelf import put_samples
from tests.stock import written
from tests.support.chats import Archived, PressRoom, press_room
from tests.support.program import Stet, run

BELL = "---\nsource: The Oxley Bell\npublished: 2024-03-01\nurl: https://bell.example/{name}\n---\n"
HARBOUR = "The harbour of Sandholm is closed. Mayor Ada Quill said 12 boats were lost. Nobody was hurt in the storm."
SCHOOL = "The school on Mill Lane opens again on Monday. Its head, Piet Oru, thanked the parents."


@pytest.fixture
def stet(capsys: pytest.CaptureFixture[str]) -> Stet:
    return partial(run, capsys)


@pytest.fixture
def samples(tmp_path: Path) -> None:
    put_samples(tmp_path / "cache")


@pytest.fixture
def copy_folder(tmp_path: Path) -> Path:
    """Return a folder with two articles, which say of themselves where they are from."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        (folder / f"{name}.txt").write_text(BELL.format(name=name) + text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = written(tmp_path / "articles")
    (place / "articles.toml").write_text('["ferry.txt"]\nsource = "The Sandholm Echo"\n', encoding="utf-8")
    return place


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Return a state with a fact in it that the test, no longer root, can read but not write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "stet.sqlite"
        with Store(path) as store:
            store.save_fact("commands", "abc")
        path.chmod(0o444)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield path
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


# -- a newsroom on a chat, the same on both: its archive changes while people read the answers -----------------------


@pytest.fixture(params=["slack", "discord"])
def platform(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def given() -> dict[str, str]:
    """Return the bot's settings; a test's parameter of this name sets others, and channel rules as they are written.

    In these, ``HERE`` is the channel where people ask.
    """
    return {}


@pytest.fixture
async def newsroom(platform: str, given: dict[str, str], tmp_path: Path) -> AsyncIterator[tuple[PressRoom, Archived]]:
    if rules := given.get("STET_CHANNELS"):
        file = tmp_path / "channels.toml"
        here = {"slack": "slack.C1", "discord": f"discord.{World().channel}"}[platform]
        file.write_text(rules.replace("HERE", here), encoding="utf-8")
        given = {**given, "STET_CHANNELS": str(file)}
    async with press_room(platform, tmp_path, **given) as opened:
        yield opened


@pytest.fixture
def room(newsroom: tuple[PressRoom, Archived]) -> PressRoom:
    return newsroom[0]


@pytest.fixture
def archived(newsroom: tuple[PressRoom, Archived]) -> Archived:
    return newsroom[1]
