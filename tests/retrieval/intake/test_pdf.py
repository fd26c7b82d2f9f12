"""PDFs whose pages are drawn in many ways -> the words in the order in which people read them."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from retrieval.errors import NoArticlesError
from retrieval.intake.articles import load_articles
from retrieval.intake.pdf import join_hyphenated
from retrieval.model import LeftOutKind
from tests.support.tables import cases

LEFT = (
    "The harbour board met on Friday and agreed",
    "that the old pilot house will be sold in",
    "spring. Its chair, Edda Marsh, said that it",
    "had cost the town far more than it earned.",
    '"We kept it for the sake of the view," she',
    "said. Two members voted against the sale.",
    "The house was built for eleven pilots, and",
    "has been empty since the last of them left.",
)
RIGHT = (
    "A goat was found on the roof of the school",
    "on Monday. The caretaker, Olin Pratt, said",
    "that it must have climbed over the bins and",
    "walked up to the skylight to eat the moss.",
    '"It looked at me as if I were late," Pratt',
    "said. The fire brigade took it down with a",
    "ladder and a turnip, and nobody was hurt by",
    "it. Its owner has been told to mend a fence.",
)
Shown = tuple[float, float, float, str]  # x, y, size, text


def drawn(*shown: Shown, tail: str = "") -> str:
    parts = (f"/F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj" for x, y, size, text in shown)
    return f"BT {' '.join(parts)} {tail} ET"


def column(x: float, lines: Iterable[str], top: float = 700, step: float = 14) -> list[Shown]:
    return [(x, top - step * at, 11, line) for at, line in enumerate(lines)]


def rows(*columns: list[Shown]) -> list[Shown]:
    return [shown for row in zip(*columns, strict=True) for shown in row]


def word_by_word(lines: Iterable[Shown]) -> list[Shown]:
    words = []
    for x, y, size, text in lines:
        at = x
        for word in text.split(" "):
            words.append((round(at, 2), y, size, f"{word} "))
            at += size * (0.3 + sum(0.27 if c in "iljtfr.,'" else 0.75 if c in "mw" else 0.55 for c in word))
    return words


def printed(folder: Path, *pages: str) -> Path:
    writer = PdfWriter()
    keys = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica", "/Encoding": "/WinAnsiEncoding"}
    font = DictionaryObject({NameObject(key): NameObject(value) for key, value in keys.items()})
    fonts = DictionaryObject({NameObject("/F1"): font})
    for operations in pages:
        page = writer.add_blank_page(width=800, height=800)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(operations.encode("cp1252"))
        page[NameObject("/Contents")] = stream
    writer.write(folder / "a.pdf")
    return folder / "a.pdf"


def text_of(folder: Path, *pages: str) -> str:
    return load_articles([printed(folder, *pages)]).articles[0].text


def unspaced(text: str) -> str:
    return " ".join(text.split())


BOTH = unspaced(" ".join((*LEFT, *RIGHT)))
COLUMNS = {
    "row by row": drawn(*rows(column(60, LEFT), column(330, RIGHT))),
    "row by row, font set once": "BT /F1 11 Tf "
    + " ".join(f"1 0 0 1 {x} {y} Tm ({text}) Tj" for x, y, _, text in rows(column(60, LEFT), column(330, RIGHT)))
    + " ET",
    "row by row, at other heights": drawn(*rows(column(60, LEFT), column(330, RIGHT, top=697))),
    "row by row, right one first": drawn(*rows(column(330, RIGHT), column(60, LEFT))),
    "one after the other": drawn(*column(60, LEFT), *column(330, RIGHT)),
    "word by word": drawn(*word_by_word(rows(column(60, LEFT), column(330, RIGHT)))),
    "indented": drawn(
        *rows(column(60, LEFT[:2]) + column(72, LEFT[2:3], 672) + column(60, LEFT[3:], 658), column(330, RIGHT))
    ),
}


@pytest.mark.parametrize("page", COLUMNS.values(), ids=COLUMNS)
def test_each_column_is_read_by_itself(tmp_path: Path, page: str) -> None:
    assert unspaced(text_of(tmp_path, page)) == BOTH


def test_three_columns_below_a_headline(tmp_path: Path) -> None:
    lines = rows(column(30, LEFT), column(280, RIGHT), column(530, LEFT[::-1]))
    headline = "A house, a goat and a library keep the town awake this week"
    text = text_of(tmp_path, drawn((30, 740, 24, headline), *lines))
    assert text.startswith(f"{headline}\n\nThe harbour board")
    assert unspaced(text).endswith(f"{BOTH} {unspaced(' '.join(LEFT[::-1]))}")


def test_a_headline_across_the_page_parts_what_is_above_from_what_is_below(tmp_path: Path) -> None:
    across = (60, 560, 20, "The town now has neither pilots nor a goat on any of its roofs")
    above = rows(column(60, LEFT[:5]), column(330, RIGHT[:5]))
    below = rows(column(60, LEFT[5:], top=530), column(330, RIGHT[5:], top=530))
    text = unspaced(text_of(tmp_path, drawn(*above, across, *below)))
    assert text == unspaced(" ".join((*LEFT[:5], *RIGHT[:5], across[3], *LEFT[5:], *RIGHT[5:])))


def test_a_sentence_goes_on_in_the_next_column(tmp_path: Path) -> None:
    first, second = (*LEFT[:7], "has been empty since the last of them"), ("left it with his cat.", *RIGHT[1:])
    text = text_of(tmp_path, drawn(*rows(column(60, first), column(330, second))))
    assert "the last of them\nleft it with his cat." in text


def test_a_table_is_read_row_by_row(tmp_path: Path) -> None:
    names, votes = ("Marsh", "Pratt", "Dunn", "Orton", "Vale", "Holt"), ("412", "398", "120", "77", "31", "9")
    text = text_of(tmp_path, drawn(*rows(column(60, names), column(330, votes))))
    assert [unspaced(line) for line in text.split("\n")] == [f"{n} {v}" for n, v in zip(names, votes, strict=True)]


def test_lines_that_run_across_columns_are_refused_by_name(tmp_path: Path) -> None:
    mixed = [f"{left}     {right}" for left, right in zip(LEFT, RIGHT, strict=True)]
    with pytest.raises(NoArticlesError, match=r"The columns of page 2 are mixed"):
        load_articles([printed(tmp_path, drawn(*column(60, LEFT)), drawn(*column(60, mixed)))])


def test_words_are_whole_and_a_scan_is_refused(tmp_path: Path) -> None:
    pages = ("(The ferry sank and evac-) Tj T* (uation began.) Tj", "(Nobody was hurt.) Tj")
    text = text_of(tmp_path, *(f"BT /F1 12 Tf 14 TL 50 700 Td {shown} ET" for shown in pages))
    assert text == "The ferry sank and evacuation\nbegan.\nNobody was hurt."
    with pytest.raises(NoArticlesError, match="It is a scan"):
        text_of(tmp_path, "")


@cases("parted, whole")
def test_a_word_parted_at_the_end_of_a_line_is_joined(parted: str, whole: str) -> None:
    assert join_hyphenated(parted) == whole


HEAD = (60, 770, 8)


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    pages = (
        drawn((*HEAD, "The Norby Post   4 March 2025   Page 3"), *column(60, LEFT), (300, 30, 8, "3")),
        drawn((*HEAD, "The Norby Post   4 March 2025   Page 4"), *column(60, RIGHT), (300, 30, 8, "4")),
    )
    loaded = load_articles([printed(tmp_path, *pages)])
    assert loaded.articles[0].text == "\n".join((*LEFT, *RIGHT))
    heads = [part.text for part in loaded.left_out["a.pdf"] if part.kind is LeftOutKind.RUNNING_HEAD]
    assert heads == ["The Norby Post   4 March 2025   Page 3", "3", "The Norby Post   4 March 2025   Page 4", "4"]


SUNG, FIGURES = ("We shall not move, they sang.", *LEFT), (*LEFT, "1,200", *RIGHT, "14")
FOUR = (("The Norby Post", LEFT), ("Chapter one", RIGHT), ("The Norby Post", LEFT[::-1]), ("Chapter one", RIGHT[::-1]))
SMALL: list[Shown] = [(60, 60, 8, "2 boats of oak"), (60, 48, 8, "2 boats of tin"), (60, 36, 8, "4 oars")]
WHOLE: dict[str, tuple[list[str], Iterable[str]]] = {
    "heads of left and right pages differ": (
        [drawn((*HEAD, head), *column(60, lines)) for head, lines in FOUR],
        [line for _, lines in FOUR for line in lines],
    ),
    "a line that two pages share is no head": ([drawn(*column(60, SUNG))] * 2, SUNG * 2),
    "a figure alone in its line stays": ([drawn(*column(60, FIGURES))], FIGURES),
    "a table in small type is no footnote": (
        [drawn(*column(60, LEFT), *SMALL), drawn(*column(60, RIGHT))],
        (*LEFT, *(row for *_, row in SMALL), *RIGHT),
    ),
    **{
        f"a page number on one page: {folio}": ([drawn(*column(60, LEFT), (300, 30, 8, folio))], LEFT)
        for folio in ("- 7 -", "Page 7 of 12", "7/12", "p. 7")
    },
}


@pytest.mark.parametrize(("pages", "lines"), WHOLE.values(), ids=WHOLE)
def test_the_lines_of_the_article_are_read_whole(tmp_path: Path, pages: list[str], lines: Iterable[str]) -> None:
    assert text_of(tmp_path, *pages) == "\n".join(lines)


def test_footnotes_interrupt_no_sentence(tmp_path: Path) -> None:
    noted = (
        *column(60, LEFT[:3]),
        (60, 650, 11, "killed 14"),
        (106, 654, 6, "1"),
        (110, 650, 11, " men and cost 2,400"),
        (206, 654, 6, "2"),
        (210, 650, 11, ", said the"),
        (60, 60, 8, "1 Not counting a diver."),
        (60, 48, 8, "2 In pounds of the time,"),
        (60, 38, 8, "before tax."),
    )
    text = text_of(tmp_path, drawn(*noted), drawn((60, 700, 11, "harbour master."), *column(60, RIGHT, top=686)))
    assert "killed 14 men and cost 2,400, said the\nharbour master." in text
    assert text.endswith("a fence.\n\nNot counting a diver.\nIn pounds of the time,\nbefore tax.")


@cases("operations, text")
def test_a_raised_digit_is_a_mark_or_a_power(tmp_path: Path, operations: str, text: str) -> None:
    page = f"BT /F1 11 Tf 1 0 0 1 60 700 Tm {operations} ET"
    assert text_of(tmp_path, page).replace("CO 2", "CO2") == text
