"""The generated parts of the README, written by ``make readme``: its transcript, and the reference of commands."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from adapters.compose import open_desk
from adapters.settings import load
from adapters.terminal.stdout import plainly
from adapters.terminal.text import draw
from bot.commands.table import TABLE
from bot.desk import Desk
from bot.model import Question

BEGIN, END = "<!-- commands -->", "<!-- /commands -->"
_TRANSCRIPT = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_ASKED = re.compile(r"\$ make ask Q=(.*)")


def written(text: str, desk: Desk) -> str:
    """Return ``text`` with the answers of ``desk`` in its transcript, and the table of commands between its marks."""
    text = _TRANSCRIPT.sub(lambda found: transcript(found[0], desk), text)
    return re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{reference()}\n{END}", text, flags=re.DOTALL)


def transcript(text: str, desk: Desk) -> str:
    """Return each question of a transcript with its answer under it."""
    asked = (shlex.split(line) for line in _ASKED.findall(text))
    return "\n".join(
        f'$ make ask Q="{question}"\n{plainly(draw(desk.answer(Question(question))))}\n' for (question,) in asked
    )


def reference() -> str:
    """Return the table of commands in Markdown."""
    rows = (f"| `{row.usage}` | {row.help} |" for row in TABLE)
    return "\n".join(("| command | what it does |", "|---|---|", *rows))


def main(path: Path) -> None:
    """Write the generated parts into the file at ``path``, from the articles that come with the program."""
    desk = open_desk(load({}, Path("no .env")))
    path.write_text(written(path.read_text(encoding="utf-8"), desk), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
