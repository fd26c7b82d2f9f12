"""Golden questions, as ``bot.golden`` reads them."""

from bot.golden import Golden, load, squash

__all__ = ["Golden", "load", "squash"]
