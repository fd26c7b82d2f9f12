"""A whole draft: what is found in it, in its order, and what is left alone."""

from dataclasses import replace

import pytest

from adapters import json_contract
from bot.command import Library
from bot.commands import proof as proofing
from bot.commands.proof import listing, proof
from bot.commands.proof_facts import figures
from bot.errors import DraftError
from bot.model import Finding, FindingKind, Proof, Verdict
from retrieval import Article
from retrieval.archive.archive import open_archive
from retrieval.pipeline import read_one
from tests import stock
from tests.support.tables import articles, cases

ARTICLES = articles(__file__)
HOLDINGS, INTERRUPTED, CANAL, QUAY = (
    stock.holdings((stock.FERRY, stock.BRIDGE, ARTICLES[name])) for name in ("mill", "strike", "canal", "quay")
)


def proofed(text: str) -> Proof:
    return proof(HOLDINGS, text)


def to_check(text: str, kind: FindingKind) -> tuple[Finding, ...]:
    return tuple(finding for finding in proofed(text).to_check if finding.kind is kind)


@cases("kind, sentence, ours, theirs", FindingKind)
def test_what_the_archive_has_otherwise_is_found(kind: FindingKind, sentence: str, ours: str, theirs: str) -> None:
    (found,) = to_check(sentence, kind)
    assert found.text == ours
    assert theirs in found.what
    assert found.extracts


@cases("kind, draft", FindingKind)
def test_what_is_right_or_of_something_else_is_left_alone(kind: FindingKind, draft: str) -> None:
    assert not to_check(draft, kind)


def test_figures_are_read_with_scale_unit_and_noun_however_many_digits_they_have() -> None:
    assert [each.unit for each in figures(f"Ed Low, {'9' * 5_000}, saw {'9' * 5_000} million boats.")] == ["", ""]
    found = figures(
        "Some 4.5 million people, $3bn, two dozen ships and Ada Roth, 34, on Dec. 13, 2014; not COVID-19 or F-16."
    )
    read = [(4_500_000, ""), (3_000_000_000, "$"), (24, ""), (34, "age"), (13, "dec"), (2014, "year")]
    assert [(each.value, each.unit) for each in found] == read


def test_a_name_is_one_finding_however_often_it_is_written() -> None:
    sentence = "Gerolt Haverstein, the mayor of Corvane, closed the old mill. "
    assert len(to_check(sentence * 3, FindingKind.NAME)) == 1


def test_a_statement_without_its_caveat_is_found_with_the_outlets_words() -> None:
    (found,) = to_check("The crew had left the bridge before the ship struck the rocks.", FindingKind.CAVEAT_LOST)
    assert found.extracts[0].caveats[0].text == "The accounts could not be independently verified."
    assert "that the outlet (The Sandholm Echo) could not verify" in found.what
    assert 0 < found.confidence < 1


@cases("source, behind, named")
def test_a_caveat_that_may_be_of_several_statements_is_shown_once(source: str | None, behind: str, named: str) -> None:
    sentences = (
        "Nobody was on deck, said Marta Lindqvist, the harbour master.",
        "The lights were off, said Tomas Brandt, a sailor.",
    )
    text = "\n\n".join((*sentences, f"Witnesses said that the crew had left. {behind}"))
    holdings = stock.holdings((Article("harbour.txt", text, source=source),))
    found = [each for each in proof(holdings, " ".join(sentences)).findings if each.kind is FindingKind.CAVEAT_LOST]
    [once] = found
    assert (once.text, once.what.partition(" could not")[0]) == (sentences[0], f"Check this: {named}")


@cases("text, draft, lost")
def test_only_a_caveat_of_the_outlets_that_the_draft_lacks_is_lost(text: str, draft: str, lost: int) -> None:
    held = stock.holdings((Article("a.txt", text, source="The Echo"),))
    assert [each.kind for each in proof(held, draft).to_check] == [FindingKind.CAVEAT_LOST] * lost


def test_a_caveat_that_covers_nothing_for_sure_is_found_where_it_may_be_lost() -> None:
    held = Library(open_archive([stock.caveated(read_one(stock.FERRY), possible=[1])]))
    draft = "Two passengers told the Echo that the captain had left the bridge before the ship struck the rocks."
    for behind, expected in (("", 1), (" The accounts could not be independently verified.", 0)):
        found = [each for each in proof(held, draft + behind).findings if each.kind is FindingKind.CAVEAT_LOST]
        assert len(found) == expected
    other = "A ferry with 212 people on board ran aground off Sandholm on Friday, the coastguard said."
    assert not proof(held, other).to_check


ACCUSATION = "The mayor accused the Norfar shipping line of dumping poison in the river above the mill."


def test_an_accusation_without_its_denial_is_found_with_both() -> None:
    (found,) = to_check(ACCUSATION, FindingKind.DENIAL_LOST)
    denial = "Norfar denied dumping any poison in the river above the mill."
    assert [extract.text for extract in found.extracts] == [ACCUSATION, denial]


def test_quotations_have_the_checkers_verdict_and_the_drafts_speaker() -> None:
    found = proofed(
        "“Nobody was at the wheel,” said Marta Lindqvist. “We shouted and somebody came,” she added.\n\n"
        "“Nobody was at the wheel,” said Tomas Brandt."
    )
    checks = [finding.check for finding in found.findings if finding.check]
    assert [check.verdict for check in checks] == [Verdict.EXACT, Verdict.ALTERED, Verdict.MISATTRIBUTED]
    assert checks[2].claimed
    assert checks[2].claimed.name == "Tomas Brandt"


def test_a_right_quotation_without_a_speaker_that_is_compared_says_who_says_it_there() -> None:
    held = stock.holdings((Article("quay.txt", "“The quay stays shut for a year,” said Ines Lund."),))
    there = {".” So it goes.": "No speaker was compared. In the article: Ines Lund."}
    for behind, shown in (there | {",” said Ines Lund.": "Said by Ines Lund."}).items():
        found = proof(held, f"“The quay stays shut for a year{behind}")
        assert not found.to_check
        assert listing(found).sections[0].heading.endswith(shown)
    [other] = proof(held, "Port officials said that “the quay stays shut for a year”.").to_check
    assert "The article says “Ines Lund”. Check that this is Port officials." in other.what


@cases("draft, verdicts", Verdict)
def test_a_quotation_that_the_draft_interrupts_is_one_finding(draft: str, verdicts: tuple[Verdict, ...]) -> None:
    found = proof(INTERRUPTED, draft).findings
    assert tuple(finding.check.verdict for finding in found if finding.check) == verdicts


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
        "A ferry with 214 people ran aground off Sandholm on Friday.\n\n“Nobody was at the wheel.” " + ACCUSATION
    )
    *lines, summary = json_contract.proof_lines(found)
    assert [line["kind"] for line in lines] == [finding.kind for finding in found.findings]
    assert summary == {"kind": "summary", "quotations": 1, "findings": len(found.to_check), "words": found.words}
    assert {line["verdict"] for line in lines} == {"exact", None}
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


@cases("draft, words")
def test_a_statement_that_is_surer_or_lost_a_quoted_denial_is_found(draft: str, words: str) -> None:
    (found,) = (each for each in proof(CANAL, draft).to_check if each.kind is not FindingKind.NAME)
    assert words in found.what


@cases("draft")
def test_what_is_as_sure_or_not_denied_is_left_alone(draft: str) -> None:
    kinds = {finding.kind for finding in proof(CANAL, draft).to_check}
    assert kinds.isdisjoint({FindingKind.CERTAINTY, FindingKind.DENIAL_LOST})


@cases("draft, ours, theirs")
def test_a_statement_of_another_body_in_the_archive_is_found(draft: str, ours: str, theirs: str) -> None:
    (found,) = (each for each in proof(QUAY, draft).to_check if "in the article" in each.what)
    assert ours in found.what
    assert theirs in found.what


@cases("draft")
def test_a_body_that_may_be_the_archives_or_says_something_else_is_left_alone(draft: str) -> None:
    assert not [each for each in proof(QUAY, draft).to_check if "in the article" in each.what]
