"""The generated parts of the documents, written by ``make readme``: transcripts, and the reference of commands."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from adapters.compose import open_service
from adapters.settings import load
from adapters.terminal.stdout import plainly
from adapters.terminal.text import draw
from bot.commands.table import TABLE
from bot.model import Question
from bot.service import QuestionService

BEGIN, END = "<!-- commands -->", "<!-- /commands -->"
_TRANSCRIPT = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_ASKED = re.compile(r'^\$ make ask Q="(.*?)"(?: \| head -(\d+))?$', re.MULTILINE)


def written(text: str, service: QuestionService) -> str:
    """Return ``text`` with the answers of ``service`` in its transcript, and the table of commands between its marks."""
    text = _TRANSCRIPT.sub(lambda found: transcript(found[0], service), text)
    return re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{reference()}\n{END}", text, flags=re.DOTALL)


def transcript(text: str, service: QuestionService) -> str:
    """Return each question of a transcript with its answer under it, or the first lines that ``head`` leaves of it."""
    return "\n".join(
        "\n".join((asked[0], *_printed(asked[1], service)[: int(asked[2]) if asked[2] else None], ""))
        for asked in _ASKED.finditer(text)
    )


def _printed(question: str, service: QuestionService) -> list[str]:
    """Return the lines that the terminal prints for a question."""
    return plainly(draw(service.answer(Question(question)))).split("\n")


def reference() -> str:
    """Return the table of commands in Markdown."""
    rows = (f"| `{row.usage}` | {row.help} |" for row in TABLE)
    return "\n".join(("| command | what it does |", "|---|---|", *rows))


def main(*paths: Path) -> None:
    """Write the generated parts into the files at ``paths``, from the articles that come with the program."""
    service = open_service(load({}, Path("no .env")))
    for path in paths:
        path.write_text(written(path.read_text(encoding="utf-8"), service), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
