"""A stretch in which several people speak in turn -> which sentences are given to the right one, and to nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.evaluation.benchmark import Observation, Row, passages_at
from retrieval import Article, Span, read_one

TITLES = frozenset("a an the of mr mrs ms dr sir".split())


@dataclass(frozen=True, slots=True)
class SpeakerCase:
    """Each sentence with the fullest name or description of its speaker in the text, None where nobody says it."""

    article: Article
    sentences: tuple[tuple[Span, str | None], ...]

    @classmethod
    def of(cls, row: Row) -> SpeakerCase:
        text, end, sentences = row["text"], 0, list[tuple[Span, str | None]]()
        for sentence in row["sentences"]:
            start = text.index(sentence["text"], end)
            end = start + len(sentence["text"])
            if sentence["sure"]:
                sentences.append((Span(start, end), sentence["speaker"]))
        return cls(Article(row["id"], text), tuple(sentences))


def observe_speakers(case: SpeakerCase) -> Iterator[Observation]:
    """Read the stretch as an article of its own. The simple rule takes the speaker who was named last."""
    reading = read_one(case.article)
    everybody = sorted({speaker for _, speaker in case.sentences if speaker})
    for span, speaker in case.sentences:
        named = [passage.speaker for passage in passages_at(reading, span) if passage.speaker]
        last = _named_last(case.article.text[: span.end], everybody)
        if speaker is None:
            yield "a speaker where nobody speaks", bool(named)
            yield "a speaker where nobody speaks, by the simple rule", bool(last)
            continue
        whole, shown = _words(speaker), [_words(name) for name in named]
        is_right = any(words <= whole or whole <= words for words in shown if words)
        yield "the right speaker", is_right
        yield "another speaker", bool(named) and not is_right
        yield "no speaker though the text names one", not named
        yield "the right speaker, by the simple rule", last == speaker
        if is_right:
            yield "right ones with the whole name", whole in shown


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w'-]+", name.lower().replace("’", "'"))) - TITLES


def _named_last(text: str, everybody: list[str]) -> str | None:
    places = [(max(text.rfind(name), text.rfind(name.split()[-1])), name) for name in everybody]
    place, name = max(places, default=(-1, ""))
    return name if place >= 0 else None
