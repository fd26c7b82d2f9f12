"""What several tests stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

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
