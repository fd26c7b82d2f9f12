from __future__ import annotations

import pytest

from retrieval.model import Article, Attribution, Kind, Manner, Mention, Sentence, Span
from retrieval.speech.attribution import attribute
from retrieval.text.blocks import layout_of
from retrieval.text.tokens import parse
from tests.retrieval.made_up_copy import lay


def read(*sentences: str, paragraphs: tuple[int, ...] = ()) -> tuple[Attribution | None, ...]:
    """Return the attributions of made-up copy."""
    return attribute(lay(*sentences, paragraphs=paragraphs))


def said_by(found: Attribution | None) -> tuple[str | None, str]:
    """Return speaker and voice, ``outlet`` for none."""
    return (found.speaker, str(found.voice)) if found else (None, "outlet")


def test_it_that_reads_is_a_text_and_not_who_was_named_last() -> None:
    said, read_out = read("The Harbour Board said the pier was closed.", "“The pier shall stay shut,” it reads.")
    assert said_by(said) == ("Harbour Board", "named")
    assert said_by(read_out) == (None, "unresolved")
    assert said_by(read("The Harbour Board said so.", "“The pier shall stay shut,” it said.")[1])[0] == "Harbour Board"


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
        "It said that money was short.",
    )
    assert [said_by(f)[0] for f in found] == [
        "Ann Lee",
        "Ann Lee",
        "Harbour Board",
        "Harbour Board",
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


def test_a_body_is_no_rival_of_she() -> None:
    found = read("Ms Lee said the pier fell.", "The Harbour Board said it was old.", "“It was weak,” she said.")
    assert said_by(found[2]) == ("Ann Lee", "named")


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
