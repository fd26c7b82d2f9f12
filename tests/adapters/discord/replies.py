"""Replies of every kind, made up: some by hand, some by hypothesis, with every character that could do harm."""

from __future__ import annotations

import hashlib
from datetime import date

from hypothesis import strategies as st

from bot.model import (
    Answer,
    Citation,
    Extract,
    Listing,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
)
from retrieval.model import CaveatKind, Span, Voice

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
caveats = st.builds(QuotedCaveat, texts, st.sampled_from(CaveatKind), labels, citations)
_some_caveats = st.lists(caveats, max_size=2).map(tuple)
_plain_extracts = st.builds(
    Extract, texts, citations, st.integers(0, 40), labels, st.sampled_from(Voice), st.none(), _some_caveats
)
extracts = st.builds(
    Extract,
    texts,
    citations,
    st.integers(0, 40),
    labels,
    st.sampled_from(Voice),
    st.none(),
    _some_caveats,
    st.one_of(st.none(), _plain_extracts),
    st.lists(st.builds(Notice, texts, st.sampled_from(CaveatKind), labels, citations), max_size=2).map(tuple),
)
_some_extracts = st.lists(extracts, min_size=1, max_size=5).map(tuple)
answers = st.builds(Answer, _some_extracts, labels, st.just("0123abcd.1.2"))
sections = st.builds(
    Section,
    st.one_of(st.just(""), texts),
    st.lists(extracts, max_size=4).map(tuple),
    st.lists(texts, max_size=4).map(tuple),
)
listings = st.builds(Listing, texts, st.lists(sections, max_size=12).map(tuple))
replies: st.SearchStrategy[Reply] = st.one_of(
    answers,
    listings,
    st.builds(Message, texts),
    st.builds(NoAnswer, st.just(()), st.just(()), texts),
)


def cited(text: str, article: str = "flood", title: str = "River rises", url: str | None = None) -> Citation:
    """Return a citation of ``text`` in a made-up article."""
    return _citation(text, article, "The Valley Post", title, url)


def extract(text: str, article: str = "flood", speaker: str | None = None, caveat: str | None = None) -> Extract:
    """Return an extract of a made-up article."""
    warned = (QuotedCaveat(caveat, CaveatKind.OWN, None, cited(caveat, article)),) if caveat else ()
    said = Voice.NAMED if speaker else Voice.OUTLET
    return Extract(text, cited(text, article), 3, speaker, said, None, warned)
