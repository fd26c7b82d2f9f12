"""The quotations of a pasted text: each is marked in it with its verdict, and shown beside what the articles have."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import html

from adapters.page.addresses import EVERYTHING
from adapters.page.checks import MAX_QUOTATIONS, check_text
from adapters.storage.store import Store
from bot.model import Question, Verdict
from bot.service import QuestionService
from retrieval import Kind
from retrieval.limits import MESSAGE
from tests.adapters.page.drawn import parsed, squashed
from tests.adapters.page.serving import PASSES, browser
from tests.adapters.page.test_app import FERRY_PATH
from tests.shelf import FIXTURES, SEEDS, readings, service as over
from tests.stock import service

QUOTED = re.compile(r"“([^“”]{40,400})[,.]”")
TEXT = (
    "The ferry lay on the rocks.\n\n"
    "“Nobody was at the wheel,” said Marta Lindqvist. *“Somebody was at the wheel,”* she said later.\n\n"
    "An officer spoke of “fine weather and calm seas all week” & <b>left</b>."
)


@dataclass(frozen=True, slots=True)
class Said:
    """A quotation of an article, with the full name of who says it there, "" where there is none."""

    words: str
    speaker: str
    article: str


def said() -> Iterator[Said]:
    """Yield the longer quotations of the sample articles that are within one sentence."""
    for reading in (*readings(FIXTURES), *readings(SEEDS)):
        people = {m.name for p in reading.passages for m in p.mentions if m.kind is Kind.PERSON and " " in m.name}
        for passage in reading.passages:
            for match in QUOTED.finditer(passage.sentence.span.of(reading.article.text)):
                words = " ".join(match[1].split())
                if len(words.split()) >= 9 and not re.search(r"[-–—:.!?;'‘’]", words):
                    name = passage.speaker if passage.speaker in people else ""
                    yield Said(words, name or "", reading.article.id)


def made(chance: random.Random) -> Iterator[tuple[str, Verdict]]:
    """Yield sentences without end that quote, each with what is right of its quotation."""
    every = tuple(said())
    named = tuple(each for each in every if each.speaker)
    while True:
        one, other, by = chance.choice(every), chance.choice(every), chance.choice(named)
        words = one.words.split()
        yield f"The paper had it: “{one.words}.”", Verdict.EXACT
        yield f"“{by.words},” said {by.speaker}.", Verdict.EXACT
        yield (
            chance.choice(("_“{}.”_ So it ran.", "“*{}.*” So it ran.", "**“{}”** was all.")).format(one.words),
            (Verdict.EXACT),
        )
        place = chance.randrange(2, len(words) - 2)
        altered = [*words[:place], "marzipan", *words[place + 1 :]]
        yield f"It was “{' '.join(altered)},” they were told.", Verdict.ALTERED
        if other.article != one.article:
            tail = other.words.split()[-5:]
            yield f"“{' '.join((*words[:5], *tail))},” it went.", Verdict.STITCHED
        third = chance.choice(named)
        if third.article != by.article and third.speaker.split()[-1] != by.speaker.split()[-1]:
            yield f"“{by.words},” said {third.speaker}.", Verdict.MISATTRIBUTED
            yield f"*{third.speaker}*: _“{by.words}.”_", Verdict.MISATTRIBUTED
        beast = chance.choice(("walruses", "teapots", "zeppelins"))
        yield f"“Purple {beast} juggle marmalade beneath velvet pyramids,” a clown said.", Verdict.ABSENT


@pytest.mark.rest
def test_of_two_hundred_made_quotations_every_verdict_is_right() -> None:
    answering = over((*readings(FIXTURES), *readings(SEEDS)))
    cases = [case for case, _ in zip(made(random.Random(29)), range(210), strict=False)]  # noqa: S311
    assert {verdict for _, verdict in cases} == {*Verdict} - {Verdict.PARTIAL}
    for start in range(0, len(cases), 7):
        article = cases[start : start + 7]
        text = "\n\n".join(sentence for sentence, _ in article)
        found = check_text(answering, text, Question(""))
        got = [(each.pasted, each.check.verdict) for each in found.quotations]
        wanted = [(re.search("“[^”]*”", sentence)[0], verdict) for sentence, verdict in article]  # type: ignore[index]
        assert got == wanted
        assert "".join(p if isinstance(p, str) else p.pasted for p in found.pieces) == text


async def posted(answering: QuestionService, text: str, store: Store | None = None) -> html.HtmlElement:
    async with browser(answering, store=store) as client:
        return parsed(await client.post("/verify", data={"text": text.replace("\n", "\r\n")}))


async def test_a_text_is_shown_with_every_quotation_marked(tmp_path: Path) -> None:
    with Store(tmp_path / "state.sqlite") as store:
        page = await posted(service(), TEXT, store)
        kept = [store.answer(number) for number in (1, 2, 3)]
    assert [given.question for given in kept if given] == [  # what is absent shows nothing of any article
        "/verify “Nobody was at the wheel,” — Marta Lindqvist",
        "/verify “Somebody was at the wheel,”",
    ]
    marks = page.xpath("//mark")
    assert [m.xpath("string(a)") for m in marks] == [
        "1: ⚠️ Exact · not verified",
        "2: ✏️ Altered · not verified",
        "3: ❌ Absent",
    ]
    assert [m.get("class") for m in marks] == ["verdict unverified", "verdict altered", "verdict absent"]
    (pasted,) = page.xpath("//section[@class='pasted']")
    for link in pasted.xpath(".//a"):
        assert page.get_element_by_id(link.get("href")[1:]).tag == "h2"
        link.getparent().text = link.getparent().text.removesuffix(" ")
        link.drop_tree()
    assert pasted.text_content() == TEXT
    assert page.xpath("//textarea")[0].value.removeprefix("\n") == TEXT
    assert squashed(page.xpath("//main/p[starts-with(@class, 'message')]")[0]) == (
        "3 quotations checked: 1 altered, 1 absent, 1 exact · not verified."
        " Words outside the quotations were not compared."
    )
    assert "[+Somebody+] was at the wheel" in squashed(page.xpath("//section[h2[@id='quotation-2']]")[0])
    assert all(FERRY_PATH in a for a in page.xpath("//figcaption//a[@class='opens']/@href"))


async def test_a_quotation_that_is_checked_again_is_stored_once(tmp_path: Path) -> None:
    answering, text = service(), "“Nobody was at the wheel,” he said.\n\n" * MAX_QUOTATIONS
    with Store(tmp_path / "state.sqlite") as store:
        async with browser(answering, store=store) as client:
            for _ in range(2):
                page = parsed(await client.post("/verify", data={"text": text}))
                assert len(page.xpath("//mark")) == MAX_QUOTATIONS
        assert len(store.last_answers(500)) == 1


async def test_a_text_without_quotations_says_so() -> None:
    page = await posted(service(), "The ferry lay on the rocks.")
    assert page.xpath("//mark") == []
    assert "quotation marks" in squashed(page.xpath("//main/p[starts-with(@class, 'message')]")[0])
    assert page.xpath("//textarea")[0].value.removeprefix("\n") == "The ferry lay on the rocks."


async def test_a_text_that_is_too_long_is_refused() -> None:
    async with browser(service()) as client:
        for text in ("a" * (MESSAGE + 1), "“" * MESSAGE * 2):
            response = await client.post("/verify", data={"text": text})
            assert response.status_code == 413
            assert "longer than 40,000 characters" in response.text
        assert (await client.post("/verify", data={"text": "“" * MESSAGE})).status_code == 200


def test_quotations_beyond_the_limit_are_counted() -> None:
    found = check_text(service(), "“Nobody was at the wheel.” " * (MAX_QUOTATIONS + 2), Question(""))
    assert found.message == (
        f"{MAX_QUOTATIONS} quotations checked: {MAX_QUOTATIONS} exact · not verified, 2 not checked."
        " Words outside the quotations were not compared."
    )


async def test_it_takes_a_pass_for_everything() -> None:
    async with browser(service(), PASSES) as client:
        assert (await client.post("/verify", data={"text": TEXT})).status_code == 403
        given = {"pass": PASSES.issue(EVERYTHING)}
        (address,) = parsed(await client.get("/verify", params=given)).xpath("//form[@method='post']/@action")
        assert parsed(await client.post(address, data={"text": TEXT})).xpath("//mark")
