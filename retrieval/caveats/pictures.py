"""A caveat on a video, a letter, a set of data -> the sentences that tell of it, before and after."""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.caveats.footing import Footing
from retrieval.caveats.matter import CLAIMS, PICTURES, SAMPLES, Matter
from retrieval.caveats.scene import PASSED_OVER, Scene, indexes, is_claim, nearest_run, unbroken
from retrieval.tables import listed

# What one thing is called by turns.
_MOVING = ("video", "footage", "clip", "film", "broadcast")
_STILL = ("image", "picture", "photo", "screenshot")
_HEARD = ("audio", "recording", "tape", "call", "voice")
_POSTED = ("post", "message", "tweet")
_WRITTEN = ("letter", "document", "memo", "email", "e-mail", "transcript", "dossier", "brief", "leak")
_MAILED = ("email", "e-mail", "message")
_STORED = ("sample", "file", "spreadsheet", "database", "dataset", "data")
_FAMILIES = (_MOVING, _STILL, _HEARD, _POSTED, _WRITTEN, _MAILED)
_MADE_PUBLIC = re.compile(
    r"\b(?:post|shar|releas|publish|air|circulat|upload|broadcast|leak|obtain|distribut)\w*", re.IGNORECASE
)
_PRONOUNS = ("It ", "They ", "In it", "In them")
_GOING_ON = ("He ", "She ", "They ", "It ", "His ", "Her ", "Their ")
_SUBJECT = 4  # words in which a sentence names its subject
_THE = listed("the this that another one")


def told_of(scene: Scene) -> tuple[int, ...] | None:
    """Take "the video", "the letter": what tells of it, and what is quoted from it, before and after."""
    nouns = _nouns(scene.matter)
    if not nouns:
        return None
    before = _telling(scene, nouns)
    found = [*before, *_quoted_with(scene.back(), before), *continued(scene)]
    if scene.matter.speaks_of(CLAIMS):
        found += nearest_run(scene, is_claim)
    return indexes(found) or None


def _telling(scene: Scene, nouns: tuple[str, ...]) -> list[Footing]:
    """Return the nearest run of sentences that tell of it, with those between that go on to: "He waves."."""
    found: list[Footing] = []
    between: list[Footing] = []
    for passed, footing in enumerate(scene.back()):
        if _tells_of(footing, nouns):
            found += [*between, footing]
            between = []
        elif not footing.claim and not footing.denial and footing.text.startswith(_GOING_ON):
            between.append(footing)
        elif found or passed >= PASSED_OVER:
            break
        else:
            between = []
    return found


def _nouns(matter: Matter) -> tuple[str, ...]:
    """Return the nouns for the video, the letter, ... that ``matter`` speaks of; none if it is no such thing."""
    nouns = tuple(noun for family in _FAMILIES if _in_family(matter.words, family) for noun in family)
    return nouns + _STORED if matter.origin and matter.speaks_of(SAMPLES) else nouns


def _in_family(words: tuple[str, ...], family: tuple[str, ...]) -> bool:
    return any(word in PICTURES and word.startswith(family) for word in words)


def _mentions(footing: Footing, nouns: tuple[str, ...]) -> bool:
    return any(word.startswith(nouns) for word in re.findall(r"[\w-]+", footing.text.lower()))


def _tells_of(footing: Footing, nouns: tuple[str, ...]) -> bool:
    if footing.denial or footing.observed:
        return False
    if _mentions(footing, nouns):
        shown = footing.claim or footing.shows or _MADE_PUBLIC.search(footing.text) is not None
        return shown or _sets_out(footing, nouns)
    return (footing.shows and footing.text.startswith(_PRONOUNS)) or "appear" in footing.text


def _sets_out(footing: Footing, nouns: tuple[str, ...]) -> bool:
    """Tell "In the footage a man runs", "The clip ends with …": it tells what there is in it."""
    first = footing.text.lower().split(maxsplit=_SUBJECT)[:_SUBJECT]
    inside = first[0] in {"in", "on"} and first[1:2] and first[1] in _THE
    about = first[0] in _THE and first[1:2] and first[1].startswith(nouns)
    return bool(about or (inside and any(word.startswith(nouns) for word in first)))


def _quoted_with(footings: Iterable[Footing], found: list[Footing]) -> list[Footing]:
    numbers = {footing.quotation for footing in found} - {None}
    return [footing for footing in footings if footing.quotation in numbers]


def continued(scene: Scene) -> list[Footing]:
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
