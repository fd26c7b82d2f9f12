"""An archive in a file and one in a cluster have the methods of one protocol."""

from __future__ import annotations

import inspect

import pytest

from retrieval.archive.archive import FileVocabulary, WritableArchive
from retrieval.archive.interface import Archive, Vocabulary
from retrieval.archive.opensearch.archive import ClusterArchive, ClusterVocabulary


def methods(kind: type) -> dict[str, list[str]]:
    functions = inspect.getmembers(kind, inspect.isfunction)
    return {name: list(inspect.signature(each).parameters) for name, each in functions if not name.startswith("_")}


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [
        (Archive, WritableArchive),
        (Archive, ClusterArchive),
        (Vocabulary, FileVocabulary),
        (Vocabulary, ClusterVocabulary),
    ],
)
def test_its_methods_take_what_the_protocol_says(protocol: type, kind: type) -> None:
    assert methods(protocol).items() <= methods(kind).items()


def test_the_protocol_stays_small() -> None:
    assert len(methods(Archive)) == 21
