"""Which cards the player on turn has turned sideways: evidence for the cards she has used."""

from __future__ import annotations

from itertools import dropwhile, takewhile

from companion.game.referee.card_marks import CardMarks
from companion.game.table import Table
from vision.cards.watching import CardsSeen

CLEAR = 3.0  # log-odds (95 %) from which a kind is taken for certain
HOLD_SECONDS = 0.8  # a card that is put down, or turned, to be taken up again at once has not been bought, or used
USES_ASSUMED = 4.0, 3.0  # uses of cards, and how many of them were turned, that a table is believed to have begun with


class TurnClock:
    """When the present turn, or attempt, began, by what tells it from every other: what was turned before is none of
    it.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._turn: object = None
        self.began = float("-inf")  # seconds, as far as it was noticed

    def notice(self, seconds: float) -> None:
        """Called before and after anything may have been recorded."""
        game, state = self._table.record.game, self._table.state
        ended = sum(game.ends_turn(entry.event) for entry in self._table.record.entries)
        turn = state.round, state.seat, ended, getattr(state, "attempt", None) is None
        if turn != self._turn:
            self.began = seconds if self._turn is not None else float("-inf")
            self._turn = turn


class UsedCards:
    """Which cards the seat on turn has turned, and how often a card that is used at this table is turned."""

    def __init__(self, table: Table, clock: TurnClock) -> None:
        self._table, self._clock = table, clock
        self._turn: tuple[str, float] | None = None
        self._turned: frozenset[str] = frozenset()
        self._in_view: frozenset[str] = frozenset()
        self._used, self._used_and_turned = USES_ASSUMED
        self._told: CardMarks | None = None

    def tell(self, seen: CardsSeen, seconds: float) -> None:
        """Let the table know what is seen of the cards of the seat on turn."""
        seat = self._table.state.seat
        if self._turn != (seat, self._clock.began):
            self._learn()
            self._turn, self._turned, self._in_view = (seat, self._clock.began), frozenset(), frozenset()
        if seat in seen.stirring:
            return
        lying = [one for one in seen.lying if one.zone == seat and one.card.kind and one.log_odds >= CLEAR]
        self._turned |= {
            str(one.card.kind)
            for one in lying
            if one.turned is not None and self._clock.began < one.turned <= seconds - HOLD_SECONDS
        }
        self._in_view |= {str(one.card.kind) for one in lying}
        upright = frozenset(str(one.card.kind) for one in lying if one.turned is None) - self._turned
        marks = CardMarks(seat, self._turned, upright, self._used_and_turned / self._used)
        if marks != self._told:
            self._told = marks
            self._table.see_cards(marks)

    def _learn(self) -> None:
        """The turn is over: of the cards used in it that were in view, so many were turned."""
        if self._turn is None:
            return
        seat, lines = self._turn[0], reversed(self._table.lines)
        last = takewhile(lambda line: line.seat == seat, dropwhile(lambda line: line.seat != seat, lines))
        used = {line.move.split()[1] for line in last if line.move.startswith("use ")} & self._in_view
        self._used += len(used)
        self._used_and_turned += len(used & self._turned)
