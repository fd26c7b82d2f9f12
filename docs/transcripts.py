# noqa: INP001 - beside the documents that it writes, which are no package
"""``make readme`` writes the generated parts of the documents: transcripts, and the table of chat commands."""

import re
import sys
from pathlib import Path

from adapters.articles import open_service
from adapters.settings import load
from adapters.terminal.text import Drawing, plainly
from bot.commands.command_table import TABLE
from bot.model import Question
from bot.service import QuestionService

BEGIN, END = "<!-- commands -->", "<!-- /commands -->"
_TRANSCRIPT = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_COMMAND = re.compile(r'^\$ make ask Q="(.*?)"(?: \| head -(\d+))?$', re.MULTILINE)


def written(text: str, service: QuestionService) -> str:
    """Return a document with the answers of ``service`` in its transcript, and the table between its marks."""
    text = _TRANSCRIPT.sub(lambda match: transcript(match[0], service), text)
    rows = (f"| `{row.usage}` | {row.help} |" for row in TABLE)
    table = "\n".join((BEGIN, "| command | what it does |", "|---|---|", *rows, END))
    return re.sub(f"{BEGIN}.*?{END}", lambda _: table, text, flags=re.DOTALL)


def transcript(text: str, service: QuestionService) -> str:
    """Answer each question of a transcript; ``| head -N`` shows only the first N lines."""
    parts = []
    for command in _COMMAND.finditer(text):
        lines = plainly(Drawing(service.answer(Question(command[1], brief=True)))).split("\n")
        parts.append("\n".join((command[0], *lines[: int(command[2]) if command[2] else None], "")))
    return "\n".join(parts)


def main(*paths: Path) -> None:
    service = open_service(load({}, Path("no .env")))  # answers from the sample articles
    for path in paths:
        path.write_text(written(path.read_text(encoding="utf-8"), service), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
