"""The command reference in the README, written from the desk's table: ``make readme`` runs this."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bot.commands import TABLE

BEGIN, END = "<!-- commands -->", "<!-- /commands -->"


def reference() -> str:
    """Return the table of commands in Markdown."""
    rows = (f"| `{row.usage}` | {row.help} |" for row in TABLE)
    return "\n".join(("| command | what it does |", "|---|---|", *rows))


def written(text: str) -> str:
    """Return ``text`` with the reference between its marks."""
    return re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n{reference()}\n{END}", text, flags=re.DOTALL)


def main(path: Path) -> None:
    """Write the reference into the file at ``path``."""
    path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
