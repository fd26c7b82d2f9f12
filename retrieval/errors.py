"""What can go wrong on the side of the articles.

    RetrievalError
    ├── ArticleError           one article cannot be taken; the others can
    │   ├── UnreadableArticleError      not there, not text, no text layer, not UTF-8
    │   ├── EmptyArticleError           nothing in it but white space
    │   ├── BrokenFrontMatterError      the head of the file is not YAML, or a key in it is wrong
    │   └── DuplicateArticleError       another article has the same id
    ├── NoArticlesError             a folder or file with no article at all
    ├── BrokenNamesError            names.toml beside the articles cannot be used
    ├── NoSuchModelError            STET_SPACY_MODEL names no installed pipeline
    ├── NoEncoderError              there is nothing to compare meanings by; words are left
    └── StaleIndexError             what is indexed is not what is stored

Third parties' exceptions are translated where they arise, with ``raise … from``.
The message is a sentence that says what is wrong and what to do; it may be shown to a person as it is.
"""


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


class NoArticlesError(RetrievalError):
    """A folder or a file in which there is no article at all."""


class BrokenNamesError(RetrievalError):
    """The hand-written ``names.toml`` cannot be used."""


class NoSuchModelError(RetrievalError):
    """``STET_SPACY_MODEL`` names a pipeline that is not installed."""


class NoEncoderError(RetrievalError):
    """STET_ENCODER names no encoder that works here, or wants none: words alone are left."""


class StaleIndexError(RetrievalError):
    """What the index says is not what the archive holds."""
