"""Posted answers are edited, and news is told, by whole processes: once each, though some are killed in the middle."""

from collections import Counter
from pathlib import Path

import pytest

from adapters.storage.store import Store, Watch
from adapters.updates.posting import HOURLY_LIMIT
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.adapters.slack.office import start
from tests.adapters.updates.test_watching import seen_to
from tests.emulators.slack import Slack
from tests.emulators.slack_web import HANGING
from tests.support.chats import DOCKERS, QUAY, Archived, SlackRoom, corrected

pytestmark = pytest.mark.soak

ELEVEN = "eleven dockers"
ANSWERS = 6
LONG = 60  # seconds, on a busy machine


def settings(archived: Archived) -> dict[str, str]:
    state, archive = str(archived.state), str(archived.archive.path)
    return {"STET_STATE": state, "STET_ARCHIVE": archive, "STET_ARTICLES": "", "STET_ENCODER": "none"}


async def test_each_answer_is_edited_once_by_two_processes_after_a_third_was_killed(tmp_path: Path) -> None:
    archived = Archived(tmp_path)
    async with Slack() as slack:
        room, folders = SlackRoom(slack, archived.state), [tmp_path / name for name in ("killed", "one", "other")]
        for folder in folders:
            folder.mkdir()
        killed = await start(slack, folders[0], **settings(archived))
        answers = [await room.ask(f"{DOCKERS} {each}") for each in range(ANSWERS)]
        await slack.fail(HANGING, "chat.update", times=1)
        archived.put(corrected(QUAY, "nine dockers", ELEVEN))
        await slack.until(lambda: slack.called("chat.update"), LONG)
        killed.kill()
        await killed.wait()
        assert not [each for each in answers if ELEVEN in room.text(each)]
        bots = [await start(slack, folder, **settings(archived)) for folder in folders[1:]]
        await slack.until(lambda: all(ELEVEN in room.text(each) for each in answers), LONG)
        await archived.reviewed("slack")
        for bot in bots:
            bot.terminate()
            assert await bot.wait() == 0
        assert Counter(room.edits()) == Counter(answers)
        assert slack.refused() == []


@pytest.mark.parametrize(
    ("kills", "people", "each", "others"),
    [(1, 6, 3, 20), (3, 48, 6, 520)],
)
async def test_two_processes_of_which_some_are_killed_tell_each_once(
    kills: int, people: int, each: int, others: int, tmp_path: Path
) -> None:
    archived = Archived(tmp_path)
    given = settings(archived)
    firsts, lasts = "Ada Bo Cy Di Ed Flo Gus Hal".split(), "Venn Larke Dorn Merrow Falk Kerr".split()
    names = [f"{first} {last}" for last in lasts for first in firsts][: people or None]
    with Store(archived.state) as store:
        for number, name in enumerate(names):
            channel = f"C{number * each // HOURLY_LIMIT + 1}"  # so none reaches its limit
            assert store.add_watch(Watch(0, "slack", "T1", channel, "U1", name, archived.archive.arrivals.last()))
    async with Slack() as slack:
        slack.web.channels |= {f"C{n}": {"id": f"C{n}", "is_member": True} for n in range(1, people + 1)}
        folders = [tmp_path / name for name in ("one", "other")]
        for folder in folders:
            folder.mkdir()
        bots = [await start(slack, folder, **given) for folder in folders]
        *parts, last = [names[number :: kills + 1] for number in range(kills + 1)]
        for number, part in enumerate(parts):
            await slack.fail(HANGING, "chat.postMessage", times=1)
            before = len(slack.called("chat.postMessage"))
            archived.archive.add([read_one(spoken(f"{n}-{at}.txt", n, at)) for n in part for at in range(each)])
            await slack.until(lambda before=before: len(slack.called("chat.postMessage")) > before, LONG)  # type: ignore[misc]
            bots[number % 2].kill()
            await bots[number % 2].wait()
            bots[number % 2] = await start(slack, folders[number % 2], **given)
        archived.archive.add([read_one(spoken(f"{n}-{at}.txt", n, at)) for n in last for at in range(each)])
        archived.archive.add([read_one(Article(f"o{n}.txt", f"“No {n},” said Zed Omar.")) for n in range(others)])
        due = sorted(f"{at}: {name} holds" for name in names for at in range(each))
        await slack.until(lambda: len(weirs_posted(slack)) >= len(due), LONG * 10)
        await seen_to(archived, "slack")
        for bot in bots:
            bot.terminate()
            await bot.wait()
        assert sorted(weirs_posted(slack)) == due
        assert slack.refused() == []


def spoken(name: str, speaker: str, number: int) -> Article:
    return Article(name, f"“Weir {number}: {speaker} holds,” said {speaker}, the warden.", source="The Tollen Post")


def weirs_posted(slack: Slack) -> list[str]:
    texts = (str(each["text"]) for each in slack.web.messages)
    return [text.split("Weir ")[1].split(",")[0] for text in texts if "Weir " in text]
