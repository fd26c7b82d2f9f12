"""What can go wrong with articles and the archive.

Third parties' exceptions are translated where they arise, with ``raise … from``.
The message is a sentence that says what is wrong and what to do; it may be shown to a person as it is.
"""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path


class RetrievalError(Exception): ...


class ArticleError(RetrievalError):
    """One article cannot be read; the others can."""


class UnreadableArticleError(ArticleError):
    """It is missing, not text, not UTF-8, or has no text layer."""


class EmptyArticleError(ArticleError): ...


class BrokenFrontMatterError(ArticleError):
    """The front matter is not YAML, or a key in it is wrong."""


class TooLargeError(ArticleError):
    """It is beyond the limits in ``retrieval.limits``."""


class UnsafeTableError(ArticleError):
    """The embargoes of an articles.toml may be missed: its folder is left as it was."""


class UnpublishedError(ArticleError):
    """A draft, or an article that is private or waits: ``until`` then, if that is known."""

    def __init__(self, message: str, until: datetime | None = None) -> None:
        super().__init__(message)
        self.until = until


class ArticleWarning(ArticleError):  # noqa: N818
    """The article is read all the same; the message says what of it was not."""


class FetchError(ArticleError):
    """A web address gives no usable answer.

    ``status`` is the server's, 0 where it did not answer; ``after`` the seconds it asks to wait, 0 for none.
    """

    def __init__(self, message: str, status: int = 0, after: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.after = status, after


class SlowError(FetchError): ...


class UnreadArticleError(ArticleError):
    """A stage of reading failed on it: a fault of this program.

    It is made of strings alone, so that it survives the way back from another process.

    ``article`` is the id, ``path`` where it came from, ``stage`` what failed, ``fault`` the exception's type and where
    it arose, ``trace`` its traceback.
    """

    def __init__(self, article: str, path: str, stage: str, fault: str, trace: str = "") -> None:
        super().__init__(article, path, stage, fault, trace)
        self.article, self.path, self.stage, self.fault, self.trace = article, path, stage, fault, trace

    def __str__(self) -> str:
        return f"Reading its {self.stage} failed ({self.fault}): a fault of this program, please report it."


def fault_of(error: BaseException) -> tuple[str, str]:
    """Return an exception's type with the function and line it arose in, and its traceback.

    The first leaves the message out, which may contain words of the article.
    """
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {frame.name}, {Path(frame.filename).name} line {frame.lineno}"
    return where, "".join(traceback.format_exception(error))


@contextmanager
def guarded(article: str, stage: str, path: str = "") -> Iterator[None]:
    """Turn unforeseen exceptions into ``UnreadArticleError``, for an article whose path is its name if it has none."""
    try:
        yield
    except RetrievalError:
        raise
    except Exception as fault:
        raise UnreadArticleError(article, path or article, stage, *fault_of(fault)) from fault


class NoArticlesError(RetrievalError): ...


class BrokenNamesError(RetrievalError):
    """names.toml beside the articles cannot be used."""


class NoEncoderError(RetrievalError):
    """A model that comes with the program cannot be loaded. Search goes by words then; articles are not read."""


class StaleIndexError(RetrievalError):
    """The index and the stored articles differ."""


class ArchiveError(RetrievalError): ...


class ArchiveSchemaError(ArchiveError):
    """Another version of the program made it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} was made by another version of Stet, which this one cannot read. Move it away, and `stet add` the"
            " same files, folders and feeds again. Or print its articles with that version, by `stet export` and"
            " `stet export --embargoed`, and `stet add` these lines with this one. Earlier versions of articles and"
            " their corrections do not come over."
        )


class DamagedArticleError(ArchiveError):
    """A bad disk has changed an article: it cannot be quoted."""


class DamagedIndexError(ArchiveError):
    """A bad disk has changed the index: nothing can be searched until it is rebuilt."""

    def __init__(self) -> None:
        super().__init__("The index is damaged: `stet reindex` rebuilds it.")


class BusyArchiveError(ArchiveError):
    """Others keep it busy for longer than this program waits."""


class UnreachableArchiveError(ArchiveError):
    """Its cluster, or a part of it, does not answer."""


class RefusedArchiveError(ArchiveError):
    """Its cluster wants other credentials."""
