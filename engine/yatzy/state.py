"""The state as values: everyone's scoresheet and the current turn.

The seat on turn follows from the sheets: the first seat with the fewest boxes filled. Rules are in `rules`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from engine.dice import Faces
from engine.game_state import GameState
from engine.registry import SEATS
from engine.yatzy.boxes import BONUS_FROM, DICE, FURTHER, ROLLS, UPPER, YATZY, YATZY_POINTS, Rules, five_alike, points


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's scoresheet.

    Attributes:
        rules: Its ruleset.
        scored: Points by box in the order of the ruleset; None for an open box.
        further: Fives of a kind after the Yatzy box held 50, each worth 100 (American rules).
    """

    rules: Rules
    scored: tuple[int | None, ...]
    further: int = 0

    def __getitem__(self, box: str) -> int | None:
        return self.scored[self.rules.place(box)]

    @property
    def open(self) -> tuple[str, ...]:
        """Ids of the open boxes."""
        return tuple(box for box, score in zip(self.rules.boxes, self.scored, strict=True) if score is None)

    @property
    def filled(self) -> int:
        """Number of filled boxes."""
        return sum(score is not None for score in self.scored)

    @property
    def upper(self) -> int:
        """Points in the upper half, without its bonus."""
        return sum(score or 0 for score in self.scored[: len(UPPER)])

    @property
    def bonus(self) -> int:
        """The bonus of the upper half; 0 below 63 points."""
        return self.rules.bonus if self.upper >= BONUS_FROM else 0

    @property
    def total(self) -> int:
        """All points, with bonuses."""
        return sum(score or 0 for score in self.scored) + self.bonus + FURTHER * self.further

    def joker(self, dice: Faces) -> bool:
        """Whether these dice count as a full house and as both straights."""
        if not (self.rules.jokers and five_alike(dice) and self[YATZY] is not None):
            return False
        return self[UPPER[dice[0] - 1]] is not None

    def points_for(self, box: str, dice: Faces) -> int:
        """The score of five dice in an open box, without bonuses."""
        return points(self.rules, box, dice, self.joker(dice))

    def earns_further(self, dice: Faces) -> bool:
        """Whether these dice earn 100 more, whatever box they score in."""
        return self.rules.jokers and self[YATZY] == YATZY_POINTS and five_alike(dice)

    def with_score(self, box: str, dice: Faces) -> Sheet:
        """The sheet after scoring these dice in an open box."""
        place = self.rules.place(box)
        scored = (*self.scored[:place], self.points_for(box, dice), *self.scored[place + 1 :])
        return replace(self, scored=scored, further=self.further + self.earns_further(dice))


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The state of a game.

    Attributes:
        rules: The ruleset.
        sheets: In seat order.
        rolls: Rolls left in the current turn.
        dice: The five dice as last rolled; None before the first roll of the turn.
        kept: Dice that stay for the next roll; None while not chosen.
    """

    GAME: ClassVar[str] = "yatzy"

    rules: Rules
    sheets: tuple[Sheet, ...]
    rolls: int = ROLLS
    dice: Faces | None = None
    kept: Faces | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.sheets)

    @property
    def seat(self) -> str:
        """The seat on turn; the last one once the game is over."""
        if self.finished:
            return self.seats[-1]
        return min(self.seats, key=lambda seat: self.sheet(seat).filled)

    def sheet(self, seat: str) -> Sheet:
        """The sheet of the player in this seat."""
        return self.sheets[SEATS.index(seat)]

    @property
    def round(self) -> int:
        """The current round, from 1."""
        return min(self.sheet(self.seat).filled + 1, len(self.rules.boxes))

    @property
    def finished(self) -> bool:
        """Whether all sheets are full."""
        return all(sheet.filled == len(self.rules.boxes) for sheet in self.sheets)

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats with the most points once the game is over."""
        best = max(sheet.total for sheet in self.sheets)
        return tuple(seat for seat in self.seats if self.finished and self.sheet(seat).total == best)

    @property
    def to_roll(self) -> int:
        """Number of dice of the next roll; 0 if the player has not chosen what to keep, or has no roll left."""
        if self.finished or not self.rolls:
            return 0
        if self.dice is None:
            return DICE
        return 0 if self.kept is None else DICE - len(self.kept)


def new_game(players: int, rules: Rules) -> State:
    """The state before the first turn; seat A starts."""
    return State(rules, (Sheet(rules, (None,) * len(rules.boxes)),) * players)
