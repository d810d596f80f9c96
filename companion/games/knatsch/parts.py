"""The parts of Knatsch's board, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.parts import Board
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that may be gone for. event: naming it, with the seat; chance: None while it is not known what it shows;
    best: the advice is to take this one; legal: it may be named at once."""

    event: str
    chance: float | None
    best: bool
    legal: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A card face up. combination: as text, "" while unknown; guarded: a guard lies with it; offer: to be gone for."""

    id: str
    combination: str
    castle: bool
    guarded: bool = False
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class Stack:
    """One of the two stacks. top: None while nobody has said what lies there, or when it is empty.

    reveals: what may lie there: the event, the card, what it shows if that is known, and how many there are.
    """

    side: str
    cards: int
    top: Shown | None
    reveals: tuple[tuple[str, str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Knight:
    """One player: her cards, and how near she is to winning."""

    seat: str
    name: str
    to_move: bool
    cards: tuple[Shown, ...]
    castles: int
    tournaments: int
    missing: int


@dataclass(frozen=True, slots=True)
class Attack:
    """The running attempt. target: words of the place; owner: whose card it is; card: its id; beat: what must be
    beaten; result: of the dice as they lie.

    chance: of success with the best way to go on; advised: places of the dice to keep; stop: best leave it at that;
    defends: the owner of the castle rolls now.
    """

    target: tuple[str, ...]
    owner: str
    card: str
    beat: str
    result: str
    throws: int
    name: str
    beaten: bool
    chance: float | None
    advised: frozenset[int]
    stop: bool
    defends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KnatschBoard(Board):
    """One version of the game, ready to be shown.

    moves: events without dice or unknown cards, as texts with their seat; asks: places whose combination is not known;
    deals: castles that may be drawn; king: what his card shows, and whether he may be challenged; seen: what four dice
    laid before the camera show.
    """

    attack: Attack | None
    dice: Faces
    kept: Faces
    to_roll: int
    may_keep: bool
    moves: tuple[str, ...]
    asks: tuple[tuple[str, ...], ...]
    deals: tuple[str, ...]
    king: Shown
    seen: str
    stacks: tuple[Stack, ...]
    players: tuple[Knight, ...]

    @property
    def gives_up(self) -> bool:
        """The King takes a castle now."""
        return any(move.split()[1] == "lose" for move in self.moves)
