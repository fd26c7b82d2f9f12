"""What a release says of itself: its version, its list of changes, and what is in its wheel."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from importlib.metadata import metadata
from pathlib import Path

import pytest

from adapters import __version__

PROJECT = Path(__file__).parents[1]
NOTICE = (PROJECT / "NOTICE").read_text(encoding="utf-8")
PROJECT_FILE = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_list_of_changes_begins_with_this_version_and_has_the_headings_that_readers_know() -> None:
    headings = re.findall(r"^## \[(.+?)\](?: - (\S+))?$", CHANGELOG, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == __version__
    days = [date.fromisoformat(day) for _, day in headings[1:]]
    assert days == sorted(days, reverse=True)
    known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for release in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        found = re.findall(r"^### (.+)$", release, re.MULTILINE)
        assert found == [name for name in known if name in found]


def test_every_package_of_the_program_is_in_the_wheel() -> None:
    """With the articles it comes with; tests and training stay in the checkout."""
    packed = PROJECT_FILE["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(PROJECT_FILE["tool"]["importlinter"]["root_packages"]) < set(packed)
    assert all((PROJECT / package).is_dir() for package in packed)


@pytest.mark.parametrize("name", sorted({*PROJECT_FILE["project"]["dependencies"]}))
def test_nothing_under_lgpl_is_installed_by_default(name: str) -> None:
    """Whoever passes Stet on in a container need not keep a library replaceable."""
    told = metadata(re.split(r"[<>=~! ]", name)[0])
    assert "LGPL" not in str(told.get("License-Expression") or told.get("License"))
    assert not [each for each in told.get_all("Classifier") or () if "Lesser General Public" in each]


def test_the_notice_names_what_answers_rest_on_credits_geonames_and_goes_along() -> None:
    told = metadata("nicknames")
    assert "Apache-2.0" in (told.get("License-Expression"), told.get("License"))
    assert re.search(r"^nicknames\b.*:.*\n    Apache-2\.0;", NOTICE, re.MULTILINE)
    assert "GeoNames" in NOTICE
    assert "CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)" in NOTICE
    assert PROJECT_FILE["project"]["license-files"] == ["LICENSE", "NOTICE"]
    assert "[NOTICE](NOTICE)" in (PROJECT / "README.md").read_text(encoding="utf-8")
