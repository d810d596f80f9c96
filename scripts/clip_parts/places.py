"""Finds places for dice and other objects in a clip: apart from each other, side by side, or at an edge."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.timeline import ClipTimeline

ACROSS, DOWN = (0.18, 0.82), (0.15, 0.72)  # shares of the image in which dice come to rest
LARGE = 1.5  # die widths: objects with a larger reach are placed at an edge


class Places(ClipTimeline):
    """A clip in which free places can be found. Lengths in pixels, `width` is that of a die."""

    def row(self, place: int) -> tuple[float, float]:
        """The place of the n-th die that is set aside."""
        return self.room[0] + self.width * (1.5 + self.in_line * place), self.room[3] - 1.3 * self.width

    def lowest(self) -> float:
        """The lowest y of a die's centre that is not set aside."""
        return self.room[1] + DOWN[1] * (self.room[3] - self.room[1])

    def _free(self, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
        """A place at least 1.5 die widths from all resting objects and from `taken`, or the best of 60 tries."""
        legs = [(die.leg(1e9), die.reach) for die in self.dice]
        resting = [(leg.x, leg.y, reach) for leg, reach in legs if leg.kind == "resting"]
        resting += [(*place, 0.0) for place in taken]
        left, top, right, low = self.room
        best, far = ((left + right) / 2, (top + low) / 2), -1.0
        for _ in range(60):
            x = left + self.chance.uniform(*ACROSS) * (right - left)
            y = top + self.chance.uniform(*DOWN) * (low - top)
            apart = min((math.dist((x, y), (a, b)) / self.width - reach for a, b, reach in resting), default=9e9)
            if apart > 1.5:
                return float(x), float(y)
            if apart > far:
                best, far = (float(x), float(y)), apart
        return best

    def _beside(self, taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
        """A place touching one of `taken`, or a free place if there is none."""
        for _ in range(60 if taken else 0):
            x, y = taken[int(self.chance.integers(len(taken)))]
            angle, far = self.chance.uniform(0, 2 * np.pi), self.width * self.chance.uniform(1.05, 1.25)
            place = float(x + far * math.cos(angle)), float(y + far * math.sin(angle))
            if min(math.dist(place, other) for other in taken) >= 1.04 * self.width:
                return place
        return self._free(taken)

    def _place(self, die: ClipDie) -> tuple[float, float]:
        """The place at which an object is put down.

        Small objects may be put anywhere free; cards are put at an edge, clear of dice if possible.
        """
        if die.reach <= LARGE:
            return self._free([])
        assert die.top is not None
        high, wide = die.top.layer.shape[:2]
        legs = [one.leg(1e9) for one in self.dice if one.value]
        resting = [(leg.x, leg.y) for leg in legs if leg.kind == "resting"]

        def clear(at: tuple[float, float]) -> float:  # distance to the nearest die's centre, pixels
            gaps = (max(abs(at[0] - x) - wide / 2, abs(at[1] - y) - high / 2) for x, y in resting)
            return min(gaps, default=math.inf)

        places = [self._at_an_edge(die)]
        while clear(places[-1]) < self.width and len(places) < 60:
            places.append(self._at_an_edge(die))
        return max(places, key=clear)

    def _at_an_edge(self, card: ClipDie) -> tuple[float, float]:
        """A random place at the upper, left or right edge, partly outside the image."""
        half, seen = (card.reach + 0.5) * self.width, self.chance.uniform(0.4, 1.0)
        inward, along = half * (2 * seen - 1) * 0.7, float(self.chance.uniform(0.1, 0.8))
        match int(self.chance.integers(3)):
            case 0:
                return float(inward), along * self.size[1]
            case 1:
                return float(self.size[0] - inward), along * self.size[1]
        return along * self.size[0], float(inward)
