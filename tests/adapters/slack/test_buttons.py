"""What is clicked beside an answer in Slack, and where what it brings is shown."""

from __future__ import annotations

from pathlib import Path

from adapters.storage.store import Opinion, Store
from tests.adapters.slack.office import QUESTION, SAID, answer_to, place
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import buttons, quotations, seen

BROAD = "what did the ferry, the sailor, the passengers, Ida Roth and the pilot do?"


async def test_an_answer_is_shared_once_with_its_question_and_its_sharer(slack: Slack) -> None:
    alone = await answer_to(slack, await slack.command("/ask", QUESTION))
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
    alone = await answer_to(slack, await slack.command("/ask", QUESTION))
    slack.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
    refused = await answer_to(slack, await slack.click(alone["ts"], "Share to channel", user="U7"), 2)
    assert place(refused)[2]
    assert refused["text"].startswith("Sorry")


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
    answer = await answer_to(slack, await slack.command("/ask", QUESTION))
    copied = await answer_to(slack, await slack.click(answer["ts"], "Copy"), 2)
    assert place(copied) == ("C1", None, True)
    assert copied["blocks"][0]["elements"][0]["type"] == "rich_text_preformatted"
    assert SAID in seen(copied)


async def test_more_is_brought_once_for_all(slack: Slack) -> None:
    answer = await answer_to(slack, await slack.mention(BROAD))
    entry = {**answer, "blocks": list(answer["blocks"])}
    first = await slack.click(answer["ts"], "More")
    second = await slack.press(entry, "More", "U2")
    await slack.until(lambda: first.acknowledged and second.acknowledged)
    await slack.mention(QUESTION, channel="C2")
    assert [message["channel"] for message in await slack.answers(3)] == ["C1", "C1", "C2"]


async def test_feedback_is_kept_and_asked_about(slack: Slack, tmp_path: Path) -> None:
    answer = await answer_to(slack, await slack.mention(QUESTION))
    await slack.click(answer["ts"], "Helpful", user="U2")
    await slack.click(answer["ts"], "Not right")
    view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
    sent = await slack.submit(view["id"], {"stet_reason": {"type": "plain_text_input", "value": "the wrong pier"}})
    await slack.until(lambda: sent.acknowledged)
    await answer_to(slack, await slack.mention(QUESTION), 2)
    with Store(tmp_path / "state.sqlite") as store:
        assert store.opinions(1) == (Opinion(1, "U1", right=False, why="the wrong pier"), Opinion(1, "U2", right=True))
        given = store.answer(1)
    assert (given.question, given.asker, given.channel, given.platform) == (QUESTION, "U1", "C1", "slack")
    assert len(given.digests[0]) == 64
