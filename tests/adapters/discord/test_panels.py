"""What Discord is shown: within the limits, nothing cut, nothing severed, nobody pinged; words as they stand."""

import json
import re
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from adapters.chat.parts import TOO_LONG
from adapters.discord import panels
from adapters.discord.panels import LEFT_OUT, Panel, arrange, compose, draw, escape, quotation
from adapters.discord.requests import Act, custom_id
from bot import messages, sentence_links, source_lines
from bot.escaping import escape_controls
from bot.model import Answer, Clipping, Extract, Listing, Message, Reply, Section
from bot.outline import notices, outline, quoted_parts, shows_caveat
from bot.verdicts import Lead
from tests.emulators import discord_rules as rules
from tests.support.nightly import examples
from tests.support.replies import extract, replies, texts
from tests.support.tables import cases

NOBODY = {"parse": []}
many = settings(
    max_examples=examples(20, 100),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # making such a reply smaller takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

Payload = dict[str, Any]


def _payload(reply: Reply) -> Payload:
    view = compose(draw(reply, 7))
    return {"flags": 1 << 15, "components": view.to_components(), "allowed_mentions": NOBODY}


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _words(body: Payload) -> list[str]:
    return [c["content"] for c in rules.walk(body["components"]) if c["type"] == rules.TEXT]


@given(reply=replies)
@many
def test_any_reply_is_within_the_limits_and_shows_quotations_whole_with_all_that_belongs_to_them(reply: Reply) -> None:
    arranged = arrange(reply)
    body = _payload(reply)
    assert list(rules.sent_problems(body)) == []
    assert rules.pings(body) == ()
    shown = _extracts(arranged)
    quoted = reply.extracts if isinstance(reply, Clipping) else outline(reply).extracts
    order = [next(n for n, e in enumerate(quoted) if e is each) for each in shown]
    assert order == sorted(order)
    sent = "\n".join(_words(body))
    for panel in arranged:
        assert panel.text in sent
        for each in _extracts([panel]) if not isinstance(reply, Clipping) else ():  # whose text has it all
            _assert_nothing_severed(panel.text, each)
    if len(shown) < len(quoted):
        assert LEFT_OUT.partition(":")[0] in sent or TOO_LONG in sent
    articles = {part.citation.article_id for extract in shown for part in quoted_parts(extract)}
    for notice in set(notices(shown)) & set(notices(outline(reply).extracts)):
        there = escape(notice.text) in sent or any(shows_caveat(extract, notice) for extract in shown)
        assert there or notice.citation.article_id not in articles


def _extracts(arranged: Iterable[Panel]) -> list[Extract]:
    return [extract for panel in arranged for _, quotation in panel.quotations for extract in quotation]


def _assert_nothing_severed(text: str, shown: Extract) -> None:
    lines = [_unescaped(line) for line in text.split("\n")]
    assert f"> {escape_controls(shown.text)}" in lines
    source = panels.one_line(source_lines.source(shown.citation))
    assert escape_controls(source) in _unescaped(text).replace("\u200b", "")
    before = shown.before.caveats if shown.before else ()
    for caveat in (*before, *shown.caveats):
        assert any(line.endswith(escape_controls(caveat.text)) for line in lines)


def test_a_heading_goes_with_the_last_of_what_stood_under_it() -> None:
    listing = Listing("All", (Section("Said", (extract("x" * 3000),)), Section("Said of them", (extract("y" * 3000),))))
    arranged = arrange(listing)
    assert [p.text.partition("\n")[0] for p in arranged] == ["**All**", "**Said**", LEFT_OUT.format(1)]


def test_what_can_be_done_fits_custom_ids_and_options() -> None:
    assert max(len(custom_id(act, "0" * sentence_links.LENGTH)) for act in Act) <= 100
    many = Answer(tuple(replace(extract("The river rose."), index=n) for n in range(20)))
    assert list(rules.sent_problems(_payload(many))) == []
    parts = list(rules.walk(_payload(many)["components"]))
    assert sum(part["type"] == rules.ROW for part in parts) == 2
    assert [option["label"] for part in parts for option in part.get("options", ())][-1] == "Copy 12"


def test_words_of_the_bot_that_are_too_long_are_cut_into_pieces_that_fit() -> None:
    body = _payload(Message("\n".join(f"/command{n} does *something* useful with words" for n in range(400))))
    assert list(rules.sent_problems(body)) == []
    assert _words(body)[-1].startswith(LEFT_OUT.partition(":")[0])


def test_every_verdict_has_its_colour() -> None:
    assert set(panels.VERDICTS) == set(Lead)
    assert len({hue.value for hue in panels.VERDICTS.values()}) == len(Lead)


@cases("text, shown")
def test_what_is_to_be_copied_is_shown_as_code(text: str, shown: str) -> None:
    [panel] = arrange(Clipping(text, "text", (extract(text),)))
    assert panel.text == shown
    [panel] = arrange(Clipping(text, "text", (extract(text, caveat="Nobody saw it."),)))
    assert panel.text == f"**{messages.UNVERIFIED}**\n{shown}"
    assert panels.colour((panel,)) == panels.WARNING


def test_the_form_asks_one_thing_and_is_within_the_limits() -> None:
    body = panels.form("17").to_dict()
    assert list(rules.modal_problems(body)) == []
    assert body["custom_id"] == "stet:why:17"
    fields = [c for c in rules.walk(json.loads(json.dumps(body))["components"]) if c["type"] == 4]
    assert [(f["custom_id"], f["required"]) for f in fields] == [("reason", False)]


@given(text=texts)
@settings(deadline=None)
def test_unescaping_a_quotation_gives_the_words_back(text: str) -> None:
    assert _unescaped(escape(text)) == escape_controls(text)
    assert _unescaped(quotation(text).removeprefix("> ")) == escape_controls(text)


@cases("text, shown")
def test_marks_are_escaped_and_nothing_else(text: str, shown: str) -> None:
    assert escape(text) == shown


@cases("address, shown")
def test_only_an_address_that_a_browser_opens_becomes_a_link(address: str | None, shown: str) -> None:
    assert panels.linked("[Live] River *rises*", address) == shown


def test_brackets_without_end_are_escaped_in_no_time() -> None:
    """Forty thousand of them took seconds, in which nobody was answered."""
    began = time.process_time()
    assert escape("[" * 40_000) == "[" * 40_000
    assert time.process_time() - began < 1
