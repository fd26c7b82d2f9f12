"""What a long answer loses: the same parts, in the same order, on both platforms."""

from dataclasses import dataclass, replace

import pytest

from adapters.chat.parts import TOO_LONG, LineRole, ReplyPart, pack, pack_all, parts_of
from adapters.discord.panels import arrange
from adapters.slack.blocks import draw
from bot import messages, verdicts
from bot.commands.verify import MOST
from bot.model import Answer, Change, Check, Listing, Match, Message, Notice, Reply, Revision, Section, Verdict
from bot.outline import listed_checks
from retrieval.model import CaveatKind, Voice
from tests.emulators.slack_rules import quotations
from tests.support.replies import cited, extract
from tests.support.tables import cases


@dataclass(frozen=True)
class Box:
    """Something of a size."""

    name: str
    size: tuple[int, int]
    count: int = 1


def note(number: int) -> Box:
    return Box(f"{number} left out", (1, 2))


@cases("units, packed")
def test_from_the_first_part_without_room_on_all_are_left_out(units: tuple[int, ...], packed: tuple[str, ...]) -> None:
    boxes = [Box(str(number), (1, size)) for number, size in enumerate(units)]
    assert [box.name for box in pack(boxes, (4, 10), note)] == [*packed]


def test_the_best_part_finds_room_before_the_notes_and_they_before_the_rest() -> None:
    boxes, notes = [Box("best", (1, 4)), Box("other", (1, 3))], [Box("note", (1, 4))]
    assert [box.name for box in pack_all(boxes, notes, (9, 10), note)] == ["best", "1 left out", "note"]
    assert [box.name for box in pack_all(boxes, notes, (9, 9), note)] == ["best", "other", "1 left out"]


def shown_on_slack(reply: Reply) -> tuple[str, ...]:
    return quotations({"blocks": list(draw(reply).blocks)})


def shown_on_discord(reply: Reply) -> tuple[str, ...]:
    return tuple(each.text for panel in arrange(reply) for _, quotation in panel.quotations for each in quotation)


@pytest.mark.parametrize("words", [(100,) * 40, (20, 700, 20, 20), (150, 10, 150, 10) * 10])
def test_both_platforms_lose_the_last_parts_of_a_long_answer_first(words: tuple[int, ...]) -> None:
    """Discord has less room, so it may lose more; neither leaves out one part and shows a later one."""
    extracts = tuple(replace(extract(f"{n} " + "word " * each), index=n) for n, each in enumerate(words))
    texts = tuple(each.text for each in extracts)
    reply = Listing("Found", (Section("First", extracts[:2]), Section("Then", extracts[2:])))
    on_slack, on_discord = shown_on_slack(reply), shown_on_discord(reply)
    assert on_slack == texts[: len(on_slack)]
    assert on_discord == texts[: len(on_discord)]
    assert len(on_discord) <= len(on_slack)


def text_on(platform: str, reply: Reply) -> str:
    return draw(reply).text if platform == "slack" else "\n".join(p.text for p in arrange(reply))


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_what_adjoining_extracts_share_is_said_once(platform: str) -> None:
    caveat = "Nobody could check it."
    first, second = (extract(text, caveat=caveat) for text in ("The river rose.", "The barn burned."))
    bare, other = extract("It rained."), extract("The mill fell.", "mill", caveat=caveat)
    text = text_on(platform, Answer((first, second, bare, other)))
    assert [text.count(words) for words in (messages.UNVERIFIED, caveat, "River rises")] == [3, 2, 2]
    order = (first.text, second.text, "Of both, in the outlet's words:", bare.text, "River rises", other.text)
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    changed = replace(second, revision=Revision(bare))
    assert text_on(platform, Answer((first, changed))).count(caveat) == 2


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_adjoining_sentences_of_one_speaker_are_one_quotation(platform: str) -> None:
    first = replace(extract("The weir burst."), speaker="Ivo Kern", voice=Voice.NAMED, index=4)
    next_one = replace(first, text="It took both bridges.", index=5)
    text = text_on(platform, Answer((first, next_one)))
    assert [text.count(words) for words in ("[1]", "[2]", "Ivo Kern", first.text, next_one.text)] == [0, 0, 1, 1, 1]
    assert shown_on_slack(Answer((first, next_one))) == shown_on_discord(Answer((first, next_one)))
    for other in (replace(next_one, index=7), replace(next_one, speaker="Lena Voss")):
        assert "[2]" in text_on(platform, Answer((first, other)))
    text = text_on(platform, Answer((first, next_one, replace(first, text="Nobody was hurt.", index=9))))
    assert [text.count(f"[{number}]") for number in (1, 2, 3)] == [1, 1, 0]


def test_a_quotation_too_long_for_one_part_has_one_number_in_each() -> None:
    first = replace(extract("word " * 20), speaker="Ivo Kern", voice=Voice.NAMED, index=4)
    reply = Answer((first, replace(first, text="word " * 21, index=5), replace(first, text="It fell.", index=9)))
    parts, _ = parts_of(reply, lambda part: sum(len(line.text) for line in part.lines) < 200)
    assert [[number for number, _ in part.quotations] for part in parts] == [[1], [1], [2]]


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_an_outlets_caveat_that_is_quoted_is_not_repeated_below(platform: str) -> None:
    caveat = extract("Nobody could check it.")
    notice = Notice(caveat.text, CaveatKind.OWN, None, caveat.citation)
    quoted = replace(caveat, notices=(notice,))
    assert text_on(platform, Answer((quoted, replace(extract("It sank."), notices=(notice,))))).count(caveat.text) == 1
    assert text_on(platform, Answer((replace(extract("It sank."), notices=(notice,)), quoted))).count(caveat.text) == 2


def test_a_caveat_is_due_again_where_the_passage_that_told_it_is_too_long() -> None:
    long = extract("word " * 50, caveat="Nobody could check it. " * 5)
    (caveat,) = long.caveats
    notice = Notice(caveat.text, caveat.kind, caveat.verifier, caveat.citation)
    reply = Answer((long, replace(extract("It sank."), notices=(notice,))))
    first, second = parts_of(
        reply, lambda part: not part.has(LineRole.CAVEAT) and all(long not in each for _, each in part.quotations)
    )[0]
    assert [line.text for line in first.lines if line.role is LineRole.TEXT] == [TOO_LONG]
    assert [line.text for line in second.lines if line.role is LineRole.NOTICE] == [caveat.text]


def test_a_notice_too_long_for_a_message_takes_the_words_along_that_it_is_about() -> None:
    notice = Notice("Nobody could check any of this. " * 200, CaveatKind.STANDING, None, cited("x"))
    both = tuple(replace(extract(text), notices=(notice,)) for text in ("The river rose.", "It fell."))

    def is_drawable(part: ReplyPart) -> bool:
        return sum(len(line.text) for line in part.lines) < 1_000

    parts, notices = parts_of(Answer(both), is_drawable)
    assert [part.quotations for part in parts] == [(), ()]
    assert notices == []


def test_a_heading_with_nothing_under_it_is_shown() -> None:
    reply = Listing("2 quotations checked", (Section("Absent"), Section("Exact", (extract("It sank."),))))
    [bare, _], _ = parts_of(reply, lambda _: True)
    assert [(line.role, line.text) for line in bare.lines] == [(LineRole.HEADING, "Absent")]
    assert "Absent" in draw(reply).text


@pytest.mark.parametrize("platform", ["slack", "discord"])
@pytest.mark.parametrize("text", ["", " \n "])
def test_a_reply_without_words_says_so(platform: str, text: str) -> None:
    assert text_on(platform, Message(text)) == messages.NOTHING_TO_SHOW


@pytest.mark.parametrize("platform", ["slack", "discord"])
@pytest.mark.parametrize("times", [1, 60])
def test_no_verdict_of_several_is_left_out(platform: str, times: int) -> None:
    found = Match(extract("The river rose. " * times), ((Change.SAME, "The river rose"),))
    checks = [Check(Verdict.EXACT, f"quotation {n}", (found,)) for n in range(MOST - 1 if times > 1 else 8)]
    checks.append(Check(Verdict.ABSENT, "the last"))
    text = text_on(platform, listed_checks(checks, ("in between",), 0)).replace("\\", "").replace("**", "")
    assert ("left out" in text) is (times > 1)
    assert [heading for heading in map(verdicts.heading, checks) if heading not in text] == []
