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
