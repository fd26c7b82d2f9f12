"""A package -> its functions that keep what they return for more arguments than memory should hold."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType

MOST = 1 << 18  # results of one function; a word takes about 100 bytes, so this is some 25 MB


def unbounded(package: ModuleType) -> list[str]:
    """Return the names of functions with arguments whose results are kept without end, or beyond ``MOST``."""
    return [name for name, function, most in _keeping(package) if _takes(function) and (most is None or most > MOST)]


def _keeping(package: ModuleType) -> Iterator[tuple[str, Callable[..., object], int | None]]:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        for name, held in vars(import_module(found.name)).items():
            if hasattr(held, "cache_parameters") and held.__module__ == found.name:
                yield f"{found.name}.{name}", held, held.cache_parameters()["maxsize"]


def _takes(function: Callable[..., object]) -> bool:
    return bool(inspect.signature(function).parameters)
