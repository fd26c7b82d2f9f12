"""Replies of every kind, made up: some by hand, some by hypothesis, with every character that could do harm."""

from __future__ import annotations

import hashlib
from datetime import date

from hypothesis import strategies as st

from bot.model import Citation, Extract, QuotedCaveat
from retrieval.model import CaveatKind, Span, Voice
from tests.adapters.every_reply import every_reply

MARKS = "*_~`|>#-[]()<@!&:\\.\"'“”/ \u202e\u200b\u0007é漢😀"
PIECES = (
    "@everyone",
    "@here",
    "<@900000000000000005>",
    "<@&900000000000000006>",
    "<#900000000000000003>",
    "[a](https://evil.example)",
    "https://example.org/a_b_c",
    "```",
    "||",
    "> ",
    "# ",
    "-# ",
    "- ",
    "**",
    "the mayor",
    "said",
)

_character = st.one_of(st.sampled_from(MARKS), st.characters(codec="utf-8", exclude_categories=("Cs",)))
_piece = st.one_of(st.sampled_from(PIECES), st.text(_character, min_size=1, max_size=60))


def _collapsed(pieces: list[str], times: int) -> str:
    return " ".join(" ".join(pieces * times).split()) or "."


texts = st.builds(_collapsed, st.lists(_piece, min_size=1, max_size=8), st.sampled_from([1, 1, 1, 3, 12]))
labels = st.one_of(st.none(), texts)


def _citation(text: str, article: str, source: str | None, title: str | None, url: str | None) -> Citation:
    digest = hashlib.sha256(article.encode()).hexdigest()
    span = Span(0, len(text))
    return Citation(article, f"{article}.txt", digest, span, title, text[:40], source, date(2031, 5, 4), url)


urls = st.one_of(
    st.none(),
    st.sampled_from(
        ["https://example.org/a_(b)?c=d#e", "http://[broken", "javascript:alert(1)", "https://e.org/" + "x" * 3000]
    ),
)
articles = st.sampled_from(["one", "two", "three"])
citations = st.builds(_citation, texts, articles, labels, labels, urls)
replies = every_reply(texts, citations)


def cited(text: str, article: str = "flood", title: str = "River rises", url: str | None = None) -> Citation:
    return _citation(text, article, "The Valley Post", title, url)


def extract(text: str, article: str = "flood", speaker: str | None = None, caveat: str | None = None) -> Extract:
    warned = (QuotedCaveat(caveat, CaveatKind.OWN, None, cited(caveat, article)),) if caveat else ()
    said = Voice.NAMED if speaker else Voice.OUTLET
    return Extract(text, cited(text, article), 3, speaker, said, None, warned)
