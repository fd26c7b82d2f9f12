"""A place that has a quotation, and who is claimed to have said it -> whether the article says the same.

An article that names somebody else makes a claim wrong. Where it names nobody, or has a role for a name, that is open.
"""

from __future__ import annotations

from bot.commands.alignment import Piece
from bot.model import Agreement, ClaimedSpeaker
from retrieval import Archive, Kind, Voice, bare_name, fold, may_be_one, terms

_NAMED = (Voice.NAMED, Voice.MEDIA)  # the voices whose speaker is a name


class Claimed:
    def __init__(self, archive: Archive, name: str) -> None:
        self._register = archive.register()
        self._name = name
        self._terms = frozenset(terms(name))
        self._meant = self._register.meant(name)
        self._is_name = name[:1].isupper() and name.rsplit(maxsplit=1)[-1][0].isupper()  # "Brandt's deputy" is a role

    def of(self, piece: Piece) -> ClaimedSpeaker:
        """Return whether the words of ``piece`` are said by them: wrong if any sentence of it is another's."""
        passages = (piece.source.reading.passages[index] for index in piece.source.sentences(piece.at, piece.end))
        found = [self._compared(p.speaker, is_named=p.voice in _NAMED) for p in passages if p.speaker]
        for agreement in (Agreement.WRONG, Agreement.RIGHT):
            if any(each.agreement is agreement for each in found):
                return next(each for each in found if each.agreement is agreement)
        return found[0] if found else ClaimedSpeaker(self._name, Agreement.UNKNOWN)

    def _compared(self, speaker: str, *, is_named: bool) -> ClaimedSpeaker:
        if self._is(speaker):
            return ClaimedSpeaker(self._name, Agreement.RIGHT, speaker)
        is_open = not (is_named and self._is_name) or self._may_be(speaker)
        return ClaimedSpeaker(self._name, Agreement.UNKNOWN if is_open else Agreement.WRONG, speaker)

    def _is(self, speaker: str) -> bool:
        # "May" and "him" have no term, and nothing is described by none
        if self._terms and (self._terms <= frozenset(terms(speaker)) or bare_name(self._name) == bare_name(speaker)):
            return True
        meant = self._meant
        if meant and fold(speaker) in {fold(spelt) for spelt in (meant.name, *meant.variants)}:
            return len(bare_name(speaker)) >= len(bare_name(self._name)) or meant.kind is not Kind.PERSON
        return len(bare_name(self._name)) > 1 < len(bare_name(speaker)) and may_be_one(self._name, speaker)

    def _may_be(self, speaker: str) -> bool:
        """Return whether a surname alone, or a body for its members, leaves it open."""
        ours, theirs = bare_name(self._name), bare_name(speaker)
        if not ours or not theirs:
            return True
        if 1 in (len(ours), len(theirs)) and may_be_one(self._name, speaker):
            return True
        return bool(self._meant and self._meant == self._register.meant(speaker))
