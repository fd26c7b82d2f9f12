from __future__ import annotations

import pytest

from retrieval.model import Article, Attribution, Kind, Manner, Mention, Sentence, Span, Voice
from retrieval.press.outlets import press_of
from retrieval.speech.attribution import attribute
from retrieval.speech.cue_matching import candidates
from retrieval.text.blocks import layout_of
from retrieval.text.tokens import parse
from tests.retrieval.made_up_copy import lay


def read(*sentences: str, paragraphs: tuple[int, ...] = ()) -> tuple[Attribution | None, ...]:
    """Return the attributions of made-up copy."""
    return attribute(lay(*sentences, paragraphs=paragraphs))


def sources(sentence: str) -> set[str]:
    """Return who may speak in a sentence by any rule, before it is weighed how likely that is."""
    layout = lay(sentence)
    tokens, line = layout.tokens, layout.tokens.sentences[0]
    found = [each.source for each in candidates(tokens, line, press_of(layout.article)) if each.source]
    return {tokens.spelt(source.first, source.last + 1) for source in found}


def said_by(found: Attribution | None) -> tuple[str | None, str]:
    """Return speaker and voice, ``outlet`` for none."""
    return (found.speaker, str(found.voice)) if found else (None, "outlet")


def test_it_that_reads_is_a_text_and_not_who_was_named_last() -> None:
    said, read_out = read("The Harbour Board said the pier was closed.", "“The pier shall stay shut,” it reads.")
    assert said_by(said) == ("Harbour Board", "named")
    assert said_by(read_out) == (None, "unresolved")
    assert said_by(read("The Harbour Board said so.", "“The pier shall stay shut,” it said.")[1])[0] == "Harbour Board"


@pytest.mark.parametrize(
    ("sentence", "speaker", "cue"),
    [
        ("Ann Lee said the pier was closed.", "Ann Lee", "said"),
        ("The mayor, Ann Lee, 61, said the pier was closed.", "Ann Lee", "said"),
        ("Ann Lee, who runs the port, has repeatedly warned that the pier is weak.", "Ann Lee", "warned"),
        ("Ann Lee (Ind) said on Sunday that the pier was closed.", "Ann Lee", "said"),
        ("On Thursday harbour chief Ann Lee said the pier was closed.", "Ann Lee", "said"),
        ("The pier was closed, Ann Lee said.", "Ann Lee", "said"),
        ("The pier was closed, said Ann Lee, the mayor.", "Ann Lee", "said"),
        ("The pier, Ann Lee added, was closed.", "Ann Lee", "added"),
        ("“The pier is closed,” Ann Lee told Reuters.", "Ann Lee", "told"),
        ("“The pier is closed,” wrote Ann Lee on her page.", "Ann Lee", "wrote"),
        ("Ann Lee toured the pier on Monday and said it was weak.", "Ann Lee", "said"),
        ("Ann Lee hit back at critics, saying that it was weak.", "Ann Lee", "hit back"),
        ("Ann Lee renewed her attack on the board, saying it had failed.", "Ann Lee", "saying"),
        ("Ann Lee called it “a gift to the sea”.", "Ann Lee", "called"),
        ("Ann Lee called for a new pier.", "Ann Lee", "called for"),
        ("Ann Lee is warning that the pier will fall.", "Ann Lee", "warning"),
        ("The pier was closed, according to Ann Lee.", "Ann Lee", "according to"),
        ("According to the Harbour Board, the pier was closed.", "Harbour Board", "According to"),
        ("Ann Lee's statement added: “The pier is closed.”", "Ann Lee", "added"),
        ("Norland denied that it had closed the pier.", "Norland", "denied"),
        ("Asked about the pier, Ann Lee replied: “Closed.”", "Ann Lee", "replied"),
        ("Ann Lee said Omar Diaz told her to close the pier.", "Ann Lee", "said"),
        ("Ann Lee, the mayor, issued a terse statement about the pier.", "Ann Lee", "issued a terse statement"),
        ("Ann Lee: “The pier is closed.”", "Ann Lee", ":"),
        ("Said Ann Lee: “The pier is closed.”", "Ann Lee", "Said"),
        ("“The pier is closed,” said the mayor, Ann Lee.", "Ann Lee", "said"),
        ("“The pier is closed,” Ann Lee warned in Port Wick.", "Ann Lee", "warned"),
        ("Lee forcefully told a crowd that the pier was closed.", "Ann Lee", "told"),
        ("Sudland's Lee, however, cautioned that the pier was closed.", "Ann Lee", "cautioned"),
        ("Speaking in Port Wick, Ann Lee said the pier was closed.", "Ann Lee", "said"),
        ("Ann Lee, in a letter, said the pier was closed.", "Ann Lee", "said"),
        ("Ann Lee came and, on 4 May, said the pier was closed.", "Ann Lee", "said"),
        ("After the storm Ann Lee came and said the pier was closed.", "Ann Lee", "said"),
        ("But on Friday, Ann Lee rose and said the pier was closed.", "Ann Lee", "said"),
        ("Co-founder of the port Ann Lee said the pier was closed.", "Ann Lee", "said"),
        ("Norland on 3 May 1999 said the pier was closed.", "Norland", "said"),
        ("Ann Lee believes that the pier is closed.", "Ann Lee", "believes"),
        ("The pier, as Ann Lee put it, “is a gift to the sea”.", "Ann Lee", "put it"),
        ("Ann Lee and Omar Diaz say the pier is closed.", "Ann Lee and Omar Diaz", "say"),
        (
            "Norland, Sudland and the Harbour Board all voiced dismay.",
            "Norland, Sudland and the Harbour Board",
            "voiced",
        ),
        ("A statement from the Harbour Board said the pier was closed.", "A statement from the Harbour Board", "said"),
        ("The pier fell, but Norland said it was safe.", "Norland", "said"),
        ("Ann Lee and her colleague Omar Diaz warned in March that the pier was weak.", "Ann Lee", "warned"),
        ("HB say the pier is closed.", "Harbour Board", "say"),
    ],
)
def test_a_named_speaker_is_found_wherever_the_cue_stands(sentence: str, speaker: str, cue: str) -> None:
    (found,) = read(sentence)
    assert found is not None
    assert found.speaker == speaker
    assert found.voice in (Voice.NAMED, Voice.UNNAMED)
    assert found.span is not None
    assert found.span.of(sentence) == cue


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("One rescue official said nine people were safe.", "One rescue official"),
        ("Norland officials say that the pier is closed.", "Norland officials"),
        ("The head of the Harbour Board said the pier was closed.", "The head of the Harbour Board"),
        ("“We are waiting,” said a fisherman mending nets.", "a fisherman"),
        ("Human rights groups say the pier is unsafe.", "Human rights groups"),
        ("The pier is unsafe, according to two officials.", "two officials"),
        ("The pier is unsafe, according to Deputy Under Secretary Ann Lee.", "Deputy Under Secretary Ann Lee"),
        ("Norland and the Harbour Board accused the crew of theft.", "Norland and the Harbour Board"),
        ("Residents of Port Wick and fishermen said the pier was unsafe.", "Residents of Port Wick and fishermen"),
        ("Witnesses of the alleged theft told Reuters that the pier was empty.", "Witnesses of the alleged theft"),
        ("On Friday the harbour master said the pier was safe.", "the harbour master"),
        ("In Port Wick the harbour master said the pier was safe.", "the harbour master"),
        ("The pier is safe, said a spokesman for the port.", "a spokesman for the port"),
        ("The pier is safe, according to a complaint filed by divers.", "a complaint filed by divers"),
        ("A study of old piers shows the pier is unsafe.", "A study of old piers"),
        ("The pier is safe, a study of old piers shows.", "a study of old piers"),
        ("Many say the pier is safe.", "Many"),
        ("“It is safe,” said one of the divers, when asked.", "one of the divers"),
        ("Its director, Jan Visk, said the pier was safe.", "Jan Visk"),
        ("Reuters reported on Friday, citing two divers, that the pier was safe.", "Reuters"),
        ("Reporters for Reuters saw six boats.", "Reporters for Reuters"),
        ("A witness who asked not to be named said the pier was safe.", "A witness"),
        ("His wife, Mirka, said the pier was safe.", "Mirka"),
        ("The mayor disputes the tale of the pier.", "The mayor"),
        ("The head of the port, a former diver, said the pier was safe.", "The head of the port"),
        ("“We are done!” said a man dressed in black.", "a man"),
        ("Protesters marching through Port Wick chanted “Open up the pier”.", "Protesters marching through Port Wick"),
    ],
)
def test_an_unnamed_source_is_kept_word_for_word(sentence: str, speaker: str) -> None:
    (found,) = read(sentence)
    assert found is not None
    assert found.speaker == speaker


@pytest.mark.parametrize(
    "sentence",
    [
        "The pier was built in 1902.",
        "Ann Lee did not say when the pier would open.",
        "Ann Lee was told that the pier was closed.",
        "Ann Lee is expected to visit the pier.",
        "Norland was accused of theft.",
        "The alleged thieves fled from Port Wick.",
        "The claims came as the sea rose.",
        "Omar Diaz is one of those accused of theft.",
        "According to the law, a pier needs a keeper.",
        "A plank that showed its age was replaced.",
        "Two self-declared kings met in Port Wick.",
        "A teacher mistakenly thought the pier was closed.",
        "The pier was built amid new claims.",
        "Ann Lee agreed to close the pier.",
        "Ann Lee issued no statement.",
        "Ann Lee will say more on Monday.",
        "Closed, said.",
        "To say more would be wrong.",
        "He who said so was wrong.",
        "After Ann Lee said the pier was closed, the sea rose.",
        "Men condemned for theft built the pier.",
        "A plank shown to guests was stolen.",
        "Bodies said to float were logs.",
        "The pier, saying nothing, stood.",
        "It is time: the pier must go.",
        "The law says every pier needs a keeper.",
        "The pier was closed, being described as saying nothing.",
        "",
    ],
)
def test_what_reports_nobody_is_the_outlets_own(sentence: str) -> None:
    assert read(sentence or "No.")[0] is None


def test_reporters_who_saw_are_observers_and_not_speakers() -> None:
    saw, reported, state = read(
        "Reporters from the Daily Lantern saw six boats in Port Wick.",
        "Reuters reported that the pier was closed.",
        "The Daily Lantern said the pier was closed.",
    )
    assert said_by(saw) == ("Reporters from the Daily Lantern", "observed")
    assert said_by(reported) == ("Reuters", "media")
    assert said_by(state) == ("Daily Lantern", "media")


@pytest.mark.parametrize(
    "sentence", ["The pier is believed to be closed.", "The pier reportedly closed.", "Reports say the pier is closed."]
)
def test_hearsay_has_no_speaker(sentence: str) -> None:
    assert said_by(read(sentence)[0]) == (None, "impersonal")


def test_a_quotation_of_several_sentences_has_one_speaker() -> None:
    found = read("“It fell.", "It was old,” Ann Lee said.", "“We build it anew.”", "She wrote: “I swear.", "I do.”")
    assert [said_by(f) for f in found] == [("Ann Lee", "named")] * 5
    assert [f.span is None for f in found if f] == [True, False, True, False, True]
    assert all(f.manner is Manner.QUOTED for f in found if f)


def test_a_caption_does_not_break_a_quotation() -> None:
    found = read("Ann Lee issued a statement.", "Ann Lee said:", "#A boat.", "“The pier is closed.”")
    assert [said_by(f) for f in found[1:]] == [("Ann Lee", "named"), (None, "outlet"), ("Ann Lee", "named")]


def test_pronouns_are_resolved_to_the_speaker_before() -> None:
    found = read(
        "Ann Lee, the port's spokeswoman, said the pier fell.",
        "She said it was old.",
        "The Harbour Board said nothing would change.",
        "It added that money was short.",
        "Two divers also saw cracks.",
        "They said the cracks were new.",
    )
    assert [said_by(f)[0] for f in found] == [
        "Ann Lee",
        "Ann Lee",
        "Harbour Board",
        "Harbour Board",
        None,
        "Two divers",
    ]


def test_a_pronoun_that_nobody_answers_to_stays_open() -> None:
    found = read("The pier fell.", "“It was old,” he said.")
    assert said_by(found[1]) == (None, "unresolved")


def test_quotation_marks_without_a_speaker_stay_unresolved() -> None:
    found = read("The pier fell.", "“We never saw such a thing before.”", "The “grand” pier was small.")
    assert [said_by(f)[1] for f in found] == ["outlet", "unresolved", "outlet"]
    assert read("The “grand old” pier became a “long lost love” of the port.") == (None,)


def test_the_minister_is_the_one_party_with_that_role() -> None:
    found = read("The minister Ann Lee said the pier fell.", "Omar Diaz said no.", "The minister said it was old.")
    assert said_by(found[2]) == ("Ann Lee", "named")


@pytest.mark.parametrize("text", ["", "“" * 5000, "said " * 5000, ", said" * 5000, "he, " * 5000, "Lee and " * 3000])
def test_hostile_copy_is_read_without_an_exception(text: str) -> None:
    if text:
        assert len(read(text)) == 1


def test_a_signature_under_a_quotation_is_its_speaker() -> None:
    found = read("“It is a fine pier.", "It will stand.”", "— Ann Lee “It will fall soon.”", "— Omar Diaz")
    assert [said_by(f)[0] for f in found] == ["Ann Lee", "Ann Lee", "Omar Diaz", None]


def test_a_dash_that_goes_on_is_no_signature() -> None:
    assert said_by(read("“It is a fine old pier” — Ann Lee built it.")[0]) == (None, "unresolved")


def test_a_quotation_closed_by_an_unknown_hand_is_not_given_to_the_speaker_before() -> None:
    found = read("Ann Lee said the pier fell.", "“It was old.", "It was weak and very old,” xx.")
    assert [said_by(f)[1] for f in found] == ["named", "unresolved", "unresolved"]


def test_the_one_who_scolds_speaks_on_after_the_quotation() -> None:
    found = read("Omar Diaz said the pier fell.", "Ann Lee scolded him: “You let it fall,” she said.")
    assert said_by(found[1]) == ("Ann Lee", "named")


def test_an_impersonal_body_bars_he_and_she() -> None:
    found = read("Ms Lee said the pier fell.", "The Harbour Board said it was old.", "“It was weak,” she said.")
    assert said_by(found[2]) == (None, "unresolved")


def test_gender_told_once_is_kept() -> None:
    found = read("Mr Diaz said the pier fell.", "She said it was old.")
    assert said_by(found[1]) == (None, "unresolved")
    found = read("Ann Lee said that she fell.", "“It hurt a lot,” he said.")
    assert said_by(found[1]) == (None, "unresolved")


def test_a_pronoun_goes_to_the_only_person_of_the_sentence_before() -> None:
    found = read("The pier fell on Ann Lee and hurt a dog.", "“It was old,” she said.")
    assert said_by(found[1]) == ("Ann Lee", "named")
    found = read("The pier fell between Ann Lee and Omar Diaz.", "“It was old,” she said.")
    assert said_by(found[1]) == (None, "unresolved")


def test_two_bearers_of_a_role_leave_it_as_it_stands() -> None:
    found = read("The pier fell.", "The minister said it was old.")
    assert said_by(found[1]) == ("The minister", "unnamed")


def test_a_sentence_cut_inside_a_token_keeps_its_first_word() -> None:
    text = "It fell in 1999.Lee said it was old."
    article = Article("a", text)
    sentences = (Sentence("a", 0, Span(0, 16), 0), Sentence("a", 1, Span(16, len(text)), 0))
    lee = Mention(Kind.PERSON, "Ann Lee", Span(16, 19))
    found = attribute(layout_of(article, parse(text), (), sentences).with_names(((), (lee,))))
    assert said_by(found[1]) == ("Ann Lee", "named")


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("The bridge fell at noon, and police said nobody was hurt.", "police"),
        ("Police and firefighters said nobody was hurt.", "Police and firefighters"),
    ],
)
def test_a_clause_before_the_subject_is_no_part_of_it(text: str, speaker: str) -> None:
    assert sources(text) == {speaker}
