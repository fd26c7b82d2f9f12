"""Replies as a terminal shows them."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from adapters.terminal.text import VERDICTS, draw, has_hyperlinks, plain, plainly
from bot import verbatim
from bot.model import Answer, Clipping, Message, Question
from bot.verdicts import Lead
from retrieval.model import Article
from tests.replies import replies
from tests.stock import service

REPLIES = replies()


def printed(content: RenderableType, width: int = 100) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, markup=False, emoji=False).print(content)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def test_a_quotation_has_its_caveat_its_speaker_its_source_and_its_link() -> None:
    answer = service().answer(Question("was anybody at the wheel"))
    assert isinstance(answer, Answer)
    first = replace(answer, extracts=answer.extracts[:1], message=None)
    assert printed(draw(first)) == (
        "  [1] “Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher.\n"
        "    — Marta Lindqvist\n"
        "    [!] NOT VERIFIED, in the outlet's words: The accounts could not be independently verified.\n"
        "    The Sandholm Echo · Ferry runs aground off Sandholm · 9 May 2031\n"
        "    https://echo.example/ferry#:~:text=%E2%80%9CNobody%20was%20at%20the%20wheel%2C%E2%80%9D%20said%2\n"
        "    0Marta%20Lindqvist%2C%2034%2C%20a%20teacher."
    )


@pytest.mark.parametrize("kind", REPLIES)
def test_every_kind_of_reply_is_drawn(kind: str) -> None:
    shown = " ".join(printed(draw(REPLIES[kind]), width=10_000).split())
    assert shown
    reply = REPLIES[kind]
    for extract in getattr(reply, "extracts", ()):
        assert extract.text in shown
        for caveat in extract.caveats:
            assert caveat.text in shown
    if isinstance(reply, Clipping):
        assert " ".join(reply.text.split()) in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x07", "a\\x1b[2Jb\\x07"),  # an article cannot clear the screen
        ("[bold red]:smile:[/]", "[bold red]:smile:[/]"),  # neither rich's markup nor an emoji's name means anything
        ("he said \u202eno\u202c, \u2067yes\u2069", "he said \\x202eno\\x202c, \\x2067yes\\x2069"),
        ("\u05e9\u05dc\u200f!", "\u05e9\u05dc\u200f!"),  # right-to-left letters and their marks stay
    ],
)
def test_an_articles_words_are_data(text: str, shown: str) -> None:
    assert printed(draw(Message(text))) == printed(plain(text)) == shown


def test_an_address_cannot_end_its_own_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    answer = REPLIES["answer"]
    assert isinstance(answer, Answer)
    (extract, *_) = answer.extracts
    hostile = replace(extract.citation, url="https://echo.example/\x1b\\\x1b]8;;https://evil.example\x07é")
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, _environ={})
    console.print(draw(replace(answer, extracts=(replace(extract, citation=hostile),))))
    (address,) = re.findall(r"\x1b\]8;id=\d+;(.+?)\x1b", out.getvalue())
    assert address.startswith("https://echo.example/%1B\\%1B]8;;https://evil.example%07%C3%A9#:~:text=")


@pytest.mark.parametrize(
    ("given", "able"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "linux"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "screen", "STY": "1"}, False),
        ({"TERM": "tmux-256color", "TMUX": "1"}, False),
        ({"TERM": "tmux-256color", "TMUX": "1", "FORCE_HYPERLINK": "1"}, True),
        ({"TERM": "xterm-256color", "FORCE_HYPERLINK": "0"}, False),
        ({"TERM": "dumb", "FORCE_HYPERLINK": "1"}, False),
    ],
    ids=str,
)
def test_titles_lead_to_addresses_where_the_terminal_keeps_them(
    given: dict[str, str], *, able: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", given)
    assert has_hyperlinks(Console(force_terminal=True, _environ=given)) == able


@pytest.mark.parametrize("kind", REPLIES)
def test_parts_are_one_blank_line_apart_where_output_is_piped(kind: str) -> None:
    text = plainly(draw(REPLIES[kind]))
    assert text == text.strip("\n")
    assert "\n\n\n" not in text


def test_plain_output_has_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = plainly(draw(REPLIES["answer"]))
    assert "[!] NOT VERIFIED" in text
    assert "\x1b" not in text


def test_every_verdict_has_its_colour() -> None:
    assert set(VERDICTS) == set(Lead)
    assert len(set(VERDICTS.values())) == len(Lead)


def test_adjoining_sentences_of_one_speaker_are_one_quotation() -> None:
    text = (
        "“The weir burst at dawn,” said Ivo Kern. “It took both bridges,” he said. “We heard a roar,” said Lena Voss."
    )
    archive = service([Article("weir", text)]).library.archive
    shown = printed(draw(Answer(verbatim.extracts(archive, "weir", range(3)))))
    assert [shown.count(words) for words in ("[1]", "[2]", "[3]", "— Ivo Kern", "— Lena Voss")] == [1, 0, 1, 1, 1]
    assert shown.index("took both bridges") < shown.index("— Ivo Kern")
