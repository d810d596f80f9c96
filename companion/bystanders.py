"""What lies there and is not played: spare dice beside the table, and what looks like dice, such as a card's print.

A turn begins with a throw of all dice of the player. So where as many dice have come with that throw as are due, the
others, which lie as they lay before, are none of them, and stay so until they move. Only the rules can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from companion.referee.sight import SAME_PLACE, SAME_SPOT, near
from vision.seen import Reading, SeenDie


class Bystanders:
    """Learns from readings which dice are not played, and leaves them out."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._known: list[SeenDie] = []
        self._seen: list[int] = []  # the throw counter when each of these was last seen
        self._lay: tuple[SeenDie, ...] = ()  # what lay there at the last moment of rest
        self._throw = 0

    def without(self, reading: Reading, due: Callable[[], Collection[int]]) -> Reading:
        """The reading without them. due: with how many dice a turn that begins now is begun, each number possible;
        none while a turn is being played."""
        if reading.throw < self._throw:  # the camera was opened anew and counts from the start
            self._forget()
        dice = self._played(reading)
        if reading.settled:
            if reading.throw > self._throw:
                left = [die for die in dice if _lies_as_before(die, self._lay)]
                if left and len(dice) - len(left) in due():
                    self._known += left
                    self._seen += [reading.throw] * len(left)
                    dice = tuple(die for die in dice if die not in left)
            self._throw, self._lay = reading.throw, dice
        return reading if len(dice) == len(reading.dice) else replace(reading, dice=dice)

    def _played(self, reading: Reading) -> tuple[SeenDie, ...]:
        """The dice that lie elsewhere. A place where nothing has been seen for a whole throw is free again."""
        dice: list[SeenDie] = []
        for die in reading.dice:
            place = next((row for row, known in enumerate(self._known) if near(known, die, SAME_PLACE)), None)
            if place is None:
                dice.append(die)
            else:
                self._seen[place] = reading.throw
        fresh = [row for row, throw in enumerate(self._seen) if throw >= reading.throw - 1]
        self._known, self._seen = [self._known[row] for row in fresh], [self._seen[row] for row in fresh]
        return tuple(dice)


def _lies_as_before(die: SeenDie, lay: Collection[SeenDie]) -> bool:
    """Whether it lies, with the same value, exactly where a die lay."""
    return any(was.value == die.value and near(was, die, SAME_SPOT) for was in lay)
