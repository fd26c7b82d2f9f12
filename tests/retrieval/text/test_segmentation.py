from __future__ import annotations

import pytest

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def _laid_out(text: str, title: str | None = None) -> Layout:
    return lay_out(Article("a.txt", text, title=title), parse(text))


def _sentences(text: str) -> list[str]:
    layout = _laid_out(text)
    return [" ".join(layout.text(sentence).split()) for sentence in layout.sentences]


def _kinds(text: str, title: str | None = None) -> list[tuple[str, Boilerplate | None]]:
    layout = _laid_out(text, title)
    return [(" ".join(layout.text(s).split()), s.boilerplate) for s in layout.sentences]


# Each text stands with a bar where a sentence must end; the bar itself is no part of the text.
CUT = {
    "plain": "The ferry sank. |Nobody was hurt! |Was it old? |It was.",
    "glued": "The ferry sank near Port Ellis.|Divers' boats went out.|About 10 came back.",
    "glued after a figure": "It happened in 2014.|The owner denied it.",
    "glued after a bracket": "They met at 6:00 am (0300 GMT).|Rain fell.",
    "glued after quotation marks": 'He called it "a lie".|He left.|"We saw it," she said.|"All of it."|Police left.',
    "an address is no end": "Write to desk@example.org or see www.example.org. |Thank you.",
    "marks after the stop": "“The ferry was old.” |She knew that.",
    "marks before the stop": "The ferry was “old”. |She knew that.",
    "marks the wrong way round": "The sea was calm. |”We had no warning,” he said. |Nobody did.",
    "closing mark turned round": "“We had no warning.“ |Nobody did.",
    "quotation of several sentences": "“The ferry was old. |It leaked. |We told them,” Mr Bell said. |They knew.",
    "quotation after a colon": "She said: “The ferry was old. |It leaked.” |Nobody listened.",
    "question with its speaker": "“Who knew?” she asked. |Nobody answered.",
    "question with a named speaker": "“Who knew?” Ms Bell asked. |Nobody answered.",
    "question and a new sentence": "“Who knew?” |The owner had left the country by then.",
    "a mark opened again": "“The ferry was old. |“It leaked,” he said.",
    "initials": "J. K. Bell and Maria T. Ruiz signed. |George W. Hale did not.",
    "a letter that is no initial": "They lacked vitamin C. |Doctors brought some.",
    "titles": "Mr. Bell met Dr. Ruiz and Gen. Hale in St. Mary. |They talked.",
    "a party and a state": "“It leaked,” said Sen. Ann Bell (D-N.C.), who saw it. |Rep. Max Hale (R-S.C.) left.",
    "a party and a state, and then the day": "Sen. Ann Bell (D-Mass.) Tuesday met Del. Max Hale (D-N.Y.). |Both left.",
    "a party and a state at the end": "They sat with Sen. Ann Bell (D-N.C.) |The rest stood.",
    "a clause before a colon": "The old wall holds: Mr Bell said it would stay. |Hopes of rain dimmed: Salem saw dust.",
    "a heading before a colon": "It sank.\n\n|Salem’s answer: |The mayor said it would rain.",
    "a link glued on both sides": "It sank.|Read more: Families wait at Port Ellis|A diver said it leaked.|He left.",
    "glued abbreviations": "It sank.|Mr. Hale left at 1 p.m.|The U.S. Coast Guard came at 11am.|They left.",
    "headline with a colon": "The Latest: Ferry lost off Port Ellis.\n\n|It sank.",
    "a speaker's label": "MS BELL: The ferry lay on its side. |MR HALE: It sank.",
    "agency in brackets": "(AFP) - |The ferry sank.",
    "countries in short": "The U.S. Senate and the U.K. Treasury paid. |It was dear in the U.S. |The rest was free.",
    "firms": "Acme Inc. and Bell Co. Ltd. paid. |So did Hale Corp. |The rest did not.",
    "states": "The mayor of Salem, Mass., left. |They went to Mass. |Priests spoke.",
    "hours": "It sank at 6 p.m. Monday and at 7 a.m. GMT it was gone. |It began at 5 p.m. |Crews came.",
    "months": "It sank on Feb. 24 and Sept. 3. |It rose in Oct. |The end.",
    "numbers": "No. 5 cost 3.5 million. |Was that all? |No. |Another 2,000.50 came.",
    "ellipsis inside": "They waited... and waited … for hours. |Then it came.",
    "ellipsis at the end": "They waited... |Then it came.",
    "spaced ellipsis": "They waited . . . and waited. |It came.",
    "broken sentence": "It sank at night. and nobody saw. |It was dark.",
    "brackets": "They left (it was late). |(Nobody saw.) |Rain fell.",
    "hard line breaks": "The ferry that left the harbour on\nMonday was found by\ndivers. |It was\nempty.",
    "single quotation marks": "‘The ferry was old. |It leaked,’ said the boys’ father. |It’s gone.",
    "straight single marks": "'The ferry was old. |It leaked,' said the boys' father. |It's gone.",
    "lower-case brand": "They fell. |iPads floated.",
    "dash between": "“It was old.” |– Maria Ruiz",
    "list": "1. Leave.\n|2. Do not come back.",
    "currency": "It was sold. |$40 was paid. |@harbour wrote so.",
    "run-in heading": "It sank on Friday. |The owner’s answer: |The ferry was sound, the firm said.",
    "no heading": "He had one wish: Everybody should get off. |Here’s why: It leaked. |The question: Who paid?",
    "agency dateline": "PORT ELLIS (Reuters) - |The ferry sank.",
    "long dateline": "SALEM, Mass., Sept. 3 (AP) — |The ferry sank. |It was old.",
    "date in front": " date 2019-05-06 |The ferry sank.",
}


@pytest.mark.parametrize("barred", CUT.values(), ids=CUT.keys())
def test_a_sentence_ends_where_an_editor_would_end_it(barred: str) -> None:
    pieces = [" ".join(piece.split()) for piece in barred.split("|")]
    assert _sentences(barred.replace("|", "")) == pieces


HARBOUR = "The ferry sank on Friday, the harbour master said."


# Before the report, behind it, and the kind of what stands in bars.
MARKED = [
    ("{HARBOUR}¦ADVERTISEMENT¦Nobody was hurt.", Boilerplate.ADVERTISEMENT),
    ("{HARBOUR}\n\n¦Advertisement¦\n\nNobody was hurt.", Boilerplate.ADVERTISEMENT),
    ("{HARBOUR}\n\n¦Story continues below¦\n\nNobody was hurt.", Boilerplate.ADVERTISEMENT),
    ("{HARBOUR}¦Advertisement¦ Nobody was hurt.", Boilerplate.ADVERTISEMENT),
    ("{HARBOUR}\n\n¦RELATED: Divers find the wreck¦\n\nNobody was hurt.", Boilerplate.LINK),
    ("{HARBOUR}\n\n¦SOUND ADVICE.¦\n\nNobody was hurt.", Boilerplate.HEADING),
    ("{HARBOUR}\n\n¦Image source, Ann Bell¦\n\nNobody was hurt.", Boilerplate.CREDIT),
    ("{HARBOUR}\n\n¦Image caption, The wreck¦\n\nNobody was hurt.", Boilerplate.CAPTION),
    ("{HARBOUR}\n\n¦Source: Port Ellis Council.¦\n\nNobody was hurt.", Boilerplate.CREDIT),
    ("Ferry lost\n\n¦By Ann Bell, Harbour correspondent¦\n\n{HARBOUR}", Boilerplate.BYLINE),
    ("{HARBOUR}¦Read | Divers find the wreck¦Nobody was hurt.", Boilerplate.LINK),
    ("{HARBOUR}¦Also read | 'A lie'¦Nobody was hurt.", Boilerplate.LINK),
    ("{HARBOUR}\n\n¦Read more: Divers find it¦\n\nNobody was hurt.", Boilerplate.LINK),
    ("{HARBOUR}¦Watch latest videos by HN here:¦", Boilerplate.CALL),
    ("{HARBOUR}\n\n¦Sign up for our daily newsletter here.¦", Boilerplate.CALL),
    ("{HARBOUR}\n\n¦Follow Harbour News on Facebook.¦", Boilerplate.CALL),
    ("{HARBOUR} ¦Additional reporting by Ann Bell.¦", Boilerplate.CREDIT),
    ("{HARBOUR} ¦Ann Bell contributed to this report.¦", Boilerplate.CREDIT),
    ("{HARBOUR}\n\n¦(Reporting by Ann Bell; Editing by Max Hale)¦", Boilerplate.CREDIT),
    ("{HARBOUR}\n\nA diver at work. ¦Ann Bell / TASS¦\n\nNobody was hurt.", Boilerplate.CREDIT),
    ("{HARBOUR}\n\n¦A diver at work.¦ Ann Bell / TASS\n\nNobody was hurt.", Boilerplate.CAPTION),
    ("{HARBOUR}\n\nToday: a diver at work.\n¦Image: Ann Bell.¦\n\nNobody was hurt.", Boilerplate.CREDIT),
    ("{HARBOUR}\n\n¦Today: a diver at work.¦\nImage: Ann Bell.\n\nNobody was hurt.", Boilerplate.CAPTION),
    ("{HARBOUR}\n\n¦File photo of the ferry.¦\n\nNobody was hurt.", Boilerplate.CAPTION),
    ("{HARBOUR}\n\n¦'Nobody came'¦\n\nNobody was hurt.", Boilerplate.HEADING),
    ("{HARBOUR}\n\n¦The search goes on¦\n\nNobody was hurt.", Boilerplate.HEADING),
    ("{HARBOUR} ¦Salem’s answer:¦ The ferry was the only one.", Boilerplate.HEADING),
    ("¦Ferry sinks off Port Ellis¦\n\n{HARBOUR}", Boilerplate.TITLE),
    ("¦Ferry Sinks In Fog Off Port Ellis.¦\n\n{HARBOUR}", Boilerplate.TITLE),
    ("¦Monday, May 6, 2019¦\n\n{HARBOUR}", Boilerplate.DATELINE),
    ("{HARBOUR}\n\n¦Published 10:30 GMT, 6 May 2019¦\n\nNobody was hurt.", Boilerplate.DATELINE),
    (" ¦date 2019-05-06¦ {HARBOUR}", Boilerplate.DATELINE),
    ("¦PORT ELLIS (Reuters) -¦ {HARBOUR}", Boilerplate.DATELINE),
    ("Ferry lost\n\n¦By Ann Bell in Port Ellis¦\n\n{HARBOUR}", Boilerplate.BYLINE),
    ("{HARBOUR}\n\n“It leaked for years.” ¦— Ann Bell (@annbell) May 6, 2019¦\n\nIt was old.", Boilerplate.BYLINE),
    ("{HARBOUR}\n\n“It leaked for years.” ¦Ann Bell, Harbour News¦\n\nIt was old.", Boilerplate.BYLINE),
    ("¦Ferry lost off Port Ellis in heavy fog ¦The crew of six left. {HARBOUR}", Boilerplate.TITLE),
    ("¦Page last updated at 16:51 GMT , Tuesday , 19 January 2010¦ {HARBOUR}", Boilerplate.DATELINE),
    ("¦Wednesday , October 20 , 2010 ; 6:36 PM¦ {HARBOUR}", Boilerplate.DATELINE),
    ("¦Crew safe , says owner SALEM , Maine -LRB- Reuters -RRB- -¦ {HARBOUR}", Boilerplate.DATELINE),
    ("{HARBOUR}\n\n¦-LRB- Updated 5:31 p.m.¦ -LRB- 2231 in Salem -RRB- Rain fell.", Boilerplate.DATELINE),
    ("¦A diver at work .¦\nPhotograph : Ann Bell\\/AP Rain fell on Friday .\n{HARBOUR}", Boilerplate.CAPTION),
    ("{HARBOUR}\n\n¦Photograph : Ann Bell\\/AP¦ Rain fell on Friday .", Boilerplate.CREDIT),
    ("{HARBOUR}\n\n¦(AP Photo/Ann Bell, File)¦\n\nIt was old.", Boilerplate.CREDIT),
    (
        "{HARBOUR}\n\n¦-LRB- Reporting by Ann Bell ; editing by Max Hale -RRB-¦ Rain fell on Friday .",
        Boilerplate.CREDIT,
    ),
    ("{HARBOUR}\n\n¦Hide Caption 1 of 2 Photos: The wreck The crew leaves.¦\n\nIt was old.", Boilerplate.CAPTION),
    ("{HARBOUR}\n\n¦MUST WATCH Divers find the wreck 02:11¦\n\nIt was old.", Boilerplate.LINK),
    ("{HARBOUR}\n\n¦(RELATED: Divers Find The Wreck)¦\n\nIt was old.", Boilerplate.LINK),
    ("{HARBOUR}\n\n¦The tides of Salem explained A guide to the harbour Our maps¦", Boilerplate.LINK),
    ("{HARBOUR}\n\n¦By signing up, you agree to our privacy policy.¦ It was old.", Boilerplate.CALL),
    ("{HARBOUR}\n\nViews expressed in the comments are not ours.\n\n¦The mayor is to blame.¦", Boilerplate.CALL),
    ("{HARBOUR}\n\nMay 9, 2031 at 5:30 am | Reply\n\n¦The mayor is to blame.¦", Boilerplate.CALL),
    ("¦ANALYSIS/OPINION:¦\n\n{HARBOUR}", Boilerplate.HEADING),
]


@pytest.mark.parametrize(("barred", "kind"), MARKED)
def test_what_is_no_part_of_the_report_is_marked(barred: str, kind: Boilerplate) -> None:
    before, words, after = barred.replace("{HARBOUR}", HARBOUR).split("¦")
    found = _kinds(before + words + after)
    assert (words.strip(), kind) in found
    assert (HARBOUR, None) in found


NO_BOILERPLATE = [
    "“Subscribe to our newsletter here,” the owner told passengers. It sank.",
    "Harbour News has read the letter.\n\nIt was short.",
    "Watch officers saw nothing. By Friday, the rain had gone.",
    "Follow-up talks on Monday failed. Images of the wreck went round.",
    "US President Ann Bell wrote this on her page:\n\n“It sank.”",
    "Would you agree that comments on our harbour were fair? The mayor of Salem did.",
    "The handles of Mayor Donald Bell are @theDonaldBell and @mayor. Should they pay MORE (or less)? No.",
    "On Wednesday, October 20, 2010, at 6:36 p.m., the crew left. The harbour police (HP) - Salem has one - came.",
    "The film shows a crew (two of them divers) at work, number 1 of 2. The novel The Harbour won a prize in Salem.",
]


@pytest.mark.parametrize("text", NO_BOILERPLATE)
def test_the_report_itself_is_never_boilerplate(text: str) -> None:
    assert [kind for _, kind in _kinds(f"{HARBOUR} It was old.\n\n{text}")] == [None] * len(_sentences(text)) + [
        None
    ] * 2


def test_behind_a_credit_the_prose_goes_on() -> None:
    found = _kinds(f"{HARBOUR}\n\nPhotograph: Ann Bell/AP The sea was calm on Friday.\n\nIt was old.")
    assert found[1:] == [
        ("Photograph: Ann Bell/AP", Boilerplate.CREDIT),
        ("The sea was calm on Friday.", None),
        ("It was old.", None),
    ]


def test_links_inside_a_sentence_are_read_by_no_stage() -> None:
    text = (
        "Sen. Ann Bell Ann Ruth BellDivers find the wreck? Mayor quits MORE (D-Mass.) said the ferry leaked. It rained."
    )
    layout = _laid_out(text)
    assert _sentences(text) == [text.removesuffix(" It rained."), "It rained."]
    assert layout.tokens.words[:8] == ("Sen.", "Ann", "Bell", "(", "D", "-", "Mass.", ")")


def test_the_first_line_is_a_title_where_it_is_the_articles() -> None:
    text = "The ferry sank.\n\nIt lay off Port Ellis.\n\nNobody was hurt."
    layout = _laid_out(text, "The ferry  sank")
    assert [sentence.boilerplate for sentence in layout.sentences] == [Boilerplate.TITLE, None, None]
    assert [sentence.paragraph for sentence in layout.sentences] == [0, 1, 2]
    for title in ("The pier fell", None):
        assert _kinds(text, title)[0] == ("The ferry sank.", None)


# What stands between two sentences of a report: the last that is marked, and the first that is not.
LIMITS = [
    (Boilerplate.HEADING, "Divers" + " search" * 13, "Divers" + " search" * 14),
    (Boilerplate.CAPTION, "A diver dived. " * 2 + "Ann Bell / TASS", "A diver dived. " * 3 + "Ann Bell / TASS"),
    (Boilerplate.HEADING, "Divers".ljust(500, "x"), "Divers".ljust(501, "x")),
]


@pytest.mark.parametrize(("kind", "within", "beyond"), LIMITS)
def test_what_is_no_part_of_the_report_is_short(kind: Boilerplate, within: str, beyond: str) -> None:
    found = [_kinds(f"{HARBOUR}\n\n{text}\n\nNobody was hurt.")[1][1] for text in (within, beyond)]
    assert found == [kind, None]


def test_every_sentence_names_the_rule_that_made_it() -> None:
    layout = _laid_out("It sank.Nobody saw. Salem’s answer: The ferry was old.")
    assert [sentence.rule for sentence in layout.sentences] == ["glued stop", "stop", "heading", "end of block"]
