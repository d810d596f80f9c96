"""The transition model of a game: what can happen between two snapshots, by its rules and its players' behaviour."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol

from companion.game.changes import Sentence
from companion.game.referee.model import Hypothesis, Zone
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.timeline import Timeline
from engine.games import Event, Game
from vision.types import Reading

Hypotheses = Iterator[Hypothesis]


class Transitions(Protocol):
    """The functions that a game provides to the referee. Each game implements them in one module."""

    def __hash__(self) -> int: ...

    @property
    def game(self) -> Game:
        """The rules."""

    def event(self, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
        """The engine's event of an act whose dice show these faces.

        Raises:
            Illegal: No such event exists.
        """

    def cards_ready(self, state: Any) -> Any:
        """The position as if no card had been used in this turn."""

    def began(self, timeline: Timeline) -> int:
        """The index of the running turn's first line in the record."""

    def dice_on_table(self, state: Any) -> Sequence[tuple[int, Zone]]:
        """The dice of this position: face and zone of each."""

    def added(self, h: Hypothesis) -> Collection[int]:
        """The faces that a die added now may show; 0 stands for any."""

    def turns(self, h: Hypothesis) -> bool:
        """Whether a card may turn dice now."""

    def rolling(self, h: Hypothesis) -> bool:
        """Whether the player on turn may roll again."""

    def card_uses(
        self, h: Hypothesis, new: Sequence[int], before_roll: bool, aside: bool, turned: bool, least: float
    ) -> Hypotheses:
        """Card uses that explain dice added and turned by hand.

        Args:
            new: Variables of dice that were added.
            before_roll: It happened before a roll that was seen.
            aside: Dice were set aside in the same step.
            turned: Some of the `pending` dice were turned in this step.
            least: The smallest log chance of interest.
        """

    def same_turn(self, h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Hypotheses:
        """Hypotheses in which the player on turn rolled these dice. Earlier changes by hand are already explained."""

    def next_turn(self, h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Hypotheses:
        """Hypotheses in which these dice are the first roll of another turn."""

    def table_cleared(self, h: Hypothesis) -> Hypotheses:
        """Hypotheses after all dice were taken from the table."""

    def ends(self, h: Hypothesis) -> Hypotheses:
        """Hypotheses in which the turn ends with the dice on the table, the likeliest first."""

    def closed(self, h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
        """The hypothesis with all changes since the last roll made final; None if there are none.

        Args:
            everything: Dice still in play are set aside too.
            preview: The result is only shown.
        """

    def final(self, h: Hypothesis) -> bool:
        """Whether the changes since the last roll are final because the dice were taken from the table."""

    def unexplained(self, state: Any, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
        """The message about dice that no hypothesis explains. `cleared`: the table was empty since the last roll."""
