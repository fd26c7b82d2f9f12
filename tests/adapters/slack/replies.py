"""An extract of our own making, and replies of hypothesis's."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from bot.model import Citation, Extract, QuotedCaveat
from retrieval.model import CaveatKind, Manner, Span, Voice
from tests.adapters.every_reply import every_reply

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
replies = every_reply(texts, citations)
