"""Positions of Knatsch for tests, described in words and played line by line."""

from __future__ import annotations

from engine.errors import Illegal
from engine.knatsch.deck import BOX, Deck, read_deck
from engine.knatsch.game import can, play, read_event
from engine.knatsch.position import read_position
from engine.knatsch.state import State

RED, BLUE, GREEN, YELLOW = "castle-red=3-3-3+2", "castle-blue=4-4-4+2", "castle-green=3-3-3+4", "castle-yellow=2-2-2+1"


def knatsch_state(
    *seats: str, left: str = "", right: str = "", turn: str = "turn=A", deck: Deck = BOX, hidden: bool = True
) -> State:
    """A position: each player's cards, the stacks from the top, the turn; the other cards are face down below.

    `hidden=False`: the deck is exactly the named cards.
    """
    known = " ".join((*seats, left, right)).replace("!", "").split()
    if not hidden:
        deck = read_deck(" ".join(known))
    rest = len(deck.cards) - len(known)
    return _read(seats, left, right, turn, deck, (rest // 2, rest - rest // 2))


def _read(seats: tuple[str, ...], left: str, right: str, turn: str, deck: Deck, rest: tuple[int, int]) -> State:
    parts = [f"{letter} {cards}" for letter, cards in zip("ABCDEF", seats, strict=False)]
    for side, cards, count in (("left", left, rest[0]), ("right", right, rest[1])):
        parts.append(f"{side} {cards} {f'{count}*?' if count else ''}")
    return read_position(" / ".join([*parts, turn if "king=" in turn else f"king=? {turn}"]), len(seats), deck)


def after(state: State, *lines: str) -> State:
    """The position after these lines of a record; each must be legal."""
    for line in lines:
        seat, _, event = line.partition(" ")
        state = play(state, seat, read_event(event))
    return state


def refusal(state: State, line: str) -> str:
    """Why this line is illegal; fails if it is legal."""
    seat, _, event = line.partition(" ")
    try:
        play(state, seat, read_event(event))
    except Illegal as refused:
        return str(refused)
    raise AssertionError(f"{line} is legal")


def legal(state: State, line: str) -> bool:
    seat, _, event = line.partition(" ")
    return can(state, seat, read_event(event))
