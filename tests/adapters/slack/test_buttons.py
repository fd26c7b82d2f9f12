"""What is clicked beside an answer in Slack, and where what it brings is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.storage.store import Opinion, Store
from bot import messages
from tests.adapters.slack.office import QUESTION, SAID, answer_to, at_work, place
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import buttons, quotations, seen


async def test_an_answer_is_shared_once_with_its_question_and_its_sharer(slack: Slack) -> None:
    await slack.command("/ask", QUESTION)
    alone = (await slack.answers(1))[0]
    pressed = [await slack.click(alone["ts"], "Share to channel") for _ in range(3)]
    shared = (await slack.answers(2))[1]
    await slack.until(lambda: all(delivery.acknowledged for delivery in pressed))
    await slack.mention(QUESTION)
    assert [place(message)[2] for message in await slack.answers(3)] == [True, False, False]
    assert place(shared) == ("C1", None, False)
    assert quotations(shared) == quotations(alone)
    assert "Share to channel" not in [label for label, _, _ in buttons(shared)]
    assert seen(shared).split("\n")[:2] == ["Shared by ada", f"“{QUESTION}”"]
    assert shared["text"].startswith(f"Shared by ada\n“{QUESTION}”\n")
    assert {"delete_original": True} in slack.called("response_url")


async def test_who_may_not_ask_may_not_share(slack: Slack) -> None:
    await slack.command("/ask", QUESTION)
    alone = (await slack.answers(1))[0]
    slack.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
    refused = await answer_to(slack, await slack.click(alone["ts"], "Share to channel", user="U7"), 2)
    assert place(refused)[2]
    assert refused["text"].startswith("Sorry")


async def test_a_command_is_shared_as_a_command(slack: Slack) -> None:
    await slack.command("/who", "Ida Roth")
    alone = (await slack.answers(1))[0]
    shared = await answer_to(slack, await slack.click(alone["ts"], "Share to channel"), 2)
    assert seen(shared).split("\n")[1:3] == ["“/stet who Ida Roth”", "Ida Roth"]
    assert quotations(shared) == quotations(alone)


async def test_context_is_shown_to_who_asks_for_it(slack: Slack) -> None:
    asked = await slack.mention(QUESTION)
    answer = (await slack.answers(1))[0]
    context = await answer_to(slack, await slack.click(answer["ts"], "Context", user="U2"), 2)
    assert place(context) == ("C1", asked.payload["event"]["ts"], True)
    assert slack.called("chat.postEphemeral")[0]["user"] == "U2"
    lines = seen(context).split("\n")
    assert SAID in lines[lines.index("▸ This sentence:") :]
    assert "The ferry Solveig ran aground off the northern pier on Tuesday morning." in quotations(context)


async def test_a_copy_is_for_pasting(slack: Slack) -> None:
    await slack.command("/ask", QUESTION)
    answer = (await slack.answers(1))[0]
    copied = await answer_to(slack, await slack.click(answer["ts"], "Copy"), 2)
    assert place(copied) == ("C1", None, True)
    assert copied["blocks"][0]["elements"][0]["type"] == "rich_text_preformatted"
    assert SAID in seen(copied)


async def test_the_closest_matches_are_shown_to_whoever_presses(slack: Slack) -> None:
    asked = await slack.mention("how do I bake a banana bread at the harbour?")
    nothing = await answer_to(slack, asked)
    assert quotations(nothing) == ()
    for count, user in enumerate(("U2", "U3"), 2):
        closest = await answer_to(slack, await slack.click(nothing["ts"], messages.CLOSEST, user=user), count)
        assert place(closest) == ("C1", asked.payload["event"]["ts"], True)
        assert quotations(closest)
        assert closest["text"].startswith("This may not answer your question.")
    assert [call["user"] for call in slack.called("chat.postEphemeral")] == ["U2", "U3"]
    assert messages.CLOSEST in [label for label, _, _ in buttons(nothing)]


async def test_below_an_unsure_answer_a_button_says_how_many_more_there_are(slack: Slack) -> None:
    answer = await answer_to(slack, await slack.mention("who paid for the lifeboats?"))
    assert len(quotations(answer)) == 1
    more = await answer_to(slack, await slack.click(answer["ts"], "2 more"), 2)
    assert len(quotations(more)) == 2
    assert not set(quotations(more)) & set(quotations(answer))


async def test_more_brings_what_was_not_shown(slack: Slack) -> None:
    await slack.mention("what did the ferry, the sailor, the passengers, Ida Roth and the pilot do?")
    answer = (await slack.answers(1))[0]
    more = await answer_to(slack, await slack.click(answer["ts"], "More"), 2)
    assert place(more)[::2] == ("C1", False)
    assert not set(quotations(more)) & set(quotations(answer))
    await slack.until(lambda: "More" not in [label for label, _, _ in buttons(answer)])


async def test_more_is_brought_once_for_all(slack: Slack) -> None:
    await slack.mention("what did the ferry, the sailor, the passengers, Ida Roth and the pilot do?")
    answer = (await slack.answers(1))[0]
    entry = {**answer, "blocks": list(answer["blocks"])}
    first = await slack.click(answer["ts"], "More")
    second = await slack.press(entry, "More", "U2")
    await slack.until(lambda: first.acknowledged and second.acknowledged)
    await slack.mention(QUESTION, channel="C2")
    assert [message["channel"] for message in await slack.answers(3)] == ["C1", "C1", "C2"]


async def test_more_is_not_taken_off_while_somebody_edits_the_message(slack: Slack, tmp_path: Path) -> None:
    await slack.mention("what did the ferry, the sailor, the passengers, Ida Roth and the pilot do?")
    answer = (await slack.answers(1))[0]
    assert "More" in [label for label, _, _ in buttons(answer)]
    with Store(tmp_path / "state.sqlite") as other:
        editing = other.claim_edit("slack", "C1", answer["ts"])
        assert editing is not None
        await answer_to(slack, await slack.click(answer["ts"], "More"), 2)
        await slack.mention(QUESTION)
        await slack.answers(3)
        assert slack.called("chat.update") == []
        assert slack.called("conversations.replies") == []
        other.delete_claim(editing)
        again = other.claim_edit("slack", "C1", answer["ts"])
        assert again is not None


async def test_feedback_is_kept_and_asked_about(slack: Slack, tmp_path: Path) -> None:
    await slack.mention(QUESTION)
    answer = (await slack.answers(1))[0]
    await slack.click(answer["ts"], "Helpful", user="U2")
    await slack.click(answer["ts"], "Not right")
    view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
    sent = await slack.submit(view["id"], {"stet_reason": {"type": "plain_text_input", "value": "the wrong pier"}})
    await slack.until(lambda: sent.acknowledged)
    await answer_to(slack, await slack.mention(QUESTION), 2)
    with Store(tmp_path / "state.sqlite") as store:
        assert store.opinions(1) == (
            Opinion(1, "U1", right=False, why="the wrong pier"),
            Opinion(1, "U2", right=True),
        )
        given = store.answer(1)
    assert given is not None
    assert (given.question, given.asker, given.channel, given.platform) == (QUESTION, "U1", "C1", "slack")
    assert len(given.digests[0]) == 64


async def test_a_question_without_an_answer_is_handed_to_people_once(tmp_path: Path, shared: Path) -> None:
    async with at_work("socket", tmp_path, shared, STET_SLACK_HANDOVER="C2") as slack:
        await slack.mention("what did the zeppelin cost?")
        answer = (await slack.answers(1))[0]
        for user in ("U1", "U2"):
            await slack.click(answer["ts"], "Ask the newsroom", user=user)
        posted = (await slack.answers(2))[1]
        assert place(posted) == ("C2", None, False)
        assert "what did the zeppelin cost?" in quotations(posted)
        assert f"https://news.slack.example/C1/p{answer['thread_ts']}" in seen(posted)
        await slack.until(
            lambda: [m["text"] for m in slack.web.messages if m["ephemeral"]] == [messages.HANDED_OVER] * 2
        )
        await slack.click(posted["ts"], "Done", user="U5")
        await slack.until(lambda: "Marked as done by ada" in seen(posted))
        assert list(buttons(posted)) == []
        await slack.mention(QUESTION)
        sure = (await slack.answers(5))[4]
        assert "Ask the newsroom" not in [label for label, _, _ in buttons(sure)]
        assert [message["channel"] for message in slack.web.messages].count("C2") == 1


@pytest.mark.parametrize(("channel", "why"), [("C9", "channel_not_found"), ("C2", "not_in_channel")])
async def test_a_desk_that_cannot_be_asked_is_said_to_be_none(
    channel: str, why: str, tmp_path: Path, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_work("socket", tmp_path, shared, STET_SLACK_HANDOVER=channel) as slack:
        slack.web.channels["C2"]["is_member"] = False
        await slack.mention("what did the zeppelin cost?")
        answer = (await slack.answers(1))[0]
        for count, user in enumerate(("U1", "U2"), 2):
            await slack.click(answer["ts"], "Ask the newsroom", user=user)
            assert (await slack.answers(count))[-1]["text"] == messages.NOT_HANDED_OVER
        slack.web.channels[channel] = {"id": channel, "is_member": True}
        await slack.click(answer["ts"], "Ask the newsroom")
        posted, output = (await slack.answers(5))[3:]
        assert (posted["channel"], output["text"]) == (channel, messages.HANDED_OVER)
    logged = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert logged == [f"an answer in C1 could not be delivered: STET_SLACK_HANDOVER cannot be posted in: {why}"] * 2


async def test_without_a_desk_nobody_can_be_called(slack: Slack) -> None:
    await slack.mention("what did the zeppelin cost?")
    answer = (await slack.answers(1))[0]
    assert "Ask the newsroom" not in [label for label, _, _ in buttons(answer)]
