"""The short text that travels with a button."""

import pytest
from hypothesis import given, strategies as st

from bot.errors import BrokenStateError
from bot.sentence_links import LENGTH, Pointer, decode, encode, is_state, is_sure, quotations, read_number

addresses = st.lists(st.builds(Pointer, st.text("0123456789abcdef", min_size=8, max_size=8), st.integers(0, 99999)))


@given(addresses, st.booleans())
def test_what_is_written_is_read_again_as_far_as_it_fits(written: list[Pointer], sure: bool) -> None:  # noqa: FBT001
    text = encode(written, sure=sure)
    assert len(text) <= LENGTH
    assert (is_state(text), is_sure(text)) == (bool(written), sure or not written)
    read = list(decode(text)) if text else []
    assert read == written[: len(read)]
    assert len(read) == len(written) or len(text) > LENGTH - 16


def test_sentences_of_one_article_share_its_key_and_those_of_one_quotation_stay_together() -> None:
    first, second, apart = (Pointer("1f0c9a2b", index, continues=index == 13) for index in (12, 13, 15))
    written = (first, second, apart, Pointer("77aa01ce", 3))
    state = encode(written)
    assert (state, decode(state)) == ("1f0c9a2b.12_13.15-77aa01ce.3", written)
    assert quotations(state) == ((first, second), *((each,) for each in written[2:]))


@pytest.mark.parametrize(("last", "fits"), [(99999, True), (999999, False)])
def test_a_state_has_eighty_characters_at_most(last: int, fits: bool) -> None:  # noqa: FBT001
    written = [*(Pointer("1f0c9a2b", index) for index in range(100_000, 100_008)), Pointer("77aa01ce", last)]
    assert len(f"1f0c9a2b{'.100000' * 8}-77aa01ce.{last}") == (79 if fits else 80)
    assert list(decode(encode(written))) == written
    assert list(decode(encode(written, sure=False))) == (written if fits else written[:-1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 999,
        *"x ~ ~~1f0c9a2b.1 1f0c9a2b 1f0c9a2b. 1f0c9a2b.1- 1F0C9A2B.1 1f0c9a2b.٣ 1f0c9a2b._1 1f0c9a2b.1_".split(),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    assert not is_state(text)
    with pytest.raises(BrokenStateError):
        decode(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("12", 12),
        ("9" * 18, 10**18 - 1),
        *((text, None) for text in ("", "-1", "+1", " 1", "1\n", "1_0", "1.0", "x", "１", "²", "9" * 19, "9" * 5_000)),
    ],
)
def test_a_number_that_comes_back_is_one_of_ours(text: str, number: int | None) -> None:
    assert read_number(text) == number
