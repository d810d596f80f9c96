"""The actions of a turn and the value of each for a goal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Literal

from engine.dice import Faces, parts, union, without
from engine.krone.advice.kernel import TurnMoment, TurnSolver
from engine.krone.advice.turn_position import Position
from engine.krone.cards import CARDS

Do = Literal["stop", "keep", "roll", "use"]
_ORDER = {"stop": 0, "keep": 1, "roll": 2, "use": 3}  # order of advice among equally good actions


@dataclass(frozen=True, slots=True)
class Action:
    """The next thing to do.

    Attributes:
        dice: Dice set aside, or active dice on which a card is used.
        to: What they show afterwards, added dice included; () if they are rolled or, before the first roll, will be.
    """

    do: Do
    card: str | None = None
    dice: Faces = ()
    to: Faces = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An action and its value under best play afterwards: the probability of the goal, or the value of the turn."""

    action: Action
    value: Fraction | float


def choices(turn: TurnSolver, goal: int, position: Position, stop: float) -> list[Choice]:
    """Every legal action, best first. Ties are in the order stop, keep, roll, use; among keeps, most dice first.

    Args:
        turn: Solved for this position, or for an earlier one of the same turn.
        stop: The value of ending the turn, where that is allowed.
    """
    found = [Choice(action, value) for action, value in _all(turn, goal, position, stop)]
    top = max((choice.value for choice in found), default=0)
    return sorted(found, key=lambda choice: _rank(choice, top))


def _rank(choice: Choice, top: Fraction | float) -> tuple[object, ...]:
    """Sort key in which doubles that differ only by rounding count as equal to the best."""
    value = choice.value
    if not isinstance(value, Fraction) and abs(value - top) < 1e-12:
        value = top
    action = choice.action
    return -value, _ORDER[action.do], -len(action.dice) if action.do == "keep" else 0, tuple(-d for d in action.dice)


def _all(turn: TurnSolver, goal: int, position: Position, stop: float) -> Iterator[tuple[Action, Fraction | float]]:
    unused = position.unused
    since = without(position.kept, turn.kept)  # dice set aside since the turn was solved
    assert since is not None
    if position.hand:
        yield Action("roll"), turn.ask(goal, unused, (1,) * position.hand, (), TurnMoment.ROLL)
        for card in unused:
            if CARDS[card].ability == "add" and position.rules.early_cards and position.room:
                left = [c for c in unused if c != card]
                yield Action("use", card), turn.ask(goal, left, (1,) * (position.hand + 1), (), TurnMoment.ONWARD)
        return
    if not position.active:
        yield Action("stop"), Fraction(stop) if turn.exact else stop
    elif position.duty_met:
        yield Action("roll"), turn.ask(goal, unused, position.active, since, TurnMoment.ROLL)
    for part in parts(position.active)[1:]:
        rest = without(position.active, part)
        assert rest is not None
        yield Action("keep", dice=part), turn.ask(goal, unused, rest, union(since, part), TurnMoment.MET)
    duty = TurnMoment.MET if position.duty_met else TurnMoment.FRESH
    for card in unused:
        left = [c for c in unused if c != card]
        for action, active_after, again in uses(position, card):
            yield action, turn.ask(goal, left, active_after, since, duty, again)


def uses(position: Position, card: str) -> Iterator[tuple[Action, Faces, int]]:
    """Every use of a card between rolls: the action, the active dice afterwards without those rerolled, and the
    number of rerolled dice. Of several ways to the same dice, the one that names fewest."""
    active = position.active
    if CARDS[card].ability == "add":
        if position.room:
            for face in range(1, 7) if card == "queen" else (CARDS[card].pips,):
                yield Action("use", card, (), (face,)), union(active, (face,)), 0
        return
    seen = {active}
    for part in parts(active)[1:]:
        rest = without(active, part)
        assert rest is not None
        if CARDS[card].ability == "reroll":
            if card == "merchant" or len(part) == 1:
                yield Action("use", card, part), rest, len(part)
            continue
        for shown in _turned(card, part, position.kept):
            active_after = union(rest, shown)
            if active_after not in seen:
                seen.add(active_after)
                yield Action("use", card, part, shown), active_after, 0


def _turned(card: str, part: Faces, kept: Faces) -> Iterator[Faces]:
    """The possible faces of these dice after using the card on all of them."""
    match card, len(part):
        case "maid", 1:
            yield from ((part[0] + more,) for more in (1, 2, 3) if part[0] + more <= 6)
        case "magician", 1:
            yield from ((face,) for face in range(1, 7))
        case "astronomer", 1:
            yield from ((face,) for face in sorted(set(kept)))
        case ("philosopher", 2) | ("alchemist", 2 | 3):
            new = combinations_with_replacement(range(1, 7), len(part))
            yield from (shown for shown in new if sum(shown) == sum(part))
        case "noblewoman" | "nobleman", _:
            step = 1 if card == "noblewoman" else 2
            if part[-1] + step <= 6:
                yield tuple(face + step for face in part)
