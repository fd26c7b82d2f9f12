"""Replies of every kind: a few of our own making, and hypothesis's."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from bot.model import (
    Answer,
    Candidate,
    Candidates,
    Card,
    Change,
    Check,
    Citation,
    Clipping,
    Companion,
    Extract,
    Listing,
    Match,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
    Verdict,
)
from retrieval.model import CaveatKind, Kind, Manner, Span, Voice

HOSTILE = "<!channel> <!here> <@U1> *b* _i_ ~s~ `c` > q &amp; & <https://evil.example|bank> :tada: \u202etxet\u202c ```"

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

LONGEST = 4_000

texts = st.one_of(
    st.text(min_size=1, max_size=60),
    st.just(HOSTILE),
    st.builds(
        lambda text, times: (text + " ") * times, st.sampled_from(["& <b>", "word", "“so”"]), st.integers(1, 900)
    ),
).filter(str.strip)
names = st.none() | texts
urls = st.sampled_from(("https://[", "https://quay.example/a?b=c&d", "https://quay.example/" + "x" * 4000))
citations = st.builds(
    Citation,
    article_id=st.text("abc", min_size=1, max_size=3),
    path=st.just("p.txt"),
    digest=st.sampled_from(["ab" * 32, "cd" * 32]),
    span=st.just(Span(1, 2)),
    title=names,
    opening=texts,
    source=names,
    published=st.none() | st.dates(),
    url=st.none()
    | texts
    | st.just("https://[")
    | st.just("https://quay.example/a?b=c&d")
    | st.just("https://quay.example/" + "x" * 4000),
)
caveats = st.builds(QuotedCaveat, texts, st.sampled_from(CaveatKind), names, citations)
notices = st.builds(Notice, texts, st.sampled_from(CaveatKind), names, citations)


def _extracts(before: st.SearchStrategy[Extract | None]) -> st.SearchStrategy[Extract]:
    return st.builds(
        Extract,
        text=texts,
        citation=citations,
        index=st.integers(0, 999_999),
        speaker=names,
        voice=st.sampled_from(Voice),
        caveats=st.lists(caveats, max_size=2).map(tuple),
        notices=st.lists(notices, max_size=2).map(tuple),
        before=before,
    )


extracts = _extracts(st.none() | _extracts(st.none()))


def _tuples(of: st.SearchStrategy[object], least: int = 0, most: int = 5) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


replies: st.SearchStrategy[Reply] = st.one_of(
    st.builds(
        Answer,
        extracts=_tuples(extracts, 1),
        message=names,
        more=st.sampled_from(["", "abababab.1.2"]),
    ),
    st.builds(NoAnswer, _tuples(texts), _tuples(texts), texts),
    st.builds(Message, st.text(max_size=100) | texts),
    st.builds(
        Card,
        name=texts,
        kind=st.sampled_from(Kind),
        variants=_tuples(texts),
        roles=_tuples(extracts),
        said=_tuples(extracts),
        about=_tuples(extracts),
        company=_tuples(st.builds(Companion, texts, st.integers(1, 9), extracts)),
        articles=_tuples(citations, most=30),
    ),
    st.builds(
        Candidates,
        _tuples(st.builds(Candidate, texts, st.sampled_from(Kind), st.integers(0, 99)), most=30),
        texts,
    ),
    st.builds(
        Check,
        st.sampled_from(Verdict),
        texts,
        _tuples(st.builds(Match, extracts, _tuples(st.tuples(st.sampled_from(Change), texts)))),
        texts,
    ),
    st.builds(
        Listing,
        texts,
        _tuples(st.builds(Section, texts, _tuples(extracts), _tuples(texts), st.none() | st.integers(0, 4)), most=20),
    ),
    st.builds(Clipping, st.text(max_size=50) | texts, st.just("text"), extracts),
)
