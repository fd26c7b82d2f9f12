"""``stet check`` for Slack: each thing that can be missing, in words, and no secret among them."""

import asyncio

from adapters.settings import Fault
from adapters.slack import service as slack_service
from adapters.slack.service import OPTIONAL, UNTRIED, check
from adapters.terminal import configuration_check
from adapters.terminal.configuration_check import report
from tests.adapters.slack.office import serving, settings_for
from tests.emulators.slack import Slack
from tests.emulators.slack_web import SCOPES
from tests.support.tables import cases

EVERYBODY = "Slack: everybody in the workspace may ask: STET_SLACK_CHANNELS and STET_PEOPLE name nobody."
FINE = ("Slack: the bot is stet, in News.", "Slack: Socket Mode works, and no other process is connected.", EVERYBODY)


async def checked(slack: Slack, **changed: str) -> tuple[str, ...]:
    """Return what is said; no token is in it."""
    output = await asyncio.to_thread(check, settings_for(slack, **changed))
    assert not any(secret in line for line in output for secret in (slack.bot_token, slack.app_token))
    return output


async def reported(slack: Slack, **changed: str) -> list[str]:
    settings = settings_for(slack, **changed)
    return await asyncio.to_thread(lambda: list(report(settings)))


async def test_all_is_well(workspace: Slack) -> None:
    assert await checked(workspace) == FINE
    assert await checked(workspace, STET_SLACK_MODE="http") == (FINE[0], EVERYBODY)
    assert await checked(workspace, STET_PEOPLE="U1") == FINE[:2]
    open_to_all = await checked(workspace, STET_ALLOW_OUTSIDERS="1")
    assert open_to_all[-1].endswith("may ask: STET_ALLOW_OUTSIDERS is 1.")


@cases("changed, output")
async def test_what_is_wrong_is_said(workspace: Slack, changed: dict[str, str], output: str) -> None:
    workspace.web.channels["C2"]["is_member"] = False
    workspace.web.channels["C3"] = {"id": "C3", "is_member": True, "is_archived": True}
    assert f"Slack: {output}" in await checked(workspace, **changed)


@cases("changed, fault")
async def test_a_wrong_token_is_said_once_and_not_sent(workspace: Slack, changed: dict[str, str], fault: str) -> None:
    lines = await reported(workspace, **changed)
    assert [line for line in lines if "Slack" in line] == [f"Slack: {fault}", "Slack: see what is marked [!]."]
    assert isinstance(lines[0], Fault)
    assert not workspace.web.calls


async def test_no_more_is_asked_of_a_token_than_how_it_begins(workspace: Slack) -> None:
    rotated = {"SLACK_BOT_TOKEN": "xoxe.xoxb-1", "SLACK_APP_TOKEN": "xapp-", "SLACK_SIGNING_SECRET": "?"}
    for mode in ("socket", "http"):
        settings = settings_for(workspace, STET_SLACK_MODE=mode, **rotated)
        assert list(slack_service.token_faults(settings)) == []
    tried = await checked(workspace, SLACK_BOT_TOKEN="xoxe.xoxb-1")
    assert tried[0] == "Slack: SLACK_BOT_TOKEN: it is not valid: copy it again from OAuth & Permissions."


async def test_without_a_network_only_the_network_is_to_be_mended(workspace: Slack) -> None:
    away = {"SLACK_API_URL": "http://127.0.0.1:9/api/"}
    for more, step in (({}, "what is marked [!] could not be reached."), ({"STET_SINCE": "soon"}, "correct what")):
        lines = await reported(workspace, **away, **more)
        assert any(line.startswith(f"Next: {step}") for line in lines), lines
    unreached = "SLACK_BOT_TOKEN could not be tried: Slack cannot be reached (nobody answers there)."
    assert f"Slack: {unreached}" in lines
    assert "Slack: every token is set." not in lines


async def test_a_missing_scope_is_named(workspace: Slack) -> None:
    workspace.web.scopes = tuple(scope for scope in SCOPES if scope not in ("commands", "users:read"))
    steps = "add them under OAuth & Permissions, and install it again."
    assert (await checked(workspace))[1] == f"Slack: the bot lacks the scopes commands, users:read: {steps}"


async def test_what_is_optional_may_be_missing_and_cards_under_links_need_their_scopes(workspace: Slack) -> None:
    workspace.web.scopes = slack_service.SCOPES
    output = await checked(workspace, STET_HANDOVER="C1")
    assert not [line for line in output if isinstance(line, Fault)]
    assert output[1:3] == (
        f"Slack: the bot works without the scopes {', '.join(OPTIONAL)}; docs/slack.md says what is lost.",
        f"Slack: STET_HANDOVER: {UNTRIED.format('C1')}",
    )
    output = await checked(workspace, STET_UNFURL="post.example")
    [fault] = [line for line in output if isinstance(line, Fault)]
    assert fault.startswith("Slack: the bot lacks the scopes links:read, links:write: add them")
    assert "links:" not in "".join(line for line in output if line != fault)


async def test_the_report_asks_slack(workspace: Slack) -> None:
    output = await reported(workspace)
    at = output.index("Slack: every token is set.")
    assert tuple(output[at + 1 : at + 4]) == FINE
    calls = len(workspace.web.calls)
    lacking = await reported(workspace, SLACK_APP_TOKEN="", SLACK_BOT_TOKEN="")
    assert "Slack: not set up. Missing:" in lacking
    assert len(workspace.web.calls) == calls


async def test_slack_says_whether_the_layout_of_replies_is_valid(workspace: Slack) -> None:
    settings = settings_for(workspace)
    valid = await asyncio.to_thread(lambda: list(configuration_check.slack_says(settings)))
    assert valid == [f"Slack: the blocks of /{name} are valid." for name in ("help", "sources", "unverified")]
    await workspace.fail(200, "blocks.validate", times=1, error="invalid_blocks")
    refused, *rest = await asyncio.to_thread(lambda: list(configuration_check.slack_says(settings)))
    assert (refused, rest) == (Fault("Slack: the blocks of /help are refused: invalid_blocks."), valid[1:])
    assert not workspace.web.messages
    keyless = settings_for(workspace, SLACK_BOT_TOKEN="")
    assert list(configuration_check.slack_says(keyless)) == [Fault("--slack-blocks needs SLACK_BOT_TOKEN.")]


async def test_another_process_is_noticed(workspace: Slack) -> None:
    async with serving(workspace, settings_for(workspace)):
        assert (await checked(workspace))[1] == (
            "Slack: Socket Mode works, but 1 more connected with this token: each gets only a part of the questions."
        )
