"""A caveat's object -> the sentences it covers.

Scope follows what the caveat says could not be stood up, not distance. A caveat that cannot be pinned covers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from retrieval.caveats.footing import Footing, stems
from retrieval.caveats.matter import ACCOUNTS, CLAIM, CLAIMS, FIGURES
from retrieval.caveats.pictures import continued, told_of
from retrieval.caveats.scene import Scene, indexes, is_claim, nearest_run, unbroken
from retrieval.tables import listed

_OPENERS = re.compile(
    r"(?:\W*\w+\W+){0,3}?(?:witnesses|residents|survivors|villagers|refugees|locals|neighbou?rs|relatives|families"
    r"|civilians|evacuees|prisoners|detainees|women|men|people|activists|workers|others)\b",
    re.IGNORECASE,
)
_GOING_ON = ("He ", "She ", "They ", "His ", "Her ", "Their ", "There ")
_SEVERAL = listed("figures numbers tolls casualties counts totals estimates statistics data")
_SHARED = 2  # words that two claims have in common when they are about one thing
_SIDES = listed("sides side either both neither two")
_TWO = listed("either neither both two")
_OF_THOSE = listed("his her their")
_BLOCKS = listed("accounts testimonies stories versions recollections")
_REPORTS = listed("report reports story stories article articles reporting account")


_ONE = listed("a an one another")
_BARE = 2  # words in "the man"
_PERSONS = listed("man woman boy girl witness resident source official worker soldier officer refugee survivor")


Rule = Callable[[Scene], tuple[int, ...] | None]


def covered(scene: Scene) -> tuple[tuple[int, ...], str]:
    """Return the sentences that the caveat covers beside its own, in order, and the name of the rule that said so."""
    own = (scene.at,) if scene.inside else ()
    for name, rule in RULES:
        found = rule(scene)
        if found is not None:
            return tuple(sorted({*found, *own})), name
    return own, "no antecedent"


def within(scene: Scene) -> tuple[int, ...]:
    """Return the caveat's own sentence, those that share its quotation, and what goes on to tell of the same thing."""
    return tuple(sorted({scene.at, *_sharing_quotation(scene), *indexes(continued(scene))}))


def _sharing_quotation(scene: Scene) -> tuple[int, ...]:
    quotation = scene.ground[scene.at].quotation
    if quotation is None:
        return ()
    near = unbroken(scene.back(), lambda f: f.quotation == quotation)
    return indexes([*near, *unbroken(scene.onward(), lambda f: f.quotation == quotation)])


# --- the rules ---------------------------------------------------------------------------------------------------


def _named_report(scene: Scene) -> tuple[int, ...] | None:
    """Take "the Herald report": what names that paper, before and after."""
    if not scene.matter.names or not scene.matter.speaks_of(_REPORTS) or scene.matter.owned:
        return None
    names = scene.matter.names
    naming = [f for f in (*scene.back(), *scene.onward()) if f.claim and all(name in f.text for name in names)]
    return indexes(naming) or None


def _figures(scene: Scene) -> tuple[int, ...] | None:
    """Take "the figures", "the toll": claims that give a number."""
    if not scene.matter.speaks_of(FIGURES):
        return None
    run = nearest_run(scene, lambda f: f.claim or f.denial)
    counting = [footing for footing in run if footing.claim and footing.counts]
    if scene.matter.speaks_of(_TWO):
        counting = _of_two(counting)
    elif not scene.matter.speaks_of(_SIDES):
        counting = _on_topic(counting) if scene.matter.speaks_of(_SEVERAL) else _of_one(counting)
    return indexes(counting)


def _of_two(run: list[Footing]) -> list[Footing]:
    """Return those at the near end of ``run`` that have two speakers between them."""
    speakers: list[str | None] = []
    for footing in run:
        if footing.speaker not in speakers:
            speakers.append(footing.speaker)
    return [footing for footing in run if footing.speaker in speakers[:2]]


def _owned(scene: Scene) -> tuple[int, ...] | None:
    """Take "the ministry's claim", "the report by activists": what that speaker says."""
    if not scene.matter.owned:
        return None
    owner = stems(" ".join(scene.matter.content))
    theirs = [f for f in scene.back() if f.claim and f.speaker and stems(f.speaker) & owner]
    return indexes(theirs) or None


def _of_those_who_spoke(scene: Scene) -> tuple[int, ...] | None:
    """Take "his account", "their claims": what those say who spoke last, and what else they say."""
    words = scene.matter.words
    if not words or words[0] not in _OF_THOSE or not scene.matter.speaks_of(ACCOUNTS | CLAIMS):
        return None
    if words[0] == "their" and scene.matter.speaks_of(_BLOCKS):
        return None  # several people's
    run = _of_one(nearest_run(scene, is_claim))
    told = [f for f in run if f.speaker]
    theirs = [f for f in scene.back() if f.claim and any(_same_voice(f, each) for each in told)]
    return indexes([*_retold(scene, run), *run, *theirs]) or None


def _accounts(scene: Scene) -> tuple[int, ...] | None:
    """Take "the accounts": the people who tell them, back to the sentence that brings them on."""
    if not scene.matter.speaks_of(ACCOUNTS):
        return None
    found: list[Footing] = []
    for footing in nearest_run(scene, is_claim):
        if found and footing.office:
            break
        found.append(footing)
        if _OPENERS.match(footing.text) and footing.quotation is None:
            break
    return indexes([*_retold(scene, found), *found]) or None


def _claims(scene: Scene) -> tuple[int, ...] | None:
    """Take "the claims", "these allegations": the run of claims before, and what the same parties said earlier."""
    if not scene.matter.speaks_of(CLAIMS):
        return None
    run = nearest_run(scene, is_claim)
    if not scene.matter.speaks_of(_SIDES):
        run = _on_topic(run)
    return indexes([*run, *_by_the_same(scene, run)]) or None


def _on_topic(run: list[Footing]) -> list[Footing]:
    """Return the near end of ``run``: the claims meant end where another office speaks of something else."""
    topic: frozenset[str] = frozenset()
    kept: list[Footing] = []
    for footing in run:
        another = footing.office and bool(kept) and not _same_voice(footing, kept[-1])
        if another and len(footing.stems & topic) < _SHARED:
            break
        kept.append(footing)
        topic |= footing.stems
    return kept


def _same_voice(footing: Footing, other: Footing) -> bool:
    """Tell whether two sentences have one speaker, or stand in one quotation."""
    quoted_together = footing.quotation is not None and footing.quotation == other.quotation
    first, second = sorted((footing, other), key=lambda f: f.index)
    return footing.speaker == other.speaker or quoted_together or _resumes(first, second)


def _resumes(first: Footing, second: Footing) -> bool:
    """Tell that "the drivers", or "the man" right after, are the "two drivers" or "a driver" who spoke first."""
    before, after = (first.speaker or "").lower().split(), (second.speaker or "").lower().split()
    if not before or len(after) != _BARE or after[0] != "the":
        return False
    beside = second.index == first.index + 1 and before[0] in _ONE
    return after[1] in before or (beside and after[1] in _PERSONS)


def _by_the_same(scene: Scene, run: list[Footing]) -> list[Footing]:
    """Return what the speakers of ``run`` say earlier, and what others of their party say of the same thing."""
    speakers = {footing.speaker for footing in run} - {None}
    parties = frozenset[str]().union(*(footing.party for footing in run))
    subject = frozenset[str]().union(*(footing.stems for footing in run)) - parties
    found = []
    for footing in scene.back():
        if footing.claim and (footing.speaker in speakers or _akin(footing, parties, subject)):
            found.append(footing)
            parties |= footing.party
    return found


def _akin(footing: Footing, parties: frozenset[str], subject: frozenset[str]) -> bool:
    """Tell one of the same party: an institution's, or a compatriot who speaks of the same thing."""
    shared = footing.party & parties
    return bool(shared) and (bool(shared - footing.names) or bool(footing.stems & subject))


def _claim(scene: Scene) -> tuple[int, ...] | None:
    """Take "this", "the claim": the nearest claim, and its neighbours by the same speaker."""
    if not (scene.matter.points_back or scene.matter.speaks_of(CLAIM)):
        return None
    run = _of_one(nearest_run(scene, is_claim))
    return indexes([*_retold(scene, run), *run]) or _sentence_before(scene)


def _of_one(run: list[Footing]) -> list[Footing]:
    """Return those at the near end of ``run`` that have one speaker."""
    if not run:
        return []
    return unbroken(run, lambda f: _same_voice(f, run[0]))


def _retold(scene: Scene, run: list[Footing]) -> list[Footing]:
    """Return what stands between ``run`` and the caveat and goes on with it: "He fled that night." and the like."""
    between = unbroken(scene.back(), lambda f: not run or f.index > run[0].index)
    going_on = unbroken(reversed(between), lambda f: not f.denial and f.text.startswith(_GOING_ON))
    return going_on if run else []


def _sentence_before(scene: Scene) -> tuple[int, ...] | None:
    """Take "this could not be verified" after a claim that nobody is found to make."""
    before = next(scene.back(), None)
    return (before.index,) if before and not before.denial else None


def _content(scene: Scene) -> tuple[int, ...] | None:
    """Take "who controls the town": the claims that speak of it in the same words."""
    wanted = stems(" ".join((*scene.matter.content, *scene.matter.names)))
    if not wanted:
        return None
    telling = [f for f in scene.back() if f.claim and len(f.stems & wanted) * 3 >= len(wanted) * 2]
    near = unbroken(nearest_run(scene, is_claim), lambda f: bool(f.stems & wanted))
    return indexes(telling[:1] or near) or None


RULES: tuple[tuple[str, Rule], ...] = (
    ("named report", _named_report),
    ("pictures", told_of),
    ("figures", _figures),
    ("owned", _owned),
    ("of those who spoke", _of_those_who_spoke),
    ("accounts", _accounts),
    ("claims", _claims),
    ("claim", _claim),
    ("content", _content),
)
