"""Addresses on the web -> a lasting archive: a page is one article, a feed or a sitemap names many and is followed.

A folder may be followed as well: what is new or changed there is taken in, and what was deleted there stays.

A feed that fails is tried again after growing pauses; one that says it is gone for good is followed no longer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from retrieval.accession import Taken, take_in
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.archive.lasting.subscriptions import Subscription
from retrieval.errors import ArticleError, FetchError, NoArticlesError
from retrieval.intake.articles import Rejected, load_articles
from retrieval.intake.feeds import Feed, Item, item_draft, read_feed
from retrieval.intake.fetching import GONE, Fetched, Fetcher
from retrieval.intake.files import folder_state
from retrieval.intake.metadata import finish
from retrieval.model import Article

WEB = ("http://", "https://")
EVERY = 900.0  # seconds between two looks at a feed
OFTEN = 60.0  # seconds between two looks at a folder
LONGEST = 86_400.0  # seconds after which a feed that fails is tried again at the latest
DEEP = 50  # sitemaps that one sitemap leads to, at the most


NOTHING = Taken((), (), ())


@dataclass(frozen=True, slots=True)
class Look:
    """What came of looking at an address: what was taken in, what was left out; ``trouble`` where it failed."""

    url: str
    taken: Taken = NOTHING
    left_out: tuple[Rejected, ...] = ()
    trouble: str = ""


class Follower:
    """Puts into an archive what stands on the web; ``model`` is as for reading, ``now`` tells the time in seconds.

    ``zone`` is that of embargoes in folders which name none.
    """

    def __init__(
        self,
        archive: LastingArchive,
        fetcher: Fetcher,
        model: str = "",
        now: Callable[[], float] = time.time,
        zone: tzinfo | None = None,
    ) -> None:
        self._zone = zone
        self._archive, self._fetcher, self._model, self._now = archive, fetcher, model, now
        self._feeds = archive.subscriptions

    def add(self, url: str) -> Look:
        """Take in the article at ``url``, or follow the feed or sitemap there from now on; raise ``ArticleError``."""
        fetched = self._fetcher.get(url)
        if fetched is None:
            raise FetchError(f"{url} answers that it has not changed, and was never asked before.")
        feed = read_feed(fetched)
        if feed is None:
            return self._take(url, [finish(item_draft(fetched, Item(url), None), {})], [])
        return self._heard(Subscription(url, self._now()), fetched, feed)

    def look(self) -> Iterator[Look]:
        """Look at every feed that is due."""
        for feed in self._feeds.every():
            if feed.due <= self._now() and self._feeds.take(feed, self._now() + EVERY):
                yield self._look(feed)

    def follow(self, place: str) -> None:
        """Follow a feed, a sitemap or a folder from now on, unless it is followed already."""
        if all(feed.url != place for feed in self._feeds.every()):
            self._feeds.put(Subscription(place, self._now()))

    def pause(self) -> float:
        """Return in how many seconds the next feed is due; that of one look to the next where there is none."""
        due = min((feed.due for feed in self._feeds.every()), default=self._now() + EVERY)
        return max(due - self._now(), 0.0)

    def _look(self, feed: Subscription) -> Look:
        if not feed.url.startswith(WEB):
            return self._folder(feed)
        try:
            fetched = self._fetcher.get(feed.url, feed.etag, feed.modified)
            found = read_feed(fetched) if fetched else Feed()
            if fetched and found:
                return self._heard(feed, fetched, found)
            if found is None:
                raise FetchError(f"{feed.url} is no feed and no sitemap any more.")
        except ArticleError as error:
            return self._failed(feed, error)
        self._feeds.put(replace(feed, due=self._now() + EVERY, failures=0, trouble=""))
        return Look(feed.url)

    def _folder(self, feed: Subscription) -> Look:
        """Take in what is new or changed in a folder; one in which no file was touched is not read."""
        place = Path(feed.url)
        try:
            state = folder_state(place)
            loaded = load_articles([place], self._zone) if state != feed.etag else None
        except (ArticleError, NoArticlesError, OSError) as error:
            return self._failed(feed, ArticleError(f"{place} cannot be read: {error}"), OFTEN, EVERY)
        if loaded is None:
            self._feeds.put(replace(feed, due=self._now() + OFTEN, failures=0, trouble=""))
            return Look(feed.url)
        look = self._take(feed.url, list(loaded.articles), list(loaded.rejected))
        self._feeds.put(Subscription(feed.url, self._now() + OFTEN, state, news=self._news(feed, look)))
        return look

    def _news(self, feed: Subscription, look: Look) -> float | None:
        return self._now() if look.taken.added or look.taken.changed else feed.news

    def _failed(self, feed: Subscription, error: ArticleError, first: float = EVERY, longest: float = LONGEST) -> Look:
        if isinstance(error, FetchError) and error.status == GONE:
            self._feeds.remove(feed.url)
            return Look(feed.url, trouble=f"{error} It is followed no longer.")
        after = error.after if isinstance(error, FetchError) else 0.0
        pause = min(max(first * 2**feed.failures, after), longest)
        failed = replace(feed, due=self._now() + pause, failures=min(feed.failures + 1, 16), trouble=str(error))
        self._feeds.put(failed)
        return Look(feed.url, trouble=str(error))

    def _heard(self, feed: Subscription, fetched: Fetched, found: Feed) -> Look:
        left_out: list[Rejected] = []
        read: list[tuple[Item, Article]] = []
        for item in self._items(feed.url, found, left_out):
            if self._feeds.mark(item.url) != item.mark or not item.mark:
                read.extend((item, article) for article in self._page(feed.url, item, found.source, left_out))
        look = self._take(feed.url, [article for _, article in read], left_out)
        for item, _ in read:
            self._feeds.set_mark(item.url, item.mark)
        news = self._news(feed, look)
        self._feeds.put(Subscription(feed.url, self._now() + EVERY, fetched.etag, fetched.modified, news=news))
        return look

    def _items(self, named_by: str, feed: Feed, left_out: list[Rejected]) -> Iterable[Item]:
        yield from feed.items
        for url in feed.sitemaps[:DEEP]:
            try:
                fetched = self._fetcher.get(url, named_by=named_by)
                found = read_feed(fetched) if fetched else None
            except ArticleError as error:
                left_out.append((url, error))
            else:
                yield from found.items if found else ()

    def _page(self, named_by: str, item: Item, source: str | None, left_out: list[Rejected]) -> Iterator[Article]:
        try:
            fetched = self._fetcher.get(item.url, named_by=named_by)
            if fetched:
                yield finish(item_draft(fetched, item, source), {})
        except ArticleError as error:
            left_out.append((item.url, error))

    def _take(self, url: str, articles: list[Article], left_out: list[Rejected]) -> Look:
        taken = take_in(
            self._archive, articles, self._model, lambda: None, lambda error: left_out.append((error.article, error))
        )
        return Look(url, taken, tuple(left_out))
