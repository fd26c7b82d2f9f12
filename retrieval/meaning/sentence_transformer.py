"""A folder in the layout of sentence-transformers, with its ONNX model -> an encoder.

Read are ``model.onnx`` or ``onnx/model.onnx``, ``tokenizer.json``, and where they are there ``modules.json``,
the pooling's ``config.json``, ``sentence_bert_config.json`` and ``config_sentence_transformers.json``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import NoEncoderError
from retrieval.meaning.encoder import Vectors, computer, encodable

MODELS = ("model.onnx", "onnx/model.onnx")
TOKENIZER, MODULES = "tokenizer.json", "modules.json"
LIMITS, PROMPTS, POOLING = "sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling"
KNOWN = ("Transformer", "Pooling", "Normalize")  # modules; the last is always done
LONGEST = 512  # tokens, where the folder does not say
FOR_QUESTIONS = ("query",)
FOR_SENTENCES = ("document", "passage", "corpus")
QUIET = 3  # of onnxruntime's log levels: errors alone
TOKENS, SENTENCES = 3, 2  # axes of an output that has a vector a token, and a vector a text

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Layout:
    """What a folder says of its model: where it is, how its tokens' vectors become one, and what it is given."""

    model: Path
    tokenizer: Path
    first: bool  # the first token's vector stands for the text; else the mean of all
    lower: bool
    longest: int  # tokens
    question: str  # put ahead of a question
    sentence: str  # put ahead of a sentence


def read_layout(folder: Path) -> Layout:
    """Return what ``folder`` says; ``NoEncoderError`` where a file is missing or asks for what is not known here."""
    model = next((folder / name for name in MODELS if (folder / name).is_file()), None)
    if model is None or not (folder / TOKENIZER).is_file():
        raise NoEncoderError(f"{folder} has no {' or '.join(MODELS)} with a {TOKENIZER}")
    try:
        return _layout(folder, model)
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise NoEncoderError(f"{folder} is not laid out as a sentence-transformers model: {error!r}") from error


def _layout(folder: Path, model: Path) -> Layout:
    limits, prompts = _read(folder / LIMITS), _read(folder / PROMPTS)
    named = prompts.get("prompts") or {}
    usual = prompts.get("default_prompt_name")
    if not isinstance(named, dict):
        raise TypeError(f"prompts of {PROMPTS}")
    return Layout(
        model=model,
        tokenizer=folder / TOKENIZER,
        first=_pools_first(_read(folder / _pooling(folder) / "config.json")),
        lower=bool(limits.get("do_lower_case")),
        longest=int(str(limits.get("max_seq_length") or LONGEST)),
        question=_prompt(named, (*FOR_QUESTIONS, usual)),
        sentence=_prompt(named, (*FOR_SENTENCES, usual)),
    )


def _read(path: Path) -> Json:
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if not isinstance(found, dict):
        raise TypeError(path.name)
    return found


def _pooling(folder: Path) -> str:
    """Return the folder of the pooling, from the list of modules where there is one."""
    if not (folder / MODULES).is_file():
        return POOLING
    modules = json.loads((folder / MODULES).read_text(encoding="utf-8"))
    kinds = {str(module["type"]).rpartition(".")[2]: str(module["path"]) for module in modules}
    for kind in kinds:
        if kind not in KNOWN:
            raise NoEncoderError(f"the model in {folder} has a module {kind}; known are {', '.join(KNOWN)}")
    return kinds.get("Pooling", POOLING)


def _pools_first(config: Json) -> bool:
    """Return whether the first token stands for the text; ``NoEncoderError`` where neither it nor the mean does."""
    set_ = (name.removeprefix("pooling_mode_") for name, value in config.items() if value is True)
    modes = [name.removesuffix("_tokens").removesuffix("_token") for name in set_ if name != "include_prompt"]
    mode = str(config.get("pooling_mode") or "+".join(modes) or "mean")
    if mode not in ("mean", "cls") or config.get("include_prompt") is False:
        raise NoEncoderError(f"the model pools by {mode}, or leaves its prompt out; known are mean and cls over all")
    return mode == "cls"


def _prompt(named: Mapping[str, object], names: Sequence[object]) -> str:
    return next((str(named[name]) for name in names if isinstance(name, str) and name in named), "")


class SentenceTransformer:
    """The model of a folder, loaded; ``NoEncoderError`` where it cannot be.

    Texts go through it one by one: beside others they would be padded, and the last digits would depend on them.
    """

    def __init__(self, folder: Path) -> None:
        self._layout = read_layout(folder)
        try:
            import onnxruntime  # noqa: PLC0415 - an optional dependency
            import tokenizers  # noqa: PLC0415

            self._tokenizer = tokenizers.Tokenizer.from_file(str(self._layout.tokenizer))
            options = onnxruntime.SessionOptions()
            options.log_severity_level = QUIET
            options.use_deterministic_compute = True
            self._session = onnxruntime.InferenceSession(
                str(self._layout.model), options, providers=["CPUExecutionProvider"]
            )
        except ImportError as error:
            raise NoEncoderError(f"{error.name} is not installed") from error
        except Exception as error:  # what the two libraries raise has no root of its own
            raise NoEncoderError(f"the model in {folder} cannot be loaded: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self._layout.longest)
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._nothing = np.zeros_like(self._vector("word"))
        self.name = f"onnx {_digest(folder)} {onnxruntime.__version__} {tokenizers.__version__} {computer()}"

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, dimensions)."""
        return np.stack([self._vector(self._layout.sentence + encodable(text)) for text in texts])

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimensions,)."""
        return self._vector(self._layout.question + encodable(text))

    def _vector(self, text: str) -> Vectors:
        tokens = self._tokenizer.encode(text.lower() if self._layout.lower else text)
        if not tokens.ids:
            return self._nothing
        known = {"input_ids": tokens.ids, "attention_mask": tokens.attention_mask, "token_type_ids": tokens.type_ids}
        given = {name: np.array([known[name]], dtype=np.int64) for name in self._inputs}
        pooled = self._pooled(self._session.run(None, given))
        length = np.linalg.norm(pooled)
        return (pooled / (length or 1.0)).astype(np.float32)

    def _pooled(self, outputs: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
        """Return one vector, of the tokens' where the model gives them, else as the model itself pools."""
        for axes in (TOKENS, SENTENCES):
            for output in outputs:
                if output.ndim == axes:
                    vectors = output.astype(np.float64).reshape(-1, output.shape[-1])
                    alone = self._layout.first or axes == SENTENCES
                    pooled: NDArray[np.float64] = vectors[0] if alone else vectors.mean(axis=0)
                    return pooled
        raise NoEncoderError("the model gives vectors neither of tokens nor of a text")


def _digest(folder: Path) -> str:
    """Return a digest of every file that the model's figures may depend on: those of the folder and of one level below.

    A whole model is read, in less time than loading it takes; names and dates of files say too little.
    """
    found = hashlib.blake2b(digest_size=8)
    for path in sorted(path for pattern in ("*", "onnx/*", "*_*/*") for path in folder.glob(pattern)):
        if path.is_file() and (".onnx" in path.name or path.suffix == ".json"):
            found.update(path.name.encode())
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "blake2b").digest())
    return found.hexdigest()
