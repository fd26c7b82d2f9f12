"""What is shown for a speaker: whole names, without titles, datelines, clauses or the tokens of a corpus."""

from __future__ import annotations

import json
import re

import pytest

from retrieval.model import Article
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_one
from retrieval.speech.labels import Labels
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.shared import shared

_FAULT = re.compile(
    r"\b(?:is|are|was|were|has|had|have|will|would|says?|said|told|denies|denied|accused)\b|-[LR]RB-|``|''|[()]|\n|"
    r"\s[’']s\b|^[A-Z]{3,} [A-Z][a-z]+ [A-Z]"
)

TEXT = (
    "Ada Tamm met Omar Ruiz and Liis Kask, the Harbour Fund of Norland and Velm Technologies. "
    "Robert Halm, a Nevada Democrat, met Gov. Jaan Roos, the mayor of Paldu, and former Secretary of State Ilse Vaher. "
    "Vera Halm, Grace Halm and the National Sea Rescue Service (NSRS) left. Tamm met the NSRS, Velm and Melika Orr. "
    "The Board of Lakes and Rivers shut it. Moll B. Karr and Otto K. Lind left. Denby's said no. Nobody left Denby's."
)


def label(text: str) -> str | None:
    article = Article("a", TEXT)
    layout = lay_out(article, parse(TEXT))
    return Labels(layout.with_names(find_names(layout))).of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ruiz spokesman Omar Ruiz", "Omar Ruiz"),
        ("Senator Ada Tamm of Norland", "Ada Tamm"),
        ("Ada Tamm, who runs the port", "Ada Tamm"),
        ("the state's former governor, Ada Tamm", "Ada Tamm"),
        ("writer and critic Ada Tamm", "Ada Tamm"),
        ("Paldu (CNN) Ada Tamm", "Ada Tamm"),
        ("4 May - Ada Tamm", "Ada Tamm"),
        ("a lawyer for Senator Ada Tamm", "a lawyer for Senator Ada Tamm"),
        ("Ada Tamm's lawyer", "Ada Tamm's lawyer"),
        ("Ada Tamm's statement", "Ada Tamm"),
        ("a statement from Ada Tamm", "Ada Tamm"),
        ("Reps. Ada Tamm, D-Ohio, and Omar Ruiz, R", "Ada Tamm and Omar Ruiz"),
        ("Ada Tamm, the mayor, and Omar Ruiz", "Ada Tamm and Omar Ruiz"),
        ("Tamm and Ruiz", "Ada Tamm and Omar Ruiz"),
        ("the mayor and Ada Tamm", "the mayor and Ada Tamm"),
        ("The port denies the theft and President Ada Tamm", "Ada Tamm"),
        ("officials conclude that Ada Tamm", "Ada Tamm"),
        ("a hospital revoked the rights of two nurses", None),
        ("the officials closed the pier", "the officials"),
        ("a man wanted for theft", "a man wanted for theft"),
        ("lawyers briefed on the matter", "lawyers briefed on the matter"),
        ("the Nevada Democrat", "Robert Halm"),
        ("Nevada Democrat", "Robert Halm"),
        ("a Nevada Democrat", "a Nevada Democrat"),
        ("NSRS", "National Sea Rescue Service"),
        ("Velm", "Velm Technologies"),
        ("Halm", "Halm"),
        ("BLR", "Board of Lakes and Rivers"),
        ("BOLAR", "Board of Lakes and Rivers"),
        ("OKL", "Otto K. Lind"),
        ("Denby", "Denby's"),
        ("rescue group Velm Technologies", "Velm Technologies"),
        ("former Velm Technologies", "former Velm Technologies"),
        ("the Harbour Fund, known as the Fund", "the Harbour Fund"),
        ("PALDU − Senior officials", "Senior officials"),
        ("a news release from Ada Tamm", "Ada Tamm"),
        ("the port 's council", "the port's council"),
        ("the council -LRB- PC -RRB-", "the council"),
    ],
)
def test_a_label_is_a_noun_phrase_with_the_fullest_name(text: str, expected: str | None) -> None:
    assert label(text) == expected


@pytest.mark.parametrize(("corpus", "step"), [("news_2000.jsonl", 80), ("news_500.jsonl", 25)])
def test_no_label_holds_a_verb_a_dateline_or_tokens(corpus: str, step: int) -> None:
    lines = shared("data", "corpus", corpus).read_text(encoding="utf-8").splitlines()[::step]
    readings = [read_one(Article(row["id"], row["text"])) for row in map(json.loads, lines)]
    labels = {p.speaker for reading in readings for p in reading.passages if p.speaker}
    faulty = sorted(label for label in labels if _FAULT.search(label))
    assert len(labels) > 50
    assert len(faulty) <= len(labels) * 0.01, faulty
