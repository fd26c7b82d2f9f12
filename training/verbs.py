"""``retrieval/lexicon/reporting_verbs.toml``: the forms of each verb anew, from lemminflect; the rest stays.

    python -m training.verbs

lemminflect's dictionary takes a third of a second to load, which asking a question must not pay.
"""

from __future__ import annotations

import re
from importlib.resources import files

from lemminflect import getAllInflections, getAllInflectionsOOV

TABLE = files("retrieval.lexicon") / "reporting_verbs.toml"

_TAGS = ("VBZ", "VBD", "VBN", "VBG")
_ROW = re.compile(r'^(?P<lemma>\w+) = "[^,"]*(?P<frame>,[^"]*)?"$', re.MULTILINE)


def forms_of(lemma: str) -> str:
    """Return the forms of a verb: third person, past, participle (where apart), form in -ing.

    Spellings of one form are parted by a slash; a dash stands for none. A verb that the dictionary has not
    ("to text") is inflected by rule.
    """
    forms = getAllInflections(lemma, "VERB")
    if not forms:
        forms = {tag: form for tag, form in getAllInflectionsOOV(lemma, "VERB").items() if tag != "VBN"}
    return " ".join("/".join(forms.get(tag, ())) or "-" for tag in _TAGS)


def rewritten(table: str) -> str:
    """Return the table with the forms of every verb put anew; frames, comments and the order stay."""
    return _ROW.sub(lambda row: f'{row["lemma"]} = "{forms_of(row["lemma"])}{row["frame"] or ""}"', table)


if __name__ == "__main__":
    TABLE.write_text(rewritten(TABLE.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[attr-defined]
