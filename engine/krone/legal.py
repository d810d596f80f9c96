"""Lists everything that is allowed in a state.

`legal` generates candidates for each event and keeps those that `rules.can` accepts, so the two cannot disagree. Tests
enumerate the whole vocabulary to see that nothing is missing. Rolls of more than five dice are a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.dice import UNREAD, Faces, parts, rolls
from engine.krone.cards import CARDS
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rounds import end_turn
from engine.krone.rules import can
from engine.krone.state import OpenPurchase, State

LISTED = 5  # rolls of up to this many dice are listed one by one

Move = tuple[str, Event]


@dataclass(frozen=True, slots=True)
class AnyRoll:
    """Every roll of `dice` dice by this seat: as a Roll, or as the Merchant's reroll of any part of `active`."""

    seat: str
    dice: int
    active: Faces | None = None
    unread: bool = False

    def __contains__(self, move: object) -> bool:
        match move:
            case (self.seat, Roll(dice)) if self.active is None:
                return len(dice) == self.dice and (self.unread or UNREAD not in dice)
            case (self.seat, Use("merchant", before, after)) if self.active is not None:
                named = bool(before) and len(before) == len(after) and before in parts(self.active)
                return named and (self.unread or UNREAD not in after)
        return False

    def __iter__(self) -> Iterator[Move]:
        if self.active is None:
            yield from ((self.seat, Roll(dice)) for dice in rolls(self.dice, self.unread))
        else:
            for before in parts(self.active)[1:]:
                yield from ((self.seat, Use("merchant", before, after)) for after in rolls(len(before), self.unread))


def legal(state: State, unread: bool = False) -> tuple[Move | AnyRoll, ...]:
    """All events that `play` accepts: (seat, event) pairs, and patterns for rolls of more than five dice.

    Args:
        unread: Include rolls with dice that have not been read yet.
    """
    if state.finished:
        return ()
    moves = _rolls(AnyRoll(state.seat, state.to_roll, unread=unread), state)
    moves += [(state.seat, Keep(part)) for part in parts(state.turn.active)[1:]]
    for card in dict.fromkeys(state.tableau(state.seat)):
        moves += _uses(state, card, unread)
    moves += [(state.seat, Buy(card)) for card in CARDS]
    moves.append((state.seat, Pass()))
    if state.turn.over and not state.final:
        following = end_turn(replace(state, waiting=(*state.waiting, OpenPurchase(state.seat, state.turn.kept))))
        moves += _rolls(AnyRoll(following.seat, following.to_roll, unread=unread), state)
        if following.seat != state.seat:
            for card in following.tableau(following.seat):
                moves += _uses(following, card, unread)
    return tuple(move for move in moves if isinstance(move, AnyRoll) or can(state, *move))


_DICE = {"maid": (1,), "astronomer": (1,), "magician": (1,), "philosopher": (2,), "alchemist": (2, 3)}


def _same_sum(before: Faces) -> list[Faces]:
    return [after for after in rolls(len(before)) if sum(after) == sum(before)]


def _rolls(pattern: AnyRoll, state: State) -> list[Move | AnyRoll]:
    """The legal rolls of a pattern: listed one by one if they are few, else as the pattern itself.

    The rules never look at rolled values, so one roll decides for all: empty if it is illegal.
    """
    if not pattern.dice or not can(state, *next(iter(pattern))):
        return []
    return list(pattern) if pattern.dice <= LISTED else [pattern]


def _uses(state: State, card: str, unread: bool) -> list[Move | AnyRoll]:
    """Candidate uses of this card; `can` decides."""
    seat, active = state.seat, state.turn.active
    if CARDS[card].ability == "add":
        return [(seat, Use(card, (), (face,))) for face in range(1, 7)] if card == "queen" else [(seat, Use(card))]
    if card == "merchant":
        return _rolls(AnyRoll(seat, len(active), active, unread), state)
    if card == "fool":
        return [(seat, Use(card, (die,), after)) for die in sorted(set(active)) for after in rolls(1, unread)]
    proposed: list[Use] = []
    if CARDS[card].ability != "change":
        return []
    for before in parts(active)[1:]:
        if card in ("noblewoman", "nobleman"):
            pips = 1 if card == "noblewoman" else 2
            if before[-1] + pips <= 6:
                proposed.append(Use(card, before, tuple(die + pips for die in before)))
        elif len(before) in _DICE[card]:
            changed = rolls(len(before)) if len(before) == 1 else _same_sum(before)
            proposed += [Use(card, before, after) for after in changed]
    return [(seat, use) for use in proposed]
