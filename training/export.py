"""A trained model of windows -> its ONNX file: a scale for each channel of the trunk's 8 bits, and the heads in float.

That keeps what the model is worth in float; the heads in 8 bits cost two right speakers of a hundred. The attention is
one operation of onnxruntime, without a mask: a window is never padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import quantize_dynamic
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from torch.onnx.symbolic_helper import parse_args
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

OPSET = 17


def open_tokenizer(trunk: Path) -> Tokenizer:
    """Return the tokenizer of a trunk, which neither cuts nor pads."""
    tokenizer = Tokenizer.from_file(str(trunk / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def export(model: nn.Module, inputs: dict[str, Any], outputs: Sequence[str], axes: Any, to: Path) -> None:
    """Write ``model``, whose forward pass takes ``inputs`` in their order; ``axes`` of any length are named."""
    trunk: Any = next(part for name, part in model.named_modules() if name.endswith("trunk"))
    whole = to.with_name("whole.onnx")
    trunk.set_attn_implementation("one_operation")
    torch.onnx.export(
        model.eval(),
        tuple(inputs.values()),
        whole,
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes=axes,
        dynamo=False,
        opset_version=OPSET,
    )
    nodes = onnx.load(whole).graph.node
    heads = [node.name for node in nodes if node.op_type in ("MatMul", "Gemm") and "trunk" not in node.name]
    quantize_dynamic(whole, to, per_channel=True, nodes_to_exclude=heads)
    whole.unlink()


@torch.library.custom_op("stet::attend", mutates_args=())
def _attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, heads: int) -> torch.Tensor:
    parts = (x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in (query, key, value))
    return functional.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2).contiguous()


@parse_args("v", "v", "v", "i")
def _symbol(graph: Any, query: Any, key: Any, value: Any, heads: int) -> Any:
    made = graph.op("com.microsoft::MultiHeadAttention", query, key, value, num_heads_i=heads)
    return made.setType(query.type())


def _one_operation(_: Any, query: Any, key: Any, value: Any, __: Any, **___: Any) -> tuple[Any, None]:
    joined = (x.transpose(1, 2).flatten(2) for x in (query, key, value))
    return _attend(*joined, query.shape[1]).unflatten(-1, (query.shape[1], -1)), None


torch.onnx.register_custom_op_symbolic("stet::attend", _symbol, OPSET)
ALL_ATTENTION_FUNCTIONS.register("one_operation", _one_operation)
ALL_MASK_ATTENTION_FUNCTIONS.register("one_operation", lambda *_, **__: None)
