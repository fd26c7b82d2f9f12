"""Files in a folder, beside a plain article that is always taken: what is loaded of them, and why they are refused."""

from collections.abc import Callable
from datetime import tzinfo
from pathlib import Path

from retrieval.errors import ArticleError
from retrieval.intake.articles import Loaded, load_articles
from retrieval.model import Article

PLAIN = "good.txt"
SUNK = "The ferry sank off Port Ellis."


def written(file: Path, content: str | bytes | Callable[[Path], object]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    if callable(content):
        content(file)
    else:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def loaded(
    folder: Path, content: str | bytes | Callable[[Path], object], name: str, zone: tzinfo | None = None
) -> Loaded:
    """Return what is loaded from a folder with a file of this content and the plain article."""
    written(folder / PLAIN, "The quay is dry.")
    written(folder / name, content)
    return load_articles([folder], zone)


def taken(found: Loaded) -> list[Article]:
    """Return the articles without the plain one, which must be there."""
    assert PLAIN in [article.id for article in found.articles]
    return [article for article in found.articles if article.id != PLAIN]


def refused(found: Loaded, place: Path | str) -> ArticleError:
    """Return why what stands at a place, the only one that is told of, is not among the articles."""
    assert taken(found) == []
    [(where, error)] = found.rejected
    assert where.startswith(str(place))
    return error
