"""What is clicked beside an answer in Slack, and where what it brings is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.store import Opinion, Store
from tests.adapters.slack.office import QUESTION, SAID, answer_to, place
from tests.emulators.slack import Slack
from tests.emulators.slack_reading import buttons, quotations, seen


async def test_an_answer_for_one_can_be_shared_with_all(slack: Slack) -> None:
    """The same quotation, for the whole channel, and not to be shared again."""
    await slack.command("/ask", QUESTION)
    alone = (await slack.answers(1))[0]
    shared = await answer_to(slack, await slack.click(alone["ts"], "Share to channel"), 2)
    assert place(shared) == ("C1", None, False)
    assert quotations(shared) == quotations(alone)
    assert "Share to channel" not in [label for label, _, _ in buttons(shared)]


async def test_a_command_is_shared_as_a_command(slack: Slack) -> None:
    """What was looked up with a command is looked up with it again."""
    await slack.command("/who", "Ida Roth")
    alone = (await slack.answers(1))[0]
    shared = await answer_to(slack, await slack.click(alone["ts"], "Share to channel"), 2)
    assert seen(shared).startswith("Ida Roth")
    assert quotations(shared) == quotations(alone)


async def test_context_is_shown_to_who_asks_for_it(slack: Slack) -> None:
    """In the thread, the sentences around, the one in question marked."""
    asked = await slack.mention(QUESTION)
    answer = (await slack.answers(1))[0]
    context = await answer_to(slack, await slack.click(answer["ts"], "Context", user="U2"), 2)
    assert place(context) == ("C1", asked.payload["event"]["ts"], True)
    assert slack.called("chat.postEphemeral")[0]["user"] == "U2"
    lines = seen(context).split("\n")
    assert SAID in lines[lines.index("▸ This sentence:") :]
    assert "The ferry Solveig ran aground off the northern pier on Tuesday morning." in quotations(context)


async def test_a_copy_is_for_pasting(slack: Slack) -> None:
    """The quotation with its source, as it is pasted elsewhere."""
    await slack.command("/ask", QUESTION)
    answer = (await slack.answers(1))[0]
    copied = await answer_to(slack, await slack.click(answer["ts"], "Copy"), 2)
    assert place(copied) == ("C1", None, True)
    assert copied["blocks"][0]["elements"][0]["type"] == "rich_text_preformatted"
    assert SAID in seen(copied)


async def test_more_brings_what_was_not_shown(slack: Slack) -> None:
    """In the thread, for everybody; nothing comes twice."""
    await slack.mention("what did the ferry, the sailor, the passengers, Ida Roth and the pilot do?")
    answer = (await slack.answers(1))[0]
    if "More" not in [label for label, _, _ in buttons(answer)]:
        pytest.skip("the desk has shown all there is")
    more = await answer_to(slack, await slack.click(answer["ts"], "More"), 2)
    assert place(more)[::2] == ("C1", False)
    assert not set(quotations(more)) & set(quotations(answer))


async def test_feedback_is_kept_and_asked_about(slack: Slack, tmp_path: Path) -> None:
    """Right is kept; wrong is kept, and why."""
    await slack.mention(QUESTION)
    answer = (await slack.answers(1))[0]
    await slack.click(answer["ts"], "Right", user="U2")
    await slack.click(answer["ts"], "Wrong")
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
