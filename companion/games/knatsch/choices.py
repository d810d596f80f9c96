"""Alternatives for a line of a game of Knatsch."""

from __future__ import annotations

from companion.game.changes import Line
from companion.games.knatsch.board import knatsch_board
from companion.games.parts import Offered, Version
from engine.knatsch.state import State


def choices(state: State, line: Line) -> list[Offered]:
    """All events without dice that the board offers this seat."""
    board = knatsch_board(Version("", state, list(state.seats)))
    heads = [*board.moves, *(f"{line.seat} deal {castle}" for castle in board.deals)]
    heads += [event for stack in board.stacks for event, *_ in stack.reveals]
    held = [card.offer for player in board.players for card in player.cards]
    tops = [stack.top.offer for stack in board.stacks if stack.top]
    heads += [offer.event for offer in (*tops, *held, board.king.offer) if offer and offer.legal]
    return [(head, "other", "", True) for head in dict.fromkeys(heads) if head[:1] == line.seat]
