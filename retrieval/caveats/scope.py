"""A caveat among its sentences -> those it surely covers and those it may, each judged by a score from named features.

Theory of operation
-------------------

That a caveat is there, and whose inability it tells of, is known before (``detection``, ``caveat_source``). What it
covers follows from its object, not from its distance: "these accounts" are the witnesses' sentences back to where they
were brought on, "the footage" is whatever describes it before and after, "the claims" are one party's, however far
apart they stand. So ``caveat_object`` reads the noun phrase that could not be verified, and ``CaveatContext`` works out
once what every judgement asks: the ``anchor`` (the nearest sentence before that says such a thing), the ``side`` (all
claims of the anchor's party), where people or a video were brought on.

Rules made from that, one for each kind of object, were written first. On 201 passages of real copy they covered .53 of
what they should and .07 of what they should not, no better than "the two sentences before" (.56 and .08): real copy
breaks each rule in its own way, and a rule can only be kept or broken. So what the rules looked at became features
(``scope_features``), and their weights are learned. A logistic regression, for three reasons: the labels are few, and a
larger model would learn them by heart; a person can read its weights; its probability can be cut twice. Cross-validated
by article it covers .74 at .05 wrongly; a careful reader, .93 at .005.

Two cuts, because the two errors differ. From ``sure`` on the caveat stands on the sentence; that cut lets by one in
twenty sentences that it must not touch, since a caveat that is not the outlet's own there is a falsehood of ours. From
``possible`` on it is told beside the reply, and that cut keeps 97 in a hundred of the sentences that it must reach,
since nothing unverified may be shown bare.

Before any score: a sentence that a reporter saw, boilerplate and the caveat's own sentence are not eligible. The last
is covered by what ``detection`` saw in it ("…, but the claim could not be verified"), not by a score; the others are
then possible at most, since the claim meant stands beside the caveat (accounts excepted, which run on). A caption's
caveat covers its caption, an epithet ("unconfirmed reports of a blast") its own sentence or none, a remark on reporting
in general covers no sentence: they are asked no score. What covers nothing becomes a notice on the article, an epithet
excepted.

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

The object is "the claims", of nobody in particular. The nearest claim before that is no denial is 1: the anchor. Its
speaker, "They", is the activists, so 0 is of the anchor's side:

    >>> for judged in caveat.judged:
    ...     strongest = sorted(judged.parts, key=lambda part: -abs(part[1]))[:3]
    ...     parts = ", ".join(f"{name} {added:+.2f}" for name, added in strongest)
    ...     print(judged.sentence, f"{judged.probability:.2f}", parts, sep=" | ")
    0 | 0.70 | before +0.71, said before +0.56, speaker of the anchor before +0.49
    1 | 0.75 | anchor +0.83, before +0.71, said before +0.56
    2 | 0.17 | before +0.71, own voice before -0.46, before claims +0.42
    3 | 0.47 | before +0.71, before by 1 +0.71, denies -0.63
    5 | 0.02 | after -0.71, own voice after -0.71, after claims -0.52
    >>> caveat.covers, caveat.possible
    ((0, 1), (2, 3))

Both claims are covered, the farther one too, across a sentence of the outlet's own. That sentence (2) stands between
the anchor and the caveat, which makes it a little suspect: a caveat beside a reply that shows it does no harm. The
denial (3) is the nearest sentence of all and only possible, since it is a side of its own; were the object "both sides'
claims", it would be covered as well. What comes after "the claims" (5) is the article going on.

What it cannot do
-----------------

It sees the sentences that a caveat is near to, up to ``FARTHEST``, and a claim that the article never made ("his death
could not be confirmed") has no sentence to be found: such a caveat is a notice. A bare fact, and what stands within a
caveat's own sentence, are learned from few labels, and less than half of what they cover is sure.
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
class Model:
    """The judgement: covered from ``sure`` on, possibly from ``possible`` on; both are probabilities."""

    logistic: Logistic
    sure: float
    possible: float


@cache
def model() -> Model:
    """Return the judgement as it was learned."""
    held = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Model(read_logistic(WEIGHTS), held["sure"], held["possible"])


def eligible(context: CaveatContext, i: int) -> bool:
    """Return whether a caveat can be about sentence ``i``: no credit, no caveat, nothing a reporter saw."""
    status = context.ground[i]
    return i != context.at and not (status.aside or status.observed)


def reach(caveats: int) -> int:
    """Return how many sentences on either side are judged, in an article with so many caveats.

    Nobody writes hundreds. Where they stand, each has the fewer sentences to itself, and in the longest article that
    is taken every sentence is, on average, still within reach of one.
    """
    return max(1, min(FARTHEST, JUDGED // (2 * max(caveats, 1))))


def judged(context: CaveatContext, farthest: int = FARTHEST) -> tuple[Judgement, ...]:
    """Return the judgement on each sentence near enough that a caveat can be about, in order."""
    weights = model().logistic
    near = range(max(0, context.at - farthest), min(len(context.ground), context.at + farthest + 1))
    found = ((i, features(context, i)) for i in near if eligible(context, i))
    return tuple(Judgement(i, weights.probability(seen), weights.parts(seen)) for i, seen in found)


def bands(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sentences that are surely covered, and those that may be."""
    learned = model()
    sure = tuple(each.sentence for each in judgements if each.probability >= learned.sure)
    possible = (each for each in judgements if learned.possible <= each.probability < learned.sure)
    return sure, tuple(each.sentence for each in possible)
