"""How long tests that could go on for ever do: briefly in CI, longer in `make nightly`."""

import os

NIGHTLY = bool(os.environ.get("STET_TEST_RANDOM"))


def examples(few: int, many: int) -> int:
    """Return how many examples are tried, or each how manyth is: ``few`` in CI, ``many`` in `make nightly`."""
    return many if NIGHTLY else few
