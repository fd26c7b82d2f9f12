"""A caveat's object -> the sentences it covers.

Scope follows what the caveat says could not be stood up, not distance. A caveat that cannot be pinned covers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from retrieval.caveats.footing import Footing, stems
from retrieval.caveats.matter import ACCOUNTS, CLAIM, CLAIMS, FIGURES, PICTURES, Matter
from retrieval.caveats.scene import Scene, indexes, is_claim, nearest_run, unbroken
from retrieval.names.titles import listed

_MOVING = ("video", "footage", "clip", "film", "broadcast")
_STILL = ("image", "picture", "photo", "screenshot")
_HEARD = ("audio", "recording", "tape", "call", "voice")
_POSTED = ("post", "message", "tweet")
_WRITTEN = ("letter", "document", "memo", "email", "e-mail", "transcript", "dossier", "brief", "leak")
_FAMILIES = (_MOVING, _STILL, _HEARD, _POSTED, _WRITTEN)
_MADE_PUBLIC = re.compile(
    r"\b(?:post|shar|releas|publish|air|circulat|upload|broadcast|leak|obtain|distribut)\w*", re.IGNORECASE
)
_OPENERS = re.compile(
    r"(?:\W*\w+\W+){0,3}?(?:witnesses|residents|survivors|villagers|refugees|locals|neighbou?rs|relatives|families"
    r"|civilians|evacuees|prisoners|detainees|women|men|people|activists|workers|others)\b",
    re.IGNORECASE,
)
_PRONOUNS = ("It ", "They ", "In it", "In them")
_SUBJECT = 4  # words in which a sentence names its subject
_GOING_ON = ("He ", "She ", "They ", "His ", "Her ", "Their ", "There ")
_SEVERAL = listed("figures numbers tolls casualties counts totals estimates statistics data")
_SHARED = 2  # words that two claims have in common when they are about one thing
_SIDES = listed("sides side either both neither two")
_REPORTS = listed("report reports story stories article articles reporting account")


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
    return tuple(sorted({scene.at, *_sharing_quotation(scene), *indexes(_continued(scene))}))


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


def _pictures(scene: Scene) -> tuple[int, ...] | None:
    """Take "the video", "the letter": what tells of it, and what is quoted from it, before and after."""
    nouns = _nouns(scene.matter)
    if not nouns:
        return None
    before = nearest_run(scene, lambda f: _tells_of(f, nouns))
    found = [*before, *_quoted_with(scene.back(), before), *_continued(scene)]
    if scene.matter.speaks_of(CLAIMS):
        found += nearest_run(scene, is_claim)
    return indexes(found) or None


def _nouns(matter: Matter) -> tuple[str, ...]:
    """Return the nouns for the video, the letter, ... that ``matter`` speaks of; none if it is no such thing."""
    return tuple(noun for family in _FAMILIES if _in_family(matter.words, family) for noun in family)


def _in_family(words: tuple[str, ...], family: tuple[str, ...]) -> bool:
    return any(word in PICTURES and word.startswith(family) for word in words)


def _mentions(footing: Footing, nouns: tuple[str, ...]) -> bool:
    return any(word.startswith(nouns) for word in re.findall(r"[\w-]+", footing.text.lower()))


def _tells_of(footing: Footing, nouns: tuple[str, ...]) -> bool:
    if footing.denial or footing.observed:
        return False
    if _mentions(footing, nouns):
        return footing.claim or footing.shows or _MADE_PUBLIC.search(footing.text) is not None
    return (footing.shows and footing.text.startswith(_PRONOUNS)) or "appear" in footing.text


def _quoted_with(footings: Iterable[Footing], found: list[Footing]) -> list[Footing]:
    numbers = {footing.quotation for footing in found} - {None}
    return [footing for footing in footings if footing.quotation in numbers]


def _continued(scene: Scene) -> list[Footing]:
    """Return what goes on after the caveat to tell of the same video, letter, ..., or to quote from it."""
    nouns = _nouns(scene.matter)
    if not nouns:
        return []
    after = list(scene.onward())
    telling = {f.quotation for f in after if f.quotation is not None and _mentions(f, nouns)}
    return unbroken(after, lambda f: not f.denial and (f.quotation in telling or _goes_on(f, nouns)))


def _goes_on(footing: Footing, nouns: tuple[str, ...]) -> bool:
    """Tell "The letter says …", "It shows …"."""
    first = footing.text.lower().split(maxsplit=_SUBJECT)[:_SUBJECT]
    named = any(word.startswith(nouns) for word in first)
    showing = footing.shows and (_mentions(footing, nouns) or footing.text.startswith(_PRONOUNS))
    return showing or (named and footing.claim)


def _figures(scene: Scene) -> tuple[int, ...] | None:
    """Take "the figures", "the toll": claims that give a number."""
    if not scene.matter.speaks_of(FIGURES):
        return None
    run = nearest_run(scene, lambda f: f.claim or f.denial)
    counting = [footing for footing in run if footing.claim and footing.counts]
    if not scene.matter.speaks_of(_SIDES):
        counting = _on_topic(counting) if scene.matter.speaks_of(_SEVERAL) else _of_one(counting)
    return indexes(counting)


def _owned(scene: Scene) -> tuple[int, ...] | None:
    """Take "the ministry's claim", "the report by activists": what that speaker says."""
    if not scene.matter.owned:
        return None
    owner = stems(" ".join(scene.matter.content))
    theirs = [f for f in scene.back() if f.claim and f.speaker and stems(f.speaker) & owner]
    return indexes(theirs) or None


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
    return footing.speaker == other.speaker or quoted_together


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
    ("pictures", _pictures),
    ("figures", _figures),
    ("owned", _owned),
    ("accounts", _accounts),
    ("claims", _claims),
    ("claim", _claim),
    ("content", _content),
)
