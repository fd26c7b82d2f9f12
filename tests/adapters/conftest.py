"""What several tests stand on."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.storage.store import Store
from tests.stock import BRIDGE, FERRY


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of two articles."""
    place = tmp_path / "articles"
    place.mkdir()
    for article in (FERRY, BRIDGE):
        (place / article.id).write_text(article.text, encoding="utf-8")
    (place / "articles.toml").write_text('["ferry.txt"]\nsource = "The Sandholm Echo"\n', encoding="utf-8")
    return place


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Give a state with a fact in it that the test, no longer root, may read and not write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "stet.sqlite"
        with Store(path) as store:
            store.save_fact("commands", "abc")
        path.chmod(0o444)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield path
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)
