"""A trained pipeline's parse -> who speaks in a sentence on which the rules are silent.

It proposes the subject of a reporting verb, or its agent ("criticised by Lee"), where that verb is the sentence's own:
its root, or joined to the root. Without a pipeline it proposes nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from retrieval.lexicon.reporting_verbs import VERBS, Force, Form, Verb
from retrieval.speech import cues
from retrieval.speech.cue_match import MAIN, Shape, Source, Speech
from retrieval.speech.phrases import is_speaker
from retrieval.text.tokens import Tokens

_OWN = frozenset(("conj", "ccomp", "parataxis"))  # by which a clause is joined to the root and is still the outlet's
_OBJECTS = frozenset(("dobj", "ccomp", "xcomp", "prep", "agent"))
_NAME = 8  # tokens of a name
_FRONT = frozenset(("det", "amod", "compound", "nummod", "poss", "nmod", "quantmod", "predet"))


@dataclass(frozen=True, slots=True)
class _Tree:
    """One sentence's parse: ``heads`` and ``relations`` by token; a root is its own head."""

    heads: dict[int, int]
    relations: dict[int, str]
    children: dict[int, list[int]]

    def under(self, i: int, relation: str) -> int | None:
        """Return the first child of the token ``i`` in that relation."""
        return next((child for child in self.children.get(i, ()) if self.relations[child] == relation), None)

    def reach(self, i: int) -> tuple[int, int]:
        """Return the first and the last token of what hangs on ``i``, itself included."""
        first = last = i
        left = list(self.children.get(i, ()))
        while left:
            child = left.pop()
            first, last = min(first, child), max(last, child)
            left.extend(self.children.get(child, ()))
        return first, last


def propose(tokens: Tokens, line: range) -> Iterator[Speech]:
    """Yield the speech that the parse shows in the sentence of the tokens ``line``, the first verb first."""
    if not tokens.heads or not any(tokens.lower[i] in VERBS and not tokens.quoted[i] for i in line):
        return
    tree = _tree(tokens, line)
    for i in line:
        verb = VERBS.get(tokens.lower[i])
        if verb is None or tokens.quoted[i] or not _reports(tokens, tree, i, verb):
            continue
        source = _source(tokens, tree, i, _speaker(tree, i, verb))
        if source:
            yield Speech(source, i, i, MAIN, "subject by the parse", verb.lemma)


def _tree(tokens: Tokens, line: range) -> _Tree:
    """Return the parse of one sentence; a token that the pipeline joins to another sentence is a root."""
    tree = _Tree({}, {}, {})
    for i in line:
        head = tokens.heads[i] if tokens.heads[i] in line else i
        tree.heads[i] = head
        tree.relations[i] = tokens.relations[i] if head != i else "ROOT"
        if head != i:
            tree.children.setdefault(head, []).append(i)
    return tree


def _reports(tokens: Tokens, tree: _Tree, i: int, verb: Verb) -> bool:
    """Return whether the verb at ``i`` reports, with what it needs beside it, in a clause of the sentence's own."""
    below = {tree.relations[child] for child in tree.children.get(i, ())}
    words = {tokens.lower[child] for child in tree.children.get(i, ()) if tree.relations[child] == "aux"}
    if "neg" in below or words & (cues.MODALS | {"to"}) or not _is_own(tokens, tree, i, verb):
        return False
    match verb.force:
        case Force.SAYING:
            return True
        case Force.ACT:
            return bool(below & _OBJECTS)
        case Force.CLAUSE:
            return "ccomp" in below
        case Force.THINKING:
            return "ccomp" in below and verb.form is not Form.PAST


def _is_own(tokens: Tokens, tree: _Tree, i: int, verb: Verb) -> bool:
    """Return whether a verb's clause is the sentence's own, and not itself what somebody says."""
    relation, head = tree.relations[i], tree.heads[i]
    if relation == "ccomp" and tokens.lower[head] in VERBS:
        return False
    if relation == "advcl" and verb.form is Form.ING:
        return tree.relations[head] == "ROOT"
    while tree.relations[i] in _OWN:
        i = tree.heads[i]
    return tree.relations[i] == "ROOT"


def _speaker(tree: _Tree, i: int, verb: Verb) -> int | None:
    """Return the head of the verb's subject or agent; a verb without one has that of the verb it is joined to."""
    agent = tree.under(i, "agent")
    if agent is not None:
        return tree.under(agent, "pobj")
    if tree.under(i, "nsubjpass") is not None:
        return None
    subject = tree.under(i, "nsubj")
    joined = tree.relations[i] == "conj" or (tree.relations[i] == "advcl" and verb.form is Form.ING)
    return tree.under(tree.heads[i], "nsubj") if subject is None and joined else subject


def _source(tokens: Tokens, tree: _Tree, cue: int, head: int | None) -> Source | None:
    """Return the source whose chief word is ``head``, if it can speak."""
    if head is None or tokens.quoted[head]:
        return None
    word = tokens.lower[head]
    if word in cues.PRONOUNS:
        return None if word in ("i", "we") else Source(Shape.PRONOUN, head, head, word)
    for last in range(head, min(head + _NAME, len(tokens.lower))):
        if last in tokens.ending and tokens.ending[last][0] <= head:
            first, mention = tokens.ending[last]
            return Source(Shape.NAME, first, last, tokens.lower[last], mention)
    first, last = _phrase(tree, cue, head)
    source = Source(Shape.PHRASE, first, last, word)
    return source if word not in cues.NEVER_SPEAK and is_speaker(tokens, source) else None


def _phrase(tree: _Tree, cue: int, head: int) -> tuple[int, int]:
    """Return the first and the last token of a noun phrase: what stands before its head, and "of …" behind it."""
    first = last = head
    for child in tree.children.get(head, ()):
        low, high = tree.reach(child)
        if tree.relations[child] in _FRONT and high < head:
            first = min(first, low)
        elif tree.relations[child] == "prep" and head < low and (high < cue or cue < head):
            last = max(last, high)
    return first, last
