"""Replies -> what is kept of them, and whether they found anything."""

from __future__ import annotations

from collections.abc import Iterator

from adapters import machine
from adapters.courier import Letter
from adapters.storage.store import Given
from bot.model import Answer, Message, NoAnswer, Question, Reply


def convincing(reply: Reply) -> bool:
    """Return whether a reply has found something, and is sure of it."""
    return reply.sure if isinstance(reply, Answer) else not isinstance(reply, Message | NoAnswer)


def plainly_found(reply: Reply) -> bool:
    """Return whether a reply is worth giving to who did not ask the bot: all that was asked is there, for certain."""
    return isinstance(reply, Answer) and reply.sure and not reply.not_found


def given(letter: Letter, question: Question, reply: Reply, keepsake: str) -> Given:
    """Return what is kept of an answer to a letter, which is ``question`` as the desk was asked it."""
    told = machine.reply(reply)
    place = question.place
    return Given(
        platform=place.platform if place else "",
        asker=letter.person,
        question=f"/{letter.command} {letter.text}".strip() if letter.command else letter.text,
        reply=machine.line(told),
        digests=tuple(dict.fromkeys(_digests(told))),
        workspace=place.workspace if place else None,
        channel=letter.channel,
        thread=letter.thread or None,
        keepsake=keepsake,
    )


def _digests(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("digest"), str):
            yield value["digest"]
        for part in value.values():
            yield from _digests(part)
    elif isinstance(value, list):
        for part in value:
            yield from _digests(part)
