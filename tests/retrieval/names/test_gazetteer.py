"""Places, peoples and plain words, from kept data."""

from retrieval.names import gazetteer
from retrieval.names.gazetteer import place_meant, same_first_name
from tests.support.tables import cases


@cases("is_one, names, others")
def test_a_word_is_known_for_what_it_is(is_one: str, names: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert tuple(filter(getattr(gazetteer, is_one), (*names, *others))) == names


def test_a_first_name_has_short_forms() -> None:
    pairs = ("Bob Robert", "Robert Bob", "Robert Martin")
    assert [same_first_name(*pair.split()) for pair in pairs] == [True, True, False]


def test_names_of_one_place_share_a_key() -> None:
    same = ("Kiev Kyiv", "Bombay Mumbai", "Britain United-Kingdom", "the-U.S. United-States", "Burma Myanmar")
    apart = ("Salisbury Harare", "Victoria Hong-Kong", "Oslo Bergen", "Stalin Donetsk")
    keys = {row: {place_meant(name.replace("-", " ")) for name in row.split()} for row in (*same, *apart)}
    assert [row for row, found in keys.items() if len(found) == 1] == list(same)
