"""The console script, in process and as a process."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from adapters.settings import load
from adapters.storage.records import Watch
from adapters.storage.store import Store
from adapters.terminal import cli
from adapters.terminal.configuration_check import report
from bot.commands.table import TABLE
from retrieval import version_key
from tests.stock import FERRY

pytestmark = pytest.mark.rest

STET = (sys.executable, "-c", "from adapters.terminal.cli import main; main()")
PROJECT = Path(cli.__file__).parents[2]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run ``stet`` in this process; return its exit status, output and errors."""
    argv, sys.argv = sys.argv, ["stet", *words]
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        sys.argv = argv
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def process(words: Sequence[str], **given: str) -> subprocess.CompletedProcess[str]:
    """Run ``stet`` as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), **given}
    return subprocess.run([*STET, *words], capture_output=True, text=True, env=environment, check=False, timeout=60)


def test_a_question_is_answered_word_for_word(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """The quotation, and where it stands."""
    status, out, _ = run(
        capsys, "ask", "--articles", str(folder), "how", "many", "people", "on", "board", "the", "ferry"
    )
    assert status == 0
    assert "A ferry with 212 people on board ran aground off Sandholm on Friday, the coastguard said." in out
    assert "The Sandholm Echo" in out


def test_a_reply_for_machines_is_one_object_on_one_line(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out, _ = run(capsys, "ask", "--json", "--articles", str(folder), "how many people on board the ferry")
    reply = json.loads(out)
    assert (status, out.count("\n"), reply["kind"]) == (0, 1, "answer")
    cited = reply["extracts"][0]["citation"]
    assert cited["path"] == str(folder / "ferry.txt")
    assert FERRY.text[cited["start"] : cited["end"]] == reply["extracts"][0]["text"]
    assert "id" not in reply


def test_a_question_nothing_answers_says_what_was_looked_for(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out, _ = run(capsys, "ask", "--articles", str(folder), "who won the chess olympiad")
    assert status == 0
    assert out.startswith("Nothing in the archive answers this.")
    assert "“olympiad”" in out
    assert "Searched 2 articles" in out


def test_an_unsure_answer_says_how_to_see_more(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_SURE", "1")
    monkeypatch.setenv("STET_ARTICLES", str(folder))
    _, out, _ = run(capsys, "ask", "who was at the wheel of the ferry")
    label, _, command = out.splitlines()[-1].partition(": stet ")
    assert label == "2 more"
    status, more, _ = run(capsys, *command.split())
    assert status == 0
    assert more.startswith("This may not answer your question. Closest matches:")


def test_a_batch_is_answered_in_order(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    rows = [
        {"id": "b", "question": "what will the bridge repairs cost", "previous": None, "kind": "ignored"},
        {"id": 7, "question": "for how long?", "previous": "when will the bridge close"},
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    status, out, _ = run(capsys, "ask", "--batch", str(batch), "--articles", str(folder))
    replies = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [reply["id"] for reply in replies] == ["b", 7]
    assert "4.5 million crowns" in replies[0]["extracts"][0]["text"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2: It is not JSON."),
        ("[1]", "line 2 is not a JSON object"),
        ('{"question": "who?"}', 'line 2 has no "id"'),
        ('{"id": "q"}', 'line 2 has no "question"'),
        ('{"id": "q", "question": "who?", "previous": 3}', '"previous" is neither null nor a text'),
        ("[" * 100_000, "line 2: It has more than 50 brackets inside one another"),
    ],
)
def test_a_broken_batch_is_refused_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, words: str
) -> None:
    """The line is named, nothing is printed for the lines before it."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": "q1", "question": "who?"}\n' + line, encoding="utf-8")
    status, out, err = run(capsys, "ask", "--batch", str(batch))
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ask",), "Ask a question"),
        (("ask", "  "), "Ask a question"),
        (("ask", "--batch", "no-such-file"), "cannot be read"),
        (("ask", "who?", "--batch", "x"), "not both"),
        (("ask", "--articles", "no-such-folder", "who?"), "no-such-folder"),
        (("read", "no-such-file.txt"), "no-such-file.txt"),
        (("flsh",), "No such command"),
        (("ask", "--colour", "who?"), "--colour"),
    ],
)
def test_wrong_usage_is_a_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    """On standard error, with nothing on standard output."""
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("content", "words"), [(b"", "has no questions"), (b"\xff\xfe\xff", "not in UTF-8")])
def test_an_unusable_batch_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, words: str
) -> None:
    """An empty file and one that is no text."""
    batch = tmp_path / "batch.jsonl"
    batch.write_bytes(content)
    status, _, err = run(capsys, "ask", "--batch", str(batch))
    assert status == 2
    assert words in err


def test_a_misspelt_setting_names_the_right_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_ARTICELS", "x")
    status, _, err = run(capsys, "ask", "who?")
    assert status == 2
    assert "Did you mean STET_ARTICLES?" in err


def test_a_very_long_question_is_answered_in_words(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Ten thousand characters are not searched for."""
    status, out, _ = run(capsys, "ask", "--articles", str(folder), "x" * 10_000)
    assert status == 0
    assert "longer than 2,000 characters" in out


def test_what_was_read_is_printed_for_machines(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out, _ = run(capsys, "read", str(folder), "--json")
    articles = {row["article_id"]: row for row in map(json.loads, out.splitlines())}
    assert status == 0
    assert set(articles) == {"ferry.txt", "bridge.txt"}
    for sentence in articles["ferry.txt"]["sentences"]:
        assert FERRY.text[sentence["start"] : sentence["end"]] == sentence["text"]


def test_what_was_read_is_shown_to_people(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Every sentence with its number; with ``--explain``, the rule that cut it."""
    status, out, _ = run(capsys, "read", str(folder / "ferry.txt"), "--explain")
    assert status == 0
    assert "ran aground off Sandholm" in out
    assert "sentence: " in out


def test_a_line_separator_in_a_question_ends_no_line(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    """JSON lets U+2028 stand in a string as it is."""
    batch = tmp_path / "batch.jsonl"
    row = {"id": "q1", "question": "how many people\u2028on board the ferry"}
    batch.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    status, out, _ = run(capsys, "ask", "--batch", str(batch), "--articles", str(folder))
    assert (status, out.count("\n")) == (0, 1)
    assert "212 people" in out


@pytest.mark.parametrize("option", ["--batch", "--previous"])
def test_the_question_before_has_the_limit_of_a_question(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, option: str
) -> None:
    """A megabyte of it is answered in words, at once."""
    long = "who was on board? " * 60_000
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps({"id": "q1", "question": "and why?", "previous": long}), encoding="utf-8")
    words = ("--batch", str(batch)) if option == "--batch" else ("and why?", "--previous", long, "--explain")
    status, out, _ = run(capsys, "ask", "--articles", str(folder), *words)
    assert status == 0
    assert "The previous question is longer than 2,000 characters." in out


def test_what_is_typed_comes_back_on_standard_error_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """No name of a file colours the terminal or forges a line of the program's own."""
    status, _, err = run(capsys, "ask", "--articles", "\x1b[31m\nstet: all is well", "who?")
    assert status == 2
    assert "\x1b" not in err
    assert err.count("\n") == 2  # what happened, what to do


def test_every_candidate_is_explained(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """After the reply, each sentence that was weighed with its parts."""
    status, out, _ = run(capsys, "ask", "--explain", "--articles", str(folder), "how many people on board the ferry")
    assert status == 0
    assert "ferry.txt: A ferry with 212" in out
    assert "(shown as number 1; words " in out


def test_an_explanation_has_the_figures_of_encoder_and_reader(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("STET_ENCODER", "e5")
    _, out, _ = run(capsys, "ask", "--explain", "--articles", str(folder), "how many people on board the ferry")
    [first, *others] = [line for line in out.splitlines() if "; words " in line]
    assert re.match(r"\S+ \(shown as number 1; words \S+, meaning \S+, context \S+, reader \S+\) \[", first)
    assert any("(not shown: " in line for line in others)


def test_the_check_says_what_is_missing_and_where_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "check")
    assert status == 0
    assert "Slack: not set up. Missing:" in out
    assert "SLACK_APP_TOKEN: App-level token" in out
    assert "Discord: not set up. Missing:" in out


def test_the_check_says_what_is_wrong_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    """Whatever it is about; then what is fine, in the order in which it is always told."""
    monkeypatch.setenv("STET_ARTICLES", str(folder))
    monkeypatch.setenv("STET_CHANNELS", str(tmp_path / "none.toml"))
    monkeypatch.setenv("STET_PAGE_URL", "http://127.0.0.1:8070")
    monkeypatch.setenv("STET_PAGE_SECRET", "short")
    status, out, _ = run(capsys, "check")
    assert status == 1
    told = out.splitlines()
    begun = [line.partition(" ")[0] for line in told[: told.index("")]]
    assert begun[:2] == ["[!]"] * 2
    assert [line.split(" ")[1] for line in told[:2]] == ["Channels:", "STET_PAGE_SECRET"]
    assert begun[2:4] == ["Archive:", "Articles:"]


@pytest.mark.parametrize(
    ("setting", "expected", "words"),
    [
        ("none", 0, "Meaning: compared by words only. STET_ENCODER is none."),
        ("e5", 0, "Meaning: compared by e5-small-v2 int8."),
    ],
)
def test_the_check_says_what_compares_meanings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, setting: str, expected: int, words: str
) -> None:
    monkeypatch.setenv("STET_ENCODER", setting)
    status, out, _ = run(capsys, "check")
    assert status == expected
    assert words in out


def test_the_check_says_what_is_wrong_with_the_file_of_channels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "channels.toml"
    monkeypatch.setenv("STET_CHANNELS", str(rules))
    monkeypatch.setenv("STET_ARTICLES", str(folder))
    rules.write_text("[slack.sport]\nsauces = 1\n", encoding="utf-8")
    status, out, _ = run(capsys, "check")
    assert status == 1
    assert "Channels: “sport” is not the id of a Slack channel." in out
    assert "Channels: “slack.sport” has an unknown key “sauces”. Did you mean “sources”?" in out
    status, _, err = run(capsys, "ask", "anything")
    assert status == 2
    assert "“sport” is not the id" in err
    rules.write_text('[slack.C1]\nsources = ["Sandholm Echo"]\n', encoding="utf-8")
    _, out, _ = run(capsys, "check")
    assert f"Channels: {rules} has rules for 1 of them." in out
    assert "There is no article from “Sandholm Echo”. Did you mean “The Sandholm Echo”?" in out
    assert "in Slack, direct messages, the app's Home and channels without a section search all sources" in out
    rules.write_text(f'[default]\nsources = ["The Sandholm Echo"]\n{rules.read_text()}', encoding="utf-8")
    assert "without a section search all" not in run(capsys, "check")[1]
    rules.unlink()
    monkeypatch.setenv("STET_ARTICLES", "no-such-folder")
    assert "channels.toml cannot be read." in run(capsys, "check")[1]


def test_one_outlets_articles_can_be_looked_through_alone(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """By questions and commands; an outlet of which there is none is named with the nearest."""
    given = ("--articles", str(folder), "--source", "The Sandholm Echo")
    assert "212 people" in run(capsys, "ask", *given, "how many people on board the ferry")[1]
    assert "crowns" not in run(capsys, "ask", *given, "what will repairs of the bridge cost")[1]
    assert run(capsys, "sources", *given)[1].startswith("1 article")
    status, _, err = run(capsys, "ask", *given[:3], "The Sandholm Eco", "how many people")
    assert status == 2
    assert "There is no article from “The Sandholm Eco”.\nDid you mean “The Sandholm Echo”?" in err


def test_what_is_older_than_that_is_not_asked(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the option, else by the setting; what makes no sense is refused before anything is read."""
    given = ("--articles", str(folder))
    told = run(capsys, "sources", *given, "--since", "1 day")[1]
    assert "Searched articles published since " in told
    assert "2 articles without a date" in told
    (folder / "old.txt").write_text("---\npublished: 2001-02-03\n---\nA lamp was lit at Oxley.", encoding="utf-8")
    assert "A lamp was lit" in run(capsys, "ask", *given, "what was lit at Oxley")[1]
    assert "A lamp was lit" not in run(capsys, "ask", *given, "--since", "2001-02-04", "what was lit at Oxley")[1]
    monkeypatch.setenv("STET_SINCE", "2 weeks")
    assert "A lamp was lit" not in run(capsys, "ask", *given, "what was lit at Oxley")[1]
    assert "A lamp was lit" in run(capsys, "ask", *given, "--since", "2001-02-03", "what was lit at Oxley")[1]
    assert "Since: Searched articles published since " in run(capsys, "check")[1]
    status, out, err = run(capsys, "ask", *given, "--since", "soon", "what was lit at Oxley")
    assert (status, out) == (2, "")
    assert "“soon” is no day and no span of time: write " in err
    monkeypatch.setenv("STET_SINCE", "soon")
    assert "Since: STET_SINCE, --since: “soon” is no day" in run(capsys, "check")[1]


def test_the_check_shows_no_token(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-hush")
    monkeypatch.setenv("STET_ARTICLES", "no-such-folder")
    status, out, _ = run(capsys, "check")
    assert status == 1
    assert "none could be read from no-such-folder" in out
    assert out.splitlines()[-1].startswith("Settings: 3 of ")
    everything = run(capsys, "check", "--all")[1]
    assert "  SLACK_APP_TOKEN = set" in everything.splitlines()
    assert "  STET_SURE = " in everything
    assert "hush" not in out + everything


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("READINGS", "xoxb-1234-5678-AbCdEf"),
        ("SINCE", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789ab"),
        ("CHANNELS", "0123456789abcdef0123456789abcdef"),
        ("HEALTH", "dGhpcyBpcyBhIHNlY3JldA-012"),
        ("ARTICLES", "xapp-1-A0-b1"),
        ("ALARM_CHANNEL", "a page's secret"),
    ],
    ids=lambda part: part if part.isupper() else "",
)
def test_the_check_repeats_no_token_behind_a_wrong_name(name: str, secret: str, tmp_path: Path) -> None:
    """Neither in the list nor in what it says of it."""
    given = {"STET_STATE": str(tmp_path / "s"), "STET_ENCODER": "none", "STET_PAGE_SECRET": "a page's secret"}
    settings = load({**given, f"STET_{name}": secret})
    assert secret not in "\n".join(report(settings, everything=True))


def test_the_check_shows_no_password_of_an_address(tmp_path: Path) -> None:
    feeds = "https://desk:hush@news.example/feed, https://news.example/open"
    given = {"STET_FEEDS": feeds, "STET_STATE": str(tmp_path / "s"), "STET_ENCODER": "none"}
    lines = list(report(load(given), everything=True))
    assert "  STET_FEEDS = https://…@news.example/feed, https://news.example/open" in lines
    assert "hush" not in "\n".join(lines)


def test_an_unforeseen_error_is_a_sentence(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.compose.open_folders", lambda *_, **__: 1 / 0)
    status, _, err = run(capsys, "ask", "--articles", str(folder), "who?")
    assert status == 1
    assert "Something went wrong (ZeroDivisionError: division by zero).\nSet STET_DEBUG=1 to see where." in err
    assert "Traceback" not in err
    monkeypatch.setenv("STET_DEBUG", "1")
    assert "Traceback" in run(capsys, "ask", "--articles", str(folder), "who?")[2]


def test_the_list_of_commands_has_the_chats() -> None:
    """It is written down twice: reading the other table takes a second."""
    assert {row.name: row.help for row in TABLE if row.name not in cli.RENAMED} == cli.CHAT_COMMANDS


def test_an_error_has_a_line_for_what_happened_and_one_for_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "flsh")[2].splitlines() == ["stet: No such command 'flsh'.", "See `stet --help`."]
    assert run(capsys, "remove", "St. Ives.txt")[2].startswith("stet: There is no article St. Ives.txt in ")


def test_the_check_ends_with_the_next_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def next_step() -> str:
        return next(line for line in run(capsys, "check")[1].splitlines() if line.startswith("Next: "))

    assert next_step().startswith("Next: add your own articles: `stet add PATH`.")
    monkeypatch.setenv("STET_ARTICLES", str(folder))
    assert "set up a platform" in next_step()
    monkeypatch.setenv("STET_PAGE_URL", "http://127.0.0.1:8070")
    monkeypatch.setenv("STET_PAGE_SECRET", "long enough to be a secret")
    assert next_step() == "Next: start with `stet run`."
    monkeypatch.setenv("STET_PAGE_SECRET", "short")
    assert next_step() == "Next: correct what is marked [!], then run `stet check` again."


def test_the_invitation_to_discord_has_scopes_and_permissions(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "discord", "--invite", "42")
    assert status == 0
    assert dict(parse_qsl(urlsplit(out.strip()).query)) == {
        "client_id": "42",
        "scope": "bot applications.commands",
        "permissions": "274877991936",
    }
    assert run(capsys, "discord", "--invite", "stet")[::2] == (
        2,
        "stet: An application id has digits only.\nIt is on the application's page, General Information.\n",
    )
    status, _, err = run(capsys, "discord", "--invite")
    assert (status, err) == (1, "stet: DISCORD_TOKEN is not set.\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(shell: str) -> None:
    """By the script that is printed: run where the shell is installed, else asked as the script would."""
    script = process(["completion", shell]).stdout
    assert "_STET_COMPLETE" in script
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")
    given = {"COMP_WORDS": "stet sub", "COMP_CWORD": "sub" if shell == "fish" else "1"}
    offered = process([], _STET_COMPLETE=f"{shell}_complete", **given).stdout
    assert "subscriptions" in offered
    assert "export" not in offered


def test_help_takes_a_quarter_of_a_second() -> None:
    """Of a processor's time, which others who use the machine don't lengthen; the bound has room for a slow one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process(["--help"]).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_help_imports_no_spacy() -> None:
    """``stet --help`` is quick because it loads neither spaCy nor numpy nor an SDK."""
    code = (
        "import sys\nfrom adapters.terminal.cli import main\nsys.argv = ['stet', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('spacy', 'numpy', 'slack_bolt', 'discord', 'rich.console') if m in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.endswith("[]\n")
    assert "ask" in done.stdout


def test_a_second_ask_imports_no_spacy(folder: Path) -> None:
    code = f"{STET[2]}".replace("main()", "\ntry:\n    main()\nfinally:\n    print('spacy' in sys.modules)")
    words = ["ask", "--articles", str(folder), "how many people on board the ferry"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "STET_READINGS": str(folder / "kept" / "readings.sqlite")}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", f"import sys\n{code}", *words],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        ).stdout
        for _ in range(2)
    )
    assert first.endswith("True\n")
    assert second == first.replace("True\n", "False\n")


def test_the_check_says_what_is_kept(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "kept" / "readings.sqlite"
    monkeypatch.setenv("STET_READINGS", str(path))
    monkeypatch.setenv("STET_ARTICLES", str(folder))
    _, out, _ = run(capsys, "check")
    assert f"Folders: 1 that was asked is kept in {path.parent}." in out


def test_output_that_is_piped_is_plain_and_unbroken(folder: Path) -> None:
    """No colour, no line broken inside a sentence."""
    done = process(["ask", "--articles", str(folder), "how many people on board the ferry"], COLUMNS="40")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "A ferry with 212 people on board ran aground off Sandholm on Friday, the coastguard said.\n" in done.stdout


def test_a_closed_pipe_ends_it_quietly(folder: Path) -> None:
    """``stet read … | head -1`` prints no complaint."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    shell = f"{sys.executable} -c 'from adapters.terminal.cli import main; main()' read {folder} --json | true"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, env=environment, check=False)  # noqa: S607
    assert done.stderr == ""


def test_an_interrupt_ends_it_quietly() -> None:
    """Ctrl-C at the prompt of a pipe: no traceback."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(
        [*STET, "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("help\n")
        running.stdin.flush()
        assert "Ask a question" in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in errors


def test_chat_answers_line_after_line(folder: Path) -> None:
    """A follow-up leans on the line before; /quit ends it."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    lines = "how many people on board the ferry\n\n/help verify\n/nonsense\n/quit\nnever read\n"
    done = subprocess.run(
        [*STET, "chat", "--articles", str(folder)],
        input=lines,
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert "212 people on board" in done.stdout
    assert "/verify QUOTE" in done.stdout
    assert "There is no such command" in done.stdout
    assert "never read" not in done.stdout


def test_what_is_wrong_with_the_pages_settings_is_a_line_like_any_other(folder: Path) -> None:
    """Not one of the log, with the time and a module's name."""
    told = process(("page", "--articles", str(folder)), STET_PAGE_SECRET="short", STET_ENCODER="none")
    assert told.returncode == 1
    line = "stet: STET_PAGE_SECRET is shorter than 16 characters; it could be guessed."
    assert line in told.stderr.splitlines()
    assert "ERROR" not in told.stderr


@pytest.mark.parametrize("words", [("--help",), ()])
def test_the_list_of_commands_is_whole(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    status, out, err = run(capsys, *words)
    assert status == (0 if words else 2)
    shown = out + err
    assert shown.startswith("Usage: stet")
    assert "..." not in shown.partition("Commands:")[2]
    for name, line in cli.CHAT_COMMANDS.items():
        assert f"  {name} " in shown
        assert line in " ".join(shown.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nonsense",), "stet: No such command 'nonsense'.\nSee `stet --help`.\n"),
        (("read",), "stet: Missing argument 'PATH...'.\nSee `stet read --help`.\n"),
        (
            ("ask", "-x"),
            "stet: No such option '-x'.\nSee `stet ask --help`. Put -- before words that begin with a dash.\n",
        ),
    ],
)
def test_a_slip_of_the_command_line_is_told_what_helps(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run(capsys, *words) == (2, "", said)


@pytest.mark.parametrize("option", [("--previous", "who fled"), ("--explain",)])
def test_an_option_that_a_batch_has_no_use_for_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: tuple[str, ...]
) -> None:
    """It is not passed over in silence."""
    status, out, err = run(capsys, "ask", "--batch", str(tmp_path / "batch.jsonl"), *option)
    assert (status, out) == (2, "")
    assert err.startswith("stet: --batch takes neither ")


def test_what_is_left_out_is_named_on_standard_error_and_the_rest_is_read(folder: Path) -> None:
    (folder / "half\nstet: all is well.txt").write_bytes(b"\xff")
    (folder / "articles.toml").write_text('["fery.txt"]\nsource = "The Sandholm Echo"\n', encoding="utf-8")
    ended = process(["read", str(folder), "--json"])
    assert ended.returncode == 0
    assert {json.loads(line)["article_id"] for line in ended.stdout.splitlines()} == {"ferry.txt", "bridge.txt"}
    table, text = ended.stderr.splitlines()
    assert table.startswith(
        f"stet: {folder}/articles.toml, “fery.txt” is left out: No file in the folder has this name"
    )
    assert text.startswith(f"stet: {folder}/half\\x0astet: all is well.txt is left out: It is not in UTF-8")


def test_what_is_logged_on_the_way_is_a_line_of_stet(folder: Path) -> None:
    """An extract that has gone is logged, as a line of ours."""
    ended = process(["context", "--articles", str(folder), f"{version_key(FERRY.id, FERRY.digest)}.999"])
    assert ended.returncode == 0
    assert ended.stderr.startswith("stet: ")


@pytest.mark.parametrize(("old", "new"), [("watch", "follow"), ("watches", "subscriptions")])
def test_a_renamed_command_names_the_new_one(capsys: pytest.CaptureFixture[str], old: str, new: str) -> None:
    status, out, err = run(capsys, old)
    assert (status, out) == (2, "")
    assert err == f"stet: `stet {old}` has a new name: use `stet {new}`.\n"


def test_standing_questions_are_listed_and_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_STATE", str(tmp_path / "state.sqlite"))
    assert "no standing questions" in run(capsys, "subscriptions")[1]
    with Store(tmp_path / "state.sqlite") as store:
        store.add_watch(Watch(0, "slack", "T1", "C1", "U1", "Ada Venn", 0))
    assert run(capsys, "subscriptions")[1] == "1. Ada Venn (slack C1, asked for by U1)\n"
    code, _, said = run(capsys, "subscriptions", "--end", "7")
    assert (code, "no standing question number 7" in said) == (2, True)
    assert run(capsys, "subscriptions", "--end", "1")[1].startswith("ended: 1. Ada Venn")
    assert "no standing questions" in run(capsys, "subscriptions")[1]
