"""The drawing for Slack: within the limits whatever comes, to the character, each quotation with its caveat."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.chat.parts import TOO_LONG, extract_lines, shorten
from adapters.slack.blocks import (
    Buttons,
    DrawnLine,
    RenderedMessage,
    draw,
    draw_line,
    escape,
    linked,
    marked,
    plain,
    unescape,
)
from bot import messages, source_lines, verdicts
from bot.commands.clip import FORMS
from bot.commands.verify import MOST
from bot.escaping import escape_controls
from bot.model import (
    Answer,
    Candidates,
    Card,
    Change,
    Check,
    Clipping,
    Extract,
    Listing,
    Match,
    Message,
    NameCandidate,
    NoAnswer,
    Notice,
    Reply,
    Role,
    Section,
    Verdict,
)
from bot.outline import listed_checks, outline
from retrieval.model import CaveatKind, Kind, Span, Voice
from tests.adapters.replies import CAVEAT, CITATION, EXTRACT, HOSTILE, replies
from tests.emulators.slack_reading import buttons, pinged, quotations, seen
from tests.emulators.slack_rules import refuse_message
from tests.support.nightly import examples

BOLD = {"style": {"bold": True}}
TEXT = "“Forty people were brought ashore & <counted>,” Ida Roth said."
CITED = "The Quay · Ferry aground off the northern pier · 4 March 2025"
UNVERIFIED = "⚠️ Not verified"
LABEL = "In the outlet's words: "
LINK = (
    "https://quay.example/ferry?a=1&b=2#:~:text="
    "%E2%80%9CForty%20people%20were%20brought%20ashore%20%26%20%3Ccounted%3E%2C%E2%80%9D%20Ida%20Roth%20said."
)


def payload(drawing: RenderedMessage) -> dict[str, object]:
    return {"text": drawing.text, "blocks": list(drawing.blocks)}


def extracts_of(reply: Reply) -> list[Extract]:
    """Return every extract in a reply, those before others included."""
    found = [reply.extract] if isinstance(reply, Clipping) else [*outline(reply).extracts]
    return found + [extract.before for extract in found if extract.before]


def governed(drawing: RenderedMessage) -> list[tuple[str, list[str]]]:
    """Return each quotation with the caveats under it, in their marks; each says on how many of those above it is.

    Above one that has any stands the label, and above no other.
    """
    found: list[tuple[str, list[str]]] = []
    labelled: list[bool] = []
    above, is_left_out = "", False
    for block in drawing.blocks:
        paragraphs = block["elements"] if block["type"] == "rich_text" else ()
        above = block["text"]["text"].strip("*") if block["type"] == "section" else above
        for paragraph in paragraphs:
            leaves = [leaf["text"] for leaf in paragraph["elements"]]
            if paragraph["type"] == "rich_text_quote":
                found.append((leaves[0], []))
                labelled.append(above.endswith(UNVERIFIED))
                is_left_out = False
            is_left_out = is_left_out or leaves[0] == TOO_LONG
            for number in range(1, len(found) + 1):
                if not is_left_out and leaves[0] == f"{messages.caveat_intro(number)} ":
                    for _, caveats in found[-number:]:
                        caveats.append(leaves[1])
            above = leaves[0]
    assert labelled == [bool(caveats) for _, caveats in found]
    return found


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(20, 100))
@given(reply=replies)
def test_any_reply_is_within_the_limits_and_keeps_its_caveats(reply: Reply) -> None:
    drawing = draw(reply, Buttons(answer=7, shareable=True))
    sent = payload(drawing)
    assert list(refuse_message(sent)) == []
    assert pinged(sent) == ()
    due = [
        (escape_controls(e.text), [escape_controls(marked(caveat.text)) for caveat in e.caveats])
        for e in extracts_of(reply)
    ]
    output = unescape(drawing.text)
    for quotation, caveats in governed(drawing):
        assert (quotation, caveats) in due
        assert all(words in output for words in (quotation, *caveats))
    if isinstance(reply, Answer):
        source = escape_controls(source_lines.source(reply.extracts[0].citation).strip()[:200].strip())
        assert source in seen(sent)
        assert source in output


def test_an_extract_is_drawn_as_one_piece() -> None:
    drawing = draw(Answer((EXTRACT,)))
    state = "aa1c390e.12"
    assert drawing.blocks == (
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": UNVERIFIED, **BOLD}]},
                {"type": "rich_text_quote", "elements": [{"type": "text", "text": TEXT}]},
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "— Ida Roth"}]},
                {
                    "type": "rich_text_section",
                    "elements": [
                        {"type": "text", "text": LABEL, **BOLD},
                        {"type": "text", "text": "“The Quay could not verify the count.”"},
                    ],
                },
            ],
        },
        {
            "type": "context",
            "elements": [{"type": "mrkdwn", "text": f"<{LINK.replace('&', '&amp;')}|{CITED}>", "verbatim": True}],
        },
        {
            "type": "actions",
            "elements": [
                {
                    "type": "overflow",
                    "action_id": "stet_menu",
                    "options": [
                        {
                            "text": {"type": "plain_text", "text": label, "emoji": False},
                            "value": f"{label.lower()}:{state}",
                        }
                        for label in ("Context", "Copy")
                    ],
                }
            ],
        },
    )
    assert drawing.text == (
        f"{UNVERIFIED}\n"
        "“Forty people were brought ashore &amp; &lt;counted&gt;,” Ida Roth said.\n"
        "— Ida Roth\n"
        f"{LABEL}“The Quay could not verify the count.”\n"
        f"{CITED} https://quay.example/ferry?a=1&amp;b=2"
    )


def lines(reply: Reply) -> list[str]:
    return seen(payload(draw(reply))).split("\n")


def test_a_notice_stands_with_the_first_extract_of_its_article() -> None:
    own = Notice("Movements of reporters are restricted.", CaveatKind.STANDING, None, CITATION)
    other = replace(own, text="Lines are down.", citation=replace(CITATION, article_id="other"))
    drawing = draw(Answer((replace(EXTRACT, notices=(other, own)), replace(EXTRACT, text="Second."))))
    output = [json.dumps(block, ensure_ascii=False) for block in drawing.blocks]
    first, second = (next(n for n, block in enumerate(output) if words in block) for words in (TEXT, "Second."))
    restricted, down = (
        next(n for n, block in enumerate(output) if words in block) for words in ("restricted", "Lines are down")
    )
    assert first < second < restricted < down
    # both extracts and the notice on their article have one source; another article's notice has its own
    assert [drawing.text.count(words) for words in ("The outlet says of this article:", CITED)] == [2, 2]


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_reply_without_words_says_so(text: str) -> None:
    assert draw(Message(text)).text == messages.NOTHING_TO_SHOW


def test_hostile_words_arrive_as_they_are() -> None:
    cited = replace(CITATION, title=HOSTILE, source=HOSTILE, url="javascript:alert(1)")
    caveat = replace(CAVEAT, text=HOSTILE)
    extract = replace(EXTRACT, text=HOSTILE, speaker=HOSTILE, citation=cited, caveats=(caveat,))
    sent = payload(draw(Answer((extract,), message=HOSTILE)))
    shown = HOSTILE.replace("\u202e", r"\x202e").replace("\u202c", r"\x202c")
    assert quotations(sent) == (shown,)
    assert pinged(sent) == ()
    assert seen(sent).count(shown) == 6
    assert unescape(str(sent["text"])).count(shown) == 6
    assert '"mrkdwn"' not in json.dumps(sent)
    assert '"link"' not in json.dumps(sent)


def test_further_extracts_go_first_and_whole() -> None:
    many = tuple(replace(EXTRACT, text=f"{number} " + "word " * 200, index=number) for number in range(20))
    sent = payload(draw(Answer(many, more="aa1c390e.12"), Buttons(answer=1)))
    shown = quotations(sent)
    assert shown == tuple(extract.text for extract in many[: len(shown)])
    assert 5 < len(shown) < 20
    assert f"There is more than Slack shows in one message: {20 - len(shown)} left out." in seen(sent)
    assert seen(sent).count(CAVEAT.text) == len(shown)
    assert [label for label, _, _ in buttons(sent)][-3:] == ["More", "Helpful", "Not right"]


def test_an_endless_sentence_is_not_cut() -> None:
    sent = payload(draw(Answer((replace(EXTRACT, text="word " * 8_000),))))
    assert quotations(sent) == ()
    assert seen(sent).split("\n") == [
        UNVERIFIED,
        TOO_LONG,
        CITED,
        LABEL,
        "“The Quay could not verify the count.”",
        "Context",
        "Copy",
    ]


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        (
            Answer((EXTRACT,), more="1f0c9a2b.13"),
            ["More", "Share to channel", "Context", "Copy", "Helpful", "Not right"],
        ),
        (
            Answer((EXTRACT, EXTRACT)),
            ["Context 1", "Copy 1", "Context 2", "Copy 2", "Share to channel", "Helpful", "Not right"],
        ),
        (NoAnswer(("ferry",), (), "Nothing on ferry."), ["Share to channel"]),
        (Card("Ida Roth", Kind.PERSON, (), (), (EXTRACT,), (), (), ()), ["Context 1", "Copy 1", "Share to channel"]),
        (Message("Ask me."), []),
        (Candidates((NameCandidate("Ida Roth", Kind.PERSON, 2),), "Which?"), ["Ida Roth"]),
        (Clipping("copied", "text", EXTRACT), []),
    ],
)
def test_each_reply_has_the_buttons_it_can_use(reply: Reply, labels: list[str]) -> None:
    sent = payload(draw(reply, Buttons(answer=3, shareable=True)))
    assert [label for label, _, _ in buttons(sent)] == labels


def test_feedback_knows_its_answer_and_there_is_none_without_a_number() -> None:
    sent = payload(draw(Answer((EXTRACT,)), Buttons(answer=3)))
    assert [action.get("value") for _, action, _ in buttons(sent)][-2:] == ["3:right", "3:wrong"]
    sent = payload(draw(Answer((EXTRACT,)), Buttons(shareable=True)))
    assert [label for label, _, _ in buttons(sent)] == ["Context", "Copy"]


def test_a_check_shows_what_differs() -> None:
    difference = ((Change.SAME, "Forty people"), (Change.REMOVED, "were"), (Change.ADDED, "had been"))
    sent = payload(draw(Check(Verdict.ALTERED, "Forty people had been", (Match(EXTRACT, difference),))))
    assert quotations(sent) == (TEXT,)
    assert "Compared ([-in the article-] [+in the quotation+]): Forty people [-were-] [+had been+]" in str(sent["text"])
    last = sent["blocks"][3]["elements"][-1]["elements"]  # type: ignore[index]
    assert [leaf["text"] for leaf in last[:6]] == ["Compared", " (", "in the article", " ", "in the quotation", "): "]
    assert last[7:] == [
        {"type": "text", "text": " "},
        {"type": "text", "text": "were", "style": {"strike": True}},
        {"type": "text", "text": " "},
        {"type": "text", "text": "had been", **BOLD},
    ]


@pytest.mark.parametrize("long", [False, True])
def test_no_verdict_of_several_is_left_out(long: bool) -> None:  # noqa: FBT001
    found = Match(replace(EXTRACT, text=TEXT * (15 if long else 1)), ((Change.SAME, TEXT),))
    checks = [Check(Verdict.EXACT, f"quotation {n}", (found,)) for n in range(MOST - 1 if long else 8)]
    listing = listed_checks([*checks, Check(Verdict.ABSENT, "the last")], ("in between",), 0)
    drawing = draw(listing)
    assert list(refuse_message(payload(drawing))) == []
    assert ("left out" in drawing.text) is long
    lines = [line for line in drawing.text.split("\n") if " · “" in line]
    assert lines[:MOST] == [verdicts.heading(section.check) for section in listing.sections if section.check]


def test_of_a_verdict_line_the_verdict_alone_is_bold() -> None:
    drawing = draw(Check(Verdict.ABSENT, "the last"))
    leaves = drawing.blocks[0]["elements"][0]["elements"]
    assert [(leaf["text"], "style" in leaf) for leaf in leaves] == [
        ("❌ Absent", True),
        (": no article has these words, or words like them: “the last”", False),
    ]


def test_a_check_without_a_difference_has_no_line_for_it() -> None:
    check = Check(Verdict.EXACT, TEXT, (Match(EXTRACT, ((Change.SAME, TEXT),)),))
    assert "Compared" not in draw(check).text


def test_a_card_says_who_it_is() -> None:
    role = Role("the pilot", CITATION)
    spelt = ("Ida Roth", "I. Roth")
    card = Card("Ida Roth", Kind.PERSON, spelt, (), (EXTRACT,), (), (), (CITATION,), described=(role,), said_in_all=7)
    shown = lines(card)
    assert shown[:4] == ["Ida Roth", "Person, in 1 article.", "Also spelt I. Roth.", "Described as"]
    assert shown[4].startswith("“the pilot” · The Quay")
    assert "The newest of 7 sentences; /stet said Ida Roth shows them all." in shown
    assert [shown.count(heading) for heading in ("Described as", "Said", "Said of them", "Articles")] == [1, 1, 0, 1]


def test_a_listing_marks_its_sentence() -> None:
    second = replace(EXTRACT, text="Second.", speaker="Max Lund")
    listing = Listing(
        "Context", (Section("The Quay", (EXTRACT, second), marked=1), Section("Held", lines=("5 articles",)))
    )
    shown = lines(listing)
    assert shown[:2] == ["Context", "The Quay"]
    at = shown.index("▸ This sentence:")
    assert shown[at + 1 : at + 4] == ["[2] ⚠️ Not verified", "Second.", "— Max Lund"]
    assert shown[-2:] == ["Held", "5 articles"]


def test_a_clipping_is_literal_and_its_caveat_is_said_once() -> None:
    pasted = FORMS["text"](EXTRACT)
    drawing = draw(Clipping(pasted, "text", EXTRACT))
    assert [paragraph["type"] for paragraph in drawing.blocks[0]["elements"]] == [
        "rich_text_section",
        "rich_text_preformatted",
    ]
    assert drawing.text.startswith(UNVERIFIED)
    assert [drawing.text.count(words) for words in (CAVEAT.text, CITED)] == [1, 1]


def test_commands_are_named_as_slack_has_them() -> None:
    card = Card("Ida Roth", Kind.PERSON, (), (), (EXTRACT,), (), (), (), said_in_all=7)
    assert "/stet said Ida Roth shows them all" in draw(card).text
    assert draw(Message("`/watches` lists them, and `help` more.")).text == "/stet watches lists them, and help more."


def test_what_is_not_verified_is_said_before_it_on_a_lock_screen() -> None:
    """A notification has the first words of the text, or of the blocks."""
    for message in (None, messages.not_sure()):
        drawing = draw(Answer((EXTRACT, EXTRACT), message=message))
        assert drawing.text.index(UNVERIFIED) < 60
        assert seen(payload(drawing)).index(UNVERIFIED) < 60
        assert drawing.text.index(UNVERIFIED) < drawing.text.index("Forty people")


CITED_WITH_ADDRESS = f"{CITED} https://quay.example/ferry?a=1&b=2"
CAVEATED = "In the outlet's words: “The Quay could not verify the count.”"


def drawn(extract: Extract) -> list[DrawnLine]:
    """Return an extract's lines as Slack is given them."""
    return list(map(draw_line, extract_lines([(0, extract)])))


def drawn_source(extract: Extract) -> DrawnLine:
    return drawn(extract)[-1]


def test_the_sentence_before_keeps_its_own_caveat() -> None:
    before = replace(EXTRACT, text="“We counted them,” she said.", index=11)
    assert [text for _, text in drawn(replace(EXTRACT, before=before))] == [
        "Before it:",
        UNVERIFIED,
        "“We counted them,” she said.",
        "— Ida Roth",
        CAVEATED,
        UNVERIFIED,
        EXTRACT.text,
        "— Ida Roth",
        CAVEATED,
        CITED_WITH_ADDRESS,
    ]


def test_the_outlets_own_words_have_no_speaker() -> None:
    own = replace(EXTRACT, voice=Voice.OUTLET, speaker=None, caveats=())
    assert [text for _, text in drawn(own)] == [EXTRACT.text, CITED_WITH_ADDRESS]


def test_the_words_that_answer_are_emphasised_where_they_stand() -> None:
    start = EXTRACT.text.index("Forty")
    output = replace(EXTRACT, answer=Span(start, start + 5))
    quoted, text = next(each for each in drawn(output) if each[1] == EXTRACT.text)
    leaves = quoted["elements"]
    assert [leaf["text"] for leaf in leaves if leaf.get("style") == {"bold": True}] == ["Forty"]
    assert "".join(leaf["text"] for leaf in leaves) == text


def test_an_address_that_no_browser_can_open_is_no_link() -> None:
    _, text = drawn_source(replace(EXTRACT, citation=replace(CITATION, url="https://[")))
    assert text == CITED


def test_the_source_is_one_small_line_with_its_links() -> None:
    block, text = drawn_source(replace(EXTRACT, page="http://127.0.0.1:1/a?b&c"))
    assert [element["text"].rpartition("|")[2] for element in block["elements"]] == [
        CITED + ">",
        "In the article>",
    ]
    assert block["type"] == "context"
    assert block["elements"][1]["text"].startswith("<http://127.0.0.1:1/a?b&amp;c|")
    assert text == f"{CITED_WITH_ADDRESS}\nIn the article http://127.0.0.1:1/a?b&c"
    for title in ("Tug *sinks*", "A :boat: aground", "One|two"):
        block, text = drawn_source(replace(EXTRACT, citation=replace(CITATION, title=title)))
        assert block["type"] == "rich_text_section"
        assert title in block["elements"][0]["text"]
        assert title in text


@pytest.mark.parametrize("text", ["a & b", "&amp;", "<!here>", "a > b", "&lt;&gt;&amp;lt;"])
def test_escaping_is_undone_exactly(text: str) -> None:
    assert unescape(escape(text)) == text


def test_what_is_the_bots_own_is_cut_with_a_mark() -> None:
    assert shorten("a word too many", 10) == "a word to…"
    assert shorten("a word", 10) == "a word"
    assert plain("x" * 80)["text"] == "x" * 74 + "…"


@pytest.mark.parametrize(
    "url", [None, "", "javascript:alert(1)", "https://a b", "https://a|b", "https://a/" + "x" * 3000]
)
def test_only_an_address_that_can_be_followed_is_a_link(url: str | None) -> None:
    assert linked("here", url) == {"type": "text", "text": "here"}
    assert linked("here", "https://a.example/b?c&d")["type"] == "link"
