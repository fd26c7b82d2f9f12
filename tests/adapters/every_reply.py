"""Replies of every kind, by hypothesis: what the drawings are tried on, each with the words that could harm it."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.model import (
    Agreement,
    Answer,
    Candidates,
    Card,
    Change,
    Check,
    Citation,
    ClaimedSpeaker,
    Clipping,
    Companion,
    Extract,
    Listing,
    Match,
    Message,
    NameCandidate,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
    Verdict,
)
from retrieval.model import CaveatKind, Kind, Voice

Texts = st.SearchStrategy[str]


def every_reply(texts: Texts, citations: st.SearchStrategy[Citation]) -> st.SearchStrategy[Reply]:
    """Return replies of every kind, with these words in all places where words can stand."""
    extracts = _extracts(texts, citations, _extracts(texts, citations, st.none()))
    sections = st.builds(Section, st.just("") | texts, _tuples(extracts), _tuples(texts), st.none() | st.integers(0, 4))
    return st.one_of(
        st.builds(Answer, _tuples(extracts, 1), message=st.none() | texts, more=st.sampled_from(["", "abababab.1.2"])),
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
            _tuples(st.builds(NameCandidate, texts, st.sampled_from(Kind), st.integers(0, 99)), most=30),
            texts,
        ),
        _checks(texts, extracts),
        st.builds(Listing, texts, _tuples(sections, most=20)),
        st.builds(Clipping, st.text(max_size=50) | texts, st.just("text"), extracts),
    )


def _checks(texts: Texts, extracts: st.SearchStrategy[Extract]) -> st.SearchStrategy[Check]:
    changes = _tuples(st.tuples(st.sampled_from(Change), texts))
    same = _tuples(st.builds(Match, extracts, _tuples(st.tuples(st.just(Change.SAME), texts))))
    other = _tuples(st.builds(Match, extracts, changes))
    open_, wrong = (
        st.builds(ClaimedSpeaker, texts, st.just(each), texts) for each in (Agreement.UNKNOWN, Agreement.WRONG)
    )
    unlike = (Verdict.ALTERED, Verdict.STITCHED, Verdict.ABSENT)
    return st.one_of(
        st.builds(Check, st.just(Verdict.EXACT), texts, same, claimed=st.none() | open_, goes_on=st.none() | extracts),
        st.builds(Check, st.just(Verdict.PARTIAL), texts, same, _tuples(texts, 1)),
        st.builds(Check, st.just(Verdict.MISATTRIBUTED), texts, other, claimed=wrong),
        st.builds(Check, st.sampled_from(unlike), texts, other, _tuples(texts), claimed=st.none() | open_),
    )


def _extracts(
    texts: Texts, citations: st.SearchStrategy[Citation], before: st.SearchStrategy[Extract | None]
) -> st.SearchStrategy[Extract]:
    shown = (texts, st.sampled_from(CaveatKind), st.none() | texts, citations)
    return st.builds(
        Extract,
        text=texts,
        citation=citations,
        index=st.integers(0, 999_999),
        speaker=st.none() | texts,
        voice=st.sampled_from(Voice),
        caveats=_tuples(st.builds(QuotedCaveat, *shown), most=2),
        before=st.none() | before,
        notices=_tuples(st.builds(Notice, *shown), most=2),
    )


def _tuples(of: st.SearchStrategy[object], least: int = 0, most: int = 5) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, min_size=least, max_size=most).map(tuple)
