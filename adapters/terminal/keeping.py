"""An answer given in the terminal -> the state, where the audit finds it as it finds those of every platform."""

from __future__ import annotations

import click

from adapters.settings import Settings
from adapters.storage.answer_record import asked
from adapters.storage.store import Store, StoreError
from bot.model import Message, Place, Question, Reply
from bot.visible import visible_line

TERMINAL = Place("terminal")


def keep(settings: Settings, question: Question, reply: Reply) -> None:
    """Keep what was answered; nobody's answer depends on it, and what is only said to a reader is not kept."""
    if isinstance(reply, Message):
        return
    try:
        with Store.of(settings) as store:
            store.record_answer(asked(question, question.text, reply))
    except StoreError as error:
        click.echo(visible_line(f"stet: the answer is not kept: {error}"), err=True)
