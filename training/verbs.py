"""``retrieval/speech/verbs.txt``: the forms of each verb anew, from lemminflect; its lemmas and forces stay.

    python -m training.verbs

lemminflect's dictionary takes a third of a second to load, which asking a question must not pay.
"""

from __future__ import annotations

from importlib.resources import files

from lemminflect import getAllInflections, getAllInflectionsOOV

TABLE = files("retrieval.speech") / "verbs.txt"

_TAGS = ("VBZ", "VBD", "VBN", "VBG")


def row_of(lemma: str, force: str) -> str:
    """Return the line of one verb: lemma, force, third person, past, participle (where apart), form in -ing.

    Spellings of one form are parted by a slash; a dash stands for none. A verb that the dictionary has not
    ("to text") is inflected by rule.
    """
    forms = getAllInflections(lemma, "VERB")
    if not forms:
        forms = {tag: form for tag, form in getAllInflectionsOOV(lemma, "VERB").items() if tag != "VBN"}
    return " ".join((lemma, force, *("/".join(forms.get(tag, ())) or "-" for tag in _TAGS)))


def rewritten(table: str) -> str:
    """Return the table with the forms of every verb put anew; comments and the order stay."""
    lines = [line if not line or line.startswith("#") else row_of(*line.split()[:2]) for line in table.splitlines()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(rewritten(TABLE.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[attr-defined]
