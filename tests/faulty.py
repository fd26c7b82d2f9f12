"""Has a part of reading raise on some articles, as a rule that knows no such word would."""

from typing import Any

import pytest

from retrieval import pipeline

PARTS = {"words": "parse", "sentences": "lay_out", "names": "find_names", "speakers": "attribute"}
PARTS |= {"denials": "find_denials", "caveats": "find_caveats", "passages": "_passages"}


def break_part(monkeypatch: pytest.MonkeyPatch, part: str, words: str = "") -> None:
    """Have a part raise on the articles that have these words."""
    whole = getattr(pipeline, PARTS[part])

    def stumble(subject: Any, *known: object) -> object:  # noqa: ANN401 - a text, an article or a layout
        article = getattr(subject, "article", subject)
        text: str = getattr(article, "text", article)
        if words in text:
            raise KeyError(text)
        return whole(subject, *known)

    monkeypatch.setattr(pipeline, PARTS[part], stumble)
