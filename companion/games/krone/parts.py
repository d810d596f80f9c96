"""The parts of what the page shows of Um Krone und Kragen, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.krone.final_round import Standing
from companion.games.parts import Board
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of one kind on the display.

    left: how many, None = endless. offer: "now" it can be bought; "kept" the dice set aside already pay for it; "rest"
    it could be bought if the active dice were set aside as they lie; "" none of these. buyable: taking it now is
    allowed, the active dice being set aside with it. owned: by the player on turn. chance: of buying it this turn when
    one plays for it, None while unknown.
    """

    id: str
    row: int
    left: int | None
    offer: str
    buyable: bool
    owned: bool
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Owned:
    """A card in a tableau; used: turned this turn; passive: it brings dice and is never used."""

    id: str
    row: int
    used: bool
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Usable:
    """A card that may be used now; plain: it needs no dice named."""

    id: str
    row: int
    plain: bool


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. dice: thrown at the start of a turn; late: cards that an earlier turn of hers may still take."""

    seat: str
    name: str
    to_move: bool
    starts: bool
    dice: int
    cards: tuple[Owned, ...]
    late: tuple[str, ...]
    win_chance: float | None = None


@dataclass(frozen=True, slots=True)
class RunningTurn:
    """The turn in progress. to_roll: dice to throw next when a throw is what comes next (or may come), else 0.

    advised: places in `active` (dice high to low) that the advice sets aside. guesses: for each active die, what else
    it may show, likeliest first; () where the camera has not seen it.
    """

    seat: str
    name: str
    active: Faces
    kept: Faces
    to_roll: int
    may_pass: bool
    uses: tuple[Usable, ...]
    advised: frozenset[int] = frozenset()
    guesses: tuple[Faces, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoreboard(Board):
    """One version of the game, ready to be shown."""

    final_round: bool
    turn: RunningTurn
    order: tuple[Player, ...]
    players: tuple[Player, ...]
    rows: tuple[tuple[int, tuple[Pile, ...]], ...]
    threshold: tuple[int, int] | None = None
    beat: float | None = None
    standings: tuple[Standing, ...] = ()

    @property
    def offers(self) -> tuple[Pile, ...]:
        """The piles that can be bought from now, the dearest first."""
        return tuple(pile for pile in self._dearest_first if pile.buyable)

    @property
    def sure(self) -> tuple[Pile, ...]:
        """The piles the dice set aside already pay for although dice are still to be thrown, the dearest first."""
        return tuple(pile for pile in self._dearest_first if pile.offer and not pile.buyable)

    @property
    def _dearest_first(self) -> list[Pile]:
        return [pile for _, row in reversed(self.rows) for pile in reversed(row)]
