"""Addresses on the web -> a lasting archive: a page is one article, a feed or a sitemap names many and is followed.

A folder may be followed as well: what is new or changed there is taken in, and what was deleted there stays.

A feed that fails is tried again after growing pauses; one that says it is gone for good is followed no longer. Each is
looked at in a thread of its own and keeps what it names as it comes: whatever its server sends, or does not send, is
told of it and costs no other.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from queue import Empty, SimpleQueue

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.subscriptions import Subscription
from retrieval.errors import (
    ArchiveError,
    ArticleError,
    FetchError,
    NoArticlesError,
    SlowError,
    UnreadArticleError,
)
from retrieval.ingest import Taken, take_in
from retrieval.intake.articles import Rejected, load_articles
from retrieval.intake.feeds import Feed, Item, guarded, item_draft, read_feed
from retrieval.intake.fetching import GONE, SERVER, Fetched, Fetcher, discreet, without_password
from retrieval.intake.files import folder_state, newest_table
from retrieval.intake.metadata import finish
from retrieval.model import Article

WEB = ("http://", "https://")
EVERY = 900.0  # seconds between two looks at a feed
OFTEN = 60.0  # seconds between two looks at a folder
LONGEST = 86_400.0  # seconds after which a feed that fails is tried again at the latest
SETTLING = 2.0  # seconds after which a table that was written is whole
CLOSING = 2.0  # seconds that what is under way has to end
DEEP = 50  # sitemaps that one sitemap leads to, at the most
AT_ONCE = 32  # feeds that are looked at at the same time
WAVERS = "\0"  # before the digest of a text that is not believed yet, where else a page's mark is kept


NOTHING = Taken((), (), ())


class StoppedError(BaseException):
    """The program ends, and whoever waits to ask a server again waits no longer; no fault of what is read."""


@dataclass(frozen=True, slots=True)
class Look:
    """What came of looking at an address: what was taken in, what was left out; ``trouble`` where it failed.

    ``unchanged`` where the feed says so itself; ``news`` is when it last brought something, in seconds.
    """

    url: str
    taken: Taken = NOTHING
    left_out: tuple[Rejected, ...] = ()
    trouble: str = ""
    unchanged: bool = False
    news: float | None = None


@dataclass(slots=True)
class Hearing:
    """What has come of looking at a feed so far.

    ``patience`` is what is left of the seconds in which its pages may be late, all together: each may use up half.
    ``over`` is False where something has to be asked for again though the feed may not change.
    """

    patience: float
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    left_out: list[Rejected] = field(default_factory=list)
    over: bool = True

    def leave_out(self, url: str, error: ArticleError) -> None:
        """Name what is left out."""
        self.left_out.append((discreet(url), error))
        if isinstance(error, SlowError) or (isinstance(error, FetchError) and error.status >= SERVER):
            self.over = False

    def look(self, url: str) -> Look:
        """Return all of it."""
        taken = Taken(tuple(self.added), tuple(self.changed), tuple(self.unchanged))
        return Look(discreet(url), taken, tuple(self.left_out))


class Follower:
    """Puts into an archive what stands on the web; ``now`` tells the time in seconds.

    ``zone`` is that of embargoes in folders which name none. Close it before the archive.
    """

    def __init__(
        self,
        archive: PersistentArchive,
        fetcher: Fetcher,
        now: Callable[[], float] = time.time,
        zone: tzinfo | None = None,
    ) -> None:
        self._zone = zone
        self.elapsed = time.monotonic  # seconds, whatever a clock is set to
        self._archive, self._fetcher, self._now = archive, fetcher, now
        self._feeds = archive.subscriptions
        self._heard: SimpleQueue[Look | Exception | None] = SimpleQueue()
        self._under_way = 0
        self._taking = threading.Lock()
        self._is_closed = threading.Event()
        self._threads: list[tuple[Subscription, threading.Thread]] = []
        self._looked: dict[str, float] = {}  # when this process began its last look, by ``elapsed``

    @property
    def is_closed(self) -> bool:
        """Whether it writes nothing any more."""
        return self._is_closed.is_set()

    def close(self) -> None:
        """Have what is under way end soon, without another word written; what was begun is due at once."""
        self._is_closed.set()
        end = time.monotonic() + CLOSING
        for feed, thread in self._threads:
            thread.join(max(end - time.monotonic(), 0.0))
            if thread.is_alive():
                self._release(feed)

    def add(self, url: str) -> Look:
        """Take in the article at ``url``, or follow the feed or sitemap there from now on; raise ``ArticleError``."""
        known = next((feed for feed in self._feeds.every() if feed.url == url), None)
        feed = known or Subscription(url, self._now())
        with guarded(url, "page"):
            fetched = self._fetcher.get(url, feed.etag, feed.modified)
            if fetched is None and known:
                return self._unchanged(known)
            return self._added(feed, _had(url, fetched))

    def _added(self, feed: Subscription, fetched: Fetched) -> Look:
        try:
            found = read_feed(fetched)
        except UnreadArticleError:
            with suppress(ArticleError):  # a page may break what reads feeds
                return self._page(feed.url, fetched)
            raise
        if found is None:
            return self._page(feed.url, fetched)
        feed = replace(feed, due=self._now() + EVERY)
        self._feeds.put(feed)
        return self._hear(feed, fetched, found)

    def _page(self, url: str, fetched: Fetched) -> Look:
        so_far = Hearing(0)
        self._take([finish(item_draft(fetched, Item(url), None), {})], so_far)
        return so_far.look(url)

    def look(self, patience: float | None = None) -> Iterator[Look]:
        """Look at every feed that is due, each in a thread; yield what came of it, in the order in which that ends.

        One is due at once whose look was not ended, as its process was killed.
        What is under way where nothing ended for ``patience`` seconds goes on, and is yielded by a later call.
        """
        due = deque(filter(self._is_due, self._feeds.every()))
        while due or self._under_way:
            while due and self._under_way < AT_ONCE:
                self._begin(due.popleft())
            try:
                heard = self._heard.get(timeout=patience) if self._under_way else None
            except Empty:
                return
            self._under_way = max(self._under_way - 1, 0)
            if isinstance(heard, Exception):
                raise heard
            if heard:
                yield heard

    def _is_due(self, feed: Subscription) -> bool:
        """Return whether a feed is due: also where the clock was set back since its time was noted."""
        if feed.due <= self._now() or feed.is_left:
            return True
        pause = LONGEST if feed.failures else EVERY if feed.url.startswith(WEB) else OFTEN
        if feed.looker or feed.due - self._now() <= pause:
            return False
        # not at every look, where another machine's clock goes before this one's
        looked = self._looked.get(feed.url)
        return looked is None or self.elapsed() - looked >= pause

    def follow(self, place: str) -> None:
        """Follow a feed, a sitemap or a folder from now on, unless it is followed already."""
        if all(feed.url != place for feed in self._feeds.every()):
            self._feeds.put(Subscription(place, self._now()))

    def pause(self) -> float:
        """Return in how many seconds the next feed is due; that of one look to the next where there is none."""
        due = min((feed.due for feed in self._feeds.every()), default=self._now() + EVERY)
        return min(max(due - self._now(), 0.0), LONGEST)

    def _begin(self, feed: Subscription) -> None:
        if taken := self._feeds.take(feed, self._now() + EVERY):
            self._looked[feed.url] = self.elapsed()
            self._under_way += 1
            thread = threading.Thread(target=self._hear_out, args=(taken,), name="feed", daemon=True)
            self._threads = [(feed, each) for feed, each in self._threads if each.is_alive()] + [(taken, thread)]
            thread.start()

    def _hear_out(self, feed: Subscription) -> None:
        heard: Look | Exception | None = None
        try:
            heard = self._look(feed)
        except StoppedError:
            self._release(feed)
        except ArchiveError as error:  # the others go on: they may write where this one could not
            heard = Look(discreet(feed.url), trouble=str(error))
            with suppress(ArchiveError):
                self._feeds.note(replace(feed, due=self._now() + OFTEN, trouble=str(error)))
        except Exception as error:  # noqa: BLE001 - raised by who waits for it
            heard = error
            self._release(feed)
        finally:
            self._heard.put(heard)

    def _release(self, feed: Subscription) -> None:
        """Let others look at a feed at once, if the archive can be written still."""
        with suppress(ArchiveError):
            self._feeds.note(replace(feed, due=self._now()))

    def _note(self, feed: Subscription) -> None:
        self._go_on()
        self._feeds.note(feed)

    def _go_on(self) -> None:
        """Raise ``StoppedError`` where this is closed."""
        if self.is_closed:
            raise StoppedError

    def _look(self, feed: Subscription) -> Look:
        try:
            with guarded(feed.url, "feed"):
                return self._web(feed) if feed.url.startswith(WEB) else self._folder(feed)
        except ArticleError as error:
            return self._failed(feed, error)

    def _web(self, feed: Subscription) -> Look:
        fetched = self._fetcher.get(feed.url, feed.etag, feed.modified)
        if fetched is None:
            return self._unchanged(feed)
        found = read_feed(fetched)
        if found is None:
            raise FetchError(f"{discreet(feed.url)} is no feed and no sitemap any more.")
        return self._hear(feed, fetched, found)

    def _unchanged(self, feed: Subscription) -> Look:
        self._note(replace(feed, due=self._now() + EVERY, failures=0, trouble=""))
        return Look(discreet(feed.url), unchanged=True, news=feed.news)

    def _folder(self, feed: Subscription) -> Look:
        """Take in what is new or changed in a folder; one in which no file was touched is not read.

        What is wrong with it is told once. One whose table was written just now is looked at when that has settled.
        """
        place = Path(feed.url)
        try:
            state = folder_state(place)
            is_same = state == feed.etag
            if not is_same and self._settles(place):
                self._fetcher.pause(SETTLING)
                state = folder_state(place)
                if self._settles(place):
                    self._note(replace(feed, due=self._now() + SETTLING))
                    return Look(feed.url)
            # what is wrong with a table may be over though nothing was touched: an embargo in it has ended
            loaded = load_articles([place], self._zone) if not is_same or feed.trouble else None
        except (ArticleError, NoArticlesError, OSError) as error:
            trouble = f"{place} cannot be read: {error}"
            self._note(replace(feed, due=self._now() + OFTEN, trouble=trouble))
            return Look(feed.url, trouble=trouble if trouble != feed.trouble else "")
        if loaded is None:
            self._note(replace(feed, due=self._now() + OFTEN, failures=0))
            return Look(feed.url)
        so_far = Hearing(0, left_out=[] if is_same else list(loaded.rejected))
        self._take(loaded.articles, so_far)
        news = self._news(feed, so_far)
        self._note(Subscription(feed.url, self._now() + OFTEN, state, trouble=loaded.unsafe, news=news))
        return so_far.look(feed.url)

    def _settles(self, place: Path) -> bool:
        return abs(self._now() - newest_table(place)) < SETTLING

    def _news(self, feed: Subscription, heard: Hearing) -> float | None:
        return self._now() if heard.added or heard.changed else feed.news

    def _failed(self, feed: Subscription, error: ArticleError) -> Look:
        place = discreet(feed.url)
        if isinstance(error, FetchError) and error.status == GONE:
            self._feeds.remove(feed.url)
            return Look(place, trouble=f"{error} It is followed no longer.")
        after = error.after if isinstance(error, FetchError) else 0.0
        pause = min(max(EVERY * 2**feed.failures, after), LONGEST)
        failed = replace(feed, due=self._now() + pause, failures=min(feed.failures + 1, 16), trouble=str(error))
        self._note(failed)
        return Look(place, trouble=str(error))

    def _hear(self, feed: Subscription, fetched: Fetched, found: Feed) -> Look:
        so_far = Hearing(self._fetcher.longest)
        for unlinked in found.unlinked:
            so_far.leave_out(f"{feed.url}, {unlinked}", ArticleError("Its link is no address on the web."))
        for item, named_by, source in self._items(fetched, found, so_far):
            self._go_on()
            feed, mine = self._still_mine(feed)
            if not mine:
                so_far.over = False
                break
            place = without_password(item.url)
            if item.mark and self._feeds.mark(place) == item.mark:
                so_far.unchanged.append(place)
                continue
            try:
                with guarded(place, "page"):
                    self._read(item, named_by, source, so_far)
            except ArticleError as error:
                so_far.leave_out(place, error)
        etag, modified = (fetched.etag, fetched.modified) if so_far.over else ("", "")
        news = self._news(feed, so_far)
        self._note(Subscription(feed.url, self._now() + EVERY, etag, modified, news=news))
        return so_far.look(feed.url)

    def _still_mine(self, feed: Subscription) -> tuple[Subscription, bool]:
        """Return a feed that is looked at for long, kept from others yet; False where it is followed no longer."""
        until = self._now() + EVERY
        if feed.due > until - EVERY / 2:
            return feed, True
        taken = self._feeds.take(feed, until)
        return taken or feed, taken is not None

    def _items(self, fetched: Fetched, feed: Feed, so_far: Hearing) -> Iterator[tuple[Item, Fetched, str | None]]:
        """Yield what a feed names, what names it, and whose it is."""
        yield from ((item, fetched, feed.source) for item in feed.items)
        for url in feed.sitemaps[:DEEP]:
            try:
                with guarded(url, "feed"):
                    further = self._asked(url, fetched, so_far)
                    found = read_feed(further)
            except ArticleError as error:
                so_far.leave_out(url, error)
            else:
                yield from ((item, further, feed.source) for item in (found.items if found else ()))

    def _asked(self, url: str, named_by: Fetched, so_far: Hearing) -> Fetched:
        within = so_far.patience / 2
        try:
            return _had(url, self._fetcher.get(url, named_by=named_by, within=within))
        except SlowError:
            so_far.patience -= within
            raise

    def _read(self, item: Item, named_by: Fetched, source: str | None, so_far: Hearing) -> None:
        """Take in the article on a page; where it goes back and forth between two texts, once one is there twice."""
        draft = item_draft(self._asked(item.url, named_by, so_far), item, source)
        [article] = self._archive.identified([finish(draft, {})])
        place, waiting = draft.name, f"{WAVERS}{article.digest}"
        seen = self._feeds.mark(place) or ""
        wavers = seen.startswith(WAVERS)
        if seen != waiting and (wavers or self._goes_back(article)):
            self._feeds.set_mark(place, waiting)
            so_far.over = False
            if not wavers:
                so_far.leave_out(
                    place, ArticleError("It goes back and forth between two texts: one that stays is taken.")
                )
        elif self._take([article], so_far):
            self._feeds.set_mark(place, item.mark)

    def _goes_back(self, article: Article) -> bool:
        """Tell whether an article's text was there before, and the text that it would replace was as well."""
        try:
            *before, current = (version.digest for version in self._archive.history(article.id))
        except KeyError:
            return False
        return article.digest != current and {article.digest, current} <= set(before)

    def _take(self, articles: Sequence[Article], so_far: Hearing) -> bool:
        """Take in articles, one thread's at a time; tell whether all were."""
        unread: list[UnreadArticleError] = []
        with self._taking:
            self._go_on()
            taken = take_in(self._archive, articles, lambda: None, unread.append)
        for error in unread:
            so_far.leave_out(error.article, error)
        for became in ("added", "changed", "unchanged"):
            getattr(so_far, became).extend(getattr(taken, became))
        return not unread


def _had(url: str, fetched: Fetched | None) -> Fetched:
    if fetched is None:
        raise FetchError(f"{discreet(url)} answers that it has not changed, and was never asked before.")
    return fetched
