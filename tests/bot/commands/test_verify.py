"""A pasted quotation is exact, altered, misattributed, stitched or absent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings, strategies as st

from bot.commands.alignment import SHORTEST, Code, Source, Word, pieces, quote_words
from bot.commands.verify import parse, verify
from bot.model import Change, Check, Message, Verdict
from retrieval.model import Article
from retrieval.pipeline import read_all
from tests.stock import holdings

HOLDINGS = holdings()


def check(text: str) -> Check:
    """Return the check of ``text``."""
    found = verify(HOLDINGS, text)
    assert isinstance(found, Check)
    return found


@pytest.mark.parametrize(
    "quote",
    [
        "Nobody was at the wheel",
        "“Nobody was at the wheel.”",
        "nobody was at\n  the wheel",
        "'We shouted and nobody came'",
        "the old bridge would close for 18 months",
        "We shouted and nobody came. The accounts could not be independently verified.",
        "Repairs will cost 4.5 million crowns, according to the council.",
    ],
)
def test_typography_and_where_it_is_cut_do_not_count(quote: str) -> None:
    """Quotation marks, white space, the first capital and the last stop may differ."""
    found = check(quote)
    assert found.verdict is Verdict.EXACT
    assert all(change is Change.SAME for match in found.matches for change, _ in match.difference)


def test_one_changed_word_is_shown() -> None:
    """The difference goes from the article to the quotation, word by word."""
    found = check("Repairs will cost 9.5 million crowns, according to the council.")
    assert found.verdict is Verdict.ALTERED
    (match,) = found.matches
    assert match.difference == (
        (Change.SAME, "Repairs will cost"),
        (Change.REMOVED, "4.5"),
        (Change.ADDED, "9.5"),
        (Change.SAME, "million crowns, according to the council"),
    )


def test_a_changed_capital_inside_is_an_alteration() -> None:
    """Only the first letter is typography."""
    assert check("Nobody was at the Wheel").verdict is Verdict.ALTERED


def test_sentences_of_two_articles_are_stitched() -> None:
    """Each piece is shown where it stands."""
    found = check("We shouted and nobody came. Repairs will cost 4.5 million crowns.")
    assert found.verdict is Verdict.STITCHED
    assert [match.extract.citation.article_id for match in found.matches] == ["ferry.txt", "bridge.txt"]


def test_sentences_of_one_article_in_another_order_are_stitched() -> None:
    """As they are when what stood between is left out."""
    found = check("The accounts could not be independently verified. Nobody was at the wheel.")
    assert found.verdict is Verdict.STITCHED


@pytest.mark.parametrize("quote", ["The moon is made of green cheese", "wheel bridge ferry", "and of the to"])
def test_what_stands_nowhere_is_absent(quote: str) -> None:
    """The same words in no order are not a quotation."""
    found = check(quote)
    assert (found.verdict, found.matches) == (Verdict.ABSENT, ())


@pytest.mark.parametrize("text", ["", "   ", "“”", "…!"])
def test_nothing_to_check_is_a_sentence_that_helps(text: str) -> None:
    """With an example."""
    found = verify(HOLDINGS, text)
    assert isinstance(found, Message)
    assert "/verify" in found.text


@pytest.mark.parametrize(
    ("text", "quote", "speaker"),
    [
        ("“We saw it.” — Marta Lindqvist", "We saw it.", "Marta Lindqvist"),
        ("We saw it - the mayor", "We saw it", "the mayor"),
        ("Marta Lindqvist: “We saw it.”", "We saw it.", "Marta Lindqvist"),
        ("We saw it.", "We saw it.", None),
        ("A well-known man", "A well-known man", None),
    ],
)
def test_a_speaker_is_taken_off(text: str, quote: str, speaker: str | None) -> None:
    """After a dash, or before a colon."""
    claim = parse(text)
    assert (claim.quote, claim.speaker) == (quote, speaker)


def test_the_right_speaker_is_exact() -> None:
    """A surname is enough."""
    assert check("“Nobody was at the wheel” — Lindqvist").verdict is Verdict.EXACT


def test_another_speaker_is_misattributed() -> None:
    """The words are there, and shown with who says them."""
    found = check("“Nobody was at the wheel” — Tomas Brandt")
    assert found.verdict is Verdict.MISATTRIBUTED
    assert "Tomas Brandt" in found.message
    assert found.matches[0].extract.speaker == "Marta Lindqvist"


@pytest.mark.parametrize("speaker", ["May", "Will", "him", "the same", "the teacher", "Brandt’s deputy"])
def test_who_is_named_otherwise_is_said_as_the_article_has_it(speaker: str) -> None:
    """That it is not by him is a charge: a pronoun, a role or a bare word is none of two different names."""
    found = check(f"“Nobody was at the wheel” — {speaker}")
    assert found.verdict is Verdict.EXACT
    assert found.message.endswith(f"The article says “Marta Lindqvist”; whether that is {speaker} it does not say.")


SPOKEN = (
    "“The quay stays shut,” said Joseph R. Halder, the harbour master. It rained.\n\n"
    "“Nobody will row tonight,” the harbour master said.\n\n"
    "“All lamps were lit,” he told the council.\n\n"
    "Heavy rain had fallen on the quay.\n\n"
    "Ada Quill left early. “I never saw the rope,” said Ines Lund."
)


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict", "message"),
    [
        ("The quay stays shut", "Joe Halder", Verdict.EXACT, "not compared."),
        ("The quay stays shut", "Joseph Halder", Verdict.EXACT, "not compared."),
        ("The quay stays shut", "J. Halder", Verdict.EXACT, "not compared."),
        ("The quay stays shut", "Halder", Verdict.EXACT, "not compared."),
        ("The quay stays shut", "Ines Lund", Verdict.MISATTRIBUTED, "not as said by Ines Lund."),
        ("I never saw the rope", "Joseph Halder", Verdict.MISATTRIBUTED, "not as said by Joseph Halder."),
        ("Heavy rain had fallen", "Ines Lund", Verdict.EXACT, "whether it is Ines Lund is for you to check."),
    ],
)
def test_misattributed_is_between_two_full_names(quote: str, speaker: str, verdict: Verdict, message: str) -> None:
    """A nickname, an initial and a middle name part nobody."""
    found = verify(holdings([Article("quay.txt", SPOKEN)]), f"“{quote}” — {speaker}")
    assert isinstance(found, Check)
    assert found.verdict is verdict
    assert found.message.endswith(message)


def test_a_name_beside_the_words_may_be_the_speakers() -> None:
    """Nobody is accused where a sentence names him beside the quotation, and another is read as who speaks."""
    text = "“The rope is gone for good,” Ada Quill told Joseph Halder."
    found = verify(holdings([Article("quay.txt", text)]), "“The rope is gone for good” — Joseph Halder")
    assert isinstance(found, Check)
    assert found.verdict is Verdict.EXACT
    assert "The article says “Ada Quill”" in found.message


@pytest.mark.parametrize(
    "quote",
    [
        "Repairs will cost 4.5 million crowns according to the council",
        "Repairs, will cost 4.5 million crowns – according to the council",
        "Repairs will cost [...] 4.5 million crowns, according to the council",
    ],
)
def test_exact_but_for_punctuation_is_told_as_that(quote: str) -> None:
    """With the stops and commas that differ."""
    found = check(quote)
    assert (found.verdict, found.punctuation) == (Verdict.EXACT, True)
    assert found.message.startswith("Exact but for punctuation:")
    assert {change for change, _ in found.matches[0].difference} > {Change.SAME}


def test_other_signs_are_no_punctuation() -> None:
    """A currency that was left out is an alteration."""
    found = verify(
        holdings([Article("a.txt", "Repairs will cost $45 in all, they said.")]), "Repairs will cost 45 in all"
    )
    assert isinstance(found, Check)
    assert found.verdict is Verdict.ALTERED


@pytest.mark.parametrize("gap", ["[...]", "…", "(. . .)", "..."])
def test_an_ellipsis_matches_nothing_by_itself(gap: str) -> None:
    """No other article is shown because it has dots too."""
    dotted = Article("dots.txt", "“Well . . . [...] … (...) that was it,” said Ada Quill.")
    held = holdings([Article("quay.txt", SPOKEN), dotted])
    found = verify(held, f"The quay stays shut {gap} Nobody will row tonight {gap}")
    assert isinstance(found, Check)
    assert {match.extract.citation.article_id for match in found.matches} == {"quay.txt"}


def test_a_place_begins_with_its_own_sentence() -> None:
    """Not with the one before, whose stop the quotation has as well."""
    text = "They rowed home. I want to help them all. Oskar wept."
    held = holdings([Article("a.txt", text), Article("b.txt", "We shouted until nobody came any more.")])
    found = verify(held, "We shouted until nobody came any more. I want to help them all")
    assert isinstance(found, Check)
    assert [match.extract.text for match in found.matches] == [
        "We shouted until nobody came any more.",
        "I want to help them all.",
    ]


@pytest.mark.parametrize("quote", ["genocide", "he said", "“tired crew.” — Ada Quill", "... yes ..."])
def test_fewer_than_three_words_are_not_checked(quote: str) -> None:
    """They stand everywhere."""
    found = verify(HOLDINGS, quote)
    assert isinstance(found, Message)
    assert found.text.startswith("Paste three words or more")


def test_words_with_a_colon_of_their_own_are_read_whole_first() -> None:
    """An article's own colon parts no speaker off."""
    assert check("denied that the bridge had been empty").verdict is Verdict.EXACT


def test_a_capital_that_begins_the_articles_sentence_is_no_alteration() -> None:
    """A quotation pieced together has small letters where the sentences had none."""
    found = check("we shouted and nobody came and repairs will cost 4.5 million crowns")
    assert found.verdict is Verdict.STITCHED
    assert not [words for match in found.matches for change, words in match.difference if change is Change.REMOVED]


IDIOM = Article("idiom.txt", "“It is what it is,” the mayor said. They’d have it so. What is it to them?")


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("it is what it is", Verdict.EXACT),
        ("“It is what it is.”", Verdict.EXACT),
        ("they'd have it so", Verdict.EXACT),
        ("it is what they are", Verdict.ABSENT),
    ],
)
def test_words_that_nothing_can_be_searched_by_are_found_as_they_stand(quote: str, verdict: Verdict) -> None:
    """Letter by letter, but for the first and for the kind of an apostrophe."""
    found = verify(holdings([IDIOM]), quote)
    assert isinstance(found, Check)
    assert found.verdict is verdict


def verdict(quote: str, *texts: str) -> Verdict:
    """Return what is found of ``quote`` in articles of these texts."""
    found = verify(holdings([Article(f"{n}.txt", text) for n, text in enumerate(texts)]), quote)
    assert isinstance(found, Check)
    return found.verdict


LANDING = "The tired crew rowed past grey cliffs towards Oxley harbour before sunrise with nine frozen sheep aboard"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The weary crew rowed past white cliffs towards Varde harbour", Verdict.ALTERED),
        ("The weary crew rowed past white cliffs towards Varde port", Verdict.ABSENT),
    ],
)
def test_a_quotation_with_seven_words_of_ten_in_order_was_altered(quote: str, expected: Verdict) -> None:
    """With six it is another."""
    assert len(quote.split()) == 10
    assert verdict(quote, f"{LANDING}.") is expected


@pytest.mark.parametrize(
    ("beginning", "end", "expected"),
    [
        (
            "crew rowed past grey cliffs towards Oxley",
            "yawning before sunrise with nine frozen sheep aboard",
            "altered",
        ),
        ("crew rowed past grey cliffs towards Oxley", "yawning before sunrise with nine frozen sheep", "stitched"),
    ],
)
def test_a_word_or_two_were_altered_whatever_else_may_be_pieced_together(
    beginning: str, end: str, expected: str
) -> None:
    """Fourteen words of fifteen are one place's; thirteen of fourteen are pieced together where that is possible."""
    other = "Nobody spoke, they stood yawning before sunrise in the rain."
    assert verdict(f"{beginning} {end}", f"{LANDING}.", other) == Verdict(expected)


@pytest.mark.parametrize(
    ("middle", "expected"), [("and all sang", Verdict.STITCHED), ("and all sang loudly", Verdict.ABSENT)]
)
def test_what_was_stitched_has_seventeen_words_of_twenty_in_its_pieces(middle: str, expected: Verdict) -> None:
    """With one fewer it is as good as made up."""
    rowed, cost = LANDING.split()[:9], "Repairs will cost nine hundred million crowns this".split()
    assert len(rowed) + len(cost) == 17
    assert verdict(" ".join([*rowed, middle, *cost]), f"{LANDING}.", f"{' '.join(cost)} year.") is expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The tired crew nine hundred million", Verdict.STITCHED),
        ("grey cliffs million crowns", Verdict.ABSENT),
    ],
)
def test_three_words_in_a_row_are_a_piece(quote: str, expected: Verdict) -> None:
    """Two are chance."""
    assert verdict(quote, f"{LANDING}.", "Repairs will cost nine hundred million crowns.") is expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The gates stay shut until spring. Nobody walks past them.", Verdict.ALTERED),
        ("The gates stay shut until summer. Nobody walks past them.", Verdict.ABSENT),
    ],
)
def test_a_sentence_was_left_out_and_a_word_changed(quote: str, expected: Verdict) -> None:
    """The article's words show both; with two words of ten changed, it is no more the same quotation."""
    text = "“The gates stay shut until spring. I promise you that. Nobody gets past them,” said Ada Quill."
    held = holdings([Article("gates", text)])
    found = verify(held, quote)
    assert isinstance(found, Check)
    assert found.verdict is expected
    told = [words for match in found.matches[:1] for change, words in match.difference if change is Change.REMOVED]
    assert told == (["I promise you that.", "gets"] if expected is Verdict.ALTERED else [])


@pytest.mark.parametrize(
    ("between", "expected"), [("Dogs barked twice", "altered"), ("Dogs barked twice more", "stitched")]
)
def test_pieces_five_words_apart_are_of_one_place(between: str, expected: str) -> None:
    """Stops count as words do; farther apart two sentences are two places."""
    text = f"We saw the boat. {between}. It sank at once beside the lower quay."
    assert verdict("We saw the boat sadly it sank at once beside the lower quay", text) == Verdict(expected)


def test_three_places_of_an_exact_quotation_are_shown() -> None:
    """Of four."""
    found = verify(holdings([Article(f"{n}.txt", f"{LANDING}.") for n in range(4)]), LANDING)
    assert isinstance(found, Check)
    assert len(found.matches) == 3


@pytest.mark.parametrize(
    ("speaker", "known"), [("the old mayor of Oxley", True), ("the very old mayor of Oxley", False)]
)
def test_a_speaker_has_five_words_at_most(speaker: str, known: bool) -> None:  # noqa: FBT001
    """What is longer is part of the quotation."""
    assert (parse(f"We saw it. — {speaker}").speaker == speaker) is known
    assert (parse(f"{speaker}: we saw it").speaker == speaker) is known


WORDS = st.lists(st.sampled_from("the boat was a boat of the town and went. down? it".split()), min_size=1, max_size=25)


@given(quote=WORDS, texts=st.lists(WORDS, min_size=1, max_size=4))
@settings(deadline=None, max_examples=200)
def test_pieces_are_the_longest_runs_from_the_left(quote: list[str], texts: list[list[str]]) -> None:
    """Each is as long as any that stands anywhere; words in none are in no run of the shortest length."""
    words = quote_words(" ".join(quote))
    code = Code(words)
    readings = read_all([Article(f"{number}", " ".join(text)) for number, text in enumerate(texts)])
    sources = [Source(reading, code) for reading in readings]
    at = 0
    for piece in pieces(code.of(words), sources):
        least = min(SHORTEST, len(words))
        assert all(_longest(words, start, sources) < least for start in range(at, piece.start))
        assert piece.length == _longest(words, piece.start, sources)
        assert _forms(piece.words) == _forms(words[piece.start : piece.start + piece.length])
        at = piece.start + piece.length


def _longest(words: Sequence[Word], start: int, sources: Sequence[Source]) -> int:
    return max((len(run) for source in sources for run in _runs(words[start:], source.words)), default=0)


def _runs(words: Sequence[Word], others: Sequence[Word]) -> Iterator[list[Word]]:
    for at in range(len(others)):
        run = []
        for word, other in zip(words, others[at:], strict=False):
            if word.form != other.form:
                break
            run.append(other)
        yield run


def _forms(words: Sequence[Word]) -> list[str]:
    return [word.form for word in words]
