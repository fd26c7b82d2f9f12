"""The mentions of all articles -> entities, with what the hand-written names.toml says of them."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from retrieval.archive.archive import PersistentArchive
from retrieval.errors import BrokenNamesError
from retrieval.model import Article, Entity, Kind, Mention, Passage, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases, read_aliases
from retrieval.names.entities import unite
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_all, read_one
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.support.articles import written
from tests.support.entities import entities
from tests.support.tables import cases

TEXTS = {
    "a": "Defence minister Serhiy Kovalskyy met Arvo Tamm in Kiev. NATO agreed, said Kovalskyy.",
    "b": "Minister Sergey Kovalsky left Kyiv. The World Chess Union (WCU) and Nato met. The Estonians won.",
    "c": "Kovalskiy said the WCU had paid the Estonian team in the U.S. and the United States.",
    "d": "Joseph R. Berg spoke. Mr Tamm left with Arvo, 38. Joe Berg followed.",
}


def united(texts: dict[str, str], aliases: Aliases = NO_ALIASES) -> tuple[Reading, ...]:
    layouts = [lay_out(Article(name, text), parse(text)) for name, text in texts.items()]
    readings = [Reading(each.article, tuple(map(Passage, each.sentences, find_names(each)))) for each in layouts]
    return unite(readings, aliases)


def known(texts: dict[str, str], aliases: Aliases = NO_ALIASES) -> dict[str, Entity]:
    return {entity.name: entity for entity in entities(united(texts, aliases))}


def test_every_spelling_of_a_name_is_one_entity() -> None:
    found = known(TEXTS)
    assert found["Serhiy Kovalskyy"].variants == ("Kovalskiy", "Kovalskyy", "Sergey Kovalsky", "Serhiy Kovalskyy")
    assert found["Kiev"] == Entity("Kiev", Kind.PLACE, ("Kiev", "Kyiv"), ("a", "b"))
    assert found["World Chess Union"].variants == ("WCU", "World Chess Union")
    assert found["NATO"].articles == ("a", "b")
    assert found["United States"].variants == ("U.S.", "United States")
    assert found["Joseph R. Berg"].variants == ("Joe Berg", "Joseph R. Berg")
    assert found["Estonian"].variants == ("Estonian", "Estonians")
    assert found["Arvo Tamm"].articles == ("a", "d")


def test_a_first_name_shared_with_another_is_its_own_person() -> None:
    assert known(TEXTS)["Arvo"] == Entity("Arvo", Kind.PERSON, ("Arvo",), ("d",))


# Articles, with a bar before the next; and their names: the spellings of each, with a semicolon before the next.
@cases("texts, expected")
def test_spellings_of_one_name_are_one_and_others_are_not(texts: str, expected: str) -> None:
    found = known({str(number): text for number, text in enumerate(texts.split(" | "))})
    assert "; ".join(", ".join(entity.variants) for entity in found.values()) == expected


def test_a_doubtful_kind_yields_to_a_sure_one_elsewhere() -> None:
    found = known({"a": "They mentioned Kalduva twice.", "b": "They slept in Kalduva."})
    assert found["Kalduva"] == Entity("Kalduva", Kind.PLACE, ("Kalduva",), ("a", "b"))


def test_a_kind_met_now_and_then_yields_to_what_a_name_mostly_is() -> None:
    texts = {f"{n}": "Mr Tollberg spoke. Tollberg left, and Tollberg returned." for n in range(4)}
    listed = {"list": "They flew to Lisbon, Tollberg and Madrid."}
    assert {mention.kind for mention in _of("Tollberg", {**texts, **listed})} == {Kind.PERSON}
    places = {f"{n}": "They slept in Kalduva." for n in range(3)}
    assert {mention.kind for mention in _of("Kalduva", {**places, "person": "Mr Kalduva spoke."})} == {Kind.PLACE}
    del places["0"]
    assert len({mention.kind for mention in _of("Kalduva", {**places, "person": "Mr Kalduva spoke."})}) == 2


def _of(name: str, texts: dict[str, str]) -> list[Mention]:
    return [m for each in united(texts) for passage in each.passages for m in passage.mentions if m.name == name]


def test_an_editor_joins_and_names_and_separates() -> None:
    texts = {"a": "Nurse Arvo Tamm met Dr Liis Ilves.", "b": "Mr Oskar Raud left."}
    found = known(texts, Aliases(same=(("Oskar Raud", "Arvo Tamm"),)))
    assert found["Oskar Raud"].variants == ("Arvo Tamm", "Oskar Raud")
    texts = {"a": "Nurse Sergey Berg spoke.", "b": "Nurse Serhiy Berg spoke."}
    assert sorted(known(texts)) == ["Sergey Berg"]
    assert sorted(known(texts, Aliases(different=(("Sergey Berg", "Serhiy Berg"),)))) == ["Sergey Berg", "Serhiy Berg"]


def test_same_different_and_shorthand_are_read(tmp_path: Path) -> None:
    groups = 'same = [["Arvo  Tamm", "A. Tamm"]]\ndifferent = [["Jan Kask", "Jaan Kask"]]\n'
    text = groups + '[shorthand]\nMOF = "Ministry of  Fisheries"\n'
    same, different = (("Arvo Tamm", "A. Tamm"),), (("Jan Kask", "Jaan Kask"),)
    assert read_aliases(written(tmp_path / "names.toml", text)) == Aliases(
        same, different, (("mof", "Ministry of Fisheries"),)
    )


@cases("text, said")
def test_a_broken_file_is_refused_with_what_to_do(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BrokenNamesError) as caught:
        read_aliases(written(tmp_path / "names.toml", text))
    assert said in str(caught.value)
    assert "names.toml" in str(caught.value)


def test_the_file_need_not_exist_and_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    assert read_aliases(tmp_path / "names.toml") == NO_ALIASES
    (tmp_path / "names.toml").mkdir()
    with pytest.raises(BrokenNamesError):
        read_aliases(tmp_path / "names.toml")


def test_no_articles_have_no_entities() -> None:
    assert entities(unite([])) == ()


# Of every class that the rules of names tell apart; surnames that are places, first names that are words, and so on.
WORDS = st.sampled_from(
    "Marta Arvo Will Grace Mark Bergen Leon Lima Jordan Chad Paris Tallinn Georgia Virginia Ohio Calif. N.C. U.S. EU "
    "Estonians Texan Muslim Tory President Mr Mrs. Dr Gen. Pope Queen Sir Ministry Council Union University Hospital "
    "Bay River Street Bridge Act Shuttle War World Cup Day May Monday Thanking Calling Visiting The In Al al van de "
    "der Jr. II Inc & of for on and or the by from is said told mayor spokesman town who R-Ohio STS-1 WCU X 77 1999 "
    "O'Hara Jean-Luc McTamm TAMM TALLINN É. Ø Ærø 東京 Москва Ⅷ ß ﬁ ''".split()
)
MARKS = st.sampled_from([""] * 4 + [*",.!:;'”“\"()—-\n", "’s", "\n\n"])
PIECED = st.lists(st.tuples(MARKS, WORDS, MARKS), min_size=1, max_size=60).map(
    lambda pieces: " ".join(f"{before}{word}{after}" for before, word, after in pieces)
)


@given(text=PIECED)
def test_every_mention_is_words_of_its_sentence(text: str) -> None:
    layout = lay_out(Article("a", text), parse(text))
    for sentence, mentions in zip(layout.sentences, find_names(layout), strict=True):
        ends = [0]
        for mention in mentions:
            assert sentence.span.contains(mention.span)
            assert mention.span.start >= ends[-1]
            ends.append(mention.span.end)
            assert mention.name.strip()


@given(texts=st.lists(PIECED | st.text(min_size=1, max_size=80).filter(str.strip), min_size=1, max_size=4))
def test_any_articles_are_read_and_joined(texts: list[str]) -> None:
    articles = [Article(f"{number}", text) for number, text in enumerate(texts)]
    assert read_all(articles) == read_all(articles[::-1])[::-1]


@pytest.mark.parametrize(
    "unit",
    ["Bank of ", "Bank of the ", "Church for ", "Ann von ", "\u0130stanbul \u0130 ", "Ann Smith ", "Ann-", "A & "],
)
def test_one_long_run_of_names_fills_no_archive(tmp_path: Path, unit: str) -> None:
    path = tmp_path / "archive.sqlite"
    with closing(PersistentArchive(path)) as archive:
        archive.add((read_one(Article("a", (unit * 8_000)[:32_000])),))
    assert path.stat().st_size < 1_000_000
