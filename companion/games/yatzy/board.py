"""The view model of Yatzy: plain data, without language and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.game.changes import Line, Sentence
from companion.game.record_line import RecordLine
from companion.games.parts import (
    Announcement,
    Board,
    GameSnapshot,
    LineChoice,
    indices_of,
    kept_before,
    record_line,
    win_announcement,
)
from companion.games.yatzy.advice import yatzy_values
from engine.dice import Faces
from engine.events import read_keep
from engine.yatzy.advice.choices import Choice, choices
from engine.yatzy.boxes import FURTHER, UPPER
from engine.yatzy.events import Keep, Score
from engine.yatzy.rules import can
from engine.yatzy.state import State

MAX_BOXES = 3  # that are offered beside the dice; all of them are on the scoresheet


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box of one player.

    Attributes:
        score: Its points; None while open.
        offer: What the dice would score in it now; None if they cannot score there.
        gain: Expected points below the best choice; None while unknown.
    """

    id: str
    score: int | None
    offer: int | None = None
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One player's scoresheet. `upper` is the points of the upper half without its bonus."""

    seat: str
    name: str
    to_move: bool
    boxes: tuple[BoxView, ...]
    upper: int
    bonus: int
    further: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class YatzyBoard(Board):
    """One version of the game, ready to be shown.

    Attributes:
        dice: In descending order.
        kept: Dice chosen to stay.
        stay: Indices of the dice that stayed for this roll.
        advised: Indices of the dice to keep.
        rolls: Left in this turn.
        advised_box: The best choice if it is a box, else "".
    """

    dice: Faces
    kept: Faces
    to_roll: int
    rolls: int
    may_keep: bool
    stay: frozenset[int]
    advised: frozenset[int]
    advised_box: str
    bonus: int
    jokers: bool
    upper_boxes: int = len(UPPER)

    @property
    def best_boxes(self) -> tuple[BoxView, ...]:
        """Three open boxes to choose from after the last roll: the best ones if the advice is shown, else those with
        the most points."""
        if self.may_keep or self.to_roll:
            return ()
        boxes = [box for player in self.players for box in player.boxes if player.to_move and box.offer is not None]
        return tuple(sorted(boxes, key=lambda box: (box.gain or 0.0, -(box.offer or 0)))[:MAX_BOXES])


def make_board(snapshot: GameSnapshot) -> YatzyBoard:
    """Arranges one version of a game."""
    state: State = snapshot.state
    found = choices(state, yatzy_values(state.rules.id)) if snapshot.advised else ()
    best = found[0].event if found else None
    dice = tuple(reversed(state.dice or ()))
    return YatzyBoard(
        **snapshot.common_fields(record_lines),
        players=tuple(_column(state, seat, name, found) for seat, name in snapshot.names_by_seat.items()),
        dice=dice,
        kept=tuple(reversed(state.kept or ())),
        to_roll=state.to_roll,
        rolls=state.rolls,
        may_keep=state.dice is not None and state.kept is None and state.rolls > 0,
        stay=indices_of(dice, kept_before(snapshot.lines)),
        advised=indices_of(dice, best.dice) if isinstance(best, Keep) else frozenset(),
        advised_box=best.box if isinstance(best, Score) else "",
        bonus=state.rules.bonus,
        jokers=state.rules.jokers,
    )


def phone(state: State, board: YatzyBoard, me: Column, ahead: object) -> dict[str, Any]:
    """A player's phone: the board with that player's sheet only."""
    return {"board": replace(board, players=(me,))}


def record_lines(lines: Sequence[Line], names: Mapping[str, str]) -> tuple[RecordLine, ...]:
    """The record's lines as listed."""
    found: list[RecordLine] = []
    for line in lines:
        verb, *words = line.move.split()
        named = {"words": tuple(words)} if verb == "score" else {"dice": tuple(reversed(read_keep(words).dice))}
        found.append(record_line(line, names, **named, begins_turn=not found or found[-1].verb == "score"))
    return tuple(found)


def moment(before: State, after: State, line: Line) -> Announcement | None:
    """The announcement of a filled box, or of the end."""
    if after.finished and not before.finished:
        return win_announcement(after)
    verb, *words = line.move.split()
    if verb != "score":
        return None
    score = after.sheet(line.seat)[words[0]] or 0
    return Sentence("{seat}: {card}, {score} points.", {"seat": line.seat, "card": words[0], "score": score}), "gain"


def line_choices(state: State, line: Line) -> Iterator[LineChoice]:
    """Every box that is still open for this seat."""
    for box in state.rules.boxes:
        if can(state, line.seat, Score(box)):
            yield f"{line.seat} score {box}", "take", "", True


def _column(state: State, seat: str, name: str, found: Sequence[Choice]) -> Column:
    sheet, running = state.sheet(seat), seat == state.seat and not state.finished
    best = found[0].points if found else 0.0
    gains = {one.event.box: best - one.points for one in found if isinstance(one.event, Score)} if running else {}
    dice = state.dice if running else None
    boxes = tuple(
        BoxView(box, score, sheet.points_for(box, dice) if dice and score is None else None, gains.get(box))
        for box, score in zip(state.rules.boxes, sheet.scored, strict=True)
    )
    return Column(seat, name, running, boxes, sheet.upper, sheet.bonus, FURTHER * sheet.further, sheet.total)
