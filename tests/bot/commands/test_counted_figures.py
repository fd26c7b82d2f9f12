"""Figures, in digits and in words, and what they count."""

from __future__ import annotations

import pytest

from bot.commands.counted_figures import figures


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("At least 14 people were killed when shells hit the market.", ("killed", 14)),
        ("Nineteen people died when shells struck the market.", ("killed", 19)),
        ("The shelling killed 19 people.", ("killed", 19)),
        ("The death toll has risen to 31, a nurse said.", ("killed", 31)),
        ("Twenty-two others were wounded.", ("injured", 22)),
        ("Two dozen people were arrested.", ("arrested", 24)),
        ("Some three thousand residents fled.", ("displaced", 3000)),
        ("Boats rescued 40 people.", ("rescued", 40)),
        ("It cost 4.5 million crowns.", ("crown", 4_500_000)),
        ("The ferry had 198 passengers.", ("passeng", 198)),
    ],
)
def test_a_figure_is_told_with_what_it_counts(text: str, figure: tuple[str, float]) -> None:
    """Whether it stands in digits or in words, before or behind."""
    assert figure in figures(text)


@pytest.mark.parametrize(
    "text",
    ["He wrote to her over three years.", "The pit is 640 metres deep.", "Prices rose by four per cent in a week."],
)
def test_a_measure_counts_nothing(text: str) -> None:
    """Three years of one thing and six of another are no two figures for years."""
    assert figures(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    ["It happened in 2014.", "The talks began at 9.", "The 61-year-old smiled.", "Nobody was hurt.", ""],
)
def test_dates_ages_and_times_count_nothing(text: str) -> None:
    """They differ from one another, and nothing is disputed."""
    assert figures(text) == frozenset()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            "killed",
            "kill killed killing dead die died dies dying death deaths fatalities drowned perished toll bodies lives",
        ),
        ("injured", "injure injured injuring wounded wound wounding hurt injuries casualties"),
        ("missing", "missing unaccounted"),
        ("arrested", "arrest arrested arrests detained detain held jailed"),
        ("displaced", "displaced evacuated fled homeless flee"),
        ("rescued", "rescue rescued rescuing saved"),
    ],
)
def test_what_happened_to_people_is_one_thing_in_many_words(event: str, words: str) -> None:
    """Each of them; a word that tells of no such thing leaves the people counted as what they are."""
    assert [word for word in words.split() if (event, 9) not in figures(f"There were 9 people {word}.")] == []
    assert figures("There were 9 sailors pleased.") == {("sailor", 9), ("pleas", 9)}


@pytest.mark.parametrize(
    "word",
    """people person persons men women civilians residents victims passengers others authorities more less fewer were
    was have had dead killed""".split(),
)
def test_whoever_is_counted_the_event_is_told(word: str) -> None:
    """Of two tolls one is told of residents and the other of civilians."""
    assert ("killed", 9) in figures(f"Shells hit 9 {word} and killed them.")


@pytest.mark.parametrize("word", "boats cars".split())
def test_what_is_no_person_is_not_killed(word: str) -> None:
    """However near a death is told."""
    assert not {counted for counted, _ in figures(f"Shells hit 9 {word} and killed a man.")} & {"killed"}


@pytest.mark.parametrize(
    "word",
    """a an the of in on at by for from with to nearly almost roughly approximately perhaps maybe as than and or nor
    some about around over up least another further""".split(),
)
def test_what_stands_between_a_figure_and_its_noun_is_passed_over(word: str) -> None:
    """It is not what is counted."""
    assert figures(f"The town bought 9 {word} cranes.") == {("crane", 9)}


@pytest.mark.parametrize(
    "measure",
    """second minute hour day week month year decade morning afternoon evening night metre meter kilometre kilometer
    mile foot feet inch km mph tonne ton kilo kilogram gram litre liter acre hectare degree degrees percent per cent
    percentage""".split(),
)
def test_every_measure_counts_nothing(measure: str) -> None:
    """How long, how far, how much: two of them differ without a quarrel."""
    assert figures(f"The town bought 9 {measure} cranes.") == frozenset()


@pytest.mark.parametrize(
    ("words", "value"),
    [
        *((word, n) for n, word in enumerate("one two three four five six seven eight nine ten eleven".split(), 1)),
        *((word, 10 * n) for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty".split(), 2)),
        ("ninety-nine", 99),
        ("two dozen", 24),
        ("three hundred", 300),
        ("four thousand", 4_000),
        ("two hundred thousand", 200_000),
        ("2.5 million", 2_500_000),
        ("3 billion", 3_000_000_000),
        ("5 dozens", 60),
        ("1,499", 1_499),
        ("2,100", 2_100),
    ],
)
def test_a_number_in_words_has_its_value(words: str, value: float) -> None:
    """The units, the tens, both together, and what multiplies them."""
    assert figures(f"It held {words} cranes.") == {("crane", value)}


def test_what_is_counted_stands_among_the_three_words_behind() -> None:
    """The fourth is something else."""
    assert figures("It held 9 old red cranes sold.") == {("old", 9), ("red", 9), ("crane", 9)}


@pytest.mark.parametrize(("between", "told"), [(7, True), (8, False)])
def test_an_event_is_told_within_eight_words_of_its_figure(between: int, told: bool) -> None:  # noqa: FBT001
    """Behind it as before it; farther off it is another's."""
    words = "low " * (between - 1)
    assert (("killed", 9) in figures(f"It saw 9 people {words}killed.")) is told
    assert (("killed", 9) in figures(f"They killed {words}low 9 people.")) is told


def test_an_event_behind_a_figure_goes_before_one_that_was_told_earlier() -> None:
    """What was told before belongs to the figure before."""
    assert figures("They killed 3 people and 9 people were hurt.") >= {("injured", 9)}
    assert ("killed", 9) not in figures("They killed 3 people and 9 people were hurt.")
