"""The network that distinguishes dice printed on cards from real dice."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.dice.crops import crops_around, zoomed
from vision.dice.networks import DamagedModel, Network, load
from vision.dice.nms import SURELY_NOT_PRINTED
from vision.dice.print_filter import with_neighbours
from vision.dice.pyramid import ImagePyramid
from vision.dice.tensors import image_tensor
from vision.dice.tiling import Float

# Uncertain boxes are read at smaller and larger scales too, each mirrored. One scale took 4 of 179 plain dice for
# print; three together took 2.
ZOOMS = (0.8, 1.2)
PERHAPS_PRINTED = 0.2  # probability from which that is worth its time


class PrintReader:
    """Gives the probability that a box holds a printed die."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._size = int(network.notes["look"])  # pixels of a crop's side
        # Sides of the crops, in multiples of the box's longer side.
        self._contexts = [float(c) for c in network.notes["context"].split(",")]

    @classmethod
    def beside(cls, path: Path, threads: int) -> PrintReader | None:
        """The reader in this file, or None without the file.

        Raises:
            DamagedModel: The file cannot be used.
        """
        if not path.is_file():
            return None
        network = load(path, threads)
        if network.classes != 2 or not {"look", "context"} <= network.notes.keys():
            raise DamagedModel(f"{path} does not have two classes (a die, and none), or lacks its crop size or widths")
        return cls(network)

    def ink(self, picture: ImagePyramid, boxes: Float, *, quickly: bool = False) -> Float:
        """(n,) the probability that each box holds a printed die.

        Args:
            boxes: (n, 4) pixels, n > 0.
            quickly: Skip the crops at other scales.
        """
        odds = self._odds(picture, boxes)
        # Mirror only the few uncertain boxes, and read possible print at the other scales too.
        again = np.flatnonzero(odds >= np.log(SURELY_NOT_PRINTED / (1 - SURELY_NOT_PRINTED)))
        if len(again):
            odds[again] = (odds[again] + self._odds(picture, boxes[again], mirrored=True)) / 2
        again = np.flatnonzero(odds >= np.log(PERHAPS_PRINTED / (1 - PERHAPS_PRINTED)))
        if len(again) and not quickly:
            copies = [(zoom, mirrored) for zoom in ZOOMS for mirrored in (False, True)]
            more = [self._odds(picture, zoomed(boxes[again], zoom), mirrored=back) for zoom, back in copies]
            # `odds` is already the mean of two readings, so it counts twice.
            odds[again] = np.mean([odds[again], odds[again], *more], axis=0)
        return with_neighbours(boxes, np.asarray(1 / (1 + np.exp(-odds)), np.float32))

    def _odds(self, picture: ImagePyramid, boxes: Float, *, mirrored: bool = False) -> Float:
        """(n,) log-odds of print over a real die, from one crop of each box."""
        around = crops_around(picture, boxes, self._size, self._contexts)
        crops = np.concatenate([image_tensor(np.stack(some)) for some in around], axis=1)
        logits = self._network.run(np.ascontiguousarray(crops[..., ::-1]) if mirrored else crops)
        return np.asarray(logits[:, 1] - logits[:, 0])
