"""The figures on the model card belong to the weights beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"


def test_the_card_names_the_weights_it_was_measured_with() -> None:
    card = (MODELS / "README.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"`(\w+\.onnx)` [\d.]+ MB, sha256 `([0-9a-f]{64})`", card))
    present = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in MODELS.glob("*.onnx")}
    assert named == present
