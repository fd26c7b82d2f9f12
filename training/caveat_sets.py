"""Rows of one passage with a caveat each -> the same passage with two or three of these caveats in it.

Where an article holds several caveats, a model must tell them apart by what each is about. A set of passages that
differ in the caveat alone says what each of them covers, and so what it covers beside the others. A caveat keeps the
place that it has in its own row, or comes right after the last sentence that it covers.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

Row = dict[str, Any]

KINDS = frozenset(("own", "relayed", "standing", "partial"))
TRIES, MOST = 6, 3  # of a set: draws, and passages that are made at most
EARLY, BREAKS = 0.6, 0.5  # the shares that come right after what they cover, and that end a paragraph


def together(rows: Iterable[Row], chance: random.Random) -> Iterator[Row]:
    """Yield passages with several caveats, each as often as it has caveats: of each, ``at`` is another one.

    Rows of one set have the same id before its first hyphen, and the same sentences but for the one ``at``. The id of
    what is made begins in the same way.
    """
    sets = defaultdict[str, list[Row]](list)
    for row in rows:
        sets[row["id"].partition("-")[0]].append(row)
    for name, same in sets.items():
        able = [row for row in same if row["kind"] in KINDS and row["covers"] and row["at"] not in row["covers"]]
        made = dict[tuple[str, ...], list[Row]]()  # the sentences of a passage -> its rows
        for _ in range(TRIES if len(able) > 1 and len({row["at"] for row in same}) == 1 else 0):
            chosen = chance.sample(able, min(len(able), chance.choice((2, 2, 3))))
            if len(made) < MOST and len({tuple(row["covers"]) for row in chosen}) > 1:
                passage = list(_passage(f"{name}-{len(made)}", chosen, chance))
                made.setdefault(tuple(passage[0]["sentences"]), passage)
        yield from chain.from_iterable(made.values())


def _passage(name: str, chosen: Sequence[Row], chance: random.Random) -> Iterator[Row]:
    first, at = chosen[0], chosen[0]["at"]
    behind = {i: list[Row]() for i in range(len(first["sentences"]))}  # a sentence's index -> the caveats after it
    for row in chosen:
        last = max(row["covers"])
        behind[last if last < at and chance.random() < EARLY else at].append(row)
    sentences, ends, places, caveats = list[str](), list[int](), dict[int, int](), list[tuple[int, Row]]()
    for i, sentence in enumerate(first["sentences"]):
        if i != at:
            places[i] = len(sentences)
            sentences.append(sentence)
        for row in behind[i]:
            caveats.append((len(sentences), row))
            sentences.append(row["sentences"][at])
        if i in first["paragraph_ends"] or (behind[i] and chance.random() < BREAKS):
            ends.append(len(sentences) - 1)
    for number, (place, row) in enumerate(caveats):
        known = {key: sorted(places[i] for i in row[key] if i in places) for key in ("covers", "border")}
        yield {**row, **known, "id": f"{name}{number}", "sentences": sentences, "paragraph_ends": ends, "at": place}
