"""Replies for the drawings of every platform: some by hand, others by hypothesis with what could do harm in a chat."""

from __future__ import annotations

import hashlib
from datetime import date

from hypothesis import strategies as st

from bot.model import Citation, Extract, QuotedCaveat
from retrieval.model import CaveatKind, Manner, Span, Voice
from tests.adapters.every_reply import every_reply

HOSTILE = "<!channel> <!here> <@U1> *b* _i_ ~s~ `c` > q &amp; & <https://evil.example|bank> :tada: \u202etxet\u202c ```"
MARKS = "*_~`|>#-[]()<@!&:\\.\"'“”/ \u202e\u200b\u0007é漢😀"
PIECES = (
    *HOSTILE.split(),
    *("@everyone", "@here", "<@900000000000000005>", "<@&900000000000000006>", "<#900000000000000003>"),
    *("[a](https://evil.example)", "https://example.org/a_b_c", "||", "> ", "# ", "-# ", "- ", "the mayor", "said"),
)

CITATION = Citation(
    article_id="harbour",
    path="articles/harbour.txt",
    digest="1f0c9a2b" + "0" * 56,
    span=Span(10, 52),
    title="Ferry aground off the northern pier",
    opening="The ferry ran aground",
    source="The Quay",
    published=date(2025, 3, 4),
    url="https://quay.example/ferry?a=1&b=2",
)
CAVEAT = QuotedCaveat("The Quay could not verify the count.", CaveatKind.OWN, "The Quay", CITATION)
EXTRACT = Extract(
    text="“Forty people were brought ashore & <counted>,” Ida Roth said.",
    citation=CITATION,
    index=12,
    speaker="Ida Roth",
    voice=Voice.NAMED,
    manner=Manner.QUOTED,
    caveats=(CAVEAT,),
)

_character = st.one_of(st.sampled_from(MARKS), st.characters(codec="utf-8", exclude_categories=("Cs",)))
_piece = st.one_of(st.sampled_from(PIECES), st.text(_character, min_size=1, max_size=60))


def _collapsed(pieces: list[str], times: int) -> str:
    return " ".join(" ".join(pieces * times).split()) or "."


texts = st.builds(_collapsed, st.lists(_piece, min_size=1, max_size=8), st.sampled_from([1, 1, 1, 3, 12]))
labels = st.none() | texts


def _citation(text: str, article: str, source: str | None, title: str | None, url: str | None) -> Citation:
    digest = hashlib.sha256(article.encode()).hexdigest()
    span = Span(0, len(text))
    return Citation(article, f"{article}.txt", digest, span, title, text[:40], source, date(2031, 5, 4), url)


URLS = ("https://example.org/a_(b)?c=d#e", "http://[broken", "javascript:alert(1)", "https://e.org/" + "x" * 4000)
urls = st.none() | st.sampled_from(URLS) | texts
citations = st.builds(_citation, texts, st.sampled_from(["one", "two", "three"]), labels, labels, urls)
replies = every_reply(texts, citations)


def cited(text: str, article: str = "flood", title: str = "River rises", url: str | None = None) -> Citation:
    return _citation(text, article, "The Valley Post", title, url)


def extract(text: str, article: str = "flood", speaker: str | None = None, caveat: str | None = None) -> Extract:
    warned = (QuotedCaveat(caveat, CaveatKind.OWN, None, cited(caveat, article)),) if caveat else ()
    said = Voice.NAMED if speaker else Voice.OUTLET
    return Extract(text, cited(text, article), 3, speaker, said, None, warned)
