"""Who speaks, by the shape of the sentence: a speaker beside a near miss for each rule."""

from __future__ import annotations

import pytest

from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.speech.test_attribution import read, said_by, sources


def speaker_in(text: str, number: int = 0) -> str | None:
    """Return the speaker of a sentence of an article that is read from its text."""
    return read_one(Article("a", text)).passages[number].speaker


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("Several news sites are reporting that the pier is closed.", "Several news sites"),
        ("Ann Lee is confirming that the pier is closed.", "Ann Lee"),
        ("The pier was full, with fishermen saying that it shook.", "fishermen"),
        ("The film has footage of Ann Lee asking: “Who will pay for the pier?”", "Ann Lee"),
        ("Ann Lee toured the port, accusing the board of sloth.", "Ann Lee"),
        ("Reuters quoted Ann Lee as saying that the pier was closed.", "Ann Lee"),
    ],
)
def test_a_verb_in_ing_reports_where_something_is_said(sentence: str, speaker: str) -> None:
    assert said_by(read(sentence)[0]) in ((speaker, "named"), (speaker, "unnamed"))


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann Lee is concluding the talks.",
        "The board made a ruling on Monday that closed the pier.",
        "The wind was revealing the old beams.",
    ],
)
def test_a_noun_in_ing_or_a_thing_that_reveals_is_no_speaker(sentence: str) -> None:
    assert read(sentence)[0] is None


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("The Harbour Board has reported nine deaths.", "Harbour Board"),
        ("Norland's armed forces claim that the port is theirs.", "Norland's armed forces"),
        ("Norland claims to have closed the port.", "Norland"),
        ("Eyewitnesses tell Reuters that the pier shook.", "Eyewitnesses"),
        ("The fund predicted that the port would grow.", "The fund"),
        ("The report, published by Reuters, claims Omar Diaz had known of the cracks.", "The report"),
        ("Harbour sources put the toll at more than 300.", "Harbour sources"),
        ("Nobody could stop Ann Lee, who said the pier would stand.", "Ann Lee"),
        ("Norland demands a new pier, police said.", "police"),
        ("The pier was shut after the Harbour Board said that it was weak.", "Harbour Board"),
        ("“It will stand”, stated Ann Lee.", "Ann Lee"),
        ("“It will stand,” argued Ann Lee.", "Ann Lee"),
        ("Ann Lee disputes the tale of the pier.", "Ann Lee"),
        (
            "A diver speaking on condition of anonymity said the pier was weak.",
            "A diver speaking on condition of anonymity",
        ),
        ("Many divers believe the pier is weak.", "Many divers"),
    ],
)
def test_who_speaks_is_told_by_the_clause(sentence: str, speaker: str) -> None:
    found = read(sentence)[0]
    assert found is not None
    assert found.speaker == speaker


@pytest.mark.parametrize(
    "sentence",
    [
        "The Harbour Board has not independently confirmed the reports.",
        "The storm showed that the pier was weak.",
        "Ann Lee sent questions to the board.",
        "Ann Lee put her coat on and left.",
        "The pier was closed by order of the board.",
        "Sudland's proposed pier is long.",
        "After Norland said that the port was theirs, they built it.",
    ],
)
def test_what_only_looks_like_a_report_is_the_outlets_own(sentence: str) -> None:
    found = read(sentence)[0]
    assert found is None or found.speaker is None


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("Crowds rallied against Ann Lee's claim that the pier was safe.", "Ann Lee"),
        ("Nobody believed the minister's repeated warnings that the pier was weak.", "the minister"),
        ("Fishermen laughed at claims by the Harbour Board that the pier was safe.", "Harbour Board"),
        ("Ann Lee shared a short statement about the pier.", "Ann Lee"),
        ("The wreck that Norland said was empty held nine crew.", "Norland"),
        ("The company was quoted by Reuters as saying that the pier was safe.", "The company"),
        ("The cracks were first reported by the Daily Lantern.", "Daily Lantern"),
        ("Ann Lee, too, was criticised by Omar Diaz.", "Omar Diaz"),
        ("Local media report that the pier is closed.", "Local media"),
        ("The cracks were first reported by fishermen.", "fishermen"),
        ("The pier was shut after police said it shook.", "police"),
        ("The pier was shut while police said it shook.", "police"),
        ("The pier was shut, which police said was wrong.", "police"),
    ],
)
def test_a_rule_finds_who_may_speak(sentence: str, speaker: str) -> None:
    assert speaker in sources(sentence)


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
        (
            ("The Harbour Board and HB met the Ministry of Tides.", "Ann Lee left.", "The activist said no."),
            "The activist",
        ),
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
    ("sentence", "speaker"),
    [
        ("A video shared on Monday shows men at the quay.", "A video"),
        ("A report published by Norland shows men at the quay.", "A report published by Norland"),
        ("The group’s armed wing said it had left the quay.", "The group’s armed wing"),
    ],
)
def test_a_participle_alone_is_no_part_of_who_speaks(sentence: str, speaker: str) -> None:
    assert speaker_in(sentence) == speaker


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("The mayor issued a very long firm statement on the quay.", "The mayor"),
        ("The mayor issued a very long and firm statement on the quay.", None),
        ("It was the mayor’s very old bold claim that the quay sank.", "the mayor"),
        ("It was the mayor’s very very old bold claim that the quay sank.", None),
        ("It was his claim that the quay sank.", None),
        ("Ann Lee put the toll at more than about 300.", "Ann Lee"),
        ("Ann Lee put the toll at a little more than about 300.", None),
    ],
)
def test_how_far_a_noun_or_a_number_belongs_to_its_verb(sentence: str, speaker: str | None) -> None:
    assert sources(sentence) == ({speaker} if speaker else set())


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
        ("“The pier has gone for good.”\n— Ada Quill ran to the shore.\nThe mayor spoke on Monday.", None),
    ],
)
def test_who_signs_a_quotation_speaks(text: str, speaker: str | None) -> None:
    assert speaker_in(text) == speaker
