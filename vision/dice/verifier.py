"""The verifier: does a box hold a die, by its look and its surroundings? Its evidence is added to the others'."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.dice.belief import chance_of_die
from vision.dice.crops import crop_at
from vision.dice.networks import DamagedModel, Network, load
from vision.dice.pyramid import Pyramid
from vision.dice.tensors import image_tensor
from vision.dice.tiling import Float

AT_ONCE = 32  # crops in one batch
# Range to which the verifier's logarithmic odds are clipped: on dice of new makers it errs by more than on known ones,
# and must not overrule a finder and a reader that are both sure.
LEAST, MOST = -3.0, 4.0
HOPELESS = 1.0  # summed logarithmic odds of finder and reader below which a candidate is rejected unseen


class Verifier:
    """Gives the chance of a die in a box: a whole one, not a part of one, and nothing that only looks like one."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._size = int(network.notes["look"])  # pixels
        self._context = float(network.notes["context"])  # width of a crop, in longer sides of the box
        # Logistic regression: weights of the others' logarithmic odds and of the verifier's, and the bias.
        self._weights = [float(word) for word in network.notes["fusion"].split(",")]

    @classmethod
    def beside(cls, path: Path, threads: int) -> Verifier | None:
        """The verifier in this file, or None without the file. Raises DamagedModel with one sentence."""
        if not path.is_file():
            return None
        network = load(path, threads)
        if not {"look", "context", "fusion"} <= network.notes.keys():
            raise DamagedModel(f"{path} lacks its crop size, its crop width or the weights of its evidence")
        return cls(network)

    def chances(self, picture: Pyramid, boxes: Float, before: Float) -> Float:
        """(n,) The chance of a die in each box.

        Args:
            picture: the picture with the boxes.
            boxes: (n, 4) candidates, pixels.
            before: (n,) summed logarithmic odds of a die by the finder and the reader.
        """
        odds = np.full(len(boxes), -np.inf, np.float32)
        rows = np.flatnonzero(before >= HOPELESS)
        if len(rows):
            others, own, bias = self._weights
            odds[rows] = others * before[rows] + own * self.odds(picture, boxes[rows]).clip(LEAST, MOST) + bias
        return chance_of_die(odds)

    def odds(self, picture: Pyramid, boxes: Float) -> Float:
        """(n,) The verifier's logarithmic odds of a die in each box: the mean of a crop and its mirror image."""
        crops = np.stack([crop_at(picture, box, self._size, context=self._context) for box in boxes])
        crops = np.concatenate([crops, crops[:, :, ::-1]])
        rows = [self._network.run(image_tensor(crops[at : at + AT_ONCE])) for at in range(0, len(crops), AT_ONCE)]
        logits = np.concatenate(rows).reshape(2, len(boxes), -1)
        highest = logits[..., 1:].max(axis=2)
        rest = highest + np.log(np.exp(logits[..., 1:] - highest[..., None]).sum(axis=2))
        return np.asarray((logits[..., 0] - rest).mean(axis=0), np.float32)
