"""What a name is the name of, and the rule that says so: a sentence for each rule, and for what it must not take."""

from __future__ import annotations

import pytest

from retrieval.model import Reading
from tests.retrieval.reading_table import Row, rows_beside


def _mentions(reading: Reading) -> str:
    """Tell the names of a reading: kind, name, rule, and role where there is one."""
    found = [mention for passage in reading.passages for mention in passage.mentions]
    roles = [f", {mention.role.of(reading.article.text)}" if mention.role else "" for mention in found]
    return "; ".join(f"{m.kind} {m.name} ({m.rule}{role})" for m, role in zip(found, roles, strict=True))


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row.says)
def test_names_are_read_by_the_expected_rule(row: Row) -> None:
    assert row.differences(_mentions) == {}
