"""No caveat is parted from its words: in the text of every golden question's reply, and of the lists'."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bot.escaping import escape_controls
from bot.model import Card, Question
from bot.outline import notices
from tests.adapters.mcp.serving import beside
from tests.shelf import FIXTURES, SEEDS, Shelf, golden, readings, service

pytestmark = pytest.mark.rest


def objects(shown: object) -> Iterator[dict[str, Any]]:
    """Yield every object of a structure."""
    if isinstance(shown, dict):
        yield shown
    for part in shown.values() if isinstance(shown, dict) else shown if isinstance(shown, list) else ():
        yield from objects(part)


def severed(shown: object, text: str) -> Iterator[str]:
    """Yield the extracts of a structure that are not in the text with their caveats right below."""
    for extract in (each for each in objects(shown) if each.get("caveats") and "citation" in each):
        places = re.finditer(re.escape(escape_controls(extract["text"])), text)
        below = [text[place.end() :].split("\n\n", maxsplit=1)[0] for place in places]
        due = {escape_controls(each["text"]) for each in extract["caveats"]}
        yield from (extract["text"] for words in due if not any(words in each for each in below))


@pytest.mark.parametrize("shelf", [SEEDS, FIXTURES], ids=["seeds", "fixtures"])
async def test_the_text_of_a_reply_has_every_caveat_that_is_due(shelf: Shelf) -> None:
    answering, seen = service(readings(shelf)), Counter[str]()
    calls = [
        ("ask", {"question": q.question} | ({"previous": q.previous} if q.previous else {})) for q in golden(shelf)
    ]
    calls += [("unverified", {}), ("sources", {})]
    calls += [("article", {"id": reading.article.id}) for reading in readings(shelf)]
    passages = [passage for reading in readings(shelf) for passage in reading.passages]
    names = sorted({mention.name for passage in passages for mention in passage.mentions})[::3]
    speakers = sorted({passage.speaker for passage in passages if passage.speaker})
    calls += [("who", {"name": name}) for name in names] + [("said", {"name": name}) for name in speakers]
    async with beside(answering) as client:
        tools = {tool.name: Draft202012Validator(tool.output_schema) for tool in (await client.list_tools()).tools}
        for tool, given in calls:
            result = await client.call_tool(tool, given)
            printed, text = result.structured_content, result.content[0].text
            tools[tool].validate(printed)
            shown = {key: part for key, part in printed.items() if key not in ("roles", "with", "candidates")}
            assert not [*severed(shown, text)], given
            due = [row["text"] for key in ("caveats", "notices") for it in objects(shown) for row in it.get(key, ())]
            seen[tool] += len(due)
            if printed["kind"] == "entity":  # those of the sentences of its roles, which are not shown, are not due
                card = answering.command("who", given["name"], Question(""))
                assert isinstance(card, Card)
                due = [notice.text for notice in notices((*card.said, *card.about))]
            assert all(escape_controls(words) in text for words in due), given
    assert all(seen[tool] for tool in ("unverified", "article", "who", "said"))
    assert seen["ask"] > 4
