"""What a game adds to the referee: the rules, and what its players do with dice and cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol

from companion.game.changes import Sentence
from companion.game.referee.model import Hypothesis, Zone
from companion.game.referee.observation import Sighting, Snapshot
from companion.game.timeline import Timeline
from engine.games import Event, Game
from vision.types import Reading

Ways = Iterator[Hypothesis]


class Transitions(Protocol):
    """What the rules of a game and the habits of its players allow to happen: a module, one a game."""

    def __hash__(self) -> int: ...

    @property
    def game(self) -> Game:
        """The rules."""

    def event(self, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
        """The engine's event of an act whose dice show this. Raises Illegal where no such event exists."""

    def cards_ready(self, state: Any) -> Any:
        """The position as if no card had been used in this turn."""

    def began(self, timeline: Timeline) -> int:
        """The place of the running turn's first line."""

    def lying(self, state: Any) -> Sequence[tuple[int, Zone]]:
        """The dice of this position: what they show, and where they lie."""

    def added(self, h: Hypothesis) -> Collection[int]:
        """What a die that is laid down now may show (0: anything)."""

    def turns(self, h: Hypothesis) -> bool:
        """Whether dice may be turned now."""

    def throwing(self, h: Hypothesis) -> bool:
        """Whether who throws may throw again."""

    def by_hand(
        self, h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
    ) -> Ways:
        """What explains that these dice were laid down and those `pending` turned; throwing: before a throw that has
        been seen; aside: some have been set aside meanwhile; turned: some of those `pending` just now; least: nothing
        less likely is wanted."""

    def same_turn(self, h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Ways:
        """Who threw before has thrown these; the hands' part is told already."""

    def next_turn(self, h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Ways:
        """Somebody has begun with a throw of these."""

    def taken_up(self, h: Hypothesis) -> Ways:
        """No dice lie there any more."""

    def ends(self, h: Hypothesis) -> Ways:
        """The turn is over as the dice lie, the likeliest way first."""

    def closed(self, h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
        """With what was seen since the last throw taken as final; everything: what is still in play too; preview: only
        to be shown. None where nothing is to be told of this turn."""

    def final(self, h: Hypothesis) -> bool:
        """Whether what was seen since the last throw is final: the dice have been taken up."""

    def unexplained(self, state: Any, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
        """What to say about dice that nothing explains yet; cleared: the table was empty since the last throw."""
