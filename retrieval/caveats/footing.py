"""What each sentence rests on, as far as a caveat is concerned: is it somebody's claim, and whose."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from retrieval.model import Attribution, Boilerplate, Denial, Mention, Sentence, Span, Voice
from retrieval.sentences.layout import Layout
from retrieval.tables import listed

# Where nobody was found to speak, these words tell that somebody does.
_CLAIMING = re.compile(
    r"\b(?:sa(?:ys?|id|ying)|claim(?:ed|ing)|claims(?= (?:to|that|it|he|she|they|the)\b)|(?-i:claims(?= [A-Z]))"
    r"|alleged(?:ly)? (?:that|to)|allegedly|accus(?:e[sd]?|ing)|purport\w*|reportedly|reported that|according to|told"
    r"|apparently|tweeted|wrote|rumou?red|believed to|appear(?:s|ed)? to)\b",
    re.IGNORECASE,
)
_REACTING = re.compile(
    r"\b(?:condemn\w*|pledg\w*|vow(?:s|ed)|call(?:s|ed) (?:for|on)|urg(?:es?|ed)|welcom\w+|prais\w+|apologi\w+"
    r"|declin\w+|refus\w+|not (?:immediately )?(?:respond|comment|repl)\w*|reach\w* for comment|request for comment"
    r"|den(?:y|ies|ied)|reject(?:s|ed)|dismiss(?:es|ed))\b",
    re.IGNORECASE,
)
_SHOWING = re.compile(
    r"\b(?:show(?:s|ed|n|ing)?|depict\w*|captur\w+|featur\w+|appear(?:s|ed|ing)? to|purport\w*|seen|heard|contain\w*"
    r"|filmed|read(?:s|ing)?|entitled|titled)\b",
    re.IGNORECASE,
)
_DESCRIBING = re.compile(
    r"\b(?:show(?:s|ed|n|ing)?|depict\w*|captur\w+|appear(?:s|ed|ing)? to|purport\w*)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|scores|hundreds?|thousands?|millions?)\b",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"\b(?:president|minister|ministry|spokes\w+|secretary|chief|general|governor|mayor|officials?|government|embassy"
    r"|ambassador|chancellor|senator|commission\w*|director|head|office|department|agency)\b",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    r"(?:leader|member|source|people|resident|witness|group|another|other|former|senior|local|some|many|several|most"
    r"|staff|men|women|activist|expert|report|media|news)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*(?:”|\Z)|\"[^\"]*(?:\"|\Z)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = listed("""
    said says told that with have been were from they their them there which would could this these those will also
    after before when where more most than into about over some other only what while does says saying being under
""")
_CLAIMANTS = frozenset({Voice.NAMED, Voice.UNNAMED, Voice.MEDIA, Voice.IMPERSONAL, Voice.UNRESOLVED})
_STEM = 5  # letters: "tortured" and "torture" are one
_NAME_STEM = 4  # letters: "Iran" and "Iranian" are one


@dataclass(frozen=True, slots=True)
class Footing:
    """What one sentence rests on.

    ``claim``: somebody asserts it, so that a caveat may cover it; ``observed``: a reporter's own eyes.
    ``office``: its speaker holds one, or speaks for one.
    ``aside``: boilerplate that a reader passes over; ``heading`` parts what is above from what is below.
    """

    index: int
    text: str
    claim: bool
    observed: bool
    denial: bool
    aside: bool
    heading: bool
    speaker: str | None
    office: bool
    quotation: int | None

    @property
    def shows(self) -> bool:
        """Whether it describes what is to be seen or heard."""
        return _SHOWING.search(self.text) is not None

    @property
    def counts(self) -> bool:
        """Whether it gives a number."""
        return _NUMBER.search(self.text) is not None

    @property
    def stems(self) -> frozenset[str]:
        """The beginnings of its words, by which two sentences are told to speak of one thing."""
        return stems(self.text)

    @property
    def names(self) -> frozenset[str]:
        """The beginnings of the names in its speaker's name."""
        return stems(" ".join(word for word in (self.speaker or "").split()[1:] if word[0].isupper()))

    @property
    def party(self) -> frozenset[str]:
        """The beginnings of the words that tell its speaker's party: the country of a ministry and of its officials."""
        words = (self.speaker or "").split()
        return stems(" ".join(word for word in words if not (_OFFICE.match(word) or _ANYBODY.match(word))))


def describes(text: str) -> bool:
    """Tell whether something is made to show something in ``text``, and not merely shown itself."""
    return _DESCRIBING.search(text) is not None


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words of ``text``, in small letters."""
    words = [word for word in _WORD.findall(text) if word.lower() not in _COMMON]
    names = (word[:_NAME_STEM].lower() for word in words if word[0].isupper())
    return frozenset((*(word[:_STEM].lower() for word in words), *names))


def footings(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Footing, ...]:
    """Return what each sentence of an article rests on, in order."""
    holders = _office_holders(layout, mentions)
    return tuple(
        _footing(layout, sentence, attributions[sentence.index], denials[sentence.index], holders)
        for sentence in layout.sentences
    )


def is_quoted(layout: Layout, span: Span) -> bool:
    """Tell whether all of ``span`` stands in quotation marks."""
    opened = bisect_right(layout.quotations, span.start, key=lambda quotation: quotation.span.start)
    return opened > 0 and layout.quotations[opened - 1].span.contains(span)


def _office_holders(layout: Layout, mentions: tuple[tuple[Mention, ...], ...]) -> frozenset[str]:
    """Return the names of those whom the article gives an office."""
    text = layout.article.text
    return frozenset(m.name for found in mentions for m in found if m.role and _OFFICE.search(m.role.of(text)))


def asserts(text: str) -> bool:
    """Tell whether somebody is made to claim something in ``text``, and not merely to answer a claim."""
    claiming = _CLAIMING.search(text)
    if claiming is None:
        return False
    answering = _REACTING.search(text)
    return answering is None or claiming.start() < answering.start()


def _footing(
    layout: Layout,
    sentence: Sentence,
    attribution: Attribution | None,
    denial: Denial | None,
    holders: frozenset[str],
) -> Footing:
    text = layout.text(sentence)
    quoted = is_quoted(layout, sentence.span)
    speaker = attribution.speaker if attribution else None
    observed = attribution is not None and attribution.voice is Voice.OBSERVED
    told = attribution is not None and attribution.voice in _CLAIMANTS
    own_words = "" if quoted else _QUOTED.sub(" ", text)
    claiming = asserts(own_words)
    reaction = denial is not None or (not claiming and _REACTING.search(own_words) is not None)
    return Footing(
        index=sentence.index,
        text=text,
        claim=(told or claiming or quoted) and not observed and not reaction and not sentence.boilerplate,
        observed=observed,
        denial=reaction,
        aside=sentence.boilerplate is not None,
        heading=sentence.boilerplate is Boilerplate.HEADING,
        speaker=speaker,
        office=speaker is not None and (speaker in holders or _OFFICE.search(speaker) is not None),
        quotation=sentence.quotation,
    )
