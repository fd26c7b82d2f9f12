"""Home, name picker, the question why; and the manifest that the app is made from."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.slack.blocks import PROMPTS, given_reason, home, name_options, name_picker, why_form
from adapters.slack.requests import CHECK_QUOTE, PROOF, STEPS
from adapters.slack.service import OPTIONAL, SCOPES
from bot.model import Reply
from tests.emulators.slack_rules import buttons, refuse_options, refuse_view
from tests.support.nightly import examples
from tests.support.replies import HOSTILE, replies

MANIFEST = Path(__file__).parents[3] / "slack-manifest.json"


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(10, 50))
@given(holds=replies)
def test_home_is_within_the_limits_whatever_is_held(holds: Reply) -> None:
    view = home(holds, 90)
    assert list(refuse_view(view)) == []
    assert list(buttons(view)) == []


@pytest.mark.parametrize("view", [name_picker("C1", "http://r/" + "x" * 200), why_form(12)])
def test_modals_are_as_slack_wants_them(view: dict[str, object]) -> None:
    assert list(refuse_view(view)) == []


def test_names_are_offered_whole() -> None:
    offered = name_options(["Ida Roth", "x" * 151, "", HOSTILE, *(f"name {number}" for number in range(200))])
    assert list(refuse_options(offered)) == []
    assert [option["value"] for option in offered[:2]] == ["Ida Roth", HOSTILE]
    assert len(offered) == 100


@pytest.mark.parametrize(("written", "entry"), [("wrong pier ", "wrong pier"), ("  ", None), (None, None)])
def test_a_reason_may_be_left_empty(written: str | None, entry: str | None) -> None:
    assert given_reason({"state": {"values": {"stet_reason": {"stet_reason": {"value": written}}}}}) == entry


def manifest() -> dict[str, dict[str, object]]:
    return dict(json.loads(MANIFEST.read_text()))


def test_the_manifest_names_what_the_bot_listens_to() -> None:
    features, scopes = manifest()["features"], manifest()["oauth_config"]["scopes"]
    assert [command["command"] for command in features["slash_commands"]] == ["/stet", "/ask", "/who"]  # type: ignore[attr-defined]
    assert [shortcut["callback_id"] for shortcut in features["shortcuts"]] == [CHECK_QUOTE, PROOF]  # type: ignore[attr-defined]
    assert features["agent_view"]["suggested_prompts"] == [  # type: ignore[index]
        {"title": title, "message": asked} for title, asked in PROMPTS.items()
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
