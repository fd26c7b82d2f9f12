"""The lines of each room against `ceilings.toml`: `python -m tests.ceilings` checks, `--lower` lowers the ceilings.

A room over its ceiling fails, and so does a Python file in no room or in several. No ceiling falls below its room's
target, the size agreed for it.
"""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = "ceilings.toml"
SLACK = 1.02  # a ceiling further above its room is pointed out
LOWER = "--lower"


@dataclass(frozen=True, slots=True)
class Room:
    name: str
    ceiling: int
    lowest: int
    lines: int
    files: Sequence[str]


def main(arguments: Sequence[str], project: Path) -> int:
    """Check or lower the ceilings; 1 where a room is over its ceiling or a file isn't in exactly one room."""
    table = project / TABLE
    text = table.read_text(encoding="utf-8")
    rooms = [_room(project, name, row) for name, row in tomllib.loads(text).items()]
    if LOWER in arguments:
        for room in rooms:
            line = re.compile(rf'^("{re.escape(room.name)}" = {{ ceiling =) \d+', re.MULTILINE)
            text = line.sub(rf"\1 {min(room.ceiling, room.lowest)}", text)
        table.write_text(text, encoding="utf-8")
        return 0
    homes = Counter(file for room in rooms for file in room.files)
    faults = [
        f"{room.name}: {room.lines} lines, ceiling {room.ceiling}. Shorten it, or raise the ceiling with the reason "
        "in the commit."
        for room in rooms
        if room.lines > room.ceiling
    ]
    faults += [
        f"{file}: in {homes[file]} rooms of {TABLE}. Put it in exactly one."
        for file in _tracked(project, "**/*.py")
        if homes[file] != 1
    ]
    hints = [
        f"{room.name}: {room.lines} lines, ceiling {room.ceiling}. Lower it: python -m tests.ceilings {LOWER}"
        for room in rooms
        if room.ceiling > room.lowest * SLACK
    ]
    sys.stdout.writelines(f"{line}\n" for line in (*faults, *hints))
    return int(bool(faults))


def _room(project: Path, name: str, row: dict[str, Any]) -> Room:
    files = _tracked(project, *row.get("files", [f"{name}/**/*.py"]))
    lines = sum((project / file).read_bytes().count(b"\n") for file in files)
    return Room(name, row["ceiling"], max(lines, row.get("target", 0)), lines, files)


def _tracked(project: Path, *patterns: str) -> Sequence[str]:
    command = ["git", "--glob-pathspecs", "-C", str(project), "ls-files", "-z", "--", *patterns]
    files = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return [file for file in dict.fromkeys(files) if (project / file).is_file()]  # a conflict lists a file thrice


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path.cwd()))
