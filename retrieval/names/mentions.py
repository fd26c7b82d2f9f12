"""Layout -> the names in each sentence: what they are the names of, and in their fullest form in this article.

The theory: ``docs/theory/names.md``.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from retrieval.model import Boilerplate, Kind, Mention, Sentence, Span
from retrieval.names.entity_kinds import PERSON, Candidate, judge
from retrieval.names.gazetteer import is_first_name, is_people, is_word
from retrieval.names.linking import KnownNames, listed_together, resolve_mention
from retrieval.names.name_parts import NamePart, name_parts_of
from retrieval.names.roles import role_of
from retrieval.names.runs import RunWord, is_too_long, runs_of, words_of
from retrieval.names.titles import PARTICLES
from retrieval.text.blocks import Layout

Words = list[RunWord]

# A name only in one of these is nobody in the article; a caption, a credit and a by-line are about the report.
_FOLLOW_UP_WORDS = frozenset((Boilerplate.ADVERTISEMENT, Boilerplate.LINK, Boilerplate.CALL))
_LONGEST_DATELINE = 80  # characters; in what is longer, other things are run together with it

# A heading, where every word has a capital: only names known from the article's prose count there.
_LONGEST_NAME = 6  # words
_FEWEST_LONG_WORDS = 4  # by which a line in capitals can be recognised
_CAPITAL_SHARE = 0.9  # of the longer words
_WITHIN_SENTENCE = frozenset((",", ";", "(", "-", "–"))  # behind these no word only opens a sentence
_NO_NAME_ENDINGS = ("ing", "ed", "ly", "ful", "less", "ious", "ive", "ial", "able")  # of what describes or is done
_SHORT_NAME = 5  # letters: "Holly" and "Reed" have such endings by chance
_LONGEST_SMALL_WORD = 4  # letters: "of", "the", "from" stay small


def find_names(layout: Layout) -> tuple[tuple[Mention, ...], ...]:
    """Find the mentions of each sentence, in order; ``name`` is the fullest form in this article."""
    article = _NamesInArticle(layout)
    rows = [article.judge_all(i) for i in range(len(layout.sentences))]
    known = KnownNames(rows)
    stripped = [[article.without_opener(i, j, known) for j in row] for i, row in enumerate(rows)]
    together = [listed_together(row, words, known) for row, words in zip(stripped, article.words, strict=True)]
    if together != rows:
        rows, known = together, KnownNames(together)
    return tuple(article.mentions(i, row, known) for i, row in enumerate(rows))


class _NamesInArticle:
    """The words of an article's sentences, and what they show together."""

    def __init__(self, layout: Layout) -> None:
        self.text = layout.article.text
        self.words = words_of(layout.tokens)
        unread = [
            _is_furniture(sentence) or _is_heading(sentence, words, self.text)
            for sentence, words in zip(layout.sentences, self.words, strict=True)
        ]
        # where there is nothing else, they are read all the same
        self.unread = [False] * len(unread) if all(unread) else unread
        prose = [words for words, skip in zip(self.words, self.unread, strict=True) if not skip]
        self.lower = frozenset(word.text for words in prose for word in words if not word.capital)
        pairs = (pair for words in prose for pair in pairwise(words))
        self.capital = frozenset(
            word.text for before, word in pairs if word.capital and not before.capital and before.text[-1].isalpha()
        )

    def judge_all(self, i: int) -> list[Candidate]:
        """Judge the candidates of sentence ``i``, each by itself; there are none in a heading or in furniture."""
        if self.unread[i]:
            return []
        words = self.words[i]
        parts = (part for run in runs_of(words, self.text) for part in name_parts_of(run))
        return [self.judge(i, part) for part in parts if not is_too_long(words[part.first : part.last + 1])]

    def judge(self, i: int, part: NamePart) -> Candidate:
        return judge(self.text, self.words[i], part, self.lower, self.capital)

    def mentions(self, i: int, row: list[Candidate], known: KnownNames) -> tuple[Mention, ...]:
        words = self.words[i]
        if self.unread[i]:
            return tuple(_known_in(words, known))
        mentions = ((j, resolve_mention(j, known)) for j in row)
        return tuple(_with_role(words, j, mention) for j, mention in mentions if mention is not None)

    def without_opener(self, i: int, j: Candidate, known: KnownNames) -> Candidate:
        """Cut off an everyday word that only opens the sentence: "Describing | Estonia", but not "Grace Thale"."""
        if not j.opens or j.single or j.part.titled or j.spelling in known.inside or j.before in _WITHIN_SENTENCE:
            return j
        first, *others = j.texts
        if not is_word(first) or is_first_name(first) or not known.has_beside(j.spelling, " ".join(others)):
            return j
        only_opens = first.lower() in j.lower or (len(first) > _SHORT_NAME and first.endswith(_NO_NAME_ENDINGS))
        is_surname = known.kinds.get(others[-1], Kind.PERSON) is Kind.PERSON and not is_people(others[-1])
        if (j.verdict == PERSON or j.rule == "rest") and is_surname and not only_opens:
            return j
        return self.judge(i, j.part._replace(first=j.part.first + 1))


def _with_role(words: Words, j: Candidate, mention: Mention) -> Mention:
    if mention.kind is not Kind.PERSON:
        return mention
    first = j.part.first
    # "bin Laden", where the full name has the particle too
    while mention.rule == "surname" and first and words[first - 1].text in PARTICLES.intersection(mention.name.split()):
        first -= 1
    role = role_of(words, (j.part.first, j.part.last), j.part.role)
    return replace(mention, span=Span(words[first].start, mention.span.end), role=role)


def _is_furniture(sentence: Sentence) -> bool:
    """Whether names in a sentence are none of the article's, unless the report has them too."""
    if sentence.boilerplate is Boilerplate.DATELINE:
        return sentence.span.end - sentence.span.start > _LONGEST_DATELINE
    return sentence.boilerplate in _FOLLOW_UP_WORDS or sentence.rule == "gallery"


def _is_heading(sentence: Sentence, words: Words, text: str) -> bool:
    """Whether a sentence has lines of its own, and nearly every longer word has a capital."""
    if sentence.boilerplate not in (None, Boilerplate.HEADING, Boilerplate.TITLE) or not words:
        return False
    before, after = text[max(words[0].start - 2, 0) : words[0].start], text[words[-1].end : words[-1].end + 2]
    if before.rstrip(" ")[-1:] not in ("", "\n") or after.lstrip(" ")[:1] not in ("", "\n"):
        return False
    longer = [word for word in words if len(word.text) > _LONGEST_SMALL_WORD and word.text[0].isalpha()]
    capitals = sum(word.capital for word in longer)
    return len(longer) >= _FEWEST_LONG_WORDS and capitals >= len(longer) * _CAPITAL_SHARE


def _known_in(words: Words, known: KnownNames) -> Iterator[Mention]:
    """Yield the known names in a heading, the longest first at each place."""
    i = 0
    while i < len(words):
        ends = range(min(i + _LONGEST_NAME, len(words)), i, -1) if words[i].capital else ()
        for end in ends:
            name = " ".join(word.text for word in words[i:end])
            kind = known.kind(name)
            if kind is not None:
                yield Mention(kind, known.fullest(name), Span(words[i].start, words[end - 1].end), None, "heading")
                i = end
                break
        else:
            i += 1
