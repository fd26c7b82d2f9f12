"""Layout -> the names in each sentence: what they are the names of, and in their fullest form in this article.

Theory of operation
-------------------

News introduces somebody once, in full and with an office, and writes the surname from then on; a headline may come
before the introduction, and a body is spelt out before its initials stand alone. So no sentence can be judged by
itself, and none has to be: every doubtful word is judged twice, first alone and then by what the article shows.

Alone. ``runs`` takes the words with a capital, and what joins them ("of", "&", "von der"). ``name_parts`` cuts a run
where two names meet: days go out, a title comes off the front and is kept as such, a people is parted from the name
behind it. Each part becomes a ``Candidate``, with its neighbours, and ``entity_kinds`` asks its rules in order: the
first that has an opinion gives the kind, and says whether it is sure. What all rules pass over has a capital and
nothing else to show ("rest"): it is called a body, unsurely, as bodies have the least form of all names.

Together. ``linking.gather`` collects what the candidates show: which surnames people bear, what kind each name was
given and how surely (a sure verdict counts four times an unsure one), which acronyms brackets introduced, which names
stand elsewhere than at the head of a sentence. Then ``settle`` judges each again. A single word that is a surname is
the person who bears it, also spelt or romanised otherwise; an unsure kind yields to a sure one; an everyday word met
once, or several that only ever open sentences, name nothing. Between the two steps an everyday word is taken off a name
it only opens the sentence of, and an unsure name in a list becomes what its sure neighbours are. In a headline, where
every word has a capital, nothing is judged: only names known from the prose are looked up.

A name over all articles is another question, for ``entities``. Where two bear a surname, both here and there, the bare
surname is left as it is: a wrong person costs more than none.

Rules and gazetteers do this rather than a trained pipeline for what they cost: on held-out articles they reached an F1
of .88 where spaCy's small pipeline had .87 and its middle one .90, at a fortieth of the time.

An example
----------

    >>> from retrieval.model import Article
    >>> from retrieval.pipeline import read_one
    >>> def trace(text):
    ...     for mention in (m for passage in read_one(Article("pier", text)).passages for m in passage.mentions):
    ...         print(mention.span.of(text), mention.kind, mention.name, mention.rule, sep=" | ")

    >>> sentences = (
    ...     "Aino Kask, the harbour master, closed the old pier in Lisewood on Monday.",
    ...     "Finch objected.",
    ...     "“It is safe,” Mayor Orla Finch wrote to the Lisewood Port Authority (LPA).",
    ...     "The LPA wants a survey, and so does Kask.",
    ...     "Describing Finch as stubborn, Kasck left Lisewood.",
    ... )

Alone, the first and the third sentence are clear: a first name, a place behind "in", a title, the head word of a body.
Of the others little can be said. "Finch" and "Describing Finch" are everyday words at the head of a sentence, and no
names at all; what the rest may be is anybody's guess, so they are unsure bodies:

    >>> for sentence in (sentences[1], sentences[3], sentences[4]):
    ...     trace(sentence)
    LPA | ORG | LPA | acronym
    Kask | ORG | Kask | rest
    Kasck | ORG | Kasck | rest
    Lisewood | ORG | Lisewood | rest

Together, the article answers every one of these. "Finch" is the mayor, though she is introduced only later, and so
"Describing" merely opens its sentence; "Kasck" sounds like one surname and no other; "LPA" stood in brackets behind its
initials; "Lisewood" was surely a place once, and is one throughout:

    >>> trace(" ".join(sentences))
    Aino Kask | PERSON | Aino Kask | person
    Lisewood | PLACE | Lisewood | territory
    Finch | PERSON | Orla Finch | surname
    Orla Finch | PERSON | Orla Finch | titled
    Lisewood Port Authority | ORG | Lisewood Port Authority | head
    LPA | ORG | Lisewood Port Authority | introduced
    LPA | ORG | Lisewood Port Authority | introduced
    Kask | PERSON | Aino Kask | surname
    Finch | PERSON | Orla Finch | surname
    Kasck | PERSON | Aino Kask | surname
    Lisewood | PLACE | Lisewood | rest

What it cannot do
-----------------

A small town that no gazetteer counts as large, and that nothing near it gives away, stays what "rest" makes of it:

    >>> trace("The pier at Lisewood was closed.")
    Lisewood | ORG | Lisewood | rest
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from operator import or_

from retrieval.model import Boilerplate, Kind, Mention, Sentence, Span
from retrieval.names.candidates import candidate
from retrieval.names.entity_kinds import judge
from retrieval.names.gazetteer import is_first_name, is_word
from retrieval.names.linking import Judged, Known, gather, listed_together, settle
from retrieval.names.name_parts import NamePart, name_parts_of
from retrieval.names.roles import role_of
from retrieval.names.runs import Word, is_too_long, runs_of, span_of, words_of
from retrieval.names.titles import PARTICLES
from retrieval.text.blocks import Layout

Words = list[Word]

# Who is named in these alone is nobody in the article; a caption, a credit and a by-line are about the report.
_FURNITURE = frozenset((Boilerplate.ADVERTISEMENT, Boilerplate.LINK, Boilerplate.CALL))
_LONGEST_DATELINE = 80  # characters; in what is longer, other things are run together with it


def find_names(layout: Layout) -> tuple[tuple[Mention, ...], ...]:
    """Return the mentions of each sentence, in order; ``name`` is the fullest form in this article."""
    article = _Reading(layout)
    judged = [article.judged(i) for i in range(len(layout.sentences))]
    known = gather(judged)
    stripped = [[article.without_opener(j, known) for j in row] for row in judged]
    together = [listed_together(row, words, known) for row, words in zip(stripped, article.words, strict=True)]
    if together != judged:
        judged, known = together, gather(together)
    return tuple(article.mentions(i, row, known) for i, row in enumerate(judged))


class _Reading:
    """The words of an article's sentences, and what they show together."""

    def __init__(self, layout: Layout) -> None:
        self.text = layout.article.text
        self.words = words_of(layout.tokens)
        furniture = list(map(_is_furniture, layout.sentences))
        headings = [
            _may_be_heading(s) and _is_heading(w, self.text) for s, w in zip(layout.sentences, self.words, strict=True)
        ]
        told = all(map(or_, furniture, headings))
        # where nothing else stands, the names stand there
        self.headings = [False] * len(headings) if told else list(map(or_, furniture, headings))
        self.lower, self.capital = _vocabulary(w for w, h in zip(self.words, self.headings, strict=True) if not h)

    def judged(self, i: int) -> list[Judged]:
        """Return the candidates of sentence ``i``, each judged by itself; none in a heading or in furniture."""
        if self.headings[i]:
            return []
        words = self.words[i]
        pieces = (piece for run in runs_of(words, self.text) for piece in name_parts_of(i, run))
        return [self.judge(i, piece) for piece in pieces if not is_too_long(words[piece.first : piece.last + 1])]

    def judge(self, i: int, piece: NamePart) -> Judged:
        """Return what a piece of sentence ``i`` is by itself."""
        words = self.words[i]
        found = candidate(words, piece, self.lower, self.capital)
        verdict, rule = judge(found)
        span = span_of(words, piece.first, piece.last)
        return Judged(found, verdict, rule, span, " ".join(span.of(self.text).split()))

    def mentions(self, i: int, judged: list[Judged], known: Known) -> tuple[Mention, ...]:
        """Return the mentions of sentence ``i``."""
        words = self.words[i]
        if self.headings[i]:
            return tuple(_known_in(words, known))
        settled = ((j, settle(j, known)) for j in judged)
        return tuple(_with_role(words, j, mention) for j, mention in settled if mention is not None)

    def without_opener(self, j: Judged, known: Known) -> Judged:
        """Return the candidate without an everyday word that only opens the sentence: "Describing | Estonia"."""
        if not j.candidate.opens or j.candidate.single or j.candidate.piece.titled or j.name in known.inside:
            return j
        first = j.candidate.texts[0]
        if not is_word(first) or is_first_name(first) or not known.has_beside(j.name, " ".join(j.candidate.texts[1:])):
            return j
        piece = j.candidate.piece
        return self.judge(piece.sentence, piece._replace(first=piece.first + 1))


def _with_role(words: Words, j: Judged, mention: Mention) -> Mention:
    if mention.kind is not Kind.PERSON:
        return mention
    piece = j.candidate.piece
    first = piece.first
    # "bin Laden", where the full name has the particle too
    while mention.rule == "surname" and first and words[first - 1].text in PARTICLES.intersection(mention.name.split()):
        first -= 1
    role = role_of(words, (piece.first, piece.last), piece.role)
    return replace(mention, span=Span(words[first].start, mention.span.end), role=role)


def _is_furniture(sentence: Sentence) -> bool:
    """Return whether names in a sentence are none of the article's, unless the report has them too."""
    if sentence.boilerplate is Boilerplate.DATELINE:
        return sentence.span.end - sentence.span.start > _LONGEST_DATELINE
    return sentence.boilerplate in _FURNITURE or sentence.rule == "gallery"


def _may_be_heading(sentence: Sentence) -> bool:
    return sentence.boilerplate in (None, Boilerplate.HEADING, Boilerplate.TITLE)


def _vocabulary(sentences: Iterable[Words]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that stand in lower case, and those that stand in upper case after one in lower case."""
    lower: set[str] = set()
    capital: set[str] = set()
    for words in sentences:
        lower.update([word.text for word in words if not word.capital])
        capital.update([w.text for before, w in pairwise(words) if w.capital and _is_lower(before)])
    return frozenset(lower), frozenset(capital)


def _is_lower(word: Word) -> bool:
    return not word.capital and word.text[-1].isalpha()


# Headings, where every word has a capital: only names known from the article's prose count there.
_LONGEST_NAME = 6  # words
_FEWEST = 4  # words by which a line in capitals can be told
_SHARE = 0.9  # of the longer words have a capital in a heading
_SHORT = 4  # letters: "of", "the", "from" stay small


def _is_heading(words: list[Word], text: str) -> bool:
    """Return whether a sentence stands on lines of its own, and nearly every longer word has a capital."""
    if not words or not _stands_alone(words, text):
        return False
    longer = [word for word in words if len(word.text) > _SHORT and word.text[0].isalpha()]
    if len(longer) < _FEWEST:
        return False
    return sum(word.capital for word in longer) >= len(longer) * _SHARE


def _stands_alone(words: list[Word], text: str) -> bool:
    before, after = text[max(words[0].start - 2, 0) : words[0].start], text[words[-1].end : words[-1].end + 2]
    return before.rstrip(" ")[-1:] in ("", "\n") and after.lstrip(" ")[:1] in ("", "\n")


def _known_in(words: list[Word], known: Known) -> Iterator[Mention]:
    """Yield the known names in a heading, the longest first at each place."""
    i = 0
    while i < len(words):
        end = _longest(words, i, known) if words[i].capital else None
        if end is None:
            i += 1
            continue
        name = " ".join(word.text for word in words[i:end])
        kind = known.kind(name)
        if kind is not None:
            yield Mention(kind, known.fullest(name), Span(words[i].start, words[end - 1].end), None, "heading")
        i = end


def _longest(words: list[Word], first: int, known: Known) -> int | None:
    for end in range(min(first + _LONGEST_NAME, len(words)), first, -1):
        if known.kind(" ".join(word.text for word in words[first:end])) is not None:
            return end
    return None
