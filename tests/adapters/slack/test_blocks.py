"""The drawing for Slack: within the limits whatever comes, to the character, each quotation with its caveat.

Also the Home tab, the modals, and the manifest that the app is made from.
"""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.chat.parts import TOO_LONG, shorten
from adapters.slack import blocks
from adapters.slack.blocks import SlackDrawing, draw, escape, linked, marked, plain, unescape
from adapters.slack.requests import CHECK_QUOTE, PROOF, STEPS
from adapters.slack.service import OPTIONAL, SCOPES
from bot import messages, source_lines
from bot.escaping import escape_controls
from bot.model import Answer, Clipping, Reply
from bot.outline import outline
from tests.emulators.slack_rules import buttons, pinged, quotations, refuse, refuse_message, refuse_view, seen
from tests.support.nightly import examples
from tests.support.replies import CAVEAT, CITATION, EXTRACT, HOSTILE, replies

TEXT = "“Forty people were brought ashore & <counted>,” Ida Roth said."
CITED = "The Quay · Ferry aground off the northern pier · 4 March 2025"
UNVERIFIED = "⚠️ Not verified"
LABEL = "In the outlet's words: "


def payload(drawing: SlackDrawing) -> dict[str, object]:
    return {"text": drawing.text, "blocks": list(drawing.blocks)}


def governed(drawing: SlackDrawing) -> list[tuple[str, list[str]]]:
    """Return each quotation with the caveats under it, in their marks; each says on how many of those above it is.

    Above one that has any stands the label, and above no other.
    """
    found: list[tuple[str, list[str]]] = []
    labelled: list[bool] = []
    above, is_left_out = "", False
    for block in drawing.blocks:
        paragraphs = block["elements"] if block["type"] == "rich_text" else ()
        above = block["text"]["text"].strip("*") if block["type"] == "section" else above
        for paragraph in paragraphs:
            leaves = [leaf["text"] for leaf in paragraph["elements"]]
            if paragraph["type"] == "rich_text_quote":
                found.append((leaves[0], []))
                labelled.append(above.endswith(UNVERIFIED))
                is_left_out = False
            is_left_out = is_left_out or leaves[0] == TOO_LONG
            for number in range(1, len(found) + 1):
                if not is_left_out and leaves[0] == f"{messages.caveat_intro(number)} ":
                    for _, caveats in found[-number:]:
                        caveats.append(leaves[1])
            above = leaves[0]
    assert labelled == [bool(caveats) for _, caveats in found]
    return found


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(20, 100))
@given(reply=replies)
def test_any_reply_is_within_the_limits_and_keeps_its_caveats(reply: Reply) -> None:
    drawing = draw(reply, 7, shareable=True)
    sent = payload(drawing)
    assert list(refuse_message(sent)) == []
    assert pinged(sent) == ()
    quoted = [reply.extract] if isinstance(reply, Clipping) else [*outline(reply).extracts]
    extracts = quoted + [extract.before for extract in quoted if extract.before]
    due = [(escape_controls(e.text), [escape_controls(marked(caveat.text)) for caveat in e.caveats]) for e in extracts]
    output = unescape(drawing.text)
    for quotation, caveats in governed(drawing):
        assert (quotation, caveats) in due
        assert all(words in output for words in (quotation, *caveats))
    if isinstance(reply, Answer):
        source = escape_controls(source_lines.source(reply.extracts[0].citation).strip()[:200].strip())
        assert source in seen(sent)
        assert source in output


def test_hostile_words_arrive_as_they_are() -> None:
    cited = replace(CITATION, title=HOSTILE, source=HOSTILE, url="javascript:alert(1)")
    caveat = replace(CAVEAT, text=HOSTILE)
    extract = replace(EXTRACT, text=HOSTILE, speaker=HOSTILE, citation=cited, caveats=(caveat,))
    sent = payload(draw(Answer((extract,), message=HOSTILE)))
    shown = HOSTILE.replace("\u202e", r"\x202e").replace("\u202c", r"\x202c")
    assert quotations(sent) == (shown,)
    assert pinged(sent) == ()
    assert seen(sent).count(shown) == 6
    assert unescape(str(sent["text"])).count(shown) == 6
    assert '"mrkdwn"' not in json.dumps(sent)
    assert '"link"' not in json.dumps(sent)


def test_further_extracts_go_first_and_whole() -> None:
    many = tuple(replace(EXTRACT, text=f"{number} " + "word " * 200, index=2 * number) for number in range(20))
    sent = payload(draw(Answer(many, more="aa1c390e.12"), 1))
    shown = quotations(sent)
    assert shown == tuple(extract.text for extract in many[: len(shown)])
    assert 5 < len(shown) < 20
    assert f"There is more than Slack shows in one message: {20 - len(shown)} left out." in seen(sent)
    assert seen(sent).count(CAVEAT.text) == len(shown)
    assert [label for label, _, _ in buttons(sent)][-3:] == ["More", "Helpful", "Not right"]


def test_an_endless_sentence_is_not_cut() -> None:
    sent = payload(draw(Answer((replace(EXTRACT, text="word " * 8_000),))))
    assert quotations(sent) == ()
    caveat = "“The Quay could not verify the count.”"
    assert seen(sent).split("\n") == [UNVERIFIED, TOO_LONG, CITED, LABEL, caveat, "Context", "Copy"]


def test_words_in_plain_text_are_in_quotation_marks_once() -> None:
    bare = ("It rose.", "“It rose.”", "It rose.”", "“It rose.")
    assert {marked(text) for text in bare} == {"“It rose.”"}
    for text in ("“It rose,” she said, “and fell.”", "The “quay” sank."):
        assert marked(text) == f"‘{text}’"


@pytest.mark.parametrize("text", ["a & b", "&amp;", "<!here>", "a > b", "&lt;&gt;&amp;lt;"])
def test_escaping_is_undone_exactly(text: str) -> None:
    assert unescape(escape(text)) == text


def test_what_is_the_bots_own_is_cut_with_a_mark() -> None:
    assert shorten("a word too many", 10) == "a word to…"
    assert shorten("a word", 10) == "a word"
    assert plain("x" * 80)["text"] == "x" * 74 + "…"


@pytest.mark.parametrize(
    "url", [None, "", "javascript:alert(1)", "https://a b", "https://a|b", "https://a/" + "x" * 3000]
)
def test_only_an_address_that_can_be_followed_is_a_link(url: str | None) -> None:
    assert linked("here", url) == {"type": "text", "text": "here"}
    assert linked("here", "https://a.example/b?c&d")["type"] == "link"


# -- the Home tab, modals and the manifest ---------------------------------------------------------------------------


MANIFEST = Path(__file__).parents[3] / "slack-manifest.json"


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(10, 50))
@given(holds=replies)
def test_home_is_within_the_limits_whatever_is_held(holds: Reply) -> None:
    view = blocks.home(holds, 90)
    assert list(refuse_view(view)) == []
    assert list(buttons(view)) == []


@pytest.mark.parametrize("view", [blocks.name_picker("C1", "http://r/" + "x" * 200), blocks.why_form(12)])
def test_modals_are_as_slack_wants_them(view: dict[str, object]) -> None:
    assert list(refuse_view(view)) == []


def test_names_are_offered_whole() -> None:
    offered = blocks.name_options(["Ida Roth", "x" * 151, "", HOSTILE, *(f"name {number}" for number in range(200))])
    assert list(refuse("options", offered)) == []
    assert [option["value"] for option in offered[:2]] == ["Ida Roth", HOSTILE]
    assert len(offered) == 100


@pytest.mark.parametrize(("written", "entry"), [("wrong pier ", "wrong pier"), ("  ", None), (None, None)])
def test_a_reason_may_be_left_empty(written: str | None, entry: str | None) -> None:
    assert blocks.given_reason({"state": {"values": {"stet_reason": {"stet_reason": {"value": written}}}}}) == entry


def manifest() -> dict[str, dict[str, object]]:
    return dict(json.loads(MANIFEST.read_text()))


def test_the_manifest_names_what_the_bot_listens_to() -> None:
    features, scopes = manifest()["features"], manifest()["oauth_config"]["scopes"]
    assert [command["command"] for command in features["slash_commands"]] == ["/stet", "/ask", "/who"]  # type: ignore[attr-defined]
    assert [shortcut["callback_id"] for shortcut in features["shortcuts"]] == [CHECK_QUOTE, PROOF]  # type: ignore[attr-defined]
    assert features["agent_view"]["suggested_prompts"] == [  # type: ignore[index]
        {"title": title, "message": asked} for title, asked in blocks.PROMPTS.items()
    ]
    assert scopes == {"bot": sorted((*SCOPES, *OPTIONAL)), "bot_optional": list(OPTIONAL)}
    events = "app_home_opened app_mention app_uninstalled link_shared reaction_added tokens_revoked".split()
    events += [f"message.{kind}" for kind in ("channels", "groups", "im", "mpim")]
    assert manifest()["settings"]["event_subscriptions"] == {"bot_events": sorted(events)}


def with_steps() -> dict[str, dict[str, object]]:
    whole, steps = manifest(), json.loads((MANIFEST.parent / "slack-workflow-steps.json").read_text())
    events = whole["settings"].pop("event_subscriptions")["bot_events"]  # type: ignore[index]
    added = steps["settings"].pop("event_subscriptions")["bot_events"]
    settings = whole["settings"] | steps["settings"] | {"event_subscriptions": {"bot_events": [*events, *added]}}
    return whole | {"functions": steps["functions"], "settings": settings}


def test_the_guide_opens_with_a_link_for_each_manifest() -> None:
    guide = (MANIFEST.parent / "docs" / "slack.md").read_text(encoding="utf-8")
    links = re.findall(r"\((https://api\.slack\.com/apps\?new_app=1\S+)\)", guide)
    opened = [json.loads(dict(parse_qsl(urlsplit(each).query))["manifest_json"]) for each in links]
    assert opened == [manifest(), with_steps()]
    assert len(links[0]) <= 3_500


def test_the_steps_of_the_manifest_are_those_that_are_answered() -> None:
    functions = with_steps()["functions"]
    output = {
        name: (set(each["input_parameters"]["properties"]), set(each["output_parameters"]["properties"]))  # type: ignore[index]
        for name, each in functions.items()
    }
    assert output == {name: ({given, "person", "channel"}, {"answer"}) for name, (_, given) in STEPS.items()}


def test_the_manifest_is_one_of_slacks() -> None:
    if "STET_TEST_SHARED" not in os.environ:
        pytest.skip("STET_TEST_SHARED is not set")
    from jsonschema.validators import validator_for  # noqa: PLC0415  (slow to load, and needed here only)

    schema = json.loads((Path(os.environ["STET_TEST_SHARED"]) / "data" / "slack_manifest_schema.json").read_text())
    whole, less = manifest(), manifest()
    less["features"]["slash_commands"] = whole["features"]["slash_commands"][:1]  # type: ignore[index]
    validator = validator_for(schema)(schema)
    assert [error.message for one in (whole, less, with_steps()) for error in validator.iter_errors(one)] == []
