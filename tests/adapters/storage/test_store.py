"""The store: one answer to an event, whatever happens to the process, and nothing kept longer than agreed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import pytest

from adapters.storage.claims import ABANDONED_AFTER_SECONDS, MAX_ATTEMPTS, SILENT_AFTER_SECONDS, SWEEP_EVERY_SECONDS
from adapters.storage.store import AnswerRecord, Claim, Opinion, Store, StoreError, open_database
from tests.postgres import Cluster

GIVEN = AnswerRecord(
    platform="slack",
    asker="U1",
    question="how many boats came in?",
    reply='{"kind": "answer"}',
    digests=("aa", "bb"),
    workspace="T1",
    channel="C1",
    thread="17.5",
    at=1_000_000.0,
)


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a place for a store with nothing in it: a file in a folder that is not there yet, and a database."""
    if request.param == "sqlite":
        return str(tmp_path / "state" / "stet.sqlite")
    server: Cluster = request.getfixturevalue("server")
    return server.database()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(place: str, clock: Clock) -> Iterator[Store]:
    with Store(place, keep_days=10, clock=clock) as opened:
        yield opened


def test_an_event_is_claimed_once_under_any_of_its_keys(store: Store) -> None:
    first = store.claim("slack", ("Ev1", "C1:17.5", "Ev1"), "a very private question")
    assert first == Claim(1, "slack", "a very private question", 1)
    for keys in (("Ev1", "C1:17.5"), ("Ev1",), ("C1:17.5",), ("Ev2", "C1:17.5"), ("Ev1", "C9:1")):
        assert store.claim("slack", keys) is None
    assert store.claim("discord", ("Ev1",)) is not None
    assert store.take_up("slack") == ()  # it is being worked on
    store.finish(first)
    assert store.claim("slack", ("Ev1",)) is None
    assert store.take_up("slack") == ()


def test_what_may_be_done_again_is_claimed_anew_after_a_while(store: Store, clock: Clock) -> None:
    first = store.claim_again("slack", "link:C1:ferry", 60)
    assert first is not None
    clock.now += 59
    assert store.claim_again("slack", "link:C1:ferry", 60) is None
    store.finish(first)
    assert store.claim_again("slack", "link:C1:ferry", 60) is None
    assert store.claim_again("slack", "link:C2:ferry", 60) is not None
    assert store.claim_again("discord", "link:C1:ferry", 60) is not None
    clock.now += 1
    assert store.claim_again("slack", "link:C1:ferry", 60) is not None
    assert store.claim_again("slack", "link:C1:ferry", 60) is None


def test_what_was_left_unfinished_is_taken_up_by_the_next(store: Store, place: str, clock: Clock) -> None:
    for number in range(3):
        store.claim("slack", (f"Ev{number}",), f"payload {number}")
    store.claim("discord", ("7",), "another platform's")
    with Store(place, clock=clock) as later:
        assert later.take_up("slack") == tuple(Claim(n + 1, "slack", f"payload {n}", 2) for n in range(3))
        assert later.take_up("slack") == ()


def test_a_released_claim_is_taken_up_again_but_not_for_ever(store: Store) -> None:
    claim = store.claim("slack", ("Ev1",), "payload")
    for attempt in range(2, MAX_ATTEMPTS + 1):
        store.release(claim)
        assert store.take_up("slack") == (Claim(1, "slack", "payload", attempt),)
    store.release(claim)
    assert store.take_up("slack") == ()
    assert store.is_finished("slack", "Ev1")


CLAIM_AND_WAIT = """
import sys
from adapters.storage.store import Store
store = Store(sys.argv[1], clock=lambda: 1_000_000.0)
print(store.claim("slack", ("Ev1",), "theirs"), flush=True)
sys.stdin.read()
"""


def test_a_living_process_keeps_its_claims_and_a_killed_one_loses_them(place: str, clock: Clock) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CLAIM_AND_WAIT, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline().startswith(b"Claim(")
        with Store(place, clock=clock) as store:
            assert store.claim("slack", ("Ev1",)) is None
            assert store.take_up("slack") == ()
            other.kill()
            # ended, though its parent has not asked yet
            os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
            assert store.take_up("slack") == (Claim(1, "slack", "theirs", 2),)
    with Store(place, clock=clock) as later:
        clock.now += ABANDONED_AFTER_SECONDS + 1
        assert [claim.attempts for claim in later.take_up("slack")] == [3]


def test_an_edit_that_could_not_be_ended_is_not_under_way_for_ever(store: Store, clock: Clock) -> None:
    assert store.claim_edit("slack", "C1", "1.0") is not None
    clock.now += ABANDONED_AFTER_SECONDS - 1
    assert store.claim_edit("slack", "C1", "1.0") is None
    clock.now += 2
    again = store.claim_edit("slack", "C1", "1.0")
    store.delete_claim(again)
    assert store.claim_edit("slack", "C1", "1.0") is not None


def test_of_many_at_once_one_gets_the_claim(place: str, clock: Clock) -> None:
    with Store(place, clock=clock) as one, Store(place, clock=clock) as two, ThreadPoolExecutor(8) as pool:
        claims = pool.map(lambda n: (one, two)[n % 2].claim("slack", (f"Ev{n // 8}",)), range(160))
        assert sum(claim is not None for claim in claims) == 20


def test_reads_do_not_wait_for_who_writes(store: Store, place: str) -> None:
    store.save_fact("commands", "abc")
    store.remember_question("slack", "C1", "17.5", "first?")
    with closing(open_database(place)) as other, other.writing() as run:
        run("UPDATE facts SET value = 'not yet'")
        began = monotonic()
        assert store.fact("commands") == "abc"
        assert store.last_question("slack", "C1", "17.5") == "first?"
        assert store.posting("slack", "C1", "17.6") is None
        assert monotonic() - began < 2
    assert store.fact("commands") == "not yet"


def test_what_fails_is_undone_and_a_closed_store_says_so(store: Store) -> None:
    with pytest.raises(StoreError, match=r"nowhere"):
        half_done(store)
    assert store.fact("half") is None
    with pytest.raises(StoreError, match="cannot store this value"):
        store.save_fact("x", "\ud800")
    store.save_fact("x", "sound")
    assert store.fact("x") == "sound"
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.fact("any")


def half_done(store: Store) -> None:
    with store._database.writing() as run:
        run("INSERT INTO facts (name, value) VALUES (?, ?)", ("half", "done"))
        run("SELECT 1 FROM nowhere")


def test_a_thread_knows_its_last_question_and_what_it_showed_last(store: Store, clock: Clock) -> None:
    assert store.last_shown("slack", "C1", "17.5") == ""
    for question, shown in (("first?", "aa1c390e.1"), ("second?", ""), ("", "aa1c390e.2"), ("", "")):
        store.remember_question("slack", "C1", "17.5", question, shown)
    assert store.last_shown("slack", "C1", "17.5") == "aa1c390e.2"
    assert store.last_question("slack", "C1", "17.5") == "second?"
    assert store.last_question("slack", "C1", "17.6") is None
    assert store.last_question("discord", "C1", "17.5") is None
    clock.now += 100
    assert store.last_question("slack", "C1", "17.5", within=100) == "second?"
    assert store.last_question("slack", "C1", "17.5", within=99) is None


def test_an_answer_is_kept_as_given(store: Store, clock: Clock) -> None:
    place = ("slack", "C1", "17.5", "U1")
    store.record_answer(replace(GIVEN, unasked=1))
    assert not store.has_asked(*place)
    number = store.record_answer(GIVEN)
    assert store.has_asked(*place)
    assert store.answer(number) == GIVEN
    assert store.answer(number + 1) is None
    number = store.record_answer(AnswerRecord("discord", "U2", "?", "{}"))
    assert store.answer(number) == AnswerRecord("discord", "U2", "?", "{}", at=clock.now)


def test_the_last_opinion_of_a_person_counts(store: Store) -> None:
    number = store.record_answer(GIVEN)
    store.record_opinion(Opinion(number, "U1", right=True))
    store.record_opinion(Opinion(number, "U2", right=True))
    store.record_opinion(Opinion(number, "U1", right=False, why="the wrong minister"))
    assert {opinion for opinion, *_ in store.opinions()} == {
        Opinion(number, "U1", right=False, why="the wrong minister"),
        Opinion(number, "U2", right=True),
    }


def fill(store: Store) -> int:
    claim = store.claim("slack", ("Ev1",))
    store.finish(claim)
    store.remember_question("slack", "C1", "17.5", "first?")
    number = store.record_answer(GIVEN)
    store.record_opinion(Opinion(number, "U1", right=True))
    assert store.fact("commands") is None
    store.save_fact("commands", "before")
    store.save_fact("commands", "abc")
    return number


def contents(store: Store, number: int) -> tuple[object, ...]:
    return (
        store.claim("slack", ("Ev1",)) is None,
        store.last_question("slack", "C1", "17.5"),
        store.answer(number),
        *store._row("SELECT count(*) FROM feedback"),
        store.fact("commands"),
    )


def test_nothing_goes_before_its_time_and_then_all_without_a_restart(store: Store, place: str, clock: Clock) -> None:
    number = fill(store)
    clock.now += 10 * 86_400 - 1
    store.sweep()
    with Store(place, keep_days=10, clock=clock) as later:
        assert contents(later, number) == (True, "first?", GIVEN, 1, "abc")
    clock.now += SWEEP_EVERY_SECONDS
    assert contents(store, number) == (False, None, None, 0, "abc")


def test_claims_outlive_a_retention_of_nothing(place: str, clock: Clock) -> None:
    with Store(place, keep_days=0, clock=clock) as store:
        number = fill(store)
        clock.now += SWEEP_EVERY_SECONDS
        assert contents(store, number) == (True, None, None, 0, "abc")


# -- workers on several machines ----------------------------------------------------------------------------------


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    ticks = Clock()
    monkeypatch.setattr("adapters.storage.claims.monotonic", ticks)
    return ticks


@pytest.fixture
def elsewhere(place: str, clock: Clock) -> Iterator[Store]:
    with patch("socket.gethostname", return_value="elsewhere"):
        opened = Store(place, keep_days=10, clock=clock)
    with opened:
        yield opened


def test_who_gives_no_sign_of_life_for_long_has_lost_his_claims(store: Store, elsewhere: Store, time: Clock) -> None:
    elsewhere.claim("slack", ("Ev1",), "theirs")
    assert store.take_up("slack") == ()
    time.now += SILENT_AFTER_SECONDS
    assert store.take_up("slack") == ()
    time.now += 1
    [taken] = store.take_up("slack")
    assert taken == Claim(1, "slack", "theirs", 2)
    assert elsewhere.take_up("slack") == ()
    store.release(taken)
    assert elsewhere.take_up("slack") == (Claim(1, "slack", "theirs", 3),)  # what is given back is anybody's


def test_whoever_does_anything_is_at_work(store: Store, elsewhere: Store, time: Clock) -> None:
    slow = elsewhere.claim("slack", ("Ev1",), "theirs")
    signs = (
        lambda: elsewhere.take_up("slack"),
        lambda: elsewhere.claim("slack", ("Ev2",)),
        lambda: elsewhere.finish(Claim(2, "slack", "")),
        lambda: elsewhere.release(Claim(2, "slack", "")),
    )
    for sign in signs:
        assert store.take_up("slack") == ()
        time.now += SILENT_AFTER_SECONDS - 1
        sign()
    assert slow is not None
    assert 1 not in [claim.id for claim in store.take_up("slack")]


def test_nobody_is_silent_while_the_database_is_away(store: Store, elsewhere: Store, time: Clock) -> None:
    elsewhere.claim("slack", ("Ev1",), "theirs")
    assert store.take_up("slack") == ()
    time.now += SILENT_AFTER_SECONDS + 1
    with patch.object(store._database, "writing", side_effect=StoreError("away")), pytest.raises(StoreError):
        store.take_up("slack")
    assert store.take_up("slack") == ()
    time.now += SILENT_AFTER_SECONDS + 1
    assert len(store.take_up("slack")) == 1
