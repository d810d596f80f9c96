"""What lies there and is not played: spare dice beside the table, and what looks like dice, such as a card's print.

What lies there when a game begins has not been thrown in it. A turn begins with a throw of all dice of the player. So
where as many dice have come with that throw as are due, the others, which lie as they lay before, are none of them, and
stay so until they move. Only the rules can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from companion.game.referee.observation import SAME_PLACE, SAME_SPOT, apart
from vision.types import Reading, SeenDie

LAIN_SECONDS = 0.8  # a thrown die has seldom lain for so long when all have come to rest
MOST = 64  # dice remembered
FIRST_SECONDS = 0.7  # what is seen so soon after the camera was opened has lain there before


class IdleDice:
    """Learns from readings which dice are not played, and leaves them out."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._known: dict[SeenDie, int] = {}  # as they lay, and the throw counter when they were last seen
        self._lay: tuple[SeenDie, ...] = ()  # what lay there at the last moment of rest
        self._throw = 0
        self._idle: tuple[SeenDie, ...] = ()  # what lay there before the game began
        self.waiting = 0  # dice from before the game that nobody has seen thrown yet
        self._since: dict[int, tuple[SeenDie, float]] = {}  # by track: how it lay first there, and when
        self._first: float | None = None  # seconds

    def lie_before(self, reading: Reading) -> None:
        """The last that was seen before the game began."""
        self._lay = self._idle = reading.dice
        self._throw = reading.throw

    def watched_anew(self) -> None:
        """The same camera sees the same table, but counts throws and dice from the start."""
        self._known = dict.fromkeys(self._known, 0)
        self._throw, self._lay, self._since = 0, (), {}
        self._first = float("-inf")  # what has come to lie there since was thrown

    def without(self, reading: Reading, due: Callable[[], Collection[int]], begun: bool) -> Reading:
        """The reading without them. due: with how many dice a turn that begins now is begun, each number possible;
        none while a turn is being played. begun: something of the game is on record."""
        if reading.throw < self._throw:  # the camera was opened anew and counts from the start
            self._forget()
        self._first = reading.seconds if self._first is None else self._first
        if begun:
            self._idle = ()
        elif reading.throw == 0 and reading.seconds - self._first <= FIRST_SECONDS:
            self._idle += tuple(die for die in reading.dice if not _still(die, self._idle))
        dice = self._played(reading)
        self._note(dice, reading.seconds)
        if reading.settled:
            if reading.throw > self._throw:
                left = self._left(dice, reading.seconds, due())
                self._known |= dict.fromkeys(left, reading.throw)
                dice = tuple(die for die in dice if die not in left)
            self._throw, self._lay = reading.throw, dice
        thrown = tuple(die for die in dice if not _still(die, self._idle))
        self.waiting = len(dice) - len(thrown)
        return reading if len(thrown) == len(reading.dice) else replace(reading, dice=thrown)

    def _note(self, dice: Collection[SeenDie], seconds: float) -> None:
        """Remember since when each die lies where it lies."""
        for die in dice:
            was = self._since.get(die.track)
            if was is None or apart(was[0].xyxy, die.xyxy) >= SAME_PLACE:
                self._since[die.track] = die, seconds
        for track in list(self._since)[:-MOST]:
            del self._since[track]

    def _left(self, dice: Collection[SeenDie], seconds: float, due: Collection[int]) -> list[SeenDie]:
        """Which of the dice that lie there when a throw has come to rest lay there before, if all others are due."""
        before = [die for die in dice if self._lay_before(die)]
        long = [die for die in dice if die in before or seconds - self._since[die.track][1] >= LAIN_SECONDS]
        # A hand may have kept the table from coming to rest, so that what was thrown has lain for long as well.
        return next((left for left in (long, before) if len(dice) - len(left) in due), [])

    def _lay_before(self, die: SeenDie) -> bool:
        """Whether it lies where one lay when all was last at rest, showing the same, or when the game began."""
        same = any(was.value == die.value and apart(was.xyxy, die.xyxy) < SAME_SPOT for was in self._lay)
        return same or bool(_still(die, self._idle))

    def _played(self, reading: Reading) -> tuple[SeenDie, ...]:
        """The dice that lie elsewhere. A place where nothing has been seen for a whole throw is free again."""
        dice: list[SeenDie] = []
        for die in reading.dice:
            known = _still(die, self._known)
            self._known |= dict.fromkeys(known, reading.throw)
            dice += [] if known else [die]
        self._known = {known: throw for known, throw in self._known.items() if throw >= reading.throw - 1}
        return tuple(dice)


def _still(die: SeenDie, those: Collection[SeenDie]) -> list[SeenDie]:
    """Those that it may be, lying where it lay and now and then misread; one that came to lie there since, showing
    something else, is another."""
    here = (one for one in those if apart(one.xyxy, die.xyxy) < SAME_PLACE)
    return [one for one in here if die.value == one.value or die.came == one.came]
