"""The tokens of sentences -> how their words depend on one another; and the whole phrase that a source is part of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from retrieval.model import Kind
from retrieval.speech import cues
from retrieval.speech.cues import Shape, Source, Speech
from retrieval.text.tokenizer import dependencies
from retrieval.text.tokens import Tokens

_LONGEST = 120  # tokens of a sentence that are parsed: a list or a table is longer
_EDGE = 2  # tokens at either end of a quotation that are parsed: what it says is no matter, and costs time
_AND = frozenset(("and", "or", "nor", "&"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_ALONGSIDE = frozenset(("conj", "xcomp"))  # such a verb has its subject of the verb above
_CLAUSES = frozenset(("ccomp", "xcomp"))
_OWNED = frozenset(("pobj", "poss", "compound"))  # "a source close to Lee", "Lee's lawyer"
_JOINED = frozenset(("det", "predet", "poss", "amod", "nummod", "compound", "nmod", "prep"))
_ASIDE = frozenset(("relcl", "appos", "acl", "advcl", "punct", "advmod", "cc", "conj", "parataxis"))


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence's parse: of each token parsed, the one it depends on (itself for a root), and as what."""

    over: Mapping[int, int]
    label: Mapping[int, str]

    def above(self, i: int) -> Iterator[int]:
        """Yield the tokens that a token depends on, nearest first."""
        while self.over[i] != i:
            i = self.over[i]
            yield i

    def below(self, i: int) -> list[int]:
        """Return the tokens that depend on a token itself."""
        return [j for j, over in self.over.items() if over == i and j != i]

    def subject(self, verb: int) -> int | None:
        """Return the head of a verb's subject, or of that of the verb it stands alongside."""
        while True:
            found = [i for i in self.below(verb) if self.label[i] in _SUBJECTS]
            if found or self.label[verb] not in _ALONGSIDE or self.over[verb] == verb:
                return min(found, key=lambda i: abs(verb - i), default=None)
            verb = self.over[verb]

    def takes_a_thing(self, verb: int) -> bool:
        """Return whether a verb has an object and no clause: what is announced or claimed so, nobody is told."""
        labels = {self.label[i] for i in self.below(verb)} if verb in self.over else set()
        return "dobj" in labels and labels.isdisjoint(_CLAUSES)

    def head(self, tokens: Iterable[int]) -> int | None:
        """Return the token of a phrase on which the others depend, a subject before others."""
        mine = [i for i in tokens if i in self.over]
        heads = [i for i in mine if self.over[i] == i or self.over[i] not in mine]
        return next((i for i in heads if self.label[i] in _SUBJECTS), heads[-1] if heads else None)

    def phrase(self, head: int) -> range:
        """Return the tokens of a noun phrase: what depends on its head, asides and relative clauses left out."""
        mine, todo = {head}, [head]
        while todo:
            for i in self.below(todo.pop()):
                if self.label[i] not in _ASIDE:
                    mine.add(i)
                    todo.append(i)
        first, last = head, head
        while first - 1 in mine:
            first -= 1
        while last + 1 in mine:
            last += 1
        return range(first, last + 1)


def parsed(tokens: Tokens, lines: Iterable[range]) -> Iterator[Tree]:
    """Yield the parse of each sentence, given by its tokens; of a quotation the ends alone are parsed."""
    kept = [
        [i for i in line[:_LONGEST] if not all(tokens.is_quoted(j) for j in range(i - _EDGE, i + _EDGE + 1))]
        for line in lines
    ]
    for places, tree in zip(kept, dependencies([tokens.words[i] for i in places] for places in kept), strict=True):
        yield Tree(
            {i: places[over] for i, (over, _) in zip(places, tree, strict=True)},
            {i: label for i, (_, label) in zip(places, tree, strict=True)},
        )


def made_whole(tokens: Tokens, tree: Tree, speech: Speech) -> Speech:
    """Return a speech whose source is the whole phrase that it is a part of.

    "A source close to Lee said" is not Lee, and "Ann Lee, mayor and head of the port, said" no port; "the firm, Odette
    Lines, said" names the firm.
    """
    source, head = speech.source, _speaking(tree, speech)
    if source is None or head is None or source.shape is Shape.PRONOUN or tokens.is_quoted(head):
        return speech
    part = tree.head(range(source.first, source.last + 1))
    if part == head:
        beside = (i for i in tree.below(head) if tree.label[i] == "appos" and source.mention is None)
        called = next((found for i in beside if (found := _name_at(tokens, i))), None)
        return replace(speech, source=called or _widened(tokens, tree, source, head))
    if part is None or head in range(source.first, source.last + 1) or head not in tree.above(part):
        return speech
    named = _name_at(tokens, head)
    if tree.label[part] == "conj" and source.mention and source.mention.kind is Kind.PERSON:
        if named is None or named.last + 2 != source.first or tokens.lower[named.last + 1] not in _AND:
            return speech
        return replace(speech, source=Source(Shape.PHRASE, named.first, source.last, source.head))
    if named and named.mention and named.mention.kind is Kind.PERSON:
        return replace(speech, source=named)
    if tree.label[part] not in _OWNED or tokens.lower[head] in cues.DOCUMENTS:
        return speech
    whole = tree.phrase(head)
    return replace(speech, source=Source(Shape.PHRASE, whole.start, whole[-1], tokens.lower[head]))


def _name_at(tokens: Tokens, i: int) -> Source | None:
    """Return the name that token ``i`` is part of: of "the company, Brightwell Polymers", that of the firm."""
    if not tokens.named[i]:
        return None
    first = next(j for j in range(i, -1, -1) if j in tokens.opening)
    last, mention = tokens.opening[first]
    return Source(Shape.NAME, first, last, tokens.lower[last], mention)


def _widened(tokens: Tokens, tree: Tree, source: Source, head: int) -> Source:
    """Return a source with all words of its phrase: "some Tories", "the town's mayor", "aides to Lee"."""
    if source.mention is not None and source.mention.kind is not Kind.GROUP:
        return source
    whole = tree.phrase(head)
    first, last = min(source.first, whole.start), max(source.last, whole[-1])
    front, behind = range(first, source.first), range(source.last + 1, last + 1)
    joined = [i for i in (*front, *behind) if tree.over[i] == head]
    if not all(tree.label[i] in _JOINED for i in joined) or any(tokens.is_quoted(i) for i in (*front, *behind)):
        return source
    if any(tokens.lower[i] in cues.TIMES or tree.label[i] == "pcomp" for i in behind):
        return source  # "police on Sunday said", "said Lee's aides for closing it"
    if source.mention is not None and not behind and all(tokens.lower[i] == "the" for i in front):
        return source
    return Source(Shape.PHRASE, first, last, tokens.lower[head])


def _speaking(tree: Tree, speech: Speech) -> int | None:
    """Return the head of what by the parse speaks: the verb's subject, or whom it is according to."""
    if speech.rule == "according to":
        return next((i for i in tree.below(speech.last) if tree.label[i] == "pobj"), None)
    if speech.cue not in tree.over or speech.rule == "quoted as saying":
        return None
    return tree.subject(tree.over[speech.cue] if speech.rule == "subject of a participle" else speech.cue)


def is_of_another(tokens: Tokens, tree: Tree, speech: Speech) -> bool:
    """Return whether the verb's subject is a "who" or "which" that stands for somebody else than the source."""
    subject = None if speech.cue not in tree.over else tree.subject(speech.cue)
    if subject is None or speech.source is None or tokens.lower[subject] not in cues.RELATIVES:
        return False
    meant = tree.over[tree.over[subject]]
    return not speech.source.first <= meant <= speech.source.last


def is_whole(tokens: Tokens, tree: Tree, source: Source) -> bool:
    """Return whether a source is a phrase of the sentence and not words across several, nor one of two who speak."""
    mine = range(source.first, source.last + 1)
    head = tree.head(mine)
    if head is None:
        return False
    if any(tree.label[i] == "conj" and i not in mine for i in tree.below(head)):
        return False
    if tree.label[head] == "conj" and not _is_parted_by_comma(tokens, tree, source, head):
        return False
    return source.mention is not None or all(head in (i, *tree.above(i)) for i in mine if i in tree.over)


def _is_parted_by_comma(tokens: Tokens, tree: Tree, source: Source, head: int) -> bool:
    """Return whether the parser alone joins a person to what is none: "in a statement to the Courier, Ann Lee said"."""
    other = tree.over[head]
    beside = _name_at(tokens, other)
    people = [each.mention is not None and each.mention.kind is Kind.PERSON for each in (source, beside) if each]
    return people[0] and not any(people[1:]) and not any(tokens.lower[i] in _AND for i in range(other, head))
