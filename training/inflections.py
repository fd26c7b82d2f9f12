"""The forms of English words in two tables anew, from lemminflect: the rest of a table stays.

    python -m training.inflections

``retrieval/text/irregulars.toml`` has the irregular forms of nouns and verbs. A form is irregular where the stemmer
does not bring it to its word. One that is a word of its own as well ("the wound", "he leaves") is left out, unless the
table says what the news means by it; an adjective ("broken") is no such word.
``retrieval/lexicon/reporting_verbs.toml`` has the forms of each of its verbs.
lemminflect's dictionary takes half a second to load, which asking a question must not pay.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import snowballstemmer
from lemminflect import getAllInflections, getAllInflectionsOOV

from retrieval.names.gazetteer import words

IRREGULARS = Path(str(files("retrieval.text") / "irregulars.toml"))
VERBS = Path(str(files("retrieval.lexicon") / "reporting_verbs.toml"))

_FORMS = re.compile(r'(?<=^forms = """\n).*?(?="""$)', re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[a-z]{2,}")
_NOUN_OR_VERB = ("NNS", "VBD", "VBN", "VBG", "VBZ")
_OF_ITS_OWN = ("NN", "VB")
_stem = snowballstemmer.stemmer("english").stemWord
_TAGS = ("VBZ", "VBD", "VBN", "VBG")
_ROW = re.compile(r'^(?P<lemma>\w+) = "[^,"]*(?P<frame>,[^"]*)?"$', re.MULTILINE)


def with_irregulars(table: str) -> str:
    """Return the table with the forms put anew, a word and its forms a line; the rest stays."""
    meant = frozenset(tomllib.loads(table)["meant"].split())
    lines = "".join(f"{' '.join((word, *sorted(forms)))}\n" for word, forms in _irregular(meant))
    return _FORMS.sub(lambda _: lines, table)


def _irregular(meant: frozenset[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield every word that has irregular forms, with them; a form belongs to the first of its words."""
    dictionary = {word: forms for word in words() if (forms := getAllInflections(word))}
    own = {word for word, forms in dictionary.items() if any(tag in forms for tag in _OF_ITS_OWN)}
    regular = {(form, _stem(form)) for word, form in _inflected(dictionary) if _stem(form) == _stem(word)}
    found: dict[str, set[str]] = {}
    taken: set[str] = set()
    for word, form in _inflected(dictionary):
        ambiguous = form in own or (form, _stem(form)) in regular
        if _stem(form) != _stem(word) and form not in taken and (form in meant or not ambiguous):
            found.setdefault(word, set()).add(form)
            taken.add(form)
    yield from sorted(found.items())


def _inflected(dictionary: dict[str, dict[str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    """Yield every noun and verb with each of its forms."""
    for word, forms in sorted(dictionary.items()):
        every = {form for tag in _NOUN_OR_VERB for form in forms.get(tag, ())}
        yield from ((word, form) for form in sorted(every) if _WORD.fullmatch(word) and _WORD.fullmatch(form))


def with_verbs(table: str) -> str:
    """Return the table with the forms of every verb put anew; frames, comments and the order stay."""
    return _ROW.sub(lambda row: f'{row["lemma"]} = "{_forms_of(row["lemma"])}{row["frame"] or ""}"', table)


def _forms_of(lemma: str) -> str:
    """Return the forms of a verb: third person, past, participle (where apart), form in -ing.

    Spellings of one form are parted by a slash; a dash stands for none. A verb that the dictionary has not
    ("to text") is inflected by rule.
    """
    forms = getAllInflections(lemma, "VERB")
    if not forms:
        forms = {tag: form for tag, form in getAllInflectionsOOV(lemma, "VERB").items() if tag != "VBN"}
    return " ".join("/".join(forms.get(tag, ())) or "-" for tag in _TAGS)


if __name__ == "__main__":
    VERBS.write_text(with_verbs(VERBS.read_text(encoding="utf-8")), encoding="utf-8")
    IRREGULARS.write_text(with_irregulars(IRREGULARS.read_text(encoding="utf-8")), encoding="utf-8")
