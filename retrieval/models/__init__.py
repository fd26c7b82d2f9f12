"""The models that run on onnxruntime while articles are read."""

import os

# onnxruntime's build for Windows sends telemetry unless this is set before it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
