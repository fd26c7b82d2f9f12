import json
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from retrieval import errors
from retrieval.intake.articles import load_articles
from retrieval.intake.files import read_file
from retrieval.model import Article
from tests.support.articles import PLAIN, SUNK, loaded, refused, written
from tests.support.tables import cases, rows


def _one(file: Path) -> Article:
    found = load_articles([file])
    assert found.rejected == ()
    [article] = found.articles
    return article


def _refusal(folder: Path, content: str, name: str = "a.txt") -> str:
    return str(refused(loaded(folder, content, name), folder / name))


def test_a_text_keeps_every_character_but_the_mark_and_the_line_ends(tmp_path: Path) -> None:
    file = written(tmp_path / "a.txt", b"\xef\xbb\xbf  One.\r\nTwo.\rThree. \n")
    assert _one(file) == Article("a.txt", "  One.\nTwo.\nThree. \n", path=str(file))


def test_front_matter_is_no_part_of_the_text(tmp_path: Path) -> None:
    address = "https://desk:hush@example.org/a?to=ann@example.net"  # whoever reads the article is not told the password
    head = f"---\ntitle: 'Ferry: lost'\npublisher: Harbour News\ndate: 2019-05-06\nurl: {address}\n"
    file = written(tmp_path / "a.md", f"{head}author: Ann Bell\nwire: AFP\ntags: [sea]\n---\n\n{SUNK}\n")
    about = {"title": "Ferry: lost", "source": "Harbour News", "author": "Ann Bell", "wire": "AFP"}
    about |= {"url": "https://example.org/a?to=ann@example.net", "path": str(file)}
    assert _one(file) == Article("a.md", f"\n{SUNK}\n", published=date(2019, 5, 6), **about)


@cases("head, fields")
def test_a_key_is_read_as_it_is_written(tmp_path: Path, head: str, fields: dict[str, object]) -> None:
    article = _one(written(tmp_path / "a.txt", f"---\n{head}\n---\n{SUNK}"))
    assert {name: getattr(article, name) for name in fields or ("published",)} == (fields or {"published": None})


@cases("key, meant")
def test_a_key_that_is_like_one_of_ours_is_refused_with_the_nearest_name(tmp_path: Path, key: str, meant: str) -> None:
    refusal = _refusal(tmp_path, f"---\n{key}: 2026-12-01T18:00Z\n---\n{SUNK}")
    assert refusal == f"Its key “{key}” is unknown. Write “{meant}”, or remove it."
    refusal = _refusal(tmp_path, f"---\nEmbargo: 2026-12-01T18:00Z\nembargo: 2026-11-01T18:00Z\n---\n{SUNK}")
    assert refusal == "It has “embargo” twice. Remove one."


def test_of_a_line_of_json_and_a_table_only_the_embargo_must_be_spelt_right(tmp_path: Path) -> None:
    line = {"id": "a", "text": SUNK, "authors": ["Ines Roe"], "embargoed": False}
    lines = written(tmp_path / "a.jsonl", json.dumps(line))
    assert _one(lines).author is None
    refusal = _refusal(tmp_path, json.dumps(line | {"embargoed": "2026-12-01T18:00Z"}), lines.name)
    assert refusal == "Its key “embargoed” is unknown. Write “embargo”, or remove it."
    for file in (lines, tmp_path / PLAIN):
        file.unlink()
    written(tmp_path / "b.txt", SUNK)
    written(tmp_path / "articles.toml", "['b.txt']\nEmbargo = 2026-12-01T18:00:00Z\n")
    assert load_articles([tmp_path]).articles[0].embargo == datetime(2026, 12, 1, 18, tzinfo=UTC)
    written(tmp_path / "articles.toml", "['b.txt']\nembargo_until = 2026-12-01T18:00:00Z\n")
    with pytest.raises(errors.NoArticlesError, match=r"Its key “embargo_until” is unknown\. Write “embargo”"):
        load_articles([tmp_path])


@cases("moment, until")
def test_an_embargo_without_a_zone_is_of_the_zone_that_is_set(tmp_path: Path, moment: str, until: str) -> None:
    file = written(tmp_path / "a.txt", f"---\nembargo: {moment}\n---\n{SUNK}")
    [article] = load_articles([file], ZoneInfo("Europe/Berlin")).articles
    assert article.embargo.isoformat() == until


@pytest.mark.parametrize("moment", ["2026-07-01T18:00", "2026-07-01 18:00:00", "2026-07-01"])
def test_an_embargo_without_any_zone_is_refused(tmp_path: Path, moment: str) -> None:
    refusal = _refusal(tmp_path, f"---\nembargo: {moment}\n---\n{SUNK}")
    assert "has no time zone. Write it as 2026-07-01T" in refusal
    assert "STET_TIMEZONE" in refusal


@cases("name, error, content")
def test_what_cannot_be_taken_is_named_with_the_reason(
    tmp_path: Path, name: str, error: str, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = written(tmp_path / PLAIN, SUNK), written(tmp_path / name, content.encode("latin-1"))
    refusal = refused(load_articles([good, bad]), bad)
    assert type(refusal).__name__ == error
    assert str(refusal)[0].isupper()
    assert str(refusal).endswith(".")
    assert "pypdf" not in caplog.text  # the refusal says enough


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for name in ("gone.txt", "gone.html", "gone.xml"):
        with pytest.raises(errors.UnreadableArticleError, match=r"cannot be opened .*: check its name"):
            list(read_file(tmp_path / name))


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    others = "README.md LICENSE.txt questions.txt .hidden.txt x.csv names.toml d.docx"
    for name in f"b.txt a.md C.TXT {others}".split():
        written(tmp_path / name, SUNK)
    found = load_articles([tmp_path])
    assert [article.id for article in found.articles] == ["C.TXT", "a.md", "b.txt"]
    assert [path for path, _ in found.rejected] == [str(tmp_path / "d.docx")]  # somebody meant it to be read


def test_folders_in_a_folder_are_read_behind_its_files(tmp_path: Path) -> None:
    for name in ("z.txt", "2026/11/ferry.txt", "2026/2/ferry.txt", "2026/.hidden/ferry.txt", "README/ferry.txt"):
        written(tmp_path / name, SUNK)
    written(tmp_path / "2026" / "2" / "articles.toml", '["ferry.txt"]\ntitle = "In February"\n')
    found = load_articles([tmp_path])
    names = ["z.txt", "2026/11/ferry.txt", "2026/2/ferry.txt", "README/ferry.txt"]
    assert [article.id for article in found.articles] == names
    assert [article.title for article in found.articles] == [None, None, "In February", None]
    assert found.rejected == ()


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    written(tmp_path / "secret" / "a.txt", SUNK)
    written(tmp_path / "articles" / "deep" / "a.txt", SUNK)
    (tmp_path / "articles" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "articles" / "deep" / "round").symlink_to(tmp_path / "articles")
    found = load_articles([tmp_path / "articles"])
    assert [article.id for article in found.articles] == ["deep/a.txt"]
    [(place, error)] = found.rejected
    assert place == str(tmp_path / "articles" / "out")
    assert "It is a link that leads nowhere or out of its folder" in str(error)


def test_a_file_named_outright_is_read_once_whatever_it_is_called(tmp_path: Path) -> None:
    file = written(tmp_path / "README.md", SUNK)
    found = load_articles([file, tmp_path, tmp_path / ".." / tmp_path.name / "README.md"])
    assert [article.path for article in found.articles] == [str(file)]
    assert found.rejected == ()


def test_the_second_of_two_with_one_id_is_refused(tmp_path: Path) -> None:
    first, second = written(tmp_path / "one" / "a.txt", SUNK), written(tmp_path / "two" / "a.txt", SUNK)
    found = load_articles([tmp_path / "one", tmp_path / "two"])
    assert [article.path for article in found.articles] == [str(first)]
    [(path, error)] = found.rejected
    assert (path, type(error)) == (str(second), errors.ArticleError)
    assert str(first) in str(error)


def test_the_table_of_a_folder_fills_what_a_text_leaves_out(tmp_path: Path) -> None:
    written(tmp_path / "a.txt", f"---\nsource: Harbour News\n---\n{SUNK}")
    written(tmp_path / "b.txt", SUNK)
    table = '["a.txt"]\npublisher = "Sea Press"\ntitle = "Ferry"\n["b.txt"]\nid = "b"\ndate = 2019-05-06\n'
    written(tmp_path / "articles.toml", table)
    first, second = load_articles([tmp_path]).articles
    assert (first.id, first.source, first.title) == ("a.txt", "Harbour News", "Ferry")
    assert (second.id, second.source, second.published) == ("b", None, date(2019, 5, 6))


def test_each_line_of_json_is_an_article(tmp_path: Path) -> None:
    first = {"id": "a", "text": "One.\r\nTwo.", "source": "Harbour News", "date": "2019-05-06"}
    file = written(tmp_path / "all.jsonl", f"{json.dumps(first)}\n\n{json.dumps({'id': 7, 'text': SUNK})}\n")
    assert load_articles([file]).articles == (
        Article("a", "One.\nTwo.", path=str(file), source="Harbour News", published=date(2019, 5, 6)),
        Article("7", SUNK, path=str(file)),
    )


LONG = [["[" * 100_000, "TooLargeError"], ['{"id": "b", "text": "' + "x" * 5_000_000 + '"}', "TooLargeError"]]


@pytest.mark.parametrize(("line", "error"), [*LONG, *rows(__file__, "refused_lines")])
def test_a_refused_line_is_named_by_its_number(tmp_path: Path, line: str, error: str) -> None:
    good = [json.dumps({"id": name, "text": SUNK}) for name in ("a", "c")]
    file = written(tmp_path / "all.jsonl", f"{good[0]}\n{line}\n{good[1]}\n")
    found = load_articles([file])
    assert [article.id for article in found.articles] == ["a", "c"]
    [(place, refusal)] = found.rejected
    assert (place, type(refusal).__name__) == (f"{file}, line 2", error)


PAGE = f"""<html><head><title>Ferry lost | Harbour News</title>
<meta property="og:title" content="Ferry lost"><meta property="og:site_name" content="Harbour News">
<meta name="author" content="Ann Bell"><meta property="article:published_time" content="2019-05-06T08:00:00Z">
<link rel="canonical" href="https://example.org/ferry-lost"></head>
<body><nav><a href="/">Home</a> <a href="/sea">Sea</a></nav>
<article><h1>Ferry lost</h1><p>{SUNK} {"The crew had left it in good time, the harbour master said. " * 4}</p>
<p>Nobody was hurt, and divers went down on Monday to look at what was left of it in the mud.</p></article>
<footer>Imprint</footer></body></html>"""


def test_a_saved_page_gives_its_text_and_what_its_head_says(tmp_path: Path) -> None:
    article = _one(written(tmp_path / "a.html", PAGE))
    assert (article.title, article.source, article.author) == ("Ferry lost", "Harbour News", "Ann Bell")
    assert (article.published, article.url) == (date(2019, 5, 6), "https://example.org/ferry-lost")
    assert SUNK in article.text
    assert "Imprint" not in article.text
    assert "Home" not in article.text


@cases("name, text, says")
def test_a_folder_without_an_article_is_an_error(tmp_path: Path, name: str, text: str | None, says: str) -> None:
    if text:
        written(tmp_path / name, text)
    with pytest.raises(errors.NoArticlesError, match=says):
        load_articles([tmp_path if text else tmp_path / name])
    with pytest.raises(errors.NoArticlesError, match="nowhere"):
        load_articles([])
