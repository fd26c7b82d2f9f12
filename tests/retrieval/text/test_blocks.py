from __future__ import annotations

import pytest

from retrieval.text.blocks import find_blocks

WRAPPED = (
    "The ferry that left the harbour on Monday was found by\ndivers a mile off Port Ellis, the harbour master told\n"
    "Harbour News. It lay on its side in forty metres of\nwater."
)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        (" \n \n", []),
        ("One.\n\nTwo.\n \t\nThree.", ["One.", "Two.", "Three."]),
        ("One.\\nTwo.\\n", ["One.", "Two."]),
        ("A heading\nThe first sentence.\nThe second one.", ["A heading", "The first sentence.", "The second one."]),
        ("It broke off in the\nmiddle.", ["It broke off in the\nmiddle."]),
        ("It lists one,\nTwo and three.", ["It lists one,\nTwo and three."]),
        (f"The search\n{WRAPPED}\nNext day", ["The search", WRAPPED, "Next day"]),
        ("“It was old.” — Ann Bell\n“It leaked.” — Max Hale", ["“It was old.” — Ann Bell", "“It leaked.” — Max Hale"]),
    ],
)
def test_a_block_ends_where_its_writer_ended_it(text: str, blocks: list[str]) -> None:
    assert [block.of(text) for block in find_blocks(text)] == blocks


LINE = "the old ferry that had left the harbours"
CAPITAL = LINE.capitalize()


@pytest.mark.parametrize(
    ("lines", "blocks"),
    [
        pytest.param([*[CAPITAL] * 12, LINE, LINE], 1, id="two breaks of thirteen inside a sentence"),
        pytest.param([*[CAPITAL] * 13, LINE, LINE], 13, id="two breaks of fourteen"),
        pytest.param([f"It said “the pier” — A{'b' * 49}", "was shut for good."], 2, id="signed by a name"),
        pytest.param([f"It said “the pier” — A{'b' * 59}", "was shut for good."], 1, id="longer than a name"),
        pytest.param([LINE, LINE, LINE, "a" * 22 + ".", "Nobody saw"], 2, id="less than three quarters of a line"),
        pytest.param([LINE, LINE, LINE, "a" * 23 + ".", "Nobody saw"], 1, id="three quarters of a line"),
    ],
)
def test_lines_are_one_block_up_to_a_limit(lines: list[str], blocks: int) -> None:
    assert len(find_blocks("\n".join(lines))) == blocks
