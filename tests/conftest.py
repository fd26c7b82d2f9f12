"""What every test may count on."""

import logging
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["tests.servers.fixtures", "tests.postgres"]

# few examples, and the same in every run, so that what is green stays green; `make nightly` draws many others
ANYWHERE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", ANYWHERE, derandomize=True, max_examples=20)
settings.register_profile("nightly", ANYWHERE, max_examples=300)
settings.load_profile("nightly" if os.environ.get("STET_TEST_RANDOM") else "steady")

NAMES = ("STET_", "SLACK_", "DISCORD_", "NO_COLOR", "FORCE_COLOR")

APART = {"browser", "cluster", "installed", "photos", "secured", "server", "website"}  # fixtures that take seconds


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks a server or a browser, which `make test-rest` runs; what takes longest begins first."""
    for item in items:
        named = set(getattr(item, "fixturenames", ()))
        if not named.isdisjoint(APART) or "postgres" in item.name.partition("[")[2]:  # asked for by a test of several
            item.add_marker(pytest.mark.rest)
    items.sort(key=lambda item: next((n for n, part in enumerate(LONGEST) if part in item.nodeid), len(LONGEST)))


# Modules of one group run in one process: what they share takes long to start, or to work out.
GROUPS = {
    "secured": ("test_secured.py", "test_nodes.py", "test_cluster.py::test_one_fills_and_another_asks"),
    "opensearch": ("opensearch/", "cluster", "archive/test_same.py", "archive/test_stateful.py"),
    "golden questions": ("test_golden_questions.py", "test_same_reply.py", "test_brevity.py"),
}

# One of these at the end would keep one process busy alone.
LONGEST = (
    *chain(*GROUPS.values()),
    *"test_clicks test_in_chromium test_release test_linear_time test_archiving test_draft_workers".split(),
    *"test_replicas test_failures test_cli test_stdio test_faults test_documents test_growth test_scripts".split(),
    *"test_contract test_guides test_snapshot test_corpus test_quotation_cases".split(),
)


class Scopes(LoadScopeScheduling):
    """A module's tests run in one process, and so do those of a group of modules."""

    def _split_scope(self, nodeid: str) -> str:
        groups = (group for group, parts in GROUPS.items() if any(part in nodeid for part in parts))
        return next(groups, None) or str(super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scopes:
    """Share the tests out to processes by ``Scopes``, in the order in which they were collected."""
    config.option.loadscopereorder = False
    return Scopes(config, log)


@pytest.fixture(autouse=True)
def _nobodys_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings, the ``.env`` and the data of whoever runs the tests out of them; words alone are compared."""
    for name in list(os.environ):
        if name.startswith(NAMES) and not name.startswith("STET_TEST_"):
            monkeypatch.delenv(name)
    for kind in ("state", "cache", "data"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / kind))
    monkeypatch.setenv("STET_ENCODER", "none")  # the models take a second to load
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _nobodys_log() -> Iterator[None]:
    """Take away what a program run in this process logs to: its standard error is closed when the test ends."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    for handler in root.handlers[:]:
        if type(handler) is logging.StreamHandler and handler not in before:
            root.removeHandler(handler)
    root.setLevel(level)
