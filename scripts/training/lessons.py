"""What both networks' lessons share: so many an epoch, each made anew, by a generator of each worker's own."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.random import Generator
from torch.utils.data import Dataset, get_worker_info

Lesson = TypeVar("Lesson", covariant=True)


class Lessons(Dataset[Lesson]):
    """`count` lessons an epoch. Heirs make lesson after lesson with `rng`, whatever the index."""

    def __init__(self, count: int, seed: int) -> None:
        self.count, self.seed = count, seed
        self._rng: Generator | None = None

    def __len__(self) -> int:
        return self.count

    @property
    def rng(self) -> Generator:
        """One generator a worker, so that no two deliver the same lesson."""
        if self._rng is None:
            worker = get_worker_info()
            self._rng = np.random.default_rng([self.seed, worker.seed % 2**31 if worker else 0])
            cv2.setNumThreads(1)
        return self._rng
