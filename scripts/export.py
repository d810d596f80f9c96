#!/usr/bin/env python
"""Converts trained weights to `finder`, `glance`, `reader`, `close_reader` and `print.onnx`, and checks their parity.

    python scripts/export.py --find local/runs/find/weights/last.pt --read local/runs/read/last.pt [--int8 PHOTOS]

A `.pt` without the optimizer is written beside each, for further training (`train.py --add`). Either option may be
omitted. The reader's temperature, by which its logits are divided, is kept from the old file unless `--temperature` is
given; `scripts/evaluate.py` prints the one that fits `dev`.
"""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as in vision/dice/networks.py
os.environ.setdefault("YOLO_AUTOINSTALL", "False")
os.environ.setdefault("YOLO_CONFIG_DIR", str(ROOT / "local" / "yolo"))

sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
import torch  # noqa: E402
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static  # noqa: E402

from tests.kit.options import run  # noqa: E402

KINDS = {"finder": "find", "glance": "find", "reader": "read", "close_reader": "read", "print": "print"}
TOLERANCE = 2e-3  # maximum difference of a probability or a box side; float32 sums in another order


def annotate(path: Path, notes: dict[str, object]) -> None:
    """Writes the network's metadata, which the program needs, into its file."""
    model = onnx.load(path)
    del model.metadata_props[:]
    for key, value in notes.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, str(value)
    model.producer_name, model.doc_string = "Courtside", ""
    onnx.save(model, path)


def parity(path: Path, network: torch.nn.Module, batch: torch.Tensor) -> float:
    """Largest difference between the exported file and the network.

    Raises:
        RuntimeError: The difference is more than rounding.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    there = session.run(None, {session.get_inputs()[0].name: batch.numpy()})[0]
    with torch.no_grad():
        here = network(batch)
    here = (here[0] if isinstance(here, tuple) else here).numpy()
    difference = float(np.abs(there - here).max() / max(1.0, float(np.abs(here).max())))
    if difference > TOLERANCE:
        raise RuntimeError(f"{path.name} differs from its weights by {difference:.2g}")
    return difference


def export(
    network: torch.nn.Module, path: Path, batch: torch.Tensor, free: dict[int, str], notes: dict[str, object]
) -> None:
    """Writes one network as ONNX with the given free axes, annotates and checks it."""
    torch.onnx.export(
        network, (batch,), str(path), dynamo=False, opset_version=17, input_names=["images"], output_names=["out"],
        dynamic_axes={"images": free, "out": {0: "n"} if 2 not in free else {2: "places"}},
    )  # fmt: skip
    annotate(path, notes)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, parity {parity(path, network, batch):.1g}")


class Places(torch.nn.Module):
    """A YOLO that outputs distances to the sides, in strides, and scores for each grid cell, without decoding boxes.

    Decoding takes sixty small operations, a millisecond per image; `vision.dice.tensors` does it for likely cells only.
    """

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        seen = self.network(pictures)[1]
        return torch.cat([seen["boxes"], seen["scores"].sigmoid()], 1)


def export_finder(weights: Path, path: Path) -> None:
    """Exports a YOLO's averaged weights with free height and width."""
    from vision.dice.tensors import likely_cells

    kept = torch.load(weights, map_location="cpu", weights_only=False)
    network = (kept.get("ema") or kept["model"]).float().eval()
    keep_finder(network, path.with_suffix(".pt"))
    network.fuse(verbose=False)
    batch = torch.rand(1, 3, 352, 640, generator=torch.Generator().manual_seed(1))
    places = Places(network).eval()
    strides = tuple(int(stride) for stride in network.stride)
    notes = {
        "names": {0: "die"}, "stride": max(strides), "strides": ",".join(map(str, strides)), "task": "detect",
    }  # fmt: skip
    export(places, path, batch, {2: "height", 3: "width"}, notes)
    with torch.no_grad():
        ours = likely_cells(places(batch)[0].numpy(), 0.0, (352, 640), strides)
        apart = float(np.abs(ours - network(batch)[0][0].numpy().T).max())
    if apart > TOLERANCE * 640:
        raise RuntimeError(f"boxes made of the places of {path.name} lie {apart:.2g} beside Ultralytics'")


def keep_finder(network: torch.nn.Module, path: Path) -> None:
    """Saves the finder as a checkpoint for further training, without the optimizer and local paths."""
    network = copy.deepcopy(network).half()
    network.args, network.criterion, network.pt_path = {"task": "detect"}, None, None
    network.yaml["yaml_file"] = path.with_suffix(".yaml").name
    torch.save({"model": network, "ema": None, "epoch": -1, "train_args": {"task": "detect"}}, path)


def export_reader(runs: Sequence[Path], path: Path, temperature: float) -> None:
    """Exports a reader or the print classifier: the mean of the averaged weights of these runs, with a free batch
    size."""
    from scripts.training.crops import DieCrops
    from scripts.training.reader_net import ReaderNet, widths_of
    from scripts.training.surroundings import WideCrops

    kept = [torch.load(one, map_location="cpu", weights_only=True)["average"] for one in runs]
    average = {name: sum(one[name] for one in kept) / len(kept) for name in kept[0]}
    dataset = next(kind for kind in (DieCrops, WideCrops) if len(kind.names) == len(average["out.bias"]))
    network = ReaderNet(widths_of(average), len(dataset.names), len(dataset.contexts)).eval()
    network.load_state_dict(average)
    torch.save({"average": average}, path.with_suffix(".pt"))
    shape = 3, 3 * len(dataset.contexts), dataset.crop_size, dataset.crop_size
    batch = torch.rand(*shape, generator=torch.Generator().manual_seed(1))
    context = ",".join(map(str, dataset.contexts))
    notes = {
        "names": dict(enumerate(dataset.names)), "look": dataset.crop_size, "context": context,
        "temperature": temperature, "task": "classify",
    }  # fmt: skip
    export(network, path, batch, {0: "n"}, notes)


def export_verifier(weights: Path, path: Path, fusion: str) -> None:
    """Exports the verifier's averaged weights, with a free batch size.

    Args:
        fusion: Weight of the other networks' log-odds of a die, weight of its own, bias.
    """
    from scripts.training.verifier_net import CROP_SIZE, KINDS_OF_CANDIDATES, WIDE, VerifierNet

    average = torch.load(weights, map_location="cpu", weights_only=True)["average"]
    network = VerifierNet(len(KINDS_OF_CANDIDATES)).eval()
    network.load_state_dict(average)
    torch.save({"average": {name: value.half() for name, value in average.items()}}, path.with_suffix(".pt"))
    batch = torch.rand(3, 3, CROP_SIZE, CROP_SIZE, generator=torch.Generator().manual_seed(1))
    names = dict(enumerate(KINDS_OF_CANDIDATES))
    notes: dict[str, object] = {
        "names": names,
        "look": CROP_SIZE,
        "context": WIDE,
        "fusion": fusion,
        "task": "classify",
    }
    export(network, path, batch, {0: "n"}, notes)


class Examples(CalibrationDataReader):
    """Calibration images for quantisation."""

    def __init__(self, batches: list[np.ndarray]) -> None:
        self._batches = iter(batches)

    def get_next(self) -> dict[str, np.ndarray] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"images": batch}


def examples(photos: Path, kinds: Collection[str]) -> dict[str, list[np.ndarray]]:
    """The networks' inputs from training photos: batches for the finders, the readers and `print`."""
    import cv2

    from scripts.training.crops import DieCrops
    from scripts.training.surroundings import WideCrops, load_places
    from scripts.training.tiles import Tiles
    from tests.kit.drawn.cutouts import joined, load_cutouts
    from tests.kit.drawn.photos import load_training_photos
    from tests.kit.drawn.places import load_numerals

    cv2.setNumThreads(1)  # as in train.py: OpenCV's threads do not survive the fork of data loaders
    cache = ROOT / "local" / "cache"
    pictures = load_training_photos(photos / "train", cache)
    cutouts = load_cutouts(pictures, cache)
    datasets: dict[str, Callable[[], Any]] = {
        "find": lambda: Tiles(pictures, cutouts, count=1, seed=7),
        "read": lambda: DieCrops(pictures, cutouts, None, count=1, seed=7),
        "print": lambda: WideCrops(
            pictures, joined(cutouts, load_numerals(cache)), load_places([pictures], 0, 1, None, cache), count=1, seed=7
        ),
    }
    found = {}
    for kind in kinds:
        made = datasets[kind]()
        if kind == "find":
            found[kind] = [made[0]["img"].numpy()[None].astype(np.float32) / 255 for _ in range(96)]
        else:
            found[kind] = [np.stack([made[0][0].numpy() for _ in range(32)]).astype(np.float32) / 255 for _ in range(8)]
    return found


def export_int8(folder: Path, photos: Path, names: Collection[str]) -> None:
    """Eight-bit copies of these networks in `folder/int8`.

    Only convolutions are quantised; the rest would lose small scores.
    """
    shown = examples(photos, {KINDS[name] for name in names})
    (folder / "int8").mkdir(exist_ok=True)
    for name in names:
        batches = shown[KINDS[name]]
        source, target = folder / f"{name}.onnx", folder / "int8" / f"{name}.onnx"
        quantize_static(
            source, target, Examples(batches), quant_format=QuantFormat.QDQ, op_types_to_quantize=["Conv"],
            per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
        annotate(target, {entry.key: entry.value for entry in onnx.load(source).metadata_props})
        there, here = (
            onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(
                None, {"images": batches[0]}
            )[0]
            for path in (target, source)
        )
        print(f"{target}: {target.stat().st_size / 1e6:.2f} MB, mean difference {np.abs(there - here).mean():.2g}")


def shipped_temperature(path: Path) -> float:
    """The temperature in the file that will be replaced; 1 if there is none."""
    if not path.exists():
        return 1.0
    return float({entry.key: entry.value for entry in onnx.load(path).metadata_props}.get("temperature", 1.0))


def main(
    find: Path | None = None,
    glance: Path | None = None,
    read: tuple[Path, ...] = (),
    close: tuple[Path, ...] = (),
    print: tuple[Path, ...] = (),
    verify: Path | None = None,
    fusion: str = "1,1,0",
    out: Path = ROOT / "models",
    temperature: float | None = None,
    int8: Path | None = None,
) -> None:
    """Exports the given weights; several runs of one reader are averaged.

    Args:
        find: Weights of the finder (.pt of Ultralytics).
        glance: Weights of the smaller finder for live images.
        read: Weights of the reader (last.pt of `scripts/train.py read`).
        close: Weights of the larger reader for refined passes.
        print: Weights of the print classifier.
        verify: Weights of the verifier.
        fusion: How the verifier's evidence is added to that of the others, see `export_verifier`.
        temperature: The reader's calibration.
        int8: Folder of photos that calibrate eight-bit copies of the networks, which are also written.
    """
    out.mkdir(parents=True, exist_ok=True)
    given = {"finder": find, "glance": glance, "reader": read, "close_reader": close, "print": print}
    new = {name: weights for name, weights in given.items() if weights}
    for name, weights in new.items():
        path = out / f"{name}.onnx"
        if isinstance(weights, Path):
            export_finder(weights, path)
        else:
            export_reader(weights, path, temperature or shipped_temperature(path))
    if verify:
        export_verifier(verify, out / "verifier.onnx", fusion)
    if int8:
        export_int8(out, int8, new)


if __name__ == "__main__":
    run(main)
