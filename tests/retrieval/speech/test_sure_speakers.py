"""Who is shown, of whom is likely: a name or description that a reader can rely on, beside one that is kept back."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Attribution, Manner, Span, Voice
from retrieval.models.source_model import SourceGuess, SpeechKind
from retrieval.names.mentions import find_names
from retrieval.names.outlets import press_of
from retrieval.pipeline import read_one
from retrieval.speech.sources import find_speeches
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.speech.test_attribution import read


def test_of_a_speaker_who_is_not_sure_nothing_is_shown_but_that_a_quotation_is_open() -> None:
    cue = Span(0, 4)
    likely = Attribution("Ann Lee", Voice.NAMED, Manner.QUOTED, cue, "rule", sure=False)
    assert likely.displayable == Attribution(None, Voice.UNRESOLVED, Manner.QUOTED, cue, "speaker not sure")
    assert Attribution("Ann Lee", Voice.NAMED, Manner.PARAPHRASED, cue, "rule", sure=False).displayable is None
    sure = Attribution("Ann Lee", Voice.NAMED, Manner.QUOTED, cue, "rule")
    assert sure.displayable is sure


def test_a_passage_holds_no_speaker_who_is_only_likely() -> None:
    sentence = "His lawyer said on Monday that the pier was weak."
    assert [each and (each.speaker, each.sure) for each in read(sentence)] == [("His lawyer", False)]
    assert read_one(Article("a", sentence)).passages[0].attribution is None


@pytest.mark.parametrize(
    ("sentence", "voice"),
    [
        ("He said that the pier was weak.", Voice.UNRESOLVED),
        ("Wherever the rust goes, it threatens to ruin the pier.", Voice.OUTLET),
        ("It showed the beams of the old pier.", Voice.OUTLET),
        ("He took aim at the pier's builders, calling them “the worst crowd on this coast.”", Voice.UNRESOLVED),
    ],
)
def test_whose_words_they_are_is_left_open_only_where_somebody_speaks(sentence: str, voice: Voice) -> None:
    assert read_one(Article("a", sentence)).passages[0].voice is voice


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Aides met on Sunday. Some Tories said that the pier was weak.", "Some Tories"),
        ("Aides met on Sunday. The town's mayor said that the pier was weak.", None),
        ("A port official said that the pier was weak. The official said on Sunday that it shook.", "A port official"),
        (
            "“The pier will be closed,” a port official said. “It is old,” the official said.",
            "a port official",
        ),
    ],
)
def test_a_description_is_shown_whole_or_not_at_all(text: str, speaker: str) -> None:
    assert read_one(Article("a", text)).passages[-1].speaker == speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Piet Oru, in charge of the harbour, said the pier would close.", "Piet Oru"),
        ("Tollen Works, which says it spent 2m crowns on the pier, will close.", "Tollen Works"),
        ("“The beams were rotten,” Orla Finch, the surveyor, said.", "Orla Finch"),
        ("The cracks were first reported by fishermen.", "fishermen"),
        ("The union called for a pause because the pier is weak.", "The union"),
        ("A report released last week said that the pier was weak.", "A report"),
        ("Both Orla Finch and Piet Oru said that the pier was weak.", "Orla Finch and Piet Oru"),
        ("Tollen Works asked the judge for permission to close the pier.", None),
        ("Only 5 percent of voters said that the pier was weak.", None),
        ("The U.N. notes that “every pier on this coast is weak and old.”", "U.N."),
    ],
)
def test_a_name_stands_without_what_is_said_of_it(text: str, speaker: str | None) -> None:
    assert read_one(Article("a", text)).passages[0].speaker == speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Anna Harper runs the port. Harper said that the pier was weak. Paul Harper left.", "Anna Harper"),
        ("Anna Harper and Paul Harper run the port. Harper said that the pier was weak.", "Harper"),
        ("Mayor Harper opened the pier. His wife Anna Harper left. Harper said that the pier was weak.", "Harper"),
        ("Paul T. Harper runs the port. Paul Harper left. Harper said that the pier was weak.", "Paul T. Harper"),
    ],
)
def test_a_surname_is_shown_in_full_where_one_bears_it(text: str, speaker: str) -> None:
    passages = read_one(Article("a", text)).passages
    assert [each.speaker for each in passages if "Harper said" in each.sentence.span.of(text)] == [speaker]


@pytest.mark.parametrize(
    "text",
    [
        "Q: Why was the pier closed?\n\nA: Because the beams were rotten.\n\nQ: Who knew?\n\nA: The board, of course.",
        "I have walked the pier since I was a boy. I said then that it was weak. We told the board. They laughed.",
        "“The pier will be closed for a year.” By Paul Harper\n\nThe boats were out on Monday.",
        "Paul Harper visited the port on Monday. He signed the contract and declared the new quay open.",
        "The crowd marched to the quay. “Save our pier! Save our pier!” they chanted.",
        "Sudland declared war. The mayor testified before the board.",
        "“Night Ferry” tells the story of a pilot and her two sisters who come home to the coast.",
        "When did the port authority announce the new quay?",
        "The quay has three new cranes, according to its website.",
        "Others laughed at the plan – “I hope the quay can swim,” one wrote.",
        "Officials have not commented on the fire.",
        "President Ann Harlow proposed a tax holiday on fuel, but few members are ready.",
        "The prosecutors charged a harbour pilot with theft on Monday.",
        "Police did not say who had locked the gate.",
        "The warden was asked whether the pier is safe.",
        "The council was joined by Ann Lee, who wrote the report for the town.",
    ],
)
def test_questions_and_answers_first_persons_by_lines_and_acts_name_nobody(text: str) -> None:
    assert {passage.speaker for passage in read_one(Article("a", text)).passages} == {None}


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        (
            "The port announced money for a pier that could “cut the way to the island by half”, the Courier reported.",
            "Courier",
        ),
        (
            "“We sail at noon,” Harbour Coordinator for Coastal Operations John Harlow said.",
            "Harbour Coordinator for Coastal Operations John Harlow",
        ),
        ("“We sail at noon,” said Night Ferry 2 chief steward Ann Harlow, the first to go.", "Ann Harlow"),
        ("In a letter to the Courier, Senator Ann Harlow, who chairs the board, said “it is no game.”", "Ann Harlow"),
        ("“We sail at noon,” said Ann Harlow and Jon Mills.", "Ann Harlow and Jon Mills"),
        (
            "Ann Harlow and Jon Mills told the Courier this week that “we sail at noon, come what may.”",
            "Ann Harlow and Jon Mills",
        ),
        ("“We sail at noon,” the port's director, Ann Harlow, wrote on a slate.", "Ann Harlow"),
        ("“We sail at noon, all of us,” said Ann deLuca, a pilot.", "Ann deLuca"),
        ("Jon Mills bats for Marlow FC. “I was lucky that day and I know it,” he told the crowd.", "Jon Mills"),
    ],
)
def test_of_several_it_is_who_speaks(text: str, speaker: str) -> None:
    assert [p.speaker for p in read_one(Article("a", text)).passages if "“" in p.sentence.span.of(text)] == [speaker]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Sen. Ann Harlow runs the port. The senator said that “the pier is far too weak.”", "Ann Harlow"),
        ("Ann Harlow, the mayor of Norfar, left. The mayor said that “the pier is far too weak.”", "Ann Harlow"),
        ("Former Mayor Ann Harlow left. The mayor said that “the pier is far too weak.”", None),
        ("Mayor Ann Harlow met Mayor Jon Mills. The mayor said that “the pier is far too weak.”", None),
        ("A judge was called. She met Ann Harlow. The judge said that “the pier is far too weak.”", "The judge"),
        ("Ann Harlow met Jon Mills on the quay. The judge said that “the pier is far too weak.”", None),
    ],
)
def test_an_office_is_its_one_holder_and_stands_where_nobody_named_holds_it(text: str, speaker: str | None) -> None:
    assert read_one(Article("a", text)).passages[-1].speaker == speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Kim Harlow left. She met Alex Mills. “The pier is far too weak for us,” she said.", "Kim Harlow"),
        ("Kim Harlow's plan pleased Alex Mills. “The pier is far too weak for us,” she said.", "Kim Harlow"),
        ("The port pleased Kim Harlow and Alex Mills. “The pier is far too weak for us,” she said.", None),
        ("“The pier is far too weak for us.” Kim Harlow, The Courier\n\nBoats sailed on Monday.", "Kim Harlow"),
        ("“The pier is far too weak for us.” Kim Harlow, a pilot, sailed on Monday.", None),
    ],
)
def test_who_speaks_is_told_around_the_quotation(text: str, speaker: str | None) -> None:
    assert next(p.speaker for p in read_one(Article("a", text)).passages if "“" in p.sentence.span.of(text)) == speaker


def test_a_plain_subject_counts_more_than_a_doubtful_place_in_another_sentence() -> None:
    text = "Norland insisted that Sudland “stop its dangerous games at once.” The Harbour Board said it was late."
    layout = lay_out(Article("a", text), parse(text))
    layout = layout.with_names(find_names(layout))
    place = Span(text.index("The Harbour"), text.index(" said"))
    for probability, speaker in ((0.3, "norland"), (0.9, "board")):
        guess = SourceGuess(SpeechKind.MIXED, 0.99, place, probability, None)
        source = find_speeches(layout, {0: guess}, press_of(layout.article))[0].source
        assert source is not None
        assert source.head == speaker
