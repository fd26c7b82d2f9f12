"""The README and the documents say what is so: transcripts, the command reference, figures, links, pictures.

Examples of theory are run, how-tos are followed, and all is built as a site that loads nothing from elsewhere.
"""

import doctest
import hashlib
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import html
from PIL import Image, ImageChops, ImageSequence

from adapters.articles import open_service
from adapters.settings import TABLE, load
from adapters.terminal.cli import COMMANDS
from bot import messages
from docs import transcripts
from docs.screens import block_kit, components, demo
from docs.screens.__main__ import GAP, PICTURES, Sheet, sheets
from tests.shelf import put_samples

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = (*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"))
GENERATED = ("README.md", "docs/commands.md")


def console(document: str) -> str:
    return (PROJECT / document).read_text(encoding="utf-8").split("```console\n")[1].split("```")[0]


def test_the_transcripts_show_what_the_program_is_for_and_an_answer_that_is_not_sure() -> None:
    for shown in ("280", "— Anatoly Fedoruk", "4 April 2022", "[!] NOT VERIFIED, in the outlet's words:"):
        assert shown in console("README.md")
    sure, unsure = console("docs/commands.md").split("$ make ask")[1:]
    assert "This may not answer your question. Closest match:" not in sure
    assert "This may not answer your question. Closest match:" in unsure


def test_the_generated_parts_are_up_to_date() -> None:
    service = open_service(load({}, Path("no .env")))
    for document in GENERATED:
        text = (PROJECT / document).read_text(encoding="utf-8")
        assert transcripts.written(text, service) == text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    """To a file that is there, and to a heading in it where one is named."""
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", document.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        linked = document.parent / path if path else document
        assert linked.exists(), target
        titles = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE) if heading else [heading]
        assert heading in {title.lower().replace(" ", "-") for title in titles}, target


def test_every_figure_of_the_readme_stands_in_the_document_of_quality() -> None:
    quality = (PROJECT / "docs" / "quality.md").read_text(encoding="utf-8").splitlines()
    told = README.split("## How well\n")[1].split("## What it can't do\n")[0]
    rows = re.findall(r"^\|.*$", told, re.MULTILINE)
    assert len(rows) > 4
    assert [row for row in rows[2:] if not any(line.startswith(row) for line in quality)] == []
    timed = next(line for line in told.splitlines() if line.startswith("By words alone, a reply"))
    speed = (PROJECT / "docs" / "speed.md").read_text(encoding="utf-8").splitlines()
    measured = "".join(row for row in speed if row.startswith(("| reply | 300 |", "| reply | 4,000 |")))
    assert [figure for figure in re.findall(r"[\d.,]*\d", timed) if f"| {figure} " not in measured] == []
    speakers = next(row for row in rows if row.startswith("| the speaker beside a sentence"))
    whom, right, wrong = (re.findall(r"\d+", cell) for cell in speakers.split("|")[2:5])
    assert re.findall(r"\d+", messages.SPEAKER_ERROR) == [*whom[:1], right[0], "100", right[2], *wrong]


def test_the_readme_is_one_that_people_read() -> None:
    assert len(README.splitlines()) <= 120


def test_every_document_stands_in_the_index() -> None:
    documents = {str(path.relative_to(PROJECT / "docs")) for path in PROJECT.glob("docs/**/*.md")} - {"README.md"}
    index = (PROJECT / "docs" / "README.md").read_text(encoding="utf-8")
    assert documents == set(re.findall(r"^\| \[.+?\]\((.+?)\)", index, re.MULTILINE))


def test_no_document_and_no_hint_of_the_programs_own_installs_a_strangers_program() -> None:
    """On the package index "stet" is somebody else's; whoever follows a document gets what lies beside it."""
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"(?:pip|pipx|uv)[^\n]*?install[^\n]*?\bstet\b(?!-newsroom)[^\n]*", text) == [], path
    for path in (PROJECT / "adapters").rglob("*.py"):
        assert not re.search(r"install '?stet\b", path.read_text(encoding="utf-8")), path


THEORY = {path.name: path.read_text(encoding="utf-8") for path in sorted(PROJECT.glob("docs/theory/*.md"))}
SECTIONS = ("Theory of operation", "An example", "What it cannot do")


@pytest.mark.parametrize("name", THEORY)
def test_the_example_of_a_theory_is_what_the_program_does(name: str) -> None:
    page = doctest.DocTestParser().get_doctest(THEORY[name], {}, name, name, 0)
    differing: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(page, out=differing.append)
    assert not outcome.failed, "".join(differing)
    assert any(example.want for example in page.examples)


def test_five_pages_say_how_why_and_what_they_cannot() -> None:
    assert len(THEORY) == 5
    for name, page in THEORY.items():
        lines = [line.removeprefix("## ") for line in page.splitlines()]
        assert any("->" in line for line in lines[:3]), name
        assert tuple(line for line in lines if line in SECTIONS) == SECTIONS, name


HOW_TOS = sorted(PROJECT.glob("docs/how-to/*.md"))
BLOCK = re.compile(r'(?ms)^```(?:text title="(?P<file>[^"]+)"|(?P<console>console))\n(?P<body>.*?)^```$')
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.mark.soak
@pytest.mark.parametrize("page", HOW_TOS, ids=lambda page: page.stem)
def test_a_how_to_leads_where_it_says(page: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "stet"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m adapters "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    given = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path), "PYTHONPATH": str(PROJECT)}
    followed = 0
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["file"]:
            (tmp_path / block["file"]).parent.mkdir(exist_ok=True)
            (tmp_path / block["file"]).write_text(block["body"], encoding="utf-8")
            continue
        for command, expected in COMMAND.findall(block["body"]):
            done = subprocess.run(
                ["/bin/sh", "-ec", command], capture_output=True, text=True, env=given, cwd=tmp_path, check=False
            )
            printed = " ".join((done.stdout + done.stderr).split())
            wanted = ".*".join(map(re.escape, expected.strip().split("…")))
            assert done.returncode == 0, printed
            assert re.fullmatch(wanted, printed), f"$ {command}\n{printed}"
            followed += 1
    assert followed > 1


@pytest.fixture(scope="module")
def website(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning, such as of a link that leads nowhere, is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder))
    given = {**os.environ, "PYTHONPATH": str(PROJECT), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=PROJECT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_document_is_a_page_in_the_navigation(website: Path) -> None:
    documents = {path.relative_to(PROJECT / "docs") for path in (PROJECT / "docs").rglob("*.md")}
    pages = {str(path.with_suffix(".html")).replace("README", "index") for path in documents}
    linked = set(html.parse(str(website / "index.html")).xpath("//nav//a/@href"))
    assert pages | {"reference.html"} <= linked | {"index.html"}


def test_the_reference_has_every_command_setting_and_key(website: Path) -> None:
    reference = html.parse(str(website / "reference.html"))
    text = reference.getroot().text_content()
    assert [name for name in COMMANDS if f"stet {name}" not in text] == []
    assert [row.name for row in TABLE if row.name not in text] == []
    assert {"confidence", "not_found", "extracts"} <= set(reference.xpath("//td[1]/code/text()"))


def test_no_page_loads_anything_from_elsewhere(website: Path) -> None:
    pages = tuple(website.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loaded = html.parse(str(page)).xpath("//script/@src | //link[not(@rel='canonical')]/@href | //img/@src")
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page


# -- pictures ----------------------------------------------------------------------------------------------------------

SHOWN = re.compile(r"!\[[^\]]{20,}\]\((.*?img/[^)]+)\)")
HOSTILE = "<script>alert(1)</script> & “so”"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “so”"


@pytest.fixture(scope="module")
def photos() -> dict[str, Sheet]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("FORCE_HYPERLINK", "1")
        return dict(sheets())


def words(sheet: Sheet) -> str:
    return re.sub(r"<[^>]+>", "", sheet[0][0].html.partition("</style>")[2])


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_a_quotation_and_its_caveat_are_in_the_pictures_of_a_platform(platform: str, photos: dict[str, Sheet]) -> None:
    """What is photographed holds the sentence, its speaker and the outlet's caveat."""
    shown = words(photos[f"{platform}-answer"])
    said = shown.index("said 2,100 of its members had stopped work.")
    assert shown.index("Not verified") < said < shown.index("Neither figure could be independently verified.")
    assert "Nothing in the archive answers this." in words(photos[f"{platform}-nothing"])
    assert "may not answer" in words(photos[f"{platform}-unsure"])


def test_every_picture_is_shown_where_it_is_told_of(photos: dict[str, Sheet]) -> None:
    documents = (*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"))
    shown = [Path(name).name for path in documents for name in SHOWN.findall(path.read_text(encoding="utf-8"))]
    assert sorted(shown) == sorted(f"{name}.png" for name in photos) == sorted(path.name for path in PICTURES.iterdir())
    for name, sheet in photos.items():
        with Image.open(PICTURES / f"{name}.png") as picture:
            assert picture.width == max(sum(shot.width for shot in row) + GAP * (len(row) - 1) for row in sheet)
    sizes = [path.stat().st_size for path in PICTURES.iterdir()]
    assert max(sizes) < 250_000
    assert sum(sizes) < 900_000


def test_words_for_slack_are_shown_and_not_obeyed() -> None:
    leaf = {"type": "text", "text": HOSTILE, "style": {"bold": True}}
    block = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [leaf]}]}
    assert block_kit.html([block]) == f"<blockquote><b>{ESCAPED}</b></blockquote>"


def test_words_for_discord_are_shown_and_not_obeyed() -> None:
    text = {"type": 10, "content": f"> {HOSTILE}\n-# [a \\[b\\]](<https://a.example/>) \\*c\\* **d**"}
    assert components.html([text]) == (f"<blockquote>{ESCAPED}</blockquote><small><a>a [b]</a> *c* <b>d</b></small>")


def test_what_no_picture_is_known_of_is_refused() -> None:
    """A block that the program begins to send is not left out of the pictures unnoticed."""
    with pytest.raises(ValueError, match="Slack's image"):
        block_kit.html([{"type": "image"}])
    with pytest.raises(ValueError, match="Discord's thumbnail"):
        components.html([{"type": 11}])


def _told_of_the_demo() -> str:
    return demo.TRANSCRIPT.search(demo.DOCUMENT.read_text(encoding="utf-8"))[0]


@pytest.mark.rest
def test_the_demo_takes_a_minute_and_is_of_the_run_whose_text_is_beside_it() -> None:
    assert "docs/demo.webp" in (PROJECT / "README.md").read_text(encoding="utf-8")
    assert demo.PICTURE.stat().st_size < 1_500_000
    with Image.open(demo.PICTURE) as picture:
        assert picture.info["xmp"] == hashlib.sha256(_told_of_the_demo().encode()).hexdigest().encode()
        frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(picture)]
    assert 45_000 <= sum(milliseconds for _, milliseconds in frames) <= 90_000
    assert all(ImageChops.difference(before, after).getbbox() for (before, _), (after, _) in pairwise(frames))


@pytest.mark.rest
def test_the_demo_shows_what_is_printed_now(tmp_path: Path) -> None:
    """Where this fails, ``python -m docs.screens.demo`` records it again."""
    put_samples(tmp_path / ".cache")
    assert demo.transcript(demo.printed(str(tmp_path))) == _told_of_the_demo()
