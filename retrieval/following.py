"""Addresses on the web -> an archive: a page is one article; a feed or a sitemap names many and is followed.

A folder may be followed as well: new and changed files are added, and the articles of deleted files stay.

Each feed is checked in its own thread, and its articles are added as they come, so that whatever a server sends, or
does not send, affects no other feed. A feed that fails is tried again after growing pauses; one that says that it is
gone for good is no longer followed. Of several processes with one archive, one follows: the one that has its lease.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from math import inf
from operator import add
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from retrieval import errors
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from retrieval.ingest import IngestResult, ingest_articles
from retrieval.intake.articles import load_articles
from retrieval.intake.feeds import Feed, Item, item_draft, read_feed
from retrieval.intake.fetching import GONE, SERVER, Fetched, Fetcher, discreet, without_password
from retrieval.intake.files import folder_state, newest_table
from retrieval.intake.metadata import Rejected, finish
from retrieval.model import Article

WEB = ("http://", "https://")
FEED_PAUSE_SECONDS = 900.0
FOLDER_PAUSE_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 86_400.0  # before a feed that fails is tried again
SETTLING_SECONDS = 2.0  # after which a table that was written is complete
RENEWAL_SECONDS = 20.0  # the longest wait before the lease is renewed
CLOSING_SECONDS = 2.0  # for threads to end
MOST_SITEMAPS = 50  # that are read from one sitemap index
MOST_THREADS = 32
MOST_FAILURES = 16  # counted: the pause grows no further long before
ALTERNATING = "\0"  # before the digest of a text that is not trusted yet, in place of a page's mark

NOTHING = IngestResult((), (), ())


class StoppedError(BaseException):
    """The program ends, so nobody waits for a server any more. Not an ``Exception``: no article is at fault."""


@dataclass(slots=True)
class FeedResult:
    """What checking an address has brought so far; ``trouble`` says why it failed.

    ``unchanged`` where the server says so; ``news`` is when the feed last brought something, in seconds since 1970.
    ``patience`` is how many seconds its pages may still be late, all together: each may use up half.
    ``is_complete`` is False where something must be asked for again even if the feed does not change.
    """

    url: str
    taken: IngestResult = NOTHING
    left_out: list[Rejected] = field(default_factory=list)
    trouble: str = ""
    unchanged: bool = False
    news: float | None = None
    patience: float = 0.0
    is_complete: bool = True

    def take(self, taken: IngestResult) -> None:
        self.taken = IngestResult(*map(add, self.taken, taken))

    def leave_out(self, url: str, error: errors.ArticleError) -> None:
        self.left_out.append((discreet(url), error))
        if isinstance(error, errors.SlowError | errors.UnpublishedError) or getattr(error, "status", 0) >= SERVER:
            self.is_complete = False


class Follower:
    """Adds articles from the web and from folders to an archive. Close it before the archive.

    ``now`` returns seconds since 1970; ``zone`` is that of embargoes in folders which name none.
    """

    def __init__(
        self,
        archive: PersistentArchive,
        fetcher: Fetcher,
        now: Callable[[], float] = time.time,
        zone: tzinfo | None = None,
    ) -> None:
        self.elapsed = time.monotonic  # not affected by changes of the clock
        self._archive, self._fetcher, self._now, self._zone = archive, fetcher, now, zone
        self._feeds = archive.subscriptions
        self._id = uuid4().hex
        self._results: SimpleQueue[tuple[str, FeedResult | Exception | None]] = SimpleQueue()
        self._running: dict[str, threading.Thread] = {}  # by the feed
        self._adding = threading.Lock()
        self.closed = threading.Event()
        self._checked_at: dict[str, float] = {}  # when this process last checked a feed, by ``elapsed``

    def close(self) -> None:
        """End the threads soon, with nothing more written; feeds that were being checked are still due."""
        self.closed.set()
        end = time.monotonic() + CLOSING_SECONDS
        for thread in self._running.values():
            thread.join(max(end - time.monotonic(), 0.0))
        with suppress(errors.ArchiveError):
            self._feeds.release(self._id)

    def add(self, url: str) -> FeedResult:
        """Add the article at ``url``, or follow the feed or sitemap there from now on. Raises ``ArticleError``."""
        known = next((feed for feed in self._feeds.every() if feed.url == url), None)
        feed = known or Subscription(url, self._now())
        with errors.guarded(discreet(url), "page"):
            fetched = self._fetcher.get(url, feed.etag, feed.modified)
            if fetched is None and known:
                return self._unchanged(known)
            fetched = _require(url, fetched)
            try:
                content = read_feed(fetched)
            except errors.UnreadArticleError:
                with suppress(errors.ArticleError):  # a page may break the feed reader
                    return self._add_page(url, fetched)
                raise
            if content is None:
                return self._add_page(url, fetched)
            feed = replace(feed, due=self._now() + FEED_PAUSE_SECONDS)
            self._feeds.put(feed)
            return self._read_items(feed, fetched, content)

    def _add_page(self, url: str, fetched: Fetched) -> FeedResult:
        result = FeedResult(discreet(url))
        self._take([finish(item_draft(fetched, Item(url), None), {}, warn=result.left_out.append)], result)
        return result

    def look(self, patience: float | None = None) -> Iterator[FeedResult]:
        """Check every feed that is due, each in a thread; yield the results as they come.

        There are none where another process follows. Where no result comes for ``patience`` seconds, the threads go
        on, and a later call yields their results.
        """
        feeds = self._feeds.every() if self._feeds.lease(self._id) else ()
        due = deque(feed for feed in feeds if feed.url not in self._running and self._is_due(feed))
        while due or self._running:
            while due and len(self._running) < MOST_THREADS:
                feed = due.popleft()
                self._checked_at[feed.url] = self.elapsed()
                thread = threading.Thread(target=self._run, args=(feed,), name="feed", daemon=True)
                self._running[feed.url] = thread
                thread.start()
            try:
                url, result = self._results.get(timeout=RENEWAL_SECONDS if patience is None else patience)
            except Empty:
                if patience is not None:
                    return
                continue
            finally:
                self._feeds.lease(self._id)
            del self._running[url]
            if isinstance(result, Exception):
                raise result
            if result:
                yield result

    def _is_due(self, feed: Subscription) -> bool:
        usual = FEED_PAUSE_SECONDS if feed.url.startswith(WEB) else FOLDER_PAUSE_SECONDS
        wait, pause = feed.due - self._now(), LONGEST_PAUSE_SECONDS if feed.failures else usual
        # its time may be too far away: the clock was set back, or another machine's clock is ahead of this one's, where
        # this process still keeps to the pause
        since = self.elapsed() - self._checked_at.get(feed.url, -inf)
        return wait <= 0 or (wait > pause and since >= pause)

    def follow(self, place: str) -> None:
        """Follow a feed, a sitemap or a folder from now on, unless it is followed already."""
        if all(feed.url != place for feed in self._feeds.every()):
            self._feeds.put(Subscription(place, self._now()))

    def pause(self) -> float:
        """Return the seconds until the next feed is due."""
        due = min((feed.due for feed in self._feeds.every()), default=self._now() + FEED_PAUSE_SECONDS)
        return min(max(due - self._now(), 0.0), LONGEST_PAUSE_SECONDS)

    def _run(self, feed: Subscription) -> None:
        result: FeedResult | Exception | None = None
        try:
            result = self._look(feed)
        except StoppedError:
            pass
        except errors.ArchiveError as error:  # other feeds go on: they may be able to write
            result = FeedResult(discreet(feed.url), trouble=str(error))
            with suppress(errors.ArchiveError):
                self._feeds.note(replace(feed, due=self._now() + FOLDER_PAUSE_SECONDS, trouble=str(error)))
        except Exception as error:  # noqa: BLE001 - ``look`` raises it
            result = error
        finally:
            self._results.put((feed.url, result))

    def _note(self, feed: Subscription, pause: float, **changes: Any) -> None:  # noqa: ANN401 - of its fields
        self._raise_if_closed()
        self._feeds.note(replace(feed, due=self._now() + pause, **changes))

    def _raise_if_closed(self) -> None:
        if self.closed.is_set():
            raise StoppedError

    def _look(self, feed: Subscription) -> FeedResult:
        try:
            with errors.guarded(discreet(feed.url), "feed"):
                if not feed.url.startswith(WEB):
                    return self._folder(feed)
                if (fetched := self._fetcher.get(feed.url, feed.etag, feed.modified)) is None:
                    return self._unchanged(feed)
                if content := read_feed(fetched):
                    return self._read_items(feed, fetched, content)
                raise errors.FetchError(
                    f"{discreet(feed.url)} is not a feed or a sitemap any more. `stet remove` unfollows it."
                )
        except errors.ArticleError as error:
            place = discreet(feed.url)
            if isinstance(error, errors.FetchError) and error.status == GONE:
                self._feeds.remove(feed.url)
                return FeedResult(place, trouble=f"{error} It is no longer followed.")
            after = error.after if isinstance(error, errors.FetchError) else 0.0
            pause = min(max(FEED_PAUSE_SECONDS * 2**feed.failures, after), LONGEST_PAUSE_SECONDS)
            failures = min(feed.failures + 1, MOST_FAILURES)
            self._note(feed, pause, failures=failures, trouble=str(error))
            return FeedResult(place, trouble=str(error))

    def _unchanged(self, feed: Subscription) -> FeedResult:
        self._note(feed, FEED_PAUSE_SECONDS, failures=0, trouble="")
        return FeedResult(discreet(feed.url), unchanged=True, news=feed.news)

    def _folder(self, feed: Subscription) -> FeedResult:
        """Add what is new or changed in a folder; if no file was touched, it is read on the next file's day alone.

        Trouble is reported once. A table that was written just now may be incomplete, so the folder waits for it.
        """
        place, (before, _, day) = Path(feed.url), feed.etag.partition(" ")
        try:
            state = folder_state(place)
            is_same = state == before
            if not is_same and self._has_new_table(place):
                self._fetcher.pause(SETTLING_SECONDS)
                state = folder_state(place)
                if self._has_new_table(place):
                    self._note(feed, SETTLING_SECONDS)
                    return FeedResult(feed.url)
            # trouble with a table may end although nothing was touched: an embargo in it is over
            is_due = not is_same or feed.trouble or (day and float(day) <= self._now())
            loaded = load_articles([place], self._zone) if is_due else None
        except (errors.ArticleError, errors.NoArticlesError, OSError) as error:
            trouble = f"{place} cannot be read: {getattr(error, 'strerror', None) or error}"
            self._note(feed, FOLDER_PAUSE_SECONDS, trouble=trouble)
            return FeedResult(feed.url, trouble=trouble if trouble != feed.trouble else "")
        if loaded is None:
            self._note(feed, FOLDER_PAUSE_SECONDS, failures=0)
            return FeedResult(feed.url)
        result = FeedResult(discreet(feed.url), left_out=[] if is_same else list(loaded.rejected))
        self._take(loaded.articles, result)
        news = self._news(feed, result)
        days = (error.until for _, error in loaded.rejected if isinstance(error, errors.UnpublishedError))
        first = min((day.timestamp() for day in days if day), default=None)
        mark = state if first is None else f"{state} {first}"
        self._note(feed, FOLDER_PAUSE_SECONDS, etag=mark, failures=0, trouble=loaded.unsafe, news=news)
        return result

    def _has_new_table(self, place: Path) -> bool:
        return abs(self._now() - newest_table(place)) < SETTLING_SECONDS

    def _news(self, feed: Subscription, result: FeedResult) -> float | None:
        return self._now() if result.taken.added or result.taken.changed else feed.news

    def _read_items(self, feed: Subscription, fetched: Fetched, content: Feed) -> FeedResult:
        result = FeedResult(discreet(feed.url), patience=self._fetcher.longest)
        for unlinked in content.unlinked:
            result.leave_out(f"{feed.url}, {unlinked}", errors.ArticleError("Its link is not a web address."))
        for item, referrer, source in self._items(fetched, content, result):
            self._raise_if_closed()
            place = without_password(item.url)
            if item.mark and self._feeds.mark(place) == item.mark:
                result.take(NOTHING._replace(unchanged=(place,)))
                continue
            try:
                with errors.guarded(place, "page"):
                    self._read_item(item, referrer, source, result)
            except errors.ArticleError as error:
                result.leave_out(place, error)
        etag, modified = (fetched.etag, fetched.modified) if result.is_complete else ("", "")
        news = self._news(feed, result)
        self._note(feed, FEED_PAUSE_SECONDS, etag=etag, modified=modified, failures=0, trouble="", news=news)
        return result

    def _items(self, fetched: Fetched, feed: Feed, result: FeedResult) -> Iterator[tuple[Item, Fetched, str | None]]:
        """Yield what a feed names, the page that names it, and its outlet."""
        yield from ((item, fetched, feed.source) for item in feed.items)
        for url in feed.sitemaps[:MOST_SITEMAPS]:
            try:
                with errors.guarded(discreet(url), "feed"):
                    sitemap = self._fetch(url, fetched, result)
                    content = read_feed(sitemap)
            except errors.ArticleError as error:
                result.leave_out(url, error)
            else:
                yield from ((item, sitemap, feed.source) for item in (content.items if content else ()))

    def _fetch(self, url: str, referrer: Fetched, result: FeedResult) -> Fetched:
        within = result.patience / 2
        try:
            return _require(url, self._fetcher.get(url, referrer=referrer, within=within))
        except errors.SlowError:
            result.patience -= within
            raise

    def _read_item(self, item: Item, referrer: Fetched, source: str | None, result: FeedResult) -> None:
        """Add the article on a page; if the page alternates between two texts, once it has the same text twice."""
        draft = item_draft(self._fetch(item.url, referrer, result), item, source)
        [article] = self._archive.identified([finish(draft, {}, warn=result.left_out.append)])
        place, waiting = draft.name, f"{ALTERNATING}{article.digest}"
        mark = self._feeds.mark(place) or ""
        alternates = mark.startswith(ALTERNATING)
        if mark != waiting and (alternates or self._was_replaced_before(article)):
            self._feeds.set_mark(place, waiting)
            result.is_complete = False
            if not alternates:
                error = errors.ArticleError("It alternates between two texts. It is added when one of them stays.")
                result.leave_out(place, error)
        elif self._take([article], result):
            self._feeds.set_mark(place, item.mark)

    def _was_replaced_before(self, article: Article) -> bool:
        """Whether the archive has had both this text and its current one more than once."""
        try:
            *before, current = (version.digest for version in self._archive.history(article.id))
        except KeyError:
            return False
        return article.digest != current and {article.digest, current} <= set(before)

    def _take(self, articles: Sequence[Article], result: FeedResult) -> bool:
        """Add articles, one thread at a time; return whether all could be read."""
        unread: list[errors.UnreadArticleError] = []
        with self._adding:
            self._raise_if_closed()
            taken = ingest_articles(self._archive, articles, lambda: None, unread.append)
        for error in unread:
            result.leave_out(error.article, error)
        result.take(taken)
        return not unread


def _require(url: str, fetched: Fetched | None) -> Fetched:
    if fetched is None:
        raise errors.FetchError(f"{discreet(url)} answers that it has not changed, but it was not asked before.")
    return fetched
