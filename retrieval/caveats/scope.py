"""A caveat and the sentences near it -> those it surely covers and those it may, by scores from named features.

Theory of operation
-------------------

What a caveat covers follows from its object, not from its distance: "these accounts" are the witnesses' sentences back
to the first of them, "the footage" is whatever describes it before and after, "the claims" are one party's, however
far apart. ``caveat_object`` reads the noun phrase that could not be verified, and ``CaveatContext`` works out once what
every judgement needs: the ``anchor`` (the nearest sentence before that makes such a claim), the ``side`` (all claims of
the anchor's party), where a video was first named.

Rules for each kind of object covered .53 of what they should and .07 of what they should not, on 201 passages of real
copy: no better than "the two sentences before" (.56 and .08). So what the rules looked at became features
(``scope_features``) of a logistic regression: the labels are few, a person can read its weights, and its probability
can be cut twice. Cross-validated by article it covers .74 at .05 wrongly; a careful reader, .93 at .005.

From ``sure`` on, the caveat is put on the sentence. This threshold is strict, because a caveat that the outlet never
made would be our falsehood: of 20 sentences that must not get it, about one does. From ``possible`` on, the caveat is
noted below the reply; 94 in 100 of the sentences that it must reach get that far. A lower threshold would only add
noise: eight in ten of the notes that it adds are of no use.

Observed sentences, boilerplate, denials (but for "neither side's account") and the caveat's own sentence get no score.
``detection`` decides about the last. A caption's caveat covers its caption, an epithet in passing ("the unverified
dossier") nothing. A remark on reporting in general, an epithet and a caveat that holds its own claim are put beside a
reply at most: readers found that on other sentences they are wrong as often as right. A caveat that covers nothing
becomes a notice on the article, an epithet excepted.

An example
----------

    >>> from retrieval.model import Article
    >>> from retrieval.pipeline import read_one
    >>> text = (
    ...     "Activists in Lisewood said soldiers had burned two boats at the quay. They said a third boat was missing. "
    ...     "The ferry sails twice a day. The army denied that its soldiers had been there. "
    ...     "The claims could not be independently verified. Fishing is the main trade of the town."
    ... )
    >>> (caveat,) = read_one(Article("quay", text)).caveats
    >>> caveat.sentence, caveat.rule
    (4, 'denied verb, claims')

The nearest claim before that is no denial is 1: the anchor. Its speaker, "They", is the activists, so 0 is of the
anchor's side:

    >>> for judgement in caveat.judgements:
    ...     strongest = sorted(judgement.parts, key=lambda part: -abs(part[1]))[:3]
    ...     parts = ", ".join(f"{name} {added:+.2f}" for name, added in strongest)
    ...     print(judgement.sentence, f"{judgement.probability:.2f}", parts, sep=" | ")
    0 | 0.62 | before: kind own +0.81, said: kind own +0.49, side of the anchor claims +0.47
    1 | 0.81 | before: kind own +0.81, anchor +0.76, said: kind own +0.49
    2 | 0.17 | before: kind own +0.81, far from several -0.46, before claims +0.43
    5 | 0.01 | own voice after -0.58, after -0.39, after by 1 -0.36
    >>> caveat.covers, caveat.possible
    ((0, 1), (2,))

Sentence 2 is between the anchor and the caveat, which makes it a little suspect. The denial (3) is a side of its own
and gets no score; were the object "both sides' claims", it would.

What it cannot do
-----------------

A claim that the article never made ("his death could not be confirmed") has no sentence: such a caveat is a notice. A
bare fact, and what a caveat's own sentence says, are learned from few labels; less than half of that is sure.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.caveats.context import FARTHEST, CaveatContext
from retrieval.caveats.scope_features import features
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import Judgement

JUDGED = 20_000  # sentences of an article, each as often as a caveat is near: some two seconds
WEIGHTS = files(__package__) / "scope.toml"


@dataclass(frozen=True, slots=True)
class ScopeModel:
    """The weights; a sentence is covered from ``sure`` on, possibly from ``possible`` on (probabilities)."""

    logistic: Logistic
    sure: float
    possible: float


@cache
def load_model() -> ScopeModel:
    with_caveat = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return ScopeModel(read_logistic(WEIGHTS), with_caveat["sure"], with_caveat["possible"])


def eligible(context: CaveatContext, i: int) -> bool:
    """Return whether a caveat can be about sentence ``i``: no boilerplate, no denial, nothing a reporter saw."""
    status = context.ground[i]
    denies = status.denies and not context.object.sides
    return i != context.at and not (status.is_boilerplate or status.is_observed or denies)


def reach(caveats: int) -> int:
    """Return how many sentences on either side are judged, in an article with so many caveats.

    Nobody writes hundreds. Where they do, each has fewer sentences to itself, and in the longest article that
    is taken every sentence is, on average, still within reach of one.
    """
    return max(1, min(FARTHEST, JUDGED // (2 * max(caveats, 1))))


def judge_sentences(context: CaveatContext, farthest: int = FARTHEST) -> tuple[Judgement, ...]:
    """Judge each sentence within reach that the caveat can be about, in order."""
    weights = load_model().logistic
    near = range(max(0, context.at - farthest), min(len(context.ground), context.at + farthest + 1))
    found = ((i, features(context, i)) for i in near if eligible(context, i))
    return tuple(Judgement(i, weights.probability(seen), weights.parts(seen)) for i, seen in found)


def bands(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indexes of the sentences that are surely covered, and of those that may be."""
    learned = load_model()
    sure = tuple(each.sentence for each in judgements if each.probability >= learned.sure)
    possible = (each for each in judgements if learned.possible <= each.probability < learned.sure)
    return sure, tuple(each.sentence for each in possible)
