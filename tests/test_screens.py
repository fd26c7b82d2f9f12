"""The pictures of the documents: what is photographed, word for word, and that the documents show them."""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageSequence

from docs.screens import block_kit, components, demo
from docs.screens.__main__ import GAP, PICTURES, Sheet, sheets

PROJECT = Path(__file__).resolve().parent.parent
SHOWN = re.compile(r"!\[[^\]]{20,}\]\((.*?img/[^)]+)\)")
HOSTILE = "<script>alert(1)</script> & “so”"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “so”"


pytestmark = pytest.mark.rest

PLATFORMS = pytest.mark.parametrize("platform", ["slack", "discord"])


@pytest.fixture(scope="module")
def drawn() -> dict[str, Sheet]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("FORCE_HYPERLINK", "1")
        return dict(sheets())


def words(sheet: Sheet) -> str:
    return re.sub(r"<[^>]+>", "", sheet[0][0].html.partition("</style>")[2])


@PLATFORMS
def test_a_quotation_and_its_caveat_are_in_the_pictures_of_a_platform(platform: str, drawn: dict[str, Sheet]) -> None:
    """What is photographed holds the sentence, its speaker and the outlet's caveat."""
    shown = words(drawn[f"{platform}-answer"])
    said = shown.index("said 2,100 of its members had stopped work.")
    assert shown.index("Not verified") < said < shown.index("Neither figure could be independently verified.")
    assert "Nothing in the archive answers this." in words(drawn[f"{platform}-nothing"])
    assert "may not answer" in words(drawn[f"{platform}-unsure"])


def test_every_picture_is_shown_where_it_is_told_of(drawn: dict[str, Sheet]) -> None:
    documents = (*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"))
    shown = [Path(name).name for path in documents for name in SHOWN.findall(path.read_text(encoding="utf-8"))]
    assert sorted(shown) == sorted(f"{name}.png" for name in drawn) == sorted(path.name for path in PICTURES.iterdir())
    for name, sheet in drawn.items():
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
    text = demo.TRANSCRIPT.search(demo.DOCUMENT.read_text(encoding="utf-8"))
    return text[0]


def test_the_demo_takes_a_minute_and_is_of_the_run_whose_text_is_beside_it() -> None:
    assert "docs/demo.webp" in (PROJECT / "README.md").read_text(encoding="utf-8")
    assert demo.PICTURE.stat().st_size < 1_500_000
    with Image.open(demo.PICTURE) as picture:
        assert picture.info["xmp"] == hashlib.sha256(_told_of_the_demo().encode()).hexdigest().encode()
        frames = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(picture)]
    assert 45_000 <= sum(milliseconds for _, milliseconds in frames) <= 90_000
    assert all(ImageChops.difference(before, after).getbbox() for (before, _), (after, _) in pairwise(frames))


def test_the_demo_shows_what_is_printed_now(tmp_path: Path) -> None:
    """Where this fails, ``python -m docs.screens.demo`` records it again."""
    assert demo.transcript(demo.printed(str(tmp_path))) == _told_of_the_demo()
