from __future__ import annotations

import pytest

from retrieval.attribution import attribute
from retrieval.model import Attribution, Manner, Voice
from tests.retrieval.copy_desk import lay


def read(*sentences: str, paragraphs: tuple[int, ...] = ()) -> tuple[Attribution | None, ...]:
    """Return the attributions of made-up copy."""
    return attribute(*lay(*sentences, paragraphs=paragraphs))


def told(found: Attribution | None) -> tuple[str | None, str]:
    """Return speaker and voice, ``outlet`` for none."""
    return (found.speaker, str(found.voice)) if found else (None, "outlet")


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
    ],
)
def test_a_named_speaker_is_found_wherever_the_cue_stands(sentence: str, speaker: str, cue: str) -> None:
    """The speaker is the name that the reporting verb belongs to, in its fullest form; the span is the cue's."""
    (found,) = read(sentence)
    assert found is not None
    assert (found.speaker, found.voice) == (speaker, Voice.NAMED)
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
        ("Norland and the Harbour Board accused the crew of theft.", "Norland and the Harbour Board"),
    ],
)
def test_an_unnamed_source_is_kept_word_for_word(sentence: str, speaker: str) -> None:
    """A source without a name is the noun phrase as it stands."""
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
        "",
    ],
)
def test_what_reports_nobody_is_the_outlets_own(sentence: str) -> None:
    """Laws, passives, refusals and adjectives are no speech."""
    assert read(sentence or "No.")[0] is None


def test_reporters_who_saw_are_observers_and_not_speakers() -> None:
    """Seeing is told apart from saying; an outlet that reports is a medium."""
    saw, reported, state = read(
        "Reporters from the Daily Lantern saw six boats in Port Wick.",
        "Reuters reported that the pier was closed.",
        "The Daily Lantern said the pier was closed.",
    )
    assert told(saw) == ("Reporters from the Daily Lantern", "observed")
    assert told(reported) == ("Reuters", "media")
    assert told(state) == ("Daily Lantern", "media")


@pytest.mark.parametrize(
    "sentence", ["The pier is believed to be closed.", "The pier reportedly closed.", "Reports say the pier is closed."]
)
def test_hearsay_has_no_speaker(sentence: str) -> None:
    """What is only said to be so is impersonal."""
    assert told(read(sentence)[0]) == (None, "impersonal")


def test_a_quotation_of_several_sentences_has_one_speaker() -> None:
    """The cue may stand in the last sentence, in the first or in the middle; the rest have no cue of their own."""
    found = read("“It fell.", "It was old,” Ann Lee said.", "“We build it anew.”", "She wrote: “I swear.", "I do.”")
    assert [told(f) for f in found] == [("Ann Lee", "named")] * 5
    assert [f.span is None for f in found if f] == [True, False, True, False, True]
    assert all(f.manner is Manner.QUOTED for f in found if f)


def test_a_caption_does_not_break_a_quotation() -> None:
    """Boilerplate between a speaker and the quotation is passed over and attributed to nobody."""
    found = read("Ann Lee issued a statement.", "Ann Lee said:", "#A boat.", "“The pier is closed.”")
    assert [told(f) for f in found[1:]] == [("Ann Lee", "named"), (None, "outlet"), ("Ann Lee", "named")]


def test_pronouns_are_resolved_to_the_speaker_before() -> None:
    """He, she, it and they go to the nearest party in focus that answers to them."""
    found = read(
        "Ann Lee, the port's spokeswoman, said the pier fell.",
        "She said it was old.",
        "The Harbour Board said nothing would change.",
        "It added that money was short.",
        "Two divers also saw cracks.",
        "They said the cracks were new.",
    )
    assert [told(f)[0] for f in found] == ["Ann Lee", "Ann Lee", "Harbour Board", "Harbour Board", None, "Two divers"]


def test_a_pronoun_that_nobody_answers_to_stays_open() -> None:
    """Without a party it could stand for, a pronoun names nobody."""
    found = read("The pier fell.", "“It was old,” he said.")
    assert told(found[1]) == (None, "unresolved")


def test_quotation_marks_without_a_speaker_stay_unresolved() -> None:
    """A quotation with nobody near is nobody's; a word held at arm's length is the outlet's."""
    found = read("The pier fell.", "“We never saw such a thing before.”", "The “grand” pier was small.")
    assert [told(f)[1] for f in found] == ["outlet", "unresolved", "outlet"]


def test_the_minister_is_the_one_party_with_that_role() -> None:
    """A role named again means its bearer where only one has it."""
    found = read("The minister Ann Lee said the pier fell.", "Omar Diaz said no.", "The minister said it was old.")
    assert told(found[2]) == ("Ann Lee", "named")


@pytest.mark.parametrize("text", ["", "“" * 5000, "said " * 5000, ", said" * 5000, "he, " * 5000, "Lee and " * 3000])
def test_hostile_copy_is_read_without_an_exception(text: str) -> None:
    """Nothing but marks, cues or names is read in linear time, and attributed without failing."""
    if text:
        assert len(read(text)) == 1
