"""Steps of Slack's workflows: a text or a question in, what the articles have out, within the rights of who asks."""

from functools import partial

import pytest

from bot import messages
from tests.adapters.slack.office import CAVEAT, CLAIM, CLAIM_ASKED, SAID, at_work, steps_in
from tests.emulators.slack import Slack

QUOTED = "Ida Roth: “forty passengers were brought ashore in lifeboats” &amp; more"
ASKER = {"person": "U1", "channel": "C1"}


@pytest.fixture
def given() -> dict[str, str]:
    return {"STET_CHANNELS": steps_in("C1", "C2")}


async def output(slack: Slack, callback_id: str, name: str = "answer", **inputs: str) -> str:
    number, _ = await slack.step(callback_id, **inputs)
    return str((await slack.until(lambda: slack.web.steps[number]))[name])


failure = partial(output, name="error")


async def test_quotations_are_checked_and_a_question_is_answered_with_its_caveat(slack: Slack) -> None:
    number, other = await slack.step("reverse_text", text=QUOTED)
    checked = await output(slack, "check_quotations", text=QUOTED, **ASKER)
    assert checked.startswith("🔸 Exact in part, the rest not checked")
    assert SAID in checked
    answer = await output(slack, "ask_archive", question=CLAIM_ASKED, **ASKER)
    assert CLAIM in answer
    assert CAVEAT in answer
    assert slack.web.messages == []
    await slack.until(lambda: other.acknowledged)
    assert slack.web.steps[number] is None  # a step of another kind is left alone


@pytest.mark.rest
async def test_a_step_is_completed_once_and_when_slack_takes_it(slack: Slack) -> None:
    await slack.fail(500, "functions.completeSuccess", times=5)
    number, answered_text = await slack.step("ask_archive", question=CLAIM_ASKED, **ASKER)
    await slack.again(answered_text)
    assert CLAIM in (await slack.until(lambda: slack.web.steps[number], 30))["answer"]
    await slack.again(answered_text)
    assert SAID in await output(slack, "check_quotations", text=QUOTED, **ASKER)


async def test_a_step_whose_answer_slack_refuses_fails(slack: Slack) -> None:
    await slack.fail(200, "functions.completeSuccess", times=1, error="parameter_validation_failed")
    assert await failure(slack, "ask_archive", question=CLAIM_ASKED, **ASKER) == messages.FAILED
    slack.web.calls.clear()  # one was refused, as it had to be


async def test_rights_are_those_of_the_person_and_the_channel_named() -> None:
    rules = steps_in("C1", "C2", more='sources = ["The Heron"]\n')
    async with at_work(STET_CHANNELS=rules, STET_PEOPLE="U1,U7") as slack:
        slack.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
        for person in ("U7", "U2"):
            answered_text = await failure(slack, "ask_archive", question=CLAIM_ASKED, person=person, channel="C1")
            assert answered_text == messages.REFUSED
        elsewhere = await output(slack, "ask_archive", question=CLAIM_ASKED, person="U1", channel="C2")
        assert CLAIM not in elsewhere


@pytest.mark.parametrize("named", [(), ("C2",)])
async def test_a_channel_that_the_rules_do_not_allow_is_not_read(named: tuple[str, ...]) -> None:
    async with at_work(STET_CHANNELS=steps_in(*named)) as slack:
        for channel in ("C1", ""):
            asked = {"person": "U1", "channel": channel}
            assert await failure(slack, "ask_archive", question=CLAIM_ASKED, **asked) == messages.STEP_REFUSED
            assert await failure(slack, "check_quotations", text=QUOTED, **asked) == messages.STEP_REFUSED
