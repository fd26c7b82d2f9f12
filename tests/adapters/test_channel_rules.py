"""The file of channels: what it says, and what is said of its faults."""

from datetime import date
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.channel_rules import ChannelRulesError, read_channels, unknown_sources
from adapters.settings import SettingsError, load
from bot.channels import EVERYTHING, Channel, Channels, Since
from bot.model import Asker, Listing, Message, Place, Question
from retrieval.limits import TABLE
from tests.support.tables import cases

WHOLE = Path(__file__).with_name("channels.toml").read_text(encoding="utf-8")


def read(folder: Path, text: str, **more: str) -> Channels:
    file = folder / "channels.toml"
    file.write_text(text, encoding="utf-8")
    return read_channels(load({"STET_CHANNELS": str(file), **more}, folder / ".env"))


def test_what_a_section_leaves_out_is_as_by_default(tmp_path: Path) -> None:
    both = frozenset({"The Gull", "The Heron"})
    channels = read(tmp_path, WHOLE)
    assert channels.of(Place("slack", "T1", "C0SPORT")) == Channel(frozenset({"The Gull"}), False, False)  # noqa: FBT003
    assert channels.of(Place("slack", "T1", "C0ALL")) == Channel(None, True, True)  # noqa: FBT003
    for place in (Place("discord", "1", "1234"), Place("discord", "1", "C0ALL"), Place("slack", "T1", None)):
        assert channels.of(place) == Channel(both, True, False)  # noqa: FBT003
    assert channels.of(Place("page")) == channels.of(None) == EVERYTHING


def test_without_a_file_all_channels_are_alike() -> None:
    channels = read_channels(load({}, Path("no .env")))
    for platform in ("slack", "discord"):
        assert channels.of(Place(platform, "1", "2")) == Channel(private=True, steps=False)


@cases("text, words")
def test_a_fault_is_a_sentence_and_the_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ChannelRulesError) as caught:
        read(tmp_path, text)
    assert [part for part in words.split("|") if part not in str(caught.value)] == []
    assert str(caught.value).startswith("STET_CHANNELS: ")


def test_a_file_that_is_missing_or_too_large_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ChannelRulesError, match=r"no\.toml cannot be read\. It cannot be opened"):
        read_channels(load({"STET_CHANNELS": str(tmp_path / "no.toml")}, tmp_path / ".env"))
    with pytest.raises(ChannelRulesError, match=r"^STET_CHANNELS: .* cannot be read\. It has more than"):
        read(tmp_path, "#" * (TABLE.most + 1))


def test_a_source_of_no_article_is_named_with_the_nearest(tmp_path: Path) -> None:
    channels = read(tmp_path, WHOLE)
    assert list(unknown_sources(channels, {"The Gull", "The Herald"})) == [
        "STET_CHANNELS: There is no article from “The Heron”. Did you mean “The Herald”?"
    ]
    assert list(unknown_sources(channels, {"The Gull", "The Heron"})) == []


def test_the_service_follows_the_rules(folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "broken.txt").write_bytes(b"\xff\xfe\xff")
    rules = tmp_path / "channels.toml"
    rules.write_text('[slack.C1]\nsources = ["The Sandholm Echo"]\n[slack.C2]\nsources = ["The Sandholm Eco"]\n')
    environment = {"STET_ARTICLES": str(folder), "STET_ENCODER": "none", "STET_CHANNELS": str(rules)}
    service = open_service(load(environment, folder / ".env"))
    assert "There is no article from “The Sandholm Eco”. Did you mean “The Sandholm Echo”?" in caplog.text

    def sources_in(channel: str) -> object:
        return service.command("sources", "", Question("", asker=Asker("U1"), place=Place("slack", "T1", channel)))

    seen, nothing, everything = sources_in("C1"), sources_in("C2"), sources_in("C3")
    assert isinstance(seen, Listing)
    assert [section.heading.partition(":")[0] for section in seen.sections] == ["The Sandholm Echo"]
    assert isinstance(nothing, Message)
    assert isinstance(everything, Listing)
    assert len(everything.sections) == 3


def test_how_far_back_is_asked_is_as_the_channel_says_else_as_the_setting_has_it(tmp_path: Path) -> None:
    shown = 'since = "2 weeks"\n[slack.C0DAY]\nsince = 2021-01-31\n[slack.C0ALL]\nsince = "all"\n[slack.C0BARE]\n'
    channels = read(tmp_path, f"[default]\n{shown}", STET_SINCE="1y")
    asked = {name: channels.of(Place("slack", "T1", name)).since for name in ("C0DAY", "C0ALL", "C0BARE", "C0NEW")}
    span = Since(days=14)
    assert asked == {"C0DAY": Since(date(2021, 1, 31)), "C0ALL": None, "C0BARE": span, "C0NEW": span}
    assert channels.of(Place("page")).since == channels.of(None).since == Since(months=12)
    bare = read(tmp_path, "[slack.C0BARE]", STET_SINCE="1y")
    assert bare.of(Place("slack", "T1", "C0BARE")).since == Since(months=12)


def test_a_setting_of_since_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(SettingsError, match="STET_SINCE, --since: “soon” is no day"):
        read_channels(load({"STET_SINCE": "soon"}, Path("no .env")))
