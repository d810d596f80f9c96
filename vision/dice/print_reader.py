"""The network that tells dice printed on cards from those that lie there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.dice.crops import crops_around, zoomed
from vision.dice.networks import DamagedModel, Network, load
from vision.dice.nms import LYING
from vision.dice.print_filter import with_neighbours
from vision.dice.pyramid import Pyramid
from vision.dice.tensors import image_tensor
from vision.dice.tiling import Float

# What may be printed is looked at as if it were smaller and larger too, each mirrored besides: one width of the
# surroundings took 4 of 179 plain dice for print, as likely as not, the three together took 2.
ZOOMS = (0.8, 1.2)
PERHAPS_PRINTED = 0.2  # chance from which that is worth its time


class PrintReader:
    """Says of boxes in a picture how likely what they hold is printed."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._size = int(network.notes["look"])  # pixels
        self._contexts = [float(c) for c in network.notes["context"].split(",")]  # times the box's longer side

    @classmethod
    def beside(cls, path: Path, threads: int) -> PrintReader | None:
        """The one in this file, none where there is no such file. Raises DamagedModel with one sentence."""
        if not path.is_file():
            return None
        network = load(path, threads)
        if network.classes != 2 or not {"look", "context"} <= network.notes.keys():
            raise DamagedModel(f"{path} does not tell two classes (a die, and none) or not what it must be shown")
        return cls(network)

    def ink(self, picture: Pyramid, boxes: Float, *, quickly: bool = False) -> Float:
        """(n,) The chance that what each of these boxes (n, 4; pixels; n > 0) holds is printed.

        quickly: without the looks at other sizes.
        """
        odds = self._odds(picture, boxes)
        # Few: in a mirror once more, and what might be left out for it at other sizes too.
        again = np.flatnonzero(odds >= np.log(LYING / (1 - LYING)))
        if len(again):
            odds[again] = (odds[again] + self._odds(picture, boxes[again], mirrored=True)) / 2
        again = np.flatnonzero(odds >= np.log(PERHAPS_PRINTED / (1 - PERHAPS_PRINTED)))
        if len(again) and not quickly:
            looks = [(zoom, mirrored) for zoom in ZOOMS for mirrored in (False, True)]
            more = [self._odds(picture, zoomed(boxes[again], zoom), mirrored=back) for zoom, back in looks]
            odds[again] = np.mean([odds[again], odds[again], *more], axis=0)  # the first two looks stand for themselves
        return with_neighbours(boxes, np.asarray(1 / (1 + np.exp(-odds)), np.float32))

    def _odds(self, picture: Pyramid, boxes: Float, *, mirrored: bool = False) -> Float:
        """(n,) The logarithm of how much likelier print is than a die, by one look at each."""
        around = crops_around(picture, boxes, self._size, self._contexts)
        looks = np.concatenate([image_tensor(np.stack(some)) for some in around], axis=1)
        logits = self._network.run(np.ascontiguousarray(looks[..., ::-1]) if mirrored else looks)
        return np.asarray(logits[:, 1] - logits[:, 0])
