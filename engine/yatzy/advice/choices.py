"""The exact value of each choice in a turn: every set of dice to keep and every open box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.dice import Faces, parts
from engine.yatzy.advice.table import KEPT, Numbers, Sheets, Values, box_values, kept_values
from engine.yatzy.boxes import BONUS_FROM, DICE, YATZY, YATZY_POINTS
from engine.yatzy.events import Keep, Score
from engine.yatzy.state import Sheet, State


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice.

    Attributes:
        points: The player's expected final total with it, if every later choice is the best one.
    """

    event: Keep | Score
    points: float


def choices(state: State, values: Values) -> tuple[Choice, ...]:
    """All choices of the player on turn, the best first; () while a roll is due."""
    if state.dice is None or state.kept is not None or state.finished:
        return ()
    sheet = state.sheet(state.seat)
    found = [Choice(Score(box), box_total(sheet, box, state.dice, values)) for box in sheet.open]
    if state.rolls:
        levels = kept_values(results(sheet, state.rolls - 1, values))
        keeps = [kept for kept in parts(state.dice) if len(kept) < DICE]
        found += [Choice(Keep(kept), _at(levels, kept)) for kept in keeps]
    return tuple(sorted(found, key=lambda choice: -choice.points))


def expected_total(state: State, seat: str, values: Values) -> float:
    """The player's expected final total if every choice from here on is the best one."""
    sheet = state.sheet(seat)
    if seat != state.seat or state.finished:
        return sheet.total + future(sheet, values)
    if state.dice is None or state.kept is not None:
        return _at(kept_values(results(sheet, state.rolls - 1, values)), state.kept or ())
    return choices(state, values)[0].points


def box_total(sheet: Sheet, box: str, dice: Faces, values: Values) -> float:
    """The expected final total with these dice in this box."""
    written = sheet.with_score(box, dice)
    return written.total + future(written, values)


def future(sheet: Sheet, values: Values) -> float:
    """Expected points that a sheet still brings before its next turn."""
    return float(values[_alone(sheet)][0])


def results(sheet: Sheet, rolls: int, values: Values) -> Numbers:
    """[result of five dice, 0] → expected final total, with this many rolls left and the best choices."""
    found = box_values(sheet.rules, values, _alone(sheet)) + sheet.total
    for _ in range(rolls):
        found = KEPT.best(kept_values(found))
    return found


def _at(levels: list[Numbers], dice: Faces) -> float:
    return float(levels[len(dice)][KEPT.place[len(dice)][dice], 0])


def _alone(sheet: Sheet) -> Sheets:
    held = sheet.rules.jokers and sheet[YATZY] == YATZY_POINTS
    filled = sum(1 << place for place, score in enumerate(sheet.scored) if score is not None)
    return Sheets(int(held), np.array([filled]), np.array([min(sheet.upper, BONUS_FROM)]))
