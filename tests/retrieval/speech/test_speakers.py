"""Who speaks, by the shape of the sentence: a speaker beside a near miss for each rule."""

from __future__ import annotations

import pytest

from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.speech.test_attribution import read, said_by


def speaker_in(text: str, number: int = 0) -> str | None:
    """Return the speaker of a sentence of an article that is read from its text."""
    return read_one(Article("a", text)).passages[number].speaker


def test_a_claim_of_nobody_and_a_comment_that_is_wanted_are_no_speech() -> None:
    assert read("Old claims about the pier were aired.")[0] is None
    assert read("The town heard the claim that the pier was safe.")[0] is None


def test_a_title_tells_who_speaks_as_a_sentence_does() -> None:
    text = "Lindqvist: Pier Is Safe\n\nTomas Lindqvist said on Monday that the pier was safe and would stand for years."
    passages = read_one(Article("a", text)).passages
    assert passages[0].sentence.boilerplate is not None
    assert passages[0].speaker == "Tomas Lindqvist"
    assert speaker_in("Old Pier Is Safe\n\nTomas Lindqvist left the pier on Monday and went home to bed.") is None


@pytest.mark.parametrize(
    ("sentences", "speaker"),
    [
        (("The Harbour Board said the pier fell.", "The company said it was old."), "Harbour Board"),
        (("The Harbour Board closed the pier.", "The group said it was old."), "Harbour Board"),
        (("The Daily Lantern reported a fall.", "The newspaper said it was old."), "Daily Lantern"),
        (("Ann Lee said the pier fell.", "The activist said it was old."), "Ann Lee"),
        (("A port official said the pier fell.", "The official said it was old."), "A port official"),
        (("The tax office said it fell.", "The land office said it was old."), "The land office"),
        (
            ("The tax office said it fell.", "The ministry in Oxley was angry; it said it was old."),
            "The ministry in Oxley",
        ),
    ],
)
def test_a_noun_stands_for_the_one_party_that_fits(sentences: tuple[str, str], speaker: str) -> None:
    assert said_by(read(*sentences)[1])[0] == speaker


@pytest.mark.parametrize(
    ("sentences", "speaker"),
    [
        (("Ann Lee met Omar Diaz.", "Ann Lee said the pier fell.", "The activist said it was old."), "The activist"),
        (("Ann Lee said the pier fell.", "The president said it was old."), "The president"),
        (("Ann Lee said the pier fell.", "The group said it was old."), "The group"),
    ],
)
def test_a_noun_that_fits_several_or_an_office_stays_as_it_stands(sentences: tuple[str, ...], speaker: str) -> None:
    assert said_by(read(*sentences)[-1])[0] == speaker


def test_a_thing_is_no_she() -> None:
    found = read("Ann Lee said the pier fell.", "The camera shook.", "“It was old,” she said.")
    assert said_by(found[2]) == ("Ann Lee", "named")


def test_who_is_said_of_persons() -> None:
    text = (
        "The dormitories were hit on Sunday, according to Farvez, who claimed that many had fled the town.\n\n"
        "“They are still hiding in the cellars,” he told reporters on Monday."
    )
    assert speaker_in(text, 1) == "Farvez"


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Storm Odile continued on its slow path on Tuesday as it neared the coast.", None),
        ("Minister Ada Quill found herself on the pier, where she was awaited.", None),
        ("Ada Quill wrote on her own personal web page that the pier was closed.", "Ada Quill"),
    ],
)
def test_what_somebody_goes_on_doing_somewhere_is_not_said(text: str, speaker: str | None) -> None:
    assert speaker_in(text) == speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("“The pier has gone for good.”\n— Ada Quill, mayor of Norfar\nThe mayor spoke on Monday.", "Ada Quill"),
        ("“The pier has gone for good.”\n— Ada Quill (@adaquill)\nThe mayor spoke on Monday.", "Ada Quill"),
        ("The pier is gone. We are safe pic.example/x1 — Ada Quill (@adaquill) May 5, 2030\n\nIt rained.", "Ada Quill"),
        ("“The pier has gone for good.”\n— Ada Quill ran to the shore.\nThe mayor spoke on Monday.", None),
    ],
)
def test_who_signs_a_quotation_speaks(text: str, speaker: str | None) -> None:
    assert speaker_in(text) == speaker
