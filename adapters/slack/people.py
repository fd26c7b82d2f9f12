"""Who asks in Slack -> whether a guest, or of another firm: as Slack says, and where Slack does not say, refused."""

from __future__ import annotations

import logging
import time

from slack_sdk.errors import SlackApiError

from adapters.slack.requests import Request
from adapters.slack.web import REFUSALS, Web, passes, reason

KNOWN_FOR = 600.0  # seconds

log = logging.getLogger(__name__)


class People:
    """The people of the bot's workspace and its visitors; where ``outsiders`` may ask, nobody is one."""

    def __init__(self, web: Web, *, outsiders: bool) -> None:
        self._web = web
        self._nobody_is = outsiders
        self._guests: dict[str, tuple[float, bool]] = {}

    async def is_outsider(self, asked: Request) -> bool:
        """Return whether a person is a guest, or of another firm; whoever Slack does not tell of is one.

        Raises ``AwayError`` where Slack cannot be asked now.
        """
        if self._nobody_is:
            return False
        if self._is_foreign(asked.team, asked.enterprise, asked.workspace):
            return True
        known = self._guests.get(asked.person)
        if not known or time.monotonic() - known[0] > KNOWN_FOR:
            known = self._guests[asked.person] = (time.monotonic(), await self._is_guest(asked))
        return known[1]

    def _is_foreign(self, team: str, enterprise: str, workspace: str | None) -> bool:
        home = self._web.home.team or workspace
        kin = bool(enterprise) and enterprise == self._web.home.enterprise
        return bool(team and home) and team != home and not kin

    async def _is_guest(self, asked: Request) -> bool:
        with self._web.translated():
            try:
                told = await self._web.client.api_call("users.info", params={"user": asked.person})
            except SlackApiError as error:
                if passes(error) or reason(error) in REFUSALS:
                    raise
                log.warning("%s is refused: Slack does not say who that is (%s)", asked.person, reason(error))
                return True
        user = told.get("user") or {}
        if not (user.get("team_id") or asked.team):
            return True
        kin = str((user.get("enterprise_user") or {}).get("enterprise_id") or "")
        signs = ("is_restricted", "is_ultra_restricted", "is_stranger")
        return any(map(user.get, signs)) or self._is_foreign(user.get("team_id") or "", kin, asked.workspace)
