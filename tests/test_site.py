"""The documents build as a site, with every link whole, and the site loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from adapters.settings import TABLE
from adapters.terminal.cli import COMMANDS

PROJECT = Path(__file__).parents[1]

pytestmark = pytest.mark.rest


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning, such as of a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder))
    given = {**os.environ, "PYTHONPATH": str(PROJECT), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=PROJECT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_document_is_a_page_in_the_navigation(site: Path) -> None:
    documents = {path.relative_to(PROJECT / "docs") for path in (PROJECT / "docs").rglob("*.md")}
    pages = {str(path.with_suffix(".html")).replace("README", "index") for path in documents}
    linked = set(html.parse(str(site / "index.html")).xpath("//nav//a/@href"))
    assert pages | {"reference.html"} <= linked | {"index.html"}


def test_the_reference_has_every_command_setting_and_key(site: Path) -> None:
    reference = html.parse(str(site / "reference.html"))
    text = reference.getroot().text_content()
    assert [name for name in COMMANDS if f"stet {name}" not in text] == []
    assert [row.name for row in TABLE if row.name not in text] == []
    assert {"confidence", "not_found", "extracts"} <= set(reference.xpath("//td[1]/code/text()"))


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = tuple(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loaded = html.parse(str(page)).xpath("//script/@src | //link[not(@rel='canonical')]/@href | //img/@src")
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page
