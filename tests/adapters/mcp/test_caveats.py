"""No caveat is parted from its words: in the text of every golden question's reply, and of the lists'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator

from bot.escaping import escape_controls
from bot.evaluation.golden import squash
from bot.model import Card, Question
from bot.notices import notices
from tests.adapters.mcp.serving import beside
from tests.shelf import FIXTURES, SEEDS, Shelf, golden, readings, service

pytestmark = pytest.mark.rest


def caveats(shown: object) -> Iterator[str]:
    if isinstance(shown, dict):
        yield from (each["text"] for key in ("caveats", "notices") for each in shown.get(key, ()))
        for part in shown.values():
            yield from caveats(part)
    elif isinstance(shown, list):
        for part in shown:
            yield from caveats(part)


def severed(shown: object, text: str) -> list[str]:
    """Return the extracts of a structure that are not in the text with their caveats right below."""
    if isinstance(shown, list):
        return [words for part in shown for words in severed(part, text)]
    if not isinstance(shown, dict):
        return []
    found = [words for part in shown.values() for words in severed(part, text)]
    if shown.get("caveats") and "citation" in shown:
        below = text.partition(escape_controls(shown["text"]))[2].split("\n\n")[0]
        found += [shown["text"] for each in shown["caveats"] if escape_controls(each["text"]) not in below]
    return found


@pytest.mark.parametrize("shelf", [SEEDS, FIXTURES], ids=["seeds", "fixtures"])
async def test_the_text_of_an_answer_has_every_caveat_that_is_due(shelf: Shelf) -> None:
    shown = 0
    async with beside(service(readings(shelf))) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        fits = Draft202012Validator(tools["ask"].output_schema)
        for each in golden(shelf):
            given = {"question": each.question} | ({"previous": each.previous} if each.previous else {})
            result = await client.call_tool("ask", given)
            printed, text = result.structured_content, result.content[0].text
            fits.validate(printed)
            assert all(escape_controls(words) in text for words in caveats(printed)), each.id
            assert not severed(printed, text), each.id
            quoted = ((e["citation"]["article_id"], e["text"]) for e in printed["extracts"])
            if each.caveat and any(each.is_answered_by(*place) for place in quoted):
                assert squash(each.caveat) in squash(text), each.id
                shown += 1
    assert shown > 4


@pytest.mark.parametrize("shelf", [SEEDS, FIXTURES], ids=["seeds", "fixtures"])
async def test_the_text_of_a_list_has_every_caveat_that_is_due(shelf: Shelf) -> None:
    answering = service(readings(shelf))
    calls = [("unverified", {}), ("sources", {})]
    calls += [("article", {"id": reading.article.id}) for reading in readings(shelf)]
    passages = [passage for reading in readings(shelf) for passage in reading.passages]
    names = sorted({mention.name for passage in passages for mention in passage.mentions})[::3]
    speakers = sorted({passage.speaker for passage in passages if passage.speaker})
    calls += [("who", {"name": name}) for name in names] + [("said", {"name": name}) for name in speakers]
    seen = Counter[str]()
    async with beside(answering) as client:
        tools = {tool.name: Draft202012Validator(tool.output_schema) for tool in (await client.list_tools()).tools}
        for tool, given in calls:
            result = await client.call_tool(tool, given)
            printed, text = result.structured_content, result.content[0].text
            tools[tool].validate(printed)
            shown = {key: part for key, part in printed.items() if key not in ("roles", "with", "candidates")}
            assert not severed(shown, text), given
            seen[tool] += len(list(caveats(shown)))
            due = [notice["text"] for notice in shown.get("notices", ())]
            if printed["kind"] == "entity":  # those of the sentences of its roles, which are not shown, are not due
                card = answering.command("who", given["name"], Question(""))
                assert isinstance(card, Card)
                due = [notice.text for notice in notices((*card.said, *card.about))]
            assert all(escape_controls(words) in text for words in due), given
    assert all(seen[tool] for tool in ("unverified", "article", "who", "said"))
