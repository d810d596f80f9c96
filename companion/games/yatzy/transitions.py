"""The transition model of Yatzy, as `Transitions`.

The dice show what was rolled and which dice were kept. No image shows the chosen box, because players write it down.
The referee waits for it after the third roll of a turn, and if the dice roll again before a box is entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.game.changes import Sentence
from companion.game.referee import kept_dice
from companion.game.referee.model import Hypothesis
from companion.game.referee.sentences import message
from companion.game.referee.stays import Sighting, Snapshot
from engine.games import game as game_called
from engine.yatzy.boxes import DICE
from engine.yatzy.state import State
from vision.types import Reading

game = game_called("yatzy")
CHOOSE_THE_BOX = "The dice were rolled again. Enter the box for the last roll first."


def rolling(h: Hypothesis) -> bool:
    """As `Transitions.rolling`."""
    return h.state.dice is not None and h.state.rolls > 0


def same_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: dice that still rest in their places were kept; the others were rolled."""
    return kept_dice.rolled_rest(h, rolled, snapshot, least, lambda die: True, keeps=h.state.kept is None)


def next_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: a turn starts with all five dice, after the last box was entered."""
    begins = h.state.dice is None
    if not h.state.finished and (begins or (h.cleared and len(rolled) >= DICE - kept_dice.MAX_HIDDEN)):
        yield from kept_dice.first_roll(h, DICE, begins, rolled, snapshot, least)


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.unexplained`: five dice that do not fit the record are the first roll of the next turn."""
    again = len(reading.dice) == DICE and state.dice is not None
    return (message(CHOOSE_THE_BOX),) if again else kept_dice.unexplained(state, reading, cleared)
