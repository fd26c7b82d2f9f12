"""A bench has nobody's settings and data, as a test has not."""

from tests.conftest import _nobodys_machine

__all__ = ["_nobodys_machine"]
