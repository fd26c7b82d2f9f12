"""A standing question and an article that came in -> what is told of it: what answers surely, or what somebody says.

Whom a standing question names, and nothing more, it follows ("Ada Venn", "the coastguard"): what he says in the
article. What an earlier version of the article has already is no news.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from bot import messages, state, verbatim
from bot.ask.choose import alike, choose_answer
from bot.ask.confidence import SHOWN
from bot.ask.model import Band
from bot.command import Holdings
from bot.commands.who import is_followed, said_in
from bot.model import Answer, Extract, Listing, Message, Question, Section
from retrieval import Archive, version_key

NEWS_COMMAND = "watched"  # the command by which a platform's own letter asks what is told


def due(holdings: Holdings, words: str, article_ids: Collection[str]) -> Mapping[str, tuple[Extract, ...]]:
    """Return what these articles have new on a standing question, at most ``SHOWN`` sentences of each; mostly nothing.

    A question is asked once, of all that is held: what others answer better is no news.
    """
    archive = holdings.archive
    found = said_in(archive, words, article_ids) if is_followed(archive, words) else _answering(holdings, words)
    every: dict[str, list[Extract]] = {}
    for extract in found:
        article_id = extract.citation.article_id
        if article_id in article_ids and extract.text not in _before(archive, article_id):
            every.setdefault(article_id, []).append(extract)
    return {article_id: tuple(extracts[:SHOWN]) for article_id, extracts in every.items()}


def news_reply(holdings: Holdings, every: Iterable[tuple[str, str]]) -> Answer | Listing | Message:
    """Return what is told of news, each the words of a standing question and the state of what was found on it.

    One is told in full, of several the first sentence each. What was removed or changed since is left out: of what
    came in its place, there is news by itself. A ``Message``, which is for nobody, where nothing is left.
    """
    found = [(words, extracts) for words, places in every if (extracts := tuple(_current(holdings.archive, places)))]
    if not found:
        return Message(messages.NOTHING_TO_SHOW)
    if len(found) == 1:
        words, extracts = found[0]
        return Answer(extracts, message=messages.news_on(words))
    return Listing(
        messages.NEWS, tuple(Section(messages.quoted_list((words,)), extracts[:1]) for words, extracts in found)
    )


def _current(archive: Archive, places: str) -> Iterator[Extract]:
    for address in state.decode(places):
        extract = verbatim.addressed(archive, address.key, address.index)
        if extract and not extract.citation.superseded:
            yield extract


def _answering(holdings: Holdings, words: str) -> Iterator[Extract]:
    """Yield what answers a question surely: the best sentence, and what says the same with other figures."""
    archive, choice = holdings.archive, choose_answer(Question(words), holdings.asking)
    for candidate in choice.candidates if choice.band is Band.SURE else ():
        if alike(candidate.hit, choice.candidates[0].hit, archive):
            extract = verbatim.extract(archive, *candidate.place)
            if extract:
                yield extract


def _before(archive: Archive, article_id: str) -> frozenset[str]:
    """Return the sentences of the version that the newest took the place of; none where it is the first."""
    try:
        earlier = archive.history(article_id)[:-1]
    except KeyError:  # removed meanwhile
        return frozenset()
    reading = archive.addressed(version_key(article_id, earlier[-1].digest)) if earlier else None
    passages = reading.passages if reading else ()
    return frozenset(verbatim.collapse(p.sentence.span.of(reading.article.text)) for p in passages if reading)
