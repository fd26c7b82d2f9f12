"""``quoted``: whom the articles quote. The figures are those of a plain count over what `stet read --json` prints."""

from collections import Counter

from adapters import json_contract
from bot.commands.quoted import HEAD, rows
from retrieval.archive.interface import Archive
from tests.shelf import FIXTURES, readings as read, service

SHELF = service(read(FIXTURES)).library


def _plain_count(archive: Archive) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for listed in archive.listed():
        article = json_contract.reading(archive.reading(listed.id))
        names = {" ".join(m["text"].split()): m["name"] for s in article["sentences"] for m in s["mentions"]}
        for sentence in article["sentences"]:
            said = sentence["attribution"]
            spoken = said and said["speaker"] and not sentence["boilerplate"]
            if spoken and said["voice"] in ("named", "unnamed", "media"):
                name = said["speaker"]
                called = names.get(name, name) if said["voice"] == "named" else name.lower()
                found[said["voice"], called, said["manner"]] += 1
    return found


def test_the_figures_are_those_of_a_plain_count() -> None:
    plain = _plain_count(SHELF.archive)
    head, *table = rows(SHELF, "")
    assert tuple(head) == HEAD
    counted: Counter[tuple[str, str, str]] = Counter()
    for name, voice, sentences, _, direct, paraphrased, *_ in table:
        called = str(name) if voice == "named" else str(name).lower()
        counted[str(voice), called, "quoted"] += int(str(direct))
        counted[str(voice), called, "paraphrased"] += int(str(paraphrased))
        assert int(str(sentences)) == int(str(direct)) + int(str(paraphrased))
    assert sum(plain.values()) > 100
    assert +counted == plain
