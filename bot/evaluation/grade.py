"""A golden question and its reply -> what is right about it, and its faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.evaluation.golden import Golden, squash
from bot.evaluation.scores import AnswerFault
from bot.model import Answer, Citation, Extract, NoAnswer, Reply
from bot.notices import notices
from retrieval import Archive


@dataclass(frozen=True, slots=True)
class Grade:
    """``place`` is the index of the first right sentence among the extracts, or None.

    ``caveat``, ``bare`` and ``speaker`` are whether the required caveat is shown, no caveat is shown where there is
    none, and the required speaker is named; None where nothing is required, or no right sentence is shown.
    """

    golden: Golden
    reply: Reply
    place: int | None
    caveat: bool | None
    bare: bool | None
    speaker: bool | None
    misquotes: int
    uncited: int

    @property
    def extracts(self) -> tuple[Extract, ...]:
        return self.reply.extracts if isinstance(self.reply, Answer) else ()

    @property
    def is_unsure(self) -> bool:
        return isinstance(self.reply, Answer) and not self.reply.sure

    @property
    def faults(self) -> tuple[AnswerFault, ...]:
        return tuple(fault for fault in (*self._answer_faults(), *self._context_faults()) if fault)

    def _answer_faults(self) -> Iterator[AnswerFault]:
        if not self.golden.answers:
            if not isinstance(self.reply, NoAnswer) and not self.is_unsure:
                yield AnswerFault.ANSWERED
        elif not self.extracts:
            yield AnswerFault.REFUSED
        elif self.place is None:
            yield AnswerFault.MISSED
        elif self.place:
            yield AnswerFault.LATE

    def _context_faults(self) -> Iterator[AnswerFault]:
        if self.caveat is False:
            yield AnswerFault.SEVERED
        if self.bare is False:
            yield AnswerFault.BORROWED
        if self.speaker is False:
            yield AnswerFault.UNNAMED
        if self.misquotes:
            yield AnswerFault.MISQUOTED
        if self.uncited:
            yield AnswerFault.UNCITED


def grade(golden: Golden, reply: Reply, archive: Archive) -> Grade:
    extracts = reply.extracts if isinstance(reply, Answer) else ()
    right = tuple(extract for extract in extracts if answers(golden, extract.citation, extract.text))
    checked = tuple(_is_verbatim(archive, text, citation) for text, citation in _quoted(reply))
    return Grade(
        golden=golden,
        reply=reply,
        place=extracts.index(right[0]) if right else None,
        caveat=_shows_caveat(golden.caveat, reply) if right and golden.caveat else None,
        bare=not any(extract.caveats for extract in right) if right and golden.uncaveated else None,
        speaker=_names_speaker(golden.speaker, right) if right and golden.speaker else None,
        misquotes=checked.count(False),
        uncited=checked.count(None),
    )


def answers(golden: Golden, citation: Citation, text: str) -> bool:
    """Return whether ``text``, from the article cited, answers ``golden``."""
    return any(golden.is_answered_by(name, text) for name in (Path(citation.path).name, citation.article_id))


def _shows_caveat(caveat: str, reply: Reply) -> bool:
    """Return whether the caveat is shown, as a caveat, a notice or an extract."""
    return any(caveat in squash(text) for text, _ in _quoted(reply))


def _names_speaker(speakers: Iterable[str], right: Iterable[Extract]) -> bool:
    """Return whether a right sentence names its speaker, beside it or in its words."""
    both = ((extract, extract.before) for extract in right)
    shown = [f"{each.speaker or ''} {squash(each.text)}" for pair in both for each in pair if each]
    return any(speaker in words for speaker in speakers for words in shown)


def _is_verbatim(archive: Archive, text: str, citation: Citation) -> bool | None:
    """Return whether the article has ``text`` at the place cited; None without that article."""
    try:
        article = archive.article(citation.article_id)
    except KeyError:
        return None
    return article.digest == citation.digest and " ".join(citation.span.of(article.text).split()) == text


def _quoted(reply: Reply) -> Iterator[tuple[str, Citation]]:
    """Yield everything a reply quotes, with its citation."""
    if isinstance(reply, Answer):
        for extract in reply.extracts:
            yield from _quoted_in(extract)
        yield from ((notice.text, notice.citation) for notice in notices(reply.extracts))


def _quoted_in(extract: Extract) -> Iterator[tuple[str, Citation]]:
    yield extract.text, extract.citation
    yield from ((caveat.text, caveat.citation) for caveat in extract.caveats)
    if extract.before:
        yield from _quoted_in(extract.before)
