"""Who may ask, and where: one rule for every platform.

An empty list allows everybody; a list allows those it names. ``None`` means a question from this machine's own
terminal, which is never refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Question


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may ask on one platform: ids of workspaces (guilds), channels, people and groups (roles)."""

    workspaces: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    outsiders: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The rule per platform; a platform without a rule allows everybody but outsiders."""

    platforms: tuple[tuple[str, Allowed], ...] = ()

    def refuses(self, question: Question) -> bool:
        """Return whether the asker is refused."""
        if question.place is None or question.asker is None:
            return False
        allowed = dict(self.platforms).get(question.place.platform, Allowed())
        asker, place = question.asker, question.place
        return not (
            (allowed.outsiders or not asker.outsider)
            and _in(allowed.workspaces, place.workspace)
            and _in(allowed.channels, place.channel)
            and _known(allowed, asker.id, asker.groups)
        )


def _in(listed: tuple[str, ...], name: str | None) -> bool:
    return not listed or name in listed


def _known(allowed: Allowed, asker: str, groups: tuple[str, ...]) -> bool:
    """Return whether a person is allowed by id or by group; everybody is where neither is listed."""
    if not allowed.people and not allowed.groups:
        return True
    return asker in allowed.people or any(group in allowed.groups for group in groups)
