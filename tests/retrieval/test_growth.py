"""What reading costs grows as the article does, counted by lines of the program that run; its caches are bounded."""

import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from string import ascii_lowercase
from types import FrameType

import pytest

from retrieval.caveats import scope
from retrieval.model import Article
from retrieval.models.caveat_model import CaveatModel
from retrieval.pipeline import read_one
from tests.support.nightly import NIGHTLY

READING = str(Path(__file__).parents[2] / "retrieval")
SENTENCES = 30 if NIGHTLY else 20
MANY_TIMES = 4
LINEAR = 1.3  # times the lines that so many times the sentences take: that which is quadratic takes four
FEW = 500  # lines, of which it is no matter
NEAR, FITTING = 6, 100  # sentences on either side, and tokens, that a window may have: so many are soon there

# "%s" is a name that no other sentence has.
UNITS = (
    "“No,” he said. ¦He denied it. ¦The mayor said no. ¦A line of text here\n¦Ann Smith, ¦Ann %s came. %s said no. ¦"
    "Mayor Ann %s came. The mayor said no. ¦Ann %s, a mayor, said no. The mayor said no. ¦"
    "A source close to %s said no. ¦Police have not confirmed the report. ¦"
    "The Star could not verify the claim. He declined to comment. ¦"
    "The Star could not verify footage of %s. The footage shows a boat. ¦Ann Bell BellFerry sinks MORE (D) said. "
).split("¦")

Trace = Callable[[FrameType, str, object], object]


def _lines_run(text: str) -> Counter[str]:
    """Return how many lines of each module run while a text is read."""
    lines: Counter[str] = Counter()

    def within(frame: FrameType, event: str, _: object) -> Trace:
        lines[frame.f_code.co_filename] += event == "line"
        return within

    def entered(frame: FrameType, _event: str, _: object) -> Trace | None:
        return within if frame.f_code.co_filename.startswith(READING) else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        read_one(Article("a", text))
    finally:
        sys.settrace(before)
    return lines


def _text(unit: str, sentences: int) -> str:
    names = (f"Q{''.join(ascii_lowercase[n // 26**k % 26] for k in range(3))}" for n in count())
    return "".join(unit.replace("%s", name) for name in islice(names, sentences))


@pytest.mark.rest
@pytest.mark.parametrize("unit", UNITS)
def test_no_module_runs_more_lines_a_sentence_in_a_longer_article(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "REACH", NEAR)
    monkeypatch.setitem(CaveatModel.guess.__kwdefaults__, "most", FITTING)
    _lines_run(_text(unit, 2))  # what is looked up once is kept
    short, long = (_lines_run(_text(unit, SENTENCES * times)) for times in (1, MANY_TIMES))
    most = {module: LINEAR * MANY_TIMES * short[module] + FEW for module in long}
    grown = {Path(module).name: (short[module], lines) for module, lines in long.items() if lines > most[module]}
    assert not grown


MOST_RESULTS = 1 << 18  # of one function; a word takes about 100 bytes, so this is some 25 MB


def caches(package: str) -> Iterator[tuple[str, Callable[..., object], int | None]]:
    """Yield the functions whose results are cached, by name, with the most results."""
    for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        for name, value in vars(import_module(module.name)).items():
            if hasattr(value, "cache_parameters") and value.__module__ == module.name:
                yield f"{module.name}.{name}", value, value.cache_parameters()["maxsize"]


@pytest.mark.parametrize("package", ["retrieval.text", "retrieval.names"])
def test_caches_of_words_are_bounded(package: str) -> None:
    found = {name: most for name, function, most in caches(package) if inspect.signature(function).parameters}
    assert found
    assert [name for name, most in found.items() if most is None or most > MOST_RESULTS] == []
