"""What holds in which channel: what it sees, who sees answers to commands, and whether threads go on unasked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.model import Place
from bot.since import Since


@dataclass(frozen=True, slots=True)
class Channel:
    """What holds in a channel.

    ``sources`` are those of the articles that are seen there, all where it is ``None``. ``private`` answers to
    commands are for the asker alone. Without ``follow_ups`` only what names the bot is answered. ``since`` is how far
    back is asked, where not all is.
    """

    sources: frozenset[str] | None = None
    private: bool = True
    follow_ups: bool = True
    since: Since | None = None


EVERYTHING = Channel()


@dataclass(frozen=True, slots=True)
class Channels:
    """What holds in each channel, by platform and id; elsewhere on a platform, what holds there by default.

    What is asked from this machine's own terminal, or on the page, sees what holds ``elsewhere``.
    """

    defaults: Mapping[str, Channel] = field(default_factory=dict)
    named: Mapping[tuple[str, str], Channel] = field(default_factory=dict)
    elsewhere: Channel = EVERYTHING

    def of(self, place: Place | None) -> Channel:
        """Return what holds at ``place``."""
        if place is None:
            return self.elsewhere
        default = self.defaults.get(place.platform, self.elsewhere)
        return self.named.get((place.platform, place.channel or ""), default)
