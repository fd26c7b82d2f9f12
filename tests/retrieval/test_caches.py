from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest

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
