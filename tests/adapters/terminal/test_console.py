"""The prompt: what is typed, completed and remembered."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from adapters.settings import load
from adapters.terminal import console
from bot import messages
from tests.stock import service
from tests.support.tables import cases

SERVICE = service()
Typed = Callable[[str], str]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Return what gives the output of a conversation in which these keys are pressed."""

    def converse(keys: str) -> str:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))  # what is typed comes by the pipe
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text(keys)
            console.converse(SERVICE, load({}, Path("none")))
        return capsys.readouterr().out

    return converse


def test_a_question_typed_is_answered_and_remembered(typed: Typed, tmp_path: Path) -> None:
    shown = typed("was anybody at the wheel\n/quit\n")
    assert shown.startswith("Ask a question. /help lists the commands")
    assert "“Nobody was at the wheel,” said Marta Lindqvist" in shown
    (history,) = (tmp_path / "state").rglob("history")
    assert "was anybody at the wheel" in history.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["\x04", "\x03"])
def test_the_end_of_input_and_an_interrupt_end_it(key: str, typed: Typed) -> None:
    assert typed(key).count("\n") == 1


@cases("line, offered")
def test_commands_and_names_are_completed(line: str, offered: tuple[str, ...]) -> None:
    completions = console.NameCompleter(SERVICE).get_completions(Document(line), CompleteEvent())
    assert tuple(completion.text for completion in completions) == offered


def test_the_last_answer_is_taken_further_without_a_slash_too(typed: Typed) -> None:
    asked = "was anybody at the wheel\n"
    for slash, bare in (("/context 1", "context 1"), ("/copy 1 csv", "copy csv"), ("/more", "more")):
        assert typed(f"{asked}{bare}\n/quit\n") == typed(f"{asked}{slash}\n/quit\n")
    assert "Norfar" in typed("more on the shipping line\n/quit\n")
    assert messages.NO_MORE in typed("more\n/quit\n")


def test_stop_ends_what_was_asked_and_nothing_else(typed: Typed) -> None:
    shown = typed("who owns the ferry line Norfar?\nstop\nwho won the chess final?\nthanks\n/quit\n")
    assert messages.ENDED in shown
    follow = "what did marta lindqvist say?\n{}and where was the crew?\n/quit\n"
    plain, broken = (typed(follow.format(between)) for between in ("", "stop\nwho won the chess final?\n"))
    assert plain.rpartition("Lindqvist")[2] == broken.rpartition("Lindqvist")[2]


def test_what_was_shown_can_be_asked_about(typed: Typed) -> None:
    asked = "was anybody at the wheel\nsays who?\nwhen was that?\nis that verified?\n"
    shown = typed(f"/verify the old bridge would close\n{asked[asked.index('says') :]}/quit\n")
    assert "\nTomas Brandt, as reported\n" in shown
    assert "\nPublished on 10 May 2031.\n" in shown
    assert f"\n{messages.NO_CAVEAT}\n" in " ".join(shown.split(" "))
    follow = "and where was the crew?\n/quit\n"
    plain, after = (typed(f"{text}{follow}") for text in (asked.partition("\n")[0] + "\n", asked))
    assert after.endswith(plain[-200:])
