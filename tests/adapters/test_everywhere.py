"""One question on three platforms: a terminal, Slack and Discord show the same sentences and the same caveats."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from adapters import json_contract
from adapters.discord.panels import arrange
from adapters.page import rendering
from adapters.page.addresses import Links
from adapters.page.reply_view import view
from adapters.slack import blocks
from adapters.terminal import cli
from adapters.terminal.text import Drawing, plainly
from bot import messages, references, sentence_links
from bot.commands.command_table import TABLE
from bot.model import Answer, Listing, Message, NoAnswer, Notice, NoticeReason, Question, Reply, Section
from bot.outline import notices
from retrieval import Voice
from tests.adapters.discord.bench import FERRY, UMBRELLAS, newsroom, service
from tests.adapters.slack import office as slack_office
from tests.emulators.discord import shown
from tests.emulators.slack import Slack
from tests.emulators.slack_rules import seen
from tests.support.replies import extract

QUESTIONS = (UMBRELLAS, FERRY, "what will repairs of the bridge cost?", "what did Marta Lindqvist say?")


def _plain(text: str) -> str:
    return " ".join(text.split())


async def _in_the_terminal(_: Path) -> list[str]:
    return [plainly(Drawing(service().answer(Question(question)))) for question in QUESTIONS]


async def _in_slack(folder: Path) -> list[str]:
    async with Slack() as slack, slack_office.serving(slack, slack_office.settings_for(slack, folder), service()):
        for number, question in enumerate(QUESTIONS, 1):
            await slack.mention(question)
            await slack.answers(number)
        return [seen(message) for message in slack.web.messages]


async def _in_discord(folder: Path) -> list[str]:
    async with newsroom(folder) as discord:
        answers = [answer for q in QUESTIONS for answer in await discord.answers(await discord.mention(q))]
        return [re.sub(r"\\(.)", r"\1", re.sub(r"(?m)^> |(?<!\\)\*\*", "", shown(answer))) for answer in answers]


CHATS = ("slack", "discord")
PLATFORMS = {"terminal": _in_the_terminal, "slack": _in_slack, "discord": _in_discord}


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_the_same_question_gets_the_same_answer_everywhere(platform: str, tmp_path: Path) -> None:
    for question, printed in zip(QUESTIONS, await PLATFORMS[platform](tmp_path), strict=True):
        text, answering = _plain(printed), service()
        answer, whole = (answering.answer(Question(question, brief=brief)) for brief in (platform in CHATS, False))
        assert isinstance(answer, Answer)
        assert answer.extracts[0] == whole.extracts[0]
        assert [each for each in whole.extracts if each in answer.extracts] == list(answer.extracts)
        begins = 0
        for quoted in answer.extracts:
            begins = text.index(_plain(quoted.text), begins)
            for caveat in quoted.caveats:
                assert _plain(caveat.text) in text[begins:]
        for notice in notices(answer.extracts):
            assert _plain(notice.text) in text
        order = [text.index(_plain(quoted.text)) for quoted in answer.extracts]
        assert order == sorted(order)


DRAWN: dict[str, Callable[[Reply], str]] = {
    "slack": lambda reply: str(blocks.draw(reply).blocks),
    "discord": lambda reply: "\n".join(panel.text for panel in arrange(reply)),
    "terminal": lambda reply: plainly(Drawing(reply)),
    "page": lambda reply: str(html.fromstring(rendering.reply(view(reply, "Asked"), Links())).text_content()),
}


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_caveat_on_an_extract_is_not_repeated_as_a_notice(drawn: str) -> None:
    warned = extract("The crane fell.", caveat="The Post could not verify it.")
    (caveat,) = warned.caveats
    notice = Notice(caveat.text, caveat.kind, caveat.verifier, caveat.citation, NoticeReason.POSSIBLE)
    doubtful = replace(extract("Two men ran."), notices=(notice,))
    follows = replace(extract("It fell twice.", speaker="Ann Lee"), before=warned)
    pairs = [(warned, doubtful), (follows, doubtful), (doubtful, doubtful), (doubtful, warned)]
    for extracts, times in zip(pairs, (1, 1, 1, 2), strict=True):
        for reply in (Answer(extracts), Listing("Held", (Section("", extracts),))):
            assert DRAWN[drawn](reply).count(caveat.text) == times


@pytest.mark.parametrize("drawn", DRAWN)
def test_what_is_seen_is_numbered_one_by_one(drawn: str) -> None:
    first = replace(extract("The weir burst."), speaker="Ivo Kern", voice=Voice.NAMED, index=4)
    second = replace(first, text="It took both bridges.", index=5)
    apart = replace(first, text="Nobody was hurt.", index=9)
    number = r"(?m)^(\d)$" if drawn == "page" else r"\[(\d)\]"
    for extracts, numbers in (((first, second, apart), "12"), ((first, apart, second), "123")):
        reply = Answer(extracts)
        assert "".join(re.findall(number, DRAWN[drawn](reply))) == numbers
        assert len(sentence_links.quotations(references.state_of(reply))) == len(numbers)
        menu = "".join(dict.fromkeys(re.findall(r"Copy (\d)", DRAWN[drawn](reply))))
        assert menu == (numbers if drawn == "slack" else "")


def _messages() -> Iterator[str]:
    """Yield every string of the bot's messages, filled in."""
    nodes: list[ast.AST] = [ast.parse(Path(messages.__file__).read_text(encoding="utf-8"))]
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "Ida Roth" for part in node.values)
        elif isinstance(node, ast.Constant):
            yield str(node.value)
        else:
            nodes += ast.iter_child_nodes(node)


OF_ONE_PLATFORM = {messages.DISCORD_HIDES_REPLY, messages.SLACK_HIDES_MESSAGE, messages.NO_ANSWER_BEFORE}
FORMS = {messages.COMMAND.pattern, messages.IN_TERMINAL}
SENTENCES = {text for text in _messages() if re.match("(?!.*``) ?[A-Z`]", text)} - FORMS - OF_ONE_PLATFORM
SENTENCES |= {messages.help_all(TABLE), *map(messages.help_on, TABLE)}
NAME = rf"(?:{'|'.join(cli.LINES)})\b"
IN_TERMINAL, IN_CHAT = rf"(?<!/)\bstet {NAME}", rf"(?<![\w/])/{NAME}"
EITHER = f"{IN_TERMINAL}|{IN_CHAT}"
FOREIGN = dict.fromkeys(("slack", "assistant", "json"), EITHER)  # in Slack it is “/stet who”
FOREIGN |= {"discord": IN_TERMINAL, "terminal": IN_CHAT, "page": f"{EITHER}|`"}
SPEAKING = DRAWN | {
    "assistant": lambda reply: plainly(Drawing(reply, form="`{}`")),
    "json": lambda reply: str(json_contract.reply(reply)),
}


@pytest.mark.parametrize("surface", SPEAKING)
def test_no_reply_names_a_command_of_another_surface(surface: str) -> None:
    said = {
        words: SPEAKING[surface](reply)
        for words in SENTENCES
        for reply in (Message(words), NoAnswer((), (), words), Listing("Held", (Section("Held", lines=(words,)),)))
    }
    assert {words: drawn for words, drawn in said.items() if re.search(FOREIGN[surface], drawn)} == {}


def test_no_other_module_that_speaks_to_readers_names_a_command_of_the_terminal() -> None:
    project = Path(__file__).parents[2]
    rooms = ("bot", *(f"adapters/{name}" for name in ("chat", "updates", "slack", "discord", "mcp", "page")))
    spoken = {str(path.relative_to(project)) for room in rooms for path in (project / room).rglob("*.py")}
    spoken -= {"bot/messages.py", "adapters/slack/api.py"}  # its errors are said where the program is started
    assert [path for path in spoken if re.search(f"(?<!`)`{IN_TERMINAL}", (project / path).read_text())] == []


def test_what_works_on_a_surface_is_named_as_it_is_typed_there() -> None:
    reply = Message(f"{messages.NO_ARTICLE_YET} {messages.NO_WATCH} {messages.help_all(TABLE)}")
    drawn = {surface: draw_on(reply) for surface, draw_on in SPEAKING.items()}
    assert [surface for surface, words in drawn.items() if "stet add" in words] == ["terminal"]
    names = {"slack": "/stet said", "discord": "/said", "terminal": "`stet said", "assistant": "`said"}
    assert {surface: f"{name} NAME" in drawn[surface] for surface, name in names.items()} == dict.fromkeys(names, True)
    assert [surface for surface, words in drawn.items() if "Post what new articles say" in words] == [*CHATS]
