"""A reading put right by what the referee remembers: dice set aside keep their values, a die that was lost from sight
is the one it was, and one laid down by a hand has not rolled."""

from __future__ import annotations

from dataclasses import replace

from companion.referee.memory import Memory, surely
from companion.referee.sight import SAME_SPOT, SURE_DIE, minus, near, values
from engine.dice import Faces
from vision.tracking.constants import SURELY, TOGETHER
from vision.types import Reading, SeenDie


def steadied(memory: Memory, reading: Reading, kept: Faces) -> Reading:
    """The reading with dice set aside as they were then: they are final, so whatever they seem to have become where no
    row is known was misread, and a doubtful one in the row is what it is on record. kept: values set aside on record.
    """
    landed = memory.landed
    if landed is None:
        return reading
    if reading.knows_kept:
        return _as_on_record(reading, memory.was_kept, kept)
    aside = {die.track: die for die in landed.dice if die.track in memory.was_kept}
    if values(aside.values()) != kept:
        return reading
    dice = (
        replace(die, probabilities=was.probabilities)
        if (was := aside.get(die.track)) is not None and was.value != die.value and near(was, die)
        else die
        for die in reading.dice
    )
    return replace(reading, dice=tuple(dice))


def _as_on_record(reading: Reading, was_kept: frozenset[int], kept: Faces) -> Reading:
    aside = [die for die in reading.dice if die.track in was_kept]
    wrong, right = minus(values(aside), kept), minus(kept, values(aside))
    doubtful = [die for die in aside if (die.value,) == wrong and die.confidence < SURE_DIE]
    if len(right) != 1 or not doubtful:
        return reading
    track = max(doubtful, key=lambda die: die.probabilities[right[0] - 1]).track
    dice = (replace(die, probabilities=surely(right[0])) if die.track == track else die for die in reading.dice)
    return replace(reading, dice=tuple(dice))


def recognised(reading: Reading, before: Reading | None) -> Reading:
    """The reading with dice that lie where one lay, showing the same, as that one, if it is not seen elsewhere: it was
    lost from sight, or taken for its neighbour; where none of the others was seen rolling by itself, none of them
    was."""
    old = {} if before is None else {die.track: die for die in before.dice}
    there = {die.track for die in reading.dice if die.track in old and near(old[die.track], die)}
    gone = [die for track, die in old.items() if track not in there]
    same: dict[int, SeenDie] = {}
    for die in reading.dice:
        if die.track not in there and die.came == reading.throw:
            was = next((one for one in gone if one.value == die.value and near(one, die, SAME_SPOT)), None)
            if was is not None:
                gone.remove(was)
                same[die.track] = replace(
                    die, track=was.track, came=was.came, rolled=was.rolled, covered=reading.throw, touched=True
                )
    while doubles := {die.track for die in reading.dice if die.track not in same} & {
        die.track for die in same.values()
    }:
        same = {track: die for track, die in same.items() if die.track not in doubles}
    if not same:
        return reading
    rest = [die for die in reading.dice if die.came == reading.throw and die.track not in same and die.track not in old]
    alone = all(die.rolled < SURELY for die in rest)
    return replace(
        reading,
        dice=tuple(
            same.get(die.track, replace(die, rolled=without_others(die.rolled)) if alone and die in rest else die)
            for die in reading.dice
        ),
    )


def unthrown(reading: Reading, none: frozenset[int]) -> Reading:
    """The reading with the dice that came with throws which were `none` as hands have put them there."""
    if not none:
        return reading
    dice = (replace(die, rolled=without_others(die.rolled)) if die.came in none else die for die in reading.dice)
    return replace(reading, dice=tuple(dice))


def without_others(rolled: float) -> float:
    """The chance that a die rolled, when the others of which the vision side thought so had not come with it."""
    odds = rolled / max(1 - rolled, 1e-6) / TOGETHER
    return odds / (1 + odds)
