"""Every kind of reply as each surface draws it, word for word: recordings in ``tests/fixtures/drawings``.

Where a drawing is meant to change, ``STET_TEST_RECORD=1 pytest tests/adapters/test_drawings.py`` records it anew;
the difference is reviewed with the change.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters import json_contract
from adapters.discord import panels
from adapters.page import rendering
from adapters.page.addresses import Links
from adapters.page.reply_view import view
from adapters.slack.blocks import draw
from adapters.terminal.text import Drawing, plainly
from bot.model import Reply
from tests.support.replies import KINDS

RECORDINGS = Path(__file__).parents[1] / "fixtures" / "drawings"


def _slack(reply: Reply) -> str:
    drawing = draw(reply, 7, shareable=True, handover=True)
    blocks = "\n".join(json.dumps(block, ensure_ascii=False) for block in drawing.blocks)
    return f"{drawing.text}\n\n{blocks}"


def _discord(reply: Reply) -> str:
    message = panels.compose(panels.draw(reply, 7, handover=True))
    return "\n".join(json.dumps(part, ensure_ascii=False) for part in message.to_components()).replace("\\n", "\n")


def _page(reply: Reply) -> str:
    page = rendering.reply(view(reply, "Who was brought ashore?"), Links())
    return re.sub(r"\n\s*\n", "\n", page.partition("<main")[2].partition("</main>")[0])


SURFACES: dict[str, Callable[[Reply], str]] = {
    "slack": _slack,
    "discord": _discord,
    "terminal": lambda reply: plainly(Drawing(reply)),
    "page": _page,
    "json": lambda reply: json.dumps(json_contract.reply(reply), ensure_ascii=False, indent=1),
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_reply_is_drawn_as_recorded(kind: str, surface: str) -> None:
    drawn = "".join(f"{line.rstrip()}\n" for line in SURFACES[surface](KINDS[kind]).splitlines())
    file = RECORDINGS / f"{kind.replace(' ', '-')}.{surface}.txt"
    if os.environ.get("STET_TEST_RECORD"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(drawn, encoding="utf-8")
    assert drawn == file.read_text(encoding="utf-8")


def test_nothing_is_recorded_that_is_not_drawn() -> None:
    assert {file.name.split(".")[0] for file in RECORDINGS.iterdir()} == {kind.replace(" ", "-") for kind in KINDS}
