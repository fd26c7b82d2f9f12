"""A sentence as it was read -> the form to flag it by; the form as it comes back -> the flag.

A form as a browser sends it -> its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

from adapters.page.article_view import words
from adapters.storage.records import Flag, Wrong
from bot import citing
from bot.verbatim import collapse
from bot.visible import visible_line
from retrieval import Passage, Reading

LONGEST_NAME, LONGEST_NOTE = 200, 1_000  # characters


class IncompleteFlagError(Exception):
    """Nothing was picked, or nobody named."""


@dataclass(frozen=True, slots=True)
class FlagForm:
    """What is asked of a reader: ``covers`` and ``others`` are (sentence, words) of caveats that cover it, or do not.

    ``token`` shows, when the form comes back, that this page gave it out.
    """

    title: str
    article_id: str
    digest: str
    index: int
    words: str
    speaker: str
    covers: tuple[tuple[int, str], ...]
    others: tuple[tuple[int, str], ...]
    token: str
    longest_name: int = LONGEST_NAME
    longest_note: int = LONGEST_NOTE


def flag_form(reading: Reading, index: int, token: str) -> FlagForm:
    """Return the form for a sentence."""
    article, passage = reading.article, reading.passages[index]
    covers = _holders(reading, passage)
    return FlagForm(
        title=collapse(citing.heading(reading)),
        article_id=article.id,
        digest=article.digest,
        index=index,
        words=words(reading, passage.sentence.span),
        speaker=_said_by(passage),
        covers=tuple((place, _words_of(reading, place)) for place in covers),
        others=tuple(
            (place, _words_of(reading, place))
            for place in sorted({caveat.sentence for caveat in reading.caveats} - set(covers))
        ),
        token=token,
    )


def flag(reading: Reading, index: int, sent: Mapping[str, str]) -> Flag:
    """Return the flag that a reader sent; ``IncompleteFlagError`` where it says nothing."""
    try:
        wrong = Wrong(sent.get("wrong", ""))
    except ValueError as error:
        raise IncompleteFlagError from error
    article, passage = reading.article, reading.passages[index]
    return Flag(
        article=article.id,
        path=article.path,
        digest=article.digest,
        index=index,
        words=_words_of(reading, index),
        wrong=wrong,
        right=_right(reading, wrong, sent),
        read=_read(passage),
        note=_line(sent.get("note", ""))[:LONGEST_NOTE],
    )


def _right(reading: Reading, wrong: Wrong, sent: Mapping[str, str]) -> str:
    match wrong:
        case Wrong.SPEAKER:
            name = _line(sent.get("speaker", ""))[:LONGEST_NAME]
            if not name:
                raise IncompleteFlagError
            return name
        case Wrong.COVERED:
            holders = {str(caveat.sentence): caveat.sentence for caveat in reading.caveats}
            if sent.get("caveat", "") not in holders:
                raise IncompleteFlagError
            return _words_of(reading, holders[sent["caveat"]])
    return ""


def _line(text: str) -> str:
    return visible_line(collapse(text))


def _read(passage: Passage) -> str:
    covered = ", ".join(str(caveat.sentence) for caveat in passage.caveats)
    said = _said_by(passage) or "the outlet"
    return f"{said}; under the caveat of sentence {covered}" if covered else f"{said}; under no caveat"


def _said_by(passage: Passage) -> str:
    manner = passage.attribution.manner if passage.attribution else None
    return collapse(citing.said_by(passage.voice, passage.speaker, manner))


def _holders(reading: Reading, passage: Passage) -> tuple[int, ...]:
    """Return the sentences whose caveats surely cover this one, those on the whole article among them."""
    return tuple(sorted({caveat.sentence for caveat in (*passage.caveats, *reading.notices)}))


def _words_of(reading: Reading, index: int) -> str:
    return collapse(reading.passages[index].sentence.span.of(reading.article.text))


FIELDS = 8


async def fields(request: Request, largest: int) -> dict[str, str] | None:
    """Return the fields of the form that was sent; None where it is no form, or has more than ``largest`` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > largest:
            return None
    try:
        return dict(parse_qsl(body.decode("ascii"), max_num_fields=FIELDS, errors="replace"))
    except ValueError:
        return None
