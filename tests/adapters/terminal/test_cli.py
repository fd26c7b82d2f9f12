"""The console script, in process and as a process."""

import json
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from adapters.settings import load
from adapters.terminal import cli
from adapters.terminal.configuration_check import report
from bot import messages
from bot.commands.command_table import TABLE
from tests.stock import FERRY
from tests.support.program import STET, Stet, environment_of, printed, process, refused
from tests.support.tables import cases, rows

pytestmark = [pytest.mark.rest, pytest.mark.usefixtures("samples")]

ASKED = "how many people on board the ferry"


@pytest.mark.parametrize(
    ("words", "shown"), [*rows(__file__, "a_command_prints"), (f"ask {'x' * 10_000}", "longer than 2,000 characters")]
)
def test_a_command_prints(stet: Stet, folder: Path, words: str, shown: str) -> None:
    out = printed(stet, *words.split(), STET_ARTICLES=folder.name)
    assert [part for part in shown.split("|") if part not in out] == []


def test_a_reply_for_machines_is_one_object_on_one_line(stet: Stet, folder: Path) -> None:
    status, out, _ = stet("ask", "--json", "--articles", folder, ASKED)
    reply = json.loads(out)
    assert (status, out.count("\n"), reply["kind"]) == (0, 1, "answer")
    cited = reply["extracts"][0]["citation"]
    assert cited["path"] == str(folder / "ferry.txt")
    assert FERRY.text[cited["start"] : cited["end"]] == reply["extracts"][0]["text"]
    assert "id" not in reply


def test_an_unsure_answer_says_how_to_see_more(stet: Stet, folder: Path) -> None:
    stet = partial(stet, STET_SURE="1", STET_ARTICLES=folder)
    _, out, _ = stet("ask", "who was at the wheel of the ferry")
    label, _, command = out.splitlines()[-1].partition(": stet ")
    assert label == "2 more"
    assert printed(stet, *command.split()).startswith("This may not answer your question. Closest matches:")


def test_a_batch_is_answered_in_order(stet: Stet, folder: Path) -> None:
    rows = [
        {"id": "b", "question": "what will the bridge repairs cost", "previous": None, "kind": "ignored"},
        {"id": 7, "question": "for how long?", "previous": "when will the bridge close"},
    ]
    Path("batch").write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    replies = [json.loads(line) for line in printed(stet, "ask", "--batch", "batch", "--articles", folder).splitlines()]
    assert [reply["id"] for reply in replies] == ["b", 7]
    assert "4.5 million crowns" in replies[0]["extracts"][0]["text"]


TOO_DEEP = ("[" * 100_000, "line 2: It has more than 50 brackets inside one another")


@pytest.mark.parametrize(("line", "words"), [*rows(__file__, "a_broken_batch_is_refused_whole"), TOO_DEEP])
def test_a_broken_batch_is_refused_whole(stet: Stet, line: str, words: str) -> None:
    Path("batch").write_text('{"id": "q1", "question": "who?"}\n' + line, encoding="utf-8")
    assert words in refused(stet, "ask", "--batch", "batch")


@cases("words, message")
def test_wrong_usage_is_a_sentence_and_status_2(stet: Stet, words: str, message: str) -> None:
    Path("empty").touch()
    Path("binary").write_bytes(b"\xff\xfe\xff")
    err = refused(stet, *words.split(" "))
    assert message in err
    assert "Traceback" not in err


def test_errors_repeat_what_was_typed_as_text(stet: Stet, folder: Path) -> None:
    err = refused(stet, "ask", "--articles", "\x1b[31m\nstet: all is well", "who?")
    assert "\x1b" not in err
    assert err.count("\n") == 2  # what happened, what to do
    stet("add", folder)
    assert stet("remove", "St. Ives.txt")[2].endswith("\nNothing was removed: `stet sources` lists the ids.\n")
    assert stet("ask", "  ")[2].startswith("stet: Ask a question")
    for words in (("--invite",), ("--sync",), ()):
        assert f"Missing in {Path('.env').absolute()}:\n  DISCORD_TOKEN: " in refused(stet, "discord", *words)
    assert stet("discord", "--invite", "7")[0] == 0  # which needs no token
    assert "Did you mean STET_ARTICLES?" in stet("ask", "who?", STET_ARTICELS="x")[2]


def test_an_explanation_has_the_figures_of_encoder_and_reader(stet: Stet, folder: Path) -> None:
    stet = partial(stet, STET_ENCODER="e5")
    _, out, _ = stet("ask", "--explain", "--articles", folder, ASKED)
    [first, *others] = [line for line in out.splitlines() if "; words " in line]
    assert re.match(r"\S+ \(shown as number 1; words \S+, meaning \S+, context \S+, reader \S+\) \[", first)
    assert any("(not shown: " in line for line in others)
    assert "Meaning: compared by e5-small-v2 int8." in stet("check")[1]


def test_one_outlet_can_be_searched_alone(stet: Stet, folder: Path) -> None:
    given = ("--articles", str(folder), "--source", "The Sandholm Echo")
    assert "212 people" in stet("ask", *given, ASKED)[1]
    assert "crowns" not in stet("ask", *given, "what will repairs of the bridge cost")[1]
    assert stet("sources", *given)[1].startswith("1 article")
    err = refused(stet, "ask", *given[:3], "The Sandholm Eco", "how many people")
    assert "There is no article from “The Sandholm Eco”.\nDid you mean “The Sandholm Echo”? `stet sources` lists" in err


def test_the_check_shows_no_token(stet: Stet) -> None:
    stet = partial(stet, SLACK_APP_TOKEN="xapp-hush", STET_ARTICLES="no-such-folder")
    status, out, _ = stet("check")
    assert status == 1
    assert "none could be read from no-such-folder" in out
    assert out.splitlines()[-1].startswith("Settings: 3 of ")
    everything = stet("check", "--all")[1]
    assert "  SLACK_APP_TOKEN = set" in everything.splitlines()
    assert "  STET_SURE = " in everything
    assert "hush" not in out + everything


@cases("name, given, shown")
def test_the_check_shows_no_password_and_no_token_behind_a_wrong_name(name: str, given: str, shown: str) -> None:
    fixed = {"STET_STATE": "state.sqlite", "STET_ARTICLES": "none", "STET_ENCODER": "none"}
    settings = load({**fixed, "STET_PAGE_SECRET": "a page's secret", f"STET_{name}": given})
    lines = list(report(settings, everything=True))
    assert f"  STET_{name} = {shown}" in lines
    assert not [line for line in lines if given in line or "hush" in line]


def test_an_unforeseen_error_is_a_sentence(stet: Stet, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.sync_folder", lambda *_, **__: 1 / 0)
    status, _, err = stet("ask", "--articles", folder, "who?")
    assert status == 1
    assert "Something went wrong (ZeroDivisionError: division by zero).\nSet STET_DEBUG=1 to see where." in err
    assert "Traceback" not in err
    assert "Traceback" in stet("ask", "--articles", folder, "who?", STET_DEBUG="1")[2]


def test_the_check_ends_with_the_next_step(stet: Stet, folder: Path) -> None:
    ours = {"STET_ARTICLES": folder}
    page = {"STET_PAGE_URL": "http://127.0.0.1:8070", "STET_PAGE_SECRET": "long enough to be a secret"}
    for given, step in (
        ({}, "add your own articles: `stet add PATH`."),
        (ours, "ask with `stet ask`, or set up a platform:"),
        (ours | page, "start with `stet run`."),
        (ours | page | {"STET_PAGE_SECRET": "short"}, "correct what is marked [!], then run `stet check` again."),
    ):
        assert f"\nNext: {step}" in stet("check", **given)[1]


def test_settings_are_said_to_stand_above_only_where_they_do(
    stet: Stet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.process.find_spec", lambda name: name == "discord" or None)
    assert "put its missing settings into the file .env" in stet("check", STET_ARTICLES=folder)[1]
    monkeypatch.setattr("adapters.process.find_spec", lambda _: None)
    out = stet("check", STET_ARTICLES=folder)[1]
    assert "Next: ask with `stet ask`, or install the library of a platform, as written above." in out
    assert "Missing:" not in out


@pytest.mark.parametrize("shell", ["bash", *(pytest.param(name, marks=pytest.mark.soak) for name in ("zsh", "fish"))])
def test_a_shell_completes_commands(shell: str) -> None:
    script = process("completion", shell).stdout
    assert "_STET_COMPLETE" in script
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")
    given = {"COMP_WORDS": "stet sub", "COMP_CWORD": "sub" if shell == "fish" else "1"}
    offered = process(_STET_COMPLETE=f"{shell}_complete", **given).stdout
    assert "subscriptions" in offered
    assert "export" not in offered


def loaded(*words: str, **given: str) -> str:
    """Return what a command prints, with the large libraries that it loads on the last line."""
    shown = "print([m for m in ('spacy', 'numpy', 'slack_bolt', 'discord', 'rich.console') if m in sys.modules])"
    code = f"import sys\nfrom adapters.terminal.cli import main\ntry:\n    main()\nfinally:\n    {shown}"
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment_of(**given), check=True).stdout


def test_help_loads_no_large_library() -> None:
    assert loaded("--help").endswith("\n[]\n")


def test_the_page_and_assistants_need_no_library_of_the_chats() -> None:
    missing = "import sys; sys.modules.update(dict.fromkeys(('aiohttp', 'slack_bolt', 'slack_sdk', 'discord')))"
    code = f"{missing}\nimport adapters.terminal.serving, adapters.mcp.server, adapters.page.app"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_second_question_does_not_load_spacy(folder: Path) -> None:
    cache = str(folder / "kept")
    first, second = (loaded("ask", "--articles", str(folder), ASKED, XDG_CACHE_HOME=cache) for _ in range(2))
    assert "'spacy'" in first.splitlines()[-1]
    assert "'spacy'" not in second.splitlines()[-1]
    assert first.splitlines()[:-1] == second.splitlines()[:-1]


def test_an_interrupt_ends_it_quietly(folder: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*STET, "chat", "--articles", folder], env=environment_of(), text=True, **pipes) as running:
        running.stdin.write("help\n")
        running.stdin.flush()
        assert "Ask a question" in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in errors


def test_a_wrong_page_setting_is_one_line(folder: Path) -> None:
    shown = process("page", "--articles", folder, STET_PAGE_SECRET="short", STET_ENCODER="none")
    assert shown.returncode == 1
    line = "stet: STET_PAGE_SECRET is shorter than 16 characters; it could be guessed."
    assert line in shown.stderr.splitlines()
    assert "ERROR" not in shown.stderr


@pytest.mark.parametrize("words", [("--help",), ()])
def test_the_list_of_commands_is_whole(stet: Stet, words: tuple[str, ...]) -> None:
    status, out, err = stet(*words)
    assert status == (0 if words else 2)
    shown = out + err
    assert shown.startswith("Usage: stet")
    headings = re.findall(r"(?m)^(\w+):$", shown)
    assert headings == ["Options", *cli.SECTIONS]
    assert "..." not in shown.partition("Ask:")[2]
    listed = re.findall(r"(?m)^  ([a-z]\w+)  ", shown)
    assert sorted(listed) == sorted({*cli.LINES} - {"watch", "watches"})
    assert {row.name: row.help for row in TABLE} == {name: cli.LINES[name] for name in cli.CHAT_COMMANDS}
    for name in listed:
        assert cli.LINES[name] in " ".join(shown.split())


@pytest.mark.parametrize("words", ["watch Kuleba", "watches", "watches 1"])
def test_what_only_a_chat_does_is_said(stet: Stet, folder: Path, words: str) -> None:
    assert printed(stet, *words.split(), "--articles", folder) == f"{messages.WATCH_ONLY_IN_CHAT}\n"


def test_left_out_files_are_named_on_standard_error_and_others_read(folder: Path) -> None:
    (folder / "half\nstet: all is well.txt").write_bytes(b"\xff")
    (folder / "articles.toml").write_text('["fery.txt"]\nsource = "The Sandholm Echo"\n', encoding="utf-8")
    ended = process("read", folder, "--json")
    assert ended.returncode == 0
    assert {json.loads(line)["article_id"] for line in ended.stdout.splitlines()} == {"ferry.txt", "bridge.txt"}
    table, text = ended.stderr.splitlines()
    assert table.startswith(
        f"stet: {folder}/articles.toml, “fery.txt” is left out: No file in the folder has this name"
    )
    assert text.startswith(f"stet: {folder}/half\\x0astet: all is well.txt is left out: It is not in UTF-8")
