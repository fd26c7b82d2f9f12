"""A draft -> its sentences, each with the sentences of the archive that say nearly the same.

Markup becomes spaces, so that every place in what is read is the same place in the draft.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import islice

from bot import verbatim
from bot.command import Library
from bot.commands.alignment import FIGURE
from bot.commands.comparison import is_too_short
from bot.commands.verify import PastedQuotation, quotations
from bot.model import Finding, FindingKind
from retrieval import Archive, Article, Boilerplate, Passage, Query, Reading, Span, idf, read_one, terms

PROPOSED = 12  # sentences that the archive is asked for
FEWEST_TERMS = 3  # of a sentence: with fewer, anything is like it
NEAR = 0.35  # share of a sentence's words, by weight, from which another is worth comparing
ALIKE = 0.5  # of a sentence of the archive with the draft's, from which what it has otherwise is a difference
STATING = (None, Boilerplate.HEADING, Boilerplate.TITLE, Boilerplate.CAPTION)  # what is printed as the writer's own
UNKNOWN = 30  # a word that no article has weighs as much as one in so many sentences
SUREST = 0.99  # no match of two wordings is certain

_MARKUP = re.compile(
    r"(?<=\])\([^()\s]*(?:\s\"[^\"]*\")?\)"  # the address of a link
    r"|^[ \t]*#{1,6}(?=\s)|[*_`](?!(?<=\d.)\d)|~(?!" + FIGURE + r")|[\[\]]",
    re.MULTILINE,
)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_VISIBLE = re.compile(r"\S")


@dataclass(frozen=True)
class Twin:
    """A sentence of the archive beside one of a draft.

    ``shared`` is the share of the draft's words that it has, by weight, ``own`` that of its own words in the draft's.
    Figures count in neither.
    """

    reading: Reading
    index: int
    text: str
    shared: float
    own: float

    @property
    def place(self) -> tuple[str, int]:
        return self.reading.article.id, self.index

    @property
    def passage(self) -> Passage:
        return self.reading.passages[self.index]

    @property
    def likeness(self) -> float:
        return (2 * self.shared + self.own) / 3


@dataclass(frozen=True)
class Statement:
    """A sentence of a draft, with its ``twins``, the most alike first; ``near`` are nearly the same."""

    passage: Passage
    text: str
    twins: tuple[Twin, ...]

    @property
    def span(self) -> Span:
        return self.passage.sentence.span

    @property
    def near(self) -> tuple[Twin, ...]:
        return tuple(twin for twin in self.twins if twin.likeness >= ALIKE)

    def readings(self, most: int, least: float = 0.0) -> Iterator[Reading]:
        """Yield the articles of the twins that are alike enough, ``most`` at most, those of the most alike first."""
        alike = {twin.reading.article.id: twin.reading for twin in self.twins if twin.likeness >= least}
        return islice(alike.values(), most)


class Draft:
    def __init__(self, library: Library, text: str) -> None:
        self.library = library
        self.archive: Archive = library.archive
        # Markdown's marks and front matter are spaces; every other character keeps its place
        text = _FRONT_MATTER.sub(lambda match: _VISIBLE.sub(" ", match[0]), text)
        self.text = _MARKUP.sub(lambda match: " " * len(match[0]), text)
        self.reading = read_one(Article("draft", self.text))
        self.reading_of = cache(partial(verbatim.reading, library.archive))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The sentences that state something, in order."""
        found = [
            (passage, passage.sentence.span.of(self.text))
            for passage in self.reading.passages
            if passage.sentence.boilerplate in STATING
        ]
        vocabulary = self.archive.vocabulary()
        size, counts = vocabulary.size(), vocabulary.frequencies({term for _, text in found for term in terms(text)})

        def weight(terms: frozenset[str]) -> float:
            """Return what words weigh: the rarer, the more; figures left out."""
            return sum(idf(size, counts.get(term, 0) or UNKNOWN) for term in terms if not term[0].isdigit())

        return tuple(Statement(passage, text, tuple(self._twins(text, weight))) for passage, text in found)

    @cached_property
    def pieces(self) -> tuple[PastedQuotation, ...]:
        """What is in quotation marks, of any length; the draft may interrupt one quotation."""
        return quotations(self.library, self.text, fewest=1)

    @cached_property
    def quotations(self) -> tuple[PastedQuotation, ...]:
        """Those that are long enough to be compared alone."""
        return tuple(each for each in self.pieces if not is_too_short(each.words))

    def is_quoted(self, span: Span) -> bool:
        return any(each.start <= span.start and span.end <= each.end for each in self.quotations)

    def finding(
        self, kind: FindingKind, span: Span, what: str, confidence: float, *places: tuple[str, int], instead: str = ""
    ) -> Iterator[Finding]:
        """Yield what is wrong in a span; nothing where a sentence at one of the ``places`` that show it is gone."""
        shown = tuple(verbatim.at(self.archive, places))
        if len(shown) == len(places):
            sure = round(min(confidence, SUREST), 2)
            yield Finding(kind, span, span.of(self.text), what, sure, shown, instead=instead)

    def _twins(self, text: str, weight: Callable[[frozenset[str]], float]) -> Iterator[Twin]:
        wanted = tuple(dict.fromkeys(terms(text)))
        if len(wanted) < FEWEST_TERMS:
            return
        query = Query(terms=tuple((term, 1.0) for term in wanted), boilerplate=frozenset())
        ours, found = frozenset(wanted), list[Twin]()
        for hit in self.archive.search(query, PROPOSED):
            reading = self.reading_of(hit.article_id)
            if reading is None or reading.article.digest != hit.digest:  # it has changed meanwhile
                continue
            own = hit.passage.sentence.span.of(reading.article.text)
            both = weight(ours & _terms_of(own))
            shared = both / (weight(ours) or 1.0)
            if shared >= NEAR:
                back = both / (weight(_terms_of(own)) or 1.0)
                found.append(Twin(reading, hit.passage.sentence.index, own, shared, back))
        yield from sorted(found, key=lambda twin: (-twin.likeness, twin.place))


@lru_cache(maxsize=4096)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text))
