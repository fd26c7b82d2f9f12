"""Replies of every kind, made from the stock: what each drawing must be able to draw."""

from __future__ import annotations

from bot.model import Message, Question, Reply
from retrieval import version_key
from tests.stock import FERRY, service

KEY = version_key(FERRY.id, FERRY.digest)


def replies() -> dict[str, Reply]:
    """Return a reply of each kind, by what it is."""
    answering = service()
    asked = Question("")
    return {
        "answer": answering.answer(Question("who was at the wheel")),
        "no answer": answering.answer(Question("who won the chess olympiad")),
        "message": Message("Hello."),
        "card": answering.command("who", "Marta Lindqvist", asked),
        "candidates": answering.command("who", "Zebedee Quux", asked),
        "check": answering.command("verify", "Nobody was at the helm", asked),
        "listing": answering.command("unverified", "", asked),
        "context": answering.command("context", f"{KEY}.2", asked),
        "clipping": answering.command("copy", f"{KEY}.2", asked),
    }
