"""The verifier: a network that checks from appearance and surroundings whether a box holds a die."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.dice.belief import chance_of_die
from vision.dice.crops import crop_at
from vision.dice.networks import DamagedModel, Network, load
from vision.dice.pyramid import ImagePyramid
from vision.dice.tensors import image_tensor
from vision.dice.tiling import Float

AT_ONCE = 32  # crops in one batch
# Range to which the verifier's log-odds are clipped. It errs by more on dice of unknown makers and must not overrule a
# finder and a reader that are both sure.
MIN_VERIFIER_LOG_ODDS, MAX_VERIFIER_LOG_ODDS = -3.0, 4.0
REJECTED_UNSEEN = 1.0  # summed log-odds of finder and reader below which a candidate is rejected without the verifier


class Verifier:
    """Gives the probability that a box holds one whole die, not a part of one or a look-alike."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._size = int(network.notes["look"])  # pixels of a crop's side
        self._context = float(network.notes["context"])  # side of a crop, in multiples of the box's longer side
        # Logistic regression: weight of the log-odds of finder and reader, weight of the verifier's log-odds, bias.
        self._weights = [float(word) for word in network.notes["fusion"].split(",")]

    @classmethod
    def beside(cls, path: Path, threads: int) -> Verifier | None:
        """The verifier in this file, or None without the file.

        Raises:
            DamagedModel: The file cannot be used; the message is one sentence.
        """
        if not path.is_file():
            return None
        network = load(path, threads)
        if not {"look", "context", "fusion"} <= network.notes.keys():
            raise DamagedModel(f"{path} lacks its crop size, its crop width or the weights of its evidence")
        return cls(network)

    def chances(self, picture: ImagePyramid, boxes: Float, before: Float) -> Float:
        """(n,) the probability of a die in each box.

        Args:
            picture: The image that contains the boxes.
            boxes: (n, 4) candidates, pixels.
            before: (n,) summed log-odds of a die from finder and reader.
        """
        odds = np.full(len(boxes), -np.inf, np.float32)
        rows = np.flatnonzero(before >= REJECTED_UNSEEN)
        if len(rows):
            others, own, bias = self._weights
            odds[rows] = (
                others * before[rows]
                + own * self.odds(picture, boxes[rows]).clip(MIN_VERIFIER_LOG_ODDS, MAX_VERIFIER_LOG_ODDS)
                + bias
            )
        return chance_of_die(odds)

    def odds(self, picture: ImagePyramid, boxes: Float) -> Float:
        """(n,) the verifier's log-odds of a die in each box: the mean over a crop and its mirror image."""
        crops = np.stack([crop_at(picture, box, self._size, context=self._context) for box in boxes])
        crops = np.concatenate([crops, crops[:, :, ::-1]])
        rows = [self._network.run(image_tensor(crops[at : at + AT_ONCE])) for at in range(0, len(crops), AT_ONCE)]
        logits = np.concatenate(rows).reshape(2, len(boxes), -1)
        highest = logits[..., 1:].max(axis=2)
        rest = highest + np.log(np.exp(logits[..., 1:] - highest[..., None]).sum(axis=2))
        return np.asarray((logits[..., 0] - rest).mean(axis=0), np.float32)
