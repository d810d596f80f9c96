"""Converts the steps of a game's record to what hands and dice do in a clip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numpy.random import Generator

from scripts.clip_parts.pieces import ClipDie
from scripts.clip_parts.play import Play
from scripts.clip_parts.scenes import a_die
from scripts.clip_parts.stock import Stock
from tests.kit import script as do

LOOK_ON = (0.5, 1.2)  # seconds that players pause after an action
IN_LINE = 1.35  # die widths between dice set aside: all dice of a turn fit into one row


class ClipPlayer:
    """Performs the steps of a game of Um Krone und Kragen.

    Attributes:
        entered: Seconds and line of each entry that the player makes on the page.
    """

    def __init__(self, stock: Stock, play: Play, chance: Generator, source: str) -> None:
        """Prepares the player. source: of the photos from which the dice are cut."""
        self._stock, self._play, self._chance, self._source = stock, play, chance, source
        self._alike = stock.alike(source, chance)
        self._active: list[ClipDie] = []
        self._kept: list[ClipDie] = []
        self.entered: list[tuple[float, str]] = []
        play.in_line = IN_LINE

    def perform(self, steps: Iterable[do.Step]) -> None:
        """Performs all steps in order.

        Raises:
            ValueError: A step is of an unknown type.
        """
        for step in steps:
            self._step(step)

    def _step(self, step: do.Step) -> None:
        play = self._play
        match step:
            case do.RollDice(values=values):
                self._gather(self._active)
                self._active = self._roll_dice(values)
            case do.Keep(values=values):
                self._set_aside(values)
            case do.Turn(before=before, after=after):
                self._turn(before, after)
            case do.Add(value=value):
                self._active.append(self._die(value))
                play.bring(self._active[-1])
                play.leave()
            case do.RerollDice(before=before, after=after):
                again = self._picked(before)
                self._gather(again)
                self._active = [die for die in self._active if die not in again] + self._roll_dice(after)
            case do.Clear():
                self._gather([*self._active, *self._kept])
                self._active, self._kept = [], []
            case do.Enter(line=line):
                self.entered.append((play.clock, line or ""))
            case do.Wait(seconds=seconds):
                play.rest(seconds)
            case _:
                raise ValueError(f"unknown step {step}")
        if step.line:
            play.rest(float(self._chance.uniform(*LOOK_ON)))

    def _set_aside(self, values: Sequence[int]) -> None:
        for die in self._picked(values):
            self._play.set_aside(die, len(self._kept))
            self._active.remove(die)
            self._kept.append(die)
        self._play.leave()

    def _turn(self, before: Sequence[int], after: Sequence[int]) -> None:
        for die, value in zip(self._picked(before), after, strict=True):
            if die.value != value:
                turned = self._die(value)
                self._play.turn_over(die, turned)
                self._active[self._active.index(die)] = turned
        self._play.leave()

    def _gather(self, dice: Sequence[ClipDie]) -> None:
        if dice:
            self._play.gather(dice)
            self._play.rest(float(self._chance.uniform(0.3, 0.7)))

    def _roll_dice(self, values: Sequence[int]) -> list[ClipDie]:
        dice = [self._die(value) for value in values]
        self._play.roll(dice)
        return dice

    def _die(self, value: int) -> ClipDie:
        die = a_die(self._stock, self._play, self._chance, self._alike, self._source, value)
        self._play.dice.append(die)
        return die

    def _picked(self, values: Sequence[int]) -> list[ClipDie]:
        """Dice in play that show these values."""
        left, found = [*self._active], []
        for value in values:
            die = next(die for die in left if die.value == value)
            left.remove(die)
            found.append(die)
        return found
