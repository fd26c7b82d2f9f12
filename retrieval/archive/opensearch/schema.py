"""What the indexes are: their fields, and what is the same in each.

Sentences carry their paragraph and article as fields of their own, so that one query scores all three by BM25. The
statistics of such a field count a paragraph once for each of its sentences, where the archive in memory counts it
once: a term's idf differs by a few hundredths, and no held-out figure by a point (``docs/opensearch.md``).
"""

from __future__ import annotations

from typing import Any

from retrieval.archive.idf import K1, B
from retrieval.archive.opensearch.address import Address

SENTENCES, ARTICLES, NAMES = PARTS = ("sentences", "articles", "names")

# To be raised with each change to the fields, or to what is written in them: archives made before are filled anew.
SCHEMA = 3

Body = dict[str, Any]  # what a request is made of: JSON

# Lucene's own analyser: terms are made by the program, and a space stands between them. It parts what is longer.
TERMS: Body = {"type": "text", "analyzer": "whitespace"}
LONGEST = 255  # characters
_SCORED = {**TERMS, "similarity": "stet", "index_options": "freqs"}
_HELD = {**TERMS, "index_options": "docs", "norms": False}
_KEY: Body = {"type": "keyword"}
_STORED: Body = {"type": "keyword", "index": False, "doc_values": False}

_DAY: Body = {"type": "date", "format": "strict_date"}
_OF = {"of": _KEY, "stamp": _KEY}  # the article's id, and what tells its versions apart
_PLACED = {"source": _KEY, "day": _DAY}  # its source, and the day that it counts for
FIELDS: dict[str, Body] = {
    SENTENCES: {
        **_OF,
        **_PLACED,
        "index": {"type": "integer"},
        "kind": _KEY,
        "own": _SCORED,
        "paragraph": _SCORED,
        "article": _SCORED,
        "around": _HELD,
    },
    ARTICLES: {
        **_OF,
        **_PLACED,
        "version": _KEY,
        "url": _KEY,
        "published": _DAY,
        "words": _HELD,
        "number": {"type": "integer"},
        "held": _STORED,
        "record": _STORED,
    },
    NAMES: {
        **_OF,
        **dict.fromkeys(("key", "variants", "spelt", "words", "sounds", "terms", "begun", "within"), _KEY),
    },
}


def template(part: str, address: Address) -> Body:
    """Return the template of every index of a part, whenever it is made."""
    return {
        "index_patterns": [f"{alias(part, address)}-*"],
        "template": {
            "settings": {
                "number_of_shards": address.shards,
                "number_of_replicas": address.replicas,
                "similarity": {"stet": {"type": "BM25", "k1": K1, "b": B}},
                # a takedown is thorough: what was deleted leaves the files when it is asked for, however little
                "merge.policy.expunge_deletes_allowed": 0,
            },
            "mappings": {
                "dynamic": "strict",
                "_meta": {"schema": SCHEMA},
                # what sentences are made of stands with their article, once
                "_source": {"enabled": part != SENTENCES},
                "properties": FIELDS[part],
            },
        },
    }


def alias(part: str, address: Address) -> str:
    """Return the name by which a part is read and written, whatever index is behind it."""
    return f"{address.prefix}-{part}"
