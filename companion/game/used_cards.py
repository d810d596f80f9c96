"""Which cards the player on turn has turned sideways, as evidence of use."""

from __future__ import annotations

from collections import Counter
from itertools import dropwhile, takewhile

from companion.game.referee.card_marks import CardMarks
from companion.game.table import Table
from engine.registry import SEATS
from vision.cards.watching import CardsSeen

CLEAR_LOG_ODDS = 3.0  # log-odds (95 %) from which a kind counts as certain
HOLD_SECONDS = 0.8  # a card put down or turned for a shorter time was not bought or used
USES_PRIOR = 4.0, 3.0  # prior: number of uses of cards, and how many of them were turned


def tableaux_of(table: Table) -> dict[str, Counter[str]]:
    """The kinds in front of each seat, as recorded."""
    game, state = table.record.game, table.state
    return {seat: Counter(cards) for seat, cards in zip(SEATS, game.tableaux(state), strict=False)}


class TurnStart:
    """The start of the current turn or attempt. Cards turned earlier do not belong to it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._turn: object = None
        self.began = float("-inf")  # seconds

    def update(self, seconds: float) -> None:
        """Notes whether another turn has started. Must be called before and after anything may have been recorded."""
        game, state = self._table.record.game, self._table.state
        ended = sum(game.ends_turn(entry.event) for entry in self._table.record.entries)
        turn = state.round, state.seat, ended, getattr(state, "attempt", None) is None
        if turn != self._turn:
            self.began = seconds if self._turn is not None else float("-inf")
            self._turn = turn


class UsedCards:
    """The cards that the seat on turn has turned, and how often players at this table turn a used card."""

    def __init__(self, table: Table, clock: TurnStart) -> None:
        self._table, self._clock = table, clock
        self._turn: tuple[str, float] | None = None
        self._turned: frozenset[str] = frozenset()
        self._in_view: frozenset[str] = frozenset()
        self._gone: frozenset[str] = frozenset()  # no longer visible, perhaps under a turned one
        self._seen_in_tableau: frozenset[tuple[str, str]] = frozenset()
        self._used, self._used_and_turned = USES_PRIOR
        self._reported: CardMarks | None = None

    def report(self, seen: CardsSeen, seconds: float) -> None:
        """Passes the marks of the cards of the seat on turn to the table."""
        seat, began = self._table.state.seat, self._clock.began
        if self._turn != (seat, began):
            self._learn_turn_rate()
            self._turn = seat, began
            self._turned = self._in_view = self._gone = frozenset()
        if seat in seen.unread:
            return
        cards = [one for one in seen.cards if one.zone == seat and one.card.kind and one.log_odds >= CLEAR_LOG_ODDS]
        self._turned |= {
            str(one.card.kind)
            for one in cards
            if one.turned is not None and began < one.turned <= seconds - HOLD_SECONDS
        }
        self._in_view |= {str(one.card.kind) for one in cards}
        upright = frozenset(str(one.card.kind) for one in cards if one.turned is None) - self._turned
        tableaux = tableaux_of(self._table)
        left = {kind for zone, kind, when in seen.gone if zone == seat and began < when <= seconds - HOLD_SECONDS}
        self._gone = frozenset(left & tableaux[seat].keys()) - self._turned - {*seen.kinds(seat)}
        self._seen_in_tableau |= {(zone, kind) for zone in tableaux for kind in seen.kinds(zone)}
        turn_rate = self._used_and_turned / self._used
        marks = CardMarks(seat, self._turned, upright, turn_rate, self._gone, self._seen_in_tableau)
        if marks != self._reported:
            self._reported = marks
            self._table.see_cards(marks)

    def _learn_turn_rate(self) -> None:
        """Learns, at the end of a turn, how many of its used visible cards were turned."""
        if self._turn is None:
            return
        seat, lines = self._turn[0], reversed(self._table.lines)
        last = takewhile(lambda line: line.seat == seat, dropwhile(lambda line: line.seat != seat, lines))
        used = {line.move.split()[1] for line in last if line.move.startswith("use ")} & (self._in_view | self._gone)
        self._used += len(used)
        self._used_and_turned += len(used & (self._turned | self._gone))
