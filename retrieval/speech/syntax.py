"""The tokens of sentences -> how their words depend on one another; and the whole phrase that a source is part of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from retrieval.model import Kind
from retrieval.speech.cues import Shape, Source, Speech, cues
from retrieval.text.tokenizer import dependencies
from retrieval.text.tokens import Tokens

_MAX_TOKENS = 120  # tokens of a sentence that are parsed: a list or a table is longer
_EDGE = 2  # tokens at either end of a quotation that are parsed: what it says is no matter, and costs time
_AND = frozenset(("and", "or", "nor", "&"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_JOINED_VERBS = frozenset(("conj", "xcomp"))  # such a verb has its subject of the verb above
_CLAUSES = frozenset(("ccomp", "xcomp"))
_OWNER_LABELS = frozenset(("pobj", "poss", "compound"))  # "a source close to Lee", "Lee's lawyer"
_JOINED = frozenset(("det", "predet", "poss", "amod", "nummod", "compound", "nmod", "prep"))
_OUTSIDE = frozenset(("relcl", "appos", "acl", "advcl", "punct", "advmod", "cc", "conj", "parataxis"))


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence's parse: the token on which each depends (a root on itself), and the label of that dependency."""

    heads: Mapping[int, int]
    labels: Mapping[int, str]

    def ancestors(self, i: int) -> Iterator[int]:
        while self.heads[i] != i:
            i = self.heads[i]
            yield i

    def children(self, i: int) -> list[int]:
        return [j for j, head in self.heads.items() if head == i and j != i]

    def subject(self, verb: int) -> int | None:
        """Return the head of a verb's subject, or of that of the verb it is joined to."""
        while True:
            found = [i for i in self.children(verb) if self.labels[i] in _SUBJECTS]
            if found or self.labels[verb] not in _JOINED_VERBS or self.heads[verb] == verb:
                return min(found, key=lambda i: abs(verb - i), default=None)
            verb = self.heads[verb]

    def has_plain_object(self, verb: int) -> bool:
        """Return whether a verb has an object and no clause: a thing is announced or claimed, nothing is said."""
        labels = {self.labels[i] for i in self.children(verb)} if verb in self.heads else set()
        return "dobj" in labels and labels.isdisjoint(_CLAUSES)

    def head(self, tokens: Iterable[int]) -> int | None:
        """Return the token on which the others of a phrase depend; subjects come first."""
        own = [i for i in tokens if i in self.heads]
        heads = [i for i in own if self.heads[i] == i or self.heads[i] not in own]
        return next((i for i in heads if self.labels[i] in _SUBJECTS), heads[-1] if heads else None)

    def phrase(self, head: int) -> range:
        """Return the noun phrase with this head, without appositions and relative clauses."""
        own, todo = {head}, [head]
        while todo:
            for i in self.children(todo.pop()):
                if self.labels[i] not in _OUTSIDE:
                    own.add(i)
                    todo.append(i)
        first, last = head, head
        while first - 1 in own:
            first -= 1
        while last + 1 in own:
            last += 1
        return range(first, last + 1)


def parse_sentences(tokens: Tokens, lines: Iterable[range]) -> Iterator[Tree]:
    """Parse sentences as tokens; of a quotation only the ends are parsed."""
    parsed = [
        [i for i in line[:_MAX_TOKENS] if not all(tokens.is_quoted(j) for j in range(i - _EDGE, i + _EDGE + 1))]
        for line in lines
    ]
    parses = dependencies([tokens.words[i] for i in places] for places in parsed)
    for places, tree in zip(parsed, parses, strict=True):
        heads = {i: places[head] for i, (head, _) in zip(places, tree, strict=True)}
        yield Tree(heads, {i: label for i, (_, label) in zip(places, tree, strict=True)})


def with_full_phrase(tokens: Tokens, tree: Tree, speech: Speech) -> Speech:
    """Return a speech whose source is the whole phrase that it is a part of.

    "A source close to Lee said" is not Lee, and "Ann Lee, mayor and head of the port, said" no port; "the firm, Odette
    Lines, said" names the firm.
    """
    source, head = speech.source, _subject_head(tree, speech)
    if source is None or head is None or source.shape is Shape.PRONOUN or tokens.is_quoted(head):
        return speech
    part = tree.head(range(source.first, source.last + 1))
    if part == head:
        beside = (i for i in tree.children(head) if tree.labels[i] == "appos" and source.mention is None)
        name = next((found for i in beside if (found := _name_at(tokens, i))), None)
        return replace(speech, source=name or _extend(tokens, tree, source, head))
    if part is None or head in range(source.first, source.last + 1) or head not in tree.ancestors(part):
        return speech
    named = _name_at(tokens, head)
    if tree.labels[part] == "conj" and source.mention and source.mention.kind is Kind.PERSON:
        if named is None or named.last + 2 != source.first or tokens.lower[named.last + 1] not in _AND:
            return speech
        return replace(speech, source=Source(Shape.PHRASE, named.first, source.last, source.head))
    if named and named.mention and named.mention.kind is Kind.PERSON:
        return replace(speech, source=named)
    if tree.labels[part] not in _OWNER_LABELS or tokens.lower[head] in cues.documents:
        return speech
    whole = tree.phrase(head)
    return replace(speech, source=Source(Shape.PHRASE, whole.start, whole[-1], tokens.lower[head]))


def _name_at(tokens: Tokens, i: int) -> Source | None:
    """Return the name at a token; of "the company, Brightwell Polymers", that of the firm."""
    if not tokens.named[i]:
        return None
    first = next(j for j in range(i, -1, -1) if j in tokens.opening)
    last, mention = tokens.opening[first]
    return Source(Shape.NAME, first, last, tokens.lower[last], mention)


def _extend(tokens: Tokens, tree: Tree, source: Source, head: int) -> Source:
    """Return a source with all words of its phrase: "some Tories", "the town's mayor", "aides to Lee"."""
    if source.mention is not None and source.mention.kind is not Kind.GROUP:
        return source
    whole = tree.phrase(head)
    first, last = min(source.first, whole.start), max(source.last, whole[-1])
    front, behind = range(first, source.first), range(source.last + 1, last + 1)
    joined = [i for i in (*front, *behind) if tree.heads[i] == head]
    if not all(tree.labels[i] in _JOINED for i in joined) or any(tokens.is_quoted(i) for i in (*front, *behind)):
        return source
    if any(tokens.lower[i] in cues.times or tree.labels[i] == "pcomp" for i in behind):
        return source  # "police on Sunday said", "said Lee's aides for closing it"
    if source.mention is not None and not behind and all(tokens.lower[i] == "the" for i in front):
        return source
    return Source(Shape.PHRASE, first, last, tokens.lower[head])


def _subject_head(tree: Tree, speech: Speech) -> int | None:
    """Return the head of the verb's subject, or of the one it is according to."""
    if speech.rule == "according to":
        return next((i for i in tree.children(speech.last) if tree.labels[i] == "pobj"), None)
    if speech.cue not in tree.heads or speech.rule == "quoted as saying":
        return None
    return tree.subject(tree.heads[speech.cue] if speech.rule == "subject of a participle" else speech.cue)


def is_about_another(tokens: Tokens, tree: Tree, speech: Speech) -> bool:
    """Return whether the verb belongs to a relative clause about somebody else."""
    subject = None if speech.cue not in tree.heads else tree.subject(speech.cue)
    if subject is None or speech.source is None or tokens.lower[subject] not in cues.relatives:
        return False
    meant = tree.heads[tree.heads[subject]]
    return not speech.source.first <= meant <= speech.source.last


def is_complete(tokens: Tokens, tree: Tree, source: Source) -> bool:
    """Return False for words across several phrases, and for one of two who speak."""
    own = range(source.first, source.last + 1)
    head = tree.head(own)
    if head is None:
        return False
    if any(tree.labels[i] == "conj" and i not in own for i in tree.children(head)):
        return False
    if tree.labels[head] == "conj" and not _is_parted_by_comma(tokens, tree, source, head):
        return False
    return source.mention is not None or all(head in (i, *tree.ancestors(i)) for i in own if i in tree.heads)


def _is_parted_by_comma(tokens: Tokens, tree: Tree, source: Source, head: int) -> bool:
    """Return whether the parser wrongly joins a person to a body: "in a statement to the Courier, Ann Lee said"."""
    other = tree.heads[head]
    beside = _name_at(tokens, other)
    people = [each.mention is not None and each.mention.kind is Kind.PERSON for each in (source, beside) if each]
    return people[0] and not any(people[1:]) and not any(tokens.lower[i] in _AND for i in range(other, head))
