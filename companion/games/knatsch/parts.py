"""Parts of the view model of Knatsch, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.parts import Board
from engine.dice import Faces


@dataclass(frozen=True, slots=True)
class Offer:
    """A card that may be attacked.

    Attributes:
        event: The event that names it as the target, with the seat.
        chance: None while its combination is unknown.
        best: The advice is to attack this one.
        legal: It may be named at once.
    """

    event: str
    chance: float | None
    best: bool
    legal: bool


@dataclass(frozen=True, slots=True)
class FaceUpCard:
    """A card face up.

    Attributes:
        combination: As text, "" while unknown.
        guarded: A guard protects it.
        offer: The offer to attack it, if any.
    """

    id: str
    combination: str
    castle: bool
    guarded: bool = False
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class Stack:
    """One of the two stacks.

    Attributes:
        top: None if unknown or empty.
        reveals: Cards that may be on top: the event, the card, its combination if known, and the number of copies.
    """

    side: str
    cards: int
    top: FaceUpCard | None
    reveals: tuple[tuple[str, str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player: cards, and how near they are to winning."""

    seat: str
    name: str
    to_move: bool
    cards: tuple[FaceUpCard, ...]
    castles: int
    tournaments: int
    missing: int


@dataclass(frozen=True, slots=True)
class Attack:
    """The current attempt.

    Attributes:
        target: The place of the card, in the record's words.
        owner: Whose card it is.
        card: Its id.
        beat: The combination to beat.
        result: The combination of the dice.
        chance: Probability of success with the best way to continue.
        advised: Indices of the dice to keep.
        stop: Stopping is best.
        defends: The owner of the castle rolls now.
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

    Attributes:
        stay: Indices of the dice that stayed for this roll.
        moves: Events without dice or unknown cards, as texts with their seat.
        asks: Places whose combination is unknown.
        deals: Castles that may be drawn.
        king: His combination, and whether he may be challenged.
        seen: The combination shown by four dice in front of the camera.
    """

    attack: Attack | None
    dice: Faces
    kept: Faces
    to_roll: int
    may_keep: bool
    stay: frozenset[int]
    moves: tuple[str, ...]
    asks: tuple[tuple[str, ...], ...]
    deals: tuple[str, ...]
    king: FaceUpCard
    seen: str
    stacks: tuple[Stack, ...]
    players: tuple[PlayerView, ...]

    @property
    def gives_up(self) -> bool:
        """Whether the King takes a castle now."""
        return any(move.split()[1] == "lose" for move in self.moves)
