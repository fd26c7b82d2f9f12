"""What can go wrong on the side of the articles.

    RetrievalError
    ├── ArticleError           one article cannot be taken; the others can
    │   ├── UnreadableArticleError      not there, not text, no text layer, not UTF-8
    │   ├── EmptyArticleError           nothing in it but white space
    │   ├── BrokenFrontMatterError      the head of the file is not YAML, or a key in it is wrong
    │   ├── TooLargeError               more than the table of limits allows
    │   ├── UnusedEntryError            a line of articles.toml that says nothing of any article
    │   ├── UnsafeTableError            an articles.toml whose embargoes may be missed: its folder is left as it is
    │   ├── DuplicateArticleError       another article has the same id
    │   ├── UnpublishedError            an editing system's export holds it, and its readers never saw it
    │   ├── FetchError                  what stands at an address on the web cannot be had
    │   │   └── SlowError                   it did not come in time
    │   └── UnreadArticleError          a stage of reading failed on it: a fault of this program
    ├── NoArticlesError             a folder or file with no article at all
    ├── BrokenNamesError            names.toml beside the articles cannot be used
    ├── NoSuchModelError            a model of spaCy's is not installed
    ├── NoEncoderError              there is nothing to compare meanings by; words are left
    ├── StaleIndexError             what is indexed is not what is stored
    └── ArchiveError                the archive cannot be used
        ├── BusyArchiveError            it is busy with others for longer than is waited
        ├── UnreachableArchiveError     the cluster that holds it does not answer, or a part of it
        └── RefusedArchiveError         the cluster that holds it wants other credentials

Third parties' exceptions are translated where they arise, with ``raise … from``.
The message is a sentence that says what is wrong and what to do; it may be shown to a person as it is.
"""

import traceback
from pathlib import Path


class RetrievalError(Exception):
    """The root of this package's errors."""


class ArticleError(RetrievalError):
    """One article cannot be taken."""


class UnreadableArticleError(ArticleError):
    """The file is missing, is not text, or holds none."""


class EmptyArticleError(ArticleError):
    """Nothing in it but white space."""


class BrokenFrontMatterError(ArticleError):
    """The head of the file is not YAML, or one of its keys is wrong."""


class DuplicateArticleError(ArticleError):
    """Another article of the same load has this id."""


class TooLargeError(ArticleError):
    """It has more of something than ``retrieval.limits`` allows."""


class UnusedEntryError(ArticleError):
    """What stands in ``articles.toml`` is of no file there, or under a key that nothing reads."""


class UnsafeTableError(ArticleError):
    """Embargoes in an ``articles.toml`` may be missed, so that its folder has to stay as it was read before."""


class UnpublishedError(ArticleError):
    """A draft, or what waits for its time or is for some alone, in an editing system's export."""


class FetchError(ArticleError):
    """What stands at an address cannot be had; ``status`` is the server's, 0 where it did not answer.

    ``after`` is in how many seconds it asks to be asked again, 0 where it says nothing of that.
    """

    def __init__(self, message: str, status: int = 0, after: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.after = status, after


class SlowError(FetchError):
    """What stands at an address does not come in time."""


class UnreadArticleError(ArticleError):
    """A stage of reading raised on this article; it is left out, the others are read.

    Made of strings alone, so that it comes back whole from another process: ``article`` is the id, ``path`` where it
    came from, ``stage`` what failed, ``fault`` the exception's kind and the rule it arose in, ``trace`` its traceback.
    """

    def __init__(self, article: str, path: str, stage: str, fault: str, trace: str = "") -> None:
        super().__init__(article, path, stage, fault, trace)
        self.article, self.path, self.stage, self.fault, self.trace = article, path, stage, fault, trace

    def __str__(self) -> str:
        return f"Reading its {self.stage} failed ({self.fault}): a fault of this program, please report it."


def fault_of(error: BaseException) -> tuple[str, str]:
    """Return an exception's kind with the function and the line it arose in, and its whole traceback.

    What it says is not in the first: it may be made of the article's words.
    """
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {frame.name}, {Path(frame.filename).name} line {frame.lineno}"
    return where, "".join(traceback.format_exception(error))


class NoArticlesError(RetrievalError):
    """A folder or a file in which there is no article at all."""


class BrokenNamesError(RetrievalError):
    """The hand-written ``names.toml`` cannot be used."""


class NoSuchModelError(RetrievalError):
    """A model of spaCy's is not installed."""


class NoEncoderError(RetrievalError):
    """STET_ENCODER names no encoder that works here, or wants none: words alone are left."""


class StaleIndexError(RetrievalError):
    """What the index says is not what the archive holds."""


class ArchiveError(RetrievalError):
    """The archive cannot be used."""


class DamagedArticleError(ArchiveError):
    """An article that a bad disk has changed: what it says cannot be quoted."""


class BusyArchiveError(ArchiveError):
    """The archive is busy with others for longer than this program waits."""


class UnreachableArchiveError(ArchiveError):
    """The cluster that holds the archive does not answer, or a part of it does not."""


class RefusedArchiveError(ArchiveError):
    """The cluster that holds the archive wants other credentials."""
