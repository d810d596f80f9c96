"""Validates states: what must be true of every State, set up or played.

Used for positions typed in by hand, and by tests on every position that random games reach.
"""

from __future__ import annotations

from engine.errors import Unreadable
from engine.krone.cards import CARDS
from engine.krone.costs import KING_NEEDS
from engine.krone.state import State, new_turn
from engine.registry import SEATS


def check_position(state: State) -> None:
    """Raises Unreadable with the first impossible thing."""
    for seat, cards in zip(SEATS, state.tableaux, strict=False):
        for card in set(cards) - {"charlatan"}:
            if cards.count(card) > 1:
                raise Unreadable("{seat} cannot have two of {name}", seat=seat, name=card)
    for card, left in state.display.items():
        if left is not None and left < 0:
            raise Unreadable("the players have more of {name} than there are in the box", name=card)
    _check_king(state)
    if any(waiting.seat not in state.seats or not waiting.result for waiting in state.waiting):
        raise Unreadable("an open purchase needs a seat and the dice to pay with, as in “open B 5 5 3”")
    if state.rules.dice is not None and state.rules.dice < 3:
        raise Unreadable("a turn needs three dice, so the box has at least three")
    if state.round < 1:
        raise Unreadable("rounds count from 1")
    if not state.finished:
        _check_turn(state)


def _check_king(state: State) -> None:
    holders = [[card for cards in state.tableaux for card in cards].count(card) for card in ("king", "queen")]
    claimed = state.king is not None
    if holders != [claimed, claimed] or (state.claimant is None) == claimed or (state.threshold is None) == claimed:
        raise Unreadable("King, Queen and “threshold 7x2” come together, one of each")
    if state.threshold and not (state.threshold[0] >= KING_NEEDS and 1 <= state.threshold[1] <= 6):
        raise Unreadable("the King is held with at least seven alike, as in “threshold 7x2”")
    if state.final and not claimed:
        raise Unreadable("there is no final round before the King is claimed")
    if state.final and not state.finished and state.seat == state.claimant == state.king:
        raise Unreadable("the Queen's owner has a turn in the final round only after another player has taken the King")
    if state.winner and not (state.final and state.winner == state.king):
        raise Unreadable("the game is won by the player who holds the King after the final round")
    if claimed and not state.final and state.king != state.claimant:
        raise Unreadable("the King leaves the Queen in the final round only")


def _check_turn(state: State) -> None:
    turn, rules = state.turn, state.rules
    usable = {card for card in state.tableau(state.seat) if CARDS[card].ability in ("add", "reroll", "change")}
    if not turn.used <= usable:
        raise Unreadable("a card is used that {seat} does not have or cannot use", seat=state.seat)
    added = [card for card in turn.used if CARDS[card].ability == "add"]
    if not turn.rolled and (len(added) < len(turn.used) or (turn.used and not rules.early_cards)):
        raise Unreadable("these cards cannot be used before the first roll")
    dice = new_turn(rules, state.tableau(state.seat)).hand + len(added)
    if turn.dice != dice:
        raise Unreadable("{there} dice lie there, {dice} are expected", there=turn.dice, dice=dice)
    if rules.dice is not None and dice > rules.dice:
        raise Unreadable("there are only {dice} dice in the box", dice=rules.dice)
    settled = bool(turn.kept) if not turn.duty else bool(turn.active)
    if turn.rolled == bool(turn.hand) or settled != turn.rolled:
        raise Unreadable("after the first roll a die is set aside, or “duty” says that one must be")
