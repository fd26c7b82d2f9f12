"""The bot at work in Slack: every surface, over a socket and over HTTP, each question answered once, in its place."""

import json
import logging
import re
from itertools import product
from pathlib import Path

import pytest

from adapters.slack.blocks import PROMPTS, unescape
from adapters.slack.service import SCOPES
from adapters.storage.store import Opinion, Store
from bot import messages
from tests.adapters.slack.office import CAVEAT, CLAIM, CLAIM_ASKED, QUESTION, SAID, answer_to, at_work, place, started
from tests.emulators.slack import Slack
from tests.emulators.slack_rules import quotations, seen
from tests.emulators.slack_wire import Delivery
from tests.retrieval.intake.test_office_files import word_file
from tests.support.replies import HOSTILE
from tests.support.tables import rows


def has_words(folder: Path, words: bytes) -> bool:
    return any(words in store.read_bytes() for store in folder.rglob("*.sqlite*"))


async def test_a_mention_and_a_direct_message_are_answered_in_their_threads_after_a_status(slack: Slack) -> None:
    for count, (ask, channel) in enumerate(((slack.mention, "C1"), (slack.message, "DU1")), 1):
        asked = await ask(QUESTION)
        answer = await answer_to(slack, asked, count)
        assert place(answer) == (channel, asked.payload["event"]["ts"], False)
        assert quotations(answer)[0] == SAID
        assert SAID in unescape(answer["text"])
    methods = [call.method for call in slack.web.calls]
    assert methods.index("assistant.threads.setStatus") < methods.index("chat.postMessage")
    status, posted = slack.called("assistant.threads.setStatus")[0], slack.called("chat.postMessage")[0]
    assert (status["channel_id"], status["thread_ts"]) == ("C1", posted["thread_ts"])
    assert (posted["unfurl_links"], posted["unfurl_media"]) == (False, False)


async def test_a_group_of_people_is_a_channel(slack: Slack) -> None:
    slack.web.channels["G1"] = {"id": "G1", "is_member": True, "is_mpim": True}
    first = await slack.mention(CLAIM_ASKED, channel="G1")
    await answer_to(slack, first)
    asked = {"type": "message", "channel": "G1", "channel_type": "mpim", "user": "U1", "ts": "1790000000.000900"}
    thread = first.payload["event"]["ts"]
    await slack.event({**asked, "text": QUESTION, "thread_ts": thread})
    assert place((await slack.answers(2))[1]) == ("G1", thread, False)


async def test_without_the_optional_scopes_what_names_the_bot_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    """Once each, buttons and all; what people write to each other Slack does not send, and no log line comes twice."""
    caplog.set_level(logging.INFO)
    async with at_work() as slack:
        slack.web.scopes = SCOPES
        thread = await started(slack)
        unheard = await slack.message("and who was hurt?", channel="C1", thread_ts=thread)
        await slack.mention("and who was hurt?", thread_ts=thread)
        await slack.answers(2)
        for channel, count in (("C1", 3), ("G1", 4)):
            slack.web.channels[channel] = {"id": channel, "is_member": True}
            claim = await slack.message("the engine had failed twice", channel=channel)
            await slack.mention("is that verified?", channel=channel, thread_ts=claim.payload["event"]["ts"])
            await slack.answers(count)
        await slack.message(QUESTION)
        await slack.answers(5)
        for count, (name, text) in enumerate((("/ask", QUESTION), ("/who", "Ida Roth"), ("/stet", "sources")), 6):
            await answer_to(slack, await slack.command(name, text), count)
        await slack.click(slack.web.messages[0]["ts"], "Context")
        await slack.answers(9)
        assert unheard.sent == 0
    # Slack is asked what stands above, says that it may not, and that is all
    assert {method for method, _ in slack.refused()} == {"conversations.replies"}
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("aiohttp")]
    assert sorted(set(logged)) == sorted(logged)


HURT = "“Nobody was hurt,” Ms Roth told reporters at the pier."


async def test_neither_what_nobody_asked_the_bot_nor_what_found_nothing_is_the_question_before(slack: Slack) -> None:
    thread = await started(slack, "what did Ida Roth say?")
    await slack.message("who wrote on the chart of the estuary?", channel="C1", thread_ts=thread)
    assert quotations((await slack.answers(2))[1])[0].startswith("The pilot Nils Berg")
    await slack.mention("and what else did she say?", thread_ts=thread)
    assert quotations((await slack.answers(3))[2])[0] == HURT
    await slack.mention("what did the zeppelin cost?", thread_ts=thread)
    await slack.answers(4)
    await slack.mention("and how many passengers?", thread_ts=thread)
    assert SAID in quotations((await slack.answers(5))[4])


async def test_what_one_person_saw_alone_is_what_they_ask_about_next(slack: Slack) -> None:
    """Only they see the answer to that; for others, the thread shows what it showed."""
    thread = await started(slack, CLAIM_ASKED)
    doubtful = "and did Ms Roth say the engine had failed twice?"
    asked = ((doubtful, "U1", HURT), ("says who?", "U1", HURT), ("says who?", "U2", CLAIM))
    for count, (text, user, words) in enumerate(asked, 2):
        await slack.message(text, channel="C1", user=user, thread_ts=thread)
        answer = (await slack.answers(count))[-1]
        assert (place(answer), quotations(answer)[0]) == (("C1", thread, user == "U1"), words)


async def test_that_is_the_message_above(slack: Slack) -> None:
    claim = await slack.message("a sailor says the engine had failed twice :ship:", channel="C1")
    asked = await slack.mention("is that verified?", thread_ts=claim.payload["event"]["ts"])
    answer = await answer_to(slack, asked)
    assert CAVEAT in seen(answer)
    assert CLAIM in quotations(answer)


async def test_a_posted_file_is_proofed_for_its_poster_alone(slack: Slack, tmp_path: Path) -> None:
    draft = f"{SAID.replace('forty', 'fifty')}\n\n“Somebody was hurt,” she said."
    slack.files = {f"draft.{kind}": draft.encode() for kind in ("md", "txt", "html")}
    slack.files["draft.docx"] = word_file(draft)
    for count, (file, is_direct) in enumerate(product(list(slack.files), (True, False)), 1):
        posted = await (slack.message("", file=file) if is_direct else slack.mention("have a look", file=file))
        answer = await answer_to(slack, posted, count)
        assert answer.get("ephemeral", False) is not is_direct
        assert SAID in quotations(answer)
        assert "“forty passengers”" in answer["text"]
    assert not has_words(tmp_path, b"Somebody was hurt")


async def test_a_file_that_cannot_be_read_says_why(slack: Slack) -> None:
    unreadable = (
        ("draft.docx", b"\xd0\xcf\x11\xe0 locked", "password"),
        ("empty.txt", b" \n", "no words"),
        ("lengthy.txt", b"word " * 2_200_000, "10,000,000 bytes"),
        ("scan.pdf", b"%PDF-1.7", ".docx"),
    )
    for count, (file, content, why) in enumerate(unreadable):
        slack.files[file] = content
        shortcut = await slack.shortcut("proof_draft", "", file=file)
        assert why in (await answer_to(slack, shortcut, 2 * count + 1))["text"], file
        assert why in (await answer_to(slack, await slack.message("", file=file), 2 * count + 2))["text"], file


async def test_neither_what_people_write_to_each_other_nor_a_picture_beside_a_question_is_read(slack: Slack) -> None:
    silent = [await slack.message(QUESTION, channel="C1", thread_ts=at) for at in (None, "1700000000.000001")]
    await slack.until(lambda: all(delivery.acknowledged for delivery in silent))
    slack.files["ferry.png"] = b"\x89PNG"
    answer = await answer_to(slack, await slack.mention(QUESTION, file="ferry.png"))
    assert SAID in quotations(answer)


async def test_a_slash_command_is_answered_for_the_asker_alone(slack: Slack) -> None:
    for count, (name, text, words) in enumerate(rows(__file__, "commands"), 1):
        asked = await slack.command(name, text)
        answer = await answer_to(slack, asked, count)
        assert place(answer) == ("C1", None, True)
        assert words in quotations(answer) or answer["text"].startswith(words)
        assert not asked.response
    output = slack.web.messages[2]["text"]
    assert "/stet verify QUOTE" in output
    assert "/stet who NAME" in output
    assert "STATE" not in output
    assert set(re.findall(r"(?m)^/(\w+)", output)) == {"stet"}


async def test_a_button_that_is_stale_says_so_in_words(slack: Slack) -> None:
    answer = await answer_to(slack, await slack.mention(QUESTION))
    stale = json.loads(json.dumps(answer).replace('"context:', '"context:ffffffff.1-'))
    output = await answer_to(slack, await slack.press(stale, "Context"), 2)
    assert output["text"] in (messages.EXPIRED, messages.CHANGED)


async def test_home_says_what_is_held_and_the_messages_tab_suggests_questions(slack: Slack) -> None:
    await slack.home()
    await slack.until(lambda: slack.web.homes.get("U1"))
    shown = seen(slack.web.homes["U1"])
    assert [words for words in ("2 articles", "5 April 2025", "stored for 90 days") if words not in shown] == []
    await slack.home(tab="messages")
    await slack.until(lambda: slack.called("assistant.threads.setSuggestedPrompts"))
    assert slack.called("assistant.threads.setSuggestedPrompts") == [
        {"channel_id": "DU1", "prompts": [{"title": title, "message": asked} for title, asked in PROMPTS.items()]}
    ]


async def test_no_question_breaks_anything(slack: Slack) -> None:
    for text in (HOSTILE, "a" * 40_000, "<@U2> who? " * 100, "&amp;c", "*a", "\u202etxet"):
        before = len(slack.web.messages)
        await answer_to(slack, await slack.mention(text), before + 1)
        await answer_to(slack, await slack.command("/ask", text), before + 2)


async def test_guests_and_other_workspaces_people_are_refused_in_words(slack: Slack) -> None:
    slack.web.people |= {"U7": {"id": "U7", "is_restricted": True}, "U8": {"id": "U8", "is_stranger": True}}
    asked = [await slack.mention(QUESTION, user=user) for user in ("U7", "U8")]
    foreign = {"ts": "1700000000.000009", "user": "U5", "user_team": "T0OTHER"}
    asked.append(await slack.event({**asked[0].payload["event"], **foreign}))
    answers = await slack.answers(3)
    assert [answer["text"].startswith("Sorry, this bot only answers") for answer in answers] == [True] * 3
    await slack.command("/who", user="U7")
    view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
    offered = await slack.suggest(view["id"], "stet_name", "rot", user="U7")
    await slack.until(lambda: offered.acknowledged)
    assert offered.response == {"options": []}
    await slack.home(user="U7")
    await slack.until(lambda: slack.web.homes.get("U7"))
    assert "Sorry, this bot only answers" in seen(slack.web.homes["U7"])
    assert "Ferry" not in seen(slack.web.homes["U7"])


@pytest.mark.parametrize("given", [{"STET_SLACK_CHANNELS": "C2"}])
async def test_only_the_channels_named_are_served(slack: Slack) -> None:
    await slack.mention(QUESTION, channel="C1")
    await slack.command("/ask", QUESTION, channel="C1")
    await slack.mention(QUESTION, channel="C2")
    answers = await slack.answers(3)
    output = {(message["channel"], message["text"].startswith("Sorry")) for message in answers}
    assert output == {("C1", True), ("C2", False)}


# -- what is clicked beside an answer ---------------------------------------------------------------------------------


async def test_an_answer_is_shared_once(slack: Slack) -> None:
    alone = await answer_to(slack, await slack.command("/ask", QUESTION))
    pressed = [await slack.click(alone["ts"], "Share to channel") for _ in range(3)]
    await slack.until(lambda: len(slack.web.messages) > 1 and all(each.acknowledged for each in pressed))
    thread = (await slack.mention(QUESTION)).payload["event"]["ts"]
    await slack.until(lambda: slack.web.messages[-1]["thread_ts"] == thread)
    assert [place(message)[2] for message in slack.web.messages] == [True, False, False]
    assert {"delete_original": True} in slack.called("response_url")


async def test_more_is_brought_once_for_all(slack: Slack) -> None:
    broad = "what happened to the ferry, the passengers, the sailor and the pilot?"
    answer = await answer_to(slack, await slack.mention(broad))
    entry = {**answer, "blocks": list(answer["blocks"])}
    first = await slack.click(answer["ts"], "More")
    second = await slack.press(entry, "More", "U2")
    await slack.until(lambda: first.acknowledged and second.acknowledged)
    await slack.mention(QUESTION, channel="C2")
    assert [message["channel"] for message in await slack.answers(3)] == ["C1", "C1", "C2"]


async def test_feedback_is_kept_and_asked_about(slack: Slack) -> None:
    answer = await answer_to(slack, await slack.mention(QUESTION))
    await slack.click(answer["ts"], "Helpful", user="U2")
    await slack.click(answer["ts"], "Not right")
    view = await slack.until(lambda: next(iter(slack.web.views.values()), None))
    sent = await slack.submit(view["id"], {"stet_reason": {"type": "plain_text_input", "value": "the wrong pier"}})
    await slack.until(lambda: sent.acknowledged)
    await answer_to(slack, await slack.mention(QUESTION), 2)
    with Store("state.sqlite") as store:
        judged = [opinion for opinion, *_ in store.opinions()]
        given = store.answer(1)
    assert judged == [Opinion(1, "U1", right=False, why="the wrong pier"), Opinion(1, "U2", right=True)]
    assert (given.question, given.asker, given.channel, given.platform) == (QUESTION, "U1", "C1", "slack")
    assert len(given.digests[0]) == 64


# -- what comes without a question: cards under links, checks by reaction ---------------------------------------------


FERRY = "https://quay.example/ferry"
WITH_CARDS = pytest.mark.parametrize("given", [{"STET_UNFURL": "quay.example"}])


async def shown(slack: Slack, *unanswered: Delivery) -> list[tuple[str, str]]:
    """Return where cards stand, and under which links, once all that was told before has been dealt with."""
    await slack.until(lambda: all(delivery.acknowledged for delivery in unanswered))
    count = len(slack.web.messages)
    await slack.mention(QUESTION)
    await slack.answers(count + 1)
    return [(channel, address) for channel, _, address, _ in slack.web.unfurled]


@WITH_CARDS
async def test_a_link_gets_a_card_once_in_each_channel_and_none_from_who_may_not_ask(slack: Slack) -> None:
    slack.web.people["U7"] = {"id": "U7", "is_restricted": True, "team_id": "T0NEWS"}
    refused = ({"user": "U7"}, {"user": "U5", "user_team": "T0OTHER"}, {"source": "composer"})
    assert await shown(slack, *[await slack.link(FERRY, **by) for by in refused]) == []
    link = f"{FERRY}?utm_source=mail#photo"
    first = await slack.link(link)
    await slack.until(lambda: slack.web.unfurled)
    assert [each[:3] for each in slack.web.unfurled] == [("C1", first.payload["event"]["message_ts"], link)]
    again = [await slack.link(FERRY, user="U3"), await slack.link(FERRY, channel="C3")]
    await slack.until(lambda: len(slack.web.unfurled) == 2)
    assert await shown(slack, *again) == [("C1", link), ("C3", FERRY)]


@WITH_CARDS
async def test_a_card_that_slack_did_not_take_may_come_again(slack: Slack) -> None:
    await slack.fail(200, "chat.unfurl", times=1, error="cannot_unfurl_message")
    await slack.link(FERRY)
    await slack.until(lambda: slack.called("chat.unfurl"))
    slack.web.calls = [call for call in slack.web.calls if call.method != "chat.unfurl"]
    await slack.mention(QUESTION)
    await slack.answers(1)
    await slack.link(FERRY)
    await slack.until(lambda: slack.web.unfurled)


QUOTED = "Ida Roth: “forty passengers were brought ashore in lifeboats”"


async def written(slack: Slack, text: str = QUOTED, **where: str) -> tuple[str, str]:
    """Let a colleague write; return channel and ``ts``."""
    event = (await slack.message(text, **{"channel": "C1", "user": "U9", **where})).payload["event"]
    return event["channel"], event["ts"]


async def test_the_quotations_are_checked_where_somebody_reacts(slack: Slack) -> None:
    _, root = await written(slack, "What is known?")
    for count, (where, thread) in enumerate((({}, None), ({"thread_ts": root}, root)), 1):
        alone = await answer_to(slack, await slack.react(*await written(slack, **where), user="U2"), count)
        assert (place(alone), quotations(alone)) == (("C1", thread, True), (SAID,))
    assert [call["user"] for call in slack.called("chat.postEphemeral")] == ["U2", "U2"]


async def test_a_message_that_the_bot_may_not_read_is_said_to_be_so(slack: Slack) -> None:
    at = await written(slack)
    slack.web.scopes = tuple(scope for scope in slack.web.scopes if scope != "channels:history")
    answer = await answer_to(slack, await slack.react(*at))
    assert (place(answer), answer["text"]) == (("C1", None, True), messages.SLACK_HIDES_MESSAGE)
    slack.web.calls = [call for call in slack.web.calls if call.method != "conversations.replies"]
