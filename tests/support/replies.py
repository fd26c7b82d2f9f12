"""Replies for the drawings of every platform: of each kind by hand, and by hypothesis with what could do harm."""

import hashlib
from dataclasses import replace
from datetime import date

from hypothesis import strategies as st

from bot import model
from bot.ask.model import Band
from bot.model import Answer, Change, Check, Citation, Extract, Match, NoAnswer, Reply, Revision, Section, Verdict
from bot.outline import listed_checks
from retrieval.model import CaveatKind, Kind, Manner, Span, Voice

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
CAVEAT = model.QuotedCaveat("The Quay could not verify the count.", CaveatKind.OWN, "The Quay", CITATION)
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


def _replies() -> st.SearchStrategy[Reply]:
    """Return replies of every kind, with ``texts`` in all places where words can stand."""
    extracts = _extracts(_extracts(st.none()))
    told = dict.fromkeys(("roles", "said", "about"), _tuples(extracts))
    company = _tuples(st.builds(model.Companion, texts, st.integers(1, 9), extracts))
    cited = _tuples(citations, most=30)
    names = _tuples(st.builds(model.NameCandidate, texts, st.sampled_from(Kind), st.integers(0, 99)), most=30)
    sections = st.builds(Section, st.just("") | texts, _tuples(extracts), _tuples(texts), st.none() | st.integers(0, 4))
    return st.one_of(
        st.builds(Answer, _tuples(extracts, 1), message=st.none() | texts, more=st.sampled_from(["", "abababab.1.2"])),
        st.builds(NoAnswer, _tuples(texts), _tuples(texts), texts),
        st.builds(model.Message, st.text(max_size=100) | texts),
        st.builds(model.Card, texts, st.sampled_from(Kind), _tuples(texts), **told, company=company, articles=cited),
        st.builds(model.Candidates, names, texts),
        _checks(extracts),
        st.builds(model.Listing, texts, _tuples(sections, most=20)),
        st.builds(model.Clipping, st.text(max_size=50) | texts, st.just("text"), st.tuples(extracts)),
    )


def _checks(extracts: st.SearchStrategy[Extract]) -> st.SearchStrategy[Check]:
    changes = _tuples(st.tuples(st.sampled_from(Change), texts))
    same = _tuples(st.builds(Match, extracts, _tuples(st.tuples(st.just(Change.SAME), texts))))
    other = _tuples(st.builds(Match, extracts, changes))
    unsure = (model.Agreement.UNKNOWN, model.Agreement.WRONG)
    open_, wrong = (st.builds(model.ClaimedSpeaker, texts, st.just(each), texts) for each in unsure)
    unlike = (Verdict.ALTERED, Verdict.STITCHED, Verdict.ABSENT)
    contexts = st.builds(model.QuotationContext, st.sampled_from(model.ContextKind), texts, extracts)
    return st.one_of(
        st.builds(Check, st.just(Verdict.EXACT), texts, same, claimed=st.none() | open_),
        st.builds(Check, st.just(Verdict.OUT_OF_CONTEXT), texts, same, claimed=st.none() | open_, context=contexts),
        st.builds(Check, st.just(Verdict.PARTIAL), texts, same, _tuples(texts, 1)),
        st.builds(Check, st.just(Verdict.MISATTRIBUTED), texts, other, claimed=wrong),
        st.builds(Check, st.sampled_from(unlike), texts, other, _tuples(texts), claimed=st.none() | open_),
    )


def _extracts(before: st.SearchStrategy[Extract | None]) -> st.SearchStrategy[Extract]:
    shown = (texts, st.sampled_from(CaveatKind), st.none() | texts, citations)
    return st.builds(
        Extract,
        text=texts,
        citation=citations,
        index=st.integers(0, 999_999),
        speaker=st.none() | texts,
        voice=st.sampled_from(Voice),
        caveats=_tuples(st.builds(model.QuotedCaveat, *shown), most=2),
        before=st.none() | before,
        notices=_tuples(st.builds(model.Notice, *shown), most=2),
    )


def _tuples(of: st.SearchStrategy[object], least: int = 0, most: int = 5) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


replies = _replies()


def cited(text: str, article: str = "flood", title: str = "River rises", url: str | None = None) -> Citation:
    return _citation(text, article, "The Valley Post", title, url)


def extract(text: str, article: str = "flood", speaker: str | None = None, caveat: str | None = None) -> Extract:
    warned = (model.QuotedCaveat(caveat, CaveatKind.OWN, None, cited(caveat, article)),) if caveat else ()
    said = Voice.NAMED if speaker else Voice.OUTLET
    return Extract(text, cited(text, article), 3, speaker, said, None, warned)


# -- of each kind, by hand -----------------------------------------------------------------------------------------


def _kinds() -> dict[str, Reply]:
    plain = replace(EXTRACT, text="“We saw *two* boats,” said Max Lund.", speaker="Max Lund", index=3, caveats=())
    bold = replace(EXTRACT, answer=Span(1, 6), page="https://stet.example/a/harbour/1f0c#s12")
    standing = model.Notice("Movements of reporters are restricted.", CaveatKind.STANDING, None, CITATION)
    down = cited("Lines are down.")
    possible = replace(standing, text="Lines are down.", citation=down, why=model.NoticeReason.POSSIBLE)
    noticed = replace(EXTRACT, notices=(possible, standing))
    own = replace(EXTRACT, voice=Voice.OUTLET, speaker=None, caveats=(), text="The pier is shut.", index=30)
    gone, now = Revision(None), Revision(replace(EXTRACT, text="“Fifty people were brought ashore,” Ida Roth said."))
    change = ((Change.SAME, "Forty people"), (Change.REMOVED, "were"), (Change.ADDED, "had been"))
    altered = Check(Verdict.ALTERED, "Forty people had been", (Match(EXTRACT, change),))
    exact = Check(Verdict.EXACT, plain.text, (Match(plain, ((Change.SAME, plain.text),)),))
    absent = Check(Verdict.ABSENT, "the last")
    role, companion = model.Role("the harbour master", CITATION), model.Companion("Max Lund", 2, plain)
    return {
        "answer": Answer((bold, plain), more="1f0c9a2b.13"),
        "unsure": Answer((replace(EXTRACT, before=plain),), "This may not answer your question.", band=Band.CLOSEST),
        "probably": Answer((plain,), message="Probably:", band=Band.PROBABLY, more="~1f0c9a2b.13"),
        "noticed": Answer((noticed, own)),
        "revised": Answer((replace(EXTRACT, revision=now), replace(plain, revision=gone))),
        "nothing": NoAnswer(("*ferry*",), ("zebra",), "Nothing in the archive answers this. Looked for “*ferry*”."),
        "message": model.Message("`/watches` lists them, and `help` more."),
        "card": model.Card(
            "Ida Roth", Kind.PERSON, ("Ida Roth", "I. Roth"), (), (EXTRACT,), (own,), (companion,), (CITATION,),
            described=(role,), said_in_all=7,
        ),
        "candidates": model.Candidates((model.NameCandidate("Ida Roth", Kind.PERSON, 2),), "No article names “Rot”."),
        "altered": altered,
        "exact": exact,
        "absent": absent,
        "several checks": listed_checks([exact, altered, absent], ("in between",), 0),
        "listing": model.Listing(
            "Context", (Section("The Quay", (EXTRACT, plain), marked=1), Section("Held", lines=("5 articles",)))
        ),
        "clipping": model.Clipping("“Forty people …” — Ida Roth", "text", (EXTRACT,)),
    }  # fmt: skip


KINDS = _kinds()
