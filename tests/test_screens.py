"""The pictures of the documents: what is photographed, word for word, and that the documents show them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.screens import block_kit, components
from docs.screens.__main__ import PICTURES, pages

PROJECT = Path(__file__).resolve().parent.parent
HOSTILE = "<script>alert(1)</script> & “so”"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “so”"


def test_a_quotation_and_its_caveat_are_in_the_pictures_of_both_platforms() -> None:
    """What is photographed holds the sentence, its speaker and the outlet's caveat."""
    drawn = dict(pages())
    for platform in ("slack", "discord"):
        shown = re.sub(r"<[^>]+>", "", drawn[f"{platform}-answer"])
        said = shown.index("said 2,100 of its members had stopped work.")
        assert shown.index("Not verified") < said < shown.index("Neither figure could be independently verified.")
        assert "Nothing found." in drawn[f"{platform}-nothing"]
        assert "Not sure" in drawn[f"{platform}-unsure"]
    assert "<p>/stet who Astrid Holm</p>" in drawn["slack-who"]
    assert "<p>/who Astrid Holm</p>" in drawn["discord-who"]


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_every_picture_of_a_platform_is_shown_in_its_document(platform: str) -> None:
    """A picture that is not shown, or shown and not there, is a mistake; so is one that is too heavy for a page."""
    document = (PROJECT / "docs" / f"{platform}.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]{20,}\]\(img/([^)]+)\)", document)
    assert sorted(shown) == sorted(path.name for path in PICTURES.glob(f"{platform}-*.png"))
    assert all((PICTURES / name).stat().st_size < 60_000 for name in shown)


def test_the_readme_shows_the_same_sentence_in_slack_and_in_its_article() -> None:
    """Each with the outlet's caveat; in Slack it is the first that is quoted."""
    drawn = dict(pages())
    assert "2,100 of its members" in drawn["slack-answer"].split("</blockquote>")[0]
    shown = re.findall(r"!\[[^\]]{20,}\]\(docs/img/(.+?)\.png\)", (PROJECT / "README.md").read_text(encoding="utf-8"))
    assert shown == ["slack-answer", "page-article"]
    for name in shown:
        assert (PICTURES / f"{name}.png").stat().st_size < 60_000
        assert "2,100 of its members" in drawn[name]
        assert "Neither figure could be independently verified." in drawn[name]


def test_words_for_slack_are_shown_and_not_obeyed() -> None:
    """Nothing an article says becomes a part of the page."""
    leaf = {"type": "text", "text": HOSTILE, "style": {"bold": True}}
    block = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [leaf]}]}
    assert block_kit.html([block]) == f"<blockquote><b>{ESCAPED}</b></blockquote>"


def test_words_for_discord_are_shown_and_not_obeyed() -> None:
    """Discord's marks are obeyed, escaped ones are shown, and HTML is neither."""
    text = {"type": 10, "content": f"> {HOSTILE}\n-# [a \\[b\\]](<https://a.example/>) \\*c\\* **d**"}
    assert components.html([text]) == (f"<blockquote>{ESCAPED}</blockquote><small><a>a [b]</a> *c* <b>d</b></small>")


def test_what_no_picture_is_known_of_is_refused() -> None:
    """A block that the program begins to send is not left out of the pictures unnoticed."""
    with pytest.raises(ValueError, match="Slack's image"):
        block_kit.html([{"type": "image"}])
    with pytest.raises(ValueError, match="Discord's thumbnail"):
        components.html([{"type": 11}])
