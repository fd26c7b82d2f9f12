"""Finding the outlet's caveats, and whose inability they speak of."""

from __future__ import annotations

import pytest

from retrieval.caveats.context import FARTHEST
from retrieval.caveats.scope import JUDGED, reach
from retrieval.model import Article, CaveatKind
from retrieval.pipeline import read_one
from tests.retrieval.caveat_sentences import CAVEATS, NO_CAVEATS


@pytest.mark.parametrize("sentence", CAVEATS)
def test_an_outlets_inability_is_found_in_any_wording(sentence: str) -> None:
    reading = read_one(Article("a", sentence))
    (caveat,) = reading.caveats
    assert reading.passages[caveat.sentence].sentence.span.contains(caveat.span)


@pytest.mark.parametrize("sentence", NO_CAVEATS)
def test_what_somebody_else_could_not_confirm_is_no_caveat(sentence: str) -> None:
    assert read_one(Article("a", sentence)).caveats == ()


@pytest.mark.parametrize(
    ("sentence", "kind", "verifier"),
    [
        ("The Courier could not verify the claims.", "own", "Courier"),
        ("We could not verify the claims.", "own", None),
        ("This newspaper could not verify the claims.", "own", "The Courier"),
        ("The claims could not be verified by independent sources.", "own", None),
        ("The claims could not be verified by the AP.", "own", "AP"),
        ("Sky News said it could not verify the claims.", "relayed", "Sky News"),
        ("The claims could not be verified, as Sky News noted.", "relayed", "Sky News"),
        ("The Courier is working to verify the claims.", "pending", "Courier"),
        ("The Courier could not verify the man's identity.", "partial", "Courier"),
        ("The Courier could not determine who had fired.", "own", "Courier"),
        ("There was no immediate confirmation of the claims.", "own", None),
        ("Wharfnews.com has been unable to verify the claims.", "relayed", "Wharfnews.com"),
        ("Staff said the books were burned, but this could not be verified.", "inline", None),
        ("Unverified images show a fallen crane.", "inline", None),
        ("A letter, the authenticity of which AFP could not verify, names twelve men.", "inline", "AFP"),
        ("Reporters are barred from the island, so casualty reports cannot be verified.", "standing", None),
        ("It is often impossible to verify reports from the island.", "standing", None),
    ],
)
def test_a_caveat_tells_its_kind_and_who_was_unable(sentence: str, kind: str, verifier: str | None) -> None:
    (caveat,) = read_one(Article("a", sentence, source="The Courier")).caveats
    assert (caveat.kind, caveat.verifier) == (kind, verifier)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Harbour officials have not confirmed the report.", [CaveatKind.OFFICIALS]),
        ("A spokesman for the port could not confirm the report.", [CaveatKind.OFFICIALS]),
        ("Neither the port nor the police have confirmed the report.", [CaveatKind.OFFICIALS]),
        ("Harbour officials would not confirm the report.", []),
        ("The senate should not confirm the judge.", []),
        ("Harbour officials have not seen the report.", []),
    ],
)
def test_what_officials_have_not_confirmed_is_told_beside_what_it_may_be_about(
    said: str, noted: list[CaveatKind]
) -> None:
    text = f"The bridge fell on Friday and killed three people, the Gazette reported.\n\n{said}"
    reading = read_one(Article("a", text, source="The Courier"))
    kinds = [caveat.kind for caveat in reading.passages[0].possible_caveats]
    assert kinds == noted
    assert (reading.passages[0].caveats, reading.passages[1].is_caveat, reading.notices) == ((), False, ())


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("The claims could not be independently verified.", "could not be independently verified"),
        ("Sky News couldn’t verify them.", "couldn’t verify"),
        ("There was no independent confirmation.", "was no independent confirmation"),
        ("It shows unverified footage.", "unverified"),
        ("AP has seen but not verified the memo.", "has seen but not verified"),
    ],
)
def test_a_caveat_stands_at_its_very_words(sentence: str, words: str) -> None:
    (caveat,) = read_one(Article("a", sentence)).caveats
    assert caveat.span.of(sentence) == words


@pytest.mark.parametrize(
    ("source", "sentence", "verifier"),
    [
        ("BBC News", "The BBC could not verify the claim.", "BBC"),
        ("NPR Online News", "NPR could not verify the claim.", "NPR"),
        ("The Harbour Lantern", "The Harbour Lantern could not verify the claim.", "Harbour Lantern"),
        ("Lantern (translated copy)", "Lantern could not verify the claim.", "Lantern"),
        ("The Courier", "BBC Persian could not verify the claim.", "BBC Persian"),
        ("The Courier", "The Mail & Guardian could not verify the claim.", "Mail & Guardian"),
    ],
)
def test_an_outlet_is_known_by_what_is_known_of_the_article(source: str, sentence: str, verifier: str) -> None:
    (caveat,) = read_one(Article("a", sentence, source=source)).caveats
    assert caveat.verifier == verifier


def test_a_reporter_of_the_outlet_speaks_for_it() -> None:
    text = "The Courier's Ann Lee has seen the images. Ann Lee says those images have not been verified."
    (caveat,) = read_one(Article("a", text, source="The Courier")).caveats
    assert caveat.sentence == 1


def test_words_in_somebodys_mouth_are_no_caveat_unless_they_name_an_outlet() -> None:
    assert read_one(Article("a", '"It could not be verified," the mayor said.')).caveats == ()
    assert len(read_one(Article("a", '"The video could not be verified by Reuters.')).caveats) == 1


def test_a_caption_keeps_its_caveat_to_itself() -> None:
    text = "A still from a video that could not be verified. Ann Lee / Reuters\n\nThe mayor said the road was shut.\n"
    reading = read_one(Article("a", text))
    for caveat in reading.caveats:
        assert all(reading.passages[i].sentence.span.end <= text.index("\n") for i in caveat.covers)


@pytest.mark.parametrize(
    "piece",
    [
        "police said it was not verified and confirmed ",
        "verified ",
        "no confirmation ",
        "unverified ",
        "The claim could not be verified. ",
        'Police said no. The video could not be verified. "It shows X," he said. ',
        "said not verified, ",
        "\x00\u202e could not verified \x07",
    ],
)
def test_hostile_copy_is_read_without_an_error(piece: str) -> None:
    reading = read_one(Article("a", piece * 300))
    for caveat in reading.caveats:
        assert reading.passages[caveat.sentence].sentence.span.contains(caveat.span)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The Courier could not " + "also " * 8 + "verify it.", True),
        ("The Courier could not " + "also " * 9 + "verify it.", False),
        ("The claim could not be verified or denied.", False),
        ("The army could neither confirm nor deny the claim, which could not be denied.", False),
        ("The claim could not be verified by the Courier.", True),
        ("The claim could not be verified by the army.", False),
        ("The claim could not be verified independently by the army.", False),
        ("The claim could not be verified on a day by the army.", True),
        ("The Mail and Times could not verify it.", True),
        ("The army and police could not verify it.", False),
        ("The Courier—which has seen the letter—could not verify it.", True),
        ("The quay burned—the claim could not be verified.", True),
        ("According to the army, the claim could not be verified.", False),
        ("According to the army, at noon, the claim could not be verified.", True),
        ("Unverified but very loud and blurry images show it.", True),
        ("Unverified but very loud and very blurry images show it.", False),
    ],
)
def test_how_far_an_inability_reaches(sentence: str, found: bool) -> None:  # noqa: FBT001
    assert bool(read_one(Article("a", sentence, source="The Courier")).caveats) is found


@pytest.mark.parametrize("said", ["said it", "said that it"])
def test_what_an_agency_says_that_it_could_not_verify_is_relayed(said: str) -> None:
    text = f"The boat sank. Reuters {said} could not verify the claim."
    (caveat,) = read_one(Article("a", text, source="The Courier")).caveats
    assert (caveat.kind, caveat.verifier) == (CaveatKind.RELAYED, "Reuters")


@pytest.mark.parametrize("caveats", [1, 250, 500, 2_000])
def test_the_more_caveats_the_nearer_is_what_each_is_held_against(caveats: int) -> None:
    looked_at = 2 * reach(caveats)
    assert looked_at * caveats <= JUDGED
    assert reach(caveats) == FARTHEST or caveats > 250


def test_an_article_of_caveats_is_read_in_proportion() -> None:
    reading = read_one(Article("a", "The claims could not be independently verified. " * 500))
    assert sum(len(caveat.judgements) for caveat in reading.caveats) <= JUDGED
    assert all(passage.is_caveat for passage in reading.passages)


@pytest.mark.parametrize(
    ("sentence", "covered"),
    [
        ("Unconfirmed reports of a second blast spread through the town.", True),
        ("Traders sold on an unconfirmed report that the mine had closed.", True),
        ("Unverified footage shows a crane falling.", True),
        ("Unconfirmed reports suggest that the man came by boat.", True),
        ("There were rumours of a strike, but those reports have not been confirmed.", True),
        ("The clerk sold the unverified dossier to two papers.", False),
        ("He read out an unverified letter in the chamber.", False),
        ("The union fears the spread of unverified information.", False),
        ("The owners denied the claims, which have not been verified.", False),
        ("It could not be confirmed, but the union says that 40 men came.", False),
    ],
)
def test_a_caveat_stands_on_its_own_sentence_where_that_tells_what_is_unverified(sentence: str, covered: bool) -> None:  # noqa: FBT001
    (caveat,) = read_one(Article("a", sentence)).caveats
    assert bool(caveat.covers) is covered


def test_an_epithet_stands_on_no_other_sentence_and_is_told_of_no_other() -> None:
    text = (
        "Rebels said they had shot down two planes. The clerk sold the unverified dossier to them. They fled, he said."
    )
    reading = read_one(Article("a", text))
    (caveat,) = reading.caveats
    assert (caveat.kind, caveat.covers, caveat.possible, reading.notices) == ("inline", (), (), ())


def test_beside_the_claim_that_is_meant_no_other_is_surely_covered() -> None:
    text = "Rebels said two planes had crashed. The army said that 40 rebels died, but this could not be verified."
    (caveat,) = read_one(Article("a", text)).caveats
    assert caveat.covers == (1,)
