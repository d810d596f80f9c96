"""A hand that comes from a player's side, carries dice under its fingers and goes away again."""

from __future__ import annotations

import numpy as np

from scripts.simulation.dice import Array

FAR = 430.0  # mm from where it works to where it waits, out of the picture
PINCH = np.array([-4.0, 64.0, -30.0])  # where a die is held between thumb and fingers, seen from the palm
SIDES = {"A": -100.0, "B": -62.0, "C": 0.0, "D": 90.0, "E": 180.0}  # where each seat's arm comes from, degrees


def yaw(degrees: float) -> Array:
    """(3, 3) turn about the vertical."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


class Hand:
    """Where the hand is and what it holds. `at` None: out of the picture."""

    def __init__(self, seat: str) -> None:
        self.side = SIDES[seat]
        self.at: Array | None = None
        self.held: dict[int, Array] = {}  # die → where it is held, seen from the palm

    @property
    def turn(self) -> Array:
        """(3, 3) the hand's rotation: fingers away from the player."""
        return yaw(self.side + 90)

    @property
    def towards(self) -> Array:
        """Unit vector on the table from the middle to the player."""
        return np.array([np.cos(np.radians(self.side)), np.sin(np.radians(self.side)), 0.0])

    def away(self, over: Array) -> Array:
        """Where it waits before and after working at this place."""
        return np.array([over[0], over[1], 0.0]) + FAR * self.towards + np.array([0, 0, 110.0])

    def above(self, place: Array, grip: Array = PINCH, lift: float = 0.0) -> Array:
        """Where the palm must be to have the grip at this place."""
        return np.asarray(place) - self.turn @ grip + np.array([0, 0, lift])

    def carried(self, die: int) -> Array:
        """Where a held die is now."""
        assert self.at is not None
        return self.at + self.turn @ self.held[die]


def smooth(share: float) -> float:
    """0..1 to 0..1, slow at both ends as hands move."""
    return share * share * (3 - 2 * share)
