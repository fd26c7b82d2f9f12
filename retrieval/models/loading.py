"""A model's file -> the model and the tokenizer that all models share."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from retrieval.errors import NoEncoderError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

CLS, SEP, MARK = 101, 102, 1  # of BERT's vocabulary; "[unused0]" marks where a sentence begins
DIGITS = 2  # of a score or a probability: the rest differs between processors
ERRORS_ONLY = 3  # of onnxruntime's log levels


def open_model(file: str, threads: int = 0) -> tuple[Tokenizer, InferenceSession]:
    """Load a model of this package, and the tokenizer; ``threads`` 0 means all processors.

    Raises ``NoEncoderError``.
    """
    try:
        import onnxruntime  # noqa: PLC0415 - loaded when an article is read or a question asked
        import tokenizers  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.log_severity_level = ERRORS_ONLY
        options.use_deterministic_compute = True
        options.intra_op_num_threads = threads
        # a thread that spins while it waits takes the processor from the one it waits for, where others are busy
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        with as_file(files("retrieval.models")) as folder:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "reader" / "tokenizer.json"))
            session = onnxruntime.InferenceSession(str(folder / file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what the two libraries raise has no root of its own
        raise NoEncoderError(f"{file} cannot be loaded: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, session
