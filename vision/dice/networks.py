"""Loads and checks model files. The only module that imports the ONNX runtime."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Official builds of the runtime send usage data. This switches it off and must run before the import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

from vision.dice.tiling import Float

Run = Callable[[Float], Float]


class DamagedModel(ValueError):
    """A model file that cannot be used; the message names the file and says what was expected."""


@dataclass(frozen=True, slots=True)
class Network:
    """A loaded model.

    Attributes:
        run: (n, 3, h, w) float32 RGB 0..1 → output.
        stride: Height and width must be multiples of it.
        strides: Strides of the grid levels if the network outputs distances from its grid cells, which we decode;
            otherwise empty.
    """

    run: Run
    classes: int
    stride: int
    notes: dict[str, str]
    strides: tuple[int, ...] = ()


def load(path: Path, threads: int) -> Network:
    """Loads the network in a file.

    Raises:
        DamagedModel: The file cannot be used.
    """
    if not path.is_file():
        raise DamagedModel(f"{path} does not exist; expected a model file (.onnx)")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A network runs dozens of small operations. Threads that sleep between them start late; threads that spin longer
    # take the processor from everything else.
    for name, value in {
        "session.intra_op.allow_spinning": "1",
        "session.intra_op.spin_duration_us": "200",
        "session.intra_op.spin_backoff_max": "8",
        "session.force_spinning_stop": "1",
    }.items():
        options.add_session_config_entry(name, value)
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        notes: dict[str, str] = dict(session.get_modelmeta().custom_metadata_map)
        names = ast.literal_eval(notes["names"])
        wanted = session.get_inputs()[0]
    except Exception as error:  # the runtime raises a dozen unrelated types, and the metadata may hold anything
        raise DamagedModel(
            f"{path} is not a usable model: expected an ONNX file with class names as Ultralytics writes them"
        ) from error

    def run(batch: Float) -> Float:
        return np.asarray(session.run(None, {wanted.name: batch})[0], dtype=np.float32)

    strides = tuple(int(word) for word in notes.get("strides", "").split(",") if word)
    return Network(run, len(names), int(notes.get("stride", 32)), notes, strides)


def load_instead(path: Path, instead: Network, its: Path, threads: int) -> Network:
    """The network in `path`, or `instead` (loaded from `its`) if there is no such file.

    Raises:
        DamagedModel: The file cannot be used, or has other classes than `instead`.
    """
    if not path.is_file():
        return instead
    other = load(path, threads)
    if other.classes != instead.classes:
        raise DamagedModel(f"{path} has {other.classes} classes, expected as many as {its}: {instead.classes}")
    return other
