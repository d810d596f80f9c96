"""The guards: which cards they may protect, and the state after that."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Illegal
from engine.knatsch.attempts import with_player
from engine.knatsch.deck import is_castle, is_special
from engine.knatsch.state import State


def guard_refusal(state: State, seat: str, cards: tuple[str, ...]) -> Illegal | None:
    """Reason this player may not guard these cards now, or None."""
    player = state.player(seat)
    if state.dealing or state.throwing:
        return Illegal("place guards during your own turn, but not between the rolls of an attempt")  # K21
    missing = next((card for card in cards if not player.has(card)), None)
    if missing:
        return Illegal("{owner} does not have the {card}", owner=seat, card=missing)
    if all(is_castle(card) for card in cards):
        if not player.has("castle-guard"):
            return Illegal("{owner} does not have the {card}", owner=seat, card="castle-guard")
        if len(set(cards)) != len(cards) or len(cards) > 2:
            return Illegal("the {card} can guard one or two castles", card="castle-guard")
        return Illegal("these castles are already guarded") if cards == player.guarded_castles else None  # K21
    if len(cards) > 1 or not is_special(cards[0]):
        return Illegal("a guard can guard one or two castles, or one special card")
    if not player.has("special-guard"):
        return Illegal("{owner} does not have the {card}", owner=seat, card="special-guard")
    if cards[0] == "special-guard":
        return Illegal("the {card} cannot guard itself", card="special-guard")  # K16
    if player.guarded_special == cards[0]:
        return Illegal("the {card} is already guarded", card=cards[0])  # K21
    return None


def place_guards(state: State, seat: str, cards: tuple[str, ...]) -> State:
    """The state after this player has placed a guard on these cards."""
    player = state.player(seat)
    if is_castle(cards[0]):
        player = replace(player, guarded_castles=cards)
    else:
        player = replace(player, guarded_special=cards[0])
    state = with_player(state, seat, player)
    return state if seat == state.guarding else replace(state, guarding=None)
