"""Folders of code -> small mistakes drawn from them, and how many of these the tests notice.

``python -m tests.mutations retrieval bot`` copies the project, makes one mistake at a time in the copy, runs the tests
nearest to it, and prints which mistakes went unnoticed. The draw is the seed's: the same seed, the same mistakes.
The kinds: a rule or a word of a table is dropped, a comparison goes wrong at its edge or is turned round, a constant is
half as large again, a condition is negated, "and" is "or". Tests of timings and of the encoder are left out.

``--written`` makes those of ``mutations.toml`` instead, each tried on the tests that must notice it; ``--part 1/4``
makes a quarter of them. Its exit status is 1 where fewer than three quarters are noticed.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

PROJECT = Path(__file__).parent.parent
MIX = {"rule": 6, "comparison": 6, "constant": 6, "negation": 3, "and-or": 4, "word": 6}
WORDS = "tests/retrieval/test_words.py"
WHOLE = ("tests/test_golden_questions.py", "tests/test_seeds.py")
WRITTEN = Path(__file__).with_name("mutations.toml")
LEAST_NOTICED = 0.75
LONGEST = 600  # seconds; a mistake by which the tests never end is noticed
SKIPPED = ("not soak", "not encoder and not e5 and not in_time and not time_grows and not an_attack and not same_reply")
LINE_TABLES = {"shorthand.toml", "verbs.txt", "reporting_verbs.toml"}  # an entry is a line

_PAIRS = ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot))
_OTHER: dict[type[ast.cmpop], type[ast.cmpop]] = dict([*_PAIRS, *(pair[::-1] for pair in _PAIRS)])


@dataclass(frozen=True, slots=True)
class Mistake:
    """One that can be made; ``make`` returns the whole file with it."""

    path: Path
    line: int
    kind: str
    told: str
    make: Callable[[], str]
    tests: tuple[str, ...] = ()  # those nearest to it, unless it names its own


_Change = tuple[int, str, str, Callable[[], object]]  # line, kind and what is told; what changes the tree in place


def mistakes(path: Path) -> Iterator[Mistake]:
    if path.suffix == ".py":
        for number, (line, kind, told, _) in enumerate(_changes(ast.parse(path.read_text(encoding="utf-8")))):
            yield Mistake(path, line, kind, told, partial(_changed, path, number))
    elif path.name in LINE_TABLES or path.parent.name == "lexicon":
        yield from _dropped_entries(path)


def _changed(path: Path, number: int) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    list(_changes(tree))[number][-1]()
    return ast.unparse(ast.fix_missing_locations(tree))


def _changes(tree: ast.Module) -> Iterator[_Change]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield from _dropped_rules(statement.value)
    for node in ast.walk(tree):
        yield from _changes_of(node)


def _dropped_rules(value: ast.expr) -> Iterator[_Change]:
    for node in ast.walk(value):
        if isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1 and _are_rules(node.elts):
            for at, rule in enumerate(node.elts):
                yield rule.lineno, "rule", ast.unparse(rule)[:60], partial(node.elts.pop, at)


def _are_rules(rows: list[ast.expr]) -> bool:
    names = all(isinstance(row, ast.Name) and row.id.islower() and not hasattr(builtins, row.id) for row in rows)
    return names or all(isinstance(row, ast.Tuple) and len(row.elts) > 1 for row in rows)


def _changes_of(node: ast.AST) -> Iterator[_Change]:
    match node:
        case ast.Compare(ops=[op], lineno=line):
            other = _OTHER[type(op)]
            told = f"{ast.unparse(node)[:60]} is {other.__name__}"
            yield line, "comparison", told, partial(setattr, node, "ops", [other()])
        case ast.BoolOp(op=op, lineno=line):
            other_op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield line, "and-or", ast.unparse(node)[:60], partial(setattr, node, "op", other_op)
        case ast.If(test=test, lineno=line) | ast.IfExp(test=test, lineno=line):
            if not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
                negated = ast.UnaryOp(ast.Not(), test)
                yield line, "negation", ast.unparse(test)[:60], partial(setattr, node, "test", negated)
        case ast.Constant(value=int() | float() as value, lineno=line) if value not in (0, 1):
            larger = value * 1.5 if isinstance(value, float) else value + max(1, value // 2)
            yield line, "constant", f"{value} is {larger}", partial(setattr, node, "value", larger)
        case _:
            yield from _dropped_words(node)


def _dropped_words(node: ast.AST) -> Iterator[_Change]:
    match node:
        case (
            ast.Call(func=ast.Name(id="listed"), args=[ast.Constant(value=str()) as text])
            | ast.Call(func=ast.Attribute(value=ast.Constant(value=str()) as text, attr="split"), args=[])
        ):
            words = str(text.value).split()
            for at, word in enumerate(words):
                rest = " ".join(words[:at] + words[at + 1 :])
                yield text.lineno, "word", word, partial(setattr, text, "value", rest)
        case ast.Set(elts=elts) if len(elts) > 1 and all(isinstance(each, ast.Constant) for each in elts):
            for at, each in enumerate(elts):
                rest_of = elts[:at] + elts[at + 1 :]
                yield each.lineno, "word", ast.unparse(each), partial(setattr, node, "elts", rest_of)


def _dropped_entries(path: Path) -> Iterator[Mistake]:
    text = path.read_text(encoding="utf-8")
    bare = re.sub(r"^#.*$", lambda comment: " " * len(comment.group()), text, flags=re.MULTILINE)
    lines = (slice(*found.span()) for found in re.finditer(r"^[^\s\[].*\n", bare, re.MULTILINE))
    for place in lines if path.name in LINE_TABLES else _strings(bare):
        line = text.count("\n", 0, place.start) + 1
        yield Mistake(path, line, "word", text[place].strip(), lambda p=place: text[: p.start] + text[p.stop :])


def _strings(text: str) -> Iterator[slice]:
    """Yield the places of the words in a file's strings; of names of several words, which commas part."""
    for string in re.finditer(r'"""(.*?)"""|"([^"\n]*)"', text, re.DOTALL):
        start, held = string.start(string.lastindex or 0), string.group(string.lastindex or 0)
        for entry in re.finditer(r"[^,]+,?" if "," in held else r"\S+", held):
            yield slice(start + entry.start(), start + entry.end())


def drawn(files: list[Path], count: int, seed: int) -> list[Mistake]:
    """Return ``count`` mistakes in ``files``, of each kind its share of ``MIX`` as far as there are as many."""
    dice = random.Random(seed)  # noqa: S311 - a draw to be repeated, and no secret
    found = sorted((m for file in files for m in mistakes(file)), key=lambda m: (m.path, m.line, m.kind, m.told))
    whole = sum(MIX.values())
    taken: list[Mistake] = []
    for kind, share in MIX.items():
        same = [mistake for mistake in found if mistake.kind == kind]
        taken += dice.sample(same, min(round(count * share / whole), len(same)))
    dice.shuffle(taken)
    return taken


def notices(copy: Path, mistake: Mistake) -> bool:
    """Return whether the tests of the ``copy`` of the project fail, or never end, with ``mistake`` in it."""
    place = copy / mistake.path.relative_to(PROJECT)
    right = place.read_bytes()
    place.write_text(mistake.make(), encoding="utf-8")
    try:
        return not passes(copy, [*mistake.tests] or nearest(mistake.path))
    finally:
        place.write_bytes(right)


def passes(copy: Path, tests: list[str]) -> bool:
    """Return whether ``tests`` of the ``copy`` of the project pass, within ``LONGEST``."""
    marks, names = SKIPPED
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-m", marks, "-k", names, *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, 4, 5)  # where no test can be run or none is named so, none fails


def nearest(path: Path) -> list[str]:
    """Return the tests of the folder that the file ``path`` stands in, and those of whole readings and questions."""
    folder = Path("tests", path.relative_to(PROJECT).parent)
    words = [WORDS] if path.is_relative_to(PROJECT / "retrieval") else []
    return [test for test in (str(folder), *words, *WHOLE) if (PROJECT / test).exists()]


def written(part: str) -> list[Mistake]:
    """Return the mistakes of ``mutations.toml``, or a part of them: "1/4" is each fourth, from the first on."""
    rows = [row for room in tomllib.loads(WRITTEN.read_text(encoding="utf-8")).values() for row in room]
    number, _, parts = part.partition("/")
    return [_written(row) for row in rows[int(number) - 1 :: int(parts)]]


def _written(row: dict[str, str]) -> Mistake:
    path = PROJECT / row["file"]
    text = path.read_text(encoding="utf-8")
    is_there = text.count(row["right"]) == 1  # else the code was changed, and nobody notices a mistake that isn't made
    line = text[: max(text.find(row["right"]), 0)].count("\n") + 1
    told = f"{'' if is_there else 'NOT THERE '}{row['right'][:50]} -> {row['wrong'][:50]}"
    wrong, tests = row["wrong"] if is_there else row["right"], tuple(shlex.split(row["tests"]))
    return Mistake(path, line, "written", told, partial(text.replace, row["right"], wrong), tests)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--count", type=int, default=sum(MIX.values()))
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    found = (file for folder in chosen.folders for file in (folder.resolve(), *folder.resolve().rglob("*")))
    files = [file for file in found if file.suffix in {".py", ".toml", ".txt"}]
    noticed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        mistakes_made = written(chosen.part) if chosen.written else drawn(files, chosen.count, chosen.seed)
        tests = sorted({test for mistake in mistakes_made for test in nearest(mistake.path)})
        if not chosen.written and not passes(copy, tests):
            sys.exit("the tests fail without any mistake")
        for mistake in mistakes_made:
            found = notices(copy, mistake)
            tried[mistake.kind] += 1
            noticed[mistake.kind] += found
            where = f"{mistake.path.relative_to(PROJECT)}:{mistake.line}"
            print("noticed  " if found else "UNNOTICED", mistake.kind, where, mistake.told, flush=True)
    for kind in tried:
        print(f"{kind}: {noticed[kind]} of {tried[kind]}")
    print(f"noticed: {noticed.total()} of {tried.total()}")
    if chosen.written and noticed.total() < LEAST_NOTICED * tried.total():
        sys.exit(1)


if __name__ == "__main__":
    main()
