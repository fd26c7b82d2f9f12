"""The settings table."""

import os
import re
import traceback
from pathlib import Path

import pytest

from adapters.settings import HELP, REMOVED, TABLE, SettingsError, example, load, own_ids
from adapters.terminal.cli import is_debug_mode
from bot.ask.model import DEFAULT
from tests.support.tables import cases, rows

PROJECT = Path(__file__).parents[2]
NOWHERE = Path("no such file")


def test_the_example_is_the_table() -> None:
    assert (PROJECT / ".env.example").read_text(encoding="utf-8") == example()
    assert list(HELP) == [row.attribute for row in TABLE]


@pytest.mark.parametrize(
    ("environment", "attribute", "value"),
    [
        *rows(__file__, "a_setting_is_read"),
        ({"STET_ARTICLES": f"a b{os.pathsep}~/c"}, "articles", ("a b", str(Path.home() / "c"))),
        *(({f"STET_{n.upper()}": "~/s"}, n, str(Path.home() / "s")) for n in ("archive", "state", "channels")),
        ({"STET_PAGE_SECRET": "~/secret"}, "page_secret", "~/secret"),
        ({"STET_STATE": "postgresql://host/~s"}, "state", "postgresql://host/~s"),
    ],
)
def test_a_setting_is_read(tmp_path: Path, environment: dict[str, str], attribute: str, value: object) -> None:
    (tmp_path / ".env").write_text("STET_KEEP_DAYS=7\nSTET_SLACK_PORT=0\nDISCORD_TOKEN=\n", encoding="utf-8")
    assert getattr(load(environment, tmp_path / ".env"), attribute) == value


@cases("name, value, words")
def test_a_wrong_setting_is_a_sentence(name: str, value: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        load({name: value}, NOWHERE)


@pytest.mark.parametrize(
    "name", ["STET_PAGE_PORT", "STET_SURE", "STET_DEBUG", "STET_DISCORD_GUILDS", "STET_TOKEN", "STET_TIMEZONE"]
)
def test_a_token_behind_the_wrong_name_is_not_printed(name: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load({name: "xoxb-very-secret"}, NOWHERE)
    assert "secret" not in "".join(traceback.format_exception(refused.value)).replace('"xoxb-very-secret"', "")


def test_a_file_of_settings_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("STET_SINCE=Fébruary\n".encode("latin-1"))
    with pytest.raises(SettingsError) as refused:
        load({}, file)
    assert str(refused.value) == f"{file} is not UTF-8. Save it again as UTF-8."


def test_the_thresholds_are_those_of_the_confidence_unless_set() -> None:
    settings = load({}, NOWHERE)
    assert settings.sure == DEFAULT.sure
    assert load({"STET_SURE": ".5"}, NOWHERE).sure == 0.5


def test_what_was_removed_is_a_setting_no_more() -> None:
    names = {row.name for row in TABLE}
    assert len(names) <= 42
    assert names.isdisjoint(removed for removed in REMOVED if "=" not in removed)
    assert set(re.findall(r"STET_[A-Z_]+", " ".join(REMOVED.values()))) <= names


def test_ids_tell_their_platform() -> None:
    ids = load({"STET_PEOPLE": "U1, 900000000000000033,W2"}, NOWHERE).people
    assert (own_ids("slack", ids), own_ids("discord", ids)) == (("U1", "W2"), ("900000000000000033",))


def test_no_secret_is_shown() -> None:
    shown = repr(load({"SLACK_BOT_TOKEN": "xoxb-very-secret", "DISCORD_TOKEN": "hush"}, NOWHERE))
    assert "xoxb" not in shown
    assert "hush" not in shown


@pytest.mark.parametrize(("value", "wanted"), [("1", True), ("on", True), ("0", False), ("", False)])
def test_tracebacks_are_wanted_only_when_asked_for(
    value: str, *, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_DEBUG", value)
    assert is_debug_mode() is wanted
