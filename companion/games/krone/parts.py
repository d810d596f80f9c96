"""Parts of the view model of Um Krone und Kragen, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.krone.final_round import FinalStanding
from companion.games.parts import Board
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards of one kind for sale.

    Attributes:
        left: Number of copies; None for unlimited.
        offer: "now" if it can be bought; "kept" if the dice set aside already pay for it; "rest" if it could be bought
            after setting the active dice aside as they are; else "".
        buyable: Buying it now is legal, setting the active dice aside with it.
        owned: The player on turn has it.
        chance: Probability of buying it this turn when playing for it; None while unknown.
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
    """A card in a tableau.

    Attributes:
        used: Turned this turn.
        passive: It adds dice and is never used.
    """

    id: str
    row: int
    used: bool
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Usable:
    """A card that can be used now. `plain`: it needs no dice."""

    id: str
    row: int
    plain: bool


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One seat.

    Attributes:
        dice: Number of dice rolled at the start of a turn.
        late: Cards that an earlier turn may still buy.
    """

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
    """The current turn.

    Attributes:
        to_roll: Number of dice of the next roll, if one may come next; else 0.
        advised: Indices in `active` (descending order) that the advice sets aside.
        guesses: For each active die its alternative faces, the likeliest first; () if the camera has not seen it.
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
    order: tuple[PlayerView, ...]
    players: tuple[PlayerView, ...]
    rows: tuple[tuple[int, tuple[Pile, ...]], ...]
    threshold: tuple[int, int] | None = None
    beat: float | None = None
    standings: tuple[FinalStanding, ...] = ()

    @property
    def offers(self) -> tuple[Pile, ...]:
        """The piles that can be bought now, the dearest first."""
        return tuple(pile for pile in self._dearest_first if pile.buyable)

    @property
    def secured(self) -> tuple[Pile, ...]:
        """The piles that the dice set aside already pay for while dice are still to be rolled, the dearest first."""
        return tuple(pile for pile in self._dearest_first if pile.offer and not pile.buyable)

    @property
    def _dearest_first(self) -> list[Pile]:
        return [pile for _, row in reversed(self.rows) for pile in reversed(row)]
