"""Sentences and questions -> vectors that are near each other where they mean the same."""

import os

# onnxruntime sends usage data to Microsoft from its import on, unless this is set before; its own API comes too late.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
