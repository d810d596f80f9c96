#!/usr/bin/env python
"""Times the reader's two networks on onnxruntime and on OpenVINO, best and median of 60 runs on two cores.

.venv-train/bin/python scripts/compare_runtimes.py      (needs pip install openvino there)
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as in vision/dice/networks.py
import onnxruntime
import openvino

MODELS = Path(__file__).resolve().parent.parent / "models"
SHAPES = {"finder": (1, 3, 384, 640), "reader": (6, 3, 80, 80)}


def milliseconds(run: Callable[[], object]) -> str:
    """Best and median of 60 calls, after five to warm up."""
    taken = []
    for _ in range(65):
        began = time.perf_counter()
        run()
        taken.append(1000 * (time.perf_counter() - began))
    taken = sorted(taken[5:])
    return f"{taken[0]:.1f} ms best, {taken[30]:.1f} median"


options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 2
for name, shape in SHAPES.items():
    picture = np.random.default_rng(1).random(shape, dtype=np.float32)
    path = str(MODELS / f"{name}.onnx")
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0].name
    network = openvino.Core().read_model(path)
    network.reshape({given: list(shape)})
    compiled = openvino.Core().compile_model(
        network, "CPU", {"INFERENCE_NUM_THREADS": 2, "PERFORMANCE_HINT": "LATENCY"}
    )
    print(f"{name} onnxruntime: {milliseconds(lambda s=session, g=given, x=picture: s.run(None, {g: x}))}")
    print(f"{name} openvino: {milliseconds(lambda c=compiled, x=picture: c(x))}")
