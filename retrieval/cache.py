"""What lies on disk for the next start: readings as bytes, and the digest of the program that made them.

The digest is that of whatever could make the program read otherwise: its source, its tables, its libraries.
"""

import hashlib
import re
import sys
import unicodedata
import zlib
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, requires, version
from pathlib import Path

import msgspec

from retrieval.model import Article, Caveat, Passage, Reading

DISTRIBUTION = "stet-newsroom"
SOURCE = Path(__file__).resolve().parent
MODELS = frozenset({".npz", ".onnx"})
ENDINGS = MODELS | {".gz", ".py", ".toml", ".txt"}
MODEL_END = 1 << 16  # bytes of a model that are looked at: weights that are learned anew differ everywhere
# libraries in C that spaCy reads with, whose versions its own does not fix
_BEHIND = ("thinc",)
_NAME = re.compile(r"[\w.-]+")


@cache
def program_version(source: Path = SOURCE) -> str:
    """Return the digest of the files below ``source`` and of the versions of the libraries that reading depends on.

    A changed rule, table, model or library changes it; so what another program read is never taken for its own.
    """
    digest = hashlib.sha256()
    for file in sorted(file for file in source.rglob("*") if file.suffix in ENDINGS):
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - MODEL_END) if file.suffix in MODELS else 0)
            content = stream.read()
        digest.update(f"{file.relative_to(source).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    try:
        asked = [line for line in requires(DISTRIBUTION) or () if "extra ==" not in line]
    except PackageNotFoundError:  # run from its folder: all there are
        asked = [distribution.name for distribution in distributions()]
    digest.update(f"python {sys.version_info[:2]} unicode {unicodedata.unidata_version}\n".encode())
    for name in sorted({*_BEHIND, *(match[0] for match in map(_NAME.match, asked) if match)}):
        with suppress(PackageNotFoundError):
            digest.update(f"{name} {version(name)}\n".encode())
    return digest.hexdigest()


# Readings are compressed JSON, so that a file that somebody else wrote can lie and do nothing else.
# The article itself is not encoded: who decodes has it, and the code is stored under its digest.
# A caveat is there once, and passages refer to it by number. How likely it covers each sentence is not stored.
# A checksum comes first: a changed byte may be a valid reading too, without a caveat.
CHECKSUM = 8  # digits in front
FAST = 1  # zlib's level
# the caveats; each passage without its own, the numbers of these and of the possible ones
_DECODER = msgspec.json.Decoder(tuple[tuple[Caveat, ...], tuple[tuple[Passage, tuple[int, ...], tuple[int, ...]], ...]])


def encode(reading: Reading) -> bytes:
    """Return ``reading`` as bytes; ``UnicodeError`` where half a character is in it."""
    numbers = {caveat: number for number, caveat in enumerate(reading.caveats)}
    rows = [
        (
            replace(passage, caveats=(), possible_caveats=()),
            [numbers[caveat] for caveat in passage.caveats],
            [numbers[caveat] for caveat in passage.possible_caveats],
        )
        for passage in reading.passages
    ]
    caveats = [replace(caveat, judgements=()) for caveat in reading.caveats]
    code = zlib.compress(msgspec.json.encode((caveats, rows)), FAST)
    return _checksum(reading.article, code) + code


def is_whole(article: Article, code: bytes) -> bool:
    """Return whether ``code`` is as it was made of a reading of ``article``."""
    return code[:CHECKSUM] == _checksum(article, code[CHECKSUM:])


def _checksum(article: Article, code: bytes) -> bytes:
    return b"%08x" % zlib.crc32(code, zlib.crc32(article.digest.encode()))


def decode(article: Article, code: bytes) -> Reading:
    """Return the reading of ``article``; ``ValueError`` where ``code`` is none of it."""
    if not is_whole(article, code):
        raise ValueError(f"no reading of {article.id}")
    try:
        caveats, rows = _DECODER.decode(zlib.decompress(code[CHECKSUM:]))
        of = caveats.__getitem__
        passages = tuple(
            [
                replace(passage, caveats=tuple(map(of, own)), possible_caveats=tuple(map(of, possible)))
                if own or possible
                else passage
                for passage, own, possible in rows
            ]
        )
    except (msgspec.MsgspecError, zlib.error, LookupError, RecursionError) as error:
        raise ValueError(f"no reading of {article.id}") from error
    if any(passage.sentence.span.end > len(article.text) for passage in passages):
        raise ValueError(f"a reading of another text than that of {article.id}")
    return Reading(article, passages, caveats)
