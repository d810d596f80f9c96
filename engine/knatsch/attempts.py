"""Ends attempts: who gets the card, and whose turn is next."""

from __future__ import annotations

from dataclasses import replace

from engine.knatsch.deck import Card, is_castle, is_special
from engine.knatsch.events import SIDES, Held, Place, Side, TheKing, Top
from engine.knatsch.state import THROWS, Attempt, Player, State
from engine.registry import SEATS


def start_attempt(state: State, place: Place) -> State:
    """Starts an attempt of the player on turn, before the first throw."""
    leading = state.to_beat(place)
    assert leading is not None
    return replace(
        state, attempt=Attempt(place, state.turn, state.throws_for(place, state.turn), leading), guarding=None
    )


def end_attempt(state: State) -> State:
    """Ends the attempt of the rolling player and applies the result; without dice if they declined to roll."""
    attempt = state.attempt
    assert attempt is not None
    succeeded = attempt.dice is not None and state.result.beats(attempt.leading)
    match attempt.place:
        case TheKing():
            return _end_challenge(state, succeeded)
        case Held():
            return _end_attack(state, attempt.place, succeeded)
        case Top(side):
            card = state.top(side)
            assert card is not None
            if card.id == "tournament":
                return _end_tournament_throw(state, side, succeeded)
            if not succeeded:
                return end_turn(put_under(state, side))
            state = _give_card(without_top(state, side), state.turn, card)
            if is_special(card.id) and not state.finished:
                return replace(state, attempt=None, attempted=True)
            return end_turn(state)


def _end_challenge(state: State, succeeded: bool) -> State:
    if succeeded:
        return replace(state, winner=state.turn, attempt=None)
    if state.player(state.turn).has("protection"):
        return end_turn(state)
    return replace(state, attempt=None, revenge=True)


def _end_attack(state: State, place: Held, succeeded: bool) -> State:
    attempt = state.attempt
    assert attempt is not None
    defended = attempt.seat == place.seat
    if succeeded == defended:  # the attack failed or the defence succeeded
        return end_turn(state)
    if succeeded and is_castle(place.card):
        defence = Attempt(place, place.seat, THROWS, state.result, leader=state.turn)
        return replace(state, attempt=defence)
    card = state.player(place.seat).card(place.card)
    assert card is not None
    return end_turn(_give_card(_take_card(state, place.seat, card), state.turn, card))


def _end_tournament_throw(state: State, side: Side, leads: bool) -> State:
    """Updates the leader of a tournament. The organiser leads after their own throws, even with nothing; on a tie
    the earlier player keeps the lead (K6)."""
    attempt = state.attempt
    assert attempt is not None
    leader, leading = attempt.leader, attempt.leading
    if leads or leader is None:
        leader, leading = attempt.seat, state.result
    following = state.seats[(SEATS.index(attempt.seat) + 1) % state.players]
    if following != state.turn:
        throws = state.throws_for(attempt.place, following)
        return replace(state, attempt=Attempt(attempt.place, following, throws, leading, leader))
    card = state.top(side)
    assert card is not None
    return end_turn(_give_card(without_top(state, side), leader, card))


def end_turn(state: State) -> State:
    """The state of the next player's turn, or of the finished game. A player with a guard may place it until the next
    player acts."""
    if state.finished:
        return replace(state, attempt=None)
    here = SEATS.index(state.turn)
    following = state.seats[(here + 1) % state.players]
    has_guard = state.player(state.turn).has("castle-guard") or state.player(state.turn).has("special-guard")
    return replace(
        state,
        turn=following,
        round=state.round + (following == "A"),
        put_under=0,
        attempted=False,
        attempt=None,
        revenge=False,
        guarding=state.turn if has_guard else None,
    )


def put_under(state: State, side: Side) -> State:
    """Moves the top card to the bottom of its stack."""
    stack = state.stack(side)
    return _with_stack(state, side, (*stack[1:], stack[0]))


def without_top(state: State, side: Side) -> State:
    """The state without the top card of this stack."""
    return _with_stack(state, side, state.stack(side)[1:])


def lose_castle(state: State, castle: str, side: Side) -> State:
    """The state after the King has taken a castle in revenge, which ends the turn."""
    card = state.player(state.turn).card(castle)
    assert card is not None
    state = _take_card(state, state.turn, card)
    return end_turn(_with_stack(state, side, (*state.stack(side), card)))


def with_player(state: State, seat: str, player: Player) -> State:
    """The state with this player's cards replaced."""
    place = SEATS.index(seat)
    return replace(state, seated=(*state.seated[:place], player, *state.seated[place + 1 :]))


def _with_stack(state: State, side: Side, stack: tuple[Card | None, ...]) -> State:
    left, right = state.stacks
    return replace(state, stacks=(stack, right) if side == SIDES[0] else (left, stack))


def _give_card(state: State, seat: str, card: Card) -> State:
    """Gives the card to this player, who wins at once if it completes their set (K12)."""
    player = state.player(seat)
    player = replace(player, cards=(*player.cards, card))
    state = with_player(state, seat, player)
    return replace(state, winner=seat) if player.wins else state


def _take_card(state: State, seat: str, card: Card) -> State:
    """Takes the card from this player. Cards under a guard that is gone are no longer guarded."""
    player = state.player(seat)
    castles = tuple(castle for castle in player.guarded_castles if castle != card.id)
    special = player.guarded_special if player.guarded_special != card.id else None
    return with_player(
        state,
        seat,
        Player(
            tuple(own for own in player.cards if own.id != card.id),
            () if card.id == "castle-guard" else castles,
            None if card.id == "special-guard" else special,
        ),
    )
