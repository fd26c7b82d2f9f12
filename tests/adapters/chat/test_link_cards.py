"""Cards under links to articles, the same cases in Slack and on Discord."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.model import Article
from tests.adapters.press_room import CRANE, MILL, QUAY, press_room

BOTH = pytest.mark.parametrize("platform", ["slack", "discord"])
UNFURL = "post.example,bell.example"


@BOTH
async def test_an_article_gets_no_second_card_in_an_hour_in_one_channel(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_UNFURL=UNFURL) as (room, _):
        await room.link(QUAY.url or "")
        assert "Crane falls at Tollen quay" in room.card()
        for again in (f"{QUAY.url}/", "http://www.post.example/quay"):
            await room.post_link(again)
        await room.link(MILL.url or "")
        assert room.cards() == 2
        assert "Dockers rest at Oster mill" in room.card()


@BOTH
async def test_a_card_has_the_articles_caveats(platform: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_UNFURL=UNFURL) as (room, archived):
        caveat = "His account could not be independently verified."
        text = f"A diver said the wreck had moved. {caveat}"
        archived.put(
            Article("wreck", text, source="The Tollen Post", title="A *wreck*", url="https://post.example/wreck")
        )
        await room.link("https://post.example/wreck")
        assert room.card().split("\n") == ["A *wreck*", "The Tollen Post", f"The outlet could not verify: “{caveat}”"]


@BOTH
@pytest.mark.parametrize("start", ["http://", "https://www.", "http://WWW."])
async def test_an_article_is_known_by_other_spellings_of_its_address(platform: str, start: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_UNFURL="https://post.example/") as (room, _):
        await room.link(f"{start}post.example/quay/#photo")
        assert "Crane falls at Tollen quay" in room.card()


@BOTH
@pytest.mark.parametrize(
    ("unfurl", "address"),
    [
        ("", "https://post.example/quay"),
        ("bell.example", "https://post.example/quay"),
        ("post.example", "https://notpost.example/quay"),
        ("post.example", "https://post.example/unknown"),
    ],
)
async def test_no_other_link_gets_a_card(platform: str, unfurl: str, address: str, tmp_path: Path) -> None:
    async with press_room(platform, tmp_path, STET_UNFURL=unfurl) as (room, _):
        await room.post_link(address)
        await room.ask(CRANE)
        assert room.cards() == 0
