"""From the settings to an archive in a cluster: filled, asked and reported on; and what is said where it is away."""

import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from adapters import articles as archives, background
from adapters.articles import changing, open_archive_of, open_service, read_articles
from adapters.background import erasing_removals
from adapters.settings import Settings, load
from adapters.terminal import archiving
from adapters.terminal.configuration_check import report
from adapters.terminal.options import InputError
from bot.model import Answer, Message, NoAnswer, Question
from retrieval.archive.archive import PersistentArchive, WritableArchive
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.filling import fill
from retrieval.errors import ArchiveError
from retrieval.pipeline import read_one
from tests.servers.relay import Relay
from tests.servers.secured import ASKS, FILLS, Secured
from tests.stock import FERRY
from tests.support.program import Stet, wait_until

UNIT = Path(__file__).parents[2] / "deploy" / "stet.service"
AWAY = "The archive does not answer: see whether its cluster runs."
NO_USER = Credentials()
ASKED = Question("how many people on board the ferry")


def settings(folder: Path, archive: str, articles: str = "", shown: Credentials = NO_USER) -> Settings:
    environment = {
        "STET_ARCHIVE": archive,
        "STET_ARCHIVE_LOGIN": f"{shown.user}:{shown.password}" if shown.user else "",
        "STET_ARCHIVE_CA": shown.authority,
        "STET_ARCHIVE_SHARDS": "1,0",
        "STET_ARTICLES": articles,
        "STET_ENCODER": "none",
    }
    return load(environment, folder / ".env")


def filled(shown: Settings) -> str:
    """Have the articles that settings name in the cluster; return what is said then."""
    fill(archives.open_index_of(shown), read_articles(shown)[0], lambda: None, keep=True)
    return archives.cluster_report(shown)


def test_a_library_that_is_missing_is_named() -> None:
    script = (
        "import sys; sys.modules['opensearchpy'] = None\n"
        "from adapters.articles import open_cluster_of\n"
        "from adapters.settings import load\n"
        "from pathlib import Path\n"
        "open_cluster_of(load({'STET_ARCHIVE': 'opensearch+http://127.0.0.1:9200/articles'}, Path('none')))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "What asks OpenSearch is not installed" in run.stderr


def test_articles_that_a_cluster_does_not_get_are_reported(tmp_path: Path) -> None:
    until = datetime(2999, 1, 1, 18, tzinfo=UTC)
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        archive.add([read_one(replace(FERRY, id=name, embargo=until)) for name in ("a", "b")])
        archive.add([read_one(FERRY)])
        (shown,) = archiving.left_out(archive)
    assert shown == "2 articles embargoed until 1 January 2999, 18:00 +00:00, and left out: fill again after it."


def test_questions_search_what_was_filled_in_until_it_is_removed(
    folder: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    filling = settings(folder, address, str(folder))
    shown = filled(filling)
    asked_settings = settings(folder, address)
    assert shown == archives.cluster_report(asked_settings)
    assert shown.startswith("Archive: 2 articles, ")
    assert " sentences in OpenSearch, 127.0.0.1:" in shown
    assert shown in report(asked_settings)
    answer = open_service(asked_settings).answer(ASKED)
    assert isinstance(answer, Answer)
    assert answer == open_service(settings(folder, "", str(folder))).answer(ASKED)
    assert answer.extracts[0].citation.article_id == FERRY.id
    archiving.remove.callback.__wrapped__(asked_settings, [FERRY.id])
    assert f"Removed {FERRY.id}, 1 version." in capsys.readouterr().out
    assert isinstance(open_service(asked_settings).answer(ASKED), NoAnswer)
    with closing(archives.open_cluster_of(asked_settings)) as archive:
        assert FERRY.id not in {article.id for article in archive.listed()}
    with pytest.raises(InputError, match="There is no article"):
        archiving.remove.callback.__wrapped__(asked_settings, [FERRY.id])
    with pytest.raises(ArchiveError, match="`stet fill` puts articles there"):
        archiving.add.callback.__wrapped__(asked_settings, [str(folder)])


def test_an_archive_in_a_file_is_copied_with_its_versions(
    folder: Path, address: str, capsys: pytest.CaptureFixture[str], stet: Stet
) -> None:
    file = folder.parent / "data" / "archive.sqlite"
    own = settings(folder, str(file))
    for text in (FERRY.text, FERRY.text + " Nobody was hurt."):
        (folder / FERRY.id).write_text(text, encoding="utf-8")
        archiving.add.callback.__wrapped__(own, [str(folder)])
    capsys.readouterr()
    status, out, err = stet("fill", "--from", file, STET_ARCHIVE=address)
    assert (status, out, err) == (0, f"{archives.cluster_report(settings(folder, address))}\n", "")
    with closing(archives.open_cluster_of(settings(folder, address))) as copy, changing(open_archive_of(own)) as source:
        assert len(source.history(FERRY.id)) == 2
        assert copy.history(FERRY.id) == source.history(FERRY.id)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE versions SET reader = 'another' WHERE state = 'current'")
        connection.execute("UPDATE facts SET value = '[]' WHERE name = 'built'")
        connection.commit()
    status, out, _ = stet("fill", "--from", file, STET_ARCHIVE=address)
    reading, index = out.splitlines()[1:]
    assert (status, reading.startswith("  archive.sqlite: 2 articles read by another version of")) == (0, True)
    assert index.startswith("  archive.sqlite: It was indexed by another version of the program or of names.toml: ")


def test_a_file_that_is_not_there_is_not_made(folder: Path, stet: Stet) -> None:
    stet = partial(stet, STET_ARCHIVE="opensearch+http://127.0.0.1:1")
    there = folder / "archive.sqlite"
    status, _, err = stet("fill", "--from", there)
    assert (status, err) == (2, f"stet: There is no archive {there}: `stet add` makes one.\n")
    assert not there.exists()
    status, _, err = stet("fill", "--from", there, "--articles", folder)
    assert (status, err) == (2, "stet: Give either --articles or --from FILE, not both.\n")


def test_one_fills_and_another_asks(folder: Path, secured: Secured, secured_addresses: Callable[[], str]) -> None:
    address = secured_addresses()
    filling = settings(folder, address, str(folder), secured.credentials(FILLS))
    shown = filled(filling)
    asking = settings(folder, address, shown=secured.credentials(ASKS))
    assert shown in report(asking)
    answer = open_service(asking).answer(ASKED)
    assert isinstance(answer, Answer)
    assert answer.extracts[0].citation.article_id == FERRY.id
    with pytest.raises(ArchiveError, match="the user's role"):
        fill(archives.open_index_of(asking), read_articles(filling)[0], lambda: None, keep=True)


def test_articles_that_are_named_are_asked_and_not_the_archive(folder: Path) -> None:
    away = settings(folder, "opensearch+http://127.0.0.1:1", str(folder))
    assert isinstance(open_service(away).answer(ASKED), Answer)


def test_an_unreachable_cluster_is_reported_and_its_service_started_again(folder: Path, stet: Stet) -> None:
    stet = partial(stet, SLACK_BOT_TOKEN="xoxb-1", SLACK_APP_TOKEN="xoxb-1")
    with closing(socket.socket()) as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        address = f"opensearch+http://127.0.0.1:{silent.getsockname()[1]}"
        (folder.parent / "channels.toml").write_text("[default]\nwrong = 1\n", encoding="utf-8")
        away = replace(settings(folder, address), channels=str(folder.parent / "channels.toml"))
        found = list(report(away))
        assert f"Archive: {AWAY}" in found
        assert any(line.startswith("Channels: ") for line in found)
        with pytest.raises(ArchiveError, match=AWAY):
            open_service(settings(folder, address))
        status, _, err = stet("run", STET_ARCHIVE=address)
    assert err == f"stet: {AWAY}\n"
    wrong, _, _ = stet("run", STET_ARCHIVE="opensearch+http://nowhere.example:9200")
    unit = UNIT.read_text(encoding="utf-8")
    assert f"RestartPreventExitStatus={wrong}\n" in unit
    assert "Restart=on-failure\n" in unit
    assert status not in (0, wrong)


def test_whoever_serves_asks_the_cluster_as_it_is(folder: Path, address: str, caplog: pytest.LogCaptureFixture) -> None:
    """What is put in and taken out is seen by the next question; while the cluster is away, that is said."""
    filling = settings(folder, address, str(folder))
    filled(filling)
    [host] = parse(address).hosts
    relay = Relay(host)
    serving = settings(folder, address.replace(f":{host[1]}", f":{relay.port}"))
    service = open_service(serving)
    with erasing_removals(serving):
        assert isinstance(service.answer(ASKED), Answer)
        relay.cut()
        assert isinstance(service.answer(ASKED), Message)
        assert "The archive does not answer" in caplog.text
        (folder / FERRY.id).unlink()
        filled(filling)
        relay.mend()
        assert isinstance(service.answer(ASKED), NoAnswer)


def test_the_words_of_what_is_removed_leave_this_machine(
    folder: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "REMOVALS_PAUSE_SECONDS", 0.1)
    filling = settings(folder, address, str(folder))
    filled(filling)
    serving = settings(folder, address)
    with erasing_removals(serving), closing(archives.open_cluster_of(serving)) as archive:
        archive.remove(FERRY.id)
        wait_until(lambda: FERRY.id not in cached())
    assert cached()


def cached() -> set[str]:
    found = set()
    for file in (user_cache_path("stet") / "readings").glob("readings-*.sqlite"):
        with closing(WritableArchive(file)) as archive:
            found |= {each.id for each in archive.articles()}
    return found
