"""Legal targets, and what depends on them: which cards may be put under their stack, and when a turn may end without an
attempt.

The checks return the reason as an error in the players' words, or None.
"""

from __future__ import annotations

from engine.errors import Illegal
from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.events import SIDES, Held, Place, Side, TheKing, Top
from engine.knatsch.state import State


def target_refusal(state: State, place: Place) -> Illegal | None:
    """Reason this target is illegal for the player on turn, or None."""
    refusal = capture_refusal(state, place)
    if refusal is None and state.to_beat(place) is None:
        return Illegal("enter the combination of this card first")
    return refusal


def capture_refusal(state: State, place: Place) -> Illegal | None:
    """Reason the card at this place cannot be captured, or None; its combination may be unknown."""
    match place:
        case Top(side):
            return _top_refusal(state, side)
        case Held(owner, card):
            return _held_refusal(state, owner, card)
        case TheKing():
            return _king_refusal(state)


def _top_refusal(state: State, side: Side) -> Illegal | None:
    if not state.stack(side):
        return Illegal("the {side} is empty", side=f"{side} stack")
    card = state.top(side)
    if card is None:
        return unrevealed(side)
    return None if state.capturable(card) else _twice(state, card.id)


def _held_refusal(state: State, owner: str, card: str) -> Illegal | None:
    if owner not in state.seats or not state.player(owner).has(card):
        return Illegal("{owner} does not have the {card}", owner=owner, card=card)
    if owner == state.turn:
        return Illegal("the {card} already belongs to {seat}", card=card, seat=owner)
    if not (is_castle(card) or is_special(card)):
        return Illegal("you cannot take another player’s tournament card")
    player = state.player(owner)
    if player.guarded(card):
        return Illegal("the {card} is guarded", card=card)  # K17
    former = is_special(card)  # an older version of the rules allowed it, so old records may contain it
    if len(player.castles) < 2:
        refusal = Illegal("you cannot attack a player with only one castle, not even for a special card")  # K18
        return refusal.once_allowed(former)
    if len(player.castles) < 3 and state.players == 2:
        refusal = Illegal("with two players, you can only attack a player with at least three castles")  # K18
        return refusal.once_allowed(former)
    return _twice(state, card) if state.player(state.turn).has(card) else None


def _king_refusal(state: State) -> Illegal | None:
    if state.attempted:
        return Illegal("challenge the King instead of the turn’s attempt, not after it")  # K7
    if len(state.player(state.turn).castles) < 3:
        return Illegal("only a player with three castles at the start of the turn may challenge the King")
    return None


def _twice(state: State, card: str) -> Illegal:
    return Illegal(
        "{seat} already has the {card}. Only tournament cards can be captured more than once",
        seat=state.turn,
        card=card,
    )


def unrevealed(side: Side) -> Illegal:
    """The error that the top of this stack must be entered first."""
    return Illegal("enter the top card of the {side} first", side=f"{side} stack")


def something_to_attempt(state: State) -> bool:
    """Whether something on the table can be captured. The King does not count, because challenging him is optional
    (K7)."""
    return any(capture_refusal(state, place) is None for place in state.places() if not isinstance(place, TheKing))


def something_below(state: State) -> bool:
    """Whether a card that the player on turn may capture is or may be below the tops."""
    below = [card for stack in state.stacks for card in stack[1:]]
    if any(card is not None and state.capturable(card) for card in below):
        return True
    return None in below and any(state.capturable(card) for card, _ in state.unseen)


def allowed_under(state: State) -> int:
    """Number of cards that may be put under in one turn: one, or two with the Stack card."""
    return 2 if state.player(state.turn).has("stack") else 1


def under_refusal(state: State, side: Side) -> Illegal | None:
    """Reason the top card may not be put under its stack, or None."""
    if not state.stack(side):
        return Illegal("the {side} is empty", side=f"{side} stack")
    if state.hidden(side):
        return unrevealed(side)
    if len(state.stack(side)) == 1:
        return Illegal("a stack with one card stays as it is")  # K11
    if state.put_under < allowed_under(state):
        return None
    hidden = next((other for other in SIDES if state.hidden(other)), None)
    if hidden:
        return unrevealed(hidden)
    if something_to_attempt(state):
        if allowed_under(state) == 1:
            return Illegal("you already put a card under a stack this turn, and you can still capture something")
        return Illegal("you already put two cards under a stack this turn, and you can still capture something")
    return None if something_below(state) else Illegal("you cannot capture anything from the stacks. Pass")


def pass_refusal(state: State) -> Illegal | None:
    """Reason the player on turn may not end the turn without (another) attempt, or None."""
    if state.attempted:
        return None  # K9
    hidden = next((side for side in SIDES if state.hidden(side)), None)
    if hidden:
        return unrevealed(hidden)
    if something_to_attempt(state):
        return Illegal("you must make an attempt while you can capture something")  # K10
    return None  # cards may be put under until something can be captured, but this is optional (K19)
