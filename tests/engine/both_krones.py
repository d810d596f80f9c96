"""One game played by the engine and by the plain implementation."""

from __future__ import annotations

from engine.krone.state import State
from tests.engine.plain_krone import PlainTable


def same(state: State, table: PlainTable) -> None:
    """The two agree on everything that players can see."""
    assert state.finished == table.over
    assert [sorted(cards) for cards in state.tableaux] == [sorted(cards) for cards in table.cards]
    assert {card: left for card, left in state.display.items() if left is not None and card != "charlatan"} == {
        card: left for card, left in table.shop.items() if left < 100
    }
    assert [waiting.seat for waiting in state.waiting] == ["ABCDE"[seat] for seat in table.open]
    assert state.round == table.round
    if state.finished:
        assert table.king is not None
        assert state.winner == "ABCDE"[table.king]
        return
    turn = state.turn
    assert state.seat == "ABCDE"[table.who]
    assert (turn.active, turn.kept) == (tuple(sorted(table.active)), tuple(sorted(table.kept)))
    assert (turn.hand, turn.duty, turn.rolled) == (table.hand, table.must_keep, table.thrown)
    assert turn.used == set(table.used)
    assert state.final == table.last_round
    assert (state.threshold or (0, 0)) == table.best
