"""The models that come with the program, on onnxruntime: who speaks, what a sentence means, whether it answers."""

import os

# onnxruntime sends usage data to Microsoft from its import on, unless this is set before; its own API comes too late.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
