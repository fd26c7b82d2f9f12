"""``retrieval/text/irregulars.toml``: the irregular forms of English nouns and verbs anew, from lemminflect.

    python -m training.irregulars

A form is irregular where the stemmer does not bring it to its word. One that is a word of its own as well ("the wound",
"he leaves") is left out, unless the table says what the news means by it; an adjective ("broken") is no such word.
lemminflect's dictionary takes half a second to load, which asking a question must not pay.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import snowballstemmer
from lemminflect import getAllInflections

from retrieval.names.gazetteer import words

TABLE = files("retrieval.text") / "irregulars.toml"

_FORMS = re.compile(r'(?<=^forms = """\n).*?(?="""$)', re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[a-z]{2,}")
_NOUN_OR_VERB = ("NNS", "VBD", "VBN", "VBG", "VBZ")
_OF_ITS_OWN = ("NN", "VB")
_stem = snowballstemmer.stemmer("english").stemWord


def rewritten(table: str) -> str:
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


if __name__ == "__main__":
    TABLE.write_text(rewritten(TABLE.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[attr-defined]
