"""What can go wrong with articles and the archive.

    RetrievalError
    ├── ArticleError           one article cannot be read; the others can
    │   ├── UnreadableArticleError      missing, not text, no text layer, not UTF-8
    │   ├── EmptyArticleError           only white space
    │   ├── BrokenFrontMatterError      the front matter is not YAML, or a key in it is wrong
    │   ├── TooLargeError               more than the limits in ``retrieval.limits`` allow
    │   ├── UnusedEntryError            an entry of articles.toml with no such file, or a key that nothing reads
    │   ├── UnsafeTableError            an articles.toml whose embargoes may be missed: its folder is left as it was
    │   ├── DuplicateArticleError       another article has the same id
    │   ├── UnpublishedError            a draft, or a scheduled or private article, in an export of an editing system
    │   ├── FetchError                  a web address gives no usable answer
    │   │   └── SlowError                   it did not answer in time
    │   └── UnreadArticleError          a stage of reading failed on it: a fault of this program
    ├── NoArticlesError             a folder or file with no article at all
    ├── BrokenNamesError            names.toml beside the articles cannot be used
    ├── NoEncoderError              no encoder: STET_ENCODER names none that works here; search goes by words
    ├── StaleIndexError             the index and the stored articles differ
    └── ArchiveError                the archive cannot be used
        ├── DamagedArticleError         a bad disk has changed an article: it cannot be quoted
        ├── BusyArchiveError            others keep it busy for longer than this program waits
        ├── UnreachableArchiveError     its cluster, or a part of it, does not answer
        └── RefusedArchiveError         its cluster wants other credentials

Third parties' exceptions are translated where they arise, with ``raise … from``.
The message is a sentence that says what is wrong and what to do; it may be shown to a person as it is.
"""

import traceback
from pathlib import Path


class RetrievalError(Exception): ...


class ArticleError(RetrievalError): ...


class UnreadableArticleError(ArticleError): ...


class EmptyArticleError(ArticleError): ...


class BrokenFrontMatterError(ArticleError): ...


class DuplicateArticleError(ArticleError): ...


class TooLargeError(ArticleError): ...


class UnusedEntryError(ArticleError): ...


class UnsafeTableError(ArticleError): ...


class UnpublishedError(ArticleError): ...


class FetchError(ArticleError):
    """``status`` is the server's, 0 where it did not answer; ``after`` the seconds it asks to wait, 0 for none."""

    def __init__(self, message: str, status: int = 0, after: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.after = status, after


class SlowError(FetchError): ...


class UnreadArticleError(ArticleError):
    """Made of strings alone, so that it survives the way back from another process.

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


class NoArticlesError(RetrievalError): ...


class BrokenNamesError(RetrievalError): ...


class NoEncoderError(RetrievalError): ...


class StaleIndexError(RetrievalError): ...


class ArchiveError(RetrievalError): ...


class DamagedArticleError(ArchiveError): ...


class BusyArchiveError(ArchiveError): ...


class UnreachableArchiveError(ArchiveError): ...


class RefusedArchiveError(ArchiveError): ...
