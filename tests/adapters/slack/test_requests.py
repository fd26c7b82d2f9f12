"""What Slack sends, read: who asks what, where the answer goes, and under which names it may come again."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.slack.requests import Answered, SlackRequest, asked, everything, keys, question, written
from tests.emulators import slack_payloads as payloads
from tests.support.tables import cases

COMMANDS = ("who", "verify", "help")
BOT = payloads.BOT_USER


def read(body: dict[str, Any], bot: str | None = BOT) -> SlackRequest | None:
    return asked(body, AsyncBoltRequest(body=body, mode="socket_mode").context, bot, COMMANDS)


def event(**changed: Any) -> dict[str, Any]:  # noqa: ANN401  (as Slack's events are)
    """Return a direct message as delivered, with something changed; what is changed to nothing is left out."""
    inner = {**payloads.message("how many?", channel="DU1"), "ts": "1.1", **changed}
    return payloads.event({name: value for name, value in inner.items() if value is not None}, "Ev1")


WRITTEN = SlackRequest("how many?", "U1", "DU1", payloads.TEAM, thread="1.1", team=payloads.TEAM, origin="1.1")


def test_a_mention_is_a_question_without_the_name() -> None:
    body = payloads.event({**payloads.mention("how many? <b> & c"), "ts": "1.1"})
    for bot in (BOT, None):
        assert read(body, bot) == replace(WRITTEN, text="how many? <b> & c", channel="C1")
    body = payloads.event(body["event"] | {"text": "<@UX> who is <@U2>?"}, authorizations=[])
    found = read(body, None)
    assert found.text == "who is ?"


def test_a_message_is_a_question_to_the_bot_itself_or_where_the_bot_takes_part() -> None:
    assert read(event()) == WRITTEN
    assert read(event(thread_ts="1.0")) == replace(WRITTEN, thread="1.0", within=True)
    found = read(event(channel="C1", channel_type="channel", thread_ts="1.0"))
    assert found == replace(WRITTEN, channel="C1", thread="1.0", within=True, unasked=True)
    assert read(event(channel="C1", channel_type="channel")) is None
    assert read(event(channel="C1", channel_type="channel", thread_ts="1.0", text=f"<@{BOT}> how many?")) is None


NOBODYS = ({"bot_id": "B1"}, {"user": None}, {"user": BOT}, {"text": ""}, {"type": "reaction_added"})


@pytest.mark.parametrize("changed", [*NOBODYS, {"subtype": "message_changed"}, {"subtype": "channel_join"}])
def test_what_nobody_asks_is_not_read(changed: dict[str, Any]) -> None:
    assert read(event(**changed)) is None


ALONE = SlackRequest(
    "", "U1", "C1", payloads.TEAM, team=payloads.TEAM, answered=Answered.RESPONSE, response_url="http://r", name="ada"
)


@pytest.mark.parametrize("kind", ["app_mention", "message"])
@cases("outer, inner, team, enterprise")
def test_from_where_somebody_comes_is_what_slack_says_of_the_person(
    kind: str, outer: dict[str, Any], inner: dict[str, Any], team: str | None, enterprise: str
) -> None:
    """In a channel of two firms the event's own team may be either; the bot's workspace is the authorization's."""
    channel = {"channel": "DU1"} if kind == "message" else {"channel": "C1", "channel_type": None}
    body = event(type=kind, **channel, **inner)
    found = read(body | outer)
    assert (found.workspace, found.enterprise) == (payloads.TEAM, enterprise)
    assert team is None or found.team == team


@cases("name, text, command, argument")
def test_a_slash_command_is_a_question_or_a_command(name: str, text: str, command: str, argument: str) -> None:
    body = payloads.command(name, "", "http://r") | {"text": text}
    assert read(body) == replace(ALONE, text=argument, command=command)


def test_the_shortcut_verifies_the_message() -> None:
    at = payloads.message("x", channel="C1") | {"text": "“so” &amp; <https://a.example|there>"}
    found = read(payloads.shortcut("check_quote", at, "http://r", "U1"))
    assert (found.command, found.text, found.answered) == ("verify", "“so” & there", Answered.RESPONSE)


def clicked(action: str, *, ephemeral: bool, thread: str | None = "1.0") -> SlackRequest | None:
    at = {"ts": "1.5", "channel": "C1", "ephemeral": ephemeral, "thread_ts": thread}
    return read(payloads.click(at, {"action_id": action, "value": "ab.1"}, "b0", "http://r", "U1"))


@cases("action, ephemeral, command, answered", Answered)
def test_a_button_answers_where_its_message_is(
    action: str, command: str, answered: Answered, *, ephemeral: bool
) -> None:
    found = clicked(action, ephemeral=ephemeral)
    assert (found.command, found.text, found.answered, found.channel) == (command, "ab.1", answered, "C1")
    assert found.thread == ("1.0" if answered in (Answered.THREAD, Answered.EPHEMERAL) else "")


def test_what_is_chosen_from_a_menu_is_for_whoever_chose_it() -> None:
    for command, ephemeral in product(("context", "copy"), (False, True)):
        at = {"ts": "1.5", "channel": "C1", "ephemeral": ephemeral, "thread_ts": "1.0"}
        chosen = {"action_id": "stet_menu", "selected_option": {"value": f"{command}:ab.1"}}
        found = read(payloads.click(at, chosen, "b0", "http://r", "U1"))
        answered = Answered.RESPONSE if ephemeral else Answered.EPHEMERAL
        assert (found.command, found.text, found.answered) == (command, "ab.1", answered)
    assert clicked("other", ephemeral=False) is None
    opens_a_thread = clicked("stet_more", ephemeral=False, thread=None)
    assert opens_a_thread.thread == "1.5"


def test_the_name_picker_asks_who() -> None:
    view = {"callback_id": "stet_pick", "private_metadata": '{"channel": "C1", "response_url": "http://r"}'}
    picked = {"b": {"stet_name": {"selected_option": {"value": "Ida Roth"}}}}
    found = read(payloads.submission(view, picked, "U1"))
    assert found == replace(ALONE, text="Ida Roth", command="who")
    empty = read(payloads.submission(view, {"b": {"stet_name": {"selected_option": None}}}, "U1"))
    assert empty.text == ""


def test_what_comes_again_has_a_name_in_common() -> None:
    assert keys(event()) == ("Ev1", "DU1:1.1")
    assert keys(event(type="app_mention", channel_type=None))[1] == "DU1:1.1"
    assert keys({"trigger_id": "t1"}) == ("t1",)
    assert keys({}) == ()


@cases("text, plain")
def test_what_was_written_is_read_back(text: str, plain: str) -> None:
    assert written(text) == plain


def test_what_stands_between_fences_is_not_asked() -> None:
    assert question("how many ```def f(): pass``` boats `came` in?") == "how many boats came in?"
    assert written("```so said he```") == "so said he"
    assert written("<" * 50_000) == "<" * 50_000


@cases("message, words")
def test_all_that_is_written_in_a_message_is_read(message: dict[str, Any], words: str) -> None:
    """From its blocks where it has them: in these, marks of emphasis and lists are no characters."""
    assert everything(message) == words


@cases("text")
def test_marks_and_thanks_alone_are_no_question(text: str) -> None:
    assert read(event(text=text)) is None
    body = payloads.event({**payloads.mention(""), "ts": "1.1"})
    body["event"]["text"] = f"<@{BOT}> {text}"
    assert read(body) is None
    body["event"]["text"] = f"<@{BOT}>"
    called = read(body)
    assert called.text == ""
