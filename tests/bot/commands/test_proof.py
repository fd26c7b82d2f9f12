"""A whole draft: the order, the form and the limits of what is found in it; ``test_checks`` has the rules."""

from dataclasses import replace
from pathlib import Path

import pytest

from adapters import json_contract
from bot.command import Library
from bot.commands import proof as proofing
from bot.commands.proof import listing, proof
from bot.commands.proof_facts import figures
from bot.errors import DraftError
from bot.model import FindingKind, Proof
from retrieval import Article
from retrieval.archive.archive import open_archive
from retrieval.pipeline import read_one
from tests import stock
from tests.support.tables import articles

MILL = articles(Path(__file__).with_name("checks") / "drafts.toml")["mill"]
HOLDINGS = stock.holdings((stock.FERRY, stock.BRIDGE, MILL))


def proofed(text: str) -> Proof:
    return proof(HOLDINGS, text)


def test_figures_are_read_with_scale_unit_and_noun_however_many_digits_they_have() -> None:
    assert [each.unit for each in figures(f"Ed Low, {'9' * 5_000}, saw {'9' * 5_000} million boats.")] == ["", ""]
    found = figures(
        "Some 4.5 million people, $3bn, two dozen ships and Ada Roth, 34, on Dec. 13, 2014; not COVID-19 or F-16."
    )
    read = [(4_500_000, ""), (3_000_000_000, "$"), (24, ""), (34, "age"), (13, "dec"), (2014, "year")]
    assert [(each.value, each.unit) for each in found] == read


def test_a_caveat_that_covers_nothing_for_sure_is_found_where_it_may_be_lost() -> None:
    held = Library(open_archive([stock.caveated(read_one(stock.FERRY), possible=[1])]))
    draft = "Two passengers told the Echo that the captain had left the bridge before the ship struck the rocks."
    for behind, expected in (("", 1), (" The accounts could not be independently verified.", 0)):
        found = [each for each in proof(held, draft + behind).findings if each.kind is FindingKind.CAVEAT_LOST]
        assert len(found) == expected
    other = "A ferry with 212 people on board ran aground off Sandholm on Friday, the coastguard said."
    assert not proof(held, other).to_check


def test_a_right_quotation_without_a_speaker_that_is_compared_says_who_says_it_there() -> None:
    held = stock.holdings((Article("quay.txt", "“The quay stays shut for a year,” said Ines Lund."),))
    there = {".” So it goes.": "No speaker was compared. In the article: Ines Lund."}
    for behind, shown in (there | {",” said Ines Lund.": "Said by Ines Lund."}).items():
        found = proof(held, f"“The quay stays shut for a year{behind}")
        assert not found.to_check
        assert listing(found).sections[0].heading.endswith(shown)
    [other] = proof(held, "Port officials said that “the quay stays shut for a year”.").to_check
    assert "The article says “Ines Lund”. Check that this is Port officials." in other.what


def test_findings_are_in_the_drafts_order_at_its_code_points() -> None:
    draft = (
        "---\ntitle: 214 people\n---\n# Aground\n\nA **ferry** with 214 people on board [ran aground](https://a.example/1)"
        " off Sandholm on Friday.\n\n“Somebody was at the wheel,” said Marta Lindqvist.\n\nGerolt Haverstein, the mayor"
        " of Corvane, closed the old mill."
    )
    found = proofed(draft)
    assert [finding.span for finding in found.findings] == sorted(finding.span for finding in found.findings)
    assert all(finding.text == draft[finding.span.start : finding.span.end] for finding in found.findings)
    assert {"214", "“Somebody was at the wheel,”", "Gerolt Haverstein"} <= {finding.text for finding in found.findings}


def test_every_finding_is_in_the_contract_and_in_the_list_for_people() -> None:
    found = proofed(
        "A ferry with 214 people ran aground off Sandholm on Friday.\n\n“Nobody was at the wheel.” The mayor accused"
        " the Norfar shipping line of dumping poison in the river above the mill."
    )
    *lines, summary = json_contract.proof_lines(found)
    assert [line["kind"] for line in lines] == [finding.kind for finding in found.findings]
    assert summary == {"kind": "summary", "quotations": 1, "findings": len(found.to_check), "words": found.words}
    assert {line["verdict"] for line in lines} == {"exact", None}
    assert all(0 < finding.confidence < 1 for finding in found.findings if not finding.check)
    shown = listing(found)
    assert len([section for section in shown.sections if section.heading]) == len(found.findings)


def test_a_clean_draft_has_nothing_to_check() -> None:
    draft = "The bridge in Oxley will close for 18 months. Repairs will cost 4.5 million crowns, the council says."
    assert listing(proofed(draft)).title.endswith("nothing to check.")


@pytest.mark.parametrize(
    ("limit", "draft", "fault"),
    [
        ("", " \n", "empty"),
        ("", "one two " * 25_001, "more than 200,000 characters. Split it"),
        ("MOST_QUOTATIONS", "“a b c” “d e f” “g h i”", "quotations"),
    ],
)
def test_a_draft_beyond_limits_is_refused(limit: str, draft: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if limit:
        monkeypatch.setattr(proofing, limit, 2)
    with pytest.raises(DraftError, match=fault):
        proofed(draft)


def test_a_draft_is_compared_within_the_scope_alone() -> None:
    other = HOLDINGS.within(replace(HOLDINGS.scope, sources=frozenset(("Daily Quill",))))
    found = proof(other, "A ferry with 214 people on board ran aground off Sandholm on Friday.")
    assert not found.findings


def test_no_sentence_of_a_draft_stays_in_memory() -> None:
    proofed("A ferry with 214 people on board ran aground off Sandholm on Friday.")
    assert figures.cache_info().currsize == 0
