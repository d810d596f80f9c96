"""A filter fed with hand-made readings."""

from __future__ import annotations

from companion.game.moves import Moves, move_texts, read_moves, without_keeps
from companion.game.referee.beam import Belief
from companion.game.referee.model import Hypothesis
from companion.game.referee.observation import Observer
from companion.game.referee.referee import Referee
from companion.game.table import Table
from companion.games.krone import transitions as krone
from engine.krone.state import State
from tests.kit.laid_table import LaidTable
from tests.referee.refereed import table
from vision.types import Reading


def moves(*texts: str) -> Moves:
    """Lines of a record as moves."""
    return read_moves(krone.game, texts)


def filtered_table(*cards: str) -> Table:
    """A game of two players with the filtering referee; A, who is on turn, has these cards."""
    return Table(table(*cards).record, Referee(krone))


class Filter:
    """The filter alone, reading a scripted table."""

    def __init__(self, *cards: str) -> None:
        state: State = table(*cards).state
        self.laid, self._observer = LaidTable(), Observer()
        self.belief = Belief([Hypothesis(krone, state, state)])

    def look(self) -> None:
        self.show(self.laid.read())

    def show(self, reading: Reading) -> None:
        self._observer.watch(reading)
        if reading.settled:
            snapshot = self._observer.snapshot = self._observer.see(reading)
            self.belief.update(snapshot)

    @property
    def explained(self) -> dict[tuple[str, ...], float]:
        """The probability of each history, given that the game goes on, whenever dice were set aside."""
        found: dict[tuple[str, ...], float] = {}
        playing = self.belief.playing
        for one in playing:
            its = move_texts(krone.game, without_keeps(one.hypothesis.lines))
            found[its] = found.get(its, 0.0) + one.chance / sum(other.chance for other in playing)
        return found
