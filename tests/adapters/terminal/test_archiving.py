"""The lasting archive from the command line: added to, asked, taken from, checked."""

import json
import os
import sqlite3
import subprocess
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from adapters.storage.store import Store, default_path
from bot import messages
from bot.command import Library
from bot.messages import NO_ARTICLE_YET
from bot.service import QuestionService
from retrieval import MeaningOnDemand, PersistentArchive
from retrieval.archive.subscriptions import Subscription
from tests.adapters.conftest import BELL, HARBOUR, SCHOOL
from tests.adapters.page.serving import browser
from tests.retrieval.intake.test_exports import FOOT, HEAD, post
from tests.retrieval.site import Answer, served
from tests.retrieval.test_following import page, rss
from tests.support.program import STET, Stet, environment_of, printed, refused
from tests.support.tables import cases

pytestmark = [pytest.mark.rest, pytest.mark.usefixtures("samples")]

LOST = "how many boats were lost"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "data" / "stet" / "archive.sqlite"


@pytest.fixture
def added(stet: Stet, copy_folder: Path) -> Path:
    """Return the folder of two articles, which were added."""
    stet("add", copy_folder)
    return copy_folder


def leftovers() -> set[str]:
    """Return the names of files, apart from the articles, that have a word of the one on the harbour."""
    every = (file for file in Path().rglob("*") if file.is_file() and file.parent.name != "copy")
    return {file.name for file in every if b"sandholm" in file.read_bytes().lower()}


def test_what_was_added_is_asked_where_no_articles_are_named(
    stet: Stet, caplog: pytest.LogCaptureFixture, copy_folder: Path, archive: Path
) -> None:
    assert printed(stet, "add", copy_folder).splitlines() == [
        f"2 added, 0 changed, 0 unchanged; 2 articles in {archive}.",
        "From now on this archive is searched, and the samples are not.",
    ]
    assert "Mayor Ada Quill said 12 boats were lost." in printed(stet, "ask", LOST)
    (copy_folder / "late.txt").write_text("The mill burned down.", encoding="utf-8")
    (copy_folder / "empty.txt").write_text("", encoding="utf-8")
    out = printed(stet, "add", copy_folder)
    assert out == f"1 added, 0 changed, 2 unchanged, 1 left out; 3 articles in {archive}.\n"
    assert refused(stet, "add", copy_folder / "empty.txt").splitlines()[0].endswith("empty.txt can be read.")
    assert "empty.txt is left out: There is nothing in it" in caplog.text


def test_a_correction_is_quoted_and_what_was_shown_before_can_be_opened(stet: Stet, added: Path) -> None:
    file = added / "harbour.txt"
    file.write_text(file.read_text(encoding="utf-8").replace("12 boats", "14 boats"), encoding="utf-8")
    shown, named = stet("add", added)[1].splitlines()
    assert shown.startswith("0 added, 1 changed, 1 unchanged; ")
    assert named == "  changed: “The harbour of Sandholm is closed.” · 1 March 2024 · harbour.txt"
    _, out, _ = stet("ask", LOST)
    assert "Mayor Ada Quill said 14 boats were lost." in out
    assert "12 boats" not in out
    assert "The Oxley Bell · corrected on " in out


def test_a_mistyped_address_is_explained(stet: Stet) -> None:
    advice = "is not a web address.\nUse one that starts with https:// or http://.\n"
    assert refused(stet, "add", "ftp://bell.example/a") == f"stet: ftp://bell.example/a {advice}"
    for bare in ("bell.example/feed.xml", "www.bell.example"):
        shown = f"stet: There is no file or folder {bare}.\nIf it is a web address, write https://{bare}.\n"
        assert refused(stet, "add", bare) == shown
    assert "web address" not in refused(stet, "add", "ferry.txt")


def test_an_editing_systems_export_is_added_and_asked(stet: Stet) -> None:
    export = Path("export.xml")
    draft = {"wp:status": "draft", "link": "https://herald.example/?p=8"}
    export.write_text(HEAD + post(f"<p>{HARBOUR}</p>") + post(f"<p>{SCHOOL}</p>", **draft) + FOOT, encoding="utf-8")
    assert "1 added, 0 changed, 0 unchanged, 1 left out; 1 article in " in stet("add", export)[1]
    assert "0 added, 0 changed, 1 unchanged, 1 left out" in stet("add", export)[1]
    _, out, _ = stet("ask", LOST)
    assert "Mayor Ada Quill said 12 boats were lost." in out
    assert "The Pellmarsh Herald" in out
    assert "Piet Oru" not in stet("ask", "who thanked the parents")[1]
    export.write_text(export.read_text(encoding="utf-8").replace("12 boats", "14 boats"), encoding="utf-8")
    assert "0 added, 1 changed" in stet("add", export)[1]


def test_an_article_is_removed_by_its_address_and_its_copies_are_named(stet: Stet, copy_folder: Path) -> None:
    (copy_folder / "reprint.txt").write_text(HARBOUR, encoding="utf-8")
    stet("add", copy_folder)
    out = printed(stet, "remove", "https://bell.example/harbour")
    assert out == "Removed harbour.txt, 1 version.\nThe archive still has copies of it: reprint.txt.\n"
    assert printed(stet, "remove", "reprint.txt") == "Removed reprint.txt, 1 version.\n"
    assert "12 boats" not in stet("ask", LOST)[1]
    stet("remove", "school.txt")
    assert stet("ask", LOST)[1] == f"{NO_ARTICLE_YET}\n"
    assert "There is no article nothing in " in refused(stet, "remove", "nothing")


def test_adding_makes_vectors_and_reindexing_the_missing_ones(stet: Stet, archive: Path, copy_folder: Path) -> None:
    encoding = partial(stet, STET_ENCODER="e5")
    (copy_folder / "school.txt").rename("school.txt")
    stet("add", copy_folder)
    assert "[!] 1 article can be found by words but not by meaning yet: `stet reindex` makes" in encoding("check")[1]
    with closing(PersistentArchive(archive)) as opened:
        encoding("add", "school.txt")
        assert opened.unencoded() == ()
        stet("add", copy_folder.rename("elsewhere"))
        assert encoding("reindex")[0] == 0
        assert opened.unencoded() == ()


def test_stopping_at_vectors_says_how_to_go_on(stet: Stet, copy_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MeaningOnDemand, "in_context", Mock(side_effect=KeyboardInterrupt))
    status, out, err = stet("add", copy_folder, STET_ENCODER="e5")
    assert status == 130
    assert "2 added" in out
    assert "Stopped. 2 articles can be found by words but not by meaning yet: `stet reindex` makes" in err


def test_no_file_has_a_removed_articles_words(stet: Stet, added: Path) -> None:
    stet("ask", LOST)
    stet("ask", LOST, "--articles", added)
    assert leftovers()
    assert stet("remove", "https://bell.example/harbour")[0] == 0
    (added / "harbour.txt").unlink()
    assert stet("ask", "when does the school open", "--articles", added)[0] == 0
    assert leftovers() == set()


@pytest.mark.usefixtures("added")
async def test_no_stored_answer_has_a_removed_articles_words(stet: Stet, archive: Path) -> None:
    with Store(default_path()) as store:
        opened = PersistentArchive(archive)
        async with browser(QuestionService(Library(opened)), store=store) as client:
            assert "Sandholm" in (await client.get("/", params={"q": "is the harbour closed"})).text
        opened.close()
        assert {"stet.sqlite-wal", "archive.sqlite"} <= leftovers()
        assert stet("remove", "harbour.txt")[0] == 0
        assert leftovers() == set()
        assert json.loads(store.last_answers(1)[0][1].reply)["kind"] == "answer"


@pytest.mark.parametrize("named", ["harbour.txt", "https://bell.example/harbour"])
def test_a_killed_removal_is_finished_when_it_is_run_again(stet: Stet, added: Path, archive: Path, named: str) -> None:
    stet("ask", LOST, "--articles", added)
    with closing(PersistentArchive(archive)) as opened:
        opened.remove("harbour.txt")  # as far as it came
    assert leftovers()
    out = printed(stet, "remove", named)
    assert out == f"Finished the removal of {named}, which had been interrupted.\n"
    assert leftovers() == set()
    assert stet("remove", named)[0] == 2


@pytest.mark.usefixtures("added")
def test_nothing_is_removed_where_one_name_is_wrong(stet: Stet, archive: Path) -> None:
    feed = "https://bell.example/feed"
    with closing(PersistentArchive(archive)) as opened:
        opened.subscriptions.put(Subscription(feed, 0.0))
        for named in (feed, "harbour.txt"):
            assert "There is no article typo in " in refused(stet, "remove", named, "typo")
        assert len(opened.articles()) == 2
        assert stet("remove", feed)[1] == f"Stopped following {feed}.\n"
        assert opened.subscriptions.every() == ()


def test_an_embargo_that_is_added_leaves_no_word_elsewhere(stet: Stet, added: Path) -> None:
    file = added / "harbour.txt"
    stet("ask", LOST, "--articles", added)
    file.write_text(BELL.format(name="harbour") + HARBOUR.replace("12", "14"), encoding="utf-8")
    stet("add", file)
    head = BELL.format(name="harbour").replace("source", "title: The harbour\nembargo: 2096-01-01T18:00Z\nsource")
    file.write_text(head + HARBOUR.replace("12", "14"), encoding="utf-8")
    assert "\n1 article embargoed until 1 January 2096, 18:00 +00:00.\n" in stet("add", file)[1]
    assert leftovers() == {"archive.sqlite"}
    assert stet("remove", "harbour.txt")[1] == "Removed “The harbour” (harbour.txt), 2 versions.\n"
    assert leftovers() == set()


def test_the_check_describes_the_archive(stet: Stet, copy_folder: Path, archive: Path) -> None:
    assert f"Archive: none yet in {archive}. `stet add` makes one." in stet("check")[1]
    stet("add", copy_folder)
    _, out, _ = stet("check")
    assert f"Archive: 2 articles, 5 sentences in {archive}; the file is intact." in out
    assert "  The Oxley Bell: 2 articles, 1 March 2024\n" in out
    assert "Articles: from the archive." in out
    assert "read by another version" not in out
    assert "  It is not searched: STET_ARTICLES or --articles names other articles." not in out
    (archive.parent / "names.toml").write_text('same = [["Ada Quill", "Mrs Quill"]]', encoding="utf-8")
    assert "`stet reindex` rebuilds it" in stet("check")[1]
    assert stet("reindex")[:2] == (0, f"Rebuilt the index of 2 articles in {archive}.\n")
    assert "`stet reindex` rebuilds it" not in stet("check")[1]


def test_embargoes_are_reported_with_their_end(stet: Stet, copy_folder: Path) -> None:
    stet = partial(stet, STET_TIMEZONE="Europe/Berlin")
    for name, text in (("harbour", HARBOUR), ("school", SCHOOL)):
        file = copy_folder / f"{name}.txt"
        file.write_text(f"---\nTitle: The {name}\nembargo: 2096-01-01T18:00\n---\n{text}", encoding="utf-8")
    out = stet("add", copy_folder)[1]
    assert "2 added, 0 changed, 0 unchanged; 0 articles in " in out
    assert "\n2 articles embargoed until 1 January 2096, 18:00 +01:00.\n" in out
    file.write_text(f"---\nTitle: The school\nembargo: 2097-07-01T18:00\n---\n{SCHOOL}", encoding="utf-8")
    out = stet("add", file)[1]
    assert "0 added, 1 changed, 0 unchanged" in out
    assert "\n1 article embargoed until 1 July 2097, 18:00 +02:00.\n" in out
    out = stet("check")[1]
    assert "  “The harbour” (harbour.txt) is embargoed until 1 January 2096, 18:00 +01:00.\n" in out
    assert "  “The school” (school.txt) is embargoed until 1 July 2097, 18:00 +02:00.\n" in out
    file.write_text(f"---\nTitle: The school\n---\n{SCHOOL}", encoding="utf-8")
    assert "embargoed until" not in stet("add", file)[1]
    assert "thanked the parents" in stet("ask", "who thanked the parents")[1]


def test_what_another_version_read_is_reported_and_read_again(stet: Stet, added: Path, archive: Path) -> None:
    with closing(sqlite3.connect(archive)) as connection, connection:
        connection.execute("UPDATE versions SET reader = 'an earlier version' WHERE id = 'school.txt'")
    assert "1 article read by another version of the program: `stet reindex` reads them again." in stet("check")[1]
    assert "Read 1 article again.\n" in stet("reindex")[1]
    out = stet("check", STET_ARTICLES=added)[1]
    assert "read by another version" not in out
    assert "  It is not searched: STET_ARTICLES or --articles names other articles." in out
    assert f"Articles: 2 from {added}: 5 sentences" in out


def test_reindexing_from_files_renews_texts_and_says_how_many(
    stet: Stet, copy_folder: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (copy_folder / "mill.md").write_text("The mill employs ~~310~~ 295 people.", encoding="utf-8")
    with monkeypatch.context() as earlier:  # a version that leaves struck-out words in
        earlier.setattr("retrieval.intake.marks._STRUCK", frozenset())
        stet("add", copy_folder)
    assert "310 295 people" in stet("ask", "how many people does the mill employ")[1]
    (copy_folder / "school.txt").unlink()
    assert printed(stet, "reindex", "--from-files").splitlines() == [
        "Renewed 1 of 3 articles from their files.",
        "  1 article not renewed (the file is gone): school.txt.",
        f"Rebuilt the index of 3 articles in {archive}.",
    ]
    out = stet("ask", "how many people does the mill employ")[1]
    assert "The mill employs 295 people." in out
    assert "corrected" not in out


def test_a_file_that_is_no_archive_is_named(stet: Stet, copy_folder: Path) -> None:
    notes = Path("notes.txt")
    notes.write_text("Buy milk. " * 100, encoding="utf-8")
    stet = partial(stet, STET_ARCHIVE=notes)
    for words in (("add", str(copy_folder)), ("remove", "x"), ("reindex",), ("ask", "who is there")):
        assert "notes.txt cannot be used" in refused(stet, *words)
    assert "Archive: The archive" in stet("check")[1]


def test_an_archive_that_is_not_there_is_not_answered_from_the_samples(stet: Stet) -> None:
    for words in (("ask", "who is there"), ("who", "Ann Bell"), ("page",)):
        error = refused(stet, *words, STET_ARCHIVE="mistyped.sqlite")
        assert "There is no archive at mistyped.sqlite yet. `stet add` creates one." in " ".join(error.split())


def test_an_unchanged_feed_says_so(stet: Stet) -> None:
    with served() as site:
        site.answers["/feed"] = rss(site.address, ("/harbour", ""), ("/gone", ""))
        site.answers["/harbour"] = page(HARBOUR)
        feed = f"{site.address}/feed".replace("http://", "http://ada:secret@")
        shown = [stet("add", feed), stet("add", feed)]
        today = messages.day(datetime.now(UTC).date())
        hidden = feed.replace("ada:secret", "…")
        assert shown[1][:2] == (0, f"{hidden} has not changed since {today}, when it last had new articles.\n")
        shown.append(stet("check"))
        assert f"  Feed {hidden}: followed\n" in shown[2][1]
        shown.append(stet("remove", feed))
        assert shown[3][:2] == (0, f"Stopped following {hidden}.\n")
        site.answers["/feed"] = Answer(status=500)
        shown.append(stet("add", feed))
    assert "secret" not in repr(shown)


def test_a_broken_feed_does_not_stop_the_others(stet: Stet) -> None:
    with served() as good, served() as bad:
        good.answers["/feed"] = rss(good.address, ("/harbour", ""))
        good.answers["/harbour"] = page(HARBOUR)
        bad.answers["/feed"] = Answer("<rss version='2.0'><channel><title>&#999999999999;</title></channel></rss>")
        out = printed(stet, "follow", "--once", STET_FEEDS=f"{bad.address}/feed,{good.address}/feed")
        assert f"{bad.address}/feed: Reading its feed failed (OverflowError in " in out
        assert "1 added, 0 changed, 0 unchanged; 1 article in " in out
        assert f"Feed {bad.address}/feed: Reading its feed failed (OverflowError in " in stet("check")[1]


def test_one_slip_in_a_table_releases_no_embargo(
    stet: Stet, archive: Path, caplog: pytest.LogCaptureFixture, copy_folder: Path
) -> None:
    folder, table = copy_folder, copy_folder / "articles.toml"
    entry = '["{}.txt"]\nembargo = 2096-01-01T18:00:00Z\n'
    whole = "".join(map(entry.format, ("harbour", "school")))
    table.write_text(whole, encoding="utf-8")
    assert stet("add", folder)[1].startswith("2 added")
    os.utime(table, (1, 1))
    stet = partial(stet, STET_FEEDS=folder)
    for broken in (whole.replace('"', "", 1), whole.replace("harbour", "HARBOUR")):
        table.write_text(broken, encoding="utf-8")
        os.utime(table, (1, 1))
        status, out, _ = stet("add", folder)
        assert (status, out.startswith("0 added, 0 changed, 0 unchanged, 1 left out; 0 articles")) == (1, True)
        assert "Until then nothing in its folder is added or changed" in caplog.text
        caplog.clear()
        assert stet("follow", "--once")[0] == 0
        assert "is under an embargo stays hidden" in caplog.text
        caplog.clear()
        out = stet("check")[1]
        assert out.count(" is embargoed until ") == 2
        assert f"Feed {folder}: {table}" in out
        with closing(PersistentArchive(archive)) as opened:
            opened.subscriptions.remove(str(folder))


@cases("words, feeds")
def test_a_command_that_adds_nothing_makes_no_archive(stet: Stet, archive: Path, words: str, feeds: str) -> None:
    err = refused(stet, *words.split(), STET_FEEDS=feeds)
    assert err == f"stet: There is no archive at {archive} yet.\n`stet add` creates one.\n"
    assert not archive.exists()


FROM_SAMPLES = "Articles: 5 from the samples"


@cases("words, expected")
def test_an_add_that_adds_nothing_makes_no_archive(stet: Stet, archive: Path, words: str, expected: int) -> None:
    for name in ("docs", "folder"):
        Path(name).mkdir()
    for name, text in (("empty", ""), ("blank", " \n")):
        Path("docs", f"{name}.txt").write_text(text, encoding="utf-8")
    with served() as site:
        site.answers["/feed"] = Answer(status=500)
        status, out, _ = stet("add", *words.replace("SITE", site.address).split())
    assert (status, "the samples are not" in out) == (expected, False)
    assert out.startswith("0 added, 0 changed, 0 unchanged, 1 left out;") or expected == 2
    assert list(archive.parent.glob("archive.sqlite*")) == []
    assert FROM_SAMPLES in stet("check")[1]
    assert NO_ARTICLE_YET not in stet("ask", LOST)[1]


@pytest.mark.usefixtures("added")
def test_an_add_that_fails_leaves_the_archive_that_was_there(stet: Stet, archive: Path) -> None:
    assert stet("add", "nowhere")[0] == 2
    assert "12 boats" in stet("ask", LOST)[1]
    stet("remove", "harbour.txt", "school.txt")
    assert stet("add", "nowhere")[0] == 2
    assert archive.exists()
    assert NO_ARTICLE_YET in stet("ask", LOST)[1]  # what was removed on purpose is not replaced by samples
    status, out, _ = stet("check")
    assert (status, f"[!] Archive: no articles in {archive}. `stet add PATH` adds some.\n" in out) == (1, True)


def test_a_failed_add_leaves_an_archive_in_use(stet: Stet, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, others = PersistentArchive.is_untouched, ExitStack()

    def is_untouched(opened: PersistentArchive) -> bool:
        others.enter_context(closing(PersistentArchive(opened.path)))
        return real(opened)

    monkeypatch.setattr(PersistentArchive, "is_untouched", is_untouched)
    with others:
        stet("add", "nowhere")
        assert archive.exists()


def test_an_archive_that_nothing_was_added_to_does_not_replace_the_samples(stet: Stet, archive: Path) -> None:
    PersistentArchive(archive).close()  # as a first `stet add` that was killed leaves it
    assert NO_ARTICLE_YET not in stet("ask", LOST)[1]
    status, out, _ = stet("check")
    assert (status, FROM_SAMPLES in out) == (1, True)
    assert f"[!] Archive: no articles in {archive}. `stet add PATH` adds some. Until then, the samples are" in out
    with closing(PersistentArchive(archive)) as opened:  # a feed may bring the first article any time
        opened.subscriptions.put(Subscription("https://gull.example/feed", 0))
    assert "Articles: from the archive." in stet("check")[1]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        *(("archive", words) for words in ("add desk", "ask who", "check", "page", "run")),
        *(("state", words) for words in ("audit", "check", "run")),
    ],
)
def test_a_file_of_another_version_is_refused_by_every_command(
    stet: Stet, archive: Path, kind: str, words: str, copy_folder: Path
) -> None:
    file, make = {"archive": (archive, PersistentArchive), "state": (default_path(), Store)}[kind]
    make(file).close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 11")
    copy_folder.rename("desk")
    page = {"STET_PAGE_URL": "http://127.0.0.1:8070", "STET_PAGE_SECRET": "long enough to be a secret"}
    status, out, err = stet(*words.split(), **page)
    assert status == (1 if words == "check" else 2)
    assert f"{file} was made by another version of Stet, which this one cannot read." in out + err
    assert ("`stet add` the same files" in out + err) == (kind == "archive")


@pytest.mark.parametrize("words", ["export", "ask --batch questions.jsonl"])
def test_a_reader_that_is_gone_ends_a_command_quietly(words: str, copy_folder: Path) -> None:
    for number in range(8):  # what is printed is more than is written at a time
        (copy_folder / f"{number}.txt").write_text(f"Quay {number} is closed. " * 50)
    Path("questions.jsonl").write_text('{"id": 1, "question": "which quay is closed?"}\n' * 20)
    command = [*STET, *words.split(), "--articles", copy_folder]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, env=environment_of(), text=True) as run:
        run.stdout.close()
        assert (run.stderr.read(), run.wait()) == ("", 1)
