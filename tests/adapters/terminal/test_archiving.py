"""The lasting archive from the command line: added to, asked, taken from, checked."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.storage.store import Store, default_path
from bot import messages
from bot.command import Holdings
from bot.messages import NO_ARTICLE_YET
from bot.service import QuestionService
from retrieval import MeaningOnDemand, PersistentArchive
from retrieval.archive.subscriptions import Subscription
from tests.adapters.page.serving import browser
from tests.adapters.terminal.test_cli import PROJECT, STET, run
from tests.retrieval.intake.exports import FOOT, HEAD, post
from tests.retrieval.site import Answer, served
from tests.retrieval.test_following import page, rss

BELL = "---\nsource: The Oxley Bell\npublished: 2024-03-01\nurl: https://bell.example/{name}\n---\n"
HARBOUR = "The harbour of Sandholm is closed. Mayor Ada Quill said 12 boats were lost. Nobody was hurt in the storm."
SCHOOL = "The school on Mill Lane opens again on Monday. Its head, Piet Oru, thanked the parents."


@pytest.fixture
def copy_folder(tmp_path: Path) -> Path:
    """Return a folder with two articles."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        (folder / f"{name}.txt").write_text(BELL.format(name=name) + text, encoding="utf-8")
    return folder


def test_what_was_added_is_asked_where_no_articles_are_named(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, copy_folder: Path, tmp_path: Path
) -> None:
    """In place of the seeds; and what is there already costs nothing and says so."""
    archive = tmp_path / "data" / "stet" / "archive.sqlite"
    assert run(capsys, "add", str(copy_folder))[:2] == (
        0,
        f"2 added, 0 changed, 0 unchanged; 2 articles in {archive}.\n",
    )
    status, out, _ = run(capsys, "ask", "how many boats were lost")
    assert status == 0
    assert "Mayor Ada Quill said 12 boats were lost." in out
    (copy_folder / "late.txt").write_text("The mill burned down.", encoding="utf-8")
    (copy_folder / "empty.txt").write_text("", encoding="utf-8")
    status, out, _ = run(capsys, "add", str(copy_folder))
    assert (status, out) == (0, f"1 added, 0 changed, 2 unchanged, 1 left out; 3 articles in {archive}.\n")
    status, out, err = run(capsys, "add", str(copy_folder / "empty.txt"))
    assert (status, out) == (2, "")
    assert err.splitlines()[0].endswith("empty.txt can be read.")
    assert "empty.txt is left out: There is nothing in it" in caplog.text


def test_a_correction_is_quoted_and_what_was_shown_before_can_be_opened(
    capsys: pytest.CaptureFixture[str], copy_folder: Path
) -> None:
    """The newest is quoted, with the day of the change; the old extract says that it is superseded."""
    run(capsys, "add", str(copy_folder))
    file = copy_folder / "harbour.txt"
    file.write_text(file.read_text(encoding="utf-8").replace("12 boats", "14 boats"), encoding="utf-8")
    told, named = run(capsys, "add", str(copy_folder))[1].splitlines()
    assert told.startswith("0 added, 1 changed, 1 unchanged; ")
    assert named == "  changed: “The harbour of Sandholm is closed.” · 1 March 2024 · harbour.txt"
    _, out, _ = run(capsys, "ask", "how many boats were lost")
    assert "Mayor Ada Quill said 14 boats were lost." in out
    assert "12 boats" not in out
    assert "The Oxley Bell · corrected on " in out


def test_an_address_that_is_none_is_told_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "add", "ftp://bell.example/a")[::2] == (
        2,
        "stet: ftp://bell.example/a is not a web address.\nUse one that starts with https:// or http://.\n",
    )
    told = (
        "There is no file or folder bell.example/feed.xml.\n"
        "If it is a web address, write https://bell.example/feed.xml."
    )
    assert run(capsys, "add", "bell.example/feed.xml")[::2] == (2, f"stet: {told}\n")


def test_where_all_is_left_out_the_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A page that cannot be had is no success, and why is in words."""
    with served() as site:
        status, out, _ = run(capsys, "add", f"{site.address}/gone")
    assert (status, out.split(";")[0]) == (1, "0 added, 0 changed, 0 unchanged, 1 left out")


def test_of_many_that_changed_ten_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for boats in (12, 14):
        for each in range(12):
            (folder / f"{each:02}.txt").write_text(f"---\ntitle: Boats {each}\n---\nIt lost {boats}.", encoding="utf-8")
        _, *named = run(capsys, "add", str(folder))[1].splitlines()
    assert named == [*(f"  changed: Boats {each} · {each:02}.txt" for each in range(10)), "  and 2 more"]


@pytest.mark.rest
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_is_stopped_is_told_what_is_in(number: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for each in range(320):
        (folder / f"{each:03}.txt").write_text(f"{HARBOUR}\n\n" * 5 + f"Boat {each} sank.", encoding="utf-8")
    archive = tmp_path / "archive.sqlite"
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "STET_ARCHIVE": str(archive)}
    with subprocess.Popen(
        [*STET, "add", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as adding:
        while adding.poll() is None and not _held(archive):
            time.sleep(0.01)  # until some are in, as another process sees it
        adding.send_signal(number)
        out, err = adding.communicate(timeout=30)
    held = _held(archive)
    assert (adding.returncode, out) == (130, "")
    assert err == f"stet: Stopped after {held} of 320 articles.\nRun the command again to add the rest.\n"
    assert 0 < held < 320


def _held(archive: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{archive}?mode=ro", uri=True)) as file:
            return int(file.execute("SELECT count(*) FROM versions").fetchone()[0])
    except sqlite3.OperationalError:  # it is not there yet
        return 0


def test_a_new_empty_archive_is_of_this_version(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    PersistentArchive(tmp_path / "data" / "stet" / "archive.sqlite").close()
    out = run(capsys, "check")[1]
    assert "the file is intact." in out
    assert "another version" not in out


def test_an_editing_systems_export_is_added_and_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What is published in it; again, it costs nothing, and another text at the same address is a correction."""
    export = tmp_path / "export.xml"
    draft = {"wp:status": "draft", "link": "https://herald.example/?p=8"}
    export.write_text(HEAD + post(f"<p>{HARBOUR}</p>") + post(f"<p>{SCHOOL}</p>", **draft) + FOOT, encoding="utf-8")
    assert "1 added, 0 changed, 0 unchanged, 1 left out; 1 article in " in run(capsys, "add", str(export))[1]
    assert "0 added, 0 changed, 1 unchanged, 1 left out" in run(capsys, "add", str(export))[1]
    _, out, _ = run(capsys, "ask", "how many boats were lost")
    assert "Mayor Ada Quill said 12 boats were lost." in out
    assert "The Pellmarsh Herald" in out
    assert "Piet Oru" not in run(capsys, "ask", "who thanked the parents")[1]
    export.write_text(export.read_text(encoding="utf-8").replace("12 boats", "14 boats"), encoding="utf-8")
    assert "0 added, 1 changed" in run(capsys, "add", str(export))[1]


def test_an_article_is_taken_down_by_its_address_and_its_copies_are_named(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_ENCODER", "none")
    (copy_folder / "reprint.txt").write_text(HARBOUR, encoding="utf-8")
    run(capsys, "add", str(copy_folder))
    status, out, _ = run(capsys, "remove", "https://bell.example/harbour")
    assert (status, out) == (0, "Removed harbour.txt, 1 version.\nThe archive still has copies of it: reprint.txt.\n")
    assert run(capsys, "remove", "reprint.txt")[:2] == (0, "Removed reprint.txt, 1 version.\n")
    assert "12 boats" not in run(capsys, "ask", "how many boats were lost")[1]
    run(capsys, "remove", "school.txt")
    assert run(capsys, "ask", "how many boats were lost")[1] == f"{NO_ARTICLE_YET}\n"
    status, _, err = run(capsys, "remove", "nothing")
    assert status == 2
    assert "There is no article nothing in " in err


def test_vectors_are_made_when_articles_are_added_and_missing_ones_when_it_is_reindexed(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data" / "stet" / "archive.sqlite"
    earlier = tmp_path / "cache" / "stet" / "vectors" / "vectors.sqlite"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(b"of an earlier version")
    (copy_folder / "school.txt").rename(tmp_path / "school.txt")
    run(capsys, "add", str(copy_folder))
    monkeypatch.setenv("STET_ENCODER", "e5")
    assert "[!] 1 article can be found by words but not by meaning yet: `stet reindex` makes" in run(capsys, "check")[1]
    run(capsys, "add", str(tmp_path / "school.txt"))
    with closing(PersistentArchive(path)) as archive:
        assert archive.unencoded() == ()
    monkeypatch.setenv("STET_ENCODER", "none")
    run(capsys, "add", str(copy_folder.rename(tmp_path / "elsewhere")))
    monkeypatch.setenv("STET_ENCODER", "e5")
    assert run(capsys, "reindex")[0] == 0
    with closing(PersistentArchive(path)) as archive:
        assert archive.unencoded() == ()
    assert not earlier.exists()


def test_who_is_stopped_while_vectors_are_made_is_told_how_to_go_on(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("STET_ENCODER", "e5")
    monkeypatch.setattr(MeaningOnDemand, "in_context", stopped)
    status, out, err = run(capsys, "add", str(copy_folder))
    assert status == 130
    assert "2 added" in out
    assert "Stopped. 2 articles can be found by words but not by meaning yet: `stet reindex` makes" in err


def test_no_file_of_the_programs_has_a_removed_articles_words(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path
) -> None:
    """Neither the archive, nor the vectors, nor what is kept of a folder that was asked; nor what came to be since."""
    word = b"Sandholm"
    run(capsys, "add", str(copy_folder))
    run(capsys, "ask", "how many boats were lost")
    run(capsys, "ask", "how many boats were lost", "--articles", str(copy_folder))

    def holding() -> set[str]:
        files = (file for file in tmp_path.rglob("*") if file.is_file() and copy_folder not in file.parents)
        return {file.name for file in files if word.lower() in file.read_bytes().lower()}

    assert holding()
    assert run(capsys, "remove", "https://bell.example/harbour")[0] == 0
    (copy_folder / "harbour.txt").unlink()
    assert run(capsys, "ask", "when does the school open", "--articles", str(copy_folder))[0] == 0
    assert holding() == set()


def words_of_the_harbour(tmp_path: Path) -> set[str]:
    """Return the names of the files, but the articles themselves, that have a word of the one on the harbour."""
    files = (file for file in tmp_path.rglob("*") if file.is_file() and file.parent.name != "copy")
    return {file.name for file in files if b"sandholm" in file.read_bytes().lower()}


async def test_no_answer_that_is_kept_has_a_removed_articles_words(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the page alone runs, and has the state open; another article's answers stay."""
    monkeypatch.setenv("STET_ENCODER", "none")
    run(capsys, "add", str(copy_folder))
    with Store(default_path()) as store:
        archive = PersistentArchive(tmp_path / "data" / "stet" / "archive.sqlite")
        async with browser(QuestionService(Holdings(archive)), store=store) as client:
            assert "Sandholm" in (await client.get("/", params={"q": "is the harbour closed"})).text
        archive.close()
        assert {"stet.sqlite-wal", "archive.sqlite"} <= words_of_the_harbour(tmp_path)
        assert run(capsys, "remove", "harbour.txt")[0] == 0
        assert words_of_the_harbour(tmp_path) == set()
        assert json.loads(store.last_answers(1)[0][1].reply)["kind"] == "answer"


@pytest.mark.parametrize("named", ["harbour.txt", "https://bell.example/harbour"])
def test_a_removal_that_was_killed_half_way_is_finished_when_it_is_run_again(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path, named: str
) -> None:
    """By whatever name; and by whoever adds something meanwhile."""
    run(capsys, "add", str(copy_folder))
    run(capsys, "ask", "how many boats were lost", "--articles", str(copy_folder))
    archive = PersistentArchive(tmp_path / "data" / "stet" / "archive.sqlite")
    archive.remove("harbour.txt")  # as far as it came
    archive.close()
    assert words_of_the_harbour(tmp_path)
    status, out, _ = run(capsys, "remove", named)
    assert (status, out) == (0, f"Finished the removal of {named}, which had been interrupted.\n")
    assert words_of_the_harbour(tmp_path) == set()
    assert run(capsys, "remove", named)[0] == 2


def test_nothing_is_removed_where_one_name_is_wrong(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path
) -> None:
    """Neither an article nor a feed: all are looked up first."""
    run(capsys, "add", str(copy_folder))
    archive = PersistentArchive(tmp_path / "data" / "stet" / "archive.sqlite")
    archive.subscriptions.put(Subscription("https://bell.example/feed", 0.0))
    for named in (("https://bell.example/feed", "typo"), ("harbour.txt", "typo")):
        status, out, err = run(capsys, "remove", *named)
        assert (status, out) == (2, "")
        assert "There is no article typo in " in err
    assert len(archive.articles()) == 2
    assert run(capsys, "remove", "https://bell.example/feed")[1] == "Stopped following https://bell.example/feed.\n"
    assert archive.subscriptions.every() == ()
    archive.close()


def test_an_embargo_that_is_added_leaves_no_word_in_what_is_kept(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path
) -> None:
    file = copy_folder / "harbour.txt"
    run(capsys, "add", str(copy_folder))
    run(capsys, "ask", "how many boats were lost", "--articles", str(copy_folder))
    file.write_text(BELL.format(name="harbour") + HARBOUR.replace("12", "14"), encoding="utf-8")
    run(capsys, "add", str(file))
    head = BELL.format(name="harbour").replace("source", "title: The harbour\nembargo: 2096-01-01T18:00Z\nsource")
    file.write_text(head + HARBOUR.replace("12", "14"), encoding="utf-8")
    assert run(capsys, "add", str(file))[1].endswith("1 article embargoed until 1 January 2096, 18:00 +00:00.\n")
    assert words_of_the_harbour(tmp_path) == {"archive.sqlite"}
    assert run(capsys, "remove", "harbour.txt")[1] == "Removed “The harbour” (harbour.txt), 2 versions.\n"
    assert words_of_the_harbour(tmp_path) == set()


def test_the_check_tells_of_the_archive(capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path) -> None:
    """Whether there is one, how much is in it, whether it is whole, and of whom."""
    archive = tmp_path / "data" / "stet" / "archive.sqlite"
    assert f"Archive: none yet in {archive}. `stet add` makes one." in run(capsys, "check")[1]
    run(capsys, "add", str(copy_folder))
    _, out, _ = run(capsys, "check")
    assert f"Archive: 2 articles, 5 sentences in {archive}; the file is intact." in out
    assert "  The Oxley Bell: 2 articles, 1 March 2024\n" in out
    assert "Articles: from the archive." in out
    assert "read by another version" not in out
    assert "  It is not searched: STET_ARTICLES or --articles names other articles." not in out
    (archive.parent / "names.toml").write_text('same = [["Ada Quill", "Mrs Quill"]]', encoding="utf-8")
    assert "`stet reindex` rebuilds it" in run(capsys, "check")[1]
    assert run(capsys, "reindex")[:2] == (0, f"Rebuilt the index of 2 articles in {archive}.\n")
    assert "`stet reindex` rebuilds it" not in run(capsys, "check")[1]


def test_what_is_held_is_told_with_its_time(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_TIMEZONE", "Europe/Berlin")
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        file = copy_folder / f"{name}.txt"
        file.write_text(f"---\nTitle: The {name}\nembargo: 2096-01-01T18:00\n---\n{text}", encoding="utf-8")
    _, out, _ = run(capsys, "add", str(copy_folder))
    assert "2 added, 0 changed, 0 unchanged; 0 articles in " in out
    assert out.endswith("\n2 articles embargoed until 1 January 2096, 18:00 +01:00.\n")
    file.write_text(f"---\nTitle: The school\nembargo: 2097-07-01T18:00\n---\n{SCHOOL}", encoding="utf-8")
    _, out, _ = run(capsys, "add", str(file))
    assert "0 added, 1 changed, 0 unchanged" in out
    assert out.endswith("\n1 article embargoed until 1 July 2097, 18:00 +02:00.\n")
    _, out, _ = run(capsys, "check")
    assert "  “The harbour” (harbour.txt) is embargoed until 1 January 2096, 18:00 +01:00.\n" in out
    assert "  “The school” (school.txt) is embargoed until 1 July 2097, 18:00 +02:00.\n" in out
    file.write_text(f"---\nTitle: The school\n---\n{SCHOOL}", encoding="utf-8")
    assert "embargoed until" not in run(capsys, "add", str(file))[1]
    assert "thanked the parents" in run(capsys, "ask", "who thanked the parents")[1]


def test_what_another_version_has_read_is_told_and_read_anew(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "add", str(copy_folder))
    archive = tmp_path / "data" / "stet" / "archive.sqlite"
    with sqlite3.connect(archive) as connection:
        connection.execute("UPDATE versions SET reader = 'an earlier version' WHERE id = 'school.txt'")
    connection.close()
    _, out, _ = run(capsys, "check")
    assert "1 article read by another version of the program: `stet reindex` reads them again." in out
    assert "Read 1 article again.\n" in run(capsys, "reindex")[1]
    monkeypatch.setenv("STET_ARTICLES", str(copy_folder))
    _, out, _ = run(capsys, "check")
    assert "read by another version" not in out
    assert "  It is not searched: STET_ARTICLES or --articles names other articles." in out
    assert f"Articles: 2 from {copy_folder}: 5 sentences" in out


def test_a_file_that_is_no_archive_is_named(
    capsys: pytest.CaptureFixture[str], copy_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every command that would open it."""
    notes = tmp_path / "notes.txt"
    notes.write_text("Buy milk. " * 100, encoding="utf-8")
    monkeypatch.setenv("STET_ARCHIVE", str(notes))
    for words in (("add", str(copy_folder)), ("remove", "x"), ("reindex",), ("ask", "who is there")):
        status, _, err = run(capsys, *words)
        assert status == 2
        assert "notes.txt cannot be used" in err
    assert "Archive: The archive" in run(capsys, "check")[1]


def test_a_feed_that_has_not_changed_is_told_in_place_of_noughts(capsys: pytest.CaptureFixture[str]) -> None:
    """When it is added again; with no password that stands in its address, there or anywhere."""
    with served() as site:
        site.answers["/feed"] = rss(site.address, ("/harbour", ""), ("/gone", ""))
        site.answers["/harbour"] = page(HARBOUR)
        feed = f"{site.address}/feed".replace("http://", "http://ada:secret@")
        told = [run(capsys, "add", feed)]
        told.append(run(capsys, "add", feed))
        today = messages.day(datetime.now(UTC).date())
        hidden = feed.replace("ada:secret", "…")
        assert told[1][:2] == (0, f"{hidden} has not changed since {today}, when it last had new articles.\n")
        told.append(run(capsys, "check"))
        assert f"  Feed {hidden}: followed\n" in told[2][1]
        told.append(run(capsys, "remove", feed))
        assert told[3][:2] == (0, f"Stopped following {hidden}.\n")
        site.answers["/feed"] = Answer(status=500)
        told.append(run(capsys, "add", feed))
    assert "secret" not in repr(told)


def test_what_one_server_sends_ends_no_watch(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as good, served() as bad:
        good.answers["/feed"] = rss(good.address, ("/harbour", ""))
        good.answers["/harbour"] = page(HARBOUR)
        bad.answers["/feed"] = Answer("<rss version='2.0'><channel><title>&#999999999999;</title></channel></rss>")
        feeds = {"STET_FEEDS": f"{bad.address}/feed,{good.address}/feed"}
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv(*feeds.popitem())
            status, out, _ = run(capsys, "follow", "--once")
        assert status == 0
        assert f"{bad.address}/feed: Reading its feed failed (OverflowError in " in out
        assert "1 added, 0 changed, 0 unchanged; 1 article in " in out
        assert f"Feed {bad.address}/feed: Reading its feed failed (OverflowError in " in run(capsys, "check")[1]


def test_one_slip_in_a_table_releases_no_embargo(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    table = folder / "articles.toml"
    entry = '["{}.txt"]\nembargo = 2096-01-01T18:00:00Z\n'
    whole = "".join(map(entry.format, ("harbour", "school")))
    table.write_text(whole, encoding="utf-8")
    assert run(capsys, "add", str(folder))[1].startswith("2 added")
    os.utime(table, (1, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STET_FEEDS", str(folder))
        for broken in (whole.replace('"', "", 1), whole.replace("harbour", "HARBOUR")):
            table.write_text(broken, encoding="utf-8")
            os.utime(table, (1, 1))
            status, out, _ = run(capsys, "add", str(folder))
            assert (status, out.startswith("0 added, 0 changed, 0 unchanged, 1 left out; 0 articles")) == (1, True)
            assert "Until then nothing in its folder is added or changed" in caplog.text
            caplog.clear()
            assert run(capsys, "follow", "--once")[0] == 0
            assert "is under an embargo stays hidden" in caplog.text
            caplog.clear()
            status, out, _ = run(capsys, "check")
            assert out.count(" is embargoed until ") == 2
            assert f"Feed {folder}: {table}" in out
            with closing(PersistentArchive(tmp_path / "data" / "stet" / "archive.sqlite")) as archive:
                archive.subscriptions.remove(str(folder))
