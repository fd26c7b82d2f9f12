"""A standing question and new articles -> the news: sentences that answer it surely, or what a named source says.

Where a standing question is only a name ("Ada Venn", "the coastguard"), what that source says in the articles is news.
Sentences that an earlier version of the article already had are not.
"""

from collections.abc import Collection, Iterable, Mapping

from bot import messages, sentence_links, verbatim
from bot.ask.choose import alike, choose_answer
from bot.ask.confidence import SHOWN
from bot.ask.model import Band
from bot.command import Library
from bot.commands.who import is_followed, meant_by, spoken_by
from bot.model import Answer, Extract, Listing, Message, Question, Section
from retrieval import Archive, version_key

NEWS_COMMAND = "watched"  # the command of the request by which a platform posts news


def due(library: Library, words: str, article_ids: Collection[str]) -> Mapping[str, tuple[Extract, ...]]:
    """Return the news in these articles on a standing question, at most ``SHOWN`` sentences of each article.

    The whole archive is asked: where other articles answer the question better, there is no news.
    """
    archive = library.archive
    places: Iterable[tuple[str, int]]
    if is_followed(archive, words):
        meant = meant_by(archive, words)  # a name that may mean several has no news
        spoken = spoken_by(archive.readings(article_ids), meant[0]) if len(meant) == 1 and article_ids else ()
        places = (each.place for each in spoken)
    else:  # a sure answer: the best sentence, and those that say the same with other figures
        choice = choose_answer(Question(words), library)
        sure = choice.candidates if choice.band is Band.ANSWER else ()
        places = (candidate.place for candidate in sure if alike(candidate.hit, sure[0].hit, archive))
    news: dict[str, list[Extract]] = {}
    for extract in verbatim.at(archive, places):
        article_id = extract.citation.article_id
        if article_id in article_ids and extract.text not in _sentences_before(archive, article_id):
            news.setdefault(article_id, []).append(extract)
    return {article_id: tuple(found[:SHOWN]) for article_id, found in news.items()}


def news_reply(library: Library, news: Iterable[tuple[str, str]]) -> Answer | Listing | Message:
    """Return the message for ``news``: the words of each standing question and the state of what was found for it.

    News on one question is shown in full; on several, the first sentence of each. What was removed or changed since is
    skipped, as the new version is news of its own. A ``Message`` means that nothing is left to post.
    """

    def current(places: str) -> tuple[Extract, ...]:
        extracts = verbatim.named_by(library.archive, sentence_links.decode(places))
        return tuple(extract for extract in extracts if not extract.citation.superseded)

    due_now = [(words, extracts) for words, places in news if (extracts := current(places))]
    if not due_now:
        return Message(messages.NOTHING_TO_SHOW)
    if len(due_now) == 1:
        words, extracts = due_now[0]
        return Answer(extracts, message=messages.news_on(words))
    sections = (Section(messages.quoted_list((words,)), extracts[:1]) for words, extracts in due_now)
    return Listing(messages.NEWS, tuple(sections))


def _sentences_before(archive: Archive, article_id: str) -> frozenset[str]:
    """Return the sentences of the version before the newest; none where there is one version."""
    try:
        earlier = archive.history(article_id)[:-1]
    except KeyError:  # removed meanwhile
        return frozenset()
    reading = archive.addressed(version_key(article_id, earlier[-1].digest)) if earlier else None
    sentences = (p.sentence.span.of(reading.article.text) for p in reading.passages) if reading else ()
    return frozenset(map(verbatim.collapse, sentences))
