"""A release: its version, changes and notices; the wheel in an empty environment; the bundle and image made from it."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from mcp import Client, StdioServerParameters

from adapters import __version__
from adapters.settings import TABLE
from deploy.mcpb.__main__ import bundle
from tests.support.nightly import NIGHTLY

PROJECT = Path(__file__).parents[1]
DOCKERFILE = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
NOTICE = (PROJECT / "NOTICE").read_text(encoding="utf-8")
CHANGELOG = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
PROJECT_FILE = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = str(PROJECT / "constraints.txt")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
MOST_BYTES = 600_000_000
QUESTION = "how many people were buried in mass graves in Bucha?"
FIGURE = "280 people were buried in mass graves"


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


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True, slots=True)
class Installed:
    """A wheel, an environment with nothing but it, and the home of a user who has just got it."""

    wheel: Path
    python: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": f"{self.python.parent}:{os.environ['PATH']}", "HOME": str(self.home)}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel as the Dockerfile does, without the extras that need no test of their own."""
    place = tmp_path_factory.mktemp("installed")
    home = place / "home"
    home.mkdir()
    run(*PIP, "wheel", "--no-deps", "--wheel-dir", str(place), "--build-constraint", CONSTRAINTS, str(PROJECT))
    [wheel] = place.glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", str(place / "environment"))
    python = place / "environment" / "bin" / "python"
    target = (*PIP, "--python", str(python), "install", "--no-compile", "--constraint", CONSTRAINTS)
    if NIGHTLY:
        run(*target, f"{wheel}[mcp,page]")
    else:  # the libraries are borrowed from this environment
        run(*target, "--no-deps", str(wheel))
        [site] = python.parents[1].glob("lib/python*/site-packages")
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Installed(wheel, python, home)


def test_it_answers_from_its_samples(installed: Installed) -> None:
    stet = str(installed.python.with_name("stet"))
    assert FIGURE in run(stet, "ask", QUESTION, environment=installed.environment)


@pytest.mark.skipif(not NIGHTLY, reason="`make nightly` installs what the wheel names")
def test_nothing_is_missing_and_it_is_no_larger_than_it_says(installed: Installed) -> None:
    run(*PIP, "--python", str(installed.python), "check")
    files = (path for path in installed.python.parents[1].rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_every_extra_is_explained() -> None:
    settings = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^(\| `[^|]+\|)", settings))))
    assert explained >= set(PROJECT_FILE["project"]["optional-dependencies"])


async def test_an_assistant_starts_what_its_bundle_names(installed: Installed, tmp_path: Path) -> None:
    """By the bundle's own entry point; its uv is replaced by the environment that has what it would install."""
    with ZipFile(bundle(installed.wheel, tmp_path)) as archive:
        archive.extractall(tmp_path / "bundle")
    manifest = json.loads((tmp_path / "bundle" / "manifest.json").read_text(encoding="utf-8"))
    server = manifest["server"]
    assert server["mcp_config"]["command"] == "uv"
    assert server["entry_point"] in server["mcp_config"]["args"]
    project = tomllib.loads((tmp_path / "bundle" / "pyproject.toml").read_text(encoding="utf-8"))
    [dependency] = project["project"]["dependencies"]
    assert (tmp_path / "bundle" / project["tool"]["uv"]["sources"]["stet-newsroom"]["path"]).is_file()
    assert dependency == "stet-newsroom[mcp]"
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "pond.txt").write_text("Nine ducks crossed the road at Marsh End, the warden said.", encoding="utf-8")
    for given, words in (("${user_config.articles}", FIGURE), (str(folder), "Nine ducks")):
        command = StdioServerParameters(
            command=str(installed.python),
            args=[str(tmp_path / "bundle" / server["entry_point"]), given],
            env=installed.environment | {"STET_ENCODER": "none"},
        )
        async with Client(command) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {tool["name"] for tool in manifest["tools"]}
            question = QUESTION if words == FIGURE else "how many ducks crossed the road?"
            result = await client.call_tool("ask", {"question": question})
            assert words in str(result.structured_content)


def instructions(name: str) -> Iterator[str]:
    for line in DOCKERFILE.replace("\\\n", " ").splitlines():
        if line.startswith(f"{name} "):
            yield line.removeprefix(name).strip()


def test_the_image_is_set_up_for_a_user_without_rights() -> None:
    [settings], [user], [volume] = map(list, map(instructions, ("ENV", "USER", "VOLUME")))
    [made] = [line for line in instructions("RUN") if line.startswith("useradd")]
    assert (user, made.split()[-1]) == ("stet", "stet")
    assert f"HOME={volume}" in settings.split()
    assert set(re.findall(r"STET_\w+", settings)) <= {row.name for row in TABLE}
    [service] = yaml.safe_load((PROJECT / "compose.yml").read_text(encoding="utf-8"))["services"].values()
    assert [place.split(":")[1] for place in service["volumes"]] == [volume]
    assert {port.split(":")[2] for port in service["ports"]} == set(next(instructions("EXPOSE")).split())


def test_what_the_image_runs_becomes_healthy(installed: Installed) -> None:
    """With the image's own settings and its own check; ports apart, which may be taken here."""
    given = dict(pair.split("=", 1) for pair in next(instructions("ENV")).split() if pair.startswith("STET_"))
    ports = {"STET_HEALTH": "127.0.0.1:0", "STET_PAGE_PORT": "0"}
    page = {"STET_PAGE_URL": "http://127.0.0.1:8070", "STET_PAGE_SECRET": "long enough to be a secret"}
    [entry], [command] = (json.loads(next(instructions(name))) for name in ("ENTRYPOINT", "CMD"))
    check = json.loads(re.findall(r"CMD (\[.*\])", next(instructions("HEALTHCHECK")))[0])
    assert given["STET_HEALTH"] in check[-1]
    environment = installed.environment | given | ports | page | {"STET_ENCODER": "none"}
    with subprocess.Popen(
        [str(installed.python.with_name(entry)), command], stdout=subprocess.PIPE, text=True, env=environment, cwd="/"
    ) as process:
        try:
            assert process.stdout is not None
            told = next(line for line in process.stdout if "health ready" in line)
            [port] = re.findall(r"127\.0\.0\.1:(\d+)", told)
            run(str(installed.python), *check[1:-1], check[-1].replace("8071", port), environment=environment)
        finally:
            process.terminate()
            process.wait(30)
    assert process.returncode == 0
