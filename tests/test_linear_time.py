"""No regular expression and no hostile text takes more than linear time: both are timed on whatever repeats."""

import re
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import adapters
import bot
import retrieval
from bot.command import Library
from bot.commands.proof import proof
from bot.commands.verify import check
from bot.errors import DraftError
from retrieval import MESSAGE, Article, open_archive, read_one
from tests.support.nightly import NIGHTLY, examples

pytestmark = pytest.mark.rest

SHORT, LONG = (10_000, 20_000) if NIGHTLY else (5_000, 10_000)  # characters
SECONDS = 0.15  # for the long run
GROWTH = 3.2  # times as long for twice the characters: what is quadratic takes four times
NOISE = 0.005  # seconds, of which it is no matter
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
USED = {name: (method, most) for name, method, most in TABLE["used"]}
_WORDS = re.compile(r"[A-Za-z]{3,12}")
_USE = r"\b{}\.(match|fullmatch|search|finditer|findall|sub|subn|split)\b"


def modules() -> Iterator[ModuleType]:
    for package in (retrieval, bot, adapters):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                yield import_module(module.name)


def patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, Mapping | tuple | list | set | frozenset):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from patterns_in(part)


def methods_of(name: str, module: ModuleType, everything: str) -> frozenset[str]:
    """Return how a pattern is used: where that is not to be seen, it may begin anywhere."""
    text = Path(str(module.__file__)).read_text(encoding="utf-8") if name.startswith("_") else everything
    used = {"finditer" if use not in {"match", "fullmatch"} else use for use in re.findall(_USE.format(name), text)}
    return frozenset(used or {"finditer"})


@cache
def every_pattern() -> dict[re.Pattern[str], tuple[str, frozenset[str]]]:
    loaded = [*modules()]
    everything = "\n".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in loaded)
    found: dict[re.Pattern[str], tuple[str, frozenset[str]]] = {}
    for module in loaded:
        for name, value in vars(module).items():
            for pattern in patterns_in(value):
                where = f"{module.__name__}.{name}"
                methods = frozenset((USED[where][0],)) if where in USED else methods_of(name, module, everything)
                found.setdefault(pattern, (where, methods))
    return found


def seconds(pattern: re.Pattern[str], method: str, text: str) -> float:
    read: Callable[[str], object] = getattr(pattern, method)
    start = time.process_time()
    found = read(text)
    if method == "finditer" and isinstance(found, Iterable):
        for _ in found:
            pass
    return time.process_time() - start


def is_linear(pattern: re.Pattern[str], method: str, unit: str, most: int = LONG) -> bool:
    """Return whether a run takes little time, and twice as long a one about twice the time; a suspicion is repeated."""
    short, long = ((unit * (most // len(unit) + 1))[: most * part // LONG] + "\x01" for part in (SHORT, LONG))
    # a start that is quadratic is told from a slow one before it takes minutes
    if seconds(pattern, method, long[: most // 16]) > SECONDS:
        return False
    for _ in range(3):
        took = seconds(pattern, method, long)
        if took < NOISE:
            return True
        if took < SECONDS and took < GROWTH * min(seconds(pattern, method, short) for _ in range(2)):
            return True
    return False


def test_every_pattern_is_linear() -> None:
    slow = [
        f"{name} {method} {unit!r}"
        for pattern, (name, methods) in every_pattern().items()
        for method in sorted(methods)
        for unit in dict.fromkeys(
            (*TABLE["runs"][:: examples(8, 1)], *(f"{word} " for word in _WORDS.findall(pattern.pattern)[:6]))
        )
        if not is_linear(pattern, method, unit, USED.get(name, ("", LONG))[1])
    ]
    assert not slow


@pytest.mark.parametrize(("pattern", "unit"), [(r"\S.*?(?=\s*\Z|\n\n)", " "), (r"([a-z]+)-", "a")])
def test_a_pattern_that_is_quadratic_is_found(pattern: str, unit: str) -> None:
    compiled = re.compile(pattern)
    assert not is_linear(compiled, "finditer", "x" + unit * LONG)


def test_the_patterns_of_all_packages_are_timed() -> None:
    names = {name for name, _ in every_pattern().values()}
    assert {"retrieval.text.quotations._LINE", "bot.commands.verify._BEHIND", "adapters.settings.TOKEN"} <= names
    assert set(USED) <= names


# -- texts -------------------------------------------------------------------------------------------------------------


PART = 1 if NIGHTLY else 3  # of the longest texts
LENGTH, ARTICLE = 100_000 // PART, 40_000 // PART  # characters
# seconds of CPU; proofing 33,000 sentences "A." takes 2.7, or 5 where others compute, too
PROOF, VERIFY, READ = 6.5 / PART, 0.8, 4.8 / PART


@pytest.fixture(scope="module")
def holdings() -> Library:
    read_one(Article("warm", "Ann Bell said the bridge would close."))
    return Library(open_archive([read_one(Article("a", "“The bridge will close for good in May,” Ann Bell said."))]))


def run(unit: str, length: int) -> str:
    return "x" + (unit * length)[: length - 2] + "x"


@pytest.mark.parametrize("unit", TABLE["texts"][:: examples(4, 1)])
def test_a_hostile_text_takes_linear_time(unit: str, holdings: Library) -> None:
    start = time.process_time()
    try:
        proof(holdings, run(unit, LENGTH))
    except DraftError as error:
        assert "quotations" in str(error)  # noqa: PT017 - others may be proofed
    proofed = time.process_time()
    check(holdings, run(unit, MESSAGE))
    verified = time.process_time()
    read_one(Article("a", run(unit, ARTICLE)))
    assert proofed - start <= PROOF
    assert verified - proofed <= VERIFY
    assert time.process_time() - verified <= READ


@pytest.mark.parametrize("unit", [".", ". ", "Senator ", "Sen a-", "Bell ", "Senator Bell "])
def test_the_office_of_who_is_claimed_is_looked_for_in_linear_time(unit: str) -> None:
    said = "“The bridge will close for good in May,” Ann Bell said.\n\nIt has been shut since the spring."
    text = f"{said} The Senate {unit * (20_000 // len(unit))}"
    library = Library(open_archive([read_one(Article("a", text))]))
    start = time.process_time()
    check(library, "Senator Ann Bell: “The bridge will close for good in May”")
    assert time.process_time() - start <= VERIFY
