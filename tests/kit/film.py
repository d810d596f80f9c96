"""Performs a script: poses of dice and hand, frame by frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.kit import script as do
from tests.kit.handling import Handling
from tests.kit.roll_movements import RollMovements
from tests.kit.scene import Place, Scene


class Performer(RollMovements, Handling):
    """Performs steps; each `yield` of `perform` is one frame of the scene."""

    def perform(self, script: Sequence[do.Step]) -> Iterator[Scene]:
        """All steps, one after the other."""
        for step in script:
            yield from self._step(step)

    def _step(self, step: do.Step) -> Iterator[Scene]:
        """A player's action."""
        match step:
            case do.RollDice():
                yield from self._roll(step)
                yield from self._done(step, 0.9)
            case do.Keep(values=values):
                yield from self._keep(step.seat, values)
                yield from self._done(step, 0.7)
            case do.TakeBack(values=values):
                yield from self._gather(step.seat, self._pick(values, Place.KEPT))
            case do.Turn(before=before, after=after):
                yield from self._turn(step.seat, before, after)
                yield from self._done(step, 0.9)
            case do.Add(value=value):
                yield from self._add(step.seat, value)
                yield from self._done(step, 0.9)
            case do.RerollDice(before=before, after=after):
                yield from self._gather(step.seat, self._pick(before))
                yield from self._release(after)
                yield from self._done(step, 0.9)
            case do.Clear():
                resting = [die for die in self.scene.dice if die.place in (Place.ACTIVE, Place.KEPT, Place.GONE)]
                yield from self._gather(step.seat, sorted(resting, key=lambda die: float(die.position[0])))
                yield from self._leave()
                yield from self._pause(0.4)
            case do.Enter():
                self.scene.entered.append(step.line or "")
                yield from self._pause(0.25)
            case _:
                yield from self._happening(step)

    def _happening(self, step: do.Step) -> Iterator[Scene]:
        """An event without meaning for the game."""
        match step:
            case do.Wait(seconds=seconds):
                yield from self._pause(seconds)
            case do.Rest(seconds=seconds, hide=hide):
                yield from self._rest(step.seat, seconds, hide)
            case do.Nudge():
                yield from self._nudge(step.seat)
            case do.Bump(mm=mm, degrees=degrees):
                yield from self._bump(mm, degrees)
            case do.Dim(gain=gain, seconds=seconds):
                before_gain, count = self.scene.gain, self._frames(seconds)
                for i in range(count):
                    self.scene.gain = before_gain + (gain - before_gain) * (i + 1) / count
                    yield self.scene
            case _:
                raise ValueError(f"unknown step {step}")

    def _done(self, step: do.Step, seconds: float) -> Iterator[Scene]:
        """The pause after a step, shorter for players in a hurry."""
        if step.line:
            self.scene.done.append(step.line)
        yield from self._pause(seconds * float(self.rng.uniform(0.55, 1.3)))

    def _bump(self, mm: float, degrees: float) -> Iterator[Scene]:
        start = self.scene.camera
        x, y, z = start.target
        for share in (0.5, 1.3, 0.8, 1.1, 1.0):
            self.scene.camera = replace(
                start, target=(x + mm * share, y - 0.6 * mm * share, z), roll=start.roll + degrees * share
            )
            yield self.scene
        yield from self._pause(1.5)
