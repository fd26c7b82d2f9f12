"""A saved web page -> its main text and what its head says of it, by trafilatura."""

from __future__ import annotations

from pathlib import Path

import trafilatura
from trafilatura.settings import Document

from retrieval.errors import UnreadableArticleError
from retrieval.intake.particulars import Draft

# A date is taken from where a page states it, not from whatever looks like one in its text.
_DATES = {"extensive_search": False, "original_date": True}


def read_web_page(file: Path) -> Draft:
    """Return the page's text, a paragraph a line, with title, source, date, address and author where it states them.

    Raises ``UnreadableArticleError`` where no article is found in it.
    """
    try:
        page = file.read_bytes()
    except OSError as error:
        raise UnreadableArticleError(f"It cannot be opened ({error.strerror}): see to its permissions.") from error
    found = trafilatura.bare_extraction(page, include_comments=False, with_metadata=True, date_extraction_params=_DATES)
    if not isinstance(found, Document) or not (found.text or "").strip():
        raise UnreadableArticleError("No article is found in the page: save its text as .txt instead.")
    keys = {
        "title": found.title,
        "source": found.sitename or found.hostname,
        "published": found.date,
        "url": found.url,
        "author": found.author,
    }
    return Draft(file.name, found.text or "", keys, str(file))
