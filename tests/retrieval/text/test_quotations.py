from __future__ import annotations

import pytest

from retrieval.model import Article
from retrieval.text.blocks import find_blocks
from retrieval.text.quotations import find_marks
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def _quotations(text: str) -> list[str]:
    return [quotation.span.of(text) for quotation in find_marks(text, find_blocks(text)).quotations]


FOUND = {
    "straight": ('He said "no" and "never".', ['"no"', '"never"']),
    "curly": ("He said “no” and “never”.", ["“no”", "“never”"]),
    "typewriter": ("''We left,'' he said. ``Never.''", ["''We left,''", "``Never.''"]),
    "guillemets": ("He said «no».", ["«no»"]),
    "single curly": ("‘It’s the boys’ boat,’ he said.", ["‘It’s the boys’ boat,’"]),
    "single straight": ("'It's the boys' boat,' he said.", ["'It's the boys' boat,'"]),
    "single, a plural at its end": (
        "They called it 'for the boys' and left. It was 'old'.",
        ["'for the boys'", "'old'"],
    ),
    "single and nothing surer": ("They called it 'for the boys' and left.", ["'for the boys'"]),
    "apostrophes alone": ("It's the boys' boat, o' course; rock 'n' roll of the '90s, ’tis said.", []),
    "an apostrophe that opens nothing": ("He went 'round the boat and never came back.", []),
    "names": ("Mr O'Hale and Ms D’Orso said 'no' to it.", ["'no'"]),
    "glued single": ("Read | Owner calls it 'a lie'Divers went down.", ["'a lie'"]),
    "one inside another": ("“They call it ‘the wreck’ now,” he said.", ["“They call it ‘the wreck’ now,”"]),
    "double inside single": ("‘They call it “the wreck” now,’ he said.", ["‘They call it “the wreck” now,’"]),
    "wrong way round": ("It sank. ”We saw it,” he said.", ["”We saw it,”"]),
    "closed by an opening mark": ("“We saw it.“ He left.", ["“We saw it.“"]),
    "mixed marks": ('"We saw it,” he said.', ['"We saw it,”']),
    "glued": (
        'He called it "a lie"."We saw it," she said."All of it."Divers left.',
        ['"a lie"', '"We saw it,"', '"All of it."'],
    ),
    "dash before": ("The owner—“a liar”—left.", ["“a liar”"]),
    "brackets": ("The owner (“a liar”) left.", ["(“a liar”)"[1:-1]]),
    "never closed at the head of a block": ("“We saw it. It sank.\n\nHe left.", ["“We saw it. It sank."]),
    "never closed inside a block": ("He said “we saw it. It sank. He left.", ["“we saw it."]),
    "never closed and no stop": ("He said “we saw it", ["“we saw it"]),
    "never opened": ("We saw it,” he said. “No,” said she.", ["“No,”"]),
    "another opens inside": ("He said “we saw the “old” boat.", ["“old”"]),
    "another opens in the next sentence": ("He “saw it. She saw “old boats” too.", ["“saw it.", "“old boats”"]),
    "reopened in running text": ("“It sank. “It was old,” he said.", ["“It sank. “It was old,”"]),
    "over two blocks": ("“It sank.\n\n“It was old,” he said.", ["“It sank.\n\n“It was old,”"]),
    "over three blocks": (
        '"It sank.\n\n"It was old.\n\n"It leaked," he said.',
        ['"It sank.\n\n"It was old.\n\n"It leaked,"'],
    ),
    "no letters": ("He wrote “…” and ””.", []),
    "inches": ('A 12" pipe broke. It was old.', []),
}


@pytest.mark.parametrize(("text", "found"), FOUND.values(), ids=FOUND.keys())
def test_a_quotation_is_what_stands_between_its_marks(text: str, found: list[str]) -> None:
    assert _quotations(text) == found


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It sank. It was old.", [None, None]),
        ("“It sank,” he said. It was “old”.", [None, None]),
        ("“It sank. It was old,” he said. It leaked.", [0, 0, None]),
        ("He was “sad”. “It sank.” She left.", [None, 1, None]),
        ("“It sank.\n\n“It was old. It leaked,” he said.", [0, 0, 0]),
        ("“It sank. It leaked,” he said, “and rose. It was old.”", [0, 0, 1]),
    ],
)
def test_sentences_of_one_quotation_share_its_number(text: str, numbers: list[int | None]) -> None:
    layout = lay_out(Article("a.txt", text), parse(text))
    assert [sentence.quotation for sentence in layout.sentences] == numbers
